/* What a process in the sandbox can do no more, and what it still can. Each try is a process of its own. */
#include "scratch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <linux/keyctl.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sandbox.h"
#include "base/zone.h"

static char base[SCRATCH_PATH];
static char *league, *games, *outside, *ini, *database, *wal, *shm;
static int listener;        /* from before */
static unsigned short port; /* its own */
static sqlite3 *held;       /* so that the side files stay */
static struct err err;

static void put(const char *path, const char *text)
{
    ck_ok(file_write(path, slice_of(text), 0600, &err), err);
}

static int sql(const char *path, const char *text)
{
    sqlite3 *db = NULL;
    int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, text, NULL, NULL, NULL);
    (void)sqlite3_close(db);
    return rc;
}

static void setup(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    err = (struct err)ERR_INIT;
    scratch_make(base, "sandbox");
    league = path_join(base, "league");
    games = path_join(league, "games");
    outside = path_join(base, "outside");
    ini = path_join(league, "league.ini");
    database = path_join(league, "catalog.sqlite");
    wal = path_join(league, "catalog.sqlite-wal");
    shm = path_join(league, "catalog.sqlite-shm");
    ck_ok(file_mkdirs(games, 0700, &err), err);
    put(ini, "[league]\n");
    put(outside, "secret\n");
    ck_assert_int_eq(sql(database, "PRAGMA journal_mode=WAL; CREATE TABLE t(x)"), SQLITE_OK);
    ck_assert_int_eq(sqlite3_open_v2(database, &held, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(held, "SELECT count(*) FROM t", NULL, NULL, NULL), SQLITE_OK);
    ck_assert(file_exists(wal) && file_exists(shm));
    listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    ck_assert_int_eq(listen(listener, 4), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    port = at.sin_port;
}

static void teardown(void)
{
    (void)sqlite3_close(held);
    scratch_remove(base);
    close(listener);
    char *all[] = {league, games, outside, ini, database, wal, shm};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void enter(void)
{
    const struct sandbox_path paths[] = {{league, false}, {games, true}, {database, true},
                                         {wal, true},     {shm, true},   {"/nowhere", true}};
    unsigned got = 0;
    struct err why = ERR_INIT;
    if (sandbox_enter(paths, sizeof paths / sizeof *paths, &got, &why) != 0 || got != sandbox_kernel())
        _exit(255);
}

/* errno of the try, 0 when it worked, 255 when there was no sandbox; -1 when it was killed. */
static int outcome(int (*attempt)(void), bool inside)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        if (inside)
            enter();
        errno = 0;
        int rc = attempt();
        _exit(rc ? (errno ? errno : 254) : 0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- calls ---- */

static int run_program(void)
{
    char name[] = "true";
    char *argv[] = {name, NULL};
    return execv("/bin/true", argv);
}

static int begin_process(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid < 0;
}

static int begin_vfork(void)
{
    return system("exit 0") != 0; /* glibc: clone with CLONE_VFORK */
}

static int begin_listening(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return listen(fd, 1);
}

static int take_connection(void)
{
    (void)fcntl(listener, F_SETFL, O_NONBLOCK);
    return accept(listener, NULL, NULL) < 0 && errno != EAGAIN;
}

static int be_traced(void)
{
    return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static int read_parent(void)
{
    char byte = 0;
    struct iovec mine = {&byte, 1}, theirs = {base, 1};
    return process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0) < 0;
}

static int new_space(void)
{
    return unshare(CLONE_FS);
}

static int change_user(void)
{
    return (int)syscall(SYS_setuid, getuid());
}

static int ask_personality(void)
{
    return personality(0xffffffff) < 0;
}

static int use_ring(void)
{
    char params[256] = {0};
    return syscall(SYS_io_uring_setup, 1, params) < 0;
}

static int use_keyring(void)
{
    return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1) < 0;
}

static int use_namespace(void)
{
    return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL) < 0;
}

static int crypto_socket(void)
{
    return socket(AF_VSOCK, SOCK_STREAM, 0) < 0;
}

static int packet_socket(void)
{
    return socket(AF_PACKET, SOCK_RAW, 0) < 0;
}

/* These would fail without the sandbox, too, but not with EPERM where root runs them. */
static int mount_it(void)
{
    return mount("none", "/nowhere", "nosuch", 0, NULL);
}

static int unmount(void)
{
    return umount2("/nowhere", 0);
}

static int root_elsewhere(void)
{
    return chroot("/nowhere");
}

static int load_program(void)
{
    return (int)syscall(SYS_bpf, 9999, NULL, 0);
}

static int watch_events(void)
{
    return (int)syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0);
}

static int load_module(void)
{
    return (int)syscall(SYS_finit_module, -1, "", 0);
}

static int load_kernel(void)
{
    return (int)syscall(SYS_kexec_load, 0, 99999, NULL, 0xffffUL);
}

static int restart(void)
{
    return (int)syscall(SYS_reboot, 0, 0, 0, NULL);
}

static int set_clock(void)
{
    return (int)syscall(SYS_clock_settime, CLOCK_REALTIME, NULL);
}

static int name_host(void)
{
    return (int)syscall(SYS_sethostname, NULL, -1);
}

static int fault_memory(void)
{
    return syscall(SYS_userfaultfd, -1) < 0 ? -1 : 0;
}

static int type_for_others(void)
{
    char c = 'x';
    return ioctl(listener, TIOCSTI, &c);
}

static int make_device(void)
{
    char *path = path_join(games, "device");
    return mknod(path, S_IFCHR | 0600, 0x0103);
}

#if defined(__x86_64__)
/* execve by its number for 32 bit programs, which a filter for 64 bit alone would let through. */
static int other_numbers(void)
{
    long rc;
    (void)signal(SIGSEGV, SIG_DFL);                                 /* that of a kernel without them */
    __asm__ volatile("int $0x80" : "=a"(rc) : "a"(20L) : "memory"); /* getpid */
    errno = rc < 0 ? (int)-rc : 0;
    return rc < 0;
}
#endif

struct attempt {
    const char *name;
    int (*run)(void);
    bool works; /* without the sandbox */
};

static const struct attempt calls[] = {
    {"exec", run_program, true},
    {"fork", begin_process, true},
    {"system", begin_vfork, true},
    {"listen", begin_listening, true},
    {"accept", take_connection, true},
    {"ptrace", be_traced, true},
    {"process_vm_readv", read_parent, false},
    {"unshare", new_space, true},
    {"setuid", change_user, true},
    {"personality", ask_personality, true},
    {"io_uring", use_ring, false},
    {"keyctl", use_keyring, false},
    {"user name space", use_namespace, false},
    {"vsock", crypto_socket, false},
    {"packets", packet_socket, false},
    {"mount", mount_it, false},
    {"umount", unmount, false},
    {"chroot", root_elsewhere, false},
    {"bpf", load_program, false},
    {"perf", watch_events, false},
    {"module", load_module, false},
    {"kexec", load_kernel, false},
    {"reboot", restart, false},
    {"clock_settime", set_clock, false},
    {"sethostname", name_host, false},
    {"userfaultfd", fault_memory, false},
    {"TIOCSTI", type_for_others, false},
    {"mknod", make_device, false},
#if defined(__x86_64__)
    {"32 bit calls", other_numbers, true},
#endif
};

START_TEST(calls_are_given_up)
{
    if (!(sandbox_kernel() & SANDBOX_CALLS)) {
        (void)printf("skipped: this kernel has no seccomp\n");
        return;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int got = calls[i].works ? outcome(calls[i].run, false) : 0;
        if (got == -1 && strcmp(calls[i].name, "32 bit calls") == 0) {
            (void)printf("skipped: this kernel has no 32 bit calls\n");
            continue;
        }
        ck_assert_msg(got == 0, "%s without the sandbox: %s", calls[i].name, strerror(got));
        got = outcome(calls[i].run, true);
        ck_assert_msg(got == EPERM || (calls[i].run == make_device && got == EACCES), "%s: %d (%s)",
                      calls[i].name, got, strerror(got));
    }
}
END_TEST

/* ---- files ---- */

static int opens(const char *path, int how)
{
    return open(path, how, 0600) < 0;
}

static int read_outside(void)
{
    return opens(outside, O_RDONLY);
}

static int write_outside(void)
{
    return opens(outside, O_WRONLY);
}

static int make_outside(void)
{
    char *path = path_join(base, "new");
    return opens(path, O_WRONLY | O_CREAT);
}

static int remove_outside(void)
{
    return unlink(outside);
}

static int read_users(void)
{
    return opens("/etc/passwd", O_RDONLY);
}

static int read_memory(void)
{
    return opens("/proc/self/mem", O_RDONLY);
}

/* The commands in it are run by a process without a sandbox, at the next start at the latest. */
static int write_ini(void)
{
    return opens(ini, O_WRONLY);
}

static int remove_ini(void)
{
    return unlink(ini);
}

static int put_over_ini(void)
{
    char *path = path_join(games, "new");
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    if (fd < 0)
        _exit(253);
    return rename(path, ini);
}

static int rename_beside_ini(void)
{
    return rename(database, ini);
}

static int make_beside_ini(void)
{
    char *path = path_join(league, "new");
    return opens(path, O_WRONLY | O_CREAT);
}

static int link_in(void)
{
    char *path = path_join(games, "link");
    return link(outside, path);
}

static int link_soft(void)
{
    char *path = path_join(games, "soft");
    return symlink(outside, path);
}

static int take_in(void)
{
    char *path = path_join(games, "taken");
    return rename(outside, path);
}

static const struct attempt files[] = {
    {"reading outside", read_outside, true},
    {"writing outside", write_outside, true},
    {"making outside", make_outside, true},
    {"/etc/passwd", read_users, true},
    {"/proc/self/mem", read_memory, true},
    {"writing league.ini", write_ini, true},
    {"a file beside league.ini", make_beside_ini, true},
    {"a file over league.ini", put_over_ini, false},
    {"the catalog over league.ini", rename_beside_ini, false},
    {"removing league.ini", remove_ini, false},
    {"removing outside", remove_outside, false},
    {"a link to what is outside", link_in, false},
    {"a symbolic link", link_soft, false},
    {"moving in what is outside", take_in, false},
};

START_TEST(files_are_given_up)
{
    if (!(sandbox_kernel() & SANDBOX_FILES)) {
        (void)printf("skipped: this kernel has no landlock that can rename\n");
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int got = files[i].works ? outcome(files[i].run, false) : 0;
        ck_assert_msg(got == 0, "%s without the sandbox: %s", files[i].name, strerror(got));
        got = outcome(files[i].run, true);
        ck_assert_msg(got == EACCES || got == EXDEV, "%s: %d (%s)", files[i].name, got, strerror(got));
    }
}
END_TEST

/* ---- what must work ---- */

static int work_in_folder(void)
{
    struct err why = ERR_INIT;
    char *tmp = path_join(games, "tmp"), *new = path_join(games, "new");
    char *from = path_join(tmp, "1"), *to = path_join(new, "1");
    if (file_mkdirs(tmp, 0700, &why) || file_mkdirs(new, 0700, &why) ||
        file_write(from, slice_of("a"), 0600, &why) || file_append(from, slice_of("b"), 0600, &why) ||
        file_rename(from, to, &why) || file_truncate(to, 1, &why) || file_sync_all(to, &why) ||
        file_remove(to, &why))
        return -1;
    return rmdir(new);
}

static int read_options(void)
{
    return opens(ini, O_RDONLY);
}

static int find_name(void)
{
    struct addrinfo *found = NULL;
    return getaddrinfo("localhost", "993", NULL, &found);
}

static void *nothing(void *arg)
{
    return arg;
}

static int begin_thread(void)
{
    pthread_t thread;
    int rc = pthread_create(&thread, NULL, nothing, NULL);
    return rc ? rc : pthread_join(thread, NULL);
}

static int write_database(void)
{
    return sql(database, "INSERT INTO t VALUES(1); INSERT INTO t SELECT x FROM t");
}

static int read_zone(void)
{
    struct zone *zone = NULL;
    struct err why = ERR_INIT;
    return zone_load("Europe/Berlin", &zone, &why);
}

static int connect_out(void)
{
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return connect(socket(AF_INET, SOCK_STREAM, 0), (const struct sockaddr *)&to, sizeof to);
}

static int convert(void)
{
    return iconv_open("UTF-8", "ISO-8859-15") == (iconv_t)-1;
}

static int be_random(void)
{
    return opens("/dev/urandom", O_RDONLY);
}

static int read_certificates(void)
{
    return opens("/etc/ssl", O_RDONLY | O_DIRECTORY);
}

static const struct attempt needed[] = {
    {"work in a folder", work_in_folder, true},
    {"league.ini", read_options, true},
    {"localhost", find_name, true},
    {"a thread", begin_thread, true},
    {"SQLite", write_database, true},
    {"a zone", read_zone, true},
    {"a connection", connect_out, true},
    {"iconv", convert, true},
    {"/dev/urandom", be_random, true},
    {"certificates", read_certificates, true},
};

START_TEST(what_is_needed_stays)
{
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        for (int inside = 0; inside < 2; inside++) {
            int got = outcome(needed[i].run, inside);
            ck_assert_msg(got == 0, "%s %s: %d (%s)", needed[i].name, inside ? "inside" : "outside", got,
                          strerror(got));
        }
}
END_TEST

/* ---- the rest ---- */

static int privileges(void)
{
    bool none = prctl(PR_GET_NO_NEW_PRIVS, 0UL, 0UL, 0UL, 0UL) == 1;
    return sandbox_kernel() && !none;
}

static void *exec_in_thread(void *arg)
{
    (void)arg;
    return run_program() && errno == EPERM ? NULL : base;
}

static int threads_too(void)
{
    pthread_t thread;
    void *got = base;
    return pthread_create(&thread, NULL, exec_in_thread, NULL) || pthread_join(thread, &got) || got;
}

START_TEST(it_is_for_all_threads_and_for_good)
{
    ck_assert_int_eq(outcome(privileges, true), 0);
    if (sandbox_kernel() & SANDBOX_CALLS)
        ck_assert_int_eq(outcome(threads_too, true), 0);
    ck_assert_int_eq(prctl(PR_GET_NO_NEW_PRIVS, 0UL, 0UL, 0UL, 0UL), 0);
}
END_TEST

/* As an old kernel, or one that keeps its sandboxes to itself, as containers' may. */
static int without_kernel(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    unsigned got = SANDBOX_WHOLE;
    struct err why = ERR_INIT;
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(seccomp), 0) ||
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0) ||
        seccomp_load(filter))
        return 1;
    seccomp_release(filter);
    return sandbox_enter(NULL, 0, &got, &why) || got || !strstr(sandbox_words(got), "nothing");
}

START_TEST(a_kernel_without_is_no_error)
{
    if (sandbox_kernel() & SANDBOX_CALLS)
        ck_assert_int_eq(outcome(without_kernel, false), 0);
}
END_TEST

START_TEST(a_replaced_file_is_noticed)
{
    const struct sandbox_path paths[] = {{ini, false}, {games, true}};
    uint64_t before = sandbox_stamp(paths, 2);
    char *inside = path_join(games, "new");
    put(inside, "");
    free(inside);
    ck_assert_uint_eq(sandbox_stamp(paths, 2), before);
    char *copy = path_join(base, "copy");
    put(copy, "[league]\n");
    ck_assert_int_eq(rename(copy, ini), 0);
    free(copy);
    ck_assert_uint_ne(sandbox_stamp(paths, 2), before);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, calls_are_given_up);
    tcase_add_test(tc, files_are_given_up);
    tcase_add_test(tc, what_is_needed_stays);
    tcase_add_test(tc, it_is_for_all_threads_and_for_good);
    tcase_add_test(tc, a_kernel_without_is_no_error);
    tcase_add_test(tc, a_replaced_file_is_noticed);
}
TEST_MAIN("base/sandbox", cases)
