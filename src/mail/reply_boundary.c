/* The two words by which our mails are known where they are quoted (reply.h). */
#include <string.h>

#include "mail/reply_parts.h"

#define BOUNDARY_LEN (REPLY_NONCE + 4) /* bytes of either */

void reply_boundary(struct str *out, struct slice nonce)
{
    str_addf(out, "#-%.*s-#", (int)nonce.len, nonce.p);
}

void reply_closing(struct str *out, struct slice nonce)
{
    str_addf(out, "-#%.*s#-", (int)nonce.len, nonce.p);
}

static bool is_nonce(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!((text.p[i] | 0x20) >= 'a' && (text.p[i] | 0x20) <= 'z') &&
            !(text.p[i] >= '2' && text.p[i] <= '7'))
            return false;
    return text.len == REPLY_NONCE;
}

static bool begins_boundary(struct slice text)
{
    struct slice begin = slice_sub(text, 0, 2), end = slice_sub(text, 2 + REPLY_NONCE, 2);
    return ((slice_eq(begin, "#-") && slice_eq(end, "-#")) ||
            (slice_eq(begin, "-#") && slice_eq(end, "#-"))) &&
           is_nonce(slice_sub(text, 2, REPLY_NONCE));
}

size_t reply_boundary_find(struct slice text, struct slice *nonce)
{
    for (size_t from = 0; from + BOUNDARY_LEN <= text.len;) {
        const char *sign = memchr(text.p + from, '#', text.len - from);
        if (!sign)
            break;
        size_t after = (size_t)(sign - text.p) + 1;
        size_t at = after >= from + 2 ? after - 2 : after - 1; /* it is the first or the second byte */
        for (; at < after; at++)
            if (begins_boundary(slice_sub(text, at, BOUNDARY_LEN))) {
                *nonce = slice_sub(text, at + 2, REPLY_NONCE);
                return at;
            }
        from = after;
    }
    return NOWHERE;
}

bool reply_boundary_closes(struct slice nonce)
{
    return nonce.p[-1] == '#';
}

bool reply_nonce_same(struct slice one, struct slice other)
{
    bool same = one.len == other.len;
    for (size_t i = 0; same && i < one.len; i++)
        same = (one.p[i] | 0x20) == (other.p[i] | 0x20);
    return same;
}
