/* Where a mail has the proof of a record: what letters write and that becomes the proof itself as the mail leaves
 * (league/league_log.h), since what a mail tells is in the log only after its commit, and a mail may wait for days.
 *
 *   [proof NAME SEQ TIME TAG]    NAME as the log has it, TIME 8 hex digits of seconds, TAG 12 hex digits that nobody but the league can make
 *
 * After the TAG comes what a proof of a close has as `extra` (tlog/proof.h), 32 bytes in hex a line. At most 74 columns, of ASCII: the
 * attachment that has it is sent as it is. */
#ifndef LEAGUE_PROOF_PLACE_H
#define LEAGUE_PROOF_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define PROOF_PLACE      "[proof " /* how the line begins */
#define PROOF_EXTRA_MOST 320       /* bytes: base, D and eight marks */

struct proof_place {
    char name[33];
    int64_t seq, time; /* of the record */
    size_t extra_len;  /* a multiple of 32; 0: it has none */
    unsigned char extra[PROOF_EXTRA_MOST];
};
/* Appends it, with its LF. `master`: the league's 32 bytes. */
void proof_place_write(struct str *out, const struct proof_place *place, const unsigned char master[32]);
/* The next one of ours in what comes; *before: what precedes it, *text: what follows, from its line end on. */
bool proof_place_next(struct slice *text, struct slice *before, struct proof_place *place,
                      const unsigned char master[32]);

#endif
