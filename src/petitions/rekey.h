/* Lost keys, and first keys. A moderator requests another key in a player's name (`#turnpost rekey`); the player and
 * everybody they play with are told, and it comes into force after seven days, unless a text signed with one of
 * the player's present keys says no (`#turnpost veto`), or an answer "no" from one of their addresses, for which its domain vouches. The request is kept in the player's document. While
 * the player cannot be heard (player_unheard) it does not come into force; when their files are repaired, it
 * has the time that was left (batch/absent.c).
 *
 * A player who has no key asks for their first one themselves (petitions/petition_key.c), by a mail for which their
 * domain vouches: a thief of the mailbox could do that, too, so it waits in the same way, all their addresses are
 * told, and an answer "no" from any of these stops it (petitions/keyless.h). It does not come while a moderator says that the
 * mailbox is lost (petitions/moving.h), nor are they erased then. */
#ifndef PETITIONS_REKEY_H
#define PETITIONS_REKEY_H

#include "batch/batch.h"

/* Makes the record of a key that is asked for (player->rekey), and notes of it in the player's games. */
int rekey_ask(struct batch *batch, const struct player *player, const json_t *evidence, struct err *err)
    __attribute__((warn_unused_result));
/* Tells the player, at both addresses, and each player in their running games; `words` is the template.
 * `writer` is the one whose text led to it: if that is the player, their mail answers the text (`answered`),
 * otherwise answering is left to the caller. */
int rekey_announce(struct batch *batch, const char *player, const char *words, json_t *facts,
                   const char *writer, const struct message *answered, struct err *err)
    __attribute__((warn_unused_result));
/* Somebody says no to a key that was asked for; all borrowed. */
struct rekey_stop {
    const char *player, *by; /* whose key, and who stops it: the same, or a moderator */
    const json_t *evidence;  /* of the record */
    const struct message *answered;
};
/* Makes the record and tells whom rekey_announce tells. There must be such a key. */
int rekey_stop(struct batch *batch, const struct rekey_stop *stop, struct err *err)
    __attribute__((warn_unused_result));
/* Keys whose time has come (league/elapsed.h), addresses, and players who leave (petitions/moving.h) come into force, one player per piece. Costs a look at each
 * player in memory. */
int rekey_clock(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
