#include "painter/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "painter/paint.h"
#include "base/exact.h"
#include "picture/painting.h"

/* How the process that paints ends. */
enum { CHILD_PAINTED, CHILD_REFUSED, CHILD_FAILED };

struct child {
    pid_t pid;
    int fd;      /* the picture comes here */
    int64_t end; /* clock_milliseconds */
};

static int put_all(int fd, struct slice bytes)
{
    while (bytes.len) {
        ssize_t n = write(fd, bytes.p, bytes.len);
        if (n < 0)
            return -1;
        bytes = slice_sub(bytes, (size_t)n, bytes.len);
    }
    return 0;
}

/* The whole life of the process that paints. It releases nothing: what it has may be damaged. */
static int paint_apart(const struct confinement *confinement, const struct painting_request *request,
                       struct slice svg, int fd)
{
    struct err err = ERR_INIT;
    struct str png = STR_INIT;
    if (confine_enter(confinement, PAINTING_CPU, PAINTING_MEMORY, &err))
        return CHILD_FAILED;
    if (paint(svg, request->width, &png, &err) || png.len > PAINTING_PNG_MOST)
        return CHILD_REFUSED;
    return put_all(fd, slice_str(&png)) ? CHILD_FAILED : CHILD_PAINTED;
}

/* Those that paint, the first one first. */
struct children {
    struct child list[PAINTING_AHEAD];
    size_t count;
};

/* In the process that paints: nothing that is another's may be read there. */
static void leave_all(int socket, const struct children *others)
{
    close(socket);
    for (size_t i = 0; i < others->count; i++)
        close(others->list[i].fd);
}

static int begin(struct children *children, int socket, const struct confinement *confinement,
                 const struct painting_request *request, struct slice svg)
{
    struct child *child = &children->list[children->count];
    pid_t self = getpid();
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    child->end = clock_milliseconds() + (int64_t)PAINTING_SECONDS * 1000;
    child->fd = ends[0];
    child->pid = fork();
    if (child->pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0UL, 0UL, 0UL);
        leave_all(socket, children);
        close(ends[0]);
        _exit(getppid() == self ? paint_apart(confinement, request, svg, ends[1]) : CHILD_FAILED);
    }
    close(ends[1]);
    if (child->pid < 0)
        close(ends[0]);
    children->count += child->pid > 0;
    return child->pid < 0 ? -1 : 0;
}

/* Reads until it has closed its end: true; false when the time is over, or too much comes. */
static bool take(const struct child *child, struct str *png)
{
    for (;;) {
        char bytes[16384];
        int64_t left = child->end - clock_milliseconds();
        struct pollfd p = {.fd = child->fd, .events = POLLIN};
        if (left <= 0 || png->len > PAINTING_PNG_MOST)
            return false;
        if (poll(&p, 1, (int)left) <= 0)
            continue;
        ssize_t n = read(child->fd, bytes, sizeof bytes);
        if (n > 0)
            str_add(png, bytes, (size_t)n);
        else if (n == 0 || errno != EINTR)
            return n == 0;
    }
}

/* Waits for its end until its time is over; false when it has not ended by then. */
static bool wait_end(const struct child *child, int *status)
{
    const struct timespec pause = {0, 200000};
    for (;;) {
        pid_t ended = waitpid(child->pid, status, WNOHANG);
        if (ended == child->pid || (ended < 0 && errno != EINTR))
            return true;
        if (clock_milliseconds() >= child->end)
            return false;
        (void)nanosleep(&pause, NULL);
    }
}

/* Most have closed the pipe by ending; one that has not may have been taken over by its drawing. */
static enum painting_fate end(const struct child *child, bool in_time)
{
    int status = 0;
    close(child->fd);
    in_time = in_time && wait_end(child, &status);
    if (!in_time)
        (void)kill(child->pid, SIGKILL);
    while (!in_time && waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!in_time || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)))
        return PAINTING_SLOW;
    if (!WIFEXITED(status) || WEXITSTATUS(status) == CHILD_FAILED)
        return PAINTING_DIED;
    return WEXITSTATUS(status) == CHILD_PAINTED ? PAINTED : PAINTING_REFUSED;
}

static int answer(int fd, enum painting_fate fate, struct slice png)
{
    const struct painting_reply reply = {fate, fate == PAINTED ? (uint32_t)png.len : 0};
    return exact_put(fd, &reply, sizeof reply) || exact_put(fd, png.p, reply.len) ? -1 : 0;
}

/* Waits for the first one, and sends what it has painted. */
static void finish(int fd, struct children *children)
{
    struct str png = STR_INIT;
    const struct child first = children->list[0];
    enum painting_fate fate = end(&first, take(&first, &png));
    children->count--;
    memmove(children->list, children->list + 1, children->count * sizeof first);
    /* Whoever wanted it may have ended meanwhile: the next read says so. */
    (void)answer(fd, fate, slice_str(&png));
    str_release(&png);
}

static bool is_request(const struct painting_request *request)
{
    return request->width > 0 && request->width <= PAINTING_WIDTH_MOST && request->len > 0 &&
           request->len <= PAINTING_SVG_MOST;
}

/* 1: a request has come; 0: whoever asks has gone. */
static int next_request(int fd, struct painting_request *request, struct str *svg, struct err *err)
{
    int got = exact_get(fd, request, sizeof *request);
    str_clear(svg);
    if (got > 0)
        return 0;
    if (got < 0 || !is_request(request) || exact_get_str(fd, request->len, svg))
        return err_set(err, ERR_BROKEN, "what came is no request for a picture");
    return 1;
}

/* Is there something to read, or an end? */
static bool waits(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

int serve(int fd, const struct confinement *confinement, struct err *err)
{
    struct children children = {.count = 0};
    struct painting_request request;
    struct str svg = STR_INIT;
    int got = 1;
    while (got > 0) {
        if (children.count == PAINTING_AHEAD || (children.count && !waits(fd))) {
            finish(fd, &children);
            continue;
        }
        got = next_request(fd, &request, &svg, err);
        if (got > 0 && begin(&children, fd, confinement, &request, slice_str(&svg)))
            got = err_sys(err, ERR_TEMP, "no process can be begun to paint a picture");
    }
    while (children.count)
        finish(fd, &children);
    str_release(&svg);
    return got;
}
