/* registry/rounds: when work was done last, and the pauses between rounds, kept beside the catalog, which may
 * be deleted and is in no backup: so an outage is recognised even after the catalog was lost, or the league
 * restored on another host. It is written after each round, without sync; a backup has it, and so has each host of a
 * league that several share. From it `turnpost status` knows how the league is, whoever works on it.
 *
 *   turnpost rounds 3
 *   round DONE USUAL BEHIND RHYTHM WAITS    struct catalog_clock
 *   deaf SINCE TRIED WHY ...                only while the mailbox cannot be read: deaf, tried, why
 *   pause FROM TO outage                    or "usual"; struct catalog_pause, one line each
 *   end                                     so that a file that was cut is not taken for whole
 *
 * Times in seconds since 1970, in decimal digits. */
#ifndef BATCH_ROUNDS_H
#define BATCH_ROUNDS_H

#include <stdbool.h>

#include "base/err.h"
#include "journal/catalog.h"
#include "league/outside.h"

#define ROUNDS_FILE "registry/rounds" /* in the league's folder */

/* Writes what the catalog knows. */
int rounds_write(struct catalog *catalog, const char *league_dir, struct err *err)
    __attribute__((warn_unused_result));
/* Puts it into a new catalog, within its transaction. *known is false when there is no such file, or a
 * damaged one, which is reported. ERR_NEWER. */
int rounds_restore(struct catalog *catalog, const char *league_dir, bool *known, struct err *err)
    __attribute__((warn_unused_result));
/* When the last round was, by that file, into *done; 0 when it is not there or is damaged. ERR_NEWER: it was
 * made by a newer Turnpost, and would be overwritten. */
int rounds_last(const char *league_dir, int64_t *done, struct err *err) __attribute__((warn_unused_result));

/* All that the file says. */
struct rounds_known {
    struct catalog_clock clock;
    struct pause *pauses; /* in the order of time; owned */
    size_t count;
};
/* *known is false where there is no such file or it is damaged, which is reported; `rounds` is empty then. ERR_NEWER. */
int rounds_read(const char *league_dir, struct rounds_known *rounds, bool *known, struct err *err)
    __attribute__((warn_unused_result));
void rounds_release(struct rounds_known *rounds);

/* Until when that pause shakes: for a day after an outage of more than a day nothing is done that cannot be taken back and has a
 * time fixed long ago, as it may have been a clock that jumped ahead and will be put back. 0: it does not. */
int64_t rounds_shaken(const struct pause *pause, int64_t now);
/* The same of all pauses that the file knows, for those who only look; 0 also when there is none, or a damaged one. */
int64_t rounds_shaken_by(const char *league_dir, int64_t now);

#endif
