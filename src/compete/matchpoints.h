/* Matchpoints of duplicate deals (README.md, "Matchpoints"): integers and exact fractions. */
#ifndef COMPETE_MATCHPOINTS_H
#define COMPETE_MATCHPOINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the whole, 0 <= num <= den, in lowest terms. */
struct share {
    int64_t num, den;
};
struct share share_of(int64_t num, int64_t den); /* den > 0 */
int share_order(struct share a, struct share b); /* as of strcmp; num and den below 2^31 */
/* In hundredths of a percent, 0..10000, halves up; den below 2^48. */
int64_t share_hundredths(struct share share);

/* One player's result of a deal. */
struct matchpoints_result {
    int64_t score;
    bool ranked; /* it counts for others */
};

struct matchpoints {
    int64_t points;  /* M: 2 for each result beaten, 1 for each equal one */
    int64_t results; /* A: those that were compared, this one included */
};

/* Fills `out` (count) in the order of the results. */
void matchpoints_deal(const struct matchpoints_result *results, size_t count, struct matchpoints *out);
/* Of the most that the deal gave; 1/2 where there was nobody to compare with. */
struct share matchpoints_share(struct matchpoints points);
/* M', in thousandths: as if `most` (E >= A, below 2^20) results had been compared. For ranked results. */
int64_t matchpoints_factored(struct matchpoints points, int64_t most);

/* Where a score stands among those of a field, count > 0. */
struct share matchpoints_percentile(int64_t score, const int64_t *field, size_t count);

#endif
