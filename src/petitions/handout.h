/* Files of a game that is over, which a player asks for by mail: a few megabytes a player and day. */
#ifndef PETITIONS_HANDOUT_H
#define PETITIONS_HANDOUT_H

#include "petitions/petition.h"
#include "publish/publish.h"

/* Fills a zeroed bundle with what is published of the hearing's game; refuses while the game is played. */
enum outcome handout_bundle(struct hearing *hearing, struct bundle *bundle, struct err *err);
/* Charges the player with so many bytes; refuses what is too much for today, or for any day. */
enum outcome handout_charge(struct hearing *hearing, size_t size, struct err *err);
/* The answer of that name, with these files (new reference, taken over). */
void handout_answer(struct hearing *hearing, const char *answer, json_t *attach);

#endif
