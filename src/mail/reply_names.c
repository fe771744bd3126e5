/* Which mail of ours an answer is about (reply.h): by the words that our Subject and our first line hold. */
#include <string.h>

#include "mail/header.h"
#include "mail/message.h"
#include "mail/reply_parts.h"
#include "mail/words.h"

/* Letters, digits and what else names of games hold. */
static bool in_word(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' || c == '_';
}

static bool has_word(struct slice text, struct slice word)
{
    for (size_t from = 0; word.len && from + word.len <= text.len;) {
        const char *found = memmem(text.p + from, text.len - from, word.p, word.len);
        if (!found)
            return false;
        size_t at = (size_t)(found - text.p), end = at + word.len;
        if ((!at || !in_word(text.p[at - 1])) && (end == text.len || !in_word(text.p[end])))
            return true;
        from = at + 1;
    }
    return false;
}

static bool has_both(struct slice text, struct slice game, struct slice head)
{
    return has_word(text, game) && has_word(text, head);
}

static void read_subject(struct str *out, struct slice raw)
{
    struct header header;
    struct str value = STR_INIT;
    header_scan(&header, slice_sub(raw, mail_start(raw), raw.len), message_limits_default.header_bytes,
                message_limits_default.header_count);
    if (header_value(&header, "Subject", &value))
        words_decode(out, slice_str(&value));
    header_release(&header);
    str_release(&value);
}

bool reply_names(struct slice raw, const struct reply_mail *mail, struct slice game, struct slice head)
{
    struct reading readings[READINGS];
    struct str subject = STR_INIT;
    size_t count = mail->doubled ? 0 : reply_guess(mail, readings);
    read_subject(&subject, raw);
    bool names = has_both(slice_str(&subject), game, head);
    for (size_t i = 0; i < count && !names; i++) {
        struct reply_text seen;
        names = reply_see(mail, readings[i].type, readings[i].encoding, &seen) &&
                has_both(slice_str(&seen.text), game, head);
        reply_text_release(&seen);
    }
    str_release(&subject);
    return names;
}
