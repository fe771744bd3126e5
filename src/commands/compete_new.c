/* `turnpost compete new`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/mem.h"
#include "batch/making.h"
#include "batch/season.h"
#include "commands/compete.h"
#include "commands/simulate.h"
#include "compete/ranking.h"
#include "compete/division.h"

#define ENTRIES     (14 * DAY_SECONDS)
#define ROBOTS      200               /* robots that play a duplicate deal */
#define DEAL        (6 * DAY_SECONDS) /* it takes, and a day later comes the next one: each week on the same day; */
#define DEAL_TURN   (6 * HOUR_SECONDS) /* with turns this long: 24 of them */
#define LEAST_BREAK (2 * HOUR_SECONDS) /* between deals, as each opens after its draw */
#define PROTEST     (7 * DAY_SECONDS)
#define SEATS_LOT   8 /* the most at a table (compete/pairing.h) */

/* What is being put together. */
struct plan {
    const struct compete_new_wishes *wishes;
    const struct compete_condition_wishes *asked;
    struct batch *batch;
    struct new_competition how;
    const struct zone *zone;
    struct schedule clock;
    int64_t rounds[COMPETE_ROUNDS][2];
    int64_t length; /* of a round */
    json_t *divisions, *outside;
    struct conditions conditions;
};

/* ---- what is played ---- */

static int read_after(struct plan *plan, struct err *err)
{
    struct batch_competition *before;
    if (!plan->wishes->after)
        return 0;
    if (competing_find(plan->batch, plan->wishes->after, &before, err))
        return -1;
    if (!before->c.closed)
        return err_set(err, ERR_INPUT, "--after: %s is not over yet; a season follows one that is closed",
                       before->c.name);
    season_follow(plan->batch, &plan->how, &before->c);
    plan->how.next = 0;
    plan->divisions = ranking_divisions(&before->c);
    plan->how.divisions = plan->divisions;
    plan->clock = before->c.clock;
    return 0;
}

static int read_kind(struct plan *plan, struct err *err)
{
    const struct compete_new_wishes *wishes = plan->wishes;
    struct new_competition *how = &plan->how;
    bool follows = how->previous != NULL;
    if (!follows && (!wishes->kind || !wishes->ruleset))
        return err_set(err, ERR_INPUT, "say what is played and how: --kind tables --ruleset galaxy-command");
    enum compete_kind kind = how->kind;
    if (wishes->kind && !compete_kind_read(wishes->kind, &kind))
        return err_set(err, ERR_INPUT, "--kind takes tables, divisions or duplicate");
    if (follows && kind != how->kind)
        return err_set(err, ERR_INPUT, "--kind: %s was of another kind", how->previous->name);
    how->kind = kind;
    const struct ruleset *ruleset = wishes->ruleset ? ruleset_newest(wishes->ruleset) : how->ruleset;
    if (!ruleset)
        return err_set(err, ERR_INPUT, "there is no ruleset \"%s\"; `turnpost help new` lists them",
                       wishes->ruleset);
    if (ruleset != how->ruleset)
        for (int i = 0; i < GAME_OPTIONS && ruleset->options[i].name; i++)
            how->options[i] = ruleset->options[i].initial;
    how->ruleset = ruleset;
    return 0;
}

static int read_options(struct plan *plan, struct err *err)
{
    struct new_competition *how = &plan->how;
    struct new_game game = {.ruleset = how->ruleset};
    memcpy(game.options, how->options, sizeof game.options);
    for (int i = 0; i < plan->wishes->options.count; i++)
        if (making_option(&game, plan->wishes->options.item[i], err))
            return -1;
    memcpy(how->options, game.options, sizeof how->options);
    return 0;
}

/* A duplicate deal is played by each alone, and all can be compared. */
static int read_alone(struct plan *plan, struct err *err)
{
    const struct ruleset *ruleset = plan->how.ruleset;
    if (!ruleset->draws_nothing)
        return err_set(err, ERR_INPUT,
                       "--kind duplicate: %s draws cards or dice after the deal, so the same deal would be "
                       "another game for each",
                       ruleset->title);
    if (plan->wishes->seats > 1)
        return err_set(err, ERR_INPUT, "--seats: a duplicate deal is played by each alone");
    if (plan->wishes->rated)
        return err_set(err, ERR_INPUT, "--rated: games that are played alone are not rated");
    plan->how.seats = 1;
    return 0;
}

static int read_seats(struct plan *plan, struct err *err)
{
    struct new_competition *how = &plan->how;
    const struct ruleset *ruleset = how->ruleset;
    if (how->kind == COMPETE_DUPLICATE)
        return read_alone(plan, err);
    int64_t seats = plan->wishes->seats ? plan->wishes->seats : how->seats ? how->seats : 2;
    int most = ruleset->seats_max < SEATS_LOT ? ruleset->seats_max : SEATS_LOT;
    int least = ruleset->seats_min > 2 ? ruleset->seats_min : 2;
    if (how->kind == COMPETE_DIVISIONS && seats != 2)
        return err_set(err, ERR_INPUT, "--seats: divisions are played by two at a table");
    if (seats < least || seats > most)
        return err_set(err, ERR_INPUT, "--seats: a table of %s has %d to %d players here", ruleset->title,
                       least, most);
    how->seats = (int)seats;
    return 0;
}

/* ---- how it counts ---- */

static int number(const char *what, int64_t value, int64_t least, int64_t most, struct err *err)
{
    if (value >= least && value <= most)
        return 0;
    return err_set(err, ERR_INPUT, "%s takes %lld to %lld", what, (long long)least, (long long)most);
}

bool compete_halves(const char *text, int64_t *halves)
{
    bool minus = *text == '-';
    char *end;
    text += *text == '-' || *text == '+';
    if (*text < '0' || *text > '9' || strlen(text) > 6)
        return false;
    *halves = 2 * strtol(text, &end, 10);
    if (strcmp(end, ".5") == 0)
        *halves += 1;
    else if (*end && strcmp(end, ".0") != 0)
        return false;
    if (minus)
        *halves = -*halves;
    return true;
}

/* "0.5": in halves; `usual` where nothing was said. */
static int read_points(const char *flag, const char *text, int64_t usual, int *out, struct err *err)
{
    int64_t halves = usual;
    if (text && (!compete_halves(text, &halves) || halves < 0 || halves > 100))
        return err_set(err, ERR_INPUT, "%s takes points: 0, 0.5, 1, up to 50", flag);
    *out = (int)halves;
    return 0;
}

static int read_bye(struct plan *plan, struct err *err)
{
    struct new_competition *how = &plan->how;
    int64_t halves = how->seats == 2 ? 2 : how->seats - 1;
    if (how->previous)
        halves = how->bye;
    else if (how->kind != COMPETE_TABLES)
        halves = 0;
    if (plan->wishes->bye && how->kind == COMPETE_DUPLICATE)
        return err_set(err, ERR_INPUT, "--bye: nobody has a bye from a duplicate deal");
    return read_points("--bye", plan->wishes->bye, halves, &how->bye, err);
}

/* Who is met later than the one who left first is no worse off than who is met by a robot: it is a game won. */
static int read_walkover(struct plan *plan, struct err *err)
{
    struct new_competition *how = &plan->how;
    if (plan->wishes->walkover && how->kind != COMPETE_DIVISIONS)
        return err_set(err, ERR_INPUT, "--walkover is for --kind divisions");
    return read_points("--walkover", plan->wishes->walkover, how->previous ? how->walkover : 2,
                       &how->walkover, err);
}

/* By scores nobody gains by a game that goes on. */
static int read_adjudge(struct plan *plan, struct err *err)
{
    const char *word = plan->wishes->adjudge;
    if (!plan->how.previous)
        plan->how.adjudge = plan->how.kind == COMPETE_DUPLICATE ? ADJUDGE_TIE : ADJUDGE_SCORES;
    if (!word)
        return 0;
    if (plan->how.kind == COMPETE_DUPLICATE)
        return err_set(
            err, ERR_INPUT,
            "--adjudge: a duplicate deal that somebody has not finished is one that they did not play");
    return compete_adjudge_read(word, &plan->how.adjudge)
               ? 0
               : err_set(err, ERR_INPUT, "--adjudge takes scores, tie or moderator");
}

static int read_people(struct plan *plan, struct err *err)
{
    const struct compete_new_wishes *wishes = plan->wishes;
    struct new_competition *how = &plan->how;
    bool may = plan->batch->league->config.league.trust == TRUST_MAIL;
    if (!how->previous)
        how->by_mail = may;
    if (wishes->trust && strcmp(wishes->trust, "mail") != 0 && strcmp(wishes->trust, "signed") != 0)
        return err_set(err, ERR_INPUT, "--trust takes signed or mail");
    if (wishes->trust)
        how->by_mail = strcmp(wishes->trust, "mail") == 0;
    if (how->by_mail && !may)
        return err_set(
            err, ERR_INPUT,
            "--trust mail: this league believes keys only; league.ini would need [league] trust = mail");
    if (wishes->director && !registry_find(&plan->batch->registry, wishes->director))
        return err_set(err, ERR_INPUT, "--director: there is no player \"%s\"", wishes->director);
    if (wishes->director)
        how->director = wishes->director;
    how->rated |= wishes->rated;
    if (wishes->most)
        how->most = (int)wishes->most;
    return wishes->most ? number("--most", wishes->most, 2, COMPETE_PLAYERS, err) : 0;
}

static int read_divisions(struct plan *plan, struct err *err)
{
    const struct compete_new_wishes *wishes = plan->wishes;
    struct new_competition *how = &plan->how;
    if (how->kind != COMPETE_DIVISIONS)
        return wishes->division_size || wishes->promote >= 0
                   ? err_set(err, ERR_INPUT, "--division-size and --promote are for --kind divisions")
                   : 0;
    if (wishes->division_size || !how->division_size)
        how->division_size = wishes->division_size ? (int)wishes->division_size : 6;
    if (wishes->promote >= 0 || !how->previous)
        how->promote = wishes->promote >= 0 ? (int)wishes->promote : 1;
    return number("--division-size", how->division_size, DIVISION_LEAST, DIVISION_MOST, err) ||
                   number("--promote", how->promote, 0, 4, err)
               ? -1
               : 0;
}

/* ---- who may enter ---- */

static int read_conditions(struct plan *plan, struct err *err)
{
    const struct conditions *before = plan->how.conditions;
    struct conditions *asked = &plan->conditions;
    bool rated = plan->batch->league->config.league.ratings != RATINGS_NO;
    if (before) {
        *asked = *before;
        asked->invited = NULL;
        asked->invited_count = 0;
        for (size_t i = 0; i < before->invited_count; i++)
            conditions_invite(asked, before->invited[i]);
    }
    plan->how.conditions = asked;
    return compete_read_conditions(asked, plan->asked, rated, err);
}

/* ---- duplicate deals ---- */

/* Puts a player into a sorted list, once. */
static void add_name(json_t *list, const char *name)
{
    size_t at = 0;
    while (at < json_array_size(list) && strcmp(json_string_value(json_array_get(list, at)), name) < 0)
        at++;
    const char *there = json_string_value(json_array_get(list, at));
    if (!there || strcmp(there, name) != 0)
        json_array_insert_new(list, at, json_string(name));
}

/* "alice,bob": the operator's own players. */
static int read_outside(struct plan *plan, const char *names, struct err *err)
{
    struct slice rest = slice_of(names);
    plan->outside = json_array();
    while (rest.len) {
        size_t len = slice_find(rest, ",");
        len = len == (size_t)-1 ? rest.len : len;
        char *name = slice_dup(slice_trim(slice_sub(rest, 0, len)));
        bool known = registry_find(&plan->batch->registry, name) != NULL;
        if (known)
            add_name(plan->outside, name);
        else
            (void)err_set(err, ERR_INPUT, "--outside: there is no player \"%s\"", name);
        free(name);
        if (!known)
            return -1;
        rest = slice_sub(rest, len + (len < rest.len), rest.len);
    }
    plan->how.outside = plan->outside;
    return 0;
}

static int read_deals(struct plan *plan, struct err *err)
{
    const struct compete_new_wishes *wishes = plan->wishes;
    struct new_competition *how = &plan->how;
    if (how->kind != COMPETE_DUPLICATE)
        return wishes->field >= 0 || wishes->outside
                   ? err_set(err, ERR_INPUT, "--field and --outside are for --kind duplicate")
                   : 0;
    if (wishes->field >= 0 || !how->previous)
        how->field = wishes->field >= 0 ? (int)wishes->field : ROBOTS;
    if (wishes->outside && read_outside(plan, wishes->outside, err))
        return -1;
    return number("--field", how->field, 0, COMPETE_FIELD, err);
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

static int read_clock(struct plan *plan, struct err *err)
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
    (void)zones_find(&plan->batch->zones, *clock->zone ? clock->zone : "UTC", err);
    return err->code ? -1 : 0;
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

/* When so many turns end that take their whole time, and grace. */
static int64_t played_by(const struct plan *plan, int64_t from, int turns)
{
    const struct schedule *clock = &plan->clock;
    struct err none = ERR_INIT; /* it has been read */
    const struct zone *zone = zones_find(&plan->batch->zones, *clock->zone ? clock->zone : "UTC", &none);
    for (int i = 0; i < turns; i++)
        from = schedule_next(clock, zone, from) + clock->grace;
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
            "in ten games of "
            "%d take at most %s",
            how->seats, most.p);
    str_release(&most);
    return -1;
}

static int read_rounds(struct plan *plan, struct err *err)
{
    struct new_competition *how = &plan->how;
    int64_t count, pause, draw;
    take_calendar(plan, &count, &plan->length, &pause);
    if (number("--rounds", count, 1, COMPETE_ROUNDS, err) || first_draw(plan, &draw, err))
        return -1;
    if (!plan->length)
        return ask_length(plan, draw, err);
    if (how->kind == COMPETE_DUPLICATE && pause < LEAST_BREAK)
        return err_set(
            err, ERR_INPUT,
            "--break: a deal opens at a full hour after its draw and keeps its length, so at least 2h have "
            "to "
            "lie between a round's end and the next draw, or each round is later than the one before");
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
        return how->next ? number("--again", how->next / DAY_SECONDS, 1, 400, err) : 0;
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

static int read_calendar(struct plan *plan, struct err *err)
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
static int check_length(struct plan *plan, struct deed *deed, struct err *err)
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

/* ---- what was made ---- */

static void say_time(struct deed *deed, const char *what, int64_t time)
{
    struct str text = STR_INIT;
    clock_both(&text, time);
    deed_say(deed, "  %-22s %s\n", what, text.p);
    str_release(&text);
}

static void say_calendar(struct deed *deed, const struct competition *c)
{
    deed_say(deed, "Competition %s (%s) is open: %s. Its calendar:\n", c->name, c->ruleset->title,
             compete_kind_name(c->kind));
    say_time(deed, "entries until", c->terms.entries_until);
    if (c->terms.confirm_until)
        say_time(deed, "to be confirmed until", c->terms.confirm_until);
    for (int i = 0; i < c->round_count; i++) {
        char what[32];
        (void)snprintf(what, sizeof what, "round %d, draw", i + 1);
        say_time(deed, what, c->rounds[i].draw);
        say_time(deed, "         games end", c->rounds[i].end);
    }
    say_time(deed, "results are final", c->rounds[c->round_count - 1].end + c->terms.protest);
    deed_say(deed,
             "Players enter by mail (#turnpost enter), or you enter them: turnpost compete enter %s PLAYER\n",
             c->name);
}

/* ---- the command ---- */

static int read_plan(struct plan *plan, struct err *err)
{
    return read_after(plan, err) || read_kind(plan, err) || read_options(plan, err) ||
                   read_seats(plan, err) || read_bye(plan, err) || read_walkover(plan, err) ||
                   read_adjudge(plan, err) || read_people(plan, err) || read_conditions(plan, err) ||
                   read_divisions(plan, err) || read_deals(plan, err) || read_clock(plan, err) ||
                   read_calendar(plan, err)
               ? -1
               : 0;
}

int compete_command_new(const struct compete_call *call, struct err *err)
{
    struct batch *batch = call->deed->batch;
    struct plan *plan = mem_alloc(sizeof *plan);
    struct batch_competition *entry;
    plan->wishes = call->new;
    plan->asked = call->conditions;
    plan->batch = batch;
    plan->how.name = call->args[0];
    plan->how.request = batch->request;
    int rc = season_name(batch, call->args[0], err) || read_plan(plan, err) ||
                     check_length(plan, call->deed, err) || season_make(batch, &plan->how, &entry, err)
                 ? -1
                 : 0;
    if (rc == 0)
        say_calendar(call->deed, &entry->c);
    if (rc == 0 && call->new->enter)
        rc = compete_enter_all(call, entry, call->new->enter, err);
    json_decref(plan->divisions);
    conditions_release(&plan->conditions);
    json_decref(plan->outside);
    free(plan);
    return rc;
}
