#include "painter/palette.h"

#include <stdlib.h>

#include "base/mem.h"

#define SLOT_BITS 14
#define SLOTS     ((size_t)1 << SLOT_BITS) /* of the table of colours */
#define FULL      (SLOTS / 4 * 3)
#define LEAST_BIT 4 /* bits of each part that are given up where there are too many colours: then all fit */

/* A colour of the picture. */
struct seen {
    uint32_t colour;
    uint32_t pixels; /* that have it; 0 = a free slot */
    uint32_t far;    /* how unlike it is to the nearest of the palette */
    int place;       /* that one */
};
struct colours {
    struct seen *slot; /* SLOTS of them */
    uint32_t mask;     /* the bits that count */
    size_t count;
};

static uint32_t mask_without(unsigned bits)
{
    uint32_t part = 0xFFU & ~((1U << bits) - 1);
    return part << 16 | part << 8 | part;
}

/* Its slot, or the free one where it would be. */
static struct seen *find(const struct colours *colours, uint32_t colour)
{
    size_t at = (colour * 2654435761U) >> (32 - SLOT_BITS);
    while (colours->slot[at].pixels && colours->slot[at].colour != colour)
        at = (at + 1) % SLOTS;
    return &colours->slot[at];
}

/* The number of pixels from the first on that have one colour: most are like the one before. */
static size_t run_of(const uint32_t *pixels, size_t count, uint32_t mask)
{
    size_t run = 1;
    while (run < count && ((pixels[run] ^ pixels[0]) & mask) == 0)
        run++;
    return run;
}

/* False when there are too many. */
static bool count_all(struct colours *colours, const uint32_t *pixels, size_t count)
{
    for (size_t i = 0, run; i < count; i += run) {
        uint32_t colour = pixels[i] & colours->mask;
        struct seen *seen = find(colours, colour);
        run = run_of(pixels + i, count - i, colours->mask);
        colours->count += seen->pixels == 0;
        if (colours->count > FULL)
            return false;
        *seen = (struct seen){colour, seen->pixels + (uint32_t)run, UINT32_MAX, 0};
    }
    return true;
}

/* The eye is least sure of blue, and surest of green. */
static uint32_t unlike(uint32_t one, uint32_t other)
{
    int32_t red = (int32_t)(one >> 16 & 0xFF) - (int32_t)(other >> 16 & 0xFF);
    int32_t green = (int32_t)(one >> 8 & 0xFF) - (int32_t)(other >> 8 & 0xFF);
    int32_t blue = (int32_t)(one & 0xFF) - (int32_t)(other & 0xFF);
    return (uint32_t)(3 * red * red + 4 * green * green + 2 * blue * blue);
}

/* What is lost by not having it in the palette. */
static uint64_t loss(const struct seen *seen)
{
    return (uint64_t)seen->far * seen->pixels;
}

/* Puts the colour that is missed most into the palette, and finds the one that is missed most then; NULL when
 * all are there. */
static const struct seen *take(struct palette *palette, struct seen *list, size_t count, uint32_t colour)
{
    const struct seen *most = NULL;
    int place = palette->count++;
    palette->colour[place] = colour;
    for (size_t i = 0; i < count; i++) {
        struct seen *seen = &list[i];
        uint32_t far = unlike(seen->colour, colour);
        if (far < seen->far) {
            seen->far = far;
            seen->place = place;
        }
        if (seen->far && (!most || loss(seen) > loss(most)))
            most = seen;
    }
    return most;
}

/* The colours that there are, in the order of their slots. */
static size_t gather(const struct colours *colours, struct seen *list)
{
    size_t count = 0;
    for (size_t i = 0; i < SLOTS; i++)
        if (colours->slot[i].pixels)
            list[count++] = colours->slot[i];
    return count;
}

static void choose(struct palette *palette, struct colours *colours)
{
    struct seen *list = mem_array(colours->count + 1, sizeof *list);
    size_t count = gather(colours, list);
    const struct seen *next = list;
    for (size_t i = 1; i < count; i++)
        if (list[i].pixels > next->pixels)
            next = &list[i];
    if (count)
        do {
            next = take(palette, list, count, next->colour);
        } while (next && palette->count < PALETTE_MOST);
    for (size_t i = 0, n = 0; i < SLOTS && n < count; i++)
        if (colours->slot[i].pixels)
            colours->slot[i].place = list[n++].place;
    free(list);
}

void palette_make(struct palette *palette, const uint32_t *pixels, size_t count, unsigned char *places)
{
    struct colours colours = {.slot = mem_array(SLOTS, sizeof *colours.slot), .mask = mask_without(0)};
    palette->count = 0;
    for (unsigned bits = 1; !count_all(&colours, pixels, count) && bits <= LEAST_BIT; bits++) {
        memset(colours.slot, 0, SLOTS * sizeof *colours.slot);
        colours.count = 0;
        colours.mask = mask_without(bits);
    }
    choose(palette, &colours);
    for (size_t i = 0, run; i < count; i += run) {
        run = run_of(pixels + i, count - i, colours.mask);
        memset(places + i, find(&colours, pixels[i] & colours.mask)->place, run);
    }
    free(colours.slot);
}
