/* Witnesses: people outside of the league whose dice are mixed with those of the league, so that nobody can
 * try out a turn before it is closed, not even an operator who plays.
 *
 * A game's witnesses are named in `create`: player, keys and the public half of a VRF key of their own, which
 * they gave by "#turnpost witness" (`key:`). Their turns are resolved in two steps:
 *
 *   close   fixes the orders, as always. Each witness is mailed its signed head, and nothing about the game
 *           changes until all have answered.
 *   witness an answer (a note): pi proves beta_w = VRF(witness, "turnpost/v2/witness\0" || alpha), so that another close
 *           of the same orders changes nothing. Its signed text names that head: it is a cosignature of the journal up to there.
 *   excuse  a moderator lets the turn continue without one of them.
 *   turn    R = BLAKE2b-512("turnpost/v1/roll\0" || beta || beta_w of each witness that answered, in the order
 *           of `create`).
 *
 * The deal has a close of its own, for turn 0.
 *
 * The league cannot know beta_w when it closes; a witness cannot know beta. Each answer names the close that
 * the same witness answered before (`last`), so that a league with two histories needs a witness who signs
 * twice. */
#ifndef GAME_WITNESS_H
#define GAME_WITNESS_H

#include <jansson.h>

#include "game/game.h"

#define WITNESS_ASKED 86400 /* seconds after which a witness is asked again */

/* The open turn was closed by this record, which begins at byte `from` of the journal; the next one is open.
 */
void witness_close(struct game *game, const struct record *close, int64_t from);
void witness_open(struct game *game);
/* The input of a witness's VRF for the closed turn: it is over the alpha of its draws. */
void witness_alpha(struct str *out, const struct game *game);
void witness_alpha_of(struct str *out, struct slice over);
/* R of the turn that is closed: the league's beta, and those of the witnesses that answered. */
void witness_root(unsigned char root[64], const struct game *game, const unsigned char beta[VRF_OUTPUT]);
/* May an answer of this witness name this close (hex, "" = none) as the last one answered? It must be the
 * close of its last answer or a later one for which it was excused: its answer may have come
 * too late. */
bool witness_last_fits(const struct game *game, int witness, const char *last);
/* The number (0..) of the witness of that name; -1. */
int witness_of(const struct game *game, const char *player);
/* Is the open turn closed but not played, because a witness has neither answered nor been excused? */
bool witness_missing(const struct game *game, int witness);
bool witness_waits(const struct game *game);
/* When the clock has to look at a closed turn; 1 = at once. */
int64_t witness_due(const struct game *game);
/* [{"name":"carol"}, ...]: all, or those that are awaited. New reference. */
json_t *witness_names(const struct game *game, bool waited);

#endif
