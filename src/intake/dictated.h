/* A text that the operator types in a player's name (`turnpost as`): the same petitions as by mail are heard,
 * but nobody has signed it. Its records say so ("by": "operator", "for": the player), and so does the answer,
 * which also goes to the player. Texts that mean nothing without the player's own signature are refused. */
#ifndef INTAKE_DICTATED_H
#define INTAKE_DICTATED_H

#include "batch/batch.h"

/* Hears the text ("#turnpost vacation ... #end"); its results are in the batch, to be committed.
 * `answer` gets the text of the mail that answers it, if there is one. ERR_INPUT: it was refused, nothing has
 * changed; ERR_MISSING: no such player. */
int dictated_hear(struct batch *batch, const char *player, struct slice text, struct str *answer,
                  struct err *err) __attribute__((warn_unused_result));

#endif
