/* What is being worked on, in memory that outlives the process (commands/apart.h). If the process dies of a
 * fault, that proves nothing yet: other threads were working too, and other work was not committed. The next
 * process is careful: one piece, one commit, no other threads. The third one leaves out the piece that killed
 * the second. */
#ifndef BATCH_AT_HAND_H
#define BATCH_AT_HAND_H

#include <stdbool.h>

#include "base/str.h"
#include "game/game.h"

enum at_hand_kind { HAND_EMPTY, HAND_MAIL, HAND_GAME };
struct at_hand {
    enum at_hand_kind kind;
    unsigned char digest[32]; /* of a mail */
    char game[GAME_NAME];     /* the game; of a mail, the one it has orders for, "" = none so far */
    char player[PLAYER_NAME]; /* of a mail: whose signature was found valid, "" = nobody's so far */
    int turn;                 /* of the orders */
};
struct at_hands {
    struct at_hand now;
    struct at_hand before; /* of the process that died */
    int signal;            /* signal that killed it; 0 = none */
    bool careful;
    volatile bool clock_kept; /* as the parent, which may ask, sees it (clock_kept) */
    bool mail_off;            /* too many died: no mail is worked on, so that clock and sending go on */
};

/* `hands` may be NULL: not recorded. */
void hand_mail(struct at_hands *hands, struct slice raw);
/* The signature under the current mail is valid; `game` may be "". */
void hand_signed(struct at_hands *hands, const char *player, const char *game, int turn);
void hand_game(struct at_hands *hands, const char *game);
void hand_empty(struct at_hands *hands);
/* A process died by this signal: does it mean a fault, so that another is to be started? */
bool hands_again(struct at_hands *hands, int signal);

#endif
