/* Standing in: a seat whose player misses turn after turn, or resigned, is offered to others.
 *
 * A seat is vacant when its player has missed game.missed_standby turns in a row and has sent nothing for the
 * open turn, or has resigned (a robot plays it then). It is offered to one person at a time: those who asked
 * to stand in in this game, in order, then those who would in any game. Each has a while to take it ("take");
 * then the next is asked. When nobody is left it is as without offers: the robot plays. Orders of the owner
 * end the vacancy. The owner may take the seat back ("back") until the turn in which it was taken is
 * resolved, once; an owner who resigned may not.
 *
 * Records: `note` "standby" (somebody joins or leaves the game's list), `note` "offer" (`to`, or without it:
 * the offer expired and there is nobody else), `seat` with "why": "standby" or "back". */
#ifndef PLAY_STANDBY_H
#define PLAY_STANDBY_H

#include "league/registry.h"
#include "play/step.h"

/* Makes the offers that are due now. Part of step_finish: so the clock needs to know offer_due, and a
 * crash before an offer only puts it off. Makes none without step->keys.outside. */
int standby_step(struct step *step, struct game *game, struct err *err) __attribute__((warn_unused_result));
/* The open offer of a seat expired while the service stood still: it is extended, once, as if that had
 * happened before; the record is made when there is such an offer. standby_step does it too. */
int standby_spare(struct step *step, struct game *game, int seat, int64_t patience, struct err *err)
    __attribute__((warn_unused_result));
/* Tells whom a moderator has chosen for a seat (its `offered`) that they can take it. */
void standby_chosen(struct step *step, const struct game *game, int seat);
struct sitting {
    int seat;
    const char *player;
    bool back; /* the former owner takes it back; otherwise they stand in */
};
/* Somebody sits down in a seat. The record is made; Takes ownership of `evidence`. The seat is sent its
 * report, the others are told, the player is answered. */
int standby_sit(struct step *step, struct game *game, const struct sitting *sitting, json_t *evidence,
                struct err *err) __attribute__((warn_unused_result));

#endif
