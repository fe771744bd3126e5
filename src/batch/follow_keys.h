/* What becomes of a player's keys and mailbox in their running games. A seat has the keys that its player has named (src/journal/README.md,
 * "key"), so a game learns of another one by the player's text; or by a note that one was asked for, seven days before it counts. A game
 * that cannot be read is left out, and said. */
#ifndef BATCH_FOLLOW_KEYS_H
#define BATCH_FOLLOW_KEYS_H

#include <jansson.h>

#include "batch/batch.h"

/* A text "key"; all borrowed. */
struct follow_text {
    const char *by; /* whose text it is: the player, or a moderator, who can only take keys away */
    const struct pubkey *signer; /* whose signature is in `evidence` */
    const json_t *evidence;      /* its members mail, text, by, signed */
    struct slice body;
    const struct pubkey *added; /* NULL: it adds none */
};
struct follow_learned {
    size_t games; /* that have a record of it */
    struct str
        left_out; /* "gc-1, gf-2": those in which it changes nothing, above all as their seat does not know the key that signed */
    struct str
        tomorrow; /* the same: those in which a text of that day has taken the key away that this one adds */
    struct str shut; /* the same: those whose seat knows none of the keys that the player has now */
};
int follow_key_text(struct batch *batch, const char *player, const struct follow_text *text,
                    struct follow_learned *learned, struct err *err) __attribute__((warn_unused_result));
/* A key is asked for in place of lost ones (player->rekey); somebody says no; it takes their place. */
struct follow_came {
    bool later; /* a table has not known of it for seven days yet; it does now, and nothing else was done */
    struct str left_out; /* games that cannot be read, and keep the keys that they had */
};
int follow_rekey(struct batch *batch, const struct player *player, struct err *err)
    __attribute__((warn_unused_result));
int follow_veto(struct batch *batch, const struct player *player, const char *by, struct err *err)
    __attribute__((warn_unused_result));
int follow_rekeyed(struct batch *batch, const struct player *player, struct follow_came *came,
                   struct err *err) __attribute__((warn_unused_result));
/* Keys that this game still waits for, as it could not be read when somebody said no, or when another key came: they are not asked for any
 * more, and its journal says so. */
int follow_stale(struct batch *batch, struct step *step, struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* Is there a running game whose seat of theirs does not know this key? */
int follow_key_lacks(struct batch *batch, const char *player, const struct pubkey *key, bool *lacks,
                     struct err *err) __attribute__((warn_unused_result));
/* They answer from another mailbox: said where no key signs for them. */
int follow_mailbox(struct batch *batch, const struct player *player, const char *by, struct err *err)
    __attribute__((warn_unused_result));
/* One of the player's running games in which only keys count, "" = none: without any they could not play there. */
int follow_keys_needed(struct batch *batch, const char *player, char game[GAME_NAME], struct err *err)
    __attribute__((warn_unused_result));

#endif
