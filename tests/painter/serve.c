/* A process that a drawing has taken over: whatever it does, it is given no more than its time. */
#include "painter/serve.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exact.h"
#include "painter/paint.h"
#include "picture/painting.h"
#include "suite.h"

/* Takes the place of the library's: closes the pipe as if it had ended, and waits for ever. */
int paint(struct slice svg, unsigned width, struct str *png, struct err *err)
{
    static int never;
    (void)svg, (void)width, (void)png, (void)err;
    for (int fd = 3; fd < 256; fd++)
        close(fd);
    for (;;)
        (void)syscall(SYS_futex, &never, FUTEX_WAIT, 0, NULL, NULL, 0);
    return 0;
}

START_TEST(who_closes_the_pipe_and_stays_is_ended)
{
    static const struct timeval most = {PAINTING_SECONDS + 3, 0};
    const struct painting_request request = {600, 1};
    struct painting_reply reply;
    struct err err = ERR_INIT;
    struct confinement *confinement;
    int pair[2];
    ck_ok(confine_prepare(&confinement, &err), err);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    ck_assert_int_eq(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(pair[0]);
        _exit(serve(pair[1], confinement, &err) ? 1 : 0);
    }
    close(pair[1]);
    ck_assert_int_eq(exact_put(pair[0], &request, sizeof request), 0);
    ck_assert_int_eq(exact_put(pair[0], "x", 1), 0);
    int got = exact_get(pair[0], &reply, sizeof reply);
    if (got != 0)
        (void)kill(pid, SIGKILL);
    close(pair[0]);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    ck_assert_msg(got == 0, "it waits for ever");
    ck_assert_uint_eq(reply.fate, PAINTING_SLOW);
    confine_release(confinement);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, who_closes_the_pipe_and_stays_is_ended);
}
TEST_MAIN_ALONE("painter/serve", cases)
