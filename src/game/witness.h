/* Witnesses: people outside of the league, each with a host and keys of their own, who cosign the league's log and whose dice are
 * mixed with those of the league, so that nobody can try out a turn before it is closed, not even an operator who plays, and nobody
 * can show two histories to two people while a majority of them is honest.
 *
 * A game's witnesses are named in `create`: name, key of their cosignatures (vkey), key of their dice (vrf), and how many of them have to
 * answer (`quorum`, a majority). Their turns are resolved in two steps, and so is the deal (turn 0):
 *
 *   close   fixes the orders, as always. Its entry in the league's log is shown to the witnesses (tlog/witness.h), and nothing about
 *           the game changes until they have answered: all of them, or the quorum and a day for the others.
 *   witness an answer (a note): the close's entry with its proof, in a checkpoint that the witness has cosigned; and pi, which proves
 *           beta_w = VRF(witness, what the entry says of game, turn and draws).
 *   turn    R = BLAKE2b-512("turnpost/roll\0" || beta || beta_w of each witness that answered, in the order of `create`).
 *
 * The league cannot know beta_w when it closes; a witness cannot know beta, and gives the same beta_w when they are asked again. Nobody
 * excuses a witness: when too few have answered for three days, all are told ("late"), and a majority of the players can end it
 * ("unwitness"): the turn opens again, with other draws, and the game goes on without witnesses, for good. */
#ifndef GAME_WITNESS_H
#define GAME_WITNESS_H

#include <jansson.h>

#include "game/game.h"

#define WITNESS_DAY  ((int64_t)86400)     /* for those who have not answered, when the quorum has */
#define WITNESS_LATE ((int64_t)3 * 86400) /* then all are told that too few have */

/* The open turn was closed by this record, which begins at byte `from` of the journal; the next one is open.
 */
void witness_close(struct game *game, const struct record *close, int64_t from);
void witness_open(struct game *game);
/* From that turn on there are none. */
void witness_give_up(struct game *game, int turn);
/* R of the turn that is closed: the league's beta, and those of the witnesses that answered. */
void witness_root(unsigned char root[64], const struct game *game, const unsigned char beta[VRF_OUTPUT]);
/* The number (0..) of the witness of that name; -1. */
int witness_of(const struct game *game, const char *name);

/* An answer to the close of the open turn: `proof` is an entry of the log and its proof (tlog/proof.h), `dice` the proof of the draws.
 * Fills what is known of a witness who answered, but for struct game_witness.proof. ERR_INPUT: what is wrong with it. */
struct witness_answered {
    unsigned char beta[VRF_OUTPUT];
    int64_t cosigned;
};
int witness_check(const struct game *game, int witness, struct slice proof,
                  const unsigned char dice[VRF_PROOF], struct witness_answered *out, struct err *err)
    __attribute__((warn_unused_result));

/* What this witness's answer to the last close proves, entry LF proof, with the cosignatures of the later ones of the list who have cosigned
 * the same checkpoint. Appends. False: they have not answered it, or it stands with an earlier one. */
bool witness_proof(const struct game *game, int witness, struct str *text);

/* Is the open turn closed, and this one's answer not there? */
bool witness_missing(const struct game *game, int witness);
/* Have fewer answered than have to? */
bool witness_too_few(const struct game *game);
/* Is the open turn closed, and not to be played at that time? */
bool witness_waits(const struct game *game, int64_t time);
/* When the clock has to look at a closed turn: 1 = at once; 0 = never, as all were told. */
int64_t witness_due(const struct game *game);

/* The seats whose players decide whether to go on without witnesses, and how many have to want it. */
uint32_t witness_voters(const struct game *game, int *needed);
/* Would it be decided if this seat wanted it, too? */
bool witness_decides(const struct game *game, int seat);

/* [{"name":"carol"}, ...]: all, or those that are awaited. New reference. */
json_t *witness_names(const struct game *game, bool waited);

#endif
