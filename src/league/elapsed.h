/* How long has something waited while the service worked? This is the only place that answers it: everything
 * that ends by time asks here, and nothing else compares its end with the clock.
 *
 * What began at `since` and was to end at `until` ends later if the service stood still meanwhile: nobody
 * could answer, object or be heard. After each outage it has the time that was left when the outage began,
 * and at least the shortest time that counts as an outage; all outages together add at most its own length,
 * so that it ends even on the worst of hosts. A clock that jumps ahead looks like an outage. While the mailbox
 * cannot be read, nothing ends. Usual pauses (league/usual.h) are not
 * outages. */
#ifndef LEAGUE_ELAPSED_H
#define LEAGUE_ELAPSED_H

#include "league/outside.h"

/* `outside` NULL = nothing is known of outages. */

/* When it ends, as far as outages are known by now. */
int64_t elapsed_end(const struct outside *outside, int64_t since, int64_t until);
/* Is it over at `now`? */
bool elapsed_over(const struct outside *outside, int64_t since, int64_t until, int64_t now);
/* The outage in which something was due that has not been done since, so that nobody has been given the time for it, borrowed;
 * NULL = there was none. Mostly the one that ends just now, and an earlier one of what could not be done for a while after it. */
const struct pause *elapsed_outage(const struct outside *outside, int64_t due);
/* How much of the `length` of something is given after an outage that began when `left` of it were left. */
int64_t elapsed_left(const struct outside *outside, int64_t left, int64_t length);

#endif
