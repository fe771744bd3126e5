/* A report that is asked for again: the last one, or that of a turn long played, which is replayed. It is
 * made anew from the game, so nothing of it has to be kept; nothing changes, and no record is made. Used by
 * "#turnpost resend" and by moderators. */
#ifndef PLAY_RESEND_H
#define PLAY_RESEND_H

#include "game/game.h"
#include "play/step.h"

#define RESEND_LAST (-1)

struct resend {
    const char *player;
    int turn;   /* 0 = the welcome; RESEND_LAST */
    int number; /* tells the mails of one answer apart */
};
/* Asks for one mail more to that player (POST_AGAIN): the report of that turn, as their seat was told it, or
 * as observers were. Whose seat it is now does not matter: they get what they got then. Refused, with
 * *refusal (base/reason.h), when they had neither or there is no such report. */
enum outcome resend_report(struct step *step, const struct game *game, const struct resend *wish,
                           json_t **refusal, struct err *err) __attribute__((warn_unused_result));

#endif
