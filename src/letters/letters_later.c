#include "letters/letters_parts.h"

#include <stdlib.h>

#include "base/mem.h"
#include "play/trial.h"

/* A mail that is finished later, maybe in another thread: everything is its own. */
struct wording {
    char *head, *game, *to_name; /* NULL: none */
    struct mail_id id;
    char *to;
    int seat;
    bool reply, answers;
    int64_t now;
    struct parts parts;
    char *message_id, *references; /* of the mail it answers */
    /* What it is rendered from; facts NULL: the parts are final. */
    const char *name, *folder; /* constants */
    bool html, typed, elsewhere;
    json_t *facts;
    struct trial *trial;
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
        .id = draft->id,
        .to = mem_strdup(draft->to),
        .seat = draft->seat,
        .reply = draft->reply,
        .answers = answered != NULL,
        .now = draft->now,
        .parts = {.subject = STR_INIT, .text = STR_INIT, .html = STR_INIT},
        .message_id = answered ? copy(answered->message_id) : NULL,
        .references = answered ? copy(answered->references) : NULL,
    };
    if (parts) {
        words->parts = *parts;
        *parts = (struct parts){.subject = STR_INIT, .text = STR_INIT, .html = STR_INIT};
        return words;
    }
    words->name = draft->name;
    words->folder = draft->folder;
    words->html = draft->html;
    words->typed = draft->typed;
    words->elsewhere = draft->elsewhere;
    words->facts = json_incref(draft->facts);
    words->trial = *draft->trial;
    *draft->trial = NULL;
    return words;
}

#define RENDERED_ABOUT 2048 /* a receipt */

size_t wording_size(const struct wording *words)
{
    const struct parts *parts = &words->parts;
    return sizeof *words +
           (words->facts ? RENDERED_ABOUT : parts->subject.len + parts->text.len + parts->html.len);
}

void wording_free(struct wording *words)
{
    if (!words)
        return;
    free(words->head);
    free(words->game);
    free(words->to_name);
    free(words->to);
    free(words->message_id);
    free(words->references);
    parts_release(&words->parts);
    json_decref(words->facts);
    trial_free(words->trial);
    free(words);
}

int wording_finish(struct wording *words, const struct letters *letters, struct str *mail, struct err *err)
{
    const struct message answered = {.message_id = words->message_id, .references = words->references};
    const struct draft draft = {
        .name = words->name,
        .folder = words->folder,
        .facts = words->facts,
        .trial = &words->trial,
        .html = words->html,
        .typed = words->typed,
        .elsewhere = words->elsewhere,
        .id = words->id,
        .game = words->game,
        .seat = words->seat,
        .to = words->to,
        .to_name = words->to_name,
        .reply = words->reply,
        .now = words->now,
        .answered = words->answers ? &answered : NULL,
    };
    if (words->facts && letters_render(letters->templates, &draft, &words->parts, err))
        return -1;
    if (words->head)
        letters_sign(&words->parts.text, words->head, letters->league, letters->head);
    letters_write(&letters->league->config, &draft, &words->parts, mail);
    parts_release(&words->parts);
    return 0;
}
