/* A moderator's records that change the table itself: rollback, void, correct. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/apply_parts.h"
#include "game/witness.h"
#include "game/correction.h"
#include "game/past.h"
#include "game/told.h"

/* ---- rollback ---- */

static void swap(void *a, void *b, size_t size)
{
    unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = x[i];
        x[i] = y[i];
        y[i] = byte;
    }
}
#define SWAP(a, b) \
    swap(&(a), &(b), sizeof(a)) /* NOLINT(bugprone-sizeof-expression): pointers are swapped, too */

static void add_marks(struct game_marks *marks, const struct game_marks *more)
{
    for (size_t i = 0; i < more->count; i++) {
        const struct game_mark *mark = &more->list[i];
        size_t at = 0;
        while (at < marks->count && memcmp(marks->list[at].digest, mark->digest, 32) != 0)
            at++;
        if (at == marks->count)
            apply_mark(marks, mark->turn, mark->digest);
    }
}

/* Turns that no longer count do not count for anybody's reliability. That somebody resigned remains a fact. A
 * player who had no numbers then keeps the row, with zeros, for the catalog. */
static void keep_tallies(struct game *game, const struct game *now)
{
    for (size_t i = 0; i < now->attendance.tally_count; i++)
        apply_tally(game, now->attendance.tallies[i].player)->resigned = now->attendance.tallies[i].resigned;
}

/* `game` has gone back; what a seat is now: who sits there, since when and with which keys, is a fact about
 * people, and no turn undoes it. What somebody else ordered, said or missed on this seat is not counted for
 * them. */
static void keep_seat(const struct game *game, struct game_seat *seat, const struct game_seat *now)
{
    bool same = !now->robot && !seat->robot && strcmp(seat->player, now->player) == 0;
    told_hands_over(game, seat, now->player);
    memcpy(seat->player, now->player, sizeof seat->player);
    seat->robot = now->robot;
    seat->resigned = now->resigned;
    memcpy(seat->keys, now->keys, sizeof seat->keys);
    seat->key_count = now->key_count;
    seat->rekey = now->rekey;
    seat->keys_day = now->keys_day;
    seat->key_text_day = now->key_text_day;
    str_clear(&seat->keys_gone);
    str_adds(&seat->keys_gone, now->keys_gone.p ? now->keys_gone.p : "");
    memcpy(seat->owner, now->owner, sizeof seat->owner);
    memcpy(seat->owner_keys, now->owner_keys, sizeof seat->owner_keys);
    seat->owner_key_count = now->owner_key_count;
    str_clear(&seat->took_back);
    str_adds(&seat->took_back, now->took_back.p);
    seat->offered[0] = '\0'; /* offers are made again where the seat is vacant */
    seat->offered_until = 0;
    seat->offered_turn = 0;
    seat->offered_more = false;
    str_clear(&seat->asked);
    str_clear(&seat->instant);
    seat->vote = 0;
    seat->orders.question = 0;     /* it was about the turn of that time */
    seat->press = seat->texts = 0; /* the turn is open again, and there is something to talk about */
    seat->text_bytes = 0;
    if (same)
        return;
    apply_no_orders(seat);
    str_clear(&seat->said);
    seat->missed = 0;
    told_sits(game, seat);
}

/* The game goes back; what stays as it is now is decided here, one by one. */
static void go_back(struct game *game, struct game *then)
{
    struct game now = *game;
    *game = *then;
    *then = now;
    struct game *old = then;
    /* its place in the journal */
    game->seq = old->seq;
    memcpy(game->head, old->head, sizeof game->head);
    game->journal.length = old->journal.length;
    game->journal.last_from = old->journal.last_from;
    game->time = old->time;
    if (old->without.turn) /* that is not taken back */
        witness_give_up(game, old->without.turn);
    game->draws.rollbacks = old->draws.rollbacks + 1;
    /* a pause is about the calendar, not about a turn */
    game->clock.paused = old->clock.paused;
    game->opened.undone = old->opened.undone > old->turn ? old->opened.undone : old->turn;
    /* people's wishes, and messages not delivered yet */
    SWAP(game->table.waiting, old->table.waiting);
    SWAP(game->table.waiting_count, old->table.waiting_count);
    SWAP(game->table.waiting_cap, old->table.waiting_cap);
    SWAP(game->attendance.standby, old->attendance.standby);
    SWAP(game->observers.names, old->observers.names);
    SWAP(game->press.wait, old->press.wait);
    for (int seat = 1; seat <= game->seats; seat++)
        keep_seat(game, &game->seat[seat], &old->seat[seat]);
    keep_tallies(game, old);
    /* what was obeyed is not obeyed again */
    add_marks(&game->seen.mails, &old->seen.mails);
    add_marks(&game->seen.texts, &old->seen.texts);
    /* heads of turns that were taken back say nothing about this one */
    game->seen.heads.count = 0;
}

/* The turn is open again: its clock begins with the record. The vacations that moved deadlines since are
 * unused again (`away` has gone back). */
static int open_again(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    const char *deadline = apply_text(a, "deadline");
    game->clock.deadline = 0;
    if (*deadline && !clock_parse(slice_of(deadline), &game->clock.deadline))
        return apply_broken(a, err, "its deadline is no time");
    game->opened.at = game->clock.dated = a->record->time;
    game->opened.seq = a->record->seq;
    memcpy(game->opened.head, a->record->head, HEAD_BYTES);
    game->clock.paused_from = game->clock.paused ? a->record->time : 0;
    game->clock.reminded = 0;
    game->clock.extended = false;
    game->clock.spared = 0;
    game->clock.hold_turn = 0;
    game->clock.hold_until = 0;
    /* All the orders of that time may be there: the turn would be played again at once, as it was. */
    game->clock.held = false;
    game->clock.held = game_awaited(game) && !game_missing(game);
    return 0;
}

int apply_rollback(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    unsigned char named[32], digest[32];
    struct game then;
    int64_t record, turn;
    if (json_need_int(a->record->json, "record", 1, game->seq - 1, &record, "rollback", err) ||
        json_need_int(a->record->json, "turn", 1, 9999, &turn, "rollback", err))
        return -1;
    const struct game *past = past_find(a->past, record);
    if (!past || past->turn != turn || past->over || past->closed ||
        strcmp(past->journal.last_type, "close") == 0)
        return apply_broken(a, err, "the record that it goes back to is missing, or not one of an open turn");
    fields_digest(game->ruleset->fields, past->state, digest);
    if (!apply_hex(a, "state", named, 32) || memcmp(named, digest, 32) != 0)
        return apply_broken(a, err, "the state that it names is not the one of that record");
    if (game_copy(past, &then, err))
        return -1;
    go_back(game, &then);
    game_release(&then);
    return open_again(a, err);
}

/* ---- void ---- */

int apply_void(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    (void)err;
    game->over = game->voided = true;
    game->clock.paused = game->clock.held = false;
    game->clock.paused_from = game->clock.hold_until = 0;
    for (size_t i = 0; i < game->attendance.tally_count; i++)
        game->attendance.tallies[i].awaited = game->attendance.tallies[i].missed =
            game->attendance.tallies[i].resigned = 0;
    return 0;
}

/* ---- correct ---- */

/* The changes that all may see are in the record, the others under its seal. */
static json_t *all_changes(struct applying *a, struct err *err)
{
    json_t *all = json_copy(json_object_get(a->record->json, "changes"));
    const char *hex = apply_text(a, "seal");
    unsigned char seal[SEAL_BYTES];
    if (!*hex || !all)
        return all;
    const struct sealed *sealed = apply_payload(a, 0, SEAL_HIDDEN, hex, seal);
    json_t *payload = sealed ? json_read(slice_str(&sealed->payload), "correction", err) : NULL;
    const json_t *hidden = json_object_get(payload, "changes");
    if (!json_is_array(hidden)) {
        json_decref(all);
        all = NULL;
    } else {
        json_array_extend(all, (json_t *)(uintptr_t)hidden);
    }
    json_decref(payload);
    return all;
}

int apply_correct(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct err why = ERR_INIT;
    unsigned char named[32], digest[32];
    json_t *changes = all_changes(a, &why);
    if (json_array_size(changes) == 0) {
        json_decref(changes);
        return apply_broken(a, err, "what it corrects is missing from it, or its box is not opened");
    }
    void *state = mem_alloc(game->ruleset->state_size);
    int rc = correction_state(game, changes, state, &why);
    if (rc)
        rc = apply_broken(a, err, why.text);
    fields_digest(game->ruleset->fields, state, digest);
    if (rc == 0 && (!apply_hex(a, "state", named, 32) || memcmp(named, digest, 32) != 0))
        rc = apply_broken(a, err, "the state that it names is another one");
    if (rc == 0) {
        memcpy(game->state, state, game->ruleset->state_size);
    }
    free(state);
    json_decref(changes);
    return rc;
}
