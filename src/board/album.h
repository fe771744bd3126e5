/* The boards of a game's turns in one file. What several of them have in common, which is most of it, is there once: the
 * file has a fifth of the bytes of its pictures, and less the more there are. Without a fragment it shows the newest,
 * with "#turn-12" that of turn 12; a fragment that it does not have gives the newest, too. */
#ifndef BOARD_ALBUM_H
#define BOARD_ALBUM_H

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct album_picture {
    int turn;
    struct slice svg; /* as board_svg gives it, BOARD_WIDTH wide; borrowed */
};

/* Appends the file. Each picture is shown `height` px high, which is that of the highest of them. The pictures are in the
 * order of their turns, at least one. Ids mean the same in all of them (board/board.h). ERR_CONFIG: what is wrong with
 * a template. */
int album(struct str *out, const struct album_picture *pictures, size_t count, int height, struct err *err)
    __attribute__((warn_unused_result));

#endif
