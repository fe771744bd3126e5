/* Questions about the seats of a game in its current state. */
#ifndef GAME_GAME_SEATS_H
#define GAME_GAME_SEATS_H

#include "game/game.h"

/* Has a person the seat? Robots are not written to, and do not count among the players. */
bool seat_has_person(const struct game *game, int seat);
/* The first other person in the game, for the example of a message; NULL: nobody else plays. */
const char *game_somebody_else(const struct game *game, int seat);
/* Does the word of its player's mail domain count for the seat? It never does for somebody who has a key. */
bool game_takes_mail(const struct game *game, int seat);
/* May a question be opened about what a mail of the seat's player means? They order by mail, and their orders are awaited
 * in the open turn, or some came early and are in; and no other question is open. */
bool seat_may_be_asked(const struct game *game, int seat);
/* Is the seat neglected, so that it is offered to others (play/standby.h)? */
bool seat_vacant(const struct game *game, int seat);
/* When the first open offer ends, 0 = there is none: that is when the clock has to look at the game. */
int64_t offer_due(const struct game *game);
/* Takes a name off the words, in small letters; false when it is too long for a name, or there is none. */
bool name_word(struct slice *rest, char name[PLAYER_NAME]);
/* Takes a seat off the words: its player's name, "P2" or "2", with or without "seat" before it; 0 = none. */
int seat_named(const struct game *game, struct slice *rest);
/* Players that may vote on an extension: those who are neither out of the game nor robots. */
uint32_t game_voters(const struct game *game);
/* With this vote of a seat: the shortest extension that anybody has voted for, 0 = nobody has. */
int64_t game_least_vote(const struct game *game, int seat, int64_t seconds);
/* With this vote of a seat: how many agree, how many are needed, and, when they are enough, the extension
 * that all of them want as a minimum; else 0. */
int64_t game_vote(const struct game *game, int seat, int64_t seconds, int *yes, int *needed);

#endif
