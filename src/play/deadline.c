#include "play/deadline.h"

#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "game/seating.h"
#include "game/witness.h"
#include "game/game_seats.h"

#define HOME_AGAIN DAY_SECONDS
#define REMIND_LEAST \
    3600 /* no reminders less than an hour before the deadline, or this soon after a report */

/* ---- the schedule ---- */

int64_t game_clock(const struct game *game, int64_t now)
{
    return game->time > now ? game->time : now;
}

int64_t game_next_deadline(const struct game *game, int64_t from)
{
    if (game->clock.lockstep.on)
        return lockstep_opens(&game->clock.lockstep, game->turn + 2);
    return game_within_round(game, from, schedule_next(&game->clock.schedule, from));
}

bool game_round_over(const struct game *game, int64_t now)
{
    return game->table.place.until && now >= game->table.place.until;
}

int64_t game_within_round(const struct game *game, int64_t now, int64_t deadline)
{
    int64_t until = game->table.place.until;
    if (game_round_over(game, now))
        return 0;
    return until && deadline > until ? until : deadline;
}

/* ---- resolution ---- */

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The end of all that keeps the turn open although orders are in; 1 = nothing does. */
static int64_t delayed_until(const struct game *game, const struct outside *outside)
{
    uint32_t awaited = game_awaited(game);
    int64_t end = 1;
    for (int seat = 1; seat <= game->seats; seat++) {
        const struct game_delay delay = game_delay(game, seat);
        if ((awaited & SEAT_BIT(seat)) && delay.until)
            end = later(end, elapsed_end(outside, delay.from, delay.until));
    }
    return end;
}

/* The earliest resolution when all orders are in; 1 = at once. */
static int64_t ripe_at(const struct game *game, const struct outside *outside)
{
    int64_t minimum = game->clock.schedule.minimum, opened = game->opened.at;
    if (game->clock.lockstep.on)
        return game->clock.deadline; /* also for robots: nobody sees what comes before the others do */
    if (!game_awaited(game))
        return 1; /* robots have time */
    int64_t least = minimum ? elapsed_end(outside, opened, opened + minimum) : 1;
    return later(later(least, delayed_until(game, outside)), later(game->clock.schedule.starts, 1));
}

bool game_ripe(const struct game *game, const struct outside *outside, int64_t now)
{
    return game_all_in(game) && ripe_at(game, outside) <= now;
}

int64_t game_plays_at(const struct game *game)
{
    if (!game_all_in(game) || delayed_until(game, NULL) <= game->time)
        return 0;
    int64_t at = ripe_at(game, NULL), resolves = game_resolves(game);
    return resolves && resolves < at ? resolves : at;
}

int64_t game_resolves(const struct game *game)
{
    if (!game->clock.deadline)
        return 0;
    return later(game->clock.deadline + (game_missing(game) ? game->clock.schedule.grace : 0),
                 game->clock.schedule.starts);
}

int64_t game_hold_since(const struct game *game, const struct outside *outside)
{
    return game->clock.hold_until - (outside ? outside->config->clock.hold : 0);
}

int64_t game_witness_due(const struct game *game, const struct outside *outside)
{
    const int64_t due = quorum_due(&game->witnesses, game->close.at);
    return due <= 1 || !witness_too_few(game) ? due : elapsed_end(outside, due - WITNESS_LATE, due);
}

/* ---- reminders ---- */

/* When a seat is reminded, 0 = never: at the player's hour before the deadline, but not in the first half of
 * the time since the deadline was set, or an open question was asked, when that mail is still fresh. */
static int64_t remind_at(const struct game *game, const struct outside *outside, int seat)
{
    const struct player *player = outside ? registry_find(outside->players, game->seat[seat].player) : NULL;
    int64_t before = player ? player_reminder(player, outside->config) : 0;
    if (!before || !game->clock.deadline)
        return 0;
    int64_t at = game->clock.deadline - before;
    const struct game_orders *orders = &game->seat[seat].orders;
    int64_t told = later(game->clock.dated, orders->question ? orders->asked
                                            : orders->waits  ? orders->waits_since
                                                             : 0);
    if (told < game->clock.deadline)
        at = later(at, told + (game->clock.deadline - told) / 2);
    return at <= game->clock.deadline - REMIND_LEAST ? at : 0;
}

uint32_t game_to_remind(const struct game *game, const struct outside *outside, int64_t now)
{
    uint32_t seats = game_unreminded(game);
    if (!seats || game->clock.paused || game->clock.held || now >= game_resolves(game))
        return 0;
    for (int seat = 1; seat <= game->seats; seat++) {
        int64_t at = seats & SEAT_BIT(seat) ? remind_at(game, outside, seat) : 0;
        if (!at || at > now)
            seats &= ~SEAT_BIT(seat);
    }
    return seats;
}

/* ---- valves ---- */

uint32_t game_stuck(const struct game *game, const struct outside *outside)
{
    uint32_t seats = 0;
    if (game->clock.lockstep.on)
        return 0; /* nobody has more time than the others */
    for (size_t i = 0; outside && i < outside->stuck_count; i++) {
        const struct stuck_orders *orders = &outside->stuck[i];
        if (strcmp(orders->game, game->id) == 0 && (!orders->turn || orders->turn == game->turn))
            for (int seat = 1; seat <= game->seats; seat++)
                if (strcmp(game->seat[seat].player, orders->player) == 0)
                    seats |= SEAT_BIT(seat);
    }
    return (seats & game_awaited(game)) | game_absent(game, outside);
}

uint32_t game_absent(const struct game *game, const struct outside *outside)
{
    uint32_t seats = 0;
    if (!outside || !(outside->players->fault_count + outside->keys->damaged_count))
        return 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot && player_absent(outside, game->seat[seat].player))
            seats |= SEAT_BIT(seat);
    return seats & game_awaited(game);
}

/* Does it concern the open turn, and has its deadline not been set since? */
static bool is_news(const struct game *game, const struct returned *back)
{
    if (game->clock.dated >= back->to)
        return false;
    return !*back->game || (strcmp(back->game, game->id) == 0 && game->opened.at <= back->from &&
                            (!back->turn || back->turn == game->turn));
}

static uint32_t heard_again(const struct game *game, const struct outside *outside, bool given, int64_t *from)
{
    uint32_t seats = 0;
    for (size_t i = 0; outside && i < outside->returned_count; i++) {
        const struct returned *back = &outside->returned[i];
        if ((*back->game != '\0') != given || !is_news(game, back) || player_absent(outside, back->player))
            continue;
        for (int seat = 1; seat <= game->seats; seat++) {
            if (game->seat[seat].robot || strcmp(game->seat[seat].player, back->player) != 0)
                continue;
            *from = seats && *from < back->from ? *from : back->from;
            seats |= SEAT_BIT(seat);
        }
    }
    return seats;
}

uint32_t game_returned(const struct game *game, const struct outside *outside, int64_t *from)
{
    return heard_again(game, outside, false, from);
}

uint32_t game_given_up(const struct game *game, const struct outside *outside, int64_t *from)
{
    return heard_again(game, outside, true, from);
}

bool game_deserted(const struct game *game, const struct outside *outside)
{
    uint32_t awaited = game_awaited(game);
    uint32_t missing = game_missing(game);
    int people = 0, silent = 0;
    if (!outside || !*outside->config->league.moderators)
        return false;
    for (int seat = 1; seat <= game->seats; seat++) {
        bool given_up = game_robot_stands_in(game, seat);
        people += (awaited & SEAT_BIT(seat)) && !given_up;
        silent += (missing & SEAT_BIT(seat)) && !given_up;
    }
    return people >= 2 && silent * 100 > outside->config->clock.valve * people;
}

/* ---- vacations ---- */

static bool may_stretch(const struct game *game, const struct player *player, const struct vacation *vacation,
                        int most)
{
    for (size_t i = 0; i < game->clock.away_count; i++) {
        const struct game_away *away = &game->clock.away[i];
        if (strcmp(away->player, player->name) != 0)
            continue;
        if (vacation->from <= away->until || away->days + vacation_days(vacation, 1, away->year) > most)
            return false;
    }
    return true;
}

/* The vacation of this player in which the deadline lies and that may move it; *end is set with it. NULL = none. */
static const struct vacation *away_for(const struct game *game, const struct outside *outside,
                                       const struct player *player, int64_t deadline, int64_t *end)
{
    const struct zone *zone = player_zone(player, outside);
    for (int i = 0; i < player->vacation_count; i++) {
        const struct vacation *vacation = &player->vacations[i];
        *end = zone_time(zone, vacation->to + 1, 0);
        if (deadline >= zone_time(zone, vacation->from, 0) && deadline < *end &&
            may_stretch(game, player, vacation, outside->config->clock.vacation))
            return vacation;
    }
    return NULL;
}

static void add_used(json_t *used, int seat, const struct player *player, const struct vacation *vacation,
                     int64_t deadline)
{
    char from[DATE_TEXT], to[DATE_TEXT], before[CLOCK_TEXT];
    clock_utc(before, deadline);
    date_text(from, vacation->from);
    date_text(to, vacation->to);
    json_array_append_new(used, json_pack("{s:i,s:s,s:s,s:s,s:s}", "seat", seat, "player", player->name,
                                          "from", from, "to", to, "before", before));
}

/* No later than the round's end: from there nothing can be moved. */
static int64_t after_vacation(const struct game *game, int64_t end)
{
    return game_within_round(game, 0, schedule_settle(&game->clock.schedule, end + HOME_AGAIN));
}

void game_spare(const struct game *game, const struct outside *outside, uint32_t seats, int64_t *deadline,
                json_t *used)
{
    uint32_t open = outside && *deadline && !game->clock.lockstep.on ? seats : 0;
    bool moved = true;
    while (moved) {
        moved = false;
        for (int seat = 1; seat <= game->seats; seat++) {
            int64_t end = 0;
            const struct player *player =
                open & SEAT_BIT(seat) ? registry_find(outside->players, game->seat[seat].player) : NULL;
            const struct vacation *which = player ? away_for(game, outside, player, *deadline, &end) : NULL;
            int64_t moved_to = which ? after_vacation(game, end) : 0;
            if (!which || moved_to <= *deadline)
                continue;
            add_used(used, seat, player, which, *deadline);
            *deadline = moved_to;
            open &= ~SEAT_BIT(seat); /* one vacation per player at a time */
            moved = true;
        }
    }
}

/* Must the deadline be moved out of a vacation? */
static bool to_spare(const struct game *game, const struct outside *outside)
{
    int64_t deadline = game->clock.deadline;
    json_t *used = json_array();
    game_spare(game, outside, game_missing(game), &deadline, used);
    json_decref(used);
    return deadline != game->clock.deadline;
}

/* ---- when ---- */

static void sooner(int64_t *due, int64_t at)
{
    if (at > 0 && (*due == 0 || at < *due))
        *due = at;
}

int64_t game_kept_end(const struct game *game, const struct outside *outside)
{
    return elapsed_end(outside, game->clock.dated, game->table.answer_by) + 1;
}

int64_t game_kept_due(const struct game *game, const struct outside *outside)
{
    uint32_t silent = seating_unanswered(game);
    int64_t half = game->clock.dated + (game->table.answer_by - game->clock.dated) / 2;
    if (!silent || game->clock.paused || game->closed)
        return 0;
    return silent & ~game->clock.reminded ? elapsed_end(outside, game->clock.dated, half)
                                          : game_kept_end(game, outside);
}

/* When a hold ends by itself. */
static int64_t hold_end(const struct game *game, const struct outside *outside)
{
    return game->clock.hold_until
               ? elapsed_end(outside, game_hold_since(game, outside), game->clock.hold_until)
               : 0;
}

int64_t game_due(const struct game *game, const struct outside *outside)
{
    int64_t due = 0;
    if (game->closed && !game->over && !game->clock.paused)
        return game_witness_due(game, outside);
    if (game->over)
        return game_withheld(game) ? game->clock.lockstep.closes : 0;
    if (game->turn == 0)
        return game->clock.lockstep.on && game_ready(game) ? game->clock.lockstep.opens
                                                           : game_kept_due(game, outside);
    sooner(&due, game->table.place.until);
    if (game->clock.paused)
        return due;
    sooner(&due, offer_due(game));
    if (game->clock.held) {
        bool waits = !game->clock.hold_until || game_deserted(game, outside) || game_stuck(game, outside);
        sooner(&due, waits ? hold_end(game, outside) : 1);
        return due;
    }
    if (game_all_in(game) && !game_stuck(game, outside))
        sooner(&due, ripe_at(game, outside));
    if (!game->clock.deadline)
        return due;
    sooner(&due, game_resolves(game));
    uint32_t silent = game_unreminded(game);
    for (int seat = 1; seat <= game->seats; seat++)
        if (silent & SEAT_BIT(seat))
            sooner(&due, remind_at(game, outside, seat));
    return to_spare(game, outside) ? 1 : due;
}
