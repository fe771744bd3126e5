#include "compete/ranking.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "compete/duplicate.h"
#include "compete/standing.h"
#include "compete/walkover.h"

static const char standing_prefix[] = "turnpost/standing"; /* with its NUL */

/* What rounds without a game have given to an entrant. */
struct had_byes {
    size_t count;
    int32_t more; /* halves of points of walk-overs, beyond those of a bye each */
};

/* Those who are ranked together: a division, or all. Players by number, in the byte order of their names. */
struct group {
    const struct competition *c;
    const struct entrant **players;
    size_t count;
    const struct compete_table **tables; /* whose first seat is theirs */
    size_t table_count;
    const struct had_byes *byes; /* of each entrant, in the order of all */
    int division;                /* 0 = there are none */
    int rounds;                  /* that count, from the first */
    bool draws; /* for the next draw, in which are those who left too late for it, removed or not */
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
    for (size_t i = 0; i < group->table_count; i++) {
        const struct compete_table *table = group->tables[i];
        struct standing_table *into = &tables[count];
        if (table->fate == TABLE_PLAYS || table->round > group->rounds)
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

static const struct had_byes *byes_of(const struct group *group, uint32_t player)
{
    return &group->byes[group->players[player] - group->c->entrants];
}

static size_t count_byes(const struct group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        count += byes_of(group, (uint32_t)i)->count;
    return count;
}

static size_t read_byes(const struct group *group, uint32_t *byes)
{
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        for (size_t left = byes_of(group, (uint32_t)i)->count; left; left--)
            byes[count++] = (uint32_t)i;
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
    struct standing_table *tables = mem_array(group->table_count + 1, sizeof *tables);
    uint32_t *byes = mem_array(count_byes(group) + 1, sizeof *byes);
    bool *ranked = mem_array(group->count + 1, sizeof *ranked);
    int32_t *adjust = mem_array(group->count + 1, sizeof *adjust);
    for (size_t i = 0; i < group->count; i++) {
        ranked[i] = !group->players[i]->removed || (group->draws && entrant_plays(c, group->players[i]));
        adjust[i] = group->players[i]->adjusted + byes_of(group, (uint32_t)i)->more;
    }
    const struct standing_input in = {.players = group->count,
                                      .ranked = ranked,
                                      .adjust = adjust,
                                      .seats = (unsigned)c->seats,
                                      .bye = c->terms.bye,
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

/* ---- divisions ---- */

/* What belongs to each division, or to all where there are none; `players` and `tables` one division after another. */
struct fields {
    size_t count, *of;              /* of each entrant, which; `count`: none */
    struct had_byes *byes;          /* of each entrant */
    size_t *player_end, *table_end; /* of each; the next one begins there */
    const struct entrant **players;
    const struct compete_table **tables;
};

static size_t field_of(const struct fields *fields, const struct competition *c, const char *name)
{
    return fields->of[competition_entrant(c, name) - c->entrants];
}

static void find_fields(struct fields *fields, const struct competition *c)
{
    bool divided = c->kind == COMPETE_DIVISIONS;
    fields->count = divided ? c->division_count : 1;
    fields->of = mem_array(c->entrant_count + 1, sizeof *fields->of);
    for (size_t i = 0; i < c->entrant_count; i++)
        fields->of[i] = divided || !c->entrants[i].seated ? fields->count : 0;
    for (size_t at = 0; divided && at < fields->count; at++)
        for (int i = 0; i < c->divisions[at].count; i++) {
            const struct entrant *entrant = competition_entrant(c, c->divisions[at].names[i]);
            if (entrant->seated)
                fields->of[entrant - c->entrants] = at;
        }
}

static void add_bye(struct fields *fields, const struct competition *c, int round,
                    const struct entrant *entrant)
{
    size_t player = (size_t)(entrant - c->entrants), field = fields->of[player];
    fields->byes[player].count++;
    if (c->kind == COMPETE_DIVISIONS && walkover_in(&c->divisions[field], round + 1, entrant->name))
        fields->byes[player].more += c->terms.walkover - c->terms.bye;
}

static void find_byes(struct fields *fields, const struct competition *c, int rounds)
{
    fields->byes = mem_array(c->entrant_count + 1, sizeof *fields->byes);
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < c->rounds[round].bye_count; i++)
            add_bye(fields, c, round, competition_entrant(c, c->rounds[round].byes[i]));
}

/* How many there are before each becomes where its first one is. */
static void add_up(size_t *places, size_t count)
{
    for (size_t at = 0; at < count; at++)
        places[at + 1] += places[at];
}

/* In their order; each moves the place of the next one, so that those of a division then end at its own place. */
static void fill_fields(struct fields *fields, const struct competition *c)
{
    fields->player_end = mem_array(fields->count + 2, sizeof *fields->player_end);
    fields->table_end = mem_array(fields->count + 2, sizeof *fields->table_end);
    fields->players = mem_array(c->entrant_count + 1, sizeof *fields->players);
    fields->tables = mem_array(c->table_count + 1, sizeof *fields->tables);
    for (size_t i = 0; i < c->entrant_count; i++)
        fields->player_end[fields->of[i] + 1]++;
    for (size_t i = 0; i < c->table_count; i++)
        fields->table_end[field_of(fields, c, c->tables[i].player[1]) + 1]++;
    add_up(fields->player_end, fields->count);
    add_up(fields->table_end, fields->count);
    for (size_t i = 0; i < c->entrant_count; i++)
        fields->players[fields->player_end[fields->of[i]]++] = &c->entrants[i];
    for (size_t i = 0; i < c->table_count; i++)
        fields->tables[fields->table_end[field_of(fields, c, c->tables[i].player[1])]++] = &c->tables[i];
}

static void release_fields(struct fields *fields)
{
    free(fields->of);
    free(fields->byes);
    free(fields->player_end);
    free(fields->table_end);
    free(fields->players);
    free(fields->tables);
}

/* ---- up and down ---- */

bool compete_moves(const struct competition *c)
{
    return c->closed && c->kind == COMPETE_DIVISIONS && c->division_count > 1 &&
           json_integer_value(json_object_get(c->create, "promote")) > 0;
}

/* Those of a division follow each other, and of them those who share a place. */
static size_t same_division(const struct ranking *ranking, size_t at)
{
    size_t end = at;
    while (end < ranking->count && ranking->rows[end].division == ranking->rows[at].division)
        end++;
    return end - at;
}

static void move_division(struct ranking_row *rows, const struct division_input *in, size_t division)
{
    const size_t size = in->sizes[division];
    for (size_t first = 0, last; first < size; first = last + 1) {
        for (last = first; last + 1 < size && rows[last + 1].place == rows[first].place;)
            last++;
        for (size_t at = first; at <= last; at++)
            rows[at].move = division_move(in, division, first, last);
    }
}

static void move_all(struct ranking *ranking, const struct competition *c)
{
    size_t *sizes = mem_array(c->division_count + 1, sizeof *sizes);
    struct division_input in = {.sizes = sizes,
                                .promote = (size_t)json_integer_value(json_object_get(c->create, "promote"))};
    for (size_t at = 0; at < ranking->count; at += sizes[in.count - 1])
        sizes[in.count++] = same_division(ranking, at);
    struct ranking_row *rows = ranking->rows;
    for (size_t division = 0; division < in.count; rows += sizes[division++])
        move_division(rows, &in, division);
    free(sizes);
}

static void rank_all(struct ranking *ranking, const struct competition *c, int rounds, bool draws)
{
    struct fields fields;
    size_t player = 0, table = 0;
    if (c->kind == COMPETE_DUPLICATE) {
        duplicate_rank(ranking, c, rounds);
        return;
    }
    ranking->duplicate = false;
    find_fields(&fields, c);
    find_byes(&fields, c, rounds);
    fill_fields(&fields, c);
    ranking->rows = mem_array(c->entrant_count + 1, sizeof *ranking->rows);
    ranking->count = 0;
    for (size_t at = 0; at < fields.count; at++) {
        const struct group group = {.c = c,
                                    .players = fields.players + player,
                                    .count = fields.player_end[at] - player,
                                    .tables = fields.tables + table,
                                    .table_count = fields.table_end[at] - table,
                                    .byes = fields.byes,
                                    .division = c->kind == COMPETE_DIVISIONS ? (int)at + 1 : 0,
                                    .rounds = rounds,
                                    .draws = draws};
        rank_field(ranking, &group);
        player = fields.player_end[at];
        table = fields.table_end[at];
    }
    release_fields(&fields);
    if (compete_moves(c))
        move_all(ranking, c);
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
