/* When a new competition is played: the clock of its games, its rounds, and whether they are long enough. */
#include "commands/compete_plan.h"

#include "base/clock.h"
#include "base/date.h"
#include "batch/season.h"
#include "commands/simulate.h"

#define ENTRIES     (14 * DAY_SECONDS)
#define DEAL        (6 * DAY_SECONDS) /* it takes, and a day later comes the next one: each week on the same day; */
#define DEAL_TURN   (6 * HOUR_SECONDS) /* with turns this long: 24 of them */
#define LEAST_BREAK (2 * HOUR_SECONDS) /* between deals, as each opens after its draw */
#define PROTEST     (7 * DAY_SECONDS)

int plan_number(const char *what, int64_t value, int64_t least, int64_t most, struct err *err)
{
    if (value >= least && value <= most)
        return 0;
    return err_set(err, ERR_INPUT, "%s takes %lld to %lld", what, (long long)least, (long long)most);
}

/* ---- the clock of the games ---- */

/* The turns of a deal open for all at one time, and nothing moves them: their length is all that there is to say. */
static int read_steps(struct plan *plan, struct err *err)
{
    const struct compete_new_wishes *wishes = plan->wishes;
    int64_t length = wishes->clock.deadline ? wishes->clock.deadline
                     : plan->how.previous   ? plan->clock.length
                                            : DEAL_TURN;
    if (wishes->clock.schedule || wishes->clock.holidays || wishes->clock.grace || wishes->clock.minimum ||
        wishes->clock.no_early || wishes->clock.weekends_off)
        return err_set(err, ERR_INPUT,
                       "the turns of a duplicate deal open for all at one time: of the clock only --deadline "
                       "can be said, in whole hours");
    if (length % HOUR_SECONDS || length > LOCKSTEP_HOURS_MOST * HOUR_SECONDS)
        return err_set(err, ERR_INPUT, "--deadline takes 1h to %dh in whole hours here", LOCKSTEP_HOURS_MOST);
    schedule_init(&plan->clock);
    plan->clock.length = length;
    return 0;
}

static int read_length(struct plan *plan, struct err *err)
{
    const struct compete_new_wishes *wishes = plan->wishes;
    struct schedule *clock = &plan->clock;
    if (!plan->how.previous && league_clock(plan->batch->league, clock, err))
        return -1;
    if (wishes->clock.deadline && wishes->clock.schedule)
        return err_set(err, ERR_INPUT, "only one of --deadline and --schedule is possible");
    if (wishes->clock.deadline) {
        clock->length = wishes->clock.deadline;
        clock->slot_count = 0;
    }
    if (plan->how.kind == COMPETE_DUPLICATE)
        return read_steps(plan, err);
    if (wishes->clock.schedule && schedule_parse(slice_of(wishes->clock.schedule),
                                                 plan->batch->league->config.league.timezone, clock, err))
        return err_prefix(err, "--schedule");
    if (wishes->clock.holidays && schedule_holidays(slice_of(wishes->clock.holidays), clock, err))
        return err_prefix(err, "--holidays");
    return 0;
}

int plan_clock(struct plan *plan, struct err *err)
{
    const struct compete_new_wishes *wishes = plan->wishes;
    struct schedule *clock = &plan->clock;
    if (read_length(plan, err))
        return -1;
    if (wishes->clock.grace)
        clock->grace = wishes->clock.grace;
    if (wishes->clock.minimum)
        clock->minimum = wishes->clock.minimum;
    clock->early &= !wishes->clock.no_early;
    clock->weekends_off |= wishes->clock.weekends_off;
    clock->starts = 0;
    plan->how.clock = clock;
    if (!schedule_timed(clock))
        return err_set(err, ERR_INPUT, "games of a competition need deadlines: --deadline 3d");
    if (schedule_check(clock, err))
        return -1;
    return schedule_take_zone(clock, &plan->batch->zones, plan->batch->now, err);
}

/* ---- the calendar ---- */

static int read_entries(struct plan *plan, struct err *err)
{
    const char *text = plan->wishes->entries;
    int64_t now = plan->batch->now, wait = ENTRIES;
    struct new_competition *how = &plan->how;
    if (text && clock_parse(slice_of(text), &how->entries_until))
        return how->entries_until > now ? 0 : err_set(err, ERR_INPUT, "--entries: that time is over");
    if (text && !duration_parse(slice_of(text), &wait))
        return err_set(err, ERR_INPUT,
                       "--entries takes a duration such as 14d, or a time such as 2026-11-20T08:00:00Z");
    how->entries_until = season_later(plan->zone, now, wait);
    if (wait >= DAY_SECONDS)
        how->entries_until += (HOUR_SECONDS - how->entries_until % HOUR_SECONDS) % HOUR_SECONDS;
    return 0;
}

/* A day later, also where the clock is put forward meanwhile. */
static int64_t day_after(const struct plan *plan, int64_t time)
{
    int64_t next = season_later(plan->zone, time, DAY_SECONDS);
    return next < time + DAY_SECONDS ? time + DAY_SECONDS : next;
}

static int first_draw(const struct plan *plan, int64_t *draw, struct err *err)
{
    const struct new_competition *how = &plan->how;
    char text[CLOCK_TEXT];
    int64_t least = day_after(plan, how->confirm_until ? how->confirm_until : how->entries_until);
    *draw = plan->wishes->starts ? plan->wishes->starts : least;
    if (*draw >= least)
        return 0;
    clock_utc(text, least);
    return err_set(err, ERR_INPUT, "--starts: entries close a day before a draw, so not before %s", text);
}

/* Of a season before it, where nothing else is said. */
static void take_calendar(const struct plan *plan, int64_t *count, int64_t *length, int64_t *pause)
{
    const struct competition *before = plan->how.previous;
    const struct compete_new_wishes *wishes = plan->wishes;
    bool divided = plan->how.kind == COMPETE_DIVISIONS;
    *count = wishes->rounds ? wishes->rounds : before ? before->round_count : divided ? 7 : 5;
    *length = wishes->round_length ? wishes->round_length
              : before             ? compete_planned_end(&before->rounds[0]) - before->rounds[0].draw
              : plan->how.kind == COMPETE_DUPLICATE ? DEAL
                                                    : 0;
    *pause = wishes->pause ? wishes->pause
             : before && before->round_count > 1
                 ? before->rounds[1].draw - compete_planned_end(&before->rounds[0])
                 : DAY_SECONDS;
}

/* When the last of that many turns ends, if each takes all its time and the grace. */
static int64_t played_by(const struct plan *plan, int64_t from, int turns)
{
    const struct schedule *clock = &plan->clock;
    for (int i = 0; i < turns; i++)
        from = schedule_next(clock, from) + clock->grace;
    return from;
}

static void say_days(struct str *out, int64_t seconds)
{
    str_addf(out, "%lld days", (long long)((seconds + DAY_SECONDS - 1) / DAY_SECONDS));
}

/* Without a length there is no calendar. */
static int ask_length(const struct plan *plan, int64_t draw, struct err *err)
{
    const struct new_competition *how = &plan->how;
    struct game_turns turns;
    struct str most = STR_INIT;
    if (!how->ruleset->robot)
        return err_set(err, ERR_INPUT, "say how long a round may take: --round-length 30d");
    if (simulate_turns(how->ruleset, how->seats, how->options, &turns, err))
        return -1;
    say_days(&most, played_by(plan, draw, turns.long_ones) - draw);
    err_set(err, ERR_INPUT,
            "say how long a round may take, as --round-length 30d: where each turn takes all its time, nine "
            "in ten games of %d take at most %s",
            how->seats, most.p);
    str_release(&most);
    return -1;
}

static int read_rounds(struct plan *plan, struct err *err)
{
    struct new_competition *how = &plan->how;
    int64_t count, pause, draw;
    take_calendar(plan, &count, &plan->length, &pause);
    if (plan_number("--rounds", count, 1, COMPETE_ROUNDS, err) || first_draw(plan, &draw, err))
        return -1;
    if (!plan->length)
        return ask_length(plan, draw, err);
    if (how->kind == COMPETE_DUPLICATE && pause < LEAST_BREAK)
        return err_set(
            err, ERR_INPUT,
            "--break: a deal opens at a full hour after its draw and keeps its length, so at least 2h have "
            "to lie between a round's end and the next draw, or each round is later than the one before");
    for (int i = 0; i < count; i++) {
        plan->rounds[i][0] = draw;
        plan->rounds[i][1] = season_later(plan->zone, draw, plan->length);
        draw = season_later(plan->zone, plan->rounds[i][1], pause);
    }
    how->rounds = (const int64_t(*)[2])plan->rounds;
    how->round_count = (int)count;
    return 0;
}

static int read_again(struct plan *plan, struct err *err)
{
    struct new_competition *how = &plan->how;
    how->next = plan->wishes->again;
    int64_t least = how->protest + plan->rounds[0][0] - how->entries_until + SEASON_ROOM;
    struct str text = STR_INIT;
    if (!how->next || how->next >= least)
        return how->next ? plan_number("--again", how->next / DAY_SECONDS, 1, 400, err) : 0;
    least += (DAY_SECONDS - least % DAY_SECONDS) % DAY_SECONDS;
    duration_add(&text, least);
    (void)err_set(
        err, ERR_INPUT,
        "--again takes at least %s here: results can be changed until %lld days after the last round, "
        "and then people need time to enter",
        text.p, (long long)((how->protest + DAY_SECONDS - 1) / DAY_SECONDS));
    str_release(&text);
    return -1;
}

int plan_calendar(struct plan *plan, struct err *err)
{
    const struct compete_new_wishes *wishes = plan->wishes;
    struct new_competition *how = &plan->how;
    const struct competition *before = how->previous;
    if (!how->zone)
        how->zone = plan->batch->league->config.league.timezone;
    plan->zone = zones_find(&plan->batch->zones, how->zone, err);
    if (err->code || read_entries(plan, err))
        return -1;
    if (wishes->confirm)
        how->confirm_until = season_later(plan->zone, how->entries_until, wishes->confirm);
    else if (before && before->terms.confirm_until)
        how->confirm_until = season_later(plan->zone, how->entries_until,
                                          before->terms.confirm_until - before->terms.entries_until);
    if (wishes->protest || !before)
        how->protest = wishes->protest ? wishes->protest : PROTEST;
    if (how->protest > 60 * DAY_SECONDS)
        return err_set(err, ERR_INPUT, "--protest takes at most 60d");
    return read_rounds(plan, err) || read_again(plan, err) ? -1 : 0;
}

/* ---- how long it takes ---- */

/* What the games take, by those of robots; says so. */
int plan_check_length(const struct plan *plan, struct deed *deed, struct err *err)
{
    const struct new_competition *how = &plan->how;
    struct game_turns turns;
    struct str usual = STR_INIT, late = STR_INIT, length = STR_INIT;
    int64_t from = plan->rounds[0][0];
    if (!how->ruleset->robot)
        return 0;
    if (simulate_turns(how->ruleset, how->seats, how->options, &turns, err))
        return -1;
    int64_t most = played_by(plan, from, turns.long_ones) - from;
    int rc = 0;
    say_days(&usual, played_by(plan, from, turns.usual) - from);
    say_days(&late, most);
    say_days(&length, plan->length);
    if (most > plan->length && !plan->wishes->cut_short)
        rc = err_set(
            err, ERR_INPUT,
            "a game of %d can take %s where each turn takes all its time (one in ten of robots' games "
            "has %d turns or more), and a round has %s: give it more (--round-length), take shorter "
            "turns (--deadline), or say --cut-short, and %s",
            how->seats, late.p, turns.long_ones, length.p,
            how->kind == COMPETE_DUPLICATE ? "turns that are left when it closes are played without orders"
                                           : "games that outlast their round are adjudged");
    else
        deed_say(
            deed,
            "A game of %d: %d turns, nine in ten at most %d (by games of robots); where each turn takes all "
            "its time, %s, nine in ten at most %s. A round has %s.\n",
            how->seats, turns.usual, turns.long_ones, usual.p, late.p, length.p);
    str_release(&usual);
    str_release(&late);
    str_release(&length);
    return rc;
}
