/* Who gets which seat of a game before it begins (src/journal/README.md, "Seats").
 *
 * The table in `create` says of each seat who may have it. Players who join by a text that names no seat only
 * hold one (game_seat.drawn); `start` draws which of the held seats each of them gets, so that neither
 * the order in which they came nor the operator can influence it. */
#ifndef GAME_SEATING_H
#define GAME_SEATING_H

#include "chance/draw.h"
#include "game/game.h"

/* The seat that a line "seat:" names: "2", "P2", "02"; 0 = none. */
int seating_named(struct slice value);
/* Does `create` keep the seat for this player, and for nobody else? */
bool seating_kept(const struct game *game, int seat, const char *player);
/* The player for whom it keeps it, "" = none; and the seats that are kept for players who have not joined
 * yet. */
const char *seating_keeps(const struct game *game, int seat);
uint32_t seating_unanswered(const struct game *game);
/* Their names, "bob, carol", without that player's. */
void seating_awaited(struct str *names, const struct game *game, const char *but);
/* The seat that is kept for the player, 0 = none. */
int seating_kept_seat(const struct game *game, const char *player);
/* A seat that the operator fills and that is not filled yet: their records follow `create` at once. 0 = none.
 */
int seating_next(const struct game *game);
/* The entry of the table for a seat that the operator fills, or keeps for a player. */
void seating_entry(char entry[GAME_TABLE], const char *name, bool robot, bool kept);
/* The seat that a player who may join gets: `asked` is the one that the text names, 0 = none. *drawn: it is
 * only held. 0: the player cannot have it, or all are taken. */
int seating_place(const struct game *game, const char *player, int asked, bool *drawn);
/* Is there a seat that the player may have? Else whoever joins is on the waiting list. */
bool seating_has_room(const struct game *game, const char *player);
/* The seat's player has left: if the operator had filled it, it is open from now on. */
void seating_left(struct game *game, int seat);
/* Moves the player who holds the seat, because a text names it. False: there is no other seat. */
bool seating_yield(struct game *game, int seat);

/* The marks of turn 0, with those of the held seats in their order. */
void seating_marks(const struct game *game, unsigned char marks[SEATS_MAX + 1][SEAL_BYTES]);
/* Draws the held seats: from[seat] is the one whose player gets it (itself where nothing is drawn). */
void seating_draw(const struct game *game, struct chance *chance, int from[SEATS_MAX + 1]);
void seating_take(struct game *game, const int from[SEATS_MAX + 1]);
/* [{"seat","player"}], as `start` names it; NULL when no seat is held. New reference. */
json_t *seating_json(const struct game *game, const int from[SEATS_MAX + 1]);

#endif
