/* Players who have a seat and no file, or no keys, that can be read.
 *
 * A players/NAME.json that is damaged (or of a newer Turnpost), or gone while they have a seat, or a
 * keys/NAME.pub that yields no key (it is damaged, empty or gone, or all its keys are in files of other
 * players, too) while the player is there, leaves out that player and nobody else (player_absent in
 * play/deadline.h): their mails stay in the mailbox, their turns wait as for orders that could not be
 * processed (game_stuck), and games continue by themselves when the file is repaired. Nothing waits for
 * players who were removed according to the registry's journal. The catalog remembers who was damaged and
 * since when, so that their games are looked at when it begins and when it ends: a player who is back has
 * been through an outage of their own (step_clock.c), so a turn that lacks their orders and is due, or was
 * opened meanwhile, is moved as after one, and the report that did not reach them is sent. */
#ifndef BATCH_ABSENT_H
#define BATCH_ABSENT_H

#include "batch/batch.h"

/* Reads all keys; players of the registry who ought to have a key (not by_mail) and have none that counts are
 * damaged (keyring_expect). */
int absent_keys(const char *league_dir, const struct registry *registry, struct keyring *ring,
                struct err *err) __attribute__((warn_unused_result));
/* Reports and notes all that, when the league is opened. */
int absent_open(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* A change may have given players back what was lost. Within the batch. */
int absent_changed(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* What was asked for in this player's name and they may say no to (a key, an address, their leaving) waits for as long as was
 * left when they could no longer be heard. Within the batch. */
int absent_spare_asked(struct batch *batch, const struct catalog_stuck *stuck, struct err *err)
    __attribute__((warn_unused_result));
/* All games of those who are back, or whose orders were given up, have been looked at, so this is forgotten.
 */
int absent_round_done(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Is this the key of an absent player: by the registry's journal, or as one that is in several files? Of
 * a minisign or signify key the number is compared. That journal is read on the first call.
 */
int absent_key(struct batch *batch, const struct pubkey *key, bool *found, struct err *err)
    __attribute__((warn_unused_result));
/* Players of running games whose players/NAME.json is gone are faults of the registry from now on, unless the
 * registry's journal says that they were removed; and a damaged file under a name that nobody has (no seat,
 * and nothing in that journal), above all one that holds another player, is not a player's fault. */
int absent_expect(const char *league_dir, struct catalog *catalog, struct registry *registry, struct err *err)
    __attribute__((warn_unused_result));
/* The same of the batch, whenever its registry has been read; and by which addresses the players of damaged files are known. */
int absent_read(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Players without a seat whose file is gone, likewise: each has a key in registry/sealing as long as they are one. Who has a
 * key of their own, and no file with it either, was taken out by hand. */
int absent_seatless(const char *league_dir, struct registry *registry, struct err *err)
    __attribute__((warn_unused_result));
/* Players of running games who have no file, and no fault in the registry; each with one of their games. */
int absent_each(struct catalog *catalog, const struct registry *registry,
                void (*each)(void *arg, const char *player, const char *game), void *arg, struct err *err)
    __attribute__((warn_unused_result));

#endif
