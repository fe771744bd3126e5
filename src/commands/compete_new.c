/* `turnpost compete new`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/mem.h"
#include "batch/making.h"
#include "batch/season.h"
#include "commands/compete_plan.h"
#include "compete/ranking.h"
#include "compete/division.h"

#define ROBOTS    200 /* robots that play a duplicate deal */
#define SEATS_LOT 8   /* the most at a table (compete/pairing.h) */

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
    return wishes->most ? plan_number("--most", wishes->most, 2, COMPETE_PLAYERS, err) : 0;
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
    return plan_number("--division-size", how->division_size, DIVISION_LEAST, DIVISION_MOST, err) ||
                   plan_number("--promote", how->promote, 0, 4, err)
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
    return plan_number("--field", how->field, 0, COMPETE_FIELD, err);
}

/* ---- witnesses of its draws ---- */

static int read_witnesses(struct plan *plan, struct err *err)
{
    const struct compete_new_wishes *wishes = plan->wishes;
    struct new_competition *how = &plan->how;
    const char *usual = plan->batch->league->config.witness.defaults;
    if (wishes->witness || !how->previous) {
        how->witnesses = (struct quorum){.count = 0};
        if (making_witnesses(plan->batch, &how->witnesses, wishes->witness ? wishes->witness : usual, NULL,
                             err))
            return err_prefix(err, "--witness");
    }
    if ((wishes->witness || wishes->quorum || !how->previous) &&
        making_quorum(plan->batch, &how->witnesses, (int)wishes->quorum, err))
        return err_prefix(err, "--quorum");
    if (wishes->unwitnessed || !how->previous)
        how->unwitnessed = wishes->unwitnessed ? wishes->unwitnessed : 7 * DAY_SECONDS;
    if (wishes->always_witnessed || !how->witnesses.count)
        how->unwitnessed = 0;
    return how->unwitnessed
               ? plan_number("--unwitnessed", how->unwitnessed, WITNESS_LATE, 60 * DAY_SECONDS, err)
               : 0;
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
    if (c->kind == COMPETE_DIVISIONS && c->round_count > DIVISION_LEAST - 1)
        deed_say(deed, "Rounds for which nobody is left to meet fall away: a division of four has played "
                       "after 3, one of five or six after 5.\n");
    deed_say(deed,
             "Players enter by a mail with the subject \"enter %s\". To ask one: turnpost compete invite %s "
             "PLAYER\n",
             c->name, c->name);
}

/* ---- the command ---- */

static int read_plan(struct plan *plan, struct err *err)
{
    return read_after(plan, err) || read_kind(plan, err) || read_options(plan, err) ||
                   read_seats(plan, err) || read_bye(plan, err) || read_walkover(plan, err) ||
                   read_adjudge(plan, err) || read_people(plan, err) || read_conditions(plan, err) ||
                   read_divisions(plan, err) || read_deals(plan, err) || read_witnesses(plan, err) ||
                   plan_clock(plan, err) || plan_calendar(plan, err)
               ? -1
               : 0;
}

int compete_command_new(const struct compete_call *call, struct err *err)
{
    struct batch *batch = call->deed->batch;
    struct plan *plan = mem_alloc(sizeof *plan);
    struct batch_competition *entry = NULL;
    plan->wishes = call->new;
    plan->asked = call->conditions;
    plan->batch = batch;
    plan->how.name = call->args[0];
    plan->how.request = batch->cause.request;
    int rc = season_name(batch, call->args[0], err) || read_plan(plan, err) ||
                     plan_check_length(plan, call->deed, err) || season_make(batch, &plan->how, &entry, err)
                 ? -1
                 : 0;
    if (rc == 0)
        say_calendar(call->deed, &entry->c);
    if (rc == 0 && call->new->invite)
        rc = compete_invite_all(call, entry, call->new->invite, err);
    json_decref(plan->divisions);
    conditions_release(&plan->conditions);
    json_decref(plan->outside);
    free(plan);
    return rc;
}
