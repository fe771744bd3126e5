#include "mail/reply.h"

#include <string.h>

#include "mail/header.h"
#include "mail/message.h"
#include "mail/reply_parts.h"

/* ---- the mail ---- */

void reply_fields(struct slice raw, struct reply_mail *mail)
{
    struct header header;
    size_t type = 0, encoding = 0;
    struct slice all = slice_sub(raw, mail_start(raw), raw.len);
    *mail = (struct reply_mail){.body = {"", 0}};
    header_scan(&header, all, message_limits_default.header_bytes, message_limits_default.header_count);
    const struct field *one = header_next(&header, "Content-Type", &type);
    const struct field *other = header_next(&header, "Content-Transfer-Encoding", &encoding);
    if (one)
        mail->type = one->value;
    if (other)
        mail->encoding = other->value;
    mail->doubled = header_next(&header, "Content-Type", &type) ||
                    header_next(&header, "Content-Transfer-Encoding", &encoding);
    if (!header.over)
        mail->body = slice_sub(all, header.end, all.len);
    header_release(&header);
}

/* ---- one reading ---- */

static void read_as(const struct reply_mail *mail, const struct reading *reading, struct slice nonce,
                    struct reply *reply)
{
    struct reply_text seen;
    *reply = (struct reply){REPLY_UNREADABLE, .typed = STR_INIT, .below = STR_INIT, .doubt = STR_INIT};
    if (reply_see(mail, reading->type, reading->encoding, &seen))
        reply_end(reply, &seen, nonce);
    reply_text_release(&seen);
}

/* Without what was typed, which nobody is to take for it. */
static void refuse(struct reply *reply, enum reply_fate fate)
{
    str_clear(&reply->typed);
    str_clear(&reply->below);
    reply->lead = reply->lead_end = reply->under = 0;
    reply->ours = false;
    reply->fate = fate;
}

static bool slice_same(struct slice one, struct slice other)
{
    return one.len == other.len && memcmp(one.p, other.p, one.len) == 0;
}

/* The first line in which the two differ, as the first has it; empty when they do not. */
static struct slice differs(const struct str *one, const struct str *other)
{
    struct slice its = slice_str(one), others = slice_str(other), line, match;
    bool more, both;
    do {
        line = match = (struct slice){"", 0};
        more = slice_line(&its, &line);
        both = slice_line(&others, &match) && more;
    } while (both && slice_same(line, match));
    return more ? line : match;
}

static bool same(const struct reply *one, const struct reply *other)
{
    return one->fate == other->fate && one->ours == other->ours &&
           slice_same(slice_str(&one->typed), slice_str(&other->typed));
}

/* All readings must give the same, but for what is below the quote, which is only asked about. */
static void read_all(const struct reply_mail *mail, const struct reading *readings, size_t count,
                     struct slice nonce, struct reply *reply)
{
    read_as(mail, &readings[0], nonce, reply);
    for (size_t i = 1; i < count && reply->fate != REPLY_AMBIGUOUS; i++) {
        struct reply other;
        read_as(mail, &readings[i], nonce, &other);
        if (!same(reply, &other)) {
            str_clear(&reply->doubt);
            str_addslice(&reply->doubt, differs(&reply->typed, &other.typed));
            refuse(reply, REPLY_AMBIGUOUS);
        } else if (!reply->below.len) {
            str_addslice(&reply->below, slice_str(&other.below));
        }
        reply_release(&other);
    }
}

/* As a page, a text with a tag in it would be another one. */
static void doubt_tags(struct reply *reply)
{
    struct slice rest = slice_str(&reply->typed), line;
    while (slice_line(&rest, &line))
        if (reply_has_tag(line)) {
            str_addslice(&reply->doubt, line);
            refuse(reply, REPLY_AMBIGUOUS);
            return;
        }
}

/* ---- the cutter ---- */

int reply_cut(int version, const struct reply_mail *mail, struct slice nonce, struct reply *reply,
              struct err *err)
{
    struct reading readings[READINGS];
    *reply = (struct reply){REPLY_AMBIGUOUS, .typed = STR_INIT, .below = STR_INIT, .doubt = STR_INIT};
    if (version != REPLY_VERSION)
        return err_set(err, ERR_NEWER, "A reply was cut by version %d, which this Turnpost does not know.",
                       version);
    size_t count = mail->doubled ? 0 : reply_guess(mail, readings);
    if (count)
        read_all(mail, readings, count, nonce, reply);
    if (reply->fate == REPLY_HIDDEN)
        refuse(reply, REPLY_HIDDEN);
    if (!mail->type_signed)
        doubt_tags(reply);
    return 0;
}

void reply_release(struct reply *reply)
{
    str_release(&reply->typed);
    str_release(&reply->below);
    str_release(&reply->doubt);
}

void reply_whole(struct reply_whole *whole, const struct reply_mail *mail)
{
    struct reading readings[READINGS];
    size_t count = mail->doubled ? 0 : reply_guess(mail, readings);
    *whole = (struct reply_whole){.count = 0};
    for (size_t i = 0; i < count; i++) {
        struct reply_text seen;
        (void)reply_see(mail, readings[i].type, readings[i].encoding, &seen);
        str_init(&whole->text[whole->count]);
        str_addslice(&whole->text[whole->count++], slice_str(&seen.text));
        reply_text_release(&seen);
    }
}

bool reply_whole_holds(const struct reply_whole *whole, const char *words)
{
    bool holds = whole->count > 0;
    for (size_t i = 0; i < whole->count && holds; i++)
        holds = slice_find(slice_str(&whole->text[i]), words) != NOWHERE;
    return holds;
}

void reply_whole_release(struct reply_whole *whole)
{
    for (size_t i = 0; i < whole->count; i++)
        str_release(&whole->text[i]);
    whole->count = 0;
}
