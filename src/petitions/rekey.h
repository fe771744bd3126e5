/* Lost keys. A moderator requests another key in a player's name (`#turnpost rekey`); the player and
 * everybody they play with are told, and it comes into force after 48 hours, unless a text signed with one of
 * the player's present keys says no (`#turnpost veto`). The request is kept in the player's document. While
 * the player cannot be heard (player_unheard) it does not come into force; when their files are repaired, it
 * has the time that was left (batch/absent.c). */
#ifndef PETITIONS_REKEY_H
#define PETITIONS_REKEY_H

#include "batch/batch.h"

/* Tells the player, at both addresses, and each player in their running games; `words` is the template.
 * `writer` is the one whose text led to it: if that is the player, their mail answers the text (`answered`),
 * otherwise answering is left to the caller. */
int rekey_announce(struct batch *batch, const char *player, const char *words, json_t *facts,
                   const char *writer, const struct message *answered, struct err *err)
    __attribute__((warn_unused_result));
/* Keys whose time has come (league/elapsed.h) come into force, one player per piece. Costs a look at each
 * player in memory. */
int rekey_clock(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
