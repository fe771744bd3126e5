/* A round's tables, from the order that was drawn and from what was played before. */
#ifndef COMPETE_MEETINGS_H
#define COMPETE_MEETINGS_H

#include "compete/draw.h"

/* `players` (count) in the order that was drawn. */
void meetings_draw(const struct competition *c, int round, const struct entrant *const *players, size_t count,
                   struct drawn *drawn);

#endif
