/* What the process that paints can still do: nothing. */
#include "painter/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "suite.h"

#define MEMORY ((uint64_t)64 << 20)

/* Exit codes of a process that was confined: how far it came. */
static int confined(int (*work)(void), unsigned seconds)
{
    struct confinement *confinement;
    struct err err = ERR_INIT;
    int status;
    ck_ok(confine_prepare(&confinement, &err), err);
    pid_t pid = fork();
    if (pid == 0)
        _exit(confine_enter(confinement, seconds, MEMORY, &err) ? 100 : work());
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    confine_release(confinement);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static bool refused(long result)
{
    return result < 0 && (errno == EPERM || errno == EACCES);
}

static int try_all(void)
{
    struct sockaddr_in home = {.sin_family = AF_INET};
    int ends[2];
    char *argv[] = {NULL};
    if (!refused(open("/etc/passwd", O_RDONLY)) || !refused(open("/tmp/x", O_WRONLY | O_CREAT, 0600)))
        return 1;
    if (!refused(socket(AF_INET, SOCK_STREAM, 0)) || !refused(socket(AF_UNIX, SOCK_STREAM, 0)) ||
        !refused(socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) ||
        !refused(connect(0, (struct sockaddr *)&home, sizeof home)))
        return 2;
    if (!refused(fork()) || !refused(vfork()) || !refused(execve("/bin/true", argv, argv)))
        return 3;
    if (!refused(kill(getppid(), 0)) || !refused(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)))
        return 4;
    if (!refused(pipe(ends)) || !refused(dup(0)) || !refused(unlink("/tmp/x")) || !refused(chdir("/")))
        return 5;
    void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code != MAP_FAILED)
        return 6;
    return 0;
}

START_TEST(nothing_is_within_reach)
{
    ck_assert_int_eq(confined(try_all, 5), 0);
}
END_TEST

static int take_memory(void)
{
    for (size_t size = 0; size < 16 * MEMORY; size += 1 << 20) {
        volatile char *some = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (some == MAP_FAILED)
            return size <= MEMORY ? 0 : 1;
        some[0] = 1;
    }
    return 2;
}

START_TEST(memory_has_an_end)
{
    if (!SANITIZED) /* which maps far more than it uses */
        ck_assert_int_eq(confined(take_memory, 5), 0);
}
END_TEST

static int take_time(void)
{
    for (volatile unsigned i = 0; i < UINT_MAX; i++)
        continue;
    return 0;
}

START_TEST(time_has_an_end)
{
    int end = confined(take_time, 1);
    ck_assert_msg(end == -SIGXCPU || end == -SIGKILL, "%d", end);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, nothing_is_within_reach);
    tcase_add_test(tc, memory_has_an_end);
    tcase_add_test(tc, time_has_an_end);
}
TEST_MAIN("painter/confine", cases)
