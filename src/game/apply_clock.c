/* What the clock writes into a journal: reminders, moved deadlines, holds, votes on extensions. Deadlines are
 * facts here: whether they follow from the schedule was settled when the record was made. */

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/apply_parts.h"
#include "league/outside.h"
#include "game/seating.h"
#include "game/game_seats.h"

#define SPARED_LEAST    ((int64_t)3600)
#define UNTIL_MODERATOR ((int64_t)253402300799) /* 9999-12-31T23:59:59Z */

/* The record must be about the open turn of a game that is going on. */
static int check_turn(struct applying *a, struct err *err)
{
    int64_t turn;
    if (json_need_int(a->record->json, "turn", 1, 9999, &turn, "note", err))
        return -1;
    if (turn != a->game->turn || a->game->over)
        return apply_broken(a, err, "not the open turn");
    return 0;
}

static bool read_time(const struct applying *a, const char *key, int64_t *time)
{
    return clock_parse(slice_of(apply_text(a, key)), time);
}

/* ---- vacations ---- */

static struct game_away *away_of(struct game *game, const char *player, int year)
{
    for (size_t i = 0; i < game->clock.away_count; i++)
        if (game->clock.away[i].year == year && strcmp(game->clock.away[i].player, player) == 0)
            return &game->clock.away[i];
    game->clock.away =
        mem_grow(game->clock.away, game->clock.away_count, &game->clock.away_cap, sizeof *game->clock.away);
    struct game_away *away = &game->clock.away[game->clock.away_count++];
    memset(away, 0, sizeof *away);
    (void)snprintf(away->player, sizeof away->player, "%s", player);
    away->year = year;
    return away;
}

static bool used_before(const struct game *game, const char *player, int64_t from)
{
    for (size_t i = 0; i < game->clock.away_count; i++)
        if (strcmp(game->clock.away[i].player, player) == 0 && from <= game->clock.away[i].until)
            return true;
    return false;
}

int apply_away(struct applying *a, struct err *err)
{
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(a->record->json, "away"), i, item) {
        const char *player, *from, *to;
        const char *was = json_string_value(json_object_get(item, "before"));
        struct vacation vacation;
        int64_t before = 0;
        json_int_t seat; /* an int would be cut off */
        if (json_unpack(item, "{s:I,s:s,s:s,s:s}", "seat", &seat, "player", &player, "from", &from, "to",
                        &to) != 0 ||
            (was && (!clock_parse(slice_of(was), &before) || before <= 0)) ||
            !date_parse(slice_of(from), &vacation.from) || !date_parse(slice_of(to), &vacation.to) ||
            vacation.to < vacation.from || vacation.to - vacation.from > 366 || seat < 1 ||
            seat > a->game->seats || strcmp(a->game->seat[seat].player, player) != 0)
            return apply_broken(a, err, "a vacation that cannot be one");
        if (used_before(a->game, player, vacation.from))
            return apply_broken(a, err, "a vacation that has moved this game before");
        for (int year = date_of(vacation.from).year; year <= date_of(vacation.to).year; year++) {
            struct game_away *away = away_of(a->game, player, year);
            int days = vacation_days(&vacation, 1, year);
            if (before && !away->before)
                away->until_before = away->until;
            if (before && !away->before)
                away->before = before;
            away->open_days += before ? days : 0;
            away->days += days;
            away->until = vacation.to;
        }
    }
    return 0;
}

void settle_away(struct game *game, int64_t closed)
{
    for (size_t i = 0; i < game->clock.away_count; i++) {
        struct game_away *away = &game->clock.away[i];
        if (away->before && closed <= away->before) {
            away->days -= away->open_days;
            away->until = away->until_before;
        }
        away->before = away->until_before = 0;
        away->open_days = 0;
    }
}

/* ---- notes ---- */

int note_reminder(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    uint32_t seats = 0;
    int64_t deadline;
    size_t i;
    json_t *item;
    bool kept = game->turn == 0 && !game->over; /* seats before the start */
    if (kept ? json_integer_value(json_object_get(a->record->json, "turn")) != 0 : check_turn(a, err))
        return kept ? apply_broken(a, err, "not the open turn") : -1;
    json_array_foreach (json_object_get(a->record->json, "seats"), i, item) {
        int64_t seat = json_integer_value(item);
        seats |= seat >= 1 && seat <= game->seats ? SEAT_BIT(seat) : EVENT_PUBLIC;
    }
    if (!seats ||
        (seats & ~(kept ? seating_unanswered(game) & ~game->clock.reminded : game_unreminded(game))))
        return apply_broken(a, err, "a seat whose orders are there and settled, or that was reminded before");
    if (!read_time(a, "deadline", &deadline) ||
        deadline != (kept ? game->table.answer_by : game->clock.deadline))
        return apply_broken(a, err, "not the deadline of the open turn");
    game->clock.reminded |= seats;
    return 0;
}

/* Of a new deadline nobody has been reminded yet. */
static int move_deadline(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    int64_t deadline;
    if (!game->clock.deadline || !read_time(a, "deadline", &deadline) || deadline <= game->clock.deadline)
        return apply_broken(a, err, "the deadline cannot move like that");
    game->clock.deadline = deadline;
    game->clock.dated = a->record->time;
    game->clock.reminded = 0;
    return 0;
}

/* What an outage adds to a turn. If the journal is ahead of the clock the amount is unknown: count something,
 * so that it comes to an end. */
static int64_t spared_by(const struct applying *a)
{
    int64_t deadline = 0;
    (void)read_time(a, "deadline", &deadline);
    return deadline - a->record->time > SPARED_LEAST ? deadline - a->record->time : SPARED_LEAST;
}

int note_shift(struct applying *a, struct err *err)
{
    const char *why = apply_text(a, "why");
    int64_t from;
    bool vacation = strcmp(why, "vacation") == 0;
    if (check_turn(a, err))
        return -1;
    if (!vacation && strcmp(why, "outage") != 0)
        return apply_broken(a, err, "this version does not know why the deadline moves");
    if (!read_time(a, "from", &from) || from != a->game->clock.deadline)
        return apply_broken(a, err, "not the deadline of the open turn");
    if (vacation && json_array_size(json_object_get(a->record->json, "away")) == 0)
        return apply_broken(a, err, "nobody is on vacation");
    if (!vacation)
        a->game->clock.spared += spared_by(a);
    return move_deadline(a, err) || (vacation && apply_away(a, err)) ? -1 : 0;
}

int note_hold(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (check_turn(a, err))
        return -1;
    if (json_is_true(json_object_get(a->record->json, "released"))) {
        if (!game->clock.held || !game->clock.hold_until)
            return apply_broken(a, err, "the game is not held by the valve");
        game->clock.held = false;
        game->clock.hold_until = 0;
        return 0;
    }
    if (game->clock.held || game->clock.paused || game->clock.hold_turn == game->turn)
        return apply_broken(a, err, "the game is held or paused, or was held in this turn");
    game->clock.held = true;
    game->clock.hold_turn = game->turn;
    if (!read_time(a, "until", &game->clock.hold_until))
        game->clock.hold_until = UNTIL_MODERATOR;
    return 0;
}

int note_vote(struct applying *a, struct err *err)
{
    const struct game_seat *seat = apply_seat_of(a, err);
    int yes, needed;
    if (!seat)
        return -1;
    const int number = (int)(seat - a->game->seat);
    const int64_t seconds = json_integer_value(json_object_get(a->record->json, "seconds"));
    if (!(game_voters(a->game) & SEAT_BIT(number)))
        return apply_broken(a, err, "no vote is possible");
    if ((game_vote(a->game, number, seconds, &yes, &needed) > 0) != (*apply_text(a, "deadline") != '\0'))
        return apply_broken(a, err, "the votes do not count up to that");
    return apply_voted(a, err);
}

int apply_voted(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct game_seat *seat = apply_seat_of(a, err);
    int64_t seconds;
    if (!seat || check_turn(a, err) ||
        json_need_int(a->record->json, "seconds", 0, game->clock.schedule.extension, &seconds, "vote", err))
        return -1;
    if (!seat_has_person(game, (int)(seat - game->seat)) || game->clock.extended || !game->clock.deadline)
        return apply_broken(a, err, "no vote is possible");
    seat->vote = seconds;
    if (!*apply_text(a, "deadline"))
        return 0;
    game->clock.extended = true;
    return move_deadline(a, err);
}
