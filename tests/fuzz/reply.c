/* Fuzz target: a reply is cut, under signed fields and under unsigned ones, and what was typed is read.
 *
 * What must hold of any bytes: unsigned fields change nothing; what is below our boundary changes nothing; no
 * boundary is in what was typed; one line that is none of ours stores nothing. In the frame of each mail program, what was
 * typed is exactly what is cut out, whatever press is quoted and wherever its lines are folded.
 *
 *     turnpost-fuzz-reply -dict=tests/fuzz/reply.dict CORPUS tests/fuzz/seeds/reply
 */
#include <string.h>

#include "base/utf8.h"
#include "mail/message.h"
#include "mail/reply.h"
#include "mail/frames.h"
#include "need.h"
#include "orders/mock.h"
#include "orders/typed.h"

#define NONCE    FRAME_NONCE
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
    need(one.fate == other.fate && one.ours == other.ours && one.typed.len == other.typed.len);
    need(memcmp(one.typed.p, other.typed.p, one.typed.len) == 0);
    reply_release(&one);
    reply_release(&other);
}

static void need_good(const struct reply *reply)
{
    struct slice nonce, line, rest = slice_str(&reply->typed);
    need(reply->fate == REPLY_TYPED || reply->fate == REPLY_HELD || reply->typed.len + reply->below.len == 0);
    need(reply->lead <= reply->lead_end && reply->lead_end <= reply->under &&
         reply->under <= reply->typed.len);
    need((reply->fate == REPLY_TYPED) <= reply->ours);
    need(reply_boundary_find(rest, &nonce) == (size_t)-1);
    while (slice_line(&rest, &line))
        need(slice_trim(line).len == line.len && line.len < reply->typed.len);
}

/* ---- what was typed ---- */

static void need_part(struct slice part, const struct typed_line *line, const struct str *whole)
{
    bool own =
        line->mended && part.p >= line->mended && part.p + part.len <= line->mended + strlen(line->mended);
    need(!part.len || own || (part.p >= whole->p && part.p + part.len <= whole->p + whole->len));
}

static const char *const suggestions[] = {"explore near", "build", NULL};
static const char *const names[] = {"anna", NULL};
static const struct typed_game games[] = {{"gc-1", &command_language, suggestions, NULL, NULL},
                                          {"gs-2", &supremacy_language, suggestions + 2, NULL, NULL}};

static enum typed_kind read_typed(struct slice text)
{
    const struct typed_by by = {games, 1 + text.len % 2, names};
    struct typed typed;
    size_t orders = 0, doubts = 0;
    typed_read(text, &by, &typed);
    for (size_t i = 0; i < typed.count; i++) {
        const struct typed_line *line = &typed.lines[i];
        bool order = line->is == TYPED_IS_ORDER || line->is == TYPED_IS_EDITED || line->is == TYPED_IS_PICK;
        orders += order && !line->asks;
        doubts += typed_talks(line) && line->doubt != DOUBT_NONE;
        need(line->is != TYPED_IS_UNREAD || line->doubt != DOUBT_NONE);
        need(!typed_talks(line) || utf8_valid(line->line));
        need_part(line->text, line, &typed.text);
        need_part(line->name, line, &typed.text);
    }
    need(orders == typed.orders);
    need(!doubts || typed.kind == TYPED_UNSURE);
    need(!orders || typed.kind == TYPED_CLEAR || typed.kind == TYPED_UNSURE);
    enum typed_kind kind = typed.kind;
    typed_release(&typed);
    return kind;
}

/* All that a text means, as lines that are read again; *kind: how. */
static void understand(struct str *out, struct slice text, enum typed_kind *kind)
{
    struct typed typed;
    typed_read(text, &(struct typed_by){games, 1, names}, &typed);
    typed_understood(out, &typed, &games[0]);
    str_addf(out, "%d %zu %zu %d\n", (int)typed.command, typed.orders, typed.press, typed.final);
    *kind = typed.kind;
    typed_release(&typed);
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

/* ---- frames ---- */

/* Words that are in no head and no quote: most bytes are letters. */
static struct slice words_of(struct str *out, struct slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char byte = (unsigned char)bytes.p[i] % 32;
        char last = out->len ? out->p[out->len - 1] : '\n';
        if (byte < 26)
            str_addc(out, (char)('a' + byte));
        else if (last != ' ' && last != '\n')
            str_addc(out, byte < 29 ? ' ' : '\n');
        else if (last == '\n' && byte == 31 && out->len > 1 && out->p[out->len - 2] != '\n')
            str_addc(out, '\n');
    }
    str_trim(out);
    if (out->len)
        str_addc(out, '\n');
    return slice_str(out);
}

static struct slice press_of(struct str *out, struct slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        str_addc(out, strchr("\r", bytes.p[i]) ? '?' : bytes.p[i]); /* also for NUL */
    return slice_str(out);
}

/* Of the bytes after the first three: a quarter above, a quarter below, and the rest is press. */
static void try_frame(struct slice bytes)
{
    struct str above = STR_INIT, below = STR_INIT, press = STR_INIT;
    struct framed framed;
    struct slice nonce;
    if (bytes.len < 4)
        return;
    const unsigned char *set = (const unsigned char *)bytes.p;
    const struct frame_program *program = &frame_programs[set[0] % FRAME_PROGRAMS];
    size_t part = (bytes.len - 3) / 4;
    const struct frame_answer answer = {words_of(&above, slice_sub(bytes, 3, part)),
                                        words_of(&below, slice_sub(bytes, 3 + part, part)),
                                        press_of(&press, slice_sub(bytes, 3 + 2 * part, bytes.len)),
                                        set[1] & 1 ? 24 + (size_t)set[1] / 2 : 0, set[2] & 1};
    frame_write(&framed, program, &answer);
    const struct reply_mail mail = {.type = slice_of(program->type),
                                    .type_signed = true,
                                    .encoding_signed = true,
                                    .body = slice_str(&framed.body)};
    struct reply reply = cut(&mail);
    bool told = answer.trimmed && reply_boundary_find(answer.press, &nonce) != (size_t)-1; /* by the player */
    if (framed.body.len < message_limits_default.part_bytes && !told) {
        need(reply.fate == REPLY_TYPED);
        need(strcmp(reply.typed.p, framed.typed.p) == 0);
        need(framed.any_below || strcmp(reply.below.p, framed.below.p) == 0);
    }
    reply_release(&reply);
    frame_release(&framed);
    str_release(&above);
    str_release(&below);
    str_release(&press);
}

/* Unread matter changes nothing of what the lines below it mean. */
static void try_typed(struct slice text)
{
    struct str with = STR_INIT, one = STR_INIT, other = STR_INIT;
    enum typed_kind alone, beside;
    (void)read_typed(text);
    str_adds(&with, "Dear league, here is what I would like to do\n\n");
    str_addslice(&with, text);
    understand(&one, text, &alone);
    understand(&other, slice_str(&with), &beside);
    size_t lines = 0;
    struct slice rest = text, line;
    while (slice_line(&rest, &line))
        lines++;
    need(lines + 2 > TYPED_LINES || (alone == beside && slice_eq(slice_str(&one), other.p)));
    str_release(&with);
    str_release(&one);
    str_release(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice raw = {(const char *)data, size};
    try_mail(raw);
    try_text(raw);
    try_frame(raw);
    try_typed(raw);
    return 0;
}
