/* A game's witnesses: people outside of the league, each with a host and keys of their own, who cosign the league's log and whose dice are
 * mixed with those of the league, so that nobody can try out a turn before it is closed, not even an operator who plays, and nobody
 * can show two histories to two people while a majority of them is honest.
 *
 * They are named in `create`, with their keys and how many of them have to answer (game/quorum.h). Turns are resolved in two steps then, and
 * so is the deal (turn 0):
 *
 *   close   fixes the orders, as always. Its entry in the league's log is shown to the witnesses (tlog/witness.h), and nothing about
 *           the game changes until they have answered: all of them, or the quorum and a day for the others.
 *   witness an answer (a note).
 *   turn    with draws that follow from the league's proof and from the answers.
 *
 * The league cannot know their dice when it closes; a witness cannot know the league's, and gives the same when they are asked again. Nobody
 * excuses a witness: when too few have answered for three days, all are told ("late"), and a majority of the players can end it
 * ("unwitness"): the turn opens again, with other draws, and the game goes on without witnesses, for good. */
#ifndef GAME_WITNESS_H
#define GAME_WITNESS_H

#include "game/game.h"

/* The open turn was closed by this record, which begins at byte `from` of the journal; the next one is open.
 */
void witness_close(struct game *game, const struct record *close, int64_t from);
void witness_open(struct game *game);
/* From that turn on there are none. */
void witness_give_up(struct game *game, int turn);
/* The entry that the close of the open turn has in the log, or an earlier time. */
void witness_entry(struct log_entry *entry, const struct game *game);
/* R of the turn that is closed: the league's beta, and those of the witnesses that answered. */
void witness_root(unsigned char root[64], const struct game *game, const unsigned char beta[VRF_OUTPUT]);

/* Is the open turn closed, and this one's answer not there? */
bool witness_missing(const struct game *game, int witness);
/* Is it closed, and have fewer answered than have to? */
bool witness_too_few(const struct game *game);
/* Is it closed, and not to be played at that time? */
bool witness_waits(const struct game *game, int64_t time);

/* The seats whose players decide whether to go on without witnesses, and how many have to want it. */
uint32_t witness_voters(const struct game *game, int *needed);
/* Would it be decided if this seat wanted it, too? */
bool witness_decides(const struct game *game, int seat);

#endif
