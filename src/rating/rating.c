#include "rating/rating.h"

#include <assert.h>

#define BETA_SQUARED INT64_C(19088743537778) /* of beta = 25/6 */
#define KAPPA        INT64_C(109951163)      /* 1/10000 */

struct rating rating_new(void)
{
    return (struct rating){RATING_MU, RATING_SIGMA};
}

#define MILLION 1000000

bool rating_read(struct rating *rating, int64_t mu, int64_t sigma)
{
    const int64_t mu_most = RATING_MU_MOST / FIXED_ONE * MILLION,
                  sigma_most = RATING_SIGMA_MOST / FIXED_ONE * MILLION;
    if (mu > mu_most || mu < -mu_most || sigma <= 0 || sigma > sigma_most)
        return false;
    *rating = (struct rating){fixed_div(mu, MILLION), fixed_div(sigma, MILLION)};
    return true;
}

/* A game, as the formulas name it. */
struct table {
    size_t count;
    int rank[RATING_SEATS_MOST];
    int64_t variance[RATING_SEATS_MOST]; /* sigma^2 */
    int64_t c2, c;                       /* c^2 = sum of (sigma^2 + beta^2) */
    int64_t strength[RATING_SEATS_MOST]; /* e^((mu - the highest mu) / c) */
    int64_t against[RATING_SEATS_MOST];  /* the strengths of those who did no better than q */
    int tied[RATING_SEATS_MOST];         /* how many have q's rank, q among them */
};

static void add_spread(struct table *table, const struct rating_seat *seats)
{
    table->c2 = 0;
    for (size_t i = 0; i < table->count; i++) {
        table->rank[i] = seats[i].rank;
        table->variance[i] = fixed_mul(seats[i].rating.sigma, seats[i].rating.sigma);
        table->c2 += table->variance[i] + BETA_SQUARED;
    }
    table->c = fixed_sqrt(table->c2);
}

static void add_strengths(struct table *table, const struct rating_seat *seats)
{
    int64_t highest = -RATING_MU_MOST;
    for (size_t i = 0; i < table->count; i++)
        if (seats[i].rating.mu > highest)
            highest = seats[i].rating.mu;
    for (size_t i = 0; i < table->count; i++) {
        int64_t strength = fixed_exp(fixed_div(seats[i].rating.mu - highest, table->c));
        table->strength[i] = strength > 0 ? strength : 1; /* `against` is a divisor */
    }
}

static void add_ranks(struct table *table)
{
    for (size_t q = 0; q < table->count; q++) {
        table->against[q] = 0;
        table->tied[q] = 0;
        for (size_t s = 0; s < table->count; s++) {
            if (table->rank[s] >= table->rank[q])
                table->against[q] += table->strength[s];
            table->tied[q] += table->rank[s] == table->rank[q];
        }
    }
}

/* Each rank that seat i reached or missed is a drawing among those who were left: how much better than expected the
 * seat did in all of them (omega), and how much they say (delta). */
static void drawn(const struct table *table, size_t i, int64_t *omega, int64_t *delta)
{
    *omega = *delta = 0;
    for (size_t q = 0; q < table->count; q++) {
        if (table->rank[q] > table->rank[i])
            continue;
        int64_t p = fixed_div(table->strength[i], table->against[q]);
        *omega += fixed_floor((q == i ? FIXED_ONE : 0) - p, table->tied[q]);
        *delta += fixed_floor(fixed_mul(p, FIXED_ONE - p), table->tied[q]);
    }
}

static int64_t within(int64_t mu)
{
    if (mu > RATING_MU_MOST)
        return RATING_MU_MOST;
    return mu < -RATING_MU_MOST ? -RATING_MU_MOST : mu;
}

static struct rating moved(const struct table *table, size_t i, struct rating before)
{
    int64_t omega, delta;
    drawn(table, i, &omega, &delta);
    int64_t step = fixed_mul(fixed_div(table->variance[i], table->c), omega);
    int64_t gamma = fixed_div(before.sigma, table->c);
    int64_t shrink = fixed_mul(fixed_mul(gamma, fixed_div(table->variance[i], table->c2)), delta);
    int64_t left = FIXED_ONE - shrink;
    return (struct rating){within(before.mu + step),
                           fixed_mul(before.sigma, fixed_sqrt(left > KAPPA ? left : KAPPA))};
}

void rating_game(struct rating_seat *seats, size_t count)
{
    struct table table = {.count = count};
    assert(count >= 2 && count <= RATING_SEATS_MOST);
    add_spread(&table, seats);
    add_strengths(&table, seats);
    add_ranks(&table);
    for (size_t i = 0; i < count; i++)
        if (!seats[i].anchor)
            seats[i].rating = moved(&table, i, seats[i].rating);
}

#define STEPS_MOST 100 /* more than lie between any sigma and the widest */

void rating_idle(struct rating *rating, int64_t seconds)
{
    if (seconds < RATING_IDLE + RATING_IDLE_STEP || rating->sigma >= RATING_SIGMA)
        return;
    int64_t steps = (seconds - RATING_IDLE) / RATING_IDLE_STEP;
    int64_t variance =
        fixed_mul(rating->sigma, rating->sigma) + (steps < STEPS_MOST ? steps : STEPS_MOST) * FIXED_ONE;
    int64_t sigma = fixed_sqrt(variance);
    rating->sigma = sigma < RATING_SIGMA ? sigma : RATING_SIGMA;
}

void rating_ranks(int *ranks, const bool *resigned, size_t count)
{
    int was[RATING_SEATS_MOST], stayed = 0;
    assert(count <= RATING_SEATS_MOST);
    for (size_t i = 0; i < count; i++) {
        was[i] = ranks[i];
        stayed += ranks[i] > 0 && !resigned[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (was[i] <= 0)
            continue;
        int better = 0;
        for (size_t j = 0; j < count; j++)
            better += was[j] > 0 && !resigned[j] && was[j] < was[i];
        ranks[i] = 1 + (resigned[i] ? stayed : better);
    }
}

struct rating_figures rating_published(struct rating rating)
{
    int64_t mu = fixed_micro(rating.mu), sigma = fixed_micro(rating.sigma);
    return (struct rating_figures){mu, sigma, mu - 3 * sigma};
}
