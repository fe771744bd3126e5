#include "picture/painter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exact.h"
#include "base/mem.h"
#include "picture/painting.h"

#define PROGRAM   "turnpost-picture"
#define PATH_MOST 4096

/* ---- its process ---- */

static char *beside_this(void)
{
    char path[PATH_MOST];
    struct str found = STR_INIT;
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    while (len > 0 && path[len - 1] != '/')
        len--;
    str_addf(&found, "%.*s%s", (int)(len > 0 ? len : 0), path, PROGRAM);
    return str_detach(&found);
}

bool painter_installed(void)
{
    char *path = beside_this();
    const bool there = access(path, X_OK) == 0;
    free(path);
    return there;
}

/* Standard input is its socket; what it has to say while it begins goes where ours goes. */
static int spawn(const char *program, int socket, pid_t *pid)
{
    char *argv[] = {mem_strdup(PROGRAM), NULL};
    static char locale[] = "LC_ALL=C";
    char *environment[] = {locale, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t none, all;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    int rc = posix_spawn_file_actions_init(&actions);
    rc = rc ? rc : posix_spawnattr_init(&attr);
    if (rc == 0)
        rc = posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    if (rc == 0)
        rc = posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (rc == 0)
        rc = posix_spawnattr_setsigmask(&attr, &none);
    if (rc == 0)
        rc = posix_spawnattr_setsigdefault(&attr, &all);
    if (rc == 0)
        rc = posix_spawn(pid, program, &actions, &attr, argv, environment);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attr);
    free(argv[0]);
    return rc;
}

int painter_begin(const char *program, struct painter *painter, struct err *err)
{
    const struct timeval most = {2L * PAINTING_SECONDS, 0};
    int pair[2];
    *painter = (struct painter)PAINTER_NONE;
    char *path = program ? mem_strdup(program) : beside_this();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        free(path);
        return err_sys(err, ERR_CONFIG, "cannot make a pair of sockets");
    }
    (void)setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    (void)setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    int rc = spawn(path, pair[1], &painter->pid);
    close(pair[1]);
    if (rc == 0) {
        painter->fd = pair[0];
    } else {
        close(pair[0]);
        painter->pid = 0;
        errno = rc;
        rc = err_sys(err, ERR_CONFIG, "the program that paints pictures cannot be begun: %s", path);
    }
    free(path);
    return rc;
}

void painter_leave(struct painter *painter)
{
    if (painter->fd >= 0)
        close(painter->fd);
    painter->fd = -1;
}

bool painter_has_ended(struct painter *painter)
{
    if (painter->pid <= 0 || waitpid(painter->pid, NULL, WNOHANG) != painter->pid)
        return false;
    painter->pid = 0;
    painter_leave(painter);
    return true;
}

void painter_end(struct painter *painter)
{
    painter_leave(painter);
    if (painter->pid > 0)
        (void)kill(painter->pid, SIGTERM);
    while (painter->pid > 0 && waitpid(painter->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    *painter = (struct painter)PAINTER_NONE;
}

/* ---- a picture ---- */

static int gone(struct err *err)
{
    return err_set(err, ERR_TEMP, "the program that paints pictures has ended, or does not answer");
}

static const char *words_of(uint32_t fate)
{
    switch (fate) {
    case PAINTING_REFUSED: return "it is no SVG that can be drawn";
    case PAINTING_SLOW: return "it took too long";
    default: return "it was too much for the process that painted it";
    }
}

int painter_ask(int fd, struct slice svg, unsigned width, struct err *err)
{
    const struct painting_request request = {width, (uint32_t)svg.len};
    if (!svg.len || svg.len > PAINTING_SVG_MOST || !width || width > PAINTING_WIDTH_MOST)
        return err_set(err, ERR_INPUT, "no picture: the drawing is empty or too large");
    return exact_put(fd, &request, sizeof request) || exact_put(fd, svg.p, svg.len) ? gone(err) : 0;
}

int painter_answer(int fd, struct str *png, struct err *err)
{
    struct painting_reply reply;
    struct str bytes = STR_INIT;
    if (exact_get(fd, &reply, sizeof reply) != 0 || reply.len > PAINTING_PNG_MOST ||
        exact_get_str(fd, reply.len, &bytes)) {
        str_release(&bytes);
        return gone(err);
    }
    str_addslice(png, slice_str(&bytes));
    str_release(&bytes);
    return reply.fate == PAINTED ? 0 : err_set(err, ERR_INPUT, "no picture: %s", words_of(reply.fate));
}

int painter_paint(int fd, struct slice svg, unsigned width, struct str *png, struct err *err)
{
    return painter_ask(fd, svg, width, err) ? -1 : painter_answer(fd, png, err);
}
