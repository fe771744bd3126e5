/* Deadlines: did they follow from the schedule, and was each turn closed when it was time? */
#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "audit/audit_parts.h"
#include "game/witness.h"
#include "play/deadline.h"
#include "game/game_seats.h"

#define SECONDS_MOST ((int64_t)1 << 62)
#define LATE         ((int64_t)3600) /* a resolution this many seconds late is reported */

/* From here on misses of the open turn rest on the operator's word; `why` ends "anna missed turn 3 ...". */
static void doubt(struct auditing *a, const char *why)
{
    a->doubt = why;
}

static const char other_deadline[] = "by a deadline that the schedule does not give";

static void tell_moved(struct auditing *a, int64_t is, int64_t should, const char *why)
{
    char one[CLOCK_TEXT], other[CLOCK_TEXT];
    clock_utc(one, is);
    clock_utc(other, should);
    audit_word(a, AUDIT_DEADLINE, 0, "its deadline is %s, and not %s as it should be: %s", is ? one : "none",
               should ? other : "none", why);
}

/* ---- the deadline of a turn that opens ---- */

/* Of the first vacation in the record: the deadline as it would be without any. */
static int64_t before_away(const struct auditing *a)
{
    const json_t *first = json_array_get(json_object_get(a->record->json, "away"), 0);
    const char *before = json_string_value(json_object_get(first, "before"));
    int64_t time = 0;
    return before && clock_parse(slice_of(before), &time) ? time : 0;
}

/* Each vacation says what the deadline was before, and the new one is later. */
static int check_away(struct auditing *a, int64_t deadline)
{
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(a->record->json, "away"), i, item) {
        const char *text = json_string_value(json_object_get(item, "before"));
        int64_t before = 0;
        bool said = text && clock_parse(slice_of(text), &before);
        if (!said || before >= deadline)
            return audit_broken(a, AUDIT_DEADLINE, 0,
                                "it names a vacation, and its deadline is not later than without it");
    }
    return 0;
}

/* The deadline, apart from vacations, differs from what the schedule gives. */
static int other_than_schedule(struct auditing *a, int64_t deadline, int64_t expected,
                               const struct audit_opening *opening)
{
    const struct game *game = &a->game;
    char is[CLOCK_TEXT], should[CLOCK_TEXT];
    if (!deadline || !expected)
        return audit_broken(a, AUDIT_DEADLINE, 0, "%s",
                            expected ? "the turn that it opens has no deadline"
                                     : "it names a deadline, and this game has none");
    bool kept = opening->before == deadline && (opening->interrupted || !a->full);
    if (kept && game->ruleset->interrupted && deadline > a->record->time) {
        if (a->full) { /* a kept deadline rests on what it rested on before */
            doubt(a, opening->doubt);
            return 0;
        }
        tell_moved(a, deadline, expected, "the turn is said to have been interrupted");
        doubt(a, "by a deadline that was kept, as after an interrupted turn");
        return 0;
    }
    clock_utc(is, deadline);
    clock_utc(should, expected);
    return audit_broken(a, AUDIT_DEADLINE, 0,
                        "its deadline %s does not follow from the schedule, which gives %s", is, should);
}

/* The deadline of a turn that the record opens: by the schedule, within its round. */
static int64_t given(const struct auditing *a)
{
    int64_t now = a->record->time;
    return game_within_round(&a->game, now, schedule_next(&a->game.clock.schedule, now));
}

int audit_within_round(struct auditing *a)
{
    int64_t until = a->game.table.place.until;
    return !until || a->game.over || a->game.clock.deadline <= until
               ? 0
               : audit_broken(a, AUDIT_DEADLINE, 0,
                              "its deadline lies after the end of its round, which ends the game");
}

int audit_lockstep(struct auditing *a)
{
    const char *fault = lockstep_fault(&a->game, a->record, a->kind);
    if (fault)
        return audit_broken(a, a->kind->bends ? AUDIT_ORDER : AUDIT_DEADLINE, audit_seat(a), "%s", fault);
    return 0;
}

/* The deadline in lockstep is the right one where there is one (audit_lockstep). */
static int deadline_in_lockstep(struct auditing *a)
{
    doubt(a, NULL);
    if (a->full && a->game.over == (a->game.clock.deadline != 0))
        return audit_broken(a, AUDIT_DEADLINE, 0, "%s",
                            a->game.over ? "the game is over, and it names a deadline"
                                         : "the turn that it opens has no deadline");
    if (!a->full && !a->game.clock.deadline)
        a->game.over = true;
    return 0;
}

int audit_deadline(struct auditing *a, const struct audit_opening *opening)
{
    const struct game *game = &a->game;
    if (game->clock.lockstep.on)
        return deadline_in_lockstep(a);
    bool away = json_array_size(json_object_get(a->record->json, "away")) > 0;
    doubt(a, NULL);
    if (check_away(a, game->clock.deadline))
        return -1;
    if (a->full && game->over && game->clock.deadline)
        return audit_broken(a, AUDIT_DEADLINE, 0, "the game is over, and it names a deadline");
    if (!a->full && !game->clock.deadline) /* the last turn, or the schedule gives none */
        a->game.over = schedule_next(&game->clock.schedule, a->record->time) != 0;
    if ((a->full && game->over) || (!a->full && !game->clock.deadline))
        return 0;
    int64_t expected = given(a);
    int64_t deadline = away ? before_away(a) : game->clock.deadline;
    if (away)
        tell_moved(a, game->clock.deadline, deadline, "a vacation");
    return deadline == expected ? 0 : other_than_schedule(a, deadline, expected, opening);
}

/* ---- when a turn is closed ---- */

static void tell_late(struct auditing *a, int64_t resolves)
{
    struct str by = STR_INIT;
    int64_t late = a->record->time - resolves;
    if (resolves && late > LATE) {
        duration_add(&by, late < 366 * DAY_SECONDS ? late : 366 * DAY_SECONDS);
        audit_note(a, AUDIT_NOTE, AUDIT_DEADLINE, 0, "turn %d was resolved %s after its time", a->game.turn,
                   by.p);
    }
    str_release(&by);
}

int audit_standstill(struct auditing *a)
{
    if (!a->game.clock.paused && !a->game.clock.held)
        return 0;
    return audit_broken(a, AUDIT_DEADLINE, 0, "the turn is played while %s",
                        a->game.clock.paused ? "the game is paused" : "it is held");
}

/* Misses caused by a moderator's word: who, and how long before the deadline, or after it. */
static void tell_resolved(struct auditing *a, uint32_t missed, int64_t resolves)
{
    const struct game *game = &a->game;
    struct str by = STR_INIT;
    int64_t before = resolves - a->record->time, span = before < 0 ? -before : before;
    if (game->clock.deadline && before)
        duration_add(&by, span < 366 * DAY_SECONDS ? span : 366 * DAY_SECONDS);
    for (int seat = 1; seat <= game->seats; seat++)
        if (missed & SEAT_BIT(seat))
            audit_word(a, AUDIT_MISSED, seat, "%s missed turn %d %s%s: %s had it played",
                       game->seat[seat].player, game->turn, by.p,
                       !game->clock.deadline ? "without a deadline"
                       : before > 0          ? " before the deadline"
                       : before < 0          ? " after the deadline"
                                             : "at the deadline",
                       strcmp(a->resolve, OPERATOR) == 0 ? "the operator" : a->resolve);
    str_release(&by);
}

/* Misses by a deadline that rests on the operator's word. */
static void tell_doubtful(struct auditing *a, uint32_t missed)
{
    const struct game *game = &a->game;
    for (int seat = 1; a->doubt && seat <= game->seats; seat++)
        if (missed & SEAT_BIT(seat))
            audit_word(a, AUDIT_MISSED, seat, "%s missed turn %d %s", game->seat[seat].player, game->turn,
                       a->doubt);
}

/* According to `close`: were orders awaited, and did all come? */
static bool ordered(const struct auditing *a)
{
    size_t i;
    json_t *seal;
    json_array_foreach (json_object_get(a->record->json, "seals"), i, seal)
        if (*json_string_value(seal))
            return true;
    return json_array_size(json_object_get(a->record->json, "set")) > 0;
}

/* Orders that keep their turn open, of seats whose seal the `close` names: as far as this view knows of them
 * (audit_public.c). */
static int closed_too_soon(struct auditing *a)
{
    const struct game *game = &a->game;
    const json_t *seals = json_object_get(a->record->json, "seals");
    for (int seat = 1; seat <= game->seats; seat++) {
        const struct game_delay delay = game_delay(game, seat);
        const char *hex = json_string_value(json_array_get(seals, (size_t)seat - 1));
        if (!hex || !*hex || !delay.until || a->record->time >= delay.until)
            continue;
        return audit_broken(a, AUDIT_DEADLINE, seat, "the turn is resolved while orders of %s %s",
                            game->seat[seat].player,
                            game->seat[seat].orders.question ? "wait, as a question to that player is open"
                            : game->seat[seat].orders.waits  ? "wait for better ones"
                                                             : "have their time for second thoughts");
    }
    return 0;
}

/* A turn for which all orders came before its deadline. */
static int closed_by_all(struct auditing *a)
{
    const struct schedule *clock = &a->game.clock.schedule;
    int64_t now = a->record->time;
    bool late = a->game.clock.deadline && now >= a->game.clock.deadline;
    if (late || !ordered(a))
        return 0;
    if (now < clock->starts)
        return audit_broken(a, AUDIT_DEADLINE, 0, "the turn is resolved, and no turn may be played yet");
    if (*a->resolve)
        return 0;
    if (!clock->early)
        return audit_broken(a, AUDIT_DEADLINE, 0,
                            "the turn is resolved before its deadline, which this game always waits for");
    if (closed_too_soon(a))
        return -1;
    return now >= a->game.opened.at + clock->minimum
               ? 0
               : audit_broken(a, AUDIT_DEADLINE, 0, "the turn is shorter than the shortest turn");
}

/* A turn is closed before its time by the word "resolve", or because all orders are in. */
static int closed_early(struct auditing *a, uint32_t missed, int64_t resolves)
{
    const struct game *game = &a->game;
    int64_t now = a->record->time;
    int seat = 1;
    while (missed && !(missed & SEAT_BIT(seat)))
        seat++;
    if (!missed && closed_by_all(a))
        return -1;
    if (*a->resolve && now >= game->clock.schedule.starts) {
        tell_resolved(a, missed, resolves);
        return 0;
    }
    if (missed)
        return audit_broken(a, AUDIT_DEADLINE, seat, "the turn is resolved %s while orders of %s are missing",
                            game->clock.deadline ? "before its deadline" : "without a deadline",
                            game->seat[seat].player);
    if (a->full && !game_all_in(game))
        return audit_broken(a, AUDIT_DEADLINE, 0,
                            "the turn is resolved before its deadline, and somebody wanted it to wait");
    return 0;
}

int audit_closing(struct auditing *a, uint32_t missed)
{
    const struct game *game = &a->game;
    int64_t resolves = game->clock.deadline + (missed ? game->clock.schedule.grace : 0);
    if (resolves < game->clock.schedule.starts)
        resolves = game->clock.schedule.starts;
    if (missed && !*a->resolve && game_round_over(game, a->record->time) &&
        resolves >= game->table.place.until)
        return audit_broken(a, AUDIT_DEADLINE, 0,
                            "the turn is played though its round was over and orders were missing");
    if (!game->clock.deadline || a->record->time < resolves)
        return closed_early(a, missed, resolves);
    tell_late(a, resolves);
    if (*a->resolve) /* the turn may have been held until then */
        tell_resolved(a, missed, resolves);
    else
        tell_doubtful(a, missed);
    return 0;
}

/* ---- moderators ---- */

/* Players who were told that a turn is suspended have no reason to hurry: a deadline that passed meanwhile is
 * put off by a day, or by what the schedule gives where that is less. */
static bool too_short(struct auditing *a, int64_t stood, int64_t deadline)
{
    int64_t now = a->record->time, least = now + DAY_SECONDS;
    int64_t fresh = schedule_next(&a->game.clock.schedule, now);
    return stood <= now && deadline < (fresh && fresh < least ? fresh : least);
}

static const char hurried[] = "by a deadline that was put off for less than a day, after it had passed";

static int64_t paused_for(const struct auditing *a)
{
    return a->game.clock.paused ? a->record->time - a->game.clock.paused_from : 0;
}

int audit_extend(struct auditing *a)
{
    int64_t now = a->record->time, deadline = audit_moment(a, "deadline"), stood = a->game.clock.deadline;
    if (deadline <= now)
        return audit_broken(a, AUDIT_DEADLINE, 0, "the deadline is put off to a time that has passed");
    if (stood && too_short(a, stood + paused_for(a), deadline + paused_for(a)))
        doubt(a, hurried);
    return 0;
}

void audit_resume(struct auditing *a)
{
    const struct game *game = &a->game;
    int64_t least = game->clock.deadline + paused_for(a);
    int64_t deadline = audit_has(a, "deadline") ? audit_moment(a, "deadline") : game->clock.deadline;
    if (game->clock.deadline && (deadline < least || deadline <= a->record->time))
        doubt(a, "after a standstill that its deadline was not put off by");
    else if (game->clock.deadline && too_short(a, least, deadline))
        doubt(a, hurried);
}

void audit_reopened(struct auditing *a, bool by_operator)
{
    int64_t deadline = audit_moment(a, "deadline"), expected = given(a);
    doubt(a, NULL);
    if (deadline != expected) {
        tell_moved(a, deadline, expected, "a rollback");
        doubt(a, other_deadline);
    }
    if (by_operator)
        doubt(a, "after the operator opened it again");
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

/* The valve's hold ends at its time, or because orders have come, which is public. */
static void check_release(struct auditing *a)
{
    bool over = a->valve.until && a->record->time >= a->valve.until;
    if (!over && !a->valve.came)
        doubt(a, "after a hold that ended before its time");
}

static int check_hold(struct auditing *a)
{
    int64_t until = audit_moment(a, "until");
    bool released = audit_has(a, "released");
    bool lists = audit_has(a, "missing") && audit_has(a, "awaited");
    if (released == lists || (released && audit_has(a, "until")) ||
        audit_has(a, "missing") != audit_has(a, "awaited"))
        return audit_broken(a, AUDIT_FORM, 0, "its members do not go together");
    if (lists && seats_of(a, "missing") & ~seats_of(a, "awaited"))
        return audit_broken(a, AUDIT_RULES, 0, "it misses orders of a seat that it does not await");
    if (a->full && lists &&
        (seats_of(a, "missing") != game_missing(&a->game) ||
         seats_of(a, "awaited") != game_awaited(&a->game)))
        return audit_broken(a, AUDIT_RULES, 0, "the seats it names are not those whose orders are missing");
    if (audit_has(a, "until") && until <= a->record->time)
        return audit_broken(a, AUDIT_DEADLINE, 0, "the turn is held for no time");
    if (released) {
        check_release(a);
        return 0;
    }
    a->valve.until = until;
    a->valve.waited_for = seats_of(a, "missing");
    a->valve.came = false;
    audit_note(a, AUDIT_NOTE, AUDIT_DEADLINE, 0, "turn %d was held, because %s", a->game.turn,
               json_array_size(json_object_get(a->record->json, "missing"))
                   ? "orders were missing"
                   : "orders that had come could not be accepted yet");
    return 0;
}

/* It is put off from where it is, or from the vote when it has passed. */
static int check_vote(struct auditing *a)
{
    const struct game *game = &a->game;
    const struct schedule *schedule = &game->clock.schedule;
    if (!audit_has(a, "deadline"))
        return 0;
    int64_t least = game_least_vote(game, audit_seat(a), audit_number(a, "seconds"));
    int64_t deadline = audit_moment(a, "deadline"), stood = game->clock.deadline;
    int64_t from = stood > a->record->time ? stood : a->record->time;
    return deadline == game_within_round(game, 0, schedule_settle(schedule, from + least))
               ? 0
               : audit_broken(a, AUDIT_DEADLINE, audit_seat(a),
                              "the deadline moves by another time than was voted for");
}

static int check_shift(struct auditing *a)
{
    const char *why = audit_text(a, "why");
    char from[CLOCK_TEXT], to[CLOCK_TEXT];
    if (audit_has(a, "away") != (strcmp(why, "vacation") == 0) ||
        audit_has(a, "seconds") != (strcmp(why, "outage") == 0))
        return audit_broken(a, AUDIT_FORM, 0, "its members do not go together");
    if (audit_has(a, "seconds") &&
        (audit_number(a, "seconds") < 0 || audit_number(a, "seconds") > SECONDS_MOST))
        return audit_broken(a, AUDIT_FORM, 0, "an outage that cannot have been so long");
    if (audit_has(a, "away") && check_away(a, audit_moment(a, "deadline")))
        return -1;
    clock_utc(from, audit_moment(a, "from"));
    clock_utc(to, audit_moment(a, "deadline"));
    audit_word(a, AUDIT_DEADLINE, 0, "the deadline of turn %d was moved from %s to %s: %s", a->game.turn,
               from, to, *why == 'v' ? "a vacation" : "the service stood still, or could not hear a player");
    return 0;
}

void audit_came(struct auditing *a)
{
    const char *word = audit_text(a, "do");
    bool moderated = audit_is(a, "moderate") && (strcmp(word, "orders") == 0 ||
                                                 strcmp(word, "replace") == 0 || strcmp(word, "ban") == 0);
    bool about = audit_is(a, "orders") || audit_is(a, "seat") || moderated;
    if (about && (a->valve.waited_for & SEAT_BIT(audit_seat(a))))
        a->valve.came = true;
}

/* A closed turn opens again, with a new deadline. */
static void check_reopened(struct auditing *a)
{
    const int64_t deadline = audit_moment(a, "deadline"), expected = a->game.turn ? given(a) : 0;
    doubt(a, NULL);
    if (deadline != expected) {
        tell_moved(a, deadline, expected, "the turn was opened again");
        doubt(a, other_deadline);
    }
}

int audit_clock_note(struct auditing *a)
{
    if (audit_kind_is(a, RECORD_HOLD))
        return check_hold(a);
    if (audit_kind_is(a, RECORD_VOTE))
        return check_vote(a);
    if (audit_kind_is(a, RECORD_LOST)
            ? a->game.closed && !a->game.over
            : audit_kind_is(a, RECORD_UNWITNESS) && witness_decides(&a->game, audit_seat(a)))
        check_reopened(a);
    return audit_kind_is(a, RECORD_SHIFT) ? check_shift(a) : 0;
}
