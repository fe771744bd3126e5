/* A report that is asked for again: the last one, or that of a turn long played, which is replayed. It is
 * made anew from the game, so nothing of it has to be kept; nothing changes, and no record is made. Used by
 * "#turnpost resend" and by moderators. */
#ifndef PLAY_RESEND_H
#define PLAY_RESEND_H

#include "game/game.h"
#include "play/step.h"

#define RESEND_LAST (-1)

/* Asks for one mail more to `player` (POST_AGAIN): the report of `turn` (0 = the welcome), as his seat was
 * told it, or as observers were. Whose seat it is now does not matter: he gets what he got then. `number`
 * tells the mails of one answer apart. `refusal` is set, and nothing asked for, when he had neither or there
 * is no such report. -1: the league's own error. */
int resend_report(struct step *step, const struct game *game, const char *player, int turn, int number,
                  struct err *refusal, struct err *err) __attribute__((warn_unused_result));

#endif
