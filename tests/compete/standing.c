/* Standings: points and what decides between equal ones, by hand; and that no order matters. */
#include "suite.h"

#include <string.h>

#include "compete/random.h"
#include "compete/standing.h"

#define MOST 12

static struct standing_table table_of(const char *text)
{
    struct standing_table table = {.voided = *text == 'v'};
    for (text += *text == 'v'; *text; text += 2) /* "a1b2": who, rank; "-": nobody of the competition */
        table.seats[table.size++] = (struct standing_seat){
            text[0] == '-' ? STANDING_NOBODY : (uint32_t)(text[0] - 'a'), (uint8_t)(text[1] - '0')};
    return table;
}

/* players: letters from a, capital if not ranked; tables and byes as above, with spaces; rows "place name points/buchholz". */
static void is(unsigned seats, const char *players, const char *tables, const char *byes, const char *want)
{
    struct standing_table table[MOST];
    bool ranked[MOST];
    uint32_t bye[MOST];
    struct standing_row rows[MOST];
    struct standing_input in = {
        .players = strlen(players), .ranked = ranked, .seats = seats, .bye = 2, .tables = table, .byes = bye};
    char *copy = strdup(tables), *rest = NULL;
    for (char *one = strtok_r(copy, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
        table[in.table_count++] = table_of(one);
    free(copy);
    for (size_t i = 0; i < in.players; i++)
        ranked[i] = players[i] >= 'a';
    for (; *byes; byes++)
        bye[in.bye_count++] = (uint32_t)(*byes - 'a');
    const size_t listed = standing_make(&in, rows);
    struct str text = STR_INIT;
    for (size_t i = 0; i < listed; i++)
        str_addf(&text, "%s%u %c %lld/%lld", i ? ", " : "", rows[i].place, 'a' + (char)rows[i].player,
                 (long long)rows[i].points, (long long)rows[i].buchholz);
    ck_assert_str_eq(text.p, want);
    str_release(&text);
}

START_TEST(points_and_buchholz)
{
    is(2, "abcd", "a1b2 c1d1 a1c2 b2d1", "", "1 a 4/1, 2 d 3/1, 3 c 1/7, 4 b 0/7");
    is(3, "abc", "a1b2c2", "", "1 a 4/2, 2 b 1/5, 2 c 1/5");
    is(4, "abcd", "a1b2c3d4", "", "1 a 6/6, 2 b 4/8, 3 c 2/10, 4 d 0/12");
}
END_TEST

START_TEST(equal_ones)
{
    is(2, "ab", "a1b1", "", "1 a 1/1, 1 b 1/1");
    /* a circle */
    is(2, "abc", "a1b2 b1c2 c1a2", "", "1 a 2/4, 1 b 2/4, 1 c 2/4");
    /* b has beaten a, with the same points and opponents' points */
    is(2, "abcd", "b1a2 a1c2 b2d1 d1c1 a1d1 b1c1", "", "1 d 4/8, 2 b 3/9, 3 a 3/9, 4 c 2/10");
}
END_TEST

START_TEST(firsts_decide_last)
{
    is(2, "ab", "a1b1", "", "1 a 1/1, 1 b 1/1"); /* a shared one is none */
    /* a: a victory and a defeat; b: two draws; the opponents' points are the same */
    is(2, "abcd", "a1c2 a2d1 b1c1 b1d1", "", "1 d 3/4, 2 a 2/4, 3 b 2/4, 4 c 1/4");
}
END_TEST

START_TEST(who_is_missing_counts_with_ones_own_points)
{
    is(2, "ab", "", "a", "1 a 2/2, 2 b 0/0");
    is(2, "abC", "a1c2 b1c2", "", "1 a 2/2, 1 b 2/2");
    is(2, "abC", "a1b2 b1c2 c1a2", "", "1 a 2/4, 2 b 2/4"); /* the meeting with c decides nothing */
    is(2, "ab", "a1-2 a1b2", "", "1 a 4/4, 2 b 0/4");
    is(2, "ab", "va0b0 b1a2", "", "1 b 2/2, 2 a 0/2");
    is(3, "abc", "a1b2 a1c2", "", "1 a 4/8, 2 b 0/4, 2 c 0/4");
    is(3, "abc", "a1b0c2", "", "1 a 2/2, 2 c 0/2, 3 b 0/0");
}
END_TEST

struct season {
    struct standing_table tables[40];
    bool ranked[MOST];
    uint32_t byes[6];
    struct standing_input in;
};

static void random_season(struct season *season, uint64_t *seed)
{
    season->in = (struct standing_input){.players = MOST,
                                         .ranked = season->ranked,
                                         .seats = 2 + below(seed, 3),
                                         .bye = 1,
                                         .tables = season->tables,
                                         .table_count = below(seed, 41),
                                         .byes = season->byes,
                                         .bye_count = below(seed, 7)};
    for (size_t i = 0; i < MOST; i++)
        season->ranked[i] = below(seed, 8) > 0;
    for (size_t i = 0; i < season->in.bye_count; i++)
        season->byes[i] = below(seed, MOST);
    for (size_t i = 0; i < season->in.table_count; i++) {
        struct standing_table *table = &season->tables[i];
        uint32_t players[MOST];
        for (uint32_t p = 0; p < MOST; p++)
            players[p] = p;
        shuffle(seed, players, MOST);
        *table = (struct standing_table){.voided = below(seed, 10) == 0, .size = season->in.seats};
        for (unsigned s = 0; s < table->size; s++)
            table->seats[s] = (struct standing_seat){players[s], (uint8_t)below(seed, table->size + 1)};
    }
}

/* The same season with tables, seats and byes in another order, and the players by other numbers. */
static void stirred(const struct season *season, const uint32_t *name, struct season *out, uint64_t *seed)
{
    *out = *season;
    out->in.ranked = out->ranked;
    out->in.tables = out->tables;
    out->in.byes = out->byes;
    for (size_t i = 0; i < MOST; i++)
        out->ranked[name[i]] = season->ranked[i];
    for (size_t i = 0; i < out->in.bye_count; i++)
        out->byes[i] = name[season->byes[out->in.bye_count - 1 - i]];
    uint32_t order[40];
    for (uint32_t i = 0; i < 40; i++)
        order[i] = i;
    shuffle(seed, order, out->in.table_count);
    for (size_t i = 0; i < out->in.table_count; i++) {
        const struct standing_table *from = &season->tables[order[i]];
        for (unsigned s = 0; s < from->size; s++) {
            out->tables[i].seats[s] = from->seats[from->size - 1 - s];
            out->tables[i].seats[s].player = name[out->tables[i].seats[s].player];
        }
        out->tables[i].voided = from->voided;
    }
}

START_TEST(no_order_matters)
{
    uint64_t seed = 5;
    for (int n = 0; n < 300; n++) {
        struct season season, other;
        struct standing_row rows[2][MOST];
        uint32_t name[MOST];
        for (uint32_t i = 0; i < MOST; i++)
            name[i] = i;
        shuffle(&seed, name, MOST);
        random_season(&season, &seed);
        stirred(&season, name, &other, &seed);
        const size_t count = standing_make(&season.in, rows[0]);
        ck_assert_uint_eq(standing_make(&other.in, rows[1]), count);
        for (size_t i = 0; i < count; i++) {
            size_t j = 0;
            while (rows[1][j].player != name[rows[0][i].player])
                j++;
            rows[1][j].player = rows[0][i].player;
            ck_assert_uint_eq(rows[0][i].place, rows[1][j].place);
            ck_assert_int_eq(rows[0][i].points, rows[1][j].points);
            ck_assert_int_eq(rows[0][i].buchholz, rows[1][j].buchholz);
            ck_assert_int_eq(rows[0][i].direct, rows[1][j].direct);
            rows[1][j].player = UINT32_MAX;
        }
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, points_and_buchholz);
    tcase_add_test(tc, equal_ones);
    tcase_add_test(tc, firsts_decide_last);
    tcase_add_test(tc, who_is_missing_counts_with_ones_own_points);
    tcase_add_test(tc, no_order_matters);
}
TEST_MAIN("compete/standing", cases)
