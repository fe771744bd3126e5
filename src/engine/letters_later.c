#include "engine/letters_parts.h"

#include <stdlib.h>

#include "base/mem.h"

/* A mail that is finished later, maybe in another thread: everything is its own. */
struct wording {
    char *head, *game, *to_name; /* NULL: none */
    char *id, *to;
    int seat;
    bool reply, answers;
    int64_t now;
    struct str subject, text, html;
    char *message_id, *references; /* of the mail it answers */
};

static char *copy(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

struct wording *wording_new(const struct draft *draft, struct parts *parts)
{
    const struct message *answered = draft->answered;
    struct wording *words = mem_alloc(sizeof *words);
    *words = (struct wording){
        .head = copy(draft->head),
        .game = copy(draft->game),
        .to_name = copy(draft->to_name),
        .id = mem_strdup(draft->id),
        .to = mem_strdup(draft->to),
        .seat = draft->seat,
        .reply = draft->reply,
        .answers = answered != NULL,
        .now = draft->now,
        .subject = parts->subject,
        .text = parts->text,
        .html = parts->html,
        .message_id = answered ? copy(answered->message_id) : NULL,
        .references = answered ? copy(answered->references) : NULL,
    };
    str_init(&parts->subject);
    str_init(&parts->text);
    str_init(&parts->html);
    return words;
}

size_t wording_size(const struct wording *words)
{
    return sizeof *words + words->subject.len + words->text.len + words->html.len;
}

void wording_free(struct wording *words)
{
    if (!words)
        return;
    free(words->head);
    free(words->game);
    free(words->to_name);
    free(words->id);
    free(words->to);
    free(words->message_id);
    free(words->references);
    str_release(&words->subject);
    str_release(&words->text);
    str_release(&words->html);
    free(words);
}

void wording_finish(struct wording *words, const struct league *league, struct signed_head *head,
                    struct str *mail)
{
    const struct message answered = {.message_id = words->message_id, .references = words->references};
    const struct draft draft = {
        .id = words->id,
        .game = words->game,
        .seat = words->seat,
        .to = words->to,
        .to_name = words->to_name,
        .reply = words->reply,
        .now = words->now,
        .answered = words->answers ? &answered : NULL,
    };
    if (words->head)
        letters_sign(&words->text, words->head, league, head);
    const struct parts parts = {.subject = words->subject, .text = words->text, .html = words->html};
    letters_write(&league->config, &draft, &parts, mail);
}
