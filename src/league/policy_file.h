/* keys/league.policy: the name and key of the league's log, and who has to cosign it (tlog/policy.h). Public: players hold proofs
 * against it. */
#ifndef LEAGUE_POLICY_FILE_H
#define LEAGUE_POLICY_FILE_H

#include <stdbool.h>

#include "tlog/policy.h"

#define LEAGUE_POLICY     "keys/league.policy"
#define LEAGUE_LOG_FOLDER "log"

/* *there: there is one. ERR_CONFIG: it is gone, and the log that it names is not. */
int policy_file_find(const char *league_dir, bool *there, struct err *err)
    __attribute__((warn_unused_result));
/* Its first log is the league's, others are earlier ones (league/log_copy.h). ERR_CONFIG: it is damaged, or the first has another key
 * than this one of the league. */
int policy_file_read(const char *league_dir, const unsigned char key[VKEY_PUBLIC], struct policy *policy,
                     struct err *err) __attribute__((warn_unused_result));
/* Is there a good one, or neither policy nor log? */
int policy_file_check(const char *league_dir, const unsigned char key[VKEY_PUBLIC], struct err *err)
    __attribute__((warn_unused_result));
/* Writes one for a new log, called by the domain of the league's address and 16 random hex digits. `before`: the policy of the
 * logs that it follows; their proofs stay good, and the same witnesses are needed. NULL = there was none. */
int policy_file_make(const char *league_dir, const char *address, const unsigned char key[VKEY_PUBLIC],
                     const struct policy *before, struct err *err) __attribute__((warn_unused_result));

#endif
