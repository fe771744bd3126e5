/* How much of a competition's journal this league has proved before: its state.json says so, authenticated by the league's
 * secret, so that opening one with thousands of players does not verify each signature and draw each round again. */
#ifndef BATCH_COMPETING_PROVED_H
#define BATCH_COMPETING_PROVED_H

#include "batch/competing.h"

/* The bytes at the beginning of this journal that were proved; 0 = none: there is no mark, it is another league's, or the
 * journal is not the one that it was made of. */
size_t competing_proved(const struct batch *batch, const char *name, struct slice journal);
/* That all that is committed was proved; not before it has grown by some records, or is closed. A closed one need not be
 * read any more to know that nothing is to be done (competing_is_closed). */
int competing_keep_proved(struct batch *batch, struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));
/* Does its mark say that it is over, and does its journal still end there? Of it only the last line is read, at most: this is
 * asked of all seasons that there ever were. */
bool competing_is_closed(struct batch *batch, const char *name);

#endif
