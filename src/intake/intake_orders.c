#include "intake/intake_parts.h"

#include <string.h>

#include "base/json.h"
#include "base/log.h"
#include "batch/at_hand.h"
#include "play/facts.h"
#include "batch/stuck.h"

static const char *const fate_kinds[] = {
    [ORDERS_TAKEN] = "taken",
    [ORDERS_TRIED] = "tried",
    [ORDERS_SEEN_MAIL] = "seen_mail",
    [ORDERS_SEEN_TEXT] = "seen_text",
    [ORDERS_REPLACED] = "replaced",
    [ORDERS_COPY] = "copied",
    [ORDERS_UNDONE] = "undone",
    [ORDERS_LOWER_SEQ] = "lower_seq",
    [ORDERS_EARLIER] = "earlier",
    [ORDERS_OLD_TURN] = "old_turn",
    [ORDERS_FUTURE_TURN] = "future_turn",
    [ORDERS_OTHER_TURN] = "other_turn",
    [ORDERS_NOT_OPEN] = "not_open",
    [ORDERS_NO_TURN] = "no_turn",
    [ORDERS_OLD_HEAD] = "old_head",
    [ORDERS_UNKNOWN_HEAD] = "unknown_head",
    [ORDERS_LOST_HEAD] = "lost_head",
    [ORDERS_NOT_AWAITED] = "not_awaited",
    [ORDERS_GAME_OVER] = "game_over",
    [ORDERS_NOT_BEGUN] = "not_begun",
    [ORDERS_CLOSED] = "closed_turn",
    [ORDERS_BELOW] = "below",
    [ORDERS_WRONG_KEY] = "wrong_key",
    [ORDERS_NO_HEAD] = "no_head",
    [ORDERS_TOO_MANY] = "too_many",
};

void visit_is_stale(struct visit *visit)
{
    if (visit->claim.proof == PROOF_TEXT)
        visit->claim.proof = PROOF_KEY;
}

static bool stale_fate(enum orders_fate fate)
{
    return orders_copied(fate) || fate == ORDERS_OLD_TURN || fate == ORDERS_GAME_OVER ||
           fate == ORDERS_LOWER_SEQ || fate == ORDERS_EARLIER || fate == ORDERS_WRONG_KEY;
}

static int answer_fate(struct visit *visit, const struct game *game, const struct opened *opened,
                       enum orders_fate fate, struct err *err)
{
    int seat = opened->seat;
    verdict_say(&visit->verdict, fate_kinds[fate], NULL);
    if (fate == ORDERS_SEEN_MAIL) {
        visit_was_seen(visit);
        return 0;
    }
    if (fate == ORDERS_UNKNOWN_HEAD)
        log_warn("game %s: orders of %s answer head %s, which this journal does not hold: a fork, a rollback "
                 "or a forged report; look into it",
                 game->id, opened->player, opened->frame.head);
    json_t *facts = json_pack("{s:s,s:s,s:i,s:i,s:i,s:s}", "game", game->id, "title", game->ruleset->title,
                              "turn", game->turn, "frame_turn", opened->frame.turn, "seq",
                              game->seat[seat].orders.seq, "frame_head", opened->frame.head);
    facts_answer(facts, game, seat);
    facts_opening(facts, game, opened->frame.turn);
    json_object_set_new(facts, "can_order",
                        json_boolean(!game->over && !game->closed && game_may_order(game, seat)));
    if (stale_fate(fate))
        visit_is_stale(visit);
    /* Whoever answers this one has written later, whatever their clock says. */
    const struct answer_game about = {.game = game, .seat = seat};
    return visit_answer_player_in(visit, opened->player,
                                  &(struct words){.kind = fate_kinds[fate],
                                                  .folder = game->ruleset->folder,
                                                  .facts = facts,
                                                  .about = fate == ORDERS_EARLIER ? &about : NULL,
                                                  .understood = true},
                                  err);
}

/* Orders that are tried on a game. */
struct attempt {
    struct batch_game *entry;
    const struct opened *opened;
    struct orders_input input;
    struct step step;
};

/* A valid signature of somebody who has no seat, or no longer has it: perhaps because of this very text. */
static int orders_of_nobody(struct visit *visit, struct attempt *attempt, struct err *err)
{
    const struct opened *opened = attempt->opened;
    const struct game *game = &attempt->entry->game;
    enum orders_fate fate = ORDERS_TAKEN; /* by no seat */
    if (step_copy(&attempt->step, game, &attempt->input, &fate, err))
        return -1;
    visit->taken |= fate == ORDERS_SEEN_MAIL;
    if (orders_copied(fate))
        return answer_fate(visit, game, opened, fate, err);
    visit_is_stale(visit);
    json_t *facts =
        json_pack("{s:s,s:s,s:i}", "game", game->id, "you", opened->player, "frame_turn", opened->frame.turn);
    return visit_answer_player_in(
        visit, opened->player,
        &(struct words){.kind = "wrong_seat", .folder = "", .facts = facts, .understood = true}, err);
}

static int orders_of_seat(struct visit *visit, struct attempt *attempt, struct err *err)
{
    const struct opened *opened = attempt->opened;
    struct step *step = &attempt->step;
    struct game *game = &attempt->entry->game;
    struct batch *batch = visit->batch;
    enum orders_fate fate = ORDERS_TAKEN;
    int rc = step_orders(step, game, &attempt->input, &fate, err);
    if (rc == 0)
        rc = step_finish(step, game, err);
    if (rc == 0)
        rc = batch_take(batch, attempt->entry, step, visit_may_count(visit) ? visit->msg : NULL, err);
    verdict_say(&visit->verdict, fate_kinds[fate], NULL);
    if (fate == ORDERS_SEEN_MAIL)
        visit_was_seen(visit);
    if (rc == 0 && (fate == ORDERS_TAKEN || fate == ORDERS_TRIED || fate == ORDERS_SEEN_MAIL))
        visit->taken = true;
    else if (rc == 0)
        rc = answer_fate(visit, game, opened, fate, err);
    if (rc == 0 && fate == ORDERS_TAKEN)
        rc = stuck_supersede(batch, opened->player, game->id, err);
    visit->recorded |= rc == 0 && step->records.len;
    visit->answers += fate == ORDERS_TRIED; /* it is one, by its id */
    return rc;
}

int visit_orders(struct visit *visit, struct batch_game *entry, struct opened *opened, struct err *err)
{
    struct batch *batch = visit->batch;
    struct err why = ERR_INIT;
    if (frame_spread(&opened->frame, &opened->body, &why))
        return visit_answer_player(visit, opened->player, "bad_frame", json_pack("{s:s}", "error", why.text),
                                   err);
    const struct pubkey *key = opened->proof ? NULL : &opened->key;
    json_t *signature = key ? signature_json(&opened->envelope->sig, key) : NULL;
    opened->seat = game_seat_of(&entry->game, opened->player);
    struct attempt attempt = {.entry = entry,
                              .opened = opened,
                              .input = {opened->seat, &opened->frame, key, slice_str(&opened->exact),
                                        slice_str(&opened->text), signature, visit->msg->digest,
                                        opened->proof, visit->unread, visit->goes_on}};
    hand_signed(batch->league->hands, opened->player, entry->game.id, opened->frame.turn);
    batch_step(batch, entry, &attempt.step);
    int rc = opened->seat ? orders_of_seat(visit, &attempt, err) : orders_of_nobody(visit, &attempt, err);
    step_release(&attempt.step);
    json_decref(signature);
    return rc;
}
