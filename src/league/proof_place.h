/* Where a mail has the proof of a record: a line that letters write and that becomes the proof itself as the mail leaves
 * (league/league_log.h), since what a mail tells is in the log only after its commit, and a mail may wait for days.
 *
 *   [proof NAME SEQ TIME TAG =]    NAME as the log has it, TIME 8 hex digits of seconds, TAG 12 hex digits that nobody but the league can make
 *
 * At most 74 columns when it is quoted-printable, so that it stays one line; its "=" shows whether it is. */
#ifndef LEAGUE_PROOF_PLACE_H
#define LEAGUE_PROOF_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define PROOF_PLACE "[proof " /* how the line begins */

struct proof_place {
    char name[33];
    int64_t seq, time; /* of the record */
    bool quoted;       /* read: what takes its place has to be quoted-printable */
};
/* Appends the line, with its LF. `master`: the league's 32 bytes. */
void proof_place_write(struct str *out, const struct proof_place *place, const unsigned char master[32]);
/* The next such line of ours in what comes; *before: what precedes it, *text: what follows, from its line end on. */
bool proof_place_next(struct slice *text, struct slice *before, struct proof_place *place,
                      const unsigned char master[32]);

#endif
