/* Which turns the reports of a game have told of. A `turn` record names the seats whose reports were made of it
 * ("told"; without it: all), so replay knows from which turn on the next report of a seat has to tell, and what
 * its last one showed. */
#ifndef GAME_TOLD_H
#define GAME_TOLD_H

#include "game/game.h"

/* A seat is told of a turn at the latest when that many have been played since its last report. */
#define TOLD_MOST 24

/* The seats of players: all but the robots'. */
uint32_t told_people(const struct game *game);
/* The seats that a `start` or `turn` record tells of its turn, robots among them. */
uint32_t told_seats(const struct game *game, const json_t *record);
/* Before a turn's result is taken over: keeps what is to be told of the turn before later on. */
void told_keep(struct game *game);
/* After that: the marks of those who are told, and of observers. */
void told_mark(struct game *game, uint32_t told);
/* Before a seat's player changes: events and messages that are told later on name who sat there when they happened
 * ("then": {"2": "bob"}). `name`: who has the seat from now on. */
void told_hands_over(const struct game *game, const struct game_seat *seat, const char *name);
/* Somebody has resigned: news of the open turn for the others, beside what deals have told. */
void told_resigns(struct game *game, int seat);
/* The player of a seat when an event happened. */
const char *told_player(const struct game *game, int seat, const json_t *event);
/* Are these words, to the seat or from it and not for all to read, another player's, who had the seat then? What a seat
 * knows of the game goes with it, letters do not. */
bool told_hides(const struct game *game, int seat, const json_t *words);
/* Somebody sits down, and is shown the table; or a report was made again. */
void told_sits(const struct game *game, struct game_seat *seat);
void told_again(const struct game *game, struct game_seat *seat);

/* The turns from that one on that have been played, oldest first: [{"turn","events","press","vouched"}],
 * the last three as in struct game_press and game_told. New reference. */
json_t *told_since(const struct game *game, int turn);
#endif
