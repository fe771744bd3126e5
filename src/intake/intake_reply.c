/* Answers to our mails by players without keys: is it one, to which mail, and does its domain vouch for it?
 *
 * A token in the address keeps strangers out and says which turn is meant; authority comes from the signature of
 * the domain (trust/dkim.h) of exactly the player's address. What was typed is a pure function of signed bytes
 * (mail/reply.h, orders/typed.h). */
#include "intake/reply_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/reason.h"
#include "batch/competing.h"
#include "play/resend.h"
#include "play/step.h"

/* ---- the mail that is answered ---- */

/* Is it the token of a mail with that place, or of the same place with another number? */
static bool is_token(struct answering *a, struct slice token)
{
    const unsigned char *master = a->visit->batch->league->master;
    for (int seq = a->place.seq; seq > 0 && seq >= a->place.seq - ORDERS_TEXTS; seq--) {
        struct reply_place place = a->place;
        place.seq = seq;
        if (reply_token_is(token, master, REPLY_WORD_TOKEN, &place)) {
            a->place = place;
            return true;
        }
    }
    return false;
}

/* Or of the mail that asked whether these orders were meant? */
static int is_token_held(struct answering *a, struct slice token, bool *is, struct err *err)
{
    struct batch *batch = a->visit->batch;
    struct reply_place place = a->place;
    if (catalog_get_held(batch->catalog, place.player, place.game, &place.seq, &a->held, err))
        return -1;
    place.also = slice_str(&a->held);
    *is = place.seq && reply_token_is(token, batch->league->master, REPLY_WORD_TOKEN, &place);
    if (*is)
        a->place.seq = place.seq;
    else
        str_clear(&a->held);
    return 0;
}

/* Or of the mail that asked for a vote on the deadline? */
static bool is_token_vote(struct answering *a, struct slice token)
{
    const struct game *game = &a->entry->game;
    const unsigned char *master = a->visit->batch->league->master;
    bool is = false;
    for (int seat = 1; !is && seat <= game->seats; seat++) {
        struct reply_place place = a->place;
        if (seat == a->seat || !game->seat[seat].vote)
            continue;
        str_clear(&a->held);
        reply_vote(&a->held, (game->seat[seat].vote + 3599) / 3600);
        place.also = slice_str(&a->held);
        for (int most = place.seq; !is && place.seq > 0 && place.seq >= most - ORDERS_TEXTS; place.seq--) {
            is = reply_token_is(token, master, REPLY_WORD_TOKEN, &place);
            if (is)
                a->place.seq = place.seq;
        }
    }
    if (!is)
        str_clear(&a->held);
    return is;
}

static int is_of_game(struct answering *a, const char *id, struct slice token, bool *is, struct err *err)
{
    struct err why = ERR_INIT;
    *is = false;
    if (batch_game(a->visit->batch, id, &a->entry, &why))
        return 0; /* the operator has been told */
    a->seat = game_seat_of(&a->entry->game, a->visit->sender->name);
    if (!a->seat || !reply_place_now(&a->place, &a->entry->game, a->seat))
        return 0;
    a->open++;
    *is = is_token(a, token) || is_token_vote(a, token);
    return *is ? 0 : is_token_held(a, token, is, err);
}

static int find_place(struct answering *a, struct slice token, bool *found, struct err *err)
{
    struct reply_games games;
    struct batch_game *last = NULL;
    int rc = reply_games(a->visit, &games, err);
    for (size_t i = 0; rc == 0 && !*found && i < games.count; i++) {
        size_t open = a->open;
        rc = is_of_game(a, games.id[i], token, found, err);
        if (a->open > open && !last)
            last = a->entry;
    }
    if (!*found)
        a->entry = last;
    free(games.id);
    return rc;
}

/* ---- a mail whose turn is over ---- */

/* To whom words in it may be meant: the player whose message it answers, or else another one. NULL: there is nobody. */
static const char *written_by(const struct answering *a)
{
    struct slice rest = slice_of(a->visit->msg->subject), word;
    while (slice_word(&rest, &word))
        for (size_t i = 0; i < SEATS_MAX && a->others[i]; i++)
            if (slice_caseeq(word, a->others[i]))
                return a->others[i];
    return a->others[0];
}

/* The present report of the game that the subject names. *sent: there is one that may be sent. */
static int report_again(struct answering *a, bool *sent, struct err *err)
{
    struct visit *visit = a->visit;
    struct step step;
    json_t *refusal = NULL;
    const bool moved = reply_moved(&a->entry->game, game_seat_of(&a->entry->game, visit->sender->name));
    batch_step(visit->batch, a->entry, &step);
    const struct resend wish = {visit->sender->name, RESEND_LAST, POST_AGAINS};
    int rc = resend_report(&step, &a->entry->game, &wish, &refusal, err) == OUTCOME_FAILED ? -1 : 0;
    *sent = rc == 0 && step.post_count;
    if (*sent) {
        json_t *facts = step.posts[step.post_count - 1].facts;
        json_object_set_new(facts, "late_reply", json_true());
        json_object_set_new(facts, "moved", json_boolean(moved));
        json_object_set_new(facts, "late_heard", json_boolean(a->heard));
        const char *other = written_by(a);
        if (json_array_size(a->unread) && other)
            json_object_set_new(facts, "late_words",
                                json_pack("{s:O,s:s}", "lines", a->unread, "other", other));
    }
    reason_clear(&refusal);
    if (rc == 0)
        rc = step_finish(&step, &a->entry->game, err);
    if (rc == 0)
        rc = batch_take(visit->batch, a->entry, &step, visit->msg, err);
    step_release(&step);
    return rc;
}

/* Questions are answered whatever mail they are typed above; *only: there was nothing else. */
static int answer_questions(const struct answering *a, bool *only, struct err *err)
{
    struct visit *visit = a->visit;
    struct reply reply;
    struct typed typed;
    int rc = reply_cut(REPLY_VERSION, &visit->reading->domain->body, (struct slice){"", 0}, &reply, err);
    if (rc == 0) {
        struct typed_game game = {0};
        if (a->entry)
            game = (struct typed_game){.id = a->entry->game.id, .language = a->entry->game.ruleset->language};
        reply_read(visit, slice_str(&reply.typed), &game, a->entry != NULL, &typed);
        rc = reply_questions_in(visit, slice_str(&reply.typed), a->entry ? &a->entry->game : NULL, only, err);
        *only &= typed.kind == TYPED_ASKS;
        typed_release(&typed);
    }
    reply_release(&reply);
    return rc;
}

/* Why no answer of theirs counts in that game now; NULL: one does. New reference. */
static json_t *no_place(const struct game *game, const char *player)
{
    int seat = game_seat_of(game, player);
    struct reply_place place;
    if (game->over)
        return reason_make("over_status game=%s", game->id);
    if (!game->turn)
        return reason_make("not_begun game=%s", game->id);
    if (!seat)
        return reason_make("no_seat_now game=%s", game->id);
    if (reply_place_now(&place, game, seat))
        return NULL;
    return game->closed ? reason_make("closed turn=%d game=%s", game->turn, game->id)
                        : reason_make("not_awaited turn=%d game=%s player=%s", game->turn, game->id, player);
}

/* Any token will do that is none of now, and a report costs a look through the game: there is one a turn and day. */
static int answer_stale(struct answering *a, struct slice token, struct err *err)
{
    struct visit *visit = a->visit;
    bool first = false, past = false, sent = false;
    int rc = reply_is_past(visit, &past, err);
    if (rc || past || !visit_is_person(visit)) /* a report would be an answer, too */
        return rc;
    char id[GAME_NAME];
    struct batch_game *named = NULL;
    struct err why = ERR_INIT;
    bool only = false,
         known = reply_subject_game(visit, id) && batch_game(visit->batch, id, &named, &why) == 0;
    if (known)
        a->entry = named;
    rc = answer_questions(a, &only, err);
    if (rc == 0 && !only && known)
        rc = reply_act_past(a, &only, err);
    if (rc || only)
        return rc;
    bool asked = false;
    rc = a->entry ? reply_ask_seat(visit, &a->entry->game, &asked, err) : 0;
    if (rc || asked)
        return rc;
    struct str what = STR_INIT;
    json_t *facts = json_object(), *place = a->entry ? no_place(&a->entry->game, visit->sender->name) : NULL;
    visit->answered = false;
    verdict_say(&visit->verdict, "reply_stale", NULL);
    if (place) {
        json_object_set_new(facts, "why", place);
    } else if (a->entry && !known) { /* whose report would be taken for that of the game that was meant */
        json_object_set_new(facts, "waits", json_string(a->entry->game.id));
    } else if (a->entry) {
        json_object_set_new(facts, "game", json_string(a->entry->game.id));
        str_addf(&what, "late %s %s %d", visit->sender->name, a->entry->game.id, a->entry->game.turn);
        rc = reply_ask_once(visit, what.p, &first, err);
    }
    str_clear(&what);
    str_addslice(&what, token);
    if (rc == 0 && first)
        rc = report_again(a, &sent, err);
    if (rc == 0 && !sent)
        rc = reply_answer(visit, what.p,
                          &(struct words){.kind = "reply_stale", .folder = "", .facts = json_incref(facts)},
                          err);
    json_decref(facts);
    str_release(&what);
    return rc;
}

/* ---- all of it ---- */

/* Does the mail name what it answers: a record of the open turn, or the one that a question was about? */
static bool is_bound(struct answering *a, const struct reply_whole *whole)
{
    const char *subject = a->visit->msg->subject;
    char digits[REPLY_HEAD + 1];
    hex_to(digits, a->place.head, REPLY_HEAD / 2);
    return a->wish ? strstr(subject, digits) || reply_whole_holds(whole, digits)
                   : vouching_names(a->head, &a->entry->game, subject, whole);
}

/* By the boundary of a mail that shows the suggestions, or by that of one that does not. */
static int cut(struct answering *a, struct err *err)
{
    const struct reply_mail *body = &a->visit->reading->domain->body;
    for (int offers = 1; offers >= 0 && !a->reply.ours; offers--) {
        char nonce[REPLY_TOKEN_TEXT];
        reply_nonce(nonce, a->visit->batch->league->master, &a->place, offers ? &a->suggestions : NULL);
        reply_release(&a->reply);
        if (reply_cut(REPLY_VERSION, body, slice_of(nonce), &a->reply, err))
            return -1;
        a->offered = a->reply.ours && offers;
    }
    return 0;
}

/* What was typed, and by which mail of ours it is to be read. */
static int read_reply(struct answering *a, struct err *err)
{
    struct visit *visit = a->visit;
    const struct game *game = a->competition || a->own ? NULL : &a->entry->game;
    const struct reply_mail *body = &visit->reading->domain->body;
    suggestions_make(&a->suggestions, game, a->seat);
    if (cut(a, err))
        return -1;
    struct reply_whole whole;
    reply_whole(&whole, body);
    a->bound = is_bound(a, &whole);
    reply_whole_release(&whole);
    const struct ruleset *ruleset = game ? game->ruleset : a->own ? NULL : a->competition->c.ruleset;
    const size_t games = ruleset != NULL;
    if (game)
        reply_game(a, a->wish ? ruleset->words.wish.line : NULL);
    else if (ruleset)
        a->game = (struct typed_game){.id = a->place.game,
                                      .language = ruleset->language,
                                      .suggestions = (const char *const *)a->suggestions.lines};
    reply_read(visit, slice_str(&a->reply.typed), &a->game, games, &a->typed);
    reply_read(visit, slice_str(&a->reply.below), &a->game, games, &a->below);
    if (reply_unread(a, err))
        return -1;
    visit->unread = json_array_size(a->unread) ? a->unread : NULL;
    visit->goes_on = a->goes_on;
    visit->several = reply_asks_several(&a->typed);
    visit->understood = a->typed.kind == TYPED_CLEAR || a->typed.kind == TYPED_ASKS;
    return 0;
}

/* Some mail programs answer to From, whatever Reply-To says, so there is no token. What it does is done as well by the
 * boundary of our mail, which is signed with the rest of the quote, if the domain has signed to whom the mail goes, too. But
 * the boundary does not tell a report from a question of ours: where one is open, they have to use its address. */
static int find_untokened(struct answering *a, bool *found, struct err *err)
{
    struct visit *visit = a->visit;
    char id[GAME_NAME];
    struct err why = ERR_INIT;
    struct reply_whole whole;
    *found = false;
    if (!reply_may_speak(visit) || !reply_is_for_us(visit) || !reply_subject_game(visit, id) ||
        batch_game(visit->batch, id, &a->entry, &why))
        return 0;
    a->seat = game_seat_of(&a->entry->game, visit->sender->name);
    if (!a->seat || !reply_place_now(&a->place, &a->entry->game, a->seat))
        return 0;
    int seq = 0;
    if (catalog_get_held(visit->batch->catalog, a->place.player, a->place.game, &seq, &a->held, err))
        return -1;
    bool asked = seq == a->place.seq && a->held.len;
    str_clear(&a->held);
    suggestions_make(&a->suggestions, &a->entry->game, a->seat);
    reply_whole(&whole, &visit->reading->domain->body);
    *found = !asked && reply_find_quoted(a, &whole);
    reply_whole_release(&whole);
    suggestions_release(&a->suggestions);
    a->suggestions = (struct suggestions){0};
    return 0;
}

/* What does a mail with this token answer? */
static int find_answered(struct answering *a, struct slice token, bool *found, struct err *err)
{
    *found = a->digest = reply_is_digest(a->visit, token);
    int rc = *found ? 0 : find_place(a, token, found, err);
    return rc || *found ? rc : reply_find_wish(a, token, found, err);
}

static int act(struct answering *a, struct err *err)
{
    a->visit->digested = a->digest;
    if (a->digest)
        return reply_to_digest(a->visit, err);
    if (read_reply(a, err))
        return -1;
    int rc = a->wish ? reply_act_wish(a, err) : reply_act(a, err);
    if (rc == 0 && a->visit->taken)
        reply_know_ending(a->visit, &a->typed);
    return rc;
}

static int answer_vouched(struct answering *a, struct slice token, bool found, struct err *err)
{
    struct visit *visit = a->visit;
    if (reply_claim(visit, found, err))
        return -1;
    if (visit->sender->banned)
        return visit_answer_banned(visit, visit->sender->name, a->place.game ? a->place.game : "", err);
    return found ? act(a, err) : answer_stale(a, token, err);
}

int visit_reply(struct visit *visit, bool *found, struct err *err)
{
    const struct config *config = &visit->batch->league->config;
    const struct vouching *domain = visit->reading->domain;
    struct answering a = {.visit = visit};
    struct slice token;
    *found = false;
    if (!visit_may_count(visit))
        return 0;
    if (!visit->sender || !visit->sender->by_mail)
        return reply_is_copy(visit, found, err);
    if (!domain)
        return 0;
    bool tokened =
        reply_token_in(slice_of(visit->msg->to), config->league.address, config_detail(config), &token);
    int rc = tokened ? find_answered(&a, token, found, err) : find_untokened(&a, found, err);
    if (rc || (!tokened && !*found)) {
        str_release(&a.held);
        return rc;
    }
    bool good = domain->state == VOUCHING_GOOD && reply_is_from(visit);
    if (rc == 0 && good)
        rc = answer_vouched(&a, token, *found, err);
    else if (rc == 0 && *found)
        rc = reply_unvouched(visit, true, err); /* only who knows the token hears why */
    else if (rc == 0 && domain->state == VOUCHING_LATER) {
        rc = reply_unvouched(visit, false, err); /* it may have counted, when its turn was open */
        *found = true;
    }
    *found |= good;
    suggestions_release(&a.suggestions);
    typed_release(&a.typed);
    typed_release(&a.below);
    json_decref(a.unread);
    visit->unread = NULL;
    reply_release(&a.reply);
    str_release(&a.held);
    return rc;
}

/* A moderator has pressed Reply to the mail of an appeal, or writes of a game in which they have no seat. */
static bool seems_ruling(const struct visit *visit, const struct game *game)
{
    return visit->sender && config_moderator(&visit->batch->league->config, visit->sender->name) &&
           visit_is_person(visit) &&
           (slice_find(slice_of(visit->msg->subject), " appeals ") != (size_t)-1 ||
            !game_seat_of(game, visit->sender->name));
}

int visit_elsewhere(struct visit *visit, bool *found, struct err *err)
{
    const struct config *config = &visit->batch->league->config;
    struct batch_game *entry;
    struct reply_place place;
    struct err why = ERR_INIT;
    struct str address = STR_INIT;
    char id[GAME_NAME], token[REPLY_TOKEN_TEXT];
    struct slice subject = slice_of(visit->msg->subject);
    const bool answers = subject_bare(subject).len < slice_trim(subject).len && reply_subject_game(visit, id);
    const bool known = answers && batch_game(visit->batch, id, &entry, &why) == 0;
    const bool rules = known && seems_ruling(visit, &entry->game);
    *found = rules || (answers && reply_may_speak(visit));
    if (!*found)
        return 0;
    if (rules)
        return visit_answer_sender(
            visit, "reply_stale",
            json_pack("{s:o}", "why", reason_make("ruling_by_reply key?=%d", !visit->sender->by_mail)), err);
    json_t *facts = json_pack("{s:b}", "to_others", !*visit->msg->to),
           *none = known ? no_place(&entry->game, visit->sender->name) : NULL;
    if (none) {
        json_object_set_new(facts, "why", none);
        return visit_answer_player(visit, visit->sender->name, "reply_stale", facts, err);
    }
    const struct answer_game about = {.game = known ? &entry->game : NULL,
                                      .seat = known ? game_seat_of(&entry->game, visit->sender->name) : 0};
    if (known && reply_place_now(&place, &entry->game, about.seat)) {
        reply_token(token, visit->batch->league->master, REPLY_WORD_TOKEN, &place);
        reply_token_address(&address, config->league.address, config_detail(config), token);
        json_object_set_new(facts, "reply_address", json_string(address.p));
    }
    str_release(&address);
    return visit_answer_player_in(
        visit, visit->sender->name,
        &(struct words){
            .kind = "reply_elsewhere", .folder = "", .facts = facts, .about = known ? &about : NULL},
        err);
}
