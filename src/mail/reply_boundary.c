/* The word by which our mails are known where they are quoted (reply.h). */
#include <string.h>

#include "mail/reply_parts.h"

#define BOUNDARY_BEGIN "#-"
#define BOUNDARY_END   "-#"
#define BOUNDARY_LEN   (REPLY_NONCE + 4) /* bytes */

void reply_boundary(struct str *out, struct slice nonce)
{
    str_adds(out, BOUNDARY_BEGIN);
    str_addslice(out, nonce);
    str_adds(out, BOUNDARY_END);
}

static bool is_nonce(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!((text.p[i] | 0x20) >= 'a' && (text.p[i] | 0x20) <= 'z') &&
            !(text.p[i] >= '2' && text.p[i] <= '7'))
            return false;
    return text.len == REPLY_NONCE;
}

size_t reply_boundary_find(struct slice text, struct slice *nonce)
{
    for (size_t from = 0; from + BOUNDARY_LEN <= text.len;) {
        const char *found = memchr(text.p + from, BOUNDARY_BEGIN[0], text.len - from);
        if (!found)
            break;
        size_t at = (size_t)(found - text.p);
        *nonce = slice_sub(text, at + strlen(BOUNDARY_BEGIN), REPLY_NONCE);
        if (slice_starts(slice_sub(text, at, text.len), BOUNDARY_BEGIN) && is_nonce(*nonce) &&
            slice_starts(slice_sub(text, at + BOUNDARY_LEN - 2, 2), BOUNDARY_END))
            return at;
        from = at + 1;
    }
    return NOWHERE;
}
