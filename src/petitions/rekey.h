/* Lost keys. A moderator asks for another key in a player's name (`#turnpost rekey`); that is told to the
 * player and to everybody he plays with, and comes into force after 48 hours, unless a text signed with one
 * of his present keys says no (`#turnpost veto`). What is asked for stands in the player's document. While
 * the player cannot be heard (player_unheard) it does not come into force; when their files are mended, it
 * has the time that was left (batch/absent.c). */
#ifndef PETITIONS_REKEY_H
#define PETITIONS_REKEY_H

#include "batch/batch.h"

/* Tells the player, at both addresses, and each player in his running games; `words` is the template.
 * `writer` is whose text led to it: when that is the player, his mail answers the text (`answered`), else it
 * is left to the caller to answer him. */
int rekey_announce(struct batch *batch, const char *player, const char *words, json_t *facts,
                   const char *writer, const struct message *answered, struct err *err)
    __attribute__((warn_unused_result));
/* Keys whose time has come (league/elapsed.h) come into force, a player a piece. Costs a look at each player
 * in memory. */
int rekey_clock(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
