#include "compete/ranking.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "compete/standing.h"

static const char standing_prefix[] = "turnpost/v1/standing"; /* with its NUL */

/* Those who are ranked together: a division, or all. Players by number, in the byte order of their names. */
struct group {
    const struct competition *c;
    const struct entrant **players;
    size_t count;
    int division; /* 0 = there are none */
    int rounds;   /* that count, from the first */
    bool draws;   /* for the next draw, in which are those who left too late for it, removed or not */
};

static uint32_t number_of(const struct group *group, const char *name)
{
    size_t low = 0, high = group->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(group->players[middle]->name, name);
        if (order == 0)
            return (uint32_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return STANDING_NOBODY;
}

static size_t read_tables(const struct group *group, struct standing_table *tables, struct ranking_row *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < group->c->table_count; i++) {
        const struct compete_table *table = &group->c->tables[i];
        struct standing_table *into = &tables[count];
        if (table->fate == TABLE_PLAYS || table->round > group->rounds ||
            number_of(group, table->player[1]) == STANDING_NOBODY)
            continue;
        into->voided = table->fate == TABLE_VOID;
        into->size = (unsigned)table->seats;
        for (int seat = 1; seat <= table->seats; seat++) {
            uint32_t number = number_of(group, table->player[seat]);
            into->seats[seat - 1] = (struct standing_seat){number, (uint8_t)table->rank[seat]};
            if (number != STANDING_NOBODY)
                rows[number].games++;
        }
        count++;
    }
    return count;
}

static size_t read_byes(const struct group *group, uint32_t *byes)
{
    size_t count = 0;
    for (int round = 0; round < group->rounds; round++)
        for (size_t i = 0; i < group->c->rounds[round].bye_count; i++) {
            uint32_t number = number_of(group, group->c->rounds[round].byes[i]);
            if (number != STANDING_NOBODY)
                byes[count++] = number;
        }
    return count;
}

static size_t count_byes(const struct competition *c)
{
    size_t count = 0;
    for (int round = 0; round < c->round; round++)
        count += c->rounds[round].bye_count;
    return count;
}

static void add_rows(struct ranking *ranking, const struct group *group, const struct standing_row *standing,
                     size_t count, const struct ranking_row *by_number)
{
    for (size_t i = 0; i < count; i++) {
        const struct standing_row *from = &standing[i];
        const struct entrant *entrant = group->players[from->player];
        struct ranking_row *row = &ranking->rows[ranking->count++];
        *row = by_number[from->player];
        memcpy(row->name, entrant->name, sizeof row->name);
        row->place = (int)from->place;
        row->division = group->division;
        row->points = from->points;
        row->opponents = from->buchholz;
        row->firsts = (int)from->firsts;
        row->gone = !entrant->in;
    }
}

static void rank_field(struct ranking *ranking, const struct group *group)
{
    const struct competition *c = group->c;
    struct ranking_row *by_number = mem_array(group->count + 1, sizeof *by_number);
    struct standing_row *rows = mem_array(group->count + 1, sizeof *rows);
    struct standing_table *tables = mem_array(c->table_count + 1, sizeof *tables);
    uint32_t *byes = mem_array(count_byes(c) + 1, sizeof *byes);
    bool *ranked = mem_array(group->count + 1, sizeof *ranked);
    int32_t *adjust = mem_array(group->count + 1, sizeof *adjust);
    for (size_t i = 0; i < group->count; i++) {
        ranked[i] = !group->players[i]->removed || (group->draws && entrant_plays(c, group->players[i]));
        adjust[i] = group->players[i]->adjusted;
    }
    const struct standing_input in = {.players = group->count,
                                      .ranked = ranked,
                                      .adjust = adjust,
                                      .seats = (unsigned)c->seats,
                                      .bye = c->bye,
                                      .tables = tables,
                                      .table_count = read_tables(group, tables, by_number),
                                      .byes = byes,
                                      .bye_count = read_byes(group, byes)};
    add_rows(ranking, group, rows, standing_make(&in, rows), by_number);
    free(by_number);
    free(rows);
    free(tables);
    free(byes);
    free(ranked);
    free(adjust);
}

static bool in_division(const struct competition *c, size_t division, const char *name)
{
    for (int i = 0; i < c->divisions[division].count; i++)
        if (strcmp(c->divisions[division].names[i], name) == 0)
            return true;
    return false;
}

static void rank_all(struct ranking *ranking, const struct competition *c, int rounds, bool draws)
{
    struct group group = {c, mem_array(c->entrant_count + 1, sizeof *group.players), .rounds = rounds,
                          .draws = draws};
    size_t fields = c->kind == COMPETE_DIVISIONS ? c->division_count : 1;
    ranking->rows = mem_array(c->entrant_count + 1, sizeof *ranking->rows);
    ranking->count = 0;
    for (size_t at = 0; at < fields; at++) {
        group.count = 0;
        group.division = c->kind == COMPETE_DIVISIONS ? (int)at + 1 : 0;
        for (size_t i = 0; i < c->entrant_count; i++)
            if (c->entrants[i].seated && (!group.division || in_division(c, at, c->entrants[i].name)))
                group.players[group.count++] = &c->entrants[i];
        rank_field(ranking, &group);
    }
    free(group.players);
}

void ranking_make(struct ranking *ranking, const struct competition *c)
{
    rank_all(ranking, c, c->round, false);
}

void ranking_until(struct ranking *ranking, const struct competition *c, int rounds)
{
    rank_all(ranking, c, rounds, false);
}

void ranking_draw(struct ranking *ranking, const struct competition *c)
{
    rank_all(ranking, c, c->round, true);
}

void ranking_release(struct ranking *ranking)
{
    free(ranking->rows);
    memset(ranking, 0, sizeof *ranking);
}

const struct ranking_row *ranking_of(const struct ranking *ranking, const char *name)
{
    for (size_t i = 0; i < ranking->count; i++)
        if (strcmp(ranking->rows[i].name, name) == 0)
            return &ranking->rows[i];
    return NULL;
}

static void hash_number(crypto_generichash_state *all, int64_t number)
{
    unsigned char bytes[4];
    put_le32(bytes, (uint32_t)number);
    crypto_generichash_update(all, bytes, sizeof bytes);
}

void ranking_digest(unsigned char digest[32], const struct ranking *ranking)
{
    crypto_generichash_state all;
    crypto_generichash_init(&all, NULL, 0, 32);
    crypto_generichash_update(&all, (const unsigned char *)standing_prefix, sizeof standing_prefix);
    for (size_t i = 0; i < ranking->count; i++) {
        const struct ranking_row *row = &ranking->rows[i];
        hash_number(&all, row->division);
        hash_number(&all, row->place);
        hash_number(&all, (int64_t)strlen(row->name));
        crypto_generichash_update(&all, (const unsigned char *)row->name, strlen(row->name));
        hash_number(&all, row->points);
    }
    crypto_generichash_final(&all, digest, 32);
}

json_t *ranking_best(const struct ranking *ranking)
{
    json_t *list = json_array();
    for (size_t i = 0; i < ranking->count && i < RANKING_BEST; i++)
        json_array_append_new(list, json_pack("{s:s,s:i,s:I}", "name", ranking->rows[i].name, "place",
                                              ranking->rows[i].place, "points",
                                              (json_int_t)ranking->rows[i].points));
    return list;
}

json_t *ranking_divisions(const struct competition *previous)
{
    json_t *divisions = json_array(), *one = NULL;
    struct ranking ranking;
    int number = 0;
    if (previous->kind != COMPETE_DIVISIONS) {
        json_decref(divisions);
        return NULL;
    }
    ranking_make(&ranking, previous);
    for (size_t i = 0; i < ranking.count; i++) {
        const struct ranking_row *row = &ranking.rows[i];
        if (row->division != number) {
            one = json_array();
            json_array_append_new(divisions, one);
            number = row->division;
        }
        json_array_append_new(one, json_pack("{s:s,s:i}", "name", row->name, "place", row->place));
    }
    ranking_release(&ranking);
    return divisions;
}
