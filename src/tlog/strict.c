#include "tlog/strict.h"

#include <string.h>

bool strict_before(struct slice *rest, char end, struct slice *part)
{
    const char *at = rest->len ? memchr(rest->p, end, rest->len) : NULL;
    if (!at)
        return false;
    *part = slice_sub(*rest, 0, (size_t)(at - rest->p));
    *rest = slice_sub(*rest, part->len + 1, rest->len);
    return true;
}

bool strict_field(struct slice *rest, struct slice *field)
{
    if (!rest->p)
        return false;
    if (!strict_before(rest, ' ', field)) {
        *field = *rest;
        *rest = (struct slice){NULL, 0};
    }
    return true;
}

bool strict_prefix(struct slice *rest, const char *prefix)
{
    if (!slice_starts(*rest, prefix))
        return false;
    *rest = slice_sub(*rest, strlen(prefix), rest->len);
    return true;
}

bool strict_number(struct slice text, int64_t least, int64_t most, int64_t *number)
{
    int64_t value = 0;
    if (!text.len || text.len > 15 || (text.p[0] == '0' && text.len > 1))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] < '0' || text.p[i] > '9')
            return false;
        value = value * 10 + (text.p[i] - '0');
    }
    *number = value;
    return value >= least && value <= most;
}
