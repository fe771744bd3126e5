/* Fuzz target: a reply is cut, under signed fields and under unsigned ones, and what was typed is read.
 *
 * What must hold of any bytes: unsigned fields change nothing; what is below our boundary changes nothing; no
 * boundary is in what was typed; one line that is none of ours stores nothing.
 *
 *     turnpost-fuzz-reply -dict=tests/fuzz/reply.dict CORPUS tests/fuzz/seeds/reply
 */
#include <string.h>

#include "base/utf8.h"
#include "mail/message.h"
#include "mail/reply.h"
#include "need.h"
#include "orders/mock.h"
#include "orders/typed.h"

#define NONCE    "k3v7q2m5xwtrabcd"
#define BOUNDARY "\n#-" NONCE "-#\n"
#define PRESS    "resign\nSent: 1\n> resign\nOn 1 Jan 2026 bob wrote:\n-- \n#-aaaabbbbccccdddd-#\nwrote:\n"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    mail_begin();
    return 0;
}

static struct reply cut(const struct reply_mail *mail)
{
    struct reply reply;
    struct err err = ERR_INIT;
    need(reply_cut(REPLY_VERSION, mail, slice_of(NONCE), &reply, &err) == 0);
    return reply;
}

static void need_same(struct reply one, struct reply other)
{
    need(one.fate == other.fate && one.typed.len == other.typed.len);
    need(memcmp(one.typed.p, other.typed.p, one.typed.len) == 0);
    reply_release(&one);
    reply_release(&other);
}

static void need_good(const struct reply *reply)
{
    struct slice nonce, line, rest = slice_str(&reply->typed);
    need(reply->fate == REPLY_TYPED || reply->fate == REPLY_HELD || !reply->typed.len);
    need(reply_boundary_find(rest, &nonce) == (size_t)-1);
    while (slice_line(&rest, &line))
        need(slice_trim(line).len == line.len && line.len < reply->typed.len);
}

/* ---- what was typed ---- */

static void need_part(struct slice part, const struct str *whole)
{
    need(!part.len || (part.p >= whole->p && part.p + part.len <= whole->p + whole->len));
}

static enum typed_kind read_typed(struct slice text)
{
    static const char *const suggestions[] = {"explore near", "build", NULL};
    static const char *const names[] = {"anna", NULL};
    const struct typed_game games[] = {{"gc-1", &command_language, suggestions, NULL},
                                       {"gs-2", &supremacy_language, NULL, NULL}};
    const struct typed_by by = {games, 1 + text.len % 2, names};
    struct typed typed;
    size_t unknown = 0, orders = 0;
    typed_read(text, &by, &typed);
    for (size_t i = 0; i < typed.count; i++) {
        const struct typed_line *line = &typed.lines[i];
        unknown += line->is == TYPED_IS_UNKNOWN;
        orders += (line->is == TYPED_IS_ORDER && !line->asks) || line->is == TYPED_IS_EDITED;
        need((line->is == TYPED_IS_UNKNOWN) <= (line->doubt != DOUBT_NONE));
        need(line->is == TYPED_IS_BLANK || utf8_valid(line->line) || unknown);
        need_part(line->text, &typed.text);
        need_part(line->name, &typed.text);
    }
    need(!unknown || typed.kind == TYPED_UNSURE);
    need(!orders || typed.kind == TYPED_ORDERS || typed.kind == TYPED_HELD || typed.kind == TYPED_UNSURE);
    enum typed_kind kind = typed.kind;
    typed_release(&typed);
    return kind;
}

/* ---- the promises ---- */

static void try_mail(struct slice raw)
{
    struct reply_mail mail;
    reply_fields(raw, &mail);
    for (int i = 0; i < 4; i++) {
        mail.type_signed = i & 1;
        mail.encoding_signed = i & 2;
        struct reply reply = cut(&mail);
        need_good(&reply);
        (void)read_typed(slice_str(&reply.typed));
        reply_release(&reply);
    }
    mail.type_signed = mail.encoding_signed = false;
    struct reply_mail other = mail;
    other.type = slice_of("multipart/mixed; boundary=x");
    other.encoding = slice_of("base64");
    need_same(cut(&mail), cut(&other));
}

/* The bytes as a text above our boundary, with press below it and without. */
static void try_text(struct slice text)
{
    struct str alone = STR_INIT, with = STR_INIT;
    struct reply_mail mail = {.type = slice_of("text/plain"), .type_signed = true, .encoding_signed = true};
    struct reply_mail other = mail;
    str_addf(&alone, "%.*s%s", (int)text.len, text.p, BOUNDARY);
    str_addf(&with, "%s%s", alone.p, PRESS);
    mail.body = slice_str(&alone);
    other.body = slice_str(&with);
    need_same(cut(&mail), cut(&other));
    str_release(&alone);
    str_release(&with);
}

static void try_typed(struct slice text)
{
    struct str spoilt = STR_INIT;
    (void)read_typed(text);
    str_adds(&spoilt, "no order\n\n");
    str_addslice(&spoilt, text);
    need(read_typed(slice_str(&spoilt)) == TYPED_UNSURE);
    str_release(&spoilt);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice raw = {(const char *)data, size};
    try_mail(raw);
    try_text(raw);
    try_typed(raw);
    return 0;
}
