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
#include "base/mem.h"
#include "base/reason.h"
#include "batch/at_hand.h"
#include "batch/bounced.h"
#include "batch/stuck.h"
#include "play/resend.h"
#include "play/step.h"

#define GAMES_MOST 100 /* of a player, that are looked through */

/* ---- one answer a mail of ours and day ---- */

int reply_ask_once(struct visit *visit, const char *what, bool *first, struct err *err)
{
    unsigned char digest[MESSAGE_DIGEST];
    struct str name = STR_INIT;
    bool seen = false;
    str_addf(&name, "answered %s on day %lld", what, (long long)(visit->batch->now / 86400));
    message_digest(digest, slice_str(&name));
    str_release(&name);
    if (batch_has_seen(visit->batch, digest, &seen, err))
        return -1;
    *first = !seen;
    if (!seen)
        batch_see(visit->batch, digest);
    return 0;
}

/* To the player, at most once a day for what the mail answers; else nobody is told. */
int reply_answer(struct visit *visit, const char *what, const struct words *words, struct err *err)
{
    bool first = false;
    if (reply_ask_once(visit, what, &first, err)) {
        json_decref(words->facts);
        return -1;
    }
    if (first)
        return visit_answer_player_in(visit, visit->sender->name, words, err);
    verdict_say(&visit->verdict, words->kind, NULL);
    visit->verdict.silence = "it was answered today";
    json_decref(words->facts);
    return 0;
}

/* ---- the domain ---- */

/* Is the mailbox for which the domain vouches one of the player's, exactly? */
static bool is_address_of(const struct mailbox *from, const struct player *player)
{
    const char *const addresses[] = {player->address, player->address2};
    for (size_t i = 0; i < 2; i++) {
        const char *at = strrchr(addresses[i], '@');
        size_t local = at ? (size_t)(at - addresses[i]) : 0;
        if (at && strlen(from->local) == local && memcmp(from->local, addresses[i], local) == 0 &&
            slice_caseeq(slice_of(at + 1), from->domain))
            return true;
    }
    return false;
}

static int refuse_mail(struct visit *visit, const json_t *why, struct err *err)
{
    json_t *facts = json_pack("{s:O}", "why", why);
    return reply_answer(visit, visit->sender->address,
                        &(struct words){.kind = "reply_refused", .folder = "", .facts = facts}, err);
}

/* The domain's key is not known now. The mail stays, and its player is told; the turn does not wait. */
static int wait_for_key(struct visit *visit, struct err *err)
{
    const struct vouching *domain = visit->reading->domain;
    if (visit->batch->now - visit->incoming->arrived > STUCK_MOST)
        return refuse_mail(visit, domain->why, err);
    visit->kept = true;
    return reply_answer(visit, visit->sender->address,
                        &(struct words){.kind = "reply_later", .folder = "", .facts = json_object()}, err);
}

/* From here on the player is known. */
static int claim_player(struct visit *visit, struct err *err)
{
    const struct mail_proof *proof = &visit->reading->domain->proof;
    const char *name = visit->sender->name;
    visit->claim = (struct budget_claim){.proof = PROOF_TEXT};
    (void)snprintf(visit->claim.player, sizeof visit->claim.player, "%s", name);
    memcpy(visit->claim.text, proof->content, sizeof visit->claim.text);
    (void)snprintf(visit->signer, sizeof visit->signer, "%s", name);
    hand_signed(visit->batch->league->hands, name, "", 0);
    return bounced_heard(visit->batch, name, visit->msg->from, err);
}

/* Known again by what was signed: the rest anybody can have changed. */
static void content_digest(const struct visit *visit, unsigned char digest[MESSAGE_DIGEST])
{
    struct str name = STR_INIT;
    str_adds(&name, "vouched ");
    str_add(&name, (const char *)visit->reading->domain->proof.content, 32);
    message_digest(digest, slice_str(&name));
    str_release(&name);
}

/* ---- the mail that is answered ---- */

/* Those that the subject names come first. */
static int note_game(void *arg, const struct catalog_game *row, struct err *err)
{
    struct reply_games *games = arg;
    (void)err;
    if (games->count == GAMES_MOST)
        return 0;
    games->id = mem_grow(games->id, games->count, &games->cap, sizeof *games->id);
    memcpy(games->id[games->count], row->id, GAME_NAME);
    if (strstr(games->subject, row->id)) {
        memcpy(games->id[games->count], games->id[0], GAME_NAME);
        memcpy(games->id[0], row->id, GAME_NAME);
    }
    games->count++;
    return 0;
}

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

int reply_games(struct visit *visit, struct reply_games *games, struct err *err)
{
    *games = (struct reply_games){.subject = visit->msg->subject};
    return catalog_each_game(visit->batch->catalog, &(struct catalog_filter){visit->sender->name, true},
                             note_game, games, err);
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

/* The present report of the game that the subject names, or of the first that waits for the player. */
static int report_again(struct answering *a, struct err *err)
{
    struct visit *visit = a->visit;
    struct step step;
    json_t *refusal = NULL;
    batch_step(visit->batch, a->entry, &step);
    const struct resend wish = {visit->sender->name, RESEND_LAST, POST_AGAINS};
    int rc = resend_report(&step, &a->entry->game, &wish, &refusal, err) == OUTCOME_FAILED ? -1 : 0;
    if (rc == 0 && step.post_count)
        json_object_set_new(step.posts[step.post_count - 1].facts, "late_reply", json_true());
    reason_clear(&refusal);
    if (rc == 0)
        rc = step_finish(&step, &a->entry->game, err);
    if (rc == 0)
        rc = batch_take(visit->batch, a->entry, &step, visit->msg, err);
    step_release(&step);
    return rc;
}

static int answer_stale(struct answering *a, struct slice token, struct err *err)
{
    struct visit *visit = a->visit;
    char *what = slice_dup(token);
    bool first = false;
    int rc = 0;
    verdict_say(&visit->verdict, "reply_stale", NULL);
    if (!a->entry)
        rc = reply_answer(visit, what,
                          &(struct words){.kind = "reply_stale", .folder = "", .facts = json_object()}, err);
    else if ((rc = reply_ask_once(visit, what, &first, err)) == 0 && first)
        rc = report_again(a, err);
    free(what);
    return rc;
}

/* ---- all of it ---- */

void reply_read(const struct visit *visit, struct slice text, const struct typed_game *games, size_t count,
                struct typed *typed)
{
    struct slice rest = slice_of(visit->msg->from_name), first = {"", 0};
    (void)slice_word(&rest, &first);
    char *given = slice_dup(first);
    const char *const names[] = {visit->sender->name, visit->msg->from_name, given, NULL};
    typed_read(text, &(struct typed_by){games, count, names}, typed);
    free(given);
}

/* What was typed, and by which mail of ours it is to be read. */
static int read_reply(struct answering *a, struct err *err)
{
    struct visit *visit = a->visit;
    const struct game *game = &a->entry->game;
    const struct reply_mail *body = &visit->reading->domain->body;
    struct reply_whole whole;
    char nonce[REPLY_TOKEN_TEXT], head[17];
    suggestions_make(&a->suggestions, game, a->seat);
    reply_nonce(nonce, visit->batch->league->master, &a->place, &a->suggestions);
    if (reply_cut(REPLY_VERSION, body, slice_of(nonce), &a->reply, err))
        return -1;
    hex_to(head, a->place.head, 8);
    reply_whole(&whole, body);
    a->bound = strstr(visit->msg->subject, head) || reply_whole_holds(&whole, head);
    reply_whole_release(&whole);
    a->game =
        (struct typed_game){game->id, game->ruleset->language, (const char *const *)a->suggestions.lines};
    reply_read(visit, slice_str(&a->reply.typed), &a->game, 1, &a->typed);
    return 0;
}

static int answer_new(struct visit *visit, struct slice token, struct err *err)
{
    struct answering a = {.visit = visit};
    bool found = false;
    if (visit->sender->banned)
        return visit_answer_player(visit, visit->sender->name, "banned_orders", json_object(), err);
    if (reply_is_digest(visit, token))
        return reply_to_digest(visit, err);
    int rc = find_place(&a, token, &found, err);
    if (rc == 0 && !found)
        rc = answer_stale(&a, token, err);
    if (rc == 0 && found)
        rc = read_reply(&a, err);
    if (rc == 0 && found)
        rc = reply_act(&a, err);
    suggestions_release(&a.suggestions);
    typed_release(&a.typed);
    reply_release(&a.reply);
    str_release(&a.held);
    return rc;
}

/* What led to a record is known again by the game's journal; all else is remembered here. */
static int answer_vouched(struct visit *visit, struct slice token, struct err *err)
{
    unsigned char digest[MESSAGE_DIGEST];
    bool seen = false;
    content_digest(visit, digest);
    if (claim_player(visit, err) || batch_has_seen(visit->batch, digest, &seen, err))
        return -1;
    if (seen)
        verdict_say(&visit->verdict, "seen_mail", NULL);
    int rc = seen ? 0 : answer_new(visit, token, err);
    if (rc == 0 && !seen && !*visit->touched)
        batch_see(visit->batch, digest);
    return rc;
}

int visit_reply(struct visit *visit, bool *found, struct err *err)
{
    const struct config *config = &visit->batch->league->config;
    const struct vouching *domain = visit->reading->domain;
    struct slice token;
    *found = domain && visit->sender && visit_is_person(visit) &&
             reply_token_in(slice_of(visit->msg->to), config->league.address, config_detail(config), &token);
    if (!*found)
        return 0;
    if (domain->state == VOUCHING_LATER)
        return wait_for_key(visit, err);
    if (domain->state == VOUCHING_REFUSED)
        return refuse_mail(visit, domain->why, err);
    if (is_address_of(&domain->claim.from, visit->sender))
        return answer_vouched(visit, token, err);
    json_t *why = reason_make("reply_from");
    int rc = refuse_mail(visit, why, err);
    json_decref(why);
    return rc;
}
