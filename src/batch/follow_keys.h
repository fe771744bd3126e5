/* Games learn at once that a player has other keys where that changes what counts there: from none to some (the
 * word of their mail domain no longer counts) and from some to none. All else they learn with the next text that is
 * signed (play/step.h, step_keys_changed). */
#ifndef BATCH_FOLLOW_KEYS_H
#define BATCH_FOLLOW_KEYS_H

#include "batch/batch.h"

/* One game learns which keys a player with a seat has now, before a text that one of them has signed is recorded there. `msg`: the mail
 * that has it. */
int follow_keys_here(struct batch *batch, struct batch_game *entry, const char *player,
                     const struct message *msg, struct err *err) __attribute__((warn_unused_result));
/* Puts a `key` record into each of the player's running games that were made with trust "mail". A game that cannot be
 * read is left out, and said. */
int follow_keys(struct batch *batch, const char *player, struct err *err) __attribute__((warn_unused_result));
/* One of the player's running games in which only keys count, "" = none: without any they could not play there. */
int follow_keys_needed(struct batch *batch, const char *player, char game[GAME_NAME], struct err *err)
    __attribute__((warn_unused_result));

#endif
