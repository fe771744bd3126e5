/* Fuzz target: a mail from anybody. Beyond not crashing, what message.h promises about the result is checked,
 * and a reply made from it must be a mail of ours again.
 *
 * clang -fsanitize=fuzzer,address,undefined ... tests/fuzz/message.c; run with -dict=tests/fuzz/message.dict
 * on a copy of tests/fuzz/seeds/message. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "mail/compose.h"
#include "mail/message.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const own[] = {"league@example.org", "bounces@example.org"};
static const char loop[] = "league.example.org";

#define need(promise)                                                             \
    do {                                                                          \
        if (!(promise)) {                                                         \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise); \
            abort();                                                              \
        }                                                                         \
    } while (0)

static void need_text(const char *text, size_t max)
{
    struct str safe = STR_INIT;
    need(text != NULL && strlen(text) <= max);
    utf8_safe(&safe, slice_of(text), false);
    need(strcmp(safe.p, text) == 0);
    str_release(&safe);
}

static void check_part(const struct message_part *part, const struct message_limits *limits)
{
    need_text(part->name, 200);
    need_text(part->type, 200);
    need(part->exact.len <= limits->part_bytes);
    need(utf8_valid(slice_str(&part->shown)));
    need(utf8_valid(slice_str(&part->flat)));
    need(part->flat.len == 0 || strcmp(part->type, "text/plain") == 0);
}

static void check_bounce(const struct message *msg)
{
    need_text(msg->bounce.message_id, 250);
    need_text(msg->bounce.recipient, 254);
    need_text(msg->bounce.status, 9);
    need_text(msg->bounce.diagnostic, 200);
    need(msg->kind == MAIL_BOUNCE || (!*msg->bounce.status && !*msg->bounce.recipient &&
                                      !*msg->bounce.message_id && !msg->bounce.under_way));
    need(!msg->bounce.permanent || !msg->bounce.under_way);
}

static void check_reply(const struct message *msg)
{
    struct letter letter = {
        .from = own[0], .to = *msg->from ? msg->from : "a@example.net", .to_name = msg->from_name};
    letter.subject = msg->subject;
    letter.message_id = "mail.0123.1@example.org";
    letter.in_reply_to = msg->message_id;
    letter.references = msg->references;
    letter.loop = loop;
    letter.text = msg->part_count ? msg->parts[0].shown.p : "x";
    struct str out = STR_INIT;
    struct message back;
    struct err err = ERR_INIT;
    compose(&out, &letter);
    if (message_parse(slice_str(&out), &message_limits_default, &(struct message_identity){own, 2, loop, 0},
                      &back, &err) == 0) {
        need(back.kind == MAIL_OWN);
        need(back.part_count == 1);
        need(strcmp(back.subject, msg->subject) == 0);
        need(strcmp(back.message_id, letter.message_id) == 0);
    }
    message_release(&back);
    str_release(&out);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    mail_begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct message_limits limits = message_limits_default;
    struct message msg;
    struct err err = ERR_INIT;
    limits.depth = 6;
    limits.parts = 20;
    int result = message_parse((struct slice){(const char *)data, size}, &limits,
                               &(struct message_identity){own, 2, loop, 0}, &msg, &err);
    need(result == 0 ? err.code == ERR_NONE : err.code == ERR_INPUT && msg.part_count == 0);
    need(msg.part_count <= limits.parts);
    need_text(msg.from, 254);
    need_text(msg.from_name, 120);
    need_text(msg.to, 254);
    need_text(msg.subject, 250);
    need_text(msg.message_id, 250);
    need_text(msg.references, 21 * 253);
    for (size_t i = 0; i < msg.part_count; i++)
        check_part(&msg.parts[i], &limits);
    check_bounce(&msg);
    check_reply(&msg);
    message_release(&msg);
    return 0;
}
