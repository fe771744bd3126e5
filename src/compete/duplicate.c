#include "compete/duplicate.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool has_score(const struct compete_table *table)
{
    return table->fate == TABLE_DONE && !table->adjudged && !table->left;
}

static bool is_ranked(const struct compete_table *table)
{
    return has_score(table) && !table->outside;
}

int64_t duplicate_most(const struct competition *c, int rounds)
{
    int64_t most = 0;
    for (int number = 1; number <= rounds; number++) {
        const struct compete_round *round = &c->rounds[number - 1];
        int64_t count = 0;
        for (size_t i = 0; i < round->count && compete_round_done(c, number); i++)
            count += is_ranked(&c->tables[round->first + i]);
        if (count > most)
            most = count;
    }
    return most;
}

/* Where the scores stand among those of the robots. */
static void add_field(const struct competition *c, const struct compete_round *round,
                      struct duplicate_result *results)
{
    size_t count = (size_t)c->terms.field;
    int64_t *field = mem_array(count, sizeof *field);
    for (size_t i = 0; i < count; i++)
        field[i] = round->field[i];
    for (size_t i = 0; i < round->count; i++)
        if (results[i].played)
            results[i].field = matchpoints_percentile(results[i].table->points[1], field, count);
    free(field);
}

/* `most`: E of all rounds that count. */
static size_t results_of(const struct competition *c, int number, int64_t most,
                         struct duplicate_result *results)
{
    const struct compete_round *round = &c->rounds[number - 1];
    struct matchpoints_result *scores = mem_array(round->count + 1, sizeof *scores);
    struct matchpoints *points = mem_array(round->count + 1, sizeof *points);
    size_t played = 0;
    for (size_t i = 0; i < round->count; i++) {
        const struct compete_table *table = &c->tables[round->first + i];
        results[i] =
            (struct duplicate_result){.table = table, .played = has_score(table), .ranked = is_ranked(table)};
        if (results[i].played)
            scores[played++] = (struct matchpoints_result){table->points[1], results[i].ranked};
    }
    matchpoints_deal(scores, played, points);
    played = 0;
    for (size_t i = 0; i < round->count; i++) {
        struct duplicate_result *result = &results[i];
        if (!result->played)
            continue;
        result->points = points[played++];
        if (result->ranked)
            result->factored = matchpoints_factored(result->points, most);
    }
    free(scores);
    free(points);
    return round->count;
}

size_t duplicate_results(const struct competition *c, int round, int rounds, struct duplicate_result *results)
{
    if (!compete_round_done(c, round))
        return 0;
    size_t count = results_of(c, round, duplicate_most(c, rounds), results);
    if (c->rounds[round - 1].field)
        add_field(c, &c->rounds[round - 1], results);
    return count;
}

/* ---- the table ---- */

static int by_total(const void *a, const void *b)
{
    const struct ranking_row *one = a, *other = b;
    if (one->points != other->points)
        return one->points > other->points ? -1 : 1;
    return strcmp(one->name, other->name);
}

/* One round's results for the rows of all entrants; `ever`: who was not outside in a round. */
static void add_round(const struct competition *c, const struct duplicate_result *results, size_t count,
                      struct ranking_row *rows, bool *ever)
{
    for (size_t i = 0; i < count; i++) {
        const struct duplicate_result *result = &results[i];
        size_t at = (size_t)(competition_entrant(c, result->table->player[1]) - c->entrants);
        ever[at] |= !result->table->outside;
        if (!result->ranked)
            continue;
        rows[at].points += result->factored;
        rows[at].games++;
        rows[at].firsts += result->points.points == 2 * (result->points.results - 1);
    }
}

static void fill_row(const struct competition *c, size_t at, int64_t most, struct ranking_row *row)
{
    const struct entrant *entrant = &c->entrants[at];
    memcpy(row->name, entrant->name, sizeof row->name);
    row->share = (struct share){1, 2};
    if (row->games && most > 1)
        row->share = share_of(row->points, 2000 * (most - 1) * row->games);
    row->points += (int64_t)entrant->adjusted * DUPLICATE_HALF;
    row->gone = !entrant->in;
}

void duplicate_rank(struct ranking *ranking, const struct competition *c, int rounds)
{
    struct ranking_row *rows = mem_array(c->entrant_count + 1, sizeof *rows);
    bool *ever = mem_array(c->entrant_count + 1, sizeof *ever);
    const int64_t most = duplicate_most(c, rounds);
    for (int number = 1; number <= rounds; number++) {
        struct duplicate_result *results = mem_array(c->rounds[number - 1].count + 1, sizeof *results);
        size_t count = compete_round_done(c, number) ? results_of(c, number, most, results) : 0;
        add_round(c, results, count, rows, ever);
        free(results);
    }
    ranking->rows = mem_array(c->entrant_count + 1, sizeof *ranking->rows);
    ranking->count = 0;
    ranking->duplicate = true;
    for (size_t i = 0; i < c->entrant_count; i++) {
        if (!ever[i] || c->entrants[i].removed)
            continue;
        fill_row(c, i, most, &rows[i]);
        ranking->rows[ranking->count++] = rows[i];
    }
    qsort(ranking->rows, ranking->count, sizeof *ranking->rows, by_total);
    for (size_t i = 0; i < ranking->count; i++)
        ranking->rows[i].place = i && ranking->rows[i - 1].points == ranking->rows[i].points
                                     ? ranking->rows[i - 1].place
                                     : (int)i + 1;
    free(rows);
    free(ever);
}
