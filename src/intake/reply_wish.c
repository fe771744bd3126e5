/* What a player without a key asks for in a mail of its own: "join gc-17", "enter spring". Such a mail shows little of what it was
 * written for, so a question goes back, and the "ok" that answers it does what was asked for. */
#include "intake/reply_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/reason.h"
#include "batch/competing.h"
#include "batch/tell.h"
#include "game/game_seats.h"
#include "game/seating.h"
#include "petitions/petition.h"
#include "petitions/reply_own.h"
#include "petitions/reply_petition.h"
#include "petitions/requests.h"
#include "play/facts.h"

/* "join gc-17", "enter spring, please": the first word, and the name of what it is about. */
static bool read_wish(struct slice words, struct slice *verb, char name[GAME_NAME])
{
    return slice_word(&words, verb) && reply_wish_name(name, words);
}

static const char *verb_of(const char *const *wishes, struct slice word)
{
    for (int i = 0; wishes[i]; i++)
        if (slice_caseeq(word, wishes[i]))
            return wishes[i];
    return NULL;
}

/* ---- asking ---- */

int reply_ask_wish(struct visit *visit, const struct reply_place *place, const struct answer_game *about,
                   const struct asked_wish *wish, struct err *err)
{
    char word[REPLY_OK_LETTERS + 1];
    struct str what = STR_INIT;
    json_t *facts = wish->facts;
    reply_ok_word(word, visit->batch->league->master, place);
    json_object_set_new(facts, wish->verb, json_true());
    if (wish->binds)
        json_object_set_new(facts, "ok_word", json_pack("{s:s}", "word", word));
    str_addf(&what, "%s %s of %s", wish->verb, place->game, visit->sender->name);
    int rc = reply_answer(visit, what.p,
                          &(struct words){.kind = "reply_wish",
                                          .folder = "",
                                          .facts = facts,
                                          .about = about,
                                          .understood = json_is_true(json_object_get(facts, "declined"))},
                          err);
    str_release(&what);
    return rc;
}

static int ask(struct visit *visit, const struct reply_place *place, const struct answer_game *about,
               const char *verb, json_t *facts, struct err *err)
{
    return reply_ask_wish(visit, place, about, &(struct asked_wish){verb, reply_wish_binds(verb), facts},
                          err);
}

/* Whom `contact` names, if it is somebody else who plays here; NULL: nobody. */
static const char *host_of(const struct visit *visit)
{
    const struct batch *batch = visit->batch;
    const struct player *host = registry_by_address(&batch->registry, batch->league->config.league.contact);
    return host && host != visit->sender ? host->name : NULL;
}

static int ask_game(struct visit *visit, const struct game *game, const char *verb, bool declined,
                    struct err *err)
{
    struct reply_place place;
    const struct answer_game about = {.game = game, .held = slice_of(verb)};
    (void)reply_place_wish(&place, game, visit->sender->name, verb);
    json_t *facts =
        json_pack("{s:s,s:s,s:b}", "game", game->id, "title", game->ruleset->title, "declined", declined);
    if (strcmp(verb, "join") == 0 && seating_kept_seat(game, visit->sender->name)) {
        json_object_set_new(facts, "kept", json_true());
        facts_time(facts, "answer_by", game->table.answer_by);
        json_object_set_new(facts, "host_hears", json_boolean(host_of(visit) != NULL));
    }
    json_object_update_new(
        facts, reply_wish_facts(&(struct reply_wish){.verb = verb, .player = visit->sender->name}, game));
    return ask(visit, &place, &about, verb, facts, err);
}

/* Where the "ok" of a player belongs who was asked about a competition; false where mail does not count. */
static bool place_compete(struct reply_place *place, const struct competition *c, const char *player,
                          const char *verb)
{
    reply_place_compete(place, c->name, c->create_head, player, verb);
    return c->terms.by_mail && !c->closed;
}

static int ask_compete(struct visit *visit, const struct competition *c, const char *verb, bool declined,
                       struct err *err)
{
    struct reply_place place;
    (void)place_compete(&place, c, visit->sender->name, verb);
    const struct answer_game about = {.held = slice_of(verb), .place = &place};
    return ask(visit, &place, &about, verb,
               json_pack("{s:s,s:s,s:b}", "game", c->name, "title", c->ruleset->title, "declined", declined),
               err);
}

const char *reply_seat_wish(const struct game *game, const char *player)
{
    if (game->over)
        return NULL;
    if (!game->turn)
        return seating_kept_seat(game, player) ? "join" : NULL;
    return reply_offered_seat(game, player) ? "take" : NULL;
}

int reply_ask_seat(struct visit *visit, const struct game *game, bool *asked, struct err *err)
{
    const char *verb = reply_seat_wish(game, visit->sender->name);
    *asked = verb && game->table.by_mail;
    return *asked ? ask_game(visit, game, verb, false, err) : 0;
}

/* ---- a mail of its own ---- */

int reply_not_done(struct visit *visit, const char *verb, json_t *why, struct err *err)
{
    json_t *facts = json_pack("{s:s,s:o}", "verb", verb, "why", why);
    return visit_answer_player(visit, visit->sender->name, "reply_not_done", facts, err);
}

/* Why there is no use in asking whether it is meant; NULL: there is. New reference. */
static json_t *refusal_of(const struct visit *visit, const struct game *game, const char *verb)
{
    int seat = game_seat_of(game, visit->sender->name);
    if (game->over)
        return reason_make("over game=%s", game->id);
    if (!game->table.by_mail)
        return reason_make("game_signed game=%s", game->id);
    if (!seat && petition_find(verb)->needs & PETITION_SEAT)
        return reason_make("no_seat game=%s", game->id);
    if (strcmp(verb, "unwitness") == 0 && !game->witnesses.late)
        return reason_make("no_witness_awaited turn=%d game=%s", game->turn, game->id);
    if (!seat && strcmp(verb, "leave") == 0 && !game_waits(game, visit->sender->name))
        return reason_make("no_seat_nor_waiting game=%s", game->id);
    if (seat && strcmp(verb, "leave") == 0 && game->turn > 0)
        return reason_make("begun_resign game=%s", game->id);
    if (seat && strcmp(verb, "join") == 0)
        return reply_seated(game, visit->sender->name);
    if (!seat && strcmp(verb, "take") == 0 && !reply_offered_seat(game, visit->sender->name))
        return reason_make("none_offered game=%s", game->id);
    return NULL;
}

static int wish_game(struct visit *visit, const char *verb, const char *name, struct err *err)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    if (batch_game(visit->batch, name, &entry, &why)) {
        if (why.code == ERR_MISSING)
            return reply_not_done(visit, verb, reason_make("no_such_game game=%s", name), err);
        reply_keep(visit);
        return 0;
    }
    json_t *refusal = refusal_of(visit, &entry->game, strcmp(verb, "unstandby") == 0 ? "standby" : verb);
    return refusal ? reply_not_done(visit, verb, refusal, err)
                   : ask_game(visit, &entry->game, verb, false, err);
}

/* Which competitions there are says the answer to the plain request. */
static int wish_compete(struct visit *visit, const char *verb, const char *name, bool *found, struct err *err)
{
    struct batch_competition *entry;
    struct err why = ERR_INIT;
    *found = competing_find(visit->batch, name, &entry, &why) == 0;
    if (!*found)
        return 0;
    if (entry->c.closed)
        return reply_not_done(visit, verb, reason_make("compete_closed name=%s", name), err);
    if (!entry->c.terms.by_mail)
        return reply_not_done(visit, verb, reason_make("compete_signed name=%s", name), err);
    return ask_compete(visit, &entry->c, verb, false, err);
}

/* What needs no game: a report that has not come, days off, the hour of a digest. ("stop" is petitions/stop.h.) */
static bool is_general(const struct visit *visit, struct slice line)
{
    struct typed typed;
    reply_read(visit, line, NULL, 0, &typed);
    enum typed_is is = typed.count == 1 ? typed.lines[0].is : TYPED_IS_BLANK;
    typed_release(&typed);
    return is == TYPED_IS_SHOW || is == TYPED_IS_VACATION || is == TYPED_IS_DIGEST || typed_is_own(is);
}

static int answer_request(struct visit *visit, const struct request *request, struct err *err)
{
    return visit_answer_player_in(
        visit, visit->sender->name,
        &(struct words){
            .kind = request->kind, .folder = request->folder, .facts = request->facts, .understood = true},
        err);
}

/* How it is said in an answer, to whom it is not certain that they have written to us. */
static int say_how(struct visit *visit, const char *verb, struct err *err)
{
    struct request request;
    bool found = false;
    int rc = request_line(visit->batch, visit->sender, slice_of(verb), &found, &request, err);
    return rc || !found ? rc : answer_request(visit, &request, err);
}

static const char *verb_said(enum typed_is is)
{
    return is == TYPED_IS_DIGEST || is == TYPED_IS_PREFS        ? "prefs"
           : is == TYPED_IS_MUTE                                ? "mute"
           : is == TYPED_IS_UNMUTE                              ? "unmute"
           : is == TYPED_IS_STANDBY || is == TYPED_IS_UNSTANDBY ? "standby"
                                                                : "vacation";
}

static int hear_general(struct visit *visit, struct slice line, struct err *err)
{
    struct typed typed;
    bool found = false;
    reply_read(visit, line, NULL, 0, &typed);
    const struct typed_line *said = &typed.lines[0];
    int rc = said->asks               ? reply_questions(visit, &(struct reply_asked){.typed = &typed}, err)
             : reply_is_for_us(visit) ? visit_hear_reply(visit, said, NULL, &found, err)
                                      : say_how(visit, verb_said(said->is), err);
    typed_release(&typed);
    return rc;
}

/* One line of it. */
static int hear_line(struct visit *visit, struct slice line, bool *found, struct err *err)
{
    struct slice word = {"", 0};
    char name[GAME_NAME];
    bool own = reply_own_begins(line) || reply_own_several(visit, line),
         general = !own && is_general(visit, line);
    bool names = !general && !own && read_wish(line, &word, name);
    const char *verb = names ? verb_of(reply_wishes, word) : NULL;
    const char *enters = names ? verb_of(reply_compete_wishes, word) : NULL;
    *found = general || own || verb || enters;
    if (!*found)
        return 0;
    if (!reply_may_speak(visit))
        return reply_unvouched(visit, false, err);
    visit->taken = visit->understood = true;
    if (reply_claim(visit, false, err))
        return -1;
    return own       ? reply_own(visit, line, found, err)
           : general ? hear_general(visit, line, err)
           : verb    ? wish_game(visit, verb, name, err)
                     : wish_compete(visit, enters, name, found, err);
}

/* "rematch", above a mail of a game, is "rematch gc-1". */
static int hear_short(struct visit *visit, struct slice line, bool *found, struct err *err)
{
    char id[GAME_NAME];
    struct str whole = STR_INIT;
    str_addslice(&whole, line);
    if (reply_own_lacks_game(line) && reply_subject_game(visit, id))
        str_addf(&whole, " %s", id);
    int rc = hear_line(visit, slice_str(&whole), found, err);
    str_release(&whole);
    return rc;
}

int visit_wish(struct visit *visit, bool *found, struct err *err)
{
    const struct player *sender = visit->sender;
    struct slice lines[2];
    bool speaks = sender && sender->by_mail && !sender->banned && visit_is_person(visit);
    int rc = 0;
    *found = false;
    message_words(visit->msg, lines);
    for (size_t i = 0; rc == 0 && !*found && speaks && visit->reading->domain && i < 2; i++)
        rc = hear_short(visit, lines[i], found, err);
    return rc;
}

int reply_request(struct visit *visit, struct slice line, bool *found, struct err *err)
{
    struct request request;
    int rc = hear_line(visit, line, found, err);
    if (rc || *found)
        return rc;
    rc = request_line(visit->batch, visit->sender, line, found, &request, err);
    if (rc || !*found)
        return rc;
    *found = strcmp(request.kind, "ask_petition") != 0;
    if (!*found) {
        json_decref(request.facts);
        return 0;
    }
    visit->taken = true;
    return answer_request(visit, &request, err);
}

/* ---- the answer ---- */

static bool is_wish(struct answering *a, struct slice token, const char *verb)
{
    return reply_token_is(token, a->visit->batch->league->master, REPLY_WORD_TOKEN, &a->place) &&
           (a->wish = verb) != NULL;
}

static bool find_compete(struct answering *a, const char *name, struct slice token)
{
    struct batch_competition *entry;
    struct err why = ERR_INIT;
    bool found = false;
    if (competing_find(a->visit->batch, name, &entry, &why))
        return false;
    for (int i = 0; !found && reply_compete_wishes[i]; i++)
        found = place_compete(&a->place, &entry->c, a->visit->sender->name, reply_compete_wishes[i]) &&
                is_wish(a, token, reply_compete_wishes[i]);
    if (found)
        a->competition = entry;
    return found;
}

int reply_find_wish(struct answering *a, struct slice token, bool *found, struct err *err)
{
    char id[GAME_NAME];
    struct batch_game *entry;
    struct err why = ERR_INIT;
    (void)err;
    *found = false;
    a->seat = 0; /* of no game that was looked at before */
    if (reply_find_own(a, token, found, err) || *found)
        return *found ? 0 : -1;
    if (!reply_subject_game(a->visit, id))
        return 0;
    if (batch_game(a->visit->batch, id, &entry, &why)) {
        *found = find_compete(a, id, token);
        return 0;
    }
    for (int i = 0; !*found && reply_wishes[i]; i++)
        *found = reply_place_wish(&a->place, &entry->game, a->visit->sender->name, reply_wishes[i]) &&
                 is_wish(a, token, reply_wishes[i]);
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

/* Asks once more. */
static int ask_again(struct answering *a, bool declined, struct err *err)
{
    return a->competition ? ask_compete(a->visit, &a->competition->c, a->wish, declined, err)
                          : ask_game(a->visit, &a->entry->game, a->wish, declined, err);
}

/* A seat is kept for them, and they do not want it: the others at the table hear of it, and who hosts the league, once. */
static int tell_declined(struct answering *a, struct err *err)
{
    const struct game *game = &a->entry->game;
    const char *player = a->visit->sender->name;
    struct str about = STR_INIT;
    int rc = 0;
    str_addf(&about, "%s does not take the seat in %s", player, game->id);
    json_t *facts =
        json_pack("{s:s,s:s,s:s}", "game", game->id, "title", game->ruleset->title, "about_player", player);
    facts_time(facts, "answer_by", game->table.answer_by);
    const struct tell tell = {.words = "declined_seat", .facts = facts, .about = about.p};
    const char *host = host_of(a->visit);
    for (int seat = 1; rc == 0 && seat <= game->seats; seat++) {
        const char *other = seating_keeps(game, seat);
        other = *other ? other : game->seat[seat].robot ? "" : game->seat[seat].player;
        if (*other && strcmp(other, player) != 0)
            rc = tell_player(a->visit->batch, &tell, other, err);
        host = host && strcmp(host, other) == 0 ? NULL : host;
    }
    if (rc == 0 && host)
        rc = tell_player(a->visit->batch, &tell, host, err);
    json_decref(facts);
    str_release(&about);
    return rc;
}

int reply_act_wish(struct answering *a, struct err *err)
{
    struct visit *visit = a->visit;
    struct str text = STR_INIT;
    bool agreed = a->bound && a->typed.kind == TYPED_CLEAR &&
                  (a->typed.command == TYPED_IS_OK ||
                   (a->typed.command == TYPED_IS_JOIN && strcmp(a->wish, "join") == 0));
    const struct game *about = a->competition || a->own ? NULL : &a->entry->game;
    bool asked = false;
    if (reply_questions_in(visit, slice_str(&a->reply.typed), about, &asked, err))
        return -1;
    if (asked && a->typed.kind == TYPED_ASKS)
        return 0;
    visit->answered = false;
    if (a->own)
        return reply_act_own(a, agreed, err);
    const bool declines = a->typed.declines && !agreed;
    if (declines && about && strcmp(a->wish, "join") == 0 && seating_kept_seat(about, visit->sender->name) &&
        tell_declined(a, err))
        return -1;
    if (!agreed || (reply_wish_binds(a->wish) && !reply_ok_is(a, &a->place)))
        return ask_again(a, declines, err);
    bool past = false; /* the text that it makes may be another one by now */
    if (!a->competition && (reply_is_past(visit, &past, err) || past))
        return past ? 0 : -1;
    const struct reply_about by = {visit->batch->league, &visit->reading->domain->proof, about};
    if (a->competition)
        reply_wish_compete(&text, a->wish, a->competition->c.name, &by);
    else
        reply_wish(&text, &(struct reply_wish){a->wish, visit->sender->name, typed_wish(&a->typed)}, &by);
    int rc = visit_hear_text(visit, slice_str(&text), true, err);
    str_release(&text);
    return rc;
}
