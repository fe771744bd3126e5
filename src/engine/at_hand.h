/* What is being worked on, in memory that outlives the process (commands/apart.h): when it is ended by a
 * fault of its own, the next one knows the mail or the game that it must leave out. */
#ifndef ENGINE_AT_HAND_H
#define ENGINE_AT_HAND_H

#include <stdbool.h>

#include "base/str.h"
#include "engine/game.h"

enum at_hand_kind { HAND_EMPTY, HAND_MAIL, HAND_GAME };
struct at_hand {
    enum at_hand_kind kind;
    unsigned char digest[32]; /* of a mail */
    char game[GAME_NAME];
};
enum at_hand_thread { HAND_WORK, HAND_AHEAD, HANDS }; /* work, and reading ahead of it */
struct at_hands {
    struct at_hand now[HANDS];
    struct at_hand before[HANDS]; /* of the process that was ended */
    int signal;                   /* by this one; 0 = by none */
    bool careful; /* nothing was at hand when it was ended: one piece, one commit, until it is found */
};

/* `hands` may be NULL: nobody looks. */
void hand_mail(struct at_hands *hands, enum at_hand_thread thread, struct slice raw);
void hand_game(struct at_hands *hands, const char *game);
void hand_empty(struct at_hands *hands, enum at_hand_thread thread);
/* After the process has been ended by this signal: is it one of a fault, so that another may begin with what
 * was at hand in `before`? Not when nothing was although it was careful. */
bool hands_suspect(struct at_hands *hands, int signal);

#endif
