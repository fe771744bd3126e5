/* Games that players make by their texts ("open", "rematch"): who may, and the making. The record that makes the
 * game names the text as its request (src/journal/README.md) and the mail in its nonce, by which both are known
 * when they come again. */
#ifndef PETITIONS_OPENING_H
#define PETITIONS_OPENING_H

#include "batch/making.h"
#include "petitions/petition.h"

/* May this player make a game of that name now? */
enum outcome opening_judge(struct hearing *hearing, const char *name, struct err *err);
/* Makes it; seats that name players are kept for them. `made` is the game in the batch. */
enum outcome opening_make(struct hearing *hearing, struct new_game *how, struct batch_game **made,
                          struct err *err);
/* Refuses with the sentence of an error. */
enum outcome opening_refuse(struct hearing *hearing, const struct err *why);
/* Is there a game of that name, committed or made in this batch? */
bool opening_taken(struct batch *batch, const char *name);
/* Was the game of this first record made by this very text, or mail? Then it is refused as a copy. */
bool opening_obeyed(struct hearing *hearing, const json_t *create);
/* Reads the first record of a game of the batch or the store. New reference, or NULL. */
json_t *opening_create(struct hearing *hearing, const char *name, struct err *err);

#endif
