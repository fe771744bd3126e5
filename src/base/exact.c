#include "base/exact.h"

#include <errno.h>
#include <sys/socket.h>

int exact_put(int fd, const void *bytes, size_t len)
{
    const char *p = bytes;
    while (len > 0) {
        ssize_t n = send(fd, p, len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        p += n;
        len -= (size_t)n;
    }
    return 0;
}

int exact_get(int fd, void *bytes, size_t len)
{
    char *p = bytes;
    size_t have = 0;
    while (have < len) {
        ssize_t n = recv(fd, p + have, len - have, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0 && have == 0 ? 1 : -1;
        have += (size_t)n;
    }
    return 0;
}

int exact_get_str(int fd, size_t len, struct str *out)
{
    str_clear(out);
    str_reserve(out, len + 1);
    if (exact_get(fd, out->p, len) != 0)
        return -1;
    out->len = len;
    out->p[len] = '\0';
    return 0;
}
