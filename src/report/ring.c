#include "report/ring.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define CELL_LEAST 11 /* columns of a place */
#define CELL_MOST  20
#define LEAD       2 /* columns of the circle in front of a name */

bool ring_line(struct slice line)
{
    return slice_starts(line, "o\t") || slice_starts(line, "*\t");
}

void ring_add(struct ring *ring, struct slice line)
{
    struct slice cells = slice_sub(line, 2, line.len);
    if (line.p[0] == '*') {
        ring->middle = cells;
        return;
    }
    ring->place = mem_grow(ring->place, ring->count, &ring->cap, sizeof *ring->place);
    ring->place[ring->count++] = cells;
}

void ring_release(struct ring *ring)
{
    free(ring->place);
}

/* Cell `index` of a line; empty when it has none. */
static struct slice cell_of(struct slice cells, size_t index)
{
    for (;;) {
        const char *tab = cells.len ? memchr(cells.p, '\t', cells.len) : NULL;
        size_t len = tab ? (size_t)(tab - cells.p) : cells.len;
        if (index-- == 0)
            return slice_trim(slice_sub(cells, 0, len));
        if (!tab)
            return (struct slice){NULL, 0};
        cells = slice_sub(cells, len + 1, cells.len);
    }
}

static size_t cell_count(struct slice cells)
{
    size_t count = 1;
    for (size_t i = 0; i < cells.len; i++)
        count += cells.p[i] == '\t';
    return count;
}

/* ---- lines ---- */

struct line {
    struct str *out;
    size_t at; /* columns that it has */
};

static void fill_to(struct line *line, size_t column, char fill)
{
    for (; line->at < column; line->at++)
        str_addc(line->out, fill);
}

/* As much of it as fits. */
static void add_cut(struct line *line, struct slice text, size_t most)
{
    size_t end = 0, columns = 0, len;
    while (end < text.len) {
        (void)utf8_next(slice_sub(text, end, text.len), &len);
        columns += utf8_width(slice_sub(text, end, len));
        if (columns > most)
            break;
        end += len;
    }
    text = slice_trim(slice_sub(text, 0, end));
    str_addslice(line->out, text);
    line->at += utf8_width(text);
}

/* ---- the drawing ---- */

struct drawing {
    struct str *out;
    const struct ring *ring;
    size_t cell;  /* columns of a place */
    size_t total; /* between the left and the right edge */
};

/* The places of one side, from left to right. */
struct side {
    size_t first, count;
    bool back; /* from the last to the first */
};

static struct slice place_at(const struct drawing *d, struct side side, size_t index)
{
    return d->ring->place[side.first + (side.back ? side.count - 1 - index : index)];
}

static void draw_edge(const struct drawing *d, struct side side, char corner)
{
    struct line line = {d->out, 0};
    fill_to(&line, 1, corner);
    for (size_t i = 0; i < side.count; i++) {
        fill_to(&line, 1 + i * d->cell + LEAD, '-');
        fill_to(&line, line.at + 1, ' ');
        add_cut(&line, cell_of(place_at(d, side, i), 0), d->cell - LEAD - 2);
        fill_to(&line, line.at + 1, ' ');
    }
    fill_to(&line, 1 + d->total, '-');
    fill_to(&line, 2 + d->total, corner);
    str_addc(d->out, '\n');
}

/* What is at the places of a side, between edges or not. */
static void draw_texts(const struct drawing *d, struct side side, bool inside)
{
    size_t lines = 1;
    for (size_t i = 0; i < side.count; i++)
        if (cell_count(place_at(d, side, i)) > lines)
            lines = cell_count(place_at(d, side, i));
    for (size_t row = 1; row < lines; row++) {
        struct line line = {d->out, 0};
        fill_to(&line, inside ? 1 : 0, '|');
        for (size_t i = 0; i < side.count; i++) {
            struct slice text = cell_of(place_at(d, side, i), row);
            if (!text.len)
                continue;
            fill_to(&line, 2 + i * d->cell + LEAD, ' ');
            add_cut(&line, text, d->cell - LEAD - 2);
        }
        fill_to(&line, inside ? 1 + d->total : 0, ' ');
        fill_to(&line, inside ? 2 + d->total : 0, '|');
        str_addc(d->out, '\n');
    }
}

static void draw_middle_line(const struct drawing *d, struct slice text)
{
    struct line line = {d->out, 0};
    size_t width = utf8_width(text) < d->total ? utf8_width(text) : d->total;
    fill_to(&line, 1, '|');
    fill_to(&line, 1 + (d->total - width) / 2, ' ');
    add_cut(&line, text, d->total);
    fill_to(&line, 1 + d->total, ' ');
    fill_to(&line, 2 + d->total, '|');
    str_addc(d->out, '\n');
}

static void draw_middle(const struct drawing *d)
{
    draw_middle_line(d, (struct slice){NULL, 0});
    if (!d->ring->middle.p)
        return;
    for (size_t i = 0; i < cell_count(d->ring->middle); i++)
        draw_middle_line(d, cell_of(d->ring->middle, i));
    draw_middle_line(d, (struct slice){NULL, 0});
}

/* Where nothing can be drawn. */
static void list_place(struct str *out, struct slice cells)
{
    for (size_t i = 0; i < cell_count(cells); i++) {
        struct slice text = cell_of(cells, i);
        str_adds(out, i && text.len ? ", " : "");
        str_addslice(out, text);
    }
    str_addc(out, '\n');
}

static void list_places(struct str *out, const struct ring *ring)
{
    for (size_t i = 0; i < ring->count; i++)
        list_place(out, ring->place[i]);
    if (ring->middle.p)
        list_place(out, ring->middle);
}

void ring_end(struct str *out, struct ring *ring, size_t width)
{
    size_t top = (ring->count + 1) / 2;
    size_t cell = top ? (width - 2) / top : 0;
    if (cell > CELL_MOST)
        cell = CELL_MOST;
    const struct drawing drawing = {out, ring, cell, cell * top};
    struct side above = {0, top, false}, below = {top, ring->count - top, true};
    if (ring->count < 3 || cell < CELL_LEAST) {
        list_places(out, ring);
    } else {
        draw_edge(&drawing, above, '.');
        draw_texts(&drawing, above, true);
        draw_middle(&drawing);
        draw_edge(&drawing, below, '\'');
        draw_texts(&drawing, below, false);
    }
    ring->count = 0;
    ring->middle = (struct slice){NULL, 0};
}
