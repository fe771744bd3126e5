/* A report that is requested again: the last one, or that of an earlier turn, which is replayed. It is made
 * again from the game, so nothing has to be kept; nothing changes, and no record is made. Used by
 * "#turnpost resend" and by moderators. */
#ifndef PLAY_RESEND_H
#define PLAY_RESEND_H

#include "game/game.h"
#include "play/step.h"

#define RESEND_LAST (-1)

struct resend {
    const char *player;
    int turn;   /* 0 = the welcome; RESEND_LAST */
    int number; /* distinguishes the mails of one answer */
};
/* Asks for one mail more to that player (POST_AGAIN): the report of that turn, as their seat was told it, or
 * as observers were. Whose seat it is now does not matter: they get what they got then. Refused, with
 * *refusal (base/reason.h), when they had neither or there is no such report. */
enum outcome resend_report(struct step *step, const struct game *game, const struct resend *wish,
                           json_t **refusal, struct err *err) __attribute__((warn_unused_result));

#endif
