/* What a player without a key asks for in a mail of its own that is about no seat: "open galaxy-command", "mute bob", and lines below
 * (petitions/reply_own.h). What cannot be mistaken is done; else a question goes back, and what was asked for waits in the catalog. */
#include "intake/reply_parts.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/reason.h"
#include "petitions/reply_own.h"
#include "petitions/requests.h"

#define HELD_NAME (GAME_NAME + 1)

enum { OWN_WAITS = 1, OWN_DONE = 2 }; /* what is held, by its number */

/* Where it waits: no game has that name. */
static void held_name(char name[HELD_NAME], const char *word)
{
    (void)snprintf(name, HELD_NAME, "=%s", word);
}

static int hold(const struct visit *visit, const char *word, int seq, const char *lines, struct err *err)
{
    char name[HELD_NAME];
    held_name(name, word);
    const struct catalog_held held = {
        .player = visit->sender->name, .game = name, .seq = seq, .lines = lines, .time = visit->batch->now};
    return catalog_hold(visit->batch->catalog, &held, err);
}

/* Its "ok" is bound to all that the question shows. False: its game cannot be read. */
static bool place_of(struct reply_place *place, unsigned char digest[HEAD_BYTES], struct visit *visit,
                     const struct own_wish *wish, struct slice held)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    crypto_generichash(digest, HEAD_BYTES, (const unsigned char *)held.p, held.len, NULL, 0);
    *place = (struct reply_place){
        .game = wish->word, .head = digest, .player = visit->sender->name, .seq = 1, .also = held};
    if (!wish->recorded)
        return true;
    if (batch_game(visit->batch, wish->game, &entry, &why))
        return false;
    place->head = entry->game.journal.create_head;
    return true;
}

static int ask(struct visit *visit, const struct own_wish *wish, struct slice held, bool declined,
               struct err *err)
{
    struct reply_place place;
    unsigned char digest[HEAD_BYTES];
    if (!place_of(&place, digest, visit, wish, held))
        return reply_not_done(visit, wish->petition->verb, reason_make("no_such_game game=%s", wish->game),
                              err);
    const struct answer_game about = {.held = held, .place = &place};
    json_t *lines = reply_own_lines(held);
    json_t *facts = json_pack("{s:s,s:b,s:b,s:s}", "game", wish->game, "declined", declined, "about_own", 1,
                              "player", visit->sender->name);
    bool dropped = slice_find(held, "\nsecond: no\n") != (size_t)-1;
    json_object_set_new(facts, "dropped", json_boolean(dropped));
    if (json_array_size(lines) && !dropped)
        json_object_set_new(facts, "written", json_pack("{s:O}", "lines", lines));
    json_decref(lines);
    return reply_ask_wish(visit, &place, &about,
                          &(struct asked_wish){wish->word, wish->manner == OWN_BOUND, facts}, err);
}

/* The text that was asked for, as theirs. */
static int act(struct visit *visit, const struct own_wish *wish, struct slice held, bool agreed,
               struct err *err)
{
    struct batch_game *entry = NULL;
    struct err why = ERR_INIT;
    struct str text = STR_INIT;
    bool named = *wish->game && strcmp(wish->game, "any") != 0;
    if (named && batch_game(visit->batch, wish->game, &entry, &why)) {
        if (why.code == ERR_MISSING)
            return reply_not_done(visit, wish->petition->verb,
                                  reason_make("no_such_game game=%s", wish->game), err);
        reply_keep(visit);
        return 0;
    }
    const struct reply_about about = {visit->batch->league, &visit->reading->domain->proof,
                                      entry ? &entry->game : NULL};
    reply_own_text(&text, held, wish, &about);
    int rc = visit_hear_text(visit, slice_str(&text), agreed, err);
    str_release(&text);
    return rc;
}

/* What was typed below the first line, or below a subject that says it. */
static int read_below(const struct visit *visit, struct slice line, struct str *below, struct err *err)
{
    struct reply reply;
    struct slice rest, first;
    int rc = reply_cut(REPLY_VERSION, &visit->reading->domain->body, (struct slice){"", 0}, &reply, err);
    rest = slice_str(&reply.typed);
    while (rc == 0 && slice_line(&rest, &first)) {
        const struct slice words = subject_words(first);
        if (words.len != line.len || strncasecmp(words.p, line.p, line.len) != 0)
            str_addf(below, "%.*s\n", (int)first.len, first.p);
    }
    reply_release(&reply);
    return rc;
}

/* Why there is no use in asking whether it is meant; NULL: there is. New reference. */
static json_t *refusal_of(struct visit *visit, const struct own_wish *wish)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    const bool again = strcmp(wish->word, "rematch") == 0;
    if (strcmp(wish->word, "appeal") == 0 && !*visit->batch->league->config.league.moderators)
        return reason_make("no_moderators contact=%s", visit->batch->league->config.league.contact);
    if ((again || strcmp(wish->word, "open") == 0) && !visit->batch->league->config.league.player_games)
        return reason_make("open_operator");
    if (again && batch_game(visit->batch, wish->game, &entry, &why) == 0 && !entry->game.over)
        return reason_make("rematch_running game=%s", wish->game);
    return NULL;
}

/* The games that these lines name after "rematch", each once, up to two of them. */
static int rematches(const struct visit *visit, struct slice lines, char names[2][GAME_NAME], int count)
{
    struct slice line, word;
    while (slice_line(&lines, &line)) {
        if (!slice_word(&line, &word) || !slice_caseeq(word, "rematch"))
            continue;
        while (count < 2 && slice_word(&line, &word)) {
            char name[GAME_NAME];
            struct batch_game *entry;
            struct err why = ERR_INIT;
            if (!reply_wish_name(name, word) || !name_valid(slice_of(name)) ||
                (count && strcmp(names[0], name) == 0) || batch_game(visit->batch, name, &entry, &why))
                continue;
            memcpy(names[count++], name, GAME_NAME);
        }
    }
    return count;
}

bool reply_own_several(const struct visit *visit, struct slice line)
{
    char names[2][GAME_NAME];
    return rematches(visit, line, names, 0) == 2;
}

int reply_own(struct visit *visit, struct slice line, bool *found, struct err *err)
{
    struct own_wish wish;
    struct str held = STR_INIT, below = STR_INIT;
    char names[2][GAME_NAME];
    int rc = read_below(visit, line, &below, err);
    const int again = rematches(visit, slice_str(&below), names, rematches(visit, line, names, 0));
    *found = rc == 0 && (again == 2 || reply_own_read(&held, line, slice_str(&below), &wish));
    json_t *refusal = *found && again < 2 ? refusal_of(visit, &wish) : NULL;
    if (*found && again == 2) {
        rc = reply_not_done(visit, "rematch", reason_make("rematch_two one=%s other=%s", names[0], names[1]),
                            err);
    } else if (refusal) {
        rc = reply_not_done(visit, wish.petition->verb, refusal, err);
    } else if (*found && wish.manner == OWN_AT_ONCE && reply_is_for_us(visit)) {
        rc = act(visit, &wish, slice_str(&held), false, err);
    } else if (*found) {
        rc = hold(visit, wish.word, OWN_WAITS, held.p, err);
        if (rc == 0)
            rc = ask(visit, &wish, slice_str(&held), false, err);
    }
    str_release(&held);
    str_release(&below);
    return rc;
}

/* ---- the answer ---- */

int reply_find_own(struct answering *a, struct slice token, bool *found, struct err *err)
{
    struct batch *batch = a->visit->batch;
    int rc = 0;
    *found = false;
    int seq = 0;
    for (size_t i = 0; rc == 0 && !*found && reply_own_word(i); i++) {
        char name[HELD_NAME];
        seq = 0;
        held_name(name, reply_own_word(i));
        str_clear(&a->held);
        rc = catalog_get_held(batch->catalog, a->visit->sender->name, name, &seq, &a->held, err);
        struct own_wish wish;
        *found = rc == 0 && seq && reply_own_parse(slice_str(&a->held), &wish) &&
                 place_of(&a->place, a->own_head, a->visit, &wish, slice_str(&a->held)) &&
                 reply_token_is(token, batch->league->master, REPLY_WORD_TOKEN, &a->place);
    }
    if (*found)
        a->wish = a->place.game;
    else
        str_clear(&a->held);
    a->own = *found;
    a->done = *found && seq == OWN_DONE;
    return rc;
}

int reply_act_own(struct answering *a, bool agreed, struct err *err)
{
    struct visit *visit = a->visit;
    struct own_wish wish;
    struct str held = STR_INIT; /* the place borrows the other one */
    str_addslice(&held, slice_str(&a->held));
    bool is = reply_own_parse(slice_str(&held), &wish);
    int rc;
    if (!is)
        rc = err_set(err, ERR_BROKEN, "what %s has asked for cannot be read in the catalog",
                     visit->sender->name);
    else if (a->done &&
             !(agreed && strcmp(wish.word, "rematch") == 0)) /* which says how the other game stands */
        rc = visit_answer_player(visit, visit->sender->name, "own_done", json_object(), err);
    else if (!agreed || (wish.manner == OWN_BOUND && !reply_ok_is(a, &a->place)))
        rc = ask(visit, &wish, slice_str(&held), a->typed.declines && !agreed, err);
    else /* once; before it, as they may be no player after it, and then nothing of theirs is kept */
        rc = hold(visit, wish.word, wish.manner == OWN_BOUND ? 0 : OWN_DONE,
                  wish.manner == OWN_BOUND ? "" : held.p, err) ||
                     act(visit, &wish, slice_str(&held), true, err)
                 ? -1
                 : 0;
    str_release(&held);
    return rc;
}
