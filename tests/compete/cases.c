/* The cases of tests/verifier/pairing.json: what a second program, written from src/compete/README.md alone, has computed.
 *
 * More of them: python3 tests/verifier/pairing.py --write SEED COUNT FILE; COMPETE_CASES=FILE build/release/tests/compete/cases */
#include "suite.h"

#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "compete/berger.h"
#include "compete/division.h"
#include "compete/matchpoints.h"
#include "compete/pairing.h"
#include "compete/standing.h"

static json_t *told;

static const json_t *begin(const char *kind)
{
    struct err err = ERR_INIT;
    const char *path = getenv("COMPETE_CASES");
    told = json_read_file(path ? path : "tests/verifier/pairing.json", &err);
    ck_assert_msg(told, "%s", err.text);
    const json_t *cases = json_object_get(told, kind);
    ck_assert_uint_gt(json_array_size(cases), 0);
    return cases;
}

static void end(void)
{
    json_decref(told);
}

static int64_t at(const json_t *list, size_t index)
{
    return json_integer_value(json_array_get(list, index));
}

static int64_t number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static void is(json_t *got, const json_t *want, const char *kind, size_t index)
{
    struct str text[2] = {STR_INIT, STR_INIT};
    json_write(&text[0], got);
    json_write(&text[1], want);
    ck_assert_msg(json_equal(got, want), "%s %zu: %s and not %s", kind, index, text[0].p, text[1].p);
    str_release(&text[0]);
    str_release(&text[1]);
    json_decref(got);
}

static json_t *numbers(const uint32_t *list, size_t count)
{
    json_t *out = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(out, json_integer(list[i]));
    return out;
}

static json_t *paired(const json_t *one)
{
    const json_t *players = json_object_get(one, "players"), *met = json_object_get(one, "met");
    struct pairing_input in = {.count = json_array_size(players), .met_count = json_array_size(met)};
    struct pairing_player *player = mem_array(in.count + 1, sizeof *player);
    struct pairing_met *pair = mem_array(in.met_count + 1, sizeof *pair);
    struct pairing out;
    in.seats = (unsigned)number(one, "k");
    in.least = (unsigned)number(one, "least");
    for (size_t i = 0; i < in.count; i++) {
        const json_t *p = json_array_get(players, i);
        player[i] = (struct pairing_player){.score = (int32_t)at(p, 0), .byes = (uint16_t)at(p, 1)};
        for (unsigned s = 0; s < in.seats; s++)
            player[i].seats[s] = (uint16_t)at(json_array_get(p, 2), s);
    }
    for (size_t i = 0; i < in.met_count; i++) {
        const json_t *m = json_array_get(met, i);
        pair[i] = (struct pairing_met){(uint32_t)at(m, 0), (uint32_t)at(m, 1), (uint32_t)at(m, 2)};
    }
    in.players = player;
    in.met = pair;
    pairing_make(&in, &out);
    json_t *tables = json_array();
    for (size_t i = 0; i < out.count; i++)
        json_array_append_new(tables, numbers(out.tables[i].players, out.tables[i].size));
    json_t *got = json_pack("{s:o, s:o}", "tables", tables, "byes", numbers(out.byes, out.bye_count));
    pairing_release(&out);
    free(player);
    free(pair);
    return got;
}

START_TEST(pairings)
{
    const json_t *cases = begin("pairing");
    size_t index;
    json_t *one;
    json_array_foreach (cases, index, one)
        is(paired(one), json_object_get(one, "want"), "pairing", index);
    end();
}
END_TEST

static struct standing_table table_of(const json_t *table)
{
    const json_t *seats = json_array_get(table, 1);
    struct standing_table out = {.voided = json_is_true(json_array_get(table, 0)),
                                 .size = (unsigned)json_array_size(seats)};
    for (unsigned i = 0; i < out.size; i++) {
        const json_t *seat = json_array_get(seats, i), *player = json_array_get(seat, 0);
        out.seats[i].player = json_is_null(player) ? STANDING_NOBODY : (uint32_t)json_integer_value(player);
        out.seats[i].rank = (uint8_t)at(seat, 1);
    }
    return out;
}

static json_t *stood(const json_t *one)
{
    const json_t *ranked = json_object_get(one, "ranked"), *adjust = json_object_get(one, "adjust");
    const json_t *tables = json_object_get(one, "tables"), *byes = json_object_get(one, "byes");
    const size_t players = json_array_size(ranked);
    bool *is_ranked = mem_array(players, sizeof *is_ranked);
    int32_t *points = mem_array(players, sizeof *points);
    uint32_t *bye = mem_array(json_array_size(byes) + 1, sizeof *bye);
    struct standing_table *table = mem_array(json_array_size(tables) + 1, sizeof *table);
    struct standing_row *rows = mem_array(players, sizeof *rows);
    for (size_t i = 0; i < players; i++) {
        is_ranked[i] = json_is_true(json_array_get(ranked, i));
        points[i] = (int32_t)at(adjust, i);
    }
    for (size_t i = 0; i < json_array_size(tables); i++)
        table[i] = table_of(json_array_get(tables, i));
    for (size_t i = 0; i < json_array_size(byes); i++)
        bye[i] = (uint32_t)at(byes, i);
    const struct standing_input in = {.players = players,
                                      .ranked = is_ranked,
                                      .adjust = points,
                                      .seats = (unsigned)number(one, "k"),
                                      .bye = (int32_t)number(one, "bye"),
                                      .tables = table,
                                      .table_count = json_array_size(tables),
                                      .byes = bye,
                                      .bye_count = json_array_size(byes)};
    const size_t listed = standing_make(&in, rows);
    json_t *got = json_array();
    for (size_t i = 0; i < listed; i++)
        json_array_append_new(got, json_pack("[I,I,I,I,I,I]", (json_int_t)rows[i].player,
                                             (json_int_t)rows[i].place, (json_int_t)rows[i].points,
                                             (json_int_t)rows[i].buchholz, (json_int_t)rows[i].direct,
                                             (json_int_t)rows[i].firsts));
    free(is_ranked);
    free(points);
    free(bye);
    free(table);
    free(rows);
    return got;
}

START_TEST(standings)
{
    const json_t *cases = begin("standing");
    size_t index;
    json_t *one;
    json_array_foreach (cases, index, one)
        is(stood(one), json_object_get(one, "want"), "standing", index);
    end();
}
END_TEST

static json_t *divided(const json_t *one)
{
    const json_t *lists = json_object_get(one, "lists"), *waiting = json_object_get(one, "reserves");
    struct division_player players[200];
    size_t sizes[20], count = 0;
    uint32_t reserves[100];
    for (size_t d = 0; d < json_array_size(lists); d++) {
        const json_t *list = json_array_get(lists, d);
        sizes[d] = json_array_size(list);
        for (size_t i = 0; i < sizes[d]; i++) {
            const json_t *p = json_array_get(list, i);
            players[count++] = (struct division_player){(uint32_t)at(p, 0), (uint32_t)at(p, 1),
                                                        json_is_true(json_array_get(p, 2))};
        }
    }
    for (size_t i = 0; i < json_array_size(waiting); i++)
        reserves[i] = (uint32_t)at(waiting, i);
    const struct division_input in = {players,
                                      sizes,
                                      json_array_size(lists),
                                      (size_t)number(one, "promote"),
                                      (size_t)number(one, "size"),
                                      reserves,
                                      json_array_size(waiting)};
    struct division_season out;
    division_make(&in, &out);
    json_t *got = json_array();
    const uint32_t *from = out.players;
    for (size_t d = 0; d < out.count; from += out.sizes[d++])
        json_array_append_new(got, numbers(from, out.sizes[d]));
    division_release(&out);
    return got;
}

START_TEST(divisions)
{
    const json_t *cases = begin("division");
    size_t index;
    json_t *one;
    json_array_foreach (cases, index, one)
        is(divided(one), json_object_get(one, "want"), "division", index);
    end();
}
END_TEST

static json_t *compared(const json_t *one)
{
    const json_t *scores = json_object_get(one, "scores"), *ranked = json_object_get(one, "ranked");
    const json_t *robots = json_object_get(one, "field");
    const size_t count = json_array_size(scores), many = json_array_size(robots);
    struct matchpoints_result results[100];
    struct matchpoints points[100];
    int64_t field[100];
    json_t *rows = json_array(), *percentiles = json_array();
    for (size_t i = 0; i < count; i++)
        results[i] = (struct matchpoints_result){at(scores, i), json_is_true(json_array_get(ranked, i))};
    for (size_t i = 0; i < many; i++)
        field[i] = at(robots, i);
    matchpoints_deal(results, count, points);
    for (size_t i = 0; i < count; i++) {
        const struct share share = matchpoints_share(points[i]);
        const struct share beside = matchpoints_percentile(results[i].score, field, many);
        json_t *factored = results[i].ranked
                               ? json_integer(matchpoints_factored(points[i], number(one, "most")))
                               : json_null();
        json_array_append_new(rows, json_pack("[I,I,o,I,I]", (json_int_t)points[i].points,
                                              (json_int_t)points[i].results, factored, (json_int_t)share.num,
                                              (json_int_t)share.den));
        json_array_append_new(percentiles,
                              json_pack("[I,I]", (json_int_t)beside.num, (json_int_t)beside.den));
    }
    return json_pack("{s:o, s:o}", "rows", rows, "percentiles", percentiles);
}

START_TEST(deals)
{
    const json_t *cases = begin("deal");
    size_t index;
    json_t *one;
    json_array_foreach (cases, index, one)
        is(compared(one), json_object_get(one, "want"), "deal", index);
    end();
}
END_TEST

START_TEST(berger_tables)
{
    const json_t *cases = begin("berger");
    size_t index;
    json_t *one;
    json_array_foreach (cases, index, one) {
        const struct berger_round round = berger_round((unsigned)at(one, 0), (unsigned)at(one, 1));
        json_t *games = json_array();
        for (size_t i = 0; i < round.count; i++)
            json_array_append_new(games,
                                  json_pack("[i,i]", (int)round.games[i].first, (int)round.games[i].second));
        is(games, json_array_get(one, 2), "berger", index);
        ck_assert_int_eq(round.bye, at(one, 3));
    }
    end();
}
END_TEST

static void add_cases(TCase *tc)
{
    tcase_add_test(tc, pairings);
    tcase_add_test(tc, standings);
    tcase_add_test(tc, divisions);
    tcase_add_test(tc, deals);
    tcase_add_test(tc, berger_tables);
}
TEST_MAIN("compete/cases", add_cases)
