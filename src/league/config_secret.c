#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "league/config.h"
#include "base/clock.h"
#include "base/private.h"

#define COMMAND_SECONDS 60 /* an agent may ask a person, but a run must not wait for that for ever */

extern char **environ;

/* Starts `/bin/sh -c command` in a process group of its own with its output in a pipe. */
static int start(const char *command, pid_t *pid, int *fd, struct err *err)
{
    char shell[] = "sh";
    char option[] = "-c";
    char *text = mem_strdup(command);
    char *argv[] = {shell, option, text, NULL};
    int ends[2];
    sigset_t none;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        free(text);
        return err_sys(err, ERR_TEMP, "cannot make a pipe");
    }
    (void)posix_spawn_file_actions_init(&actions); /* these two cannot fail with glibc and musl */
    (void)posix_spawnattr_init(&attributes);
    (void)sigemptyset(&none);
    int rc = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (rc == 0)
        rc = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (rc == 0)
        rc = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    if (rc == 0)
        rc = posix_spawnattr_setsigmask(&attributes, &none);
    if (rc == 0)
        rc = posix_spawn(pid, "/bin/sh", &actions, &attributes, argv, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    free(text);
    close(ends[1]);
    if (rc == 0) {
        *fd = ends[0];
        return 0;
    }
    close(ends[0]);
    errno = rc;
    return err_sys(err, ERR_TEMP, "cannot run /bin/sh");
}

/* Reads to the end of the output, at most `size` bytes, within the time allowed. */
static int drain(int fd, char *buffer, size_t size, size_t *len, struct err *err)
{
    int64_t until = clock_milliseconds() + COMMAND_SECONDS * 1000LL;
    *len = 0;
    for (;;) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        int64_t left = until - clock_milliseconds();
        if (left <= 0)
            return err_set(err, ERR_CONFIG, "the command gave no answer within %d seconds", COMMAND_SECONDS);
        int ready = poll(&wait, 1, (int)left);
        if (ready < 0 && errno != EINTR)
            return err_sys(err, ERR_TEMP, "cannot wait for the command");
        if (ready <= 0)
            continue;
        if (*len == size)
            return err_set(err, ERR_CONFIG, "the command gives more than %d bytes", PRIVATE_MAX);
        ssize_t n = read(fd, buffer + *len, size - *len);
        if (n < 0 && errno != EINTR)
            return err_sys(err, ERR_TEMP, "cannot read from the command");
        if (n == 0)
            return 0;
        *len += n > 0 ? (size_t)n : 0;
    }
}

static int finish(pid_t pid, struct err *err)
{
    int status = 0;
    pid_t got;
    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (got == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return 0;
    if (got == pid && WIFEXITED(status))
        return err_set(err, ERR_CONFIG, "the command ended with exit code %d", WEXITSTATUS(status));
    return err_set(err, ERR_CONFIG, "the command was killed");
}

static int take_line(const char *bytes, size_t len, char **secret, struct err *err)
{
    size_t end = 0;
    while (end < len && bytes[end] != '\n' && bytes[end] != '\r')
        end++;
    if (end == 0)
        return err_set(err, ERR_CONFIG, "the first line is empty");
    for (size_t i = 0; i < end; i++)
        if ((unsigned char)bytes[i] < 0x20 || bytes[i] == 0x7f)
            return err_set(err, ERR_CONFIG, "the first line has a control character");
    *secret = mem_strndup(bytes, end);
    return 0;
}

static int from_command(const char *command, char **secret, struct err *err)
{
    char *buffer = mem_alloc(PRIVATE_MAX);
    size_t len = 0;
    pid_t pid = 0;
    int fd = -1;
    int rc = start(command, &pid, &fd, err);
    if (rc == 0) {
        rc = drain(fd, buffer, PRIVATE_MAX, &len, err);
        close(fd);
        if (rc)
            (void)kill(-pid, SIGKILL);
        if (finish(pid, err) != 0)
            rc = -1;
    }
    if (rc == 0)
        rc = take_line(buffer, len, secret, err);
    sodium_memzero(buffer, PRIVATE_MAX);
    free(buffer);
    return rc;
}

static int from_file(const char *path, const char *what, char **secret, struct err *err)
{
    struct str text = STR_INIT;
    int rc = private_read(path, what, &text, err);
    if (err->code == ERR_MISSING) /* it is named by the configuration */
        err->code = ERR_CONFIG;
    if (rc == 0 && take_line(text.p, text.len, secret, err) != 0)
        rc = err_prefix(err, "%s: %s", what, path);
    private_wipe(&text);
    return rc;
}

int config_secret(const struct config_secret *where, char **secret, struct err *err)
{
    const char *what = where->what, *env = where->env;
    *secret = NULL;
    private_process();
    if (where->command && *where->command)
        return from_command(where->command, secret, err) == 0 ? 0 : err_prefix(err, "%s", what);
    if (where->file && *where->file)
        return from_file(where->file, what, secret, err);
    if (!env || !*env)
        return 0;
    const char *value = getenv(env);
    if (!value || !*value)
        return err_set(err, ERR_CONFIG, "%s: the environment variable %s is not set", what, env);
    return take_line(value, strlen(value), secret, err) == 0 ? 0 : err_prefix(err, "%s: %s", what, env);
}
