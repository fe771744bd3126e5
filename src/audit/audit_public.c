/* Where orders and draws are sealed the rules cannot be played. What is public of a game is still tracked:
 * who sits where with which keys, seals, deadlines, the proofs of draws. */
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "chance/vrf.h"
#include "game/apply_parts.h"
#include "game/game_seats.h"
#include "audit/audit_parts.h"
#include "league/name_list.h"
#include "game/seat_keys.h"
#include "game/seating.h"
#include "game/witness.h"

/* ---- seats ---- */

/* Since when orders of a seat count, as of the state after that record. */
static int64_t since(const struct audit_seals *seals, int64_t record)
{
    size_t i = seals->sat_count;
    while (i && seals->sat[i - 1].record > record)
        i--;
    return i ? seals->sat[i - 1].since : 0;
}

/* From this record on, orders of the seat count that were made after that one. */
static void count_since(struct auditing *a, int seat, int64_t record)
{
    struct audit_seals *seals = &a->seals[seat];
    seals->sat = mem_grow(seals->sat, seals->sat_count, &seals->sat_cap, sizeof *seals->sat);
    seals->sat[seals->sat_count++] = (struct audit_since){a->record->seq, record};
}

/* Has no rollback undone that record, or has a later one restored it? */
static bool stands(const struct auditing *a, int64_t record)
{
    int64_t last = INT64_MAX; /* what is left of the records up to here leads to the present state */
    for (size_t i = a->seen.back_count; i > 0; i--) {
        const struct audit_back *back = &a->seen.backs[i - 1];
        if (back->record > last)
            continue;
        if (record > back->record)
            break;
        last = back->to;
    }
    return record <= last;
}

/* May they be in force in the open turn? */
static bool may_count(const struct auditing *a, int seat, const struct audit_seal *orders)
{
    const struct game *game = &a->game;
    bool early = game->ruleset->early || game->seats == 1;
    return stands(a, orders->record) && orders->record > since(&a->seals[seat], a->record->seq) &&
           (early || orders->turn == game->turn);
}

/* What a record does, but for what only the rules tell. */
static int public_apply(struct auditing *a, int (*apply)(struct applying *a, struct err *err))
{
    struct err err = ERR_INIT;
    struct applying applying = {&a->game, a->record, &a->payloads, NULL, &a->past, false};
    return apply(&applying, &err) ? audit_refused(a, &err) : 0;
}

/* Players who resign leave the orders that they have sent to the robot. */
static int public_seat(struct auditing *a)
{
    if (public_apply(a, apply_seated))
        return -1;
    if (a->game.turn > 0 && strcmp(audit_text(a, "why"), "resigned") != 0)
        count_since(a, audit_seat(a), a->record->seq);
    return 0;
}

/* A moderator gives the seat to a robot, or keeps it for somebody; or, before the deal, nobody has it any more. */
static int public_replace(struct auditing *a)
{
    if (public_apply(a, a->kind->apply))
        return -1;
    if (audit_has(a, "robot"))
        count_since(a, audit_seat(a), a->record->seq);
    return 0;
}

/* ---- turns ---- */

static int open_turn(struct auditing *a)
{
    if (audit_number(a, "turn") != a->game.turn)
        return audit_broken(a, AUDIT_ORDER, audit_seat(a), "it is not about the open turn, which is %d",
                            a->game.turn);
    return 0;
}

static int begun(struct auditing *a)
{
    return a->game.turn ? 0 : audit_broken(a, AUDIT_ORDER, audit_seat(a), "the game has not begun");
}

/* Only in some games orders wait for better ones. */
static int public_waits(struct auditing *a, bool may)
{
    return audit_has(a, "waits") && !(may && a->game.clock.typo_wait)
               ? audit_broken(a, AUDIT_ORDER, audit_seat(a),
                              "orders are said to wait for better ones that may not")
               : 0;
}

/* `orders`, and a moderator's "orders". */
static int public_orders(struct auditing *a)
{
    struct audit_seals *seals = &a->seals[audit_seat(a)];
    struct audit_seal orders = {.record = a->record->seq, .turn = a->game.turn};
    if (open_turn(a) || begun(a) || public_waits(a, true))
        return -1;
    if (!audit_hex(a, "seal", orders.seal))
        return audit_broken(a, AUDIT_FORM, 0, "no seal");
    a->game.seat[audit_seat(a)].orders.question = 0;
    orders.set = audit_is(a, "moderate");
    orders.waits = audit_has(a, "waits");
    seals->list = mem_grow(seals->list, seals->count, &seals->cap, sizeof *seals->list);
    seals->list[seals->count++] = orders;
    return 0;
}

/* Earlier ones are no longer needed, unless the game may go back to them. */
static void drop_before(struct auditing *a, struct audit_seals *seals, size_t i)
{
    if (a->past.wanted_count)
        return;
    memmove(seals->list, seals->list + i, (seals->count - i) * sizeof *seals->list);
    seals->count -= i;
}

/* The seal that `close` names must be one of the seat's. */
static int take_seal(struct auditing *a, int seat, const char *hex)
{
    struct audit_seals *seals = &a->seals[seat];
    struct game_orders *orders = &a->game.seat[seat].orders;
    orders->in = *hex != '\0';
    orders->waits = false;
    if (!orders->in)
        return 0;
    if (!hex_decode(orders->seal, SEAL_BYTES, slice_of(hex)))
        return audit_broken(a, AUDIT_FORM, seat, "its seals cannot be read");
    for (size_t i = 0; i < seals->count; i++) {
        const struct audit_seal *one = &seals->list[i];
        if (one->set || memcmp(one->seal, orders->seal, SEAL_BYTES) != 0 || !may_count(a, seat, one))
            continue;
        /* of a solo text for several turns the later orders were judged when their turn opened */
        orders->waits = one->waits && (a->game.seats > 1 || one->turn == a->game.turn);
        drop_before(a, seals, i);
        return 0;
    }
    return audit_broken(a, AUDIT_SEAL, seat,
                        "it names a seal of seat %d that no orders of that seat have which may count", seat);
}

static bool moderator_set(const struct auditing *a, int64_t seat)
{
    const struct audit_seals *seals = &a->seals[seat];
    for (size_t i = 0; i < seals->count; i++)
        if (seals->list[i].set && may_count(a, (int)seat, &seals->list[i]))
            return true;
    return false;
}

/* The deal is closed with the seals of the texts that asked for the seats. */
static int join_seal(struct auditing *a, int seat, const char *hex)
{
    json_t *seals = turn_seals(&a->game);
    bool same = strcmp(json_string_value(json_array_get(seals, (size_t)seat - 1)), hex) == 0;
    json_decref(seals);
    return same ? 0
                : audit_broken(a, AUDIT_SEAL, seat, "it names another seal of seat %d than its join text has",
                               seat);
}

/* Seats whose orders in force a moderator set. */
static int public_set(struct auditing *a, const json_t *seals)
{
    size_t i;
    json_t *item;
    unsigned char deal[GAME_DEAL];
    if (!audit_has(a, "set") || !audit_has(a, "deal") || !audit_has(a, "rollbacks"))
        return audit_broken(a, AUDIT_FORM, 0, "its members do not go together");
    if (!audit_hex(a, "deal", deal) || memcmp(deal, a->game.draws.deal, GAME_DEAL) != 0 ||
        audit_number(a, "rollbacks") != a->game.draws.rollbacks)
        return audit_broken(a, AUDIT_DRAW, 0, "it names another deal, or another number of rollbacks");
    json_array_foreach (json_object_get(a->record->json, "set"), i, item) {
        int64_t seat = json_integer_value(item);
        if (seat > a->game.seats || a->game.seat[seat].robot || !moderator_set(a, seat) ||
            *json_string_value(json_array_get(seals, (size_t)seat - 1)))
            return audit_broken(a, AUDIT_ORDER, 0, "no moderator has set orders for a seat that it names");
    }
    return 0;
}

static bool is_set(const struct auditing *a, int64_t seat)
{
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(a->record->json, "set"), i, item)
        if (json_integer_value(item) == seat)
            return true;
    return false;
}

/* Nobody has been asked to stand in. */
static void no_offer(struct game_seat *seat)
{
    seat->offered[0] = '\0';
    str_clear(&seat->asked);
}

static int public_close(struct auditing *a)
{
    struct game *game = &a->game;
    const json_t *seals = json_object_get(a->record->json, "seals");
    const json_t *missed = json_object_get(a->record->json, "missed");
    uint32_t silent = 0;
    if (open_turn(a))
        return -1;
    if (json_array_size(seals) != (size_t)game->seats)
        return audit_broken(a, AUDIT_FORM, 0, "it has not a seal for each seat");
    for (int seat = 1; seat <= game->seats; seat++) {
        const char *hex = json_string_value(json_array_get(seals, (size_t)seat - 1));
        if (game->turn == 0 ? join_seal(a, seat, hex) : take_seal(a, seat, hex))
            return -1;
        memset(game->close.marks[seat], 0, SEAL_BYTES);
        if (game->turn > 0 && (*hex || is_set(a, seat))) /* in time: nobody is asked to stand in */
            no_offer(&game->seat[seat]);
        if (*hex && !hex_decode(game->close.marks[seat], SEAL_BYTES, slice_of(hex)))
            return audit_broken(a, AUDIT_FORM, seat, "its seals cannot be read");
    }
    if (public_set(a, seals))
        return -1;
    settle_away(game, a->record->time);
    witness_close(game, a->record, game->journal.length);
    if (game->turn == 0)
        return 0;
    for (size_t i = 0; i < json_array_size(missed); i++) {
        int64_t seat = json_integer_value(json_array_get(missed, i));
        if (seat > game->seats || game->seat[seat].robot || game->seat[seat].orders.in || is_set(a, seat))
            return audit_broken(a, AUDIT_ORDER, 0, "a seat is said to have missed the turn that cannot have");
        silent |= SEAT_BIT(seat);
    }
    return audit_closing(a, silent);
}

/* `start` names the seats that its dice give, which anybody can compute. */
static int draw_seats(struct auditing *a, struct chance *dice)
{
    int from[SEATS_MAX + 1];
    seating_draw(&a->game, dice, from);
    json_t *drawn = seating_json(&a->game, from);
    bool same = drawn ? json_equal(drawn, json_object_get(a->record->json, "drawn")) : !audit_has(a, "drawn");
    json_decref(drawn);
    if (!same)
        return audit_broken(a, AUDIT_DRAW, 0, "the seats it names are not those that were drawn");
    seating_take(&a->game, from);
    return 0;
}

static int public_turn(struct auditing *a)
{
    struct game *game = &a->game;
    unsigned char proof[VRF_PROOF], beta[VRF_OUTPUT], root[64];
    struct chance dice;
    struct str alpha = STR_INIT;
    struct audit_opening opening = {.before = game->clock.deadline, .doubt = a->doubt};
    if (open_turn(a) || public_waits(a, game->seats == 1))
        return -1;
    if (witness_waits(game, a->record->time))
        return audit_broken(a, AUDIT_DRAW, 0,
                            "too few witnesses have answered, or the others have had no day for it");
    turn_alpha(&alpha, game);
    bool good = hex_decode(proof, VRF_PROOF, slice_of(audit_text(a, "pi"))) &&
                vrf_verify(beta, game->draws.key, proof, slice_str(&alpha));
    str_release(&alpha);
    if (!good)
        return audit_broken(a, AUDIT_DRAW, 0, "the proof of its draws is wrong");
    a->out->counts.proofs++;
    witness_root(root, game, beta);
    chance_replay(&dice, root, game->draws.key);
    if (audit_hidden(a, &dice) || public_apply(a, apply_away) || /* by the seats before the draw */
        (game->turn == 0 && draw_seats(a, &dice)))
        return -1;
    for (int seat = 1; seat <= game->seats; seat++) {
        game->seat[seat].orders.in = false;
        game->seat[seat].orders.question = 0; /* of who was not awaited yet, only the rules know */
        game->seat[seat].vote = 0;
        game->seat[seat].owner[0] = '\0';
    }
    witness_open(game);
    if (game->turn == 0)
        memcpy(game->draws.deal, proof, GAME_DEAL);
    game->turn++;
    game->opened.at = a->record->time;
    game->seen.heads.count = game->seen.texts.count = game->seen.mails.count = 0;
    game->clock.deadline = audit_moment(a, "deadline");
    game->clock.reminded = 0;
    game->clock.extended = a->may_be_held = false;
    return audit_deadline(a, &opening);
}

/* ---- notes ---- */

/* Seats are reminded of the open turn's deadline, once: only players, no matter which of them is awaited. */
static int public_reminder(struct auditing *a)
{
    struct game *game = &a->game;
    size_t i;
    json_t *item;
    uint32_t seats = 0;
    json_array_foreach (json_object_get(a->record->json, "seats"), i, item) {
        int64_t seat = json_integer_value(item); /* audit_fields: 1 to SEATS_MAX, rising */
        if (seat > game->seats || !seat_has_person(game, (int)seat))
            return audit_broken(a, AUDIT_ORDER, 0, "a seat is reminded that no player has");
        seats |= SEAT_BIT(seat);
    }
    if (!seats || (seats & game->clock.reminded) || audit_moment(a, "deadline") != game->clock.deadline)
        return audit_broken(
            a, AUDIT_DEADLINE, 0,
            "nobody is reminded, or somebody twice, or of another deadline than that of the turn");
    game->clock.reminded |= seats;
    return 0;
}

/* Whether the player's orders are awaited is only known with the rules. */
static int public_question(struct auditing *a)
{
    struct game_orders *orders = &a->game.seat[audit_seat(a)].orders;
    struct vouched vouched;
    if (!vouched_read(json_object_get(a->record->json, "vouched"), &vouched)) /* audit_question has */
        return audit_broken(a, AUDIT_FORM, audit_seat(a), "who vouches for its mail cannot be read");
    if (orders->question)
        return audit_broken(a, AUDIT_ORDER, audit_seat(a), "a question to that player is open already");
    orders->question = vouched.sent;
    return 0;
}

/* Whether the votes suffice can only be counted with the rules. */
static int public_vote(struct auditing *a)
{
    return public_apply(a, apply_voted);
}

static int public_offer(struct auditing *a)
{
    return public_apply(a, apply_offered);
}

/* ---- moderators ---- */

/* The vacations that had moved deadlines by then. */
static void away_again(struct game *game, const struct game *then)
{
    game->clock.away_count = 0;
    for (size_t i = 0; i < then->clock.away_count; i++) {
        game->clock.away = mem_grow(game->clock.away, game->clock.away_count, &game->clock.away_cap,
                                    sizeof *game->clock.away);
        game->clock.away[game->clock.away_count++] = then->clock.away[i];
    }
}

/* The public part of the state: the last digest that a record names. */
void audit_keep_state(struct auditing *a)
{
    unsigned char state[32] = {0};
    if (!audit_hex(a, "state", state) && a->seen.state_count)
        memcpy(state, a->seen.states[a->seen.state_count - 1], sizeof state);
    a->seen.states =
        mem_grow(a->seen.states, a->seen.state_count, &a->seen.state_cap, sizeof *a->seen.states);
    memcpy(a->seen.states[a->seen.state_count++], state, sizeof state);
}

/* Orders of that time belong to the player who had the seat then. */
static void since_again(struct auditing *a, int seat, const struct game_seat *then)
{
    const struct game_seat *now = &a->game.seat[seat];
    bool same = !now->robot && !then->robot && strcmp(now->player, then->player) == 0;
    count_since(a, seat, same ? since(&a->seals[seat], audit_number(a, "record")) : a->record->seq);
}

static int public_rollback(struct auditing *a)
{
    struct game *game = &a->game;
    const struct game *then = past_find(&a->past, audit_number(a, "record"));
    if (!then || audit_number(a, "record") >= game->seq || then->turn < 1 ||
        then->turn != audit_number(a, "turn") || then->closed)
        return audit_broken(a, AUDIT_ORDER, 0, "the record that it goes back to is not one of an open turn");
    unsigned char state[32];
    if (!audit_hex(a, "state", state) ||
        memcmp(state, a->seen.states[audit_number(a, "record") - 1], sizeof state) != 0)
        return audit_broken(a, AUDIT_RULES, 0, "the state that it names is not the one of that record");
    a->seen.backs = mem_grow(a->seen.backs, a->seen.back_count, &a->seen.back_cap, sizeof *a->seen.backs);
    a->seen.backs[a->seen.back_count++] = (struct audit_back){a->record->seq, audit_number(a, "record")};
    game->turn = then->turn;
    game->draws.rollbacks++;
    game->clock.deadline = audit_moment(a, "deadline");
    game->opened.at = a->record->time;
    game->clock.paused_from = game->clock.paused ? a->record->time : 0;
    game->clock.held = game->clock.extended = false;
    game->clock.hold_turn = 0;
    game->clock.hold_until = 0;
    game->clock.reminded = 0;
    a->may_be_held =
        true; /* it is if all orders of that time are there, and only the rules say whose are wanted */
    away_again(game, then);
    game->seen.heads.count = game->seen.texts.count = game->seen.mails.count = 0;
    witness_open(game);
    for (int seat = 1; seat <= game->seats; seat++) {
        game->seat[seat].orders.in = false;
        game->seat[seat].orders.question = 0;
        game->seat[seat].vote = 0;
        no_offer(&game->seat[seat]);
        since_again(a, seat, &then->seat[seat]);
    }
    return 0;
}

static int public_void(struct auditing *a)
{
    a->game.voided = a->game.over = true;
    return 0;
}

/* Is it known from this record on whether the turn is held? A moderator's hold survives "pause" and "extend".
 */
static bool ends_doubt(const struct auditing *a)
{
    return audit_kind_is(a, RECORD_HOLD) || audit_kind_is(a, RECORD_DO_RESUME) ||
           audit_kind_is(a, RECORD_DO_HOLD) || audit_kind_is(a, RECORD_DO_RESOLVE);
}

/* What holds and pauses the game, and moves its calendar, is open; but a rollback may have left it in doubt.
 */
static int public_open(struct auditing *a)
{
    if (a->may_be_held && audit_kind_is(a, RECORD_DO_RESUME) && !a->game.clock.paused)
        a->game.clock.held = true; /* it must have been */
    if (ends_doubt(a))
        a->may_be_held = false;
    return audit_apply(a, NULL);
}

/* Advances the game's last record, whatever the record is: like a record that changes nothing else. */
static int pass(struct auditing *a)
{
    struct err err = ERR_INIT;
    const struct apply_input input = {a->record, a->game.journal.length + 1, &a->payloads, NULL, &a->past,
                                      false};
    return game_pass(&a->game, &input, &err) ? audit_refused(a, &err) : 0;
}

/* The public effects of records that do more than that. Of kinds not listed here it is only public that they
 * were made. */
static int (*const publics[RECORD_IDS])(struct auditing *a) = {
    [RECORD_SEAT] = public_seat,
    [RECORD_ORDERS] = public_orders,
    [RECORD_CLOSE] = public_close,
    [RECORD_START] = public_turn,
    [RECORD_TURN] = public_turn,
    [RECORD_REMINDER] = public_reminder,
    [RECORD_OFFER] = public_offer,
    [RECORD_VOTE] = public_vote,
    [RECORD_DO_ROLLBACK] = public_rollback,
    [RECORD_DO_ORDERS] = public_orders,
    [RECORD_DO_REPLACE] = public_replace,
    [RECORD_DO_BAN] = public_replace,
    [RECORD_DO_VOID] = public_void,
    [RECORD_QUESTION] = public_question,
};

int audit_public(struct auditing *a)
{
    /* Before the deal these depend on nothing that is sealed. */
    bool early = a->game.turn == 0 && (audit_kind_is(a, RECORD_REMINDER) || audit_kind_is(a, RECORD_END));
    if (a->kind->open || early)
        return public_open(a);
    int (*public)(struct auditing *) = publics[record_id_of(a->kind)];
    int rc = public ? public(a) : 0;
    a->game.over = a->game.over || audit_is(a, "end");
    return rc || pass(a) ? -1 : 0;
}
