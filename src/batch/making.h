/* Making a game, by the operator's command or by a player's text: what the words for it mean (struct new_game,
 * play/step.h), and the game in the batch. All errors are ERR_INPUT, sentences for whoever wrote the words,
 * unless they are the league's own. */
#ifndef BATCH_MAKING_H
#define BATCH_MAKING_H

#include "batch/batch.h"
#include "league/witnesses.h"

/* Can a new game have this name? */
int making_name(const struct batch *batch, const char *id, struct err *err)
    __attribute__((warn_unused_result));
/* What nobody has to say, once the ruleset is known: its options, the league's usual figures, a nonce. */
void making_begin(const struct batch *batch, struct new_game *how);
/* "solo18" or "coop=1" */
int making_option(struct new_game *how, const char *text, struct err *err)
    __attribute__((warn_unused_result));
/* "signed" or "mail": whether the word of a mail domain counts for players without keys. making_begin has set what the
 * league does; false where it takes no mails, or the word is none. */
bool making_trust(const struct batch *batch, struct new_game *how, struct slice word)
    __attribute__((warn_unused_result));
/* "alice,bob,robot:hal": seats in order. `names` (empty) holds what they point to. */
int making_seats(const char *text, struct new_game *how, struct str *names, struct err *err)
    __attribute__((warn_unused_result));
/* The first seat whose player has no key where the game needs one, or is not registered at all; 0 = none. */
int making_lacks(const struct batch *batch, const struct new_game *how) __attribute__((warn_unused_result));
/* Is this player named for a seat? */
bool making_plays(const struct new_game *how, const char *player);
/* This many more seats, for players who join; then the game must have as many as its ruleset wants. */
int making_free(struct new_game *how, int64_t count, struct err *err) __attribute__((warn_unused_result));
/* Seats are kept for the players until they have signed that they join, at most until then. */
void making_keep(struct new_game *how, int64_t answer_by);
/* Who asked for the game by mail; what they are told of it answers that. All zero: nobody did. */
struct making_asked {
    const char *player;
    const struct message *mail;
};
/* The game is in lockstep by these times (borrowed): none of what else says when turns end. ERR_INPUT: its ruleset
 * cannot be played so. To be called after making_begin. */
int making_lockstep(struct new_game *how, const struct lockstep *lockstep, struct err *err)
    __attribute__((warn_unused_result));
/* One more witness, of those that the league knows. */
int making_witness(struct quorum *quorum, const struct league_witnesses *known, const char *name,
                   struct err *err) __attribute__((warn_unused_result));
/* All of these, "carol,dave"; "none" or "" means nobody. Whoever plays in the game `without`, where it is not NULL, is left out. */
int making_witnesses(const struct batch *batch, struct quorum *quorum, const char *names,
                     const struct new_game *without, struct err *err) __attribute__((warn_unused_result));
/* How many of them have to answer; 0: the usual number. To be called after making_witness. */
int making_quorum(const struct batch *batch, struct quorum *quorum, int need, struct err *err)
    __attribute__((warn_unused_result));
/* Makes the game, as a part of the next commit. */
int making_take(struct batch *batch, const struct new_game *how, const struct making_asked *asked,
                struct batch_game **out, struct err *err) __attribute__((warn_unused_result));

#endif
