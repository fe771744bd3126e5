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
    struct reply_ended ended;
    *reply = (struct reply){REPLY_UNREADABLE, false, STR_INIT};
    if (reply_see(mail, reading->type, reading->encoding, &seen)) {
        bool known = reply_end(&reply->typed, &seen, nonce, &ended);
        reply->fate = known ? REPLY_TYPED : REPLY_HELD;
        reply->ours = ended.ours;
        if (seen.hidden_at != NOWHERE && seen.hidden_at < ended.at)
            reply->fate = REPLY_HIDDEN;
    }
    if (reply->fate == REPLY_HIDDEN)
        str_clear(&reply->typed);
    reply_text_release(&seen);
}

static bool same(const struct reply *one, const struct reply *other)
{
    return one->fate == other->fate && one->ours == other->ours &&
           slice_eq(slice_str(&one->typed), other->typed.p) && strlen(other->typed.p) == other->typed.len;
}

static void make_ambiguous(struct reply *reply)
{
    str_release(&reply->typed);
    reply->fate = REPLY_AMBIGUOUS;
}

/* All readings must give the same. */
static void read_all(const struct reply_mail *mail, const struct reading *readings, size_t count,
                     struct slice nonce, struct reply *reply)
{
    read_as(mail, &readings[0], nonce, reply);
    for (size_t i = 1; i < count && reply->fate != REPLY_AMBIGUOUS; i++) {
        struct reply other;
        read_as(mail, &readings[i], nonce, &other);
        if (!same(reply, &other))
            make_ambiguous(reply);
        reply_release(&other);
    }
}

/* ---- the cutter ---- */

int reply_cut(int version, const struct reply_mail *mail, struct slice nonce, struct reply *reply,
              struct err *err)
{
    struct reading readings[READINGS];
    *reply = (struct reply){REPLY_AMBIGUOUS, false, STR_INIT};
    if (version != REPLY_VERSION)
        return err_set(err, ERR_NEWER, "A reply was cut by version %d, which this Turnpost does not know.",
                       version);
    size_t count = mail->doubled ? 0 : reply_guess(mail, readings);
    if (count)
        read_all(mail, readings, count, nonce, reply);
    bool typed = reply->fate == REPLY_TYPED || reply->fate == REPLY_HELD;
    if (typed && !mail->type_signed && reply_has_tags(slice_str(&reply->typed)))
        make_ambiguous(reply);
    return 0;
}

void reply_release(struct reply *reply)
{
    str_release(&reply->typed);
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
