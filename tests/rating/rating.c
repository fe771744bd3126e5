#include "suite.h"

#include <math.h>

#include "rating/rating.h"

#define ONE   ((double)FIXED_ONE)
#define BETA  (25.0 / 6)
#define CLOSE 1e-6

static int64_t steps(double x)
{
    return llround(x * ONE);
}

static void check_close(int64_t got, double want, const char *what)
{
    ck_assert_msg(fabs((double)got / ONE - want) < CLOSE, "%s: %.9f, and not %.9f", what, (double)got / ONE,
                  want);
}

static struct rating_seat seat_of(double mu, double sigma, int rank)
{
    return (struct rating_seat){{steps(mu), steps(sigma)}, rank, false};
}

static uint64_t next_number(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* 2 to 9 seats, mu -5 to 55, sigma 0.5 to 8.5, ranks with ties. */
static size_t some_game(uint64_t *seed, struct rating_seat seats[9])
{
    size_t count = 2 + next_number(seed) % 8;
    for (size_t i = 0; i < count; i++) {
        seats[i].rating.mu = (int64_t)(next_number(seed) % (60 * FIXED_ONE)) - 5 * FIXED_ONE;
        seats[i].rating.sigma = (int64_t)(next_number(seed) % (8 * FIXED_ONE)) + FIXED_ONE / 2;
        seats[i].rank = 1 + (int)(next_number(seed) % count);
        seats[i].anchor = false;
    }
    return count;
}

START_TEST(two_by_default)
{
    struct rating_seat seats[2] = {{rating_new(), 1, false}, {rating_new(), 2, false}};
    rating_game(seats, 2);
    struct rating_figures winner = rating_published(seats[0].rating),
                          loser = rating_published(seats[1].rating);
    ck_assert_int_eq(winner.mu, 27635231);
    ck_assert_int_eq(winner.sigma, 8065506);
    ck_assert_int_eq(winner.shown, 27635231 - 3 * 8065506);
    ck_assert_int_eq(loser.mu, 22364769);
    ck_assert_int_eq(loser.sigma, 8065506);
    check_close(seats[0].rating.mu, 27.63523138347365, "the winner's mu");
    check_close(seats[0].rating.sigma, 8.065506316323548, "the winner's sigma");
}
END_TEST

/* openskill.py, tests/models/data/plackettluce.json (commit 65a675d2): those of its vectors that have neither weights nor
 * margins. They are of teams of equal members, and a team is a player here: its mu is the sum of theirs, its variance
 * the sum of theirs; each member takes their share of what it moves by. There sigma^2 grows by tau^2 before each game,
 * which we leave to rating_idle: it is added to what goes in. */
#define VECTOR_MU    20.35125162611535
#define VECTOR_SIGMA 8.33148112355601
#define VECTOR_TAU   (25.0 / 300)
static const struct {
    const char *name;
    int teams, size[4], rank[4];
    double mu[4], sigma[4];
} vectors[] = {
    {"normal",
     2,
     {1, 2},
     {1, 2},
     {23.855123082692877, 16.84738016953782},
     {8.22447878583752, 8.179571171464575}},
    {"ranks",
     4,
     {1, 2, 1, 2},
     {2, 1, 4, 3},
     {22.35555943890167, 22.373451456616035, 18.311159777900297, 18.364835831043397},
     {8.265434830225024, 8.258479912445537, 8.219170401234347, 8.112716571808326}},
    {"scores",
     2,
     {1, 2},
     {2, 1},
     {19.4016459546452, 21.300857297585495},
     {8.22447878583752, 8.179571171464575}},
    {"limit_sigma",
     3,
     {1, 2, 3},
     {2, 1, 3},
     {22.81664991565251, 22.74645120129216, 15.49065376140138},
     {8.28331609373364, 8.268148437657915, 8.18959307104567}},
    {"ties",
     3,
     {1, 2, 3},
     {1, 2, 1},
     {21.63766806988004, 19.53956360838512, 19.87652320008089},
     {8.310709773172306, 8.268148437657915, 8.237522411103104}},
    {"balance",
     2,
     {2, 2},
     {1, 2},
     {22.31506119238646, 18.38744205984424},
     {8.176156760223332, 8.176156760223332}},
};
#define VECTORS (int)(sizeof vectors / sizeof *vectors)

START_TEST(vectors_of_openskill)
{
    const double before = sqrt(VECTOR_SIGMA * VECTOR_SIGMA + VECTOR_TAU * VECTOR_TAU);
    struct rating_seat seats[4];
    const int teams = vectors[_i].teams;
    for (int t = 0; t < teams; t++) {
        const int size = vectors[_i].size[t];
        seats[t] = seat_of(size * VECTOR_MU, before * sqrt(size), vectors[_i].rank[t]);
    }
    rating_game(seats, (size_t)teams);
    for (int t = 0; t < teams; t++) {
        const double size = vectors[_i].size[t],
                     ratio = (double)seats[t].rating.sigma / ONE / (before * sqrt(size));
        check_close(seats[t].rating.mu, size * vectors[_i].mu[t], vectors[_i].name);
        check_close(steps(before * sqrt(1 - (1 - ratio * ratio) / size)), vectors[_i].sigma[t],
                    vectors[_i].name);
    }
}
END_TEST

/* What openskill.py (PlackettLuce(tau=0), the same commit) makes of games of single players: mu, sigma, rank, mu after,
 * sigma after. */
static const struct {
    int count;
    struct {
        double mu, sigma;
        int rank;
        double mu_after, sigma_after;
    } seat[9];
} games[] = {
    {2, {{29.7, 5.6, 1, 31.675321099, 5.449174071}, {32.9, 4.5, 2, 31.624481752, 4.437524316}}},
    {2, {{27.6, 4.7, 1, 26.878182498, 4.612882433}, {18.3, 2.7, 1, 18.538209579, 2.690583628}}},
    {3,
     {{19.5, 1.5, 2, 19.518481638, 1.499199085},
      {30.8, 6.8, 2, 27.258294546, 6.334044890},
      {25.5, 1.3, 1, 25.615562056, 1.299705378}}},
    {3,
     {{29.3, 8.0, 1, 28.601377963, 7.829277469},
      {16.1, 5.7, 1, 16.405342687, 5.672346326},
      {22.7, 7.8, 1, 22.792350133, 7.667932813}}},
    {4,
     {{34.7, 4.3, 1, 34.558258685, 4.271110420},
      {34.7, 5.0, 1, 34.508354091, 4.947083599},
      {21.2, 2.4, 1, 21.279996481, 2.398893427},
      {30.8, 1.3, 1, 30.802439337, 1.299806101}}},
    {5,
     {{20.0, 5.8, 2, 21.931255580, 5.779313577},
      {15.4, 7.9, 4, 14.740782301, 7.635570453},
      {39.4, 1.5, 3, 39.305750415, 1.499629661},
      {14.2, 5.1, 3, 14.707164790, 5.081046828},
      {19.5, 3.5, 4, 19.200402478, 3.488783449}}},
    {6,
     {{22.8, 4.7, 5, 22.544759533, 4.680082329},
      {22.1, 2.9, 5, 22.012047873, 2.897215976},
      {31.3, 7.1, 3, 33.039237910, 7.006911951},
      {30.2, 8.2, 5, 28.420456307, 7.937600331},
      {33.0, 1.0, 5, 32.965920650, 0.999936317},
      {32.3, 4.8, 1, 33.407202656, 4.790708344}}},
    {7,
     {{28.5, 2.3, 6, 28.247659590, 2.297357126},
      {27.7, 7.8, 5, 28.972183398, 7.563775356},
      {29.9, 3.5, 6, 29.238702429, 3.485107242},
      {20.8, 1.8, 2, 20.879842073, 1.799877482},
      {22.1, 1.5, 4, 22.201890258, 1.499852499},
      {29.0, 3.7, 2, 29.276150222, 3.696635627},
      {15.4, 6.0, 6, 15.064325741, 5.932978551}}},
    {8,
     {{14.5, 4.6, 2, 14.753130078, 4.593960253},
      {18.3, 3.7, 4, 18.696886352, 3.691083869},
      {25.2, 2.2, 1, 25.455737522, 2.199734637},
      {37.3, 1.5, 7, 36.975495183, 1.499434504},
      {28.5, 4.5, 3, 29.008878017, 4.479623970},
      {15.3, 7.1, 6, 16.381114360, 6.949013289},
      {29.4, 3.1, 2, 29.403465094, 3.097272461},
      {26.5, 4.1, 2, 26.558761347, 4.092763515}}},
    {9,
     {{24.8, 2.8, 1, 24.942463734, 2.799616159},
      {18.2, 8.0, 7, 16.153545323, 7.793609448},
      {15.4, 1.2, 3, 15.456963072, 1.199980275},
      {23.4, 2.5, 1, 23.516062071, 2.499769935},
      {30.6, 7.4, 5, 29.508059944, 7.279972839},
      {15.9, 5.4, 6, 16.325179974, 5.371625316},
      {17.9, 7.2, 4, 19.558905409, 7.153814352},
      {28.5, 3.2, 7, 27.799651817, 3.193228877},
      {20.3, 6.6, 5, 20.188018690, 6.548540666}}},
    {9,
     {{24.0, 6.0, 3, 24.412252562, 5.979673155},
      {25.1, 2.0, 3, 25.142557390, 1.999737590},
      {14.0, 2.0, 7, 13.994826678, 1.999526765},
      {21.9, 5.7, 4, 22.760076514, 5.672266714},
      {27.3, 6.7, 1, 27.775761318, 6.685272034},
      {27.7, 3.1, 1, 27.800579602, 3.099313822},
      {26.3, 3.2, 1, 26.411794294, 3.199267265},
      {30.6, 7.5, 7, 28.517101740, 7.332329839},
      {22.9, 5.5, 8, 21.622780122, 5.461668070}}},
};
#define GAMES (int)(sizeof games / sizeof *games)

START_TEST(games_of_openskill)
{
    struct rating_seat seats[9];
    const int count = games[_i].count;
    for (int i = 0; i < count; i++)
        seats[i] = seat_of(games[_i].seat[i].mu, games[_i].seat[i].sigma, games[_i].seat[i].rank);
    rating_game(seats, (size_t)count);
    for (int i = 0; i < count; i++) {
        check_close(seats[i].rating.mu, games[_i].seat[i].mu_after, "mu");
        check_close(seats[i].rating.sigma, games[_i].seat[i].sigma_after, "sigma");
    }
}
END_TEST

/* The same in binary64, as the paper has it. */
static struct rating_seat in_floats(const struct rating_seat *seats, size_t count, size_t i)
{
    double c2 = 0, omega = 0, delta = 0;
    for (size_t q = 0; q < count; q++)
        c2 += pow((double)seats[q].rating.sigma / ONE, 2) + BETA * BETA;
    const double c = sqrt(c2), mu = (double)seats[i].rating.mu / ONE,
                 sigma = (double)seats[i].rating.sigma / ONE;
    for (size_t q = 0; q < count; q++) {
        double sum = 0, tied = 0;
        for (size_t s = 0; s < count; s++) {
            if (seats[s].rank >= seats[q].rank)
                sum += exp((double)seats[s].rating.mu / ONE / c);
            tied += seats[s].rank == seats[q].rank;
        }
        const double p = exp(mu / c) / sum;
        if (seats[q].rank <= seats[i].rank) {
            omega += ((q == i) - p) / tied;
            delta += p * (1 - p) / tied;
        }
    }
    const double left = 1 - sigma / c * sigma * sigma / c2 * delta;
    return seat_of(mu + sigma * sigma / c * omega, sigma * sqrt(left > 1e-4 ? left : 1e-4), 0);
}

START_TEST(close_to_floats)
{
    uint64_t seed = 1;
    double worst = 0;
    for (int game = 0; game < 20000; game++) {
        struct rating_seat seats[9], after[9];
        size_t count = some_game(&seed, seats);
        memcpy(after, seats, sizeof after);
        rating_game(after, count);
        for (size_t i = 0; i < count; i++) {
            struct rating_seat want = in_floats(seats, count, i);
            worst = fmax(worst, fabs((double)(after[i].rating.mu - want.rating.mu) / ONE));
            worst = fmax(worst, fabs((double)(after[i].rating.sigma - want.rating.sigma) / ONE));
        }
    }
    ck_assert_msg(worst < 1e-9, "%g", worst);
}
END_TEST

START_TEST(order_of_seats_is_nothing)
{
    uint64_t seed = 2;
    for (int game = 0; game < 2000; game++) {
        struct rating_seat seats[9], moved[9];
        size_t at[9], count = some_game(&seed, seats);
        for (size_t i = 0; i < count; i++) {
            size_t j = next_number(&seed) % (i + 1);
            at[i] = at[j];
            at[j] = i;
        }
        for (size_t i = 0; i < count; i++)
            moved[i] = seats[at[i]];
        rating_game(seats, count);
        rating_game(moved, count);
        for (size_t i = 0; i < count; i++)
            ck_assert_mem_eq(&moved[i].rating, &seats[at[i]].rating, sizeof(struct rating));
    }
}
END_TEST

START_TEST(who_wins_alone_rises_who_loses_alone_falls)
{
    uint64_t seed = 3;
    for (int game = 0; game < 2000; game++) {
        struct rating_seat seats[9], after[9];
        size_t count = some_game(&seed, seats);
        for (size_t i = 0; i < count; i++)
            seats[i].rank++;
        seats[0].rank = 1;
        seats[1].rank = 99;
        memcpy(after, seats, sizeof after);
        rating_game(after, count);
        ck_assert_int_gt(after[0].rating.mu, seats[0].rating.mu);
        ck_assert_int_lt(after[1].rating.mu, seats[1].rating.mu);
        for (size_t i = 0; i < count; i++)
            ck_assert(after[i].rating.sigma > 0 && after[i].rating.sigma <= seats[i].rating.sigma);
    }
}
END_TEST

START_TEST(equals_stay_equal)
{
    for (size_t count = 2; count <= 9; count++) {
        struct rating_seat seats[9];
        for (size_t i = 0; i < count; i++)
            seats[i] = seat_of(30, 5, 3);
        rating_game(seats, count);
        for (size_t i = 0; i < count; i++) {
            ck_assert_mem_eq(&seats[i].rating, &seats[0].rating, sizeof(struct rating));
            check_close(seats[i].rating.mu, 30, "a common victory of equals");
        }
    }
    struct rating_seat three[3] = {seat_of(25, 8, 1), seat_of(25, 8, 2), seat_of(25, 8, 2)};
    rating_game(three, 3);
    ck_assert_mem_eq(&three[1].rating, &three[2].rating, sizeof(struct rating));
    struct rating_seat upset[2] = {seat_of(20, 6, 1), seat_of(30, 6, 1)};
    rating_game(upset, 2);
    ck_assert_int_gt(upset[0].rating.mu, steps(20)); /* a tie with somebody better is good news */
    ck_assert_int_lt(upset[1].rating.mu, steps(30));
}
END_TEST

START_TEST(only_the_order_of_ranks_counts)
{
    struct rating_seat low[3] = {seat_of(25, 8, 1), seat_of(22, 7, 2), seat_of(28, 6, 2)};
    struct rating_seat high[3] = {seat_of(25, 8, 4), seat_of(22, 7, 90), seat_of(28, 6, 90)};
    rating_game(low, 3);
    rating_game(high, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_mem_eq(&low[i].rating, &high[i].rating, sizeof(struct rating));
}
END_TEST

START_TEST(anchors_stay)
{
    struct rating_seat with[3] = {seat_of(25, 8, 1), seat_of(20, 2, 2), seat_of(30, 5, 3)}, without[3];
    memcpy(without, with, sizeof without);
    with[1].anchor = true;
    rating_game(with, 3);
    rating_game(without, 3);
    ck_assert_int_eq(with[1].rating.mu, steps(20));
    ck_assert_int_eq(with[1].rating.sigma, steps(2));
    ck_assert_mem_eq(&with[0].rating, &without[0].rating, sizeof(struct rating));
    ck_assert_mem_eq(&with[2].rating, &without[2].rating, sizeof(struct rating));
}
END_TEST

START_TEST(written_in_millionths)
{
    struct rating rating = {7, 7};
    ck_assert(!rating_read(&rating, INT64_C(1000000000001), 1));
    ck_assert(!rating_read(&rating, -INT64_C(1000000000001), 1));
    ck_assert(!rating_read(&rating, 0, 0));
    ck_assert(!rating_read(&rating, 0, 100000001));
    ck_assert(!rating_read(&rating, INT64_MIN, INT64_MAX));
    ck_assert(rating.mu == 7 && rating.sigma == 7);
    ck_assert(rating_read(&rating, -INT64_C(1000000000000), 100000000));
    ck_assert(rating.mu == -RATING_MU_MOST && rating.sigma == RATING_SIGMA_MOST);
    uint64_t seed = 4;
    for (int i = 0; i < 1000; i++) {
        int64_t mu = (int64_t)(next_number(&seed) % 2000000000) - 1000000000;
        int64_t sigma = (int64_t)(next_number(&seed) % 100000000) + 1;
        ck_assert(rating_read(&rating, mu, sigma));
        struct rating_figures figures = rating_published(rating);
        ck_assert(figures.mu == mu && figures.sigma == sigma && figures.shown == mu - 3 * sigma);
    }
}
END_TEST

/* The edges of what is allowed (the sanitizers watch): far apart, unsure, many. */
START_TEST(extremes)
{
    struct rating_seat seats[RATING_SEATS_MOST];
    for (int i = 0; i < RATING_SEATS_MOST; i++)
        seats[i] = seat_of(i % 2 ? 1e6 : -1e6, i % 3 ? 100 : 1e-3, 1 + i / 2);
    for (int game = 0; game < 50; game++) {
        rating_game(seats, RATING_SEATS_MOST);
        for (int i = 0; i < RATING_SEATS_MOST; i++) {
            ck_assert(seats[i].rating.mu <= RATING_MU_MOST && seats[i].rating.mu >= -RATING_MU_MOST);
            ck_assert(seats[i].rating.sigma > 0 && seats[i].rating.sigma <= 100 * FIXED_ONE);
        }
    }
    struct rating_seat sure[2] = {seat_of(1e6, 8, 1), seat_of(-1e6, 8, 2)};
    rating_game(sure, 2);
    ck_assert_int_eq(sure[0].rating.mu, RATING_MU_MOST);
    check_close(sure[1].rating.mu, -1e6, "nothing was learnt");
}
END_TEST

/* One game never makes anybody surer than by the root of kappa, a hundredth. */
START_TEST(kappa)
{
    struct rating_seat seats[RATING_SEATS_MOST];
    for (int i = 0; i < RATING_SEATS_MOST; i++)
        seats[i] = seat_of(25, i ? 0.001 : 100, i ? i : 99);
    rating_game(seats, RATING_SEATS_MOST);
    ck_assert_int_eq(seats[0].rating.sigma, INT64_C(1099511628800));
}
END_TEST

START_TEST(idleness_widens)
{
    const int64_t day = 86400;
    struct rating rating = {steps(30), steps(2)};
    rating_idle(&rating, -1);
    rating_idle(&rating, 210 * day - 1);
    ck_assert_int_eq(rating.sigma, steps(2));
    rating_idle(&rating, 210 * day);
    check_close(rating.sigma, sqrt(5), "a step");
    rating.sigma = INT64_C(3000000000002); /* whose square is rounded down */
    rating_idle(&rating, 210 * day - 1);
    ck_assert_int_eq(rating.sigma, INT64_C(3000000000002));
    rating = (struct rating){steps(30), 1};
    rating_idle(&rating, INT64_MAX);
    ck_assert_int_eq(rating.sigma, RATING_SIGMA);
    rating = (struct rating){steps(30), steps(2)};
    rating_idle(&rating, 365 * day);
    check_close(rating.sigma, sqrt(4 + 6), "a year");
    check_close(rating.mu, 30, "mu stays");
    rating_idle(&rating, INT64_MAX);
    ck_assert_int_eq(rating.sigma, RATING_SIGMA);
    rating.sigma = steps(9);
    rating_idle(&rating, INT64_MAX);
    ck_assert_int_eq(rating.sigma, steps(9));
}
END_TEST

static void check_ranks(const char *ranks, const char *resigned, const char *want)
{
    int rank[9] = {0};
    bool gone[9] = {false};
    size_t count = strlen(ranks);
    for (size_t i = 0; i < count; i++) {
        rank[i] = ranks[i] - '0';
        gone[i] = resigned[i] == 'x';
    }
    rating_ranks(rank, gone, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(rank[i] == want[i] - '0', "%s %s: seat %zu is %d", ranks, resigned, i + 1, rank[i]);
}

START_TEST(who_resigned_is_last)
{
    check_ranks("123", "...", "123");
    check_ranks("123", "x..", "312");
    check_ranks("1234", "x.x.", "3132");
    check_ranks("1134", "..x.", "1143"); /* a common victory is a tie */
    check_ranks("1111", ".x..", "1411");
    check_ranks("1027", "...x", "1023"); /* a seat that nobody counts stays out */
    check_ranks("5599", "....", "1133");
    check_ranks("12", "xx", "11");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, two_by_default);
    tcase_add_loop_test(tc, vectors_of_openskill, 0, VECTORS);
    tcase_add_loop_test(tc, games_of_openskill, 0, GAMES);
    tcase_add_test(tc, close_to_floats);
    tcase_add_test(tc, order_of_seats_is_nothing);
    tcase_add_test(tc, who_wins_alone_rises_who_loses_alone_falls);
    tcase_add_test(tc, equals_stay_equal);
    tcase_add_test(tc, only_the_order_of_ranks_counts);
    tcase_add_test(tc, anchors_stay);
    tcase_add_test(tc, written_in_millionths);
    tcase_add_test(tc, extremes);
    tcase_add_test(tc, kappa);
    tcase_add_test(tc, idleness_widens);
    tcase_add_test(tc, who_resigned_is_last);
}
TEST_MAIN_TOGETHER("rating/rating", cases)
