/* Witnesses whom keys/league.policy names with a URL: they are asked over HTTPS to cosign the log (c2sp.org/tlog-witness, add-checkpoint),
 * without closes, and so give no dice; nothing waits for them. What they have cosigned is shown in the log's checkpoint, and stands in proofs
 * that are made of the same checkpoint.
 *
 * `log/cosigned` remembers how far each has come, and their newest lines:
 *
 *     witness NAME OLD NEXT WAIT     entries that they have cosigned; when they are asked again, as they failed, and how long that was put off
 *     line SIZE LINE                 a cosignature line of the checkpoint of so many entries
 *
 * It can be lost: they say themselves what they have cosigned. */
#ifndef LEAGUE_COSIGNING_H
#define LEAGUE_COSIGNING_H

#include "league/league_log.h"

#define COSIGNING_SECONDS 5L    /* for an answer */
#define COSIGNING_ANSWER  65536 /* bytes of it */
#define COSIGNING_AGAIN   60    /* seconds until who failed is asked again: doubled each time, */
#define COSIGNING_DAY     86400 /* up to that */

/* Asks those who have not cosigned the log as it is, each at most once (and once more if they say what they have cosigned last), for at most
 * twice COSIGNING_SECONDS in all; whose turn does not come is asked the next time. What fails is logged. */
void cosigning_ask(struct league_log *log, const struct league *league, int64_t now);

/* The lines that are known of the checkpoint of so many entries. Appends. */
void cosigning_lines(const struct league *league, int64_t size, struct str *out);

/* One witness of the policy, asked now: for `doctor`. ERR_CONFIG, ERR_TEMP: what they answer, and what to do. */
int cosigning_try(struct league_log *log, const struct league *league, int witness, struct err *err)
    __attribute__((warn_unused_result));

#endif
