/* turnpost-picture: paints what it is sent, SVG to PNG, for the turnpost that has begun it (picture/painter.h).
 * It is a program of its own so that what draws is not part of the one that has the league's keys. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "painter/paint.h"
#include "painter/serve.h"

/* So that what the libraries load and make at their first use is there before files are out of reach. */
static int warm_up(struct err *err)
{
    static const char drawing[] =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><defs><clipPath id='c'><path d='M0 "
        "0h8v8z'/>"
        "</clipPath><pattern id='p' width='2' height='2' patternUnits='userSpaceOnUse'><path d='M0 0l2 2' "
        "stroke='#000'/></pattern></defs><style>.a{fill:#fff}</style><g clip-path='url(#c)' opacity='.5'>"
        "<circle class='a' cx='4' cy='4' r='3'/><rect width='8' height='4' fill='url(#p)'/></g></svg>";
    struct str png = STR_INIT;
    int rc = paint(slice_of(drawing), 8, &png, err);
    str_release(&png);
    return rc;
}

static int failed(const struct err *err)
{
    (void)fprintf(stderr, "turnpost-picture: %s\n", err->text);
    return err_exit_code(err);
}

/* The terminal's signals are for those who work; this ends when they have. What the libraries have to say of a
 * drawing is nobody's concern. */
static int settle(struct err *err)
{
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDERR_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
        return err_sys(err, ERR_IO, "cannot open /dev/null");
    close(null);
    return 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct confinement *confinement = NULL;
    struct err err = ERR_INIT;
    int kind = 0;
    socklen_t size = sizeof kind;
    if (argc != 1 || getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &kind, &size) != 0 ||
        kind != SOCK_STREAM) {
        (void)fputs("turnpost-picture is begun by turnpost and is of no use by itself\n", stderr);
        return 64;
    }
    if (confine_prepare(&confinement, &err) || warm_up(&err) || settle(&err))
        return failed(&err);
    int rc = serve(STDIN_FILENO, confinement, &err);
    confine_release(confinement);
    return rc ? err_exit_code(&err) : 0;
}
