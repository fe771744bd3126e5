#include "mail/message.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/reason.h"
#include "mail/bounce.h"
#include "mail/entity.h"
#include "mail/facts.h"
#include "mail/structured.h"
#include "mail/text.h"
#include "mail/words.h"

#define PART_NAME_MAX 200

const struct message_limits message_limits_default = {
    .size = 1U << 20,
    .header_bytes = 64U << 10,
    .header_count = 500,
    .parts = 64,
    .depth = 16,
    .part_bytes = 256U << 10,
};

/* What the walk collects. */
struct collector {
    struct message *msg;
    size_t cap;
    const struct message_limits *limits;
    struct message_bounce bounce;
    bool status; /* a message/delivery-status was seen, outside of forwarded mails */
    bool report; /* ... and it was in a multipart/report */
    bool text;   /* the first text that a reader sees was, and */
    bool reacts; /* it is a reaction, or a part says so */
};

void mail_begin(void)
{
    if (sodium_init() < 0)
        abort(); /* no source of randomness: nothing here can work */
}

void message_digest(unsigned char digest[MESSAGE_DIGEST], struct slice raw)
{
    (void)crypto_generichash(digest, MESSAGE_DIGEST, (const unsigned char *)raw.p, raw.len, NULL, 0);
}

static void message_init(struct message *msg)
{
    *msg = (struct message){.kind = MAIL_PERSON};
    msg->from = mem_strdup("");
    msg->from_name = mem_strdup("");
    msg->to = mem_strdup("");
    msg->written_to = mem_strdup("");
    msg->subject = mem_strdup("");
    msg->message_id = mem_strdup("");
    msg->references = mem_strdup("");
    msg->origin = mem_strdup("");
    bounce_init(&msg->bounce);
}

static void part_release(struct message_part *part)
{
    free(part->name);
    free(part->type);
    str_release(&part->exact);
    str_release(&part->shown);
    str_release(&part->flat);
}

static void release_parts(struct message *msg)
{
    for (size_t i = 0; i < msg->part_count; i++)
        part_release(&msg->parts[i]);
    free(msg->parts);
    msg->parts = NULL;
    msg->part_count = 0;
}

void message_release(struct message *msg)
{
    release_parts(msg);
    free(msg->from);
    free(msg->from_name);
    free(msg->to);
    free(msg->written_to);
    free(msg->subject);
    free(msg->message_id);
    free(msg->references);
    free(msg->origin);
    bounce_release(&msg->bounce);
    *msg = (struct message){.kind = MAIL_PERSON};
}

/* ---- parts ---- */

/* The last path component, fit for display. */
static char *safe_name(const char *name)
{
    struct str safe = STR_INIT;
    for (const char *p = name; *p; p++)
        if (*p == '/' || *p == '\\')
            name = p + 1;
    utf8_safe(&safe, slice_trim(slice_of(name)), false);
    utf8_cut(&safe, PART_NAME_MAX);
    return str_detach(&safe);
}

/* filename of Content-Disposition, else name of Content-Type, where RFC 2047 (wrong there, and common) is undone, too. */
static char *part_name(const struct entity *entity)
{
    struct str value = STR_INIT, raw = STR_INIT, name = STR_INIT;
    (void)header_value(entity->header, "Content-Disposition", &value);
    if (!structured_param(slice_str(&value), "filename", &raw))
        (void)entity_param(entity, "name", &raw);
    words_decode(&name, slice_str(&raw));
    char *safe = safe_name(name.p);
    str_release(&name);
    str_release(&raw);
    str_release(&value);
    return safe;
}

static bool param_is(const struct entity *entity, const char *name, const char *want)
{
    struct str value = STR_INIT;
    bool same = entity_param(entity, name, &value) && strcasecmp(value.p, want) == 0;
    str_release(&value);
    return same;
}

/* Fills shown and flat of a part whose exact bytes are there. */
static void show(struct message_part *part, const struct entity *entity)
{
    struct slice exact = slice_str(&part->exact);
    struct str text = STR_INIT;
    struct str charset = STR_INIT;
    bool labelled_text = str_starts(part->type, "text/");
    bool page = strcmp(part->type, "text/html") == 0 || strcmp(part->type, "application/xhtml+xml") == 0;
    bool wide = slice_starts(exact, "\xFF\xFE") || slice_starts(exact, "\xFE\xFF");
    if (!labelled_text && !page && !wide && !utf8_valid(exact))
        return; /* an attachment without a text in it */
    (void)entity_param(entity, "charset", &charset);
    text_decode(&text, exact, charset.p);
    str_release(&charset);
    if (page || (!entity->labelled && html_sniff(slice_str(&text)))) {
        html_reduce(&part->shown, slice_str(&text));
    } else if (strcmp(part->type, "text/plain") == 0 && param_is(entity, "format", "flowed")) {
        text_unflow(&part->shown, slice_str(&text), param_is(entity, "delsp", "yes"));
        if (part->shown.len != text.len || memcmp(part->shown.p, text.p, text.len) != 0)
            str_addslice(&part->flat, slice_str(&text));
    } else {
        str_addslice(&part->shown, slice_str(&text));
    }
    str_release(&text);
}

/* Pictures, sounds and films hold no signed text, and may be as large as the mail. */
static bool is_media(const char *type)
{
    return str_starts(type, "image/") || str_starts(type, "audio/") || str_starts(type, "video/") ||
           str_starts(type, "font/");
}

static void collect_bounce(struct collector *all, const struct entity *entity, struct slice decoded)
{
    if (entity->mails)
        return;
    if (strcmp(entity->type, "message/delivery-status") == 0 && !all->status) {
        all->status = true;
        all->report = entity->report;
        bounce_read_status(&all->bounce, decoded);
    } else if (strcmp(entity->type, "text/rfc822-headers") == 0) {
        bounce_read_headers(&all->bounce, decoded);
    }
}

/* A part for reactions that is no attachment, or a text that is nothing else; not within a forwarded mail.
 * developers.google.com/workspace/gmail/reactions/format */
static void collect_reaction(struct collector *all, const struct entity *entity, struct slice shown)
{
    struct str value = STR_INIT;
    if (!entity->mails && strcmp(entity->type, "text/vnd.google.email-reaction+json") == 0)
        all->reacts |= !header_value(entity->header, "Content-Disposition", &value) ||
                       !slice_casestarts(slice_str(&value), "attachment");
    else if (!all->text && slice_trim(shown).len) {
        all->text = true;
        all->reacts |= !entity->mails && facts_reacts(shown);
    }
    str_release(&value);
}

static int on_leaf(void *arg, const struct entity *entity, struct err *err)
{
    struct collector *all = arg;
    struct message *msg = all->msg;
    msg->parts = mem_grow(msg->parts, msg->part_count, &all->cap, sizeof *msg->parts);
    struct message_part *part = &msg->parts[msg->part_count++];
    *part = (struct message_part){.exact = STR_INIT, .shown = STR_INIT, .flat = STR_INIT};
    part->name = part_name(entity);
    part->type = mem_strdup(entity->type);
    entity_decode(&part->exact, entity);
    if (is_media(part->type)) {
        if (part->exact.len > all->limits->part_bytes)
            str_release(&part->exact);
        return 0;
    }
    if (part->exact.len > all->limits->part_bytes)
        return *part->name ? reason_fail(err, "named_part name=%s size=%zu most=%zu",
                                         "A part of the mail named %s holds %zu bytes; at most %zu are read.",
                                         part->name, part->exact.len, all->limits->part_bytes)
                           : reason_fail(err, "part_size size=%zu most=%zu",
                                         "A part of the mail holds %zu bytes; at most %zu are read.",
                                         part->exact.len, all->limits->part_bytes);
    show(part, entity);
    collect_reaction(all, entity, slice_str(&part->shown));
    collect_bounce(all, entity, slice_str(&part->exact));
    return 0;
}

static void on_mail(void *arg, const struct entity *around, const struct header *header)
{
    struct collector *all = arg;
    if (!around->mails)
        bounce_read_returned(&all->bounce, header);
}

/* ---- the whole mail ---- */

static int walk_parts(struct collector *all, const struct header *top, struct slice body, struct err *err)
{
    struct message *msg = all->msg;
    bounce_init(&all->bounce);
    struct walker walker = {.limits = all->limits, .leaf = on_leaf, .mail = on_mail, .arg = all};
    int result = entity_walk(&walker, top, body, err);
    if (all->status && (all->report || facts_null_return(top))) {
        struct message_bounce empty = msg->bounce;
        msg->kind = MAIL_BOUNCE;
        msg->bounce = all->bounce;
        all->bounce = empty;
    } else if (all->reacts && msg->kind != MAIL_OWN && msg->kind != MAIL_LIST && msg->kind != MAIL_AUTO) {
        msg->kind = MAIL_REACTION;
    }
    bounce_release(&all->bounce);
    if (result)
        release_parts(msg);
    return result;
}

/* A mail whose lines end with CR alone looks like one long line to everything else. */
static bool mend_line_ends(struct str *mended, struct slice raw)
{
    if (!raw.len || memchr(raw.p, '\n', raw.len) || !memchr(raw.p, '\r', raw.len))
        return false;
    str_addslice(mended, raw);
    for (size_t i = 0; i < mended->len; i++)
        if (mended->p[i] == '\r')
            mended->p[i] = '\n';
    return true;
}

static int check_limits(struct slice raw, const struct header *top, const struct message_limits *limits,
                        struct err *err)
{
    if (raw.len > limits->size)
        return reason_fail(err, "mail_size size=%zu most=%zu",
                           "The mail has %zu bytes; at most %zu are read.", raw.len, limits->size);
    if (top->over)
        return reason_fail(err, "mail_header bytes=%zu lines=%zu",
                           "The mail's header has more than %zu bytes or %zu lines.", limits->header_bytes,
                           limits->header_count);
    if (!slice_trim(raw).len)
        return reason_fail(err, "mail_empty", "The mail is empty.");
    return 0;
}

int message_parse(struct slice raw, const struct message_limits *limits,
                  const struct message_identity *identity, struct message *msg, struct err *err)
{
    struct str mended = STR_INIT;
    struct header top;
    struct collector all = {.msg = msg, .limits = limits};
    message_init(msg);
    message_digest(msg->digest, raw);
    if (raw.len <= limits->size && mend_line_ends(&mended, raw))
        raw = slice_str(&mended);
    struct slice mail = slice_sub(raw, mail_start(raw), raw.len);
    header_scan(&top, mail, limits->header_bytes, limits->header_count);
    facts_read(msg, &top, identity);
    int result = check_limits(raw, &top, limits, err);
    if (!result)
        result = walk_parts(&all, &top, slice_sub(mail, top.end, mail.len), err);
    header_release(&top);
    str_release(&mended);
    return result;
}

struct slice subject_bare(struct slice text)
{
    text = slice_trim(text);
    while (slice_casestarts(text, "re:") || slice_casestarts(text, "aw:"))
        text = slice_trim(slice_sub(text, 3, text.len));
    return text;
}

struct slice subject_words(struct slice text)
{
    size_t end;
    text = subject_bare(text);
    while (text.len && text.p[0] == '[' && (end = slice_find(text, "]")) != (size_t)-1)
        text = subject_bare(slice_sub(text, end + 1, text.len));
    while (text.len && strchr(".!?", text.p[text.len - 1]))
        text = slice_trim(slice_sub(text, 0, text.len - 1));
    return text;
}

struct slice message_first_line(const struct message *msg)
{
    struct slice line = {"", 0};
    for (size_t i = 0; i < msg->part_count; i++) {
        struct slice rest = slice_str(&msg->parts[i].shown);
        while (slice_line(&rest, &line))
            if (slice_trim(line).len)
                return slice_trim(line);
    }
    return (struct slice){"", 0};
}

void message_words(const struct message *msg, struct slice words[2])
{
    struct slice subject = slice_trim(slice_of(msg->subject));
    bool answer = subject_bare(subject).len < subject.len;
    words[answer] = subject_words(subject);
    words[!answer] = subject_words(message_first_line(msg));
}
