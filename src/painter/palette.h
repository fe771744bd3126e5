/* The colours of a picture, brought down to those of a palette. For drawings with flat areas and smooth edges: the areas
 * keep their colours, and of the shades between them those that matter are kept. */
#ifndef PAINTER_PALETTE_H
#define PAINTER_PALETTE_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#define PALETTE_MOST \
    20 /* boards have a dozen colours; more shades between them make larger files, and no better ones */

struct palette {
    uint32_t colour[PALETTE_MOST]; /* 0xRRGGBB */
    int count;                     /* at least 1 for a picture that is not empty */
};

/* Fills the palette, and `places` with that of each pixel in it. The highest eight bits of a pixel mean nothing. The
 * same pixels give the same palette. */
void palette_make(struct palette *palette, const uint32_t *pixels, size_t count, unsigned char *places);

#endif
