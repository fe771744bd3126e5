/* Which pauses between two rounds of work are usual: hosts that work some hours a day, on some days. Pure.
 *
 * Learnt: a pause is usual when it comes with a period. For some number of days p, from 1 to 9, the last
 * times at which it was to be expected (p, 2p, ... days before it, at most seven and no more than 28 days)
 * brought at least three pauses like it, and four of them for each fault. One is like it when, by the clock
 * on the wall of the league and give or take an hour and a half, it began no later and ended no earlier, and
 * was no more than twice as long. Faults are times at which it was to be expected and a round was done, and
 * pauses like it at which it was not: on a day before it that is no multiple of p, without another one p days
 * before or after. A time that lies within a much longer pause says nothing. So after three nights a night is
 * usual, after three weekends a week between them, and a host that moves to another zone is known there after
 * three nights; outages that happen to begin at the same hour are not taken for a habit (tests/league/usual.c
 * has how often). And it is usual when the three before it were as long, give or take an hour and a half, and
 * only one round was done between each two of them: a timer with a fixed period.
 *
 * Declared: `works` of league.ini says when the host works. A pause is usual when it cost no more than
 * [clock] outage of these hours, and none of the spans as a whole. */
#ifndef LEAGUE_USUAL_H
#define LEAGUE_USUAL_H

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "base/zone.h"
#include "league/config.h"
#include "league/elapsed.h"

#define USUAL_DAYS  28 /* for which pauses are remembered */
#define HOURS_SPANS 16

/* "weekdays 18:00-23:00 sat sun 10:00-24:00"; a span that ends before it begins ends on the day after. */
struct hours {
    struct hours_span {
        unsigned days;  /* bit 0 = Monday */
        int begin, end; /* minutes of that day; the end may be on the next one */
    } span[HOURS_SPANS];
    int count;
};
/* ERR_INPUT. No text: no spans. */
int hours_parse(struct slice text, struct hours *hours, struct err *err) __attribute__((warn_unused_result));
/* Do these hours explain the pause? Never without spans. */
bool hours_explain(const struct hours *hours, const struct zone *zone, const struct pause *pause,
                   int64_t outage);
/* Is it one of the pauses of this host: like those before it, or by [clock] works? */
bool pause_explained(const struct config *config, const struct zone *zone, const struct pause *before,
                     size_t count, const struct pause *pause);
/* Is it like those before it? These in the order of time; NULL zone = UTC. */
bool pause_usual(const struct pause *before, size_t count, const struct pause *pause,
                 const struct zone *zone);

#endif
