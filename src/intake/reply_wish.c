/* What a player without a key asks for in a mail of its own: "join gc-17". Such a mail shows little of what it was
 * written for, so a question goes back, and the "ok" that answers it does what was asked for. */
#include "intake/reply_parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "petitions/reply_petition.h"

/* "join gc-17" */
static const char *read_wish(struct slice words, char game[GAME_NAME])
{
    struct slice verb, name;
    const char *found = NULL;
    if (!slice_word(&words, &verb) || !slice_word(&words, &name) || name.len >= GAME_NAME ||
        slice_trim(words).len)
        return NULL;
    for (int i = 0; !found && reply_wishes[i]; i++)
        found = slice_caseeq(verb, reply_wishes[i]) ? reply_wishes[i] : NULL;
    for (size_t i = 0; i < name.len; i++)
        game[i] = (char)(name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] - 'A' + 'a' : name.p[i]);
    game[name.len] = '\0';
    return found;
}

int reply_ask_wish(struct visit *visit, const struct game *game, const char *verb, struct err *err)
{
    struct reply_place place;
    char word[REPLY_OK_LETTERS + 1];
    struct str what = STR_INIT;
    (void)reply_place_wish(&place, game, visit->sender->name, verb);
    reply_ok_word(word, visit->batch->league->master, &place);
    json_t *facts = json_pack("{s:s,s:s,s:b}", "game", game->id, "title", game->ruleset->title, verb, 1);
    if (reply_wish_binds(verb))
        json_object_set_new(facts, "ok_word", json_pack("{s:s}", "word", word));
    json_object_update_new(facts, reply_wish_choice(verb, game));
    const struct answer_game about = {game, 0, slice_of(verb)};
    str_addf(&what, "%s %s of %s", verb, game->id, visit->sender->name);
    int rc = reply_answer(
        visit, what.p, &(struct words){.kind = "reply_wish", .folder = "", .facts = facts, .about = &about},
        err);
    str_release(&what);
    return rc;
}

int visit_wish(struct visit *visit, bool *found, struct err *err)
{
    char id[GAME_NAME];
    struct batch_game *entry;
    struct reply_place place;
    struct err why = ERR_INIT;
    *found = false;
    if (!reply_may_speak(visit))
        return 0;
    const char *verb = read_wish(subject_words(slice_of(visit->msg->subject)), id);
    if (!verb)
        verb = read_wish(message_first_line(visit->msg), id);
    *found = verb && batch_game(visit->batch, id, &entry, &why) == 0 &&
             reply_place_wish(&place, &entry->game, visit->sender->name, verb);
    if (!*found)
        return 0;
    if (reply_claim(visit, err))
        return -1;
    visit->taken = true;
    return reply_ask_wish(visit, &entry->game, verb, err);
}

int reply_find_wish(struct answering *a, struct slice token, bool *found, struct err *err)
{
    struct batch *batch = a->visit->batch;
    char id[GAME_NAME];
    struct batch_game *entry;
    struct err why = ERR_INIT;
    (void)err;
    *found = false;
    if (!reply_subject_game(a->visit, id) || batch_game(batch, id, &entry, &why))
        return 0;
    for (int i = 0; !*found && reply_wishes[i]; i++) {
        *found = reply_place_wish(&a->place, &entry->game, a->visit->sender->name, reply_wishes[i]) &&
                 reply_token_is(token, batch->league->master, REPLY_WORD_TOKEN, &a->place);
        a->wish = *found ? reply_wishes[i] : NULL;
    }
    if (*found)
        a->entry = entry;
    return 0;
}

bool reply_ok_is(const struct answering *a, const struct reply_place *place)
{
    char word[REPLY_OK_LETTERS + 1];
    struct slice typed = {"", 0};
    reply_ok_word(word, a->visit->batch->league->master, place);
    for (size_t i = 0; i < a->typed.count; i++)
        if (a->typed.lines[i].is == TYPED_IS_OK)
            typed = a->typed.lines[i].text;
    return typed.len == REPLY_OK_LETTERS && strncasecmp(typed.p, word, REPLY_OK_LETTERS) == 0;
}

int reply_act_wish(struct answering *a, struct err *err)
{
    struct visit *visit = a->visit;
    struct str text = STR_INIT;
    bool agreed = a->bound && a->typed.kind == TYPED_COMMAND && a->typed.command == TYPED_IS_OK &&
                  (a->reply.fate == REPLY_TYPED || a->reply.fate == REPLY_HELD);
    if (!agreed || (reply_wish_binds(a->wish) && !reply_ok_is(a, &a->place)))
        return reply_ask_wish(visit, &a->entry->game, a->wish, err);
    const struct reply_about about = {visit->batch->league, &visit->reading->domain->proof, &a->entry->game};
    const struct reply_wish wish = {a->wish, visit->sender->name, typed_wish(&a->typed)};
    reply_wish(&text, &wish, &about);
    int rc = visit_hear_text(visit, slice_str(&text), reply_wish_binds(a->wish), err);
    str_release(&text);
    return rc;
}
