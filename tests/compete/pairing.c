/* The pairing engine against every way that there is, where they are few, and its promises where they are many. */
#include "suite.h"

#include <string.h>

#include "compete/pairing.h"
#include "compete/random.h"
#include "rules/ruleset.h"

_Static_assert(COMPETE_SEATS == SEATS_MAX, "tables have the seats that rules have");

#define MOST 300

/* A competition as it goes: who has met whom, and the input that this makes. */
struct contest {
    struct pairing_player players[MOST];
    uint32_t times[MOST][MOST];
    struct pairing_met met[MOST * MOST / 2];
    struct pairing_input in;
    struct pairing out;
};

static struct contest *contest_new(size_t count, unsigned seats, unsigned least)
{
    struct contest *contest = calloc(1, sizeof *contest);
    ck_assert_ptr_nonnull(contest);
    contest->in = (struct pairing_input){
        .players = contest->players, .count = count, .met = contest->met, .seats = seats, .least = least};
    return contest;
}

static void contest_free(struct contest *contest)
{
    pairing_release(&contest->out);
    free(contest);
}

static void draw(struct contest *contest)
{
    contest->in.met_count = 0;
    for (uint32_t a = 0; a < contest->in.count; a++)
        for (uint32_t b = 0; b < a; b++)
            if (contest->times[a][b])
                contest->met[contest->in.met_count++] = (struct pairing_met){a, b, contest->times[a][b]};
    pairing_release(&contest->out);
    pairing_make(&contest->in, &contest->out);
}

/* ---- every way ---- */

struct cost {
    int64_t part[3];
};

static struct cost cost_of(const struct contest *contest, const uint32_t *list, const unsigned *sizes,
                           size_t tables)
{
    struct cost cost = {{0, 0, 0}};
    for (size_t t = 0; t < tables; list += sizes[t++])
        for (unsigned i = 0; i < sizes[t]; i++) {
            const struct pairing_player *one = &contest->players[list[i]];
            cost.part[2] += (one->seats[i] + 1) * (one->seats[i] + 1);
            for (unsigned j = 0; j < i; j++) {
                const int64_t apart = one->score - contest->players[list[j]].score;
                cost.part[0] += contest->times[list[i]][list[j]] + contest->times[list[j]][list[i]];
                cost.part[1] += apart * apart;
            }
        }
    return cost;
}

static int cost_order(struct cost a, struct cost b)
{
    for (int i = 0; i < 3; i++)
        if (a.part[i] != b.part[i])
            return a.part[i] < b.part[i] ? -1 : 1;
    return 0;
}

/* Tables one after another, compared as the page says: 0 ends a table, numbers are one higher. */
struct list {
    uint32_t item[2 * 8];
};

static struct list list_of(const uint32_t *players, const unsigned *sizes, size_t tables)
{
    struct list out = {{0}};
    uint32_t *item = out.item;
    for (size_t t = 0; t < tables; t++, item++)
        for (unsigned i = 0; i < sizes[t]; i++)
            *item++ = *players++ + 1;
    return out;
}

static bool is_smaller(const struct list *a, const struct list *b)
{
    size_t i = 0;
    while (i < 15 && a->item[i] == b->item[i])
        i++;
    return a->item[i] < b->item[i];
}

struct best {
    bool any;
    struct cost cost;
    struct list list;
};

static void offer(struct best *best, const struct contest *contest, const uint32_t *players,
                  const unsigned *sizes, size_t tables)
{
    uint32_t before = 0;
    const uint32_t *table = players;
    for (size_t t = 0; t < tables; table += sizes[t++]) { /* in the order of the smallest at each only */
        uint32_t least = UINT32_MAX;
        for (unsigned i = 0; i < sizes[t]; i++)
            least = table[i] < least ? table[i] : least;
        if (t > 0 && least < before)
            return;
        before = least;
    }
    const struct cost cost = cost_of(contest, players, sizes, tables);
    const int order = best->any ? cost_order(cost, best->cost) : -1;
    if (order > 0)
        return;
    const struct list list = list_of(players, sizes, tables);
    if (order < 0 || is_smaller(&list, &best->list))
        *best = (struct best){true, cost, list};
}

static void offer_sizes(struct best *best, const struct contest *contest, const uint32_t *players,
                        size_t count)
{
    const unsigned k = contest->in.seats;
    const size_t tables = contest->out.count, small = tables * k - count;
    for (unsigned which = 0; which < 1U << tables; which++) {
        unsigned sizes[8];
        if ((size_t)__builtin_popcount(which) != small)
            continue;
        for (size_t t = 0; t < tables; t++)
            sizes[t] = k - (which >> t & 1);
        offer(best, contest, players, sizes, tables);
    }
}

/* All orders (Heap). */
static struct best search(const struct contest *contest, uint32_t *players, size_t count)
{
    struct best best = {.any = false};
    size_t at[8] = {0};
    offer_sizes(&best, contest, players, count);
    for (size_t i = 1; i < count;) {
        if (at[i] >= i) {
            at[i++] = 0;
            continue;
        }
        const size_t j = i % 2 ? at[i] : 0;
        const uint32_t saved = players[i];
        players[i] = players[j];
        players[j] = saved;
        offer_sizes(&best, contest, players, count);
        at[i]++;
        i = 1;
    }
    return best;
}

static void random_past(struct contest *contest, uint64_t *seed)
{
    const unsigned scores = 1 + below(seed, 4), often = 1 + below(seed, 4);
    for (uint32_t a = 0; a < contest->in.count; a++) {
        contest->players[a].score = (int32_t)below(seed, scores);
        contest->players[a].byes = (uint16_t)(below(seed, 4) == 0);
        for (unsigned s = 0; s < contest->in.seats; s++)
            contest->players[a].seats[s] = (uint16_t)below(seed, 3);
        for (uint32_t b = 0; b < a; b++)
            contest->times[a][b] = below(seed, often + 1) ? below(seed, 3) : 0;
    }
}

static void against_every_way(size_t count, unsigned seats, unsigned least, uint64_t *seed)
{
    struct contest *contest = contest_new(count, seats, least);
    uint32_t players[8], sitting = 0, list[8] = {0};
    unsigned sizes[8];
    random_past(contest, seed);
    draw(contest);
    for (size_t t = 0; t < contest->out.count; t++) {
        sizes[t] = contest->out.tables[t].size;
        for (unsigned i = 0; i < sizes[t]; i++)
            list[sitting++] = contest->out.tables[t].players[i];
    }
    ck_assert_uint_eq(sitting + contest->out.bye_count, count);
    memcpy(players, list, sizeof list);
    const struct best best = search(contest, players, sitting);
    const struct cost cost = cost_of(contest, list, sizes, contest->out.count);
    const struct list got = list_of(list, sizes, contest->out.count);
    ck_assert_msg(cost_order(cost, best.cost) == 0,
                  "again %lld not %lld, spread %lld not %lld, seats %lld not %lld", (long long)cost.part[0],
                  (long long)best.cost.part[0], (long long)cost.part[1], (long long)best.cost.part[1],
                  (long long)cost.part[2], (long long)best.cost.part[2]);
    ck_assert_mem_eq(&got, &best.list, sizeof got);
    contest_free(contest);
}

START_TEST(up_to_eight_players_the_best_of_all_ways)
{
    static const struct {
        size_t count;
        unsigned seats, least;
        int times;
    } table[] = {{2, 2, 2, 3}, {4, 2, 2, 20}, {5, 2, 2, 20}, {6, 2, 2, 20}, {7, 2, 2, 20},
                 {8, 2, 2, 4}, {5, 3, 2, 20}, {6, 3, 3, 20}, {7, 3, 2, 20}, {7, 3, 3, 20},
                 {8, 3, 2, 3}, {7, 4, 3, 20}, {8, 4, 4, 4},  {7, 7, 7, 6}};
    uint64_t seed = 21;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int n = 0; n < table[i].times; n++)
            against_every_way(table[i].count, table[i].seats, table[i].least, &seed);
}
END_TEST

/* ---- many ---- */

static void is_whole(const struct contest *contest)
{
    bool there[MOST] = {false};
    size_t count = 0;
    for (size_t t = 0; t < contest->out.count; t++) {
        const struct pairing_table *table = &contest->out.tables[t];
        ck_assert(table->size <= contest->in.seats && table->size >= contest->in.least);
        for (unsigned i = 0; i < table->size; i++, count++) {
            ck_assert(!there[table->players[i]]);
            there[table->players[i]] = true;
        }
    }
    for (size_t i = 0; i < contest->out.bye_count; i++, count++) {
        ck_assert(!there[contest->out.byes[i]]);
        there[contest->out.byes[i]] = true;
    }
    ck_assert_uint_eq(count, contest->in.count);
}

static bool is_same(const struct pairing *a, const struct pairing *b)
{
    return a->count == b->count && a->bye_count == b->bye_count &&
           memcmp(a->tables, b->tables, a->count * sizeof *a->tables) == 0 &&
           memcmp(a->byes, b->byes, a->bye_count * sizeof *a->byes) == 0;
}

/* The pairs who have met come in any order, either way round. */
static void turn_round(struct contest *contest, uint64_t *seed)
{
    for (size_t i = contest->in.met_count; i > 0; i--) {
        const size_t j = below(seed, i);
        const struct pairing_met met = contest->met[i - 1];
        contest->met[i - 1] = contest->met[j];
        contest->met[j] = (struct pairing_met){met.b, met.a, met.times};
    }
}

START_TEST(many_players_have_one_place_each_however_the_past_is_told)
{
    static const size_t counts[] = {13, 14, 31, 64, 97, 300};
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof counts / sizeof *counts - (FEW ? 1 : 0); i++)
        for (unsigned seats = 2; seats <= COMPETE_SEATS; seats += 3) {
            struct contest *contest = contest_new(counts[i], seats, seats > 2 ? seats - 1 : seats);
            struct pairing again;
            random_past(contest, &seed);
            draw(contest);
            is_whole(contest);
            ck_assert_uint_le(contest->out.bye_count, seats > 2 ? 5 : 1);
            turn_round(contest, &seed);
            pairing_make(&contest->in, &again);
            ck_assert(is_same(&contest->out, &again));
            pairing_release(&again);
            contest_free(contest);
        }
}
END_TEST

/* Plays the round that was drawn, the lower number being the stronger as a rule; the meetings again. */
static unsigned play(struct contest *contest, uint64_t *seed)
{
    unsigned again = 0;
    for (size_t t = 0; t < contest->out.count; t++) {
        const struct pairing_table *table = &contest->out.tables[t];
        for (unsigned i = 0; i < table->size; i++) {
            contest->players[table->players[i]].seats[i]++;
            for (unsigned j = 0; j < i; j++) {
                const uint32_t a = table->players[i], b = table->players[j];
                again += contest->times[a][b] > 0;
                contest->times[a][b]++;
                contest->times[b][a]++;
                const unsigned how = below(seed, 8);
                contest->players[a].score += how == 0 ? 1 : (a < b) == (how < 6) ? 2 : 0;
                contest->players[b].score += how == 0 ? 1 : (a < b) == (how < 6) ? 0 : 2;
            }
        }
    }
    for (size_t i = 0; i < contest->out.bye_count; i++) {
        contest->players[contest->out.byes[i]].byes++;
        contest->players[contest->out.byes[i]].score += (int32_t)contest->in.seats - 1;
    }
    return again;
}

static struct contest *played(size_t count, unsigned seats, int rounds, uint64_t *seed)
{
    struct contest *contest = contest_new(count, seats, seats);
    for (int round = 1; round <= rounds; round++) {
        draw(contest);
        is_whole(contest);
        const unsigned again = play(contest, seed);
        ck_assert_msg(again == 0, "%zu players, tables of %u, round %d: %u meet again", count, seats, round,
                      again);
    }
    return contest;
}

START_TEST(nobody_meets_again_in_a_swiss)
{
    uint64_t seed = 7;
    for (int i = 0; i < (FEW ? 5 : 40); i++) {
        struct contest *contest = played(32, 2, 7, &seed);
        for (size_t p = 0; p < 32; p++)
            ck_assert_int_le(abs(contest->players[p].seats[0] - contest->players[p].seats[1]), 3);
        contest_free(contest);
        contest_free(played(32, 2, 16, &seed));
        contest_free(played(13 + below(&seed, 20), 2, 6, &seed));
        contest_free(played(8, 2, 4, &seed));
        contest_free(played(60, 4, 5, &seed));
    }
}
END_TEST

START_TEST(byes_go_round)
{
    uint64_t seed = 9;
    struct contest *contest = contest_new(9, 2, 2);
    for (int round = 1; round <= 9; round++) {
        draw(contest);
        ck_assert_uint_eq(contest->out.bye_count, 1);
        (void)play(contest, &seed);
    }
    for (size_t p = 0; p < 9; p++)
        ck_assert_uint_eq(contest->players[p].byes, 1);
    contest_free(contest);
}
END_TEST

/* The lowest score, and of equal ones the last of the draw. */
START_TEST(the_lowest_have_the_byes)
{
    static const int32_t scores[] = {0, 4, 2, 0, 2, 4, 6};
    struct contest *contest = contest_new(7, 5, 5);
    for (size_t p = 0; p < 7; p++)
        contest->players[p].score = scores[p];
    contest->players[0].byes = 1;
    draw(contest);
    static const uint32_t want[] = {3, 4};
    ck_assert_uint_eq(contest->out.bye_count, 2);
    ck_assert_mem_eq(contest->out.byes, want, sizeof want);
    contest_free(contest);
}
END_TEST

START_TEST(smaller_tables_spare_byes)
{
    static const struct {
        size_t count;
        unsigned least;
        size_t tables, byes;
    } table[] = {{0, 3, 0, 0}, {2, 3, 0, 2}, {3, 3, 1, 0}, {4, 3, 1, 0},  {5, 3, 1, 1},
                 {6, 3, 2, 0}, {7, 3, 2, 0}, {9, 3, 3, 0}, {10, 3, 3, 0}, {17, 3, 5, 0},
                 {5, 4, 1, 1}, {3, 4, 0, 3}, {11, 4, 2, 3}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct contest *contest = contest_new(table[i].count, 4, table[i].least);
        draw(contest);
        is_whole(contest);
        ck_assert_uint_eq(contest->out.count, table[i].tables);
        ck_assert_uint_eq(contest->out.bye_count, table[i].byes);
        contest_free(contest);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, up_to_eight_players_the_best_of_all_ways);
    tcase_add_test(tc, many_players_have_one_place_each_however_the_past_is_told);
    tcase_add_test(tc, nobody_meets_again_in_a_swiss);
    tcase_add_test(tc, byes_go_round);
    tcase_add_test(tc, the_lowest_have_the_byes);
    tcase_add_test(tc, smaller_tables_spare_byes);
}
TEST_MAIN("compete/pairing", cases)
