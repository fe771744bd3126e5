/* Deadlines: did they follow from the schedule, and was each turn closed when it was time? */
#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "engine/audit_parts.h"
#include "engine/deadline.h"
#include "engine/game_seats.h"

#define LATE ((int64_t)3600) /* seconds behind its time from which on a resolution is told as late */

static const struct zone *zone_of(struct auditing *a, bool *known)
{
    struct err err = ERR_INIT;
    const struct zone *zone = zones_find(&a->zones, a->game.clock.zone, &err);
    *known = !err.code;
    if (err.code && !a->zone_told)
        audit_note(
            a, AUDIT_NOTE, AUDIT_DEADLINE, 0,
            "this system knows no zone \"%s\": whether deadlines follow from the schedule was not checked",
            a->game.clock.zone);
    a->zone_told = a->zone_told || err.code;
    return zone;
}

static void both_times(char early[CLOCK_TEXT], int64_t one, char late[CLOCK_TEXT], int64_t two)
{
    clock_utc(early, one);
    clock_utc(late, two);
}

int audit_deadline(struct auditing *a, int64_t before, bool interrupted)
{
    const struct game *game = &a->game;
    char is[CLOCK_TEXT], should[CLOCK_TEXT];
    bool known;
    const struct zone *zone = zone_of(a, &known);
    bool over = a->full && game->over;
    if (over || !known || audit_has(a, "away"))
        return over && game->deadline
                   ? audit_broken(a, AUDIT_DEADLINE, 0, "the game is over, and it names a deadline")
                   : 0;
    if ((interrupted || !a->full) && before && game->deadline == before)
        return 0;
    int64_t expected = schedule_next(&game->clock, zone, a->record->time);
    if (game->deadline == expected || (!a->full && !game->deadline))
        return 0;
    if (!game->deadline || !expected)
        return audit_broken(a, AUDIT_DEADLINE, 0, "%s",
                            expected ? "the turn that it opens has no deadline"
                                     : "it names a deadline, and this game has none");
    both_times(is, game->deadline, should, expected);
    /* A clock that is put back is followed from a day on. */
    if (!schedule_gives(&game->clock, zone, game->deadline, a->record->time - DAY_SECONDS - 1))
        return audit_broken(a, AUDIT_DEADLINE, 0,
                            "its deadline %s does not follow from the schedule, which gives %s", is, should);
    audit_note(
        a, AUDIT_NOTE, AUDIT_DEADLINE, 0,
        "its deadline %s is not the one that the schedule gives (%s): it was counted by a clock that was "
        "behind the journal",
        is, should);
    return 0;
}

/* ---- when a turn is closed ---- */

static void tell_late(struct auditing *a, int64_t resolves)
{
    struct str by = STR_INIT;
    int64_t late = a->record->time - resolves;
    if (resolves && late > LATE) {
        duration_add(&by, late < 366 * DAY_SECONDS ? late : 366 * DAY_SECONDS);
        audit_note(a, AUDIT_NOTE, AUDIT_DEADLINE, 0, "turn %d was resolved %s behind its time", a->game.turn,
                   by.p);
    }
    str_release(&by);
}

int audit_standstill(struct auditing *a)
{
    if (!a->game.paused && !a->game.held)
        return 0;
    return audit_broken(a, AUDIT_DEADLINE, 0, "the turn is played while %s",
                        a->game.paused ? "the game is paused" : "it is held");
}

/* Misses that a moderator's word made: who, and how long before the deadline. */
static void tell_early(struct auditing *a, uint32_t missed, int64_t before)
{
    const struct game *game = &a->game;
    struct str by = STR_INIT;
    if (game->deadline)
        duration_add(&by, before < 366 * DAY_SECONDS ? before : 366 * DAY_SECONDS);
    for (int seat = 1; seat <= game->seats; seat++)
        if (missed & SEAT_BIT(seat))
            audit_word(a, AUDIT_MISSED, seat, "%s missed turn %d %s%s: %s had it played",
                       game->seat[seat].player, game->turn, by.p,
                       game->deadline ? " before the deadline" : "without a deadline",
                       strcmp(a->resolve, OPERATOR) == 0 ? "the operator" : a->resolve);
    str_release(&by);
}

/* Misses by a deadline that was brought forward, because the clock that had set it was said to be wrong. */
static void tell_reset(struct auditing *a, uint32_t missed)
{
    const struct game *game = &a->game;
    for (int seat = 1; a->reset && seat <= game->seats; seat++)
        if (missed & SEAT_BIT(seat))
            audit_word(a, AUDIT_MISSED, seat, "%s missed turn %d after the operator moved the clock",
                       game->seat[seat].player, game->turn);
}

/* Before its time a turn is closed by the word "resolve", or because all orders are in. */
static int closed_early(struct auditing *a, uint32_t missed, int64_t resolves)
{
    const struct game *game = &a->game;
    int64_t now = a->record->time;
    int seat = 1;
    while (missed && !(missed & SEAT_BIT(seat)))
        seat++;
    if (*a->resolve && now >= game->clock.starts) {
        tell_early(a, missed, resolves - now);
        return 0;
    }
    if (missed)
        return audit_broken(a, AUDIT_DEADLINE, seat, "the turn is resolved %s while orders of %s are missing",
                            game->deadline ? "before its deadline" : "without a deadline",
                            game->seat[seat].player);
    if (a->full && !game_all_in(game))
        return audit_broken(a, AUDIT_DEADLINE, 0,
                            "the turn is resolved before its deadline, and somebody wanted it to wait");
    if (a->full && game_awaited(game) && game->clock.minimum && now < game->opened + game->clock.minimum)
        audit_note(a, AUDIT_NOTE, AUDIT_DEADLINE, 0, "turn %d was shorter than the shortest turn",
                   game->turn);
    return 0;
}

int audit_closing(struct auditing *a, uint32_t missed)
{
    const struct game *game = &a->game;
    int64_t resolves = game->deadline + (missed ? game->clock.grace : 0);
    if (resolves < game->clock.starts)
        resolves = game->clock.starts;
    if (!game->deadline || a->record->time < resolves)
        return closed_early(a, missed, resolves);
    tell_late(a, resolves);
    tell_reset(a, missed);
    return 0;
}

/* ---- notes ---- */

int64_t audit_moment(const struct auditing *a, const char *key)
{
    int64_t time = 0;
    return clock_parse(slice_of(audit_text(a, key)), &time) ? time : 0;
}

static uint32_t seats_of(const struct auditing *a, const char *key)
{
    uint32_t seats = 0;
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(a->record->json, key), i, item)
        seats |= SEAT_BIT(json_integer_value(item));
    return seats;
}

static int check_hold(struct auditing *a)
{
    bool released = audit_has(a, "released");
    bool lists = audit_has(a, "missing") && audit_has(a, "awaited");
    if (released == lists || (released && audit_has(a, "until")) ||
        audit_has(a, "missing") != audit_has(a, "awaited"))
        return audit_broken(a, AUDIT_FORM, 0, "its members do not go together");
    if (a->full && lists &&
        (seats_of(a, "missing") != game_missing(&a->game) ||
         seats_of(a, "awaited") != game_awaited(&a->game)))
        return audit_broken(a, AUDIT_RULES, 0, "the seats it names are not those whose orders are missing");
    if (lists)
        audit_note(a, AUDIT_NOTE, AUDIT_DEADLINE, 0, "turn %d was held, because %s", a->game.turn,
                   json_array_size(json_object_get(a->record->json, "missing"))
                       ? "orders were missing"
                       : "orders that had come could not be taken up yet");
    return 0;
}

static int check_vote(struct auditing *a)
{
    const struct game *game = &a->game;
    int yes, needed;
    bool known;
    const struct zone *zone = zone_of(a, &known);
    if (!audit_has(a, "deadline") || !a->full || !known)
        return 0;
    int64_t least = game_vote(game, audit_seat(a), audit_number(a, "seconds"), &yes, &needed);
    if (audit_moment(a, "deadline") != schedule_settle(&game->clock, zone, game->deadline + least))
        return audit_broken(a, AUDIT_DEADLINE, audit_seat(a),
                            "the deadline moves by another time than was voted for");
    return 0;
}

static int check_shift(struct auditing *a)
{
    const char *why = audit_text(a, "why");
    char from[CLOCK_TEXT], to[CLOCK_TEXT];
    if (audit_has(a, "away") != (strcmp(why, "vacation") == 0) ||
        audit_has(a, "seconds") != (strcmp(why, "outage") == 0))
        return audit_broken(a, AUDIT_FORM, 0, "its members do not go together");
    bool clock = strcmp(why, "clock") == 0;
    /* The journal is ahead of the clock then, so its time stands still. */
    if (clock && a->record->time != a->game.time)
        return audit_broken(
            a, AUDIT_DEADLINE, 0,
            "a wrong clock is said to have set the deadline, but time goes on in the journal");
    both_times(from, audit_moment(a, "from"), to, audit_moment(a, "deadline"));
    audit_word(a, AUDIT_DEADLINE, 0, "the deadline of turn %d was moved from %s to %s: %s", a->game.turn,
               from, to,
               *why == 'v'   ? "a vacation"
               : *why == 'o' ? "the service stood still"
                             : "it was set by a wrong clock");
    a->reset = a->reset || clock;
    return 0;
}

int audit_clock_note(struct auditing *a)
{
    if (audit_kind_is(a, "hold"))
        return check_hold(a);
    if (audit_kind_is(a, "vote"))
        return check_vote(a);
    return audit_kind_is(a, "shift") ? check_shift(a) : 0;
}
