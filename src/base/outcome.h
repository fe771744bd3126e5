/* What became of an act that may be refused: of a text that was heard, of what a step was asked for.
 *
 * The numbers are those of every other function, so the shape `if (rc == 0) rc = next(...)` ends with whatever
 * was not done. Who refuses says why beside it (base/reason.h), and nothing has changed then; who fails has
 * the league's own error in `err`. */
#ifndef BASE_OUTCOME_H
#define BASE_OUTCOME_H

enum outcome { OUTCOME_FAILED = -1, OUTCOME_DONE = 0, OUTCOME_REFUSED = 1 };

#endif
