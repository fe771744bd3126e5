#include "compete/meetings.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "compete/berger.h"
#include "compete/division.h"
#include "compete/pairing.h"
#include "compete/ranking.h"

/* The players of the round by name, each with their number. */
struct numbered {
    const char *name;
    uint32_t number;
};
struct round_of {
    const struct competition *c;
    int round;
    const struct entrant *const *players;
    size_t count;
    struct numbered *by_name;
    struct drawn *drawn;
};
#define NOBODY UINT32_MAX

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct numbered *)a)->name, ((const struct numbered *)b)->name);
}

static uint32_t number_of(const struct round_of *of, const char *name)
{
    const struct numbered key = {name, 0};
    const struct numbered *found = bsearch(&key, of->by_name, of->count, sizeof key, by_name);
    return found ? found->number : NOBODY;
}

static struct drawn_table *add_table(struct drawn *drawn, size_t room)
{
    if (!drawn->tables)
        drawn->tables = mem_array(room + 1, sizeof *drawn->tables);
    return &drawn->tables[drawn->count++];
}

static void put_player(struct drawn_table *table, const char *name)
{
    memcpy(table->player[++table->seats], name, strlen(name) + 1);
}

static void add_bye(struct drawn *drawn, size_t room, const char *name)
{
    if (!drawn->byes)
        drawn->byes = mem_array(room + 1, sizeof *drawn->byes);
    memcpy(drawn->byes[drawn->bye_count++], name, strlen(name) + 1);
}

/* ---- tables: the pairing engine ---- */

static int by_pair(const void *a, const void *b)
{
    const struct pairing_met *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* Equal pairs in a row become one. */
static size_t join_pairs(struct pairing_met *met, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(met, count, sizeof *met, by_pair);
    for (size_t i = 0; i < count; i++) {
        if (kept && by_pair(&met[kept - 1], &met[i]) == 0)
            met[kept - 1].times++;
        else
            met[kept++] = met[i];
    }
    return kept;
}

static void count_table(const struct round_of *of, const struct compete_table *table,
                        struct pairing_player *players, struct pairing_met **met, size_t *count, size_t *cap)
{
    for (int seat = 1; seat <= table->seats; seat++) {
        uint32_t one = number_of(of, table->player[seat]);
        if (one == NOBODY)
            continue;
        players[one].seats[seat - 1]++;
        for (int other = seat + 1; other <= table->seats; other++) {
            uint32_t two = number_of(of, table->player[other]);
            if (two == NOBODY)
                continue;
            *met = mem_grow(*met, *count, cap, sizeof **met);
            (*met)[(*count)++] = (struct pairing_met){one < two ? one : two, one < two ? two : one, 1};
        }
    }
}

static void take_scores(const struct round_of *of, struct pairing_player *players)
{
    struct ranking ranking;
    ranking_draw(&ranking, of->c);
    for (size_t i = 0; i < ranking.count; i++) {
        uint32_t number = number_of(of, ranking.rows[i].name);
        if (number != NOBODY)
            players[number].score = (int32_t)ranking.rows[i].points;
    }
    ranking_release(&ranking);
}

static void draw_tables(const struct round_of *of)
{
    const struct competition *c = of->c;
    struct pairing_player *players = mem_array(of->count, sizeof *players);
    struct pairing_met *met = NULL;
    size_t met_count = 0, met_cap = 0;
    struct pairing pairing;
    for (size_t i = 0; i < c->table_count; i++)
        count_table(of, &c->tables[i], players, &met, &met_count, &met_cap);
    for (int round = 0; round < c->round; round++)
        for (size_t i = 0; i < c->rounds[round].bye_count; i++) {
            uint32_t number = number_of(of, c->rounds[round].byes[i]);
            if (number != NOBODY)
                players[number].byes++;
        }
    take_scores(of, players);
    const struct pairing_input in = {
        .players = players,
        .count = of->count,
        .met = met,
        .met_count = join_pairs(met, met_count),
        .seats = (unsigned)c->seats,
        .least = (unsigned)(c->seats > 2 && c->seats > c->ruleset->seats_min ? c->seats - 1 : c->seats)};
    pairing_make(&in, &pairing);
    for (size_t i = 0; i < pairing.count; i++) {
        struct drawn_table *table = add_table(of->drawn, pairing.count);
        for (unsigned k = 0; k < pairing.tables[i].size; k++)
            put_player(table, of->players[pairing.tables[i].players[k]]->name);
    }
    for (size_t i = 0; i < pairing.bye_count; i++)
        add_bye(of->drawn, pairing.bye_count, of->players[pairing.byes[i]]->name);
    pairing_release(&pairing);
    free(met);
    free(players);
}

/* ---- divisions ---- */

/* Who played in which division in the season before, by `create`; who is not in this round gets a number after all that
 * are. */
static size_t read_divisions(const struct round_of *of, struct division_player *players, size_t *sizes,
                             bool *known)
{
    size_t i, k, total = 0;
    json_t *division, *one;
    json_array_foreach (json_object_get(of->c->create, "divisions"), i, division) {
        json_array_foreach (division, k, one) {
            uint32_t number = number_of(of, json_string_value(json_object_get(one, "name")));
            bool plays = number != NOBODY;
            players[total] =
                (struct division_player){plays ? number : (uint32_t)(of->count + total),
                                         (uint32_t)json_integer_value(json_object_get(one, "place")), plays};
            if (plays)
                known[number] = true;
            total++;
        }
        sizes[i] = json_array_size(division);
    }
    return i;
}

static size_t count_listed(const json_t *divisions)
{
    size_t i, total = 0;
    json_t *division;
    json_array_foreach (divisions, i, division)
        total += json_array_size(division);
    return total;
}

/* Forms the divisions of a season, with its first round. */
static void form_divisions(const struct round_of *of)
{
    const json_t *before = json_object_get(of->c->create, "divisions");
    struct division_player *players = mem_array(count_listed(before) + 1, sizeof *players);
    size_t *sizes = mem_array(json_array_size(before) + 1, sizeof *sizes);
    bool *known = mem_array(of->count + 1, sizeof *known);
    uint32_t *reserves = mem_array(of->count + 1, sizeof *reserves);
    struct division_input in = {.players = players, .sizes = sizes, .reserves = reserves};
    struct division_season season;
    in.count = read_divisions(of, players, sizes, known);
    in.promote = (size_t)json_integer_value(json_object_get(of->c->create, "promote"));
    in.size = (size_t)json_integer_value(json_object_get(of->c->create, "division_size"));
    for (size_t i = 0; i < of->count; i++)
        if (!known[i])
            reserves[in.reserve_count++] = (uint32_t)i;
    division_make(&in, &season);
    of->drawn->divisions = mem_array(season.count + 1, sizeof *of->drawn->divisions);
    of->drawn->division_count = season.count;
    for (size_t i = 0, at = 0; i < season.count; i++) {
        struct compete_division *division = &of->drawn->divisions[i];
        division->names = mem_array(season.sizes[i], sizeof *division->names);
        division->count = (int)season.sizes[i];
        for (size_t k = 0; k < season.sizes[i]; k++) {
            const char *name = of->players[season.players[at++]]->name;
            memcpy(division->names[k], name, strlen(name) + 1);
        }
    }
    division_release(&season);
    free(players);
    free(sizes);
    free(known);
    free(reserves);
}

/* A game of two who are both still there; who is left alone has a bye. */
static void add_game(const struct round_of *of, const struct compete_division *division, unsigned first,
                     unsigned second)
{
    const char *one = division->names[first - 1], *two = division->names[second - 1];
    bool here = number_of(of, one) != NOBODY, there = number_of(of, two) != NOBODY;
    if (here && there) {
        struct drawn_table *table = add_table(of->drawn, of->count);
        put_player(table, one);
        put_player(table, two);
    } else if (here || there) {
        add_bye(of->drawn, of->count, here ? one : two);
    }
}

static void draw_divisions(const struct round_of *of)
{
    const struct compete_division *divisions = of->c->divisions;
    size_t count = of->c->division_count;
    if (of->round == 1) {
        form_divisions(of);
        divisions = of->drawn->divisions;
        count = of->drawn->division_count;
    }
    for (size_t i = 0; i < count; i++) {
        if ((unsigned)of->round > berger_rounds((unsigned)divisions[i].count))
            continue;
        struct berger_round games = berger_round((unsigned)divisions[i].count, (unsigned)of->round);
        for (size_t k = 0; k < games.count; k++)
            add_game(of, &divisions[i], games.games[k].first, games.games[k].second);
        if (games.bye && number_of(of, divisions[i].names[games.bye - 1]) != NOBODY)
            add_bye(of->drawn, of->count, divisions[i].names[games.bye - 1]);
    }
}

/* ---- duplicate deals ---- */

static void draw_alone(const struct round_of *of)
{
    for (size_t i = 0; i < of->count; i++)
        put_player(add_table(of->drawn, of->count), of->players[i]->name);
}

void meetings_draw(const struct competition *c, int round, const struct entrant *const *players, size_t count,
                   struct drawn *drawn)
{
    struct round_of of = {c, round, players, count, mem_array(count + 1, sizeof *of.by_name), drawn};
    memset(drawn, 0, sizeof *drawn);
    for (size_t i = 0; i < count; i++)
        of.by_name[i] = (struct numbered){players[i]->name, (uint32_t)i};
    qsort(of.by_name, count, sizeof *of.by_name, by_name);
    switch (c->kind) {
    case COMPETE_TABLES: draw_tables(&of); break;
    case COMPETE_DIVISIONS: draw_divisions(&of); break;
    case COMPETE_DUPLICATE: draw_alone(&of); break;
    }
    free(of.by_name);
}
