/* What is being worked on, in memory that outlives the process (commands/apart.h). When it is ended by a
 * fault of its own, that proves nothing yet: other threads were at work, too, and others' work was not
 * committed. The next one is careful: one piece, one commit, no other threads. What ends that one is left out
 * by the third. */
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
    char player[PLAYER_NAME]; /* of a mail: whose signature was found good, "" = nobody's so far */
    int turn;                 /* of the orders */
};
struct at_hands {
    struct at_hand now;
    struct at_hand before; /* of the process that was ended */
    int signal;            /* by this one; 0 = by none */
    bool careful;
    bool mail_off; /* too many were ended: none of the mails is worked on, so that clock and sending are */
};

/* `hands` may be NULL: nobody looks. */
void hand_mail(struct at_hands *hands, struct slice raw);
/* The signature under the mail at hand is good; `game` may be "". */
void hand_signed(struct at_hands *hands, const char *player, const char *game, int turn);
void hand_game(struct at_hands *hands, const char *game);
void hand_empty(struct at_hands *hands);
/* A process was ended by this signal: is it one of a fault, so that another is to begin? */
bool hands_again(struct at_hands *hands, int signal);

#endif
