/* The field of robots that plays a duplicate deal when its round is over: what a player's score is held against, besides
 * those of the other players (README.md, "The field").
 *
 * Each robot is the ruleset's own, but for its care: of the lines that it would give, robot i of n (from 0) leaves each
 * out by a draw of its own, i times in 10n. So they are from the sensible player that never forgets anything down to one
 * that forgets nearly a tenth of it (what the ruleset plays badly after a slip: of Galaxy Farmer that halves the score). The draws follow from the nonce of the deal's games, and so all that has to be known to play
 * them again is one of these games, opened. */
#ifndef COMPETE_FIELD_H
#define COMPETE_FIELD_H

#include "base/err.h"
#include "journal/seal.h"
#include "rules/ruleset.h"

/* A deal, all borrowed: the state of one of its games as `start` left it, and its cards. */
struct field_deal {
    const struct ruleset *ruleset; /* draws_nothing, for one seat, with a robot */
    const void *cards, *state;
    const unsigned char *nonce; /* SEAL_NONCE bytes: of its games' `create` */
};
/* Fills `scores`, one a robot. ERR_BROKEN: a game of theirs does not end. */
int field_play(const struct field_deal *deal, int robots, int *scores, struct err *err)
    __attribute__((warn_unused_result));

/* What robot `number` of `robots` leaves of its lines in that turn; for tests. `kept` is appended to. */
void field_forget(const struct field_deal *deal, const int robot[2], int turn, struct slice lines,
                  struct str *kept);

#endif
