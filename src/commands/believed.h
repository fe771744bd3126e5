/* Whether the time that the host's clock tells can be right, before any work is done by it: records are for ever, and what is
 * dated wrongly, by a clock that was lost or set wrongly, no later work can mend.
 *
 * It is believed when the system says that somebody keeps it right (a time server, mostly), when it goes on from the time of
 * the last work (registry/clock: never more than BELIEVED_BEHIND before it, nor BELIEVED_AHEAD after it), or when the operator
 * says so (`turnpost clock --confirm`). What comes between two such times is an outage at most (batch/batch_round.c). A league
 * that has not worked by the system's clock yet has nothing to compare it with. */
#ifndef COMMANDS_BELIEVED_H
#define COMMANDS_BELIEVED_H

#include "league/league.h"

#define BELIEVED_AHEAD  ((int64_t)30 * 86400) /* longer than anybody's holidays */
#define BELIEVED_BEHIND ((int64_t)86400)

/* By what work was done last; `last` 0: by nothing that is known. */
struct believed {
    int64_t now, last;
    bool kept_right; /* the system says so */
    bool confirmed;  /* the operator has, since the last work */
};
void believed_look(const struct league *league, struct believed *believed);
/* ERR_TEMP with what is wrong and what to do: the time cannot be believed, and nothing is to be done. */
int believed_check(const struct believed *believed, struct err *err) __attribute__((warn_unused_result));
/* Both for work that is about to begin by the system's clock; where it is believed, that is noted for the next time. */
int believed_begin(const struct league *league, struct err *err) __attribute__((warn_unused_result));
/* Of a time that was typed (--now): no later than the host's clock, and the last round, by more than BELIEVED_AHEAD, unless
 * the operator has confirmed it. In a league without rounds any time is good. ERR_INPUT with what to do. */
int believed_typed(const struct league *league, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* The operator says that it is right: the host's clock, or a time that is typed; 0 = none is. */
int believed_confirm(const struct league *league, int64_t typed, struct err *err)
    __attribute__((warn_unused_result));

#endif
