#include <string.h>

#include "base/date.h"
#include "play/facts.h"
#include "play/step.h"
#include "play/step_parts.h"
#include "play/typos.h"

#define ROUNDS_MOST 20 /* the most things that follow from each other at one time */

static json_t *note_fields(const struct game *game, const char *kind)
{
    return json_pack("{s:s,s:i}", "kind", kind, "turn", game->turn);
}

static json_t *seat_list(uint32_t seats)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        if (seats & SEAT_BIT(seat))
            json_array_append_new(list, json_integer(seat));
    return list;
}

/* ---- moved deadlines ---- */

/* A deadline that moves. */
struct shifted {
    const char *why;
    int64_t deadline;
    json_t *fields;     /* further members of the record; takes ownership of both */
    json_t *extra;      /* facts for the mails */
    const json_t *away; /* the vacations that it is moved for, or NULL */
};

/* Makes the record, and tells everybody. */
static int shift(struct step *step, struct game *game, const struct shifted *to, struct err *err)
{
    int64_t from = game->clock.deadline;
    json_object_set_new(to->fields, "why", json_string(to->why));
    json_object_set_new(to->fields, "from", json_time(from));
    json_object_set_new(to->fields, "deadline", json_time(to->deadline));
    if (step_record(step, game, "note", to->fields, NULL, err)) {
        json_decref(to->extra);
        return -1;
    }
    json_object_set_new(to->extra, to->why, json_true());
    facts_time(to->extra, "before", from);
    size_t before = step->post_count;
    step_tell_all(step, game, "shift", to->extra);
    for (size_t i = before; i < step->post_count; i++)
        facts_away(step->posts[i].facts, to->away, step->posts[i].seat);
    step_passing(step, before, game_resolves(game));
    return 0;
}

/* A deadline that lies in the vacation of somebody who is missing. */
static int spare_vacation(struct step *step, struct game *game, struct err *err)
{
    int64_t deadline = game->clock.deadline;
    json_t *away = json_array();
    game_spare(game, step->keys.outside, game_missing(game), &deadline, away);
    int rc = 0;
    if (deadline > game->clock.deadline && deadline > step->now) {
        json_t *fields = note_fields(game, "shift");
        json_object_set(fields, "away", away);
        const struct shifted to = {"vacation", deadline, fields, json_object(), away};
        rc = shift(step, game, &to, err);
    }
    json_decref(away);
    return rc;
}

/* Nobody could send while the service stood still, from `from` on: afterwards the turn has the time
 * that was left of it, and no less than the shortest time that counts as an outage; but no more than if it
 * had just been opened, nor, for all outages together, than one turn's length. 0 = it has had that
 * already. */
static int64_t behind_outage(const struct step *step, const struct game *game, int64_t from)
{
    const struct outside *outside = step->keys.outside;
    int64_t now = step_time(step, game);
    int64_t fresh = game_next_deadline(game, now);
    int64_t length = fresh ? fresh - now : game->clock.deadline - game->clock.dated;
    int64_t left = elapsed_left(outside, game->clock.deadline - from, length);
    if (game->clock.spared && game->clock.spared + elapsed_left(outside, 0, length) > length)
        return 0;
    left = left < length - game->clock.spared ? left : length - game->clock.spared;
    int64_t moved = game_within_round(game, now, schedule_settle(&game->clock.schedule, now + left));
    return fresh && moved > fresh ? fresh : moved;
}

/* The service stood still, or could not hear those whom `extra` (ownership taken) names. */
static struct shifted outage(const struct game *game, const struct pause *pause, int64_t moved, json_t *extra)
{
    json_t *fields = note_fields(game, "shift");
    json_object_set_new(fields, "seconds", json_integer(pause->to - pause->from));
    facts_time(extra, "down_from", pause->from);
    facts_time(extra, "down_until", pause->to);
    return (struct shifted){"outage", moved, fields, extra, NULL};
}

/* What came before the open turn was told while they were absent, so it did not reach them. */
static bool is_unseen(const struct game *game, int64_t from)
{
    return game->opened.at >= from;
}

/* Moves the deadline for those who could not be heard since `from`, whom `who` (ownership taken) names. */
static int spare_silent(struct step *step, struct game *game, int64_t from, json_t *who, struct err *err)
{
    int64_t moved = behind_outage(step, game, from);
    if (moved <= game->clock.deadline) {
        json_decref(who);
        return 0;
    }
    const struct shifted to = outage(game, &(struct pause){from, step->now, true}, moved, who);
    return shift(step, game, &to, err);
}

/* Players who were absent have been through an outage of their own: a turn of theirs that is due, or that was
 * opened meanwhile, is moved as after one. */
static int spare_returned(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    int64_t from = 0;
    uint32_t seats = game_returned(game, outside, &from) & game_missing(game);
    if (!outside || !seats || !game->clock.deadline || outside->deaf)
        return 0;
    if (game_resolves(game) > step->now && !is_unseen(game, from))
        return 0;
    return spare_silent(step, game, from,
                        json_pack("{s:b,s:o}", "is_returned", 1, "returned", facts_seats(game, seats)), err);
}

/* So have those whose orders were given up: they are told only now, so the turn is moved when less time is
 * left than after an outage. */
static int spare_given_up(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    int64_t from = 0;
    uint32_t seats = game_given_up(game, outside, &from) & game_missing(game);
    if (!outside || !seats || !game->clock.deadline || outside->deaf)
        return 0;
    if (game_resolves(game) > step->now + outside->config->clock.outage)
        return 0;
    return spare_silent(step, game, from,
                        json_pack("{s:b,s:o}", "is_given_up", 1, "given_up", facts_seats(game, seats)), err);
}

/* The reports that did not reach them; of the turn that was resolved last. */
static void report_returned(struct step *step, const struct game *game, uint32_t seats)
{
    for (int seat = 1; seat <= game->seats; seat++) {
        if (!(seats & SEAT_BIT(seat)))
            continue;
        step_report(step, game, POST_AGAIN, seat, game->seat[seat].missed > 0);
        struct post *post = &step->posts[step->post_count - 1];
        post->number = POST_AGAINS + seat;
        json_object_set_new(post->facts, "again", json_pack("{s:b}", "lost", 1));
        post->welcome = game->turn == 1;
    }
}

/* ---- the valve ---- */

/* So many orders are missing that something may be wrong with the mail; or something is certainly wrong:
 * orders that have come could not be processed. */
static int hold(struct step *step, struct game *game, struct err *err)
{
    int64_t most = step->keys.outside->config->clock.hold;
    json_t *fields = note_fields(game, "hold");
    uint32_t stuck = game_stuck(game, step->keys.outside);
    uint32_t absent = game_absent(game, step->keys.outside);
    json_t *extra =
        json_pack("{s:o,s:o,s:o}", "silent", facts_seats(game, game_missing(game) & ~stuck), "stuck",
                  facts_seats(game, stuck & ~absent), "absent", facts_seats(game, absent));
    json_object_set_new(extra, "is_stuck", json_boolean((stuck & ~absent) != 0));
    json_object_set_new(extra, "is_absent", json_boolean(absent != 0));
    json_object_set_new(extra, "deserted", json_boolean(game_deserted(game, step->keys.outside)));
    json_object_set_new(fields, "missing", seat_list(game_missing(game)));
    json_object_set_new(fields, "awaited", seat_list(game_awaited(game)));
    if (most) {
        int64_t until = game_clock(game, step->now) + most;
        json_object_set_new(fields, "until", json_time(until));
        facts_time(extra, "until", until);
    }
    if (step_record(step, game, "note", fields, NULL, err)) {
        json_decref(extra);
        return -1;
    }
    step_tell_all(step, game, "hold", extra);
    return 0;
}

/* Such a hold ends when enough orders have come, or by itself. The report tells what follows. */
static int end_hold(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    bool waits = game_deserted(game, outside) || game_stuck(game, outside);
    bool over = elapsed_over(outside, game_hold_since(game, outside), game->clock.hold_until, step->now);
    if (!game->clock.hold_until || (waits && !over))
        return 0;
    json_t *fields = note_fields(game, "hold");
    json_object_set_new(fields, "released", json_true());
    return step_record(step, game, "note", fields, NULL, err);
}

/* ---- reminders ---- */

static int remind(struct step *step, struct game *game, uint32_t seats, struct err *err)
{
    json_t *fields = note_fields(game, "reminder");
    json_object_set_new(fields, "seats", seat_list(seats));
    json_object_set_new(fields, "deadline", json_time(game->clock.deadline));
    if (step_record(step, game, "note", fields, NULL, err))
        return -1;
    size_t before = step->post_count;
    for (int seat = 1; seat <= game->seats; seat++) {
        if (!(seats & SEAT_BIT(seat)))
            continue;
        json_t *facts = facts_game(game, seat);
        facts_view(facts, game, seat);
        facts_standing(facts, game, seat);
        json_object_set_new(facts, "reminds", json_true());
        const int missed = game->seat[seat].missed + 1, robot_after = game->attendance.missed_robot;
        json_object_set_new(facts, "robot_next", json_boolean(robot_after && missed == robot_after));
        json_object_set_new(facts, "robot_plays", json_boolean(robot_after && missed > robot_after));
        typos_facts(facts, game, seat, NULL);
        json_object_set_new(facts, "orders_in", json_boolean(!(game_missing(game) & SEAT_BIT(seat))));
        if (game->opened.at + game->clock.schedule.minimum <= step->now)
            json_object_del(facts, "not_before");
        if (game->seat[seat].orders.in && game->seat[seat].orders.question)
            json_object_del(facts, "form"); /* so that "ok" means the orders that are in, and no choice */
        step_tell(step, game, POST_TOLD, "reminder", seat, "", facts);
    }
    step_passing(step, before, game_resolves(game));
    return 0;
}

/* ---- the clock ---- */

/* The deadline has passed. */
static int overdue(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    if (outside && outside->deaf)
        return 0; /* the orders may be in the mailbox */
    const struct pause *pause = elapsed_outage(outside, game_resolves(game));
    int64_t moved = pause ? behind_outage(step, game, pause->from) : 0;
    if (moved > game->clock.deadline) {
        const struct shifted to = outage(game, pause, moved, json_object());
        return shift(step, game, &to, err);
    }
    if (game->clock.hold_turn != game->turn && (game_deserted(game, outside) || game_stuck(game, outside)))
        return hold(step, game, err);
    return step_resolve(step, game, err);
}

/* The round is over, and with it the game: as it stands, once a turn has been played that was due before, or for which all
 * orders are in. Who could not send orders because the service stood still has lost nothing: their turn is not played. */
static int end_round(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    int64_t resolves = game_resolves(game);
    bool stands = game->clock.paused || game->clock.held || game_stuck(game, outside);
    bool due = resolves && resolves < game->table.place.until && !elapsed_outage(outside, resolves);
    if (outside && outside->deaf)
        return 0; /* orders may be in the mailbox */
    if (!stands && (due || !game_missing(game)))
        return step_resolve(step, game, err);
    return step_cut_short(step, game, err);
}

/* Does the one thing that comes first. */
static int clock_once(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    int64_t seq = game->seq;
    if (step_waits_for_round(step, game))
        return 0;
    if (step_ripe(step, game))
        return step_resolve(step, game, err);
    if (game_round_over(game, step->now))
        return end_round(step, game, err);
    if (game->clock.paused)
        return 0;
    if (spare_returned(step, game, err) || game->seq > seq)
        return game->seq > seq ? 0 : -1;
    if (spare_given_up(step, game, err) || game->seq > seq)
        return game->seq > seq ? 0 : -1;
    if (game->clock.held)
        return end_hold(step, game, err);
    if (!game->clock.deadline)
        return 0;
    if (spare_vacation(step, game, err) || game->seq > seq)
        return game->seq > seq ? 0 : -1;
    if (game_resolves(game) <= step->now)
        return overdue(step, game, err);
    uint32_t seats = game_to_remind(game, outside, step->now);
    return seats ? remind(step, game, seats, err) : 0;
}

/* In lockstep: the turn is played when the next one opens, and nothing moves that. */
static int lockstep_once(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    if (game_resolves(game) <= step->now)
        return outside && outside->deaf ? 0 : step_resolve(step, game, err);
    uint32_t seats = game_to_remind(game, outside, step->now);
    return seats ? remind(step, game, seats, err) : 0;
}

/* A game that is over is opened when nobody plays its deal any longer; its players are told what was hidden. */
static int open_withheld(struct step *step, struct game *game, struct err *err)
{
    if (!game_withheld(game) || step_keeps_shut(step, game))
        return 0;
    return step_open(step, game, err) || step_last_reports(step, game, err) ? -1 : 0;
}

static int clock_of_turn(struct step *step, struct game *game, struct err *err)
{
    if (game->turn == 0)
        return game_deal_due(game, step->now) ? step_begin(step, game, err)
                                              : step_kept_clock(step, game, err);
    return game->clock.lockstep.on ? lockstep_once(step, game, err) : clock_once(step, game, err);
}

static int run_clock(struct step *step, struct game *game, struct err *err)
{
    for (int i = 0; i < ROUNDS_MOST; i++) {
        int64_t seq = game->seq;
        if (game->closed)
            return step_witness_clock(step, game, err);
        if (game->over)
            return open_withheld(step, game, err);
        if (clock_of_turn(step, game, err))
            return -1;
        if (game->seq == seq)
            return 0;
    }
    return 0;
}

int step_clock(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    int64_t from = 0;
    int turn = game->turn;
    uint32_t seats = turn > 0 && !game->over ? game_returned(game, outside, &from) : 0;
    bool tells = seats && is_unseen(game, from) && !outside->deaf;
    if (run_clock(step, game, err))
        return -1;
    if (tells && game->turn == turn)
        report_returned(step, game, seats);
    return 0;
}
