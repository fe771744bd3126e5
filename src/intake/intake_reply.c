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
#include "batch/stuck.h"
#include "play/resend.h"
#include "play/step.h"

#define WAITING_MAILS 20 /* of a player and day, whose key is not known yet */

/* ---- the domain ---- */

/* Each reason once a day: who forges a mail of a player's does not use up what the player has to be told. */
static int answer_reason(struct visit *visit, const char *reason, const struct words *words, struct err *err)
{
    struct str what = STR_INIT;
    str_addf(&what, "%s %s", visit->sender->address, reason);
    int rc = reply_answer(visit, what.p, words, err);
    str_release(&what);
    return rc;
}

static int refuse_mail(struct visit *visit, const json_t *why, struct err *err)
{
    json_t *facts = json_pack("{s:O}", "why", why);
    const char *reason = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)why));
    return answer_reason(visit, reason,
                         &(struct words){.kind = "reply_refused", .folder = "", .facts = facts}, err);
}

/* May one more mail of the player's wait today? Each is counted once. */
static int may_wait(struct visit *visit, bool *may, struct err *err)
{
    struct str what = STR_INIT, who = STR_INIT;
    bool first = false;
    hex_encode(&what, visit->msg->digest, MESSAGE_DIGEST);
    str_addf(&who, "key of the domain of %s", visit->sender->name);
    int rc = reply_ask_once(visit, what.p, &first, err);
    *may = visit->batch->now - visit->incoming->arrived <= STUCK_MOST;
    if (rc == 0 && first && *may)
        rc = catalog_budget(visit->batch->catalog,
                            &(struct catalog_reply){who.p, visit->batch->now, WAITING_MAILS}, may, err);
    str_release(&what);
    str_release(&who);
    return rc;
}

/* The domain's key is not known now. The mail stays, and its player is told; the turn does not wait. */
static int wait_for_key(struct visit *visit, struct err *err)
{
    bool may = false;
    if (may_wait(visit, &may, err))
        return -1;
    if (!may)
        return refuse_mail(visit, visit->reading->domain->why, err);
    visit->kept = true;
    return answer_reason(visit, "later",
                         &(struct words){.kind = "reply_later", .folder = "", .facts = json_object()}, err);
}

/* The domain does not vouch for the mail, or for another mailbox. Only who knows the token hears why. */
static int unvouched(struct visit *visit, struct err *err)
{
    const struct vouching *domain = visit->reading->domain;
    if (domain->state == VOUCHING_LATER)
        return wait_for_key(visit, err);
    if (domain->state == VOUCHING_REFUSED)
        return refuse_mail(visit, domain->why, err);
    json_t *why = reason_make("reply_from");
    int rc = refuse_mail(visit, why, err);
    json_decref(why);
    return rc;
}

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
    *is = is_token(a, token);
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

/* The present report of the game that the subject names, or of the first that waits for the player. *sent: there is
 * one that may be sent. */
static int report_again(struct answering *a, bool *sent, struct err *err)
{
    struct visit *visit = a->visit;
    struct step step;
    json_t *refusal = NULL;
    batch_step(visit->batch, a->entry, &step);
    const struct resend wish = {visit->sender->name, RESEND_LAST, POST_AGAINS};
    int rc = resend_report(&step, &a->entry->game, &wish, &refusal, err) == OUTCOME_FAILED ? -1 : 0;
    *sent = rc == 0 && step.post_count;
    if (*sent)
        json_object_set_new(step.posts[step.post_count - 1].facts, "late_reply", json_true());
    reason_clear(&refusal);
    if (rc == 0)
        rc = step_finish(&step, &a->entry->game, err);
    if (rc == 0)
        rc = batch_take(visit->batch, a->entry, &step, visit->msg, err);
    step_release(&step);
    return rc;
}

/* Any token will do that is none of now, and a report costs a look through the game: there is one a turn and day. */
static int answer_stale(struct answering *a, struct slice token, struct err *err)
{
    struct visit *visit = a->visit;
    bool first = false, past = false, sent = false;
    int rc = reply_is_past(visit, &past, err);
    if (rc || past)
        return rc;
    struct str what = STR_INIT;
    json_t *facts = json_object();
    verdict_say(&visit->verdict, "reply_stale", NULL);
    if (a->entry) {
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

static bool body_holds(const struct reply_mail *body, const char *words)
{
    struct reply_whole whole;
    reply_whole(&whole, body);
    bool holds = reply_whole_holds(&whole, words);
    reply_whole_release(&whole);
    return holds;
}

/* What was typed, and by which mail of ours it is to be read. */
static int read_reply(struct answering *a, struct err *err)
{
    struct visit *visit = a->visit;
    const struct game *game = a->competition ? NULL : &a->entry->game;
    const struct reply_mail *body = &visit->reading->domain->body;
    char nonce[REPLY_TOKEN_TEXT], head[17];
    suggestions_make(&a->suggestions, game, a->seat);
    reply_nonce(nonce, visit->batch->league->master, &a->place, &a->suggestions);
    if (reply_cut(REPLY_VERSION, body, slice_of(nonce), &a->reply, err))
        return -1;
    hex_to(head, a->place.head, 8);
    a->bound = strstr(visit->msg->subject, head) || body_holds(body, head);
    const struct ruleset *ruleset = game ? game->ruleset : a->competition->c.ruleset;
    a->game = (struct typed_game){a->place.game, ruleset->language, (const char *const *)a->suggestions.lines,
                                  a->wish && game ? ruleset->words.wish.line : NULL};
    visit_typed(visit, slice_str(&a->reply.typed), a->place.game, a->place.turn);
    reply_read(visit, slice_str(&a->reply.typed), &a->game, 1, &a->typed);
    visit->understood = a->typed.kind == TYPED_COMMAND;
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
    if (a->digest)
        return reply_to_digest(a->visit, err);
    if (read_reply(a, err))
        return -1;
    return a->wish ? reply_act_wish(a, err) : reply_act(a, err);
}

static int answer_vouched(struct answering *a, struct slice token, bool found, struct err *err)
{
    struct visit *visit = a->visit;
    if (reply_claim(visit, err))
        return -1;
    if (visit->sender->banned)
        return visit_answer_player(visit, visit->sender->name, "banned_orders", json_object(), err);
    return found ? act(a, err) : answer_stale(a, token, err);
}

int visit_reply(struct visit *visit, bool *found, struct err *err)
{
    const struct config *config = &visit->batch->league->config;
    const struct vouching *domain = visit->reading->domain;
    struct answering a = {.visit = visit};
    struct slice token;
    *found = false;
    if (!domain || !visit->sender || !visit->sender->by_mail || !visit_is_person(visit) ||
        !reply_token_in(slice_of(visit->msg->to), config->league.address, config_detail(config), &token))
        return 0;
    int rc = find_answered(&a, token, found, err);
    bool good = domain->state == VOUCHING_GOOD && reply_is_from(visit);
    if (rc == 0 && good)
        rc = answer_vouched(&a, token, *found, err);
    else if (rc == 0 && *found)
        rc = unvouched(visit, err);
    *found |= good;
    suggestions_release(&a.suggestions);
    typed_release(&a.typed);
    reply_release(&a.reply);
    str_release(&a.held);
    return rc;
}
