

#include "base/encode.h"

#include <sodium.h>
#include <stdlib.h>

#include "play/facts.h"
#include "game/seating.h"
#include "game/told.h"
#include "league/outside.h"
#include "league/registry.h"
#include "play/step_parts.h"
#include "play/typos.h"
#include "game/witness.h"

/* The draws of the open turn, its state and events. */
static int live_play(struct step *step, struct game *game, struct turn_result *result,
                     unsigned char proof[VRF_PROOF], struct err *err)
{
    unsigned char beta[VRF_OUTPUT], root[64];
    struct chance chance;
    struct str alpha = STR_INIT;
    turn_alpha(&alpha, game);
    bool proved = vrf_prove(proof, beta, step->keys.vrf_secret, step->keys.vrf_public, slice_str(&alpha));
    str_release(&alpha);
    if (!proved)
        return err_set(err, ERR_CONFIG, "keys/secret/vrf is not a usable key");
    witness_root(root, game, beta);
    chance_live(&chance, root, step->keys.vrf_secret, step->keys.vrf_public);
    turn_play(game, &chance, result);
    if (result->chance.broken) {
        turn_result_release(result);
        return err_set(err, ERR_CONFIG, "keys/secret/vrf is not a usable key");
    }
    return 0;
}

static json_t *seal_hidden(struct step *step, const struct game *game, const struct turn_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < result->chance.hidden_count; i++) {
        const struct chance_hidden *draw = &result->chance.hidden[i];
        json_t *proof =
            json_pack("{s:s,s:o}", "label", draw->label, "proof", json_hex(draw->proof, VRF_PROOF));
        json_t *item = json_object();
        step_box_json(step, game, &(struct step_boxed){.item = SEAL_HIDDEN + (int)i, .round = 1}, proof,
                      item);
        json_array_append_new(list, item);
    }
    return list;
}

/* The digest of what each seat is told, sealed: the reports can be compared with it later. */
static json_t *seal_reports(struct step *step, const struct game *game, const struct turn_result *result)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= game->seats; seat++) {
        struct str payload = STR_INIT;
        if (!result->view[seat]) {
            json_array_append_new(list, json_string(""));
            continue;
        }
        hex_encode(&payload, result->told[seat], sizeof result->told[seat]);
        json_array_append_new(list, step_seal(step, game, seat, SEAL_REPORT, slice_str(&payload)));
        str_release(&payload);
    }
    return list;
}

static bool wants_each_move(const struct step *step, const char *name)
{
    const struct outside *outside = step->keys.outside;
    const struct player *player = outside ? registry_find(outside->players, name) : NULL;
    return player && player->each_move;
}

/* Seats that are out of the game since this turn. */
static uint32_t just_out(const struct game *game, const struct turn_result *result)
{
    struct score before[SEATS_MAX + 1] = {{0}}, after[SEATS_MAX + 1] = {{0}};
    uint32_t out = 0;
    game->ruleset->end.scores(game->cards, game->state, before);
    game->ruleset->end.scores(game->cards, result->state, after);
    for (int seat = 1; seat <= game->seats; seat++)
        if (before[seat].fate == SEAT_PLAYING && after[seat].fate != SEAT_PLAYING)
            out |= SEAT_BIT(seat);
    return out;
}

/* People whose turn it was, and whose own orders it was played by, whether they came now or waited. */
static uint32_t who_ordered(const struct game *game)
{
    uint32_t awaited = game_awaited(game), ordered = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (game->seat[seat].orders.in)
            ordered |= awaited & SEAT_BIT(seat);
    return ordered;
}

/* The seat that an event was aimed at by another's; 0: none. */
static int aimed_at(const struct event *event)
{
    for (int i = 0; i < event->params; i++)
        if (slice_eq(event->param[i].name, "target_seat") && event->param[i].number != event->seat)
            return (int)event->param[i].number;
    return 0;
}

/* Seats that others have attacked, robbed or spied out, as far as they may know of it. */
static uint32_t who_was_aimed_at(const struct turn_result *result)
{
    uint32_t seats = 0;
    for (size_t i = 0; i < result->events.count; i++) {
        const struct event *event = &result->events.list[i];
        const int seat = aimed_at(event);
        seats |= seat > 0 ? event->visible & SEAT_BIT(seat) : 0;
    }
    return seats;
}

/* The seats whose reports are made of the turn: who has to decide now, or has missed it, or is out of the game;
 * where the game waits for people now, who has played by their own orders since it waited last, and to whom others
 * have done something; who wants each move; nobody is left without a report for long. At the end, all. */
static uint32_t to_tell(struct step *step, const struct game *game, const struct turn_result *result)
{
    uint32_t decide = turn_missing(game, result);
    uint32_t tell = decide | game_missing(game) | just_out(game, result);
    step->hears |= who_ordered(game) | who_was_aimed_at(result);
    if (game->ruleset->awaits(result->state) == 0 || game_round_over(game, step_time(step, game)))
        return told_people(game);
    if (decide) {
        tell |= step->hears;
        step->hears = 0;
    }
    for (int seat = 1; seat <= game->seats; seat++)
        if (game->turn + 1 >= game->seat[seat].told + TOLD_MOST ||
            wants_each_move(step, game->seat[seat].player))
            tell |= SEAT_BIT(seat);
    return tell & told_people(game);
}

static json_t *seats_list(uint32_t seats)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        if (seats & SEAT_BIT(seat))
            json_array_append_new(list, json_integer(seat));
    return list;
}

/* Whose vacations move the deadline of the turn that opens: of those who have to act in it. By the seats that
 * they have in `game`: before the deal that is not where the draw puts them. */
static uint32_t may_be_away(const struct game *game, const struct turn_result *result)
{
    uint32_t missing = turn_missing(game, result);
    uint32_t seats = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (missing & SEAT_BIT(seat))
            seats |= SEAT_BIT(game->turn ? seat : result->from[seat]);
    return seats;
}

/* The deadline of the turn that opens now, and whose vacations it was moved for. */
static int64_t next_deadline(const struct step *step, const struct game *game, struct resolved *resolved)
{
    const struct turn_result *result = &resolved->result;
    const struct outside *outside = step->keys.outside;
    int64_t now = step_time(step, game);
    bool interrupted = game->ruleset->interrupted && game->ruleset->interrupted(result->state);
    int64_t deadline =
        interrupted && game->clock.deadline > now ? game->clock.deadline : game_next_deadline(game, now);
    resolved->away = json_array();
    game_spare(game, outside, may_be_away(game, result), &deadline, resolved->away);
    return deadline;
}

static void resolved_release(struct resolved *resolved)
{
    turn_result_release(&resolved->result);
    json_decref(resolved->away);
    json_decref(resolved->files);
}

/* Plays the open turn (0: the deal) and records it, and the end if that is all that may follow. `resolved` begins with zeros; the caller
 * releases it. */
static int record_turn(struct step *step, struct game *game, struct resolved *resolved, struct err *err)
{
    struct turn_result *result = &resolved->result;
    unsigned char proof[VRF_PROOF];
    if (live_play(step, game, result, proof, err))
        return -1;
    bool over = game->ruleset->awaits(result->state) == 0;
    json_t *fields =
        json_pack("{s:i,s:o,s:o,s:o,s:o,s:o}", "turn", game->turn, "pi", json_hex(proof, VRF_PROOF), "state",
                  json_hex(result->state_digest, 32), "events", json_hex(result->events_digest, 32), "hidden",
                  seal_hidden(step, game, result), "reports", seal_reports(step, game, result));
    bool corrects = typos_wait_next(game, result); /* the one seat of a solo game has to */
    uint32_t told = game->turn ? to_tell(step, game, result) : told_people(game);
    told |= corrects ? SEAT_BIT(1) : 0;
    if (told != told_people(game))
        json_object_set_new(fields, "told", seats_list(told));
    json_t *drawn = game->turn == 0 ? seating_json(game, result->from) : NULL;
    if (drawn)
        json_object_set_new(fields, "drawn", drawn);
    if (corrects)
        json_object_set_new(fields, "waits", json_true());
    int64_t deadline = over ? 0 : next_deadline(step, game, resolved);
    if (deadline)
        json_object_set_new(fields, "deadline", json_time(deadline));
    if (deadline && json_array_size(resolved->away))
        json_object_set(fields, "away", resolved->away);
    if (step_record(step, game, game->turn == 0 ? "start" : "turn", fields, result, err))
        return -1;
    if (!game->over && !game_round_over(game, game->time))
        return 0;
    return step_end(step, game, err) || step_files(step, game, &resolved->files, err) ? -1 : 0;
}

int step_open(struct step *step, struct game *game, struct err *err)
{
    unsigned char key[32];
    game_seal_key(key, step->keys.master, game);
    json_t *fields = json_pack("{s:o}", "seal_key", json_hex(key, sizeof key));
    sodium_memzero(key, sizeof key);
    return step_record(step, game, "open", fields, NULL, err);
}

bool step_keeps_shut(const struct step *step, const struct game *game)
{
    return game_withheld(game) && step->now < game->clock.lockstep.closes;
}

/* The end: scores for all to see, where there are any. */
int step_end(struct step *step, struct game *game, struct err *err)
{
    json_t *fields = json_pack("{s:i,s:s,s:o}", "turns", game->turn ? game->turn - 1 : 0, "reason",
                               game_ending(game), "scores", facts_final(game));
    if (step_record(step, game, "end", fields, NULL, err))
        return -1;
    return step_keeps_shut(step, game) ? 0 : step_open(step, game, err);
}

int step_cut_short(struct step *step, struct game *game, struct err *err)
{
    return step_end(step, game, err) || step_last_reports(step, game, err) ? -1 : 0;
}

static json_t *close_fields(const struct game *game)
{
    json_t *missed = seats_list(game_missing(game));
    json_t *fields = turn_close(game);
    json_object_set_new(fields, "turn", json_integer(game->turn));
    json_object_set_new(fields, "missed", missed);
    return fields;
}

/* Closes the open turn for orders. */
static int close_turn(struct step *step, struct game *game, struct err *err)
{
    return step_record(step, game, "close", close_fields(game), NULL, err);
}

int step_begin(struct step *step, struct game *game, struct err *err)
{
    struct resolved resolved = {.away = NULL};
    if (!game_ready(game) || game_deal_waits(game, step->now))
        return 0;
    if (game->witnesses.count && !game->closed && close_turn(step, game, err))
        return -1;
    if (witness_waits(game, step_time(step, game)))
        return 0;
    int rc = record_turn(step, game, &resolved, err);
    if (rc == 0) {
        step->begun = told_since(game, 0);
        step_post_reports(step, game, POST_WELCOME, 0, &resolved);
    }
    resolved_release(&resolved);
    if (rc)
        return -1;
    /* Robots that move first wait for nobody. */
    return !game->over && step_ripe(step, game) ? step_resolve(step, game, err) : 0;
}

/* ---- resolution ---- */

static uint32_t json_wanted(const struct game *game)
{
    uint32_t wanted = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (game->seat[seat].orders.in && game->seat[seat].orders.json)
            wanted |= SEAT_BIT(seat);
    return wanted;
}

/* The seats whose mail holds orders for turns after the open one. */
static uint32_t hold_later(const struct game *game)
{
    uint32_t hold = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (game->seat[seat].orders.in && game->seat[seat].orders.later.len)
            hold |= SEAT_BIT(seat);
    return hold;
}

/* One turn: the rest of it if its close is in the journal already, and only the close if it then waits for
 * witnesses. */
static int resolve_once(struct step *step, struct game *game, uint32_t *json, struct err *err)
{
    uint32_t missed = game_missing(game);
    uint32_t later = hold_later(game);
    size_t first = step->post_count;
    const int64_t seq = game->seq;
    struct resolved resolved = {.away = NULL};
    *json |= json_wanted(game);
    if (!game->closed && close_turn(step, game, err))
        return -1;
    if (witness_waits(game, step_time(step, game)))
        return 0;
    int rc = record_turn(step, game, &resolved, err);
    if (rc == 0)
        step_post_reports(step, game, POST_REPORT, missed, &resolved);
    resolved_release(&resolved);
    if (rc)
        return -1;
    step->turns++;
    while (first && step->posts[first - 1].seq > seq) /* a report of the deal was taken back */
        first--;
    for (size_t i = first; i < step->post_count; i++) {
        int seat = step->posts[i].seat;
        bool stopped = (later & SEAT_BIT(seat)) && !game->over && !game->seat[seat].orders.in;
        if (*json & SEAT_BIT(seat))
            step->posts[i].json = true;
        json_object_set_new(step->posts[i].facts, "stopped", json_boolean(stopped));
    }
    return 0;
}

bool step_waits_for_round(const struct step *step, const struct game *game)
{
    return game_round_over(game, step_time(step, game)) && !game_round_over(game, step->now);
}

bool step_ripe(const struct step *step, const struct game *game)
{
    return !step->patient && !step_waits_for_round(step, game) &&
           game_ripe(game, step->keys.outside, game_clock(game, step->now)) &&
           !game_stuck(game, step->keys.outside);
}

int step_resolve_turns(struct step *step, struct game *game, struct err *err)
{
    uint32_t json = 0; /* who wants view.json with the next report */
    do {
        if (resolve_once(step, game, &json, err))
            return -1;
    } while (!game->over && step_ripe(step, game)); /* robots' turns, and orders that came early */
    return 0;
}

int step_play_closed(struct step *step, struct game *game, struct err *err)
{
    if (!game->closed || game->over || game->clock.paused || witness_waits(game, step_time(step, game)))
        return 0;
    return game->turn == 0 ? step_begin(step, game, err) : step_resolve_turns(step, game, err);
}

int step_resolve(struct step *step, struct game *game, struct err *err)
{
    if (game->over)
        return err_set(err, ERR_INPUT, "game %s is over", game->id);
    if (witness_waits(game, step_time(step, game)))
        return err_set(err, ERR_INPUT, "turn %d of game %s is closed and waits for its witnesses", game->turn,
                       game->id);
    return step_resolve_turns(step, game, err);
}
