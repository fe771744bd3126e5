/* A new address of a player without a key, or in place of one that is lost; and players without a key who leave. Who has stolen a
 * mailbox could ask for these, too. So:
 *
 *   A player's first address changes when its mailbox and the new one have both said "ok". A second one is added in the same way; one
 *   that is there is replaced, or given up, after seven days.
 *   A moderator asks in place of a mailbox that is lost (`#turnpost rekey`, "address:"): then the new one says "ok", and seven days pass.
 *   They are erased 72 hours after they have asked.
 *
 * All their addresses are told at once, and meanwhile a "no" from any of these, for which its domain vouches, ends it. (Who has a key signs their
 * changes of address, petitions/petition_prefs.c, and leaves at once.) */
#ifndef PETITIONS_MOVING_H
#define PETITIONS_MOVING_H

#include "petitions/rekey.h"

/* Keeps player->move, which is filled in but for `asked`, and what else has changed of this version of them; tells their addresses,
 * and asks the new one. `evidence` goes into the record. */
int moving_ask(struct batch *batch, struct player *player, const json_t *evidence,
               const struct message *answered, struct err *err) __attribute__((warn_unused_result));
/* The new mailbox has agreed. */
int moving_agree(struct batch *batch, const char *player, const json_t *evidence,
                 const struct message *answered, struct err *err) __attribute__((warn_unused_result));
/* Ends a move, or their leaving. */
int moving_stop(struct batch *batch, const struct rekey_stop *stop, bool leaves, struct err *err)
    __attribute__((warn_unused_result));
/* They are to be erased after LEAVE_WAIT. */
int moving_leave(struct batch *batch, const char *player, const json_t *evidence,
                 const struct message *answered, struct err *err) __attribute__((warn_unused_result));

/* Has the time come of either? Then it happens, if it still can. */
bool moving_is_due(const struct batch *batch, const struct player *player);
int moving_come(struct batch *batch, const struct player *player, struct err *err)
    __attribute__((warn_unused_result));

/* The running game in which they have a seat, so that they cannot be erased; "" = none. */
int moving_seated(struct batch *batch, const char *player, char game[GAME_NAME], struct err *err)
    __attribute__((warn_unused_result));
/* Takes them out of the league, and tells them so. */
int moving_erase(struct batch *batch, const char *player, const json_t *evidence,
                 const struct message *answered, struct err *err) __attribute__((warn_unused_result));

#endif
