/* What a witness watches, and what they remember of it (turnpost witness, doctor). */
#ifndef COMMANDS_WATCHED_H
#define COMMANDS_WATCHED_H

#include "league/league.h"
#include "tlog/witness.h"

/* Is the folder a witness's, by [witness] in league.ini? */
bool watched_any(const struct league *league);
/* The first log of the policy that is named there. ERR_CONFIG. */
int watched_log(const struct league *league, struct vkey *log, struct err *err)
    __attribute__((warn_unused_result));
/* As WITNESS_STATE_INIT, if nothing was cosigned yet. `path` of the file is freed by the caller, after a failure, too. */
int watched_state(const struct league *league, const struct vkey *log, struct witness_state *state,
                  char **path, struct err *err) __attribute__((warn_unused_result));

#endif
