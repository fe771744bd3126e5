#include "compete/competition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/file.h"
#include "base/mem.h"
#include "compete/berger.h"
#include "compete/results.h"

static const char *const kinds[] = {"tables", "divisions", "duplicate"};
static const char *const outsides[OUTSIDE_COUNT] = {"", "operator", "moderator", "unproved"};

void competition_init(struct competition *c)
{
    memset(c, 0, sizeof *c);
    schedule_init(&c->clock);
}

void competition_release(struct competition *c)
{
    json_decref(c->create);
    quorum_release(&c->witnesses);
    conditions_release(&c->conditions);
    for (int i = 0; i < c->round_count; i++) {
        free(c->rounds[i].byes);
        free(c->rounds[i].field);
    }
    for (size_t i = 0; i < c->division_count; i++)
        free(c->divisions[i].names);
    free(c->divisions);
    for (size_t i = 0; i < c->entrant_count; i++)
        json_decref(c->entrants[i].entry);
    free(c->entrants);
    free(c->tables);
    free(c->seen.list);
    competition_init(c);
}

const char *compete_kind_name(enum compete_kind kind)
{
    return kinds[kind];
}

bool compete_kind_read(const char *word, enum compete_kind *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(word, kinds[i]) == 0) {
            *kind = (enum compete_kind)i;
            return true;
        }
    return false;
}

static const char *const adjudges[] = {"tie", "moderator", "scores"};

const char *compete_adjudge_name(enum compete_adjudge adjudge)
{
    return adjudges[adjudge];
}

bool compete_adjudge_read(const char *word, enum compete_adjudge *adjudge)
{
    for (size_t i = 0; i < sizeof adjudges / sizeof *adjudges; i++)
        if (strcmp(word, adjudges[i]) == 0) {
            *adjudge = (enum compete_adjudge)i;
            return true;
        }
    return false;
}

const char *compete_outside_name(enum compete_outside outside)
{
    return outsides[outside];
}

bool compete_outside_read(const char *word, enum compete_outside *outside)
{
    for (int i = OUTSIDE_NOT + 1; i < OUTSIDE_COUNT; i++)
        if (strcmp(word, outsides[i]) == 0) {
            *outside = (enum compete_outside)i;
            return true;
        }
    return false;
}

int64_t compete_planned_end(const struct compete_round *round)
{
    return round->opens ? round->draw + (round->end - round->opens) : round->end;
}

int64_t compete_until(const struct competition *c, int round)
{
    return c->terms.adjudge == ADJUDGE_SCORES ? c->rounds[round - 1].end : 0;
}

enum compete_outside compete_outside_fixed(const struct competition *c, const char *player)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(c->create, "outside"), i, one)
        if (strcmp(json_string_value(one), player) == 0)
            return OUTSIDE_OPERATOR;
    return strcmp(c->terms.director, player) == 0 ? OUTSIDE_MODERATOR : OUTSIDE_NOT;
}

bool compete_name_valid(struct slice name)
{
    return name_valid(name) && name.len < COMPETE_NAME && !memchr(name.p, '.', name.len) &&
           !slice_eq(name, RESULTS_NAME);
}

/* ---- entrants ---- */

static int by_name(const void *key, const void *entrant)
{
    return strcmp(key, ((const struct entrant *)entrant)->name);
}

struct entrant *competition_entrant(const struct competition *c, const char *name)
{
    return c->entrant_count ? bsearch(name, c->entrants, c->entrant_count, sizeof *c->entrants, by_name)
                            : NULL;
}

bool entrant_plays(const struct competition *c, const struct entrant *entrant)
{
    return (entrant->in && (!c->terms.confirm_until || entrant->confirmed)) || entrant->late == c->round + 1;
}

int competition_rounds(const struct competition *c)
{
    unsigned most = 0;
    if (c->closed)
        return c->round;
    if (c->kind != COMPETE_DIVISIONS || !c->round)
        return c->round_count;
    for (size_t i = 0; i < c->division_count; i++) {
        unsigned rounds = berger_rounds((unsigned)c->divisions[i].count);
        most = rounds > most ? rounds : most;
    }
    return most < (unsigned)c->round_count ? (int)most : c->round_count;
}

int64_t competition_fixed_at(const struct competition *c)
{
    return c->round < competition_rounds(c) ? c->rounds[c->round].draw - DAY_SECONDS : 0;
}

size_t competition_players(const struct competition *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->entrant_count; i++)
        count += entrant_plays(c, &c->entrants[i]);
    return count;
}

bool competition_seen(const struct competition *c, const unsigned char digest[32])
{
    for (size_t i = 0; i < c->seen.count; i++)
        if (memcmp(c->seen.list[i], digest, 32) == 0)
            return true;
    return false;
}

/* ---- tables ---- */

struct compete_table *competition_table(const struct competition *c, int round, int number)
{
    if (round < 1 || round > c->round || number < 1 || (size_t)number > c->rounds[round - 1].count)
        return NULL;
    return &c->tables[c->rounds[round - 1].first + (size_t)number - 1];
}

bool compete_round_done(const struct competition *c, int round)
{
    if (round == 0)
        return true;
    const struct compete_round *of = &c->rounds[round - 1];
    return (size_t)of->done == of->count && (!c->terms.field || of->field);
}

int compete_seat_of(const struct compete_table *table, const char *player)
{
    for (int seat = 1; seat <= table->seats; seat++)
        if (strcmp(table->player[seat], player) == 0)
            return seat;
    return 0;
}

struct compete_table *competition_table_of(const struct competition *c, int round, const char *player)
{
    size_t count = round >= 1 && round <= c->round ? c->rounds[round - 1].count : 0;
    for (size_t i = 0; i < count; i++) {
        struct compete_table *table = &c->tables[c->rounds[round - 1].first + i];
        if (compete_seat_of(table, player))
            return table;
    }
    return NULL;
}

void compete_game_name(char out[GAME_NAME], const struct competition *c, int round, int table)
{
    (void)snprintf(out, GAME_NAME, "%s.%d.%d", c->name, round, table);
}
