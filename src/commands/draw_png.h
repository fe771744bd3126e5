/* A picture as PNG. librsvg is loaded when it is needed, so that no other command loads it, and what it brings along,
 * with the program. */
#ifndef COMMANDS_DRAW_PNG_H
#define COMMANDS_DRAW_PNG_H

#include "base/err.h"
#include "base/str.h"

/* Appends it, so many pixels wide. The picture must be ours: nothing holds librsvg back here. */
int draw_png(struct slice svg, int width, struct str *png, struct err *err)
    __attribute__((warn_unused_result));

#endif
