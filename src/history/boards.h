/* The boards of a game as its turns left them: its files are replayed, and each turn that is wanted is shown to the
 * caller right after it was played, so that what it changed can be marked (board/board.h). Of a turn that was taken
 * back and played again, the play that holds. */
#ifndef HISTORY_BOARDS_H
#define HISTORY_BOARDS_H

#include "board/board.h"
#include "history/casefile.h"

#define BOARDS_LAST (-1)
#define BOARDS_ALL  (-2)

/* What is done with a board; `board` and the game in it are gone afterwards. Not 0 ends the replay. */
struct boards_seen {
    int (*show)(void *arg, const struct board *board, int turn, struct err *err);
    void *arg;
};

/* One turn (0: the deal), BOARDS_LAST or BOARDS_ALL, in the order in which they were played. The file may be at any
 * record. ERR_INPUT: there is no such turn, or what it was played with is still sealed (casefile_choose). */
int boards_show(struct casefile *file, int turn, const struct boards_seen *seen, struct err *err)
    __attribute__((warn_unused_result));

#endif
