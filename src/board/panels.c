#include "board/panels.h"

#include <string.h>

#include "board/element.h"

#define TIMES_MOST  40
#define NUMBER_MOST 100000
#define GROUND      " height=\"all\""

struct room {
    int64_t wide, high;
};
struct spot {
    int64_t x, y;
};

/* What a group says. */
struct panel {
    enum { OVER, DOWN, ACROSS, ROWS, SPOTS } lay;
    int64_t halves;       /* of an ACROSS row that are left of where the group begins: 0 to 2 */
    int64_t in_row, step; /* of ROWS */
    struct slice spots;   /* "20 92 360 92" */
    struct slice times;   /* "2 5"; empty: each group once */
    int64_t wide, high;   /* -1: what is in it */
    int64_t after;
    struct str svg; /* its other attributes, each after a blank */
};

/* ---- reading ---- */

static bool read_number(struct slice *words, int64_t *number)
{
    struct slice word;
    return slice_word(words, &word) && slice_number(&word, number) && !word.len && *number <= NUMBER_MOST;
}

static bool read_lay(struct slice words, struct panel *panel)
{
    struct slice lay;
    if (!slice_word(&words, &lay))
        return false;
    words = slice_trim(words);
    if (slice_eq(lay, "spots")) {
        panel->lay = SPOTS;
        panel->spots = words;
        return true;
    }
    if (slice_eq(lay, "across")) {
        panel->lay = ACROSS;
        panel->halves = slice_eq(words, "end") ? 2 : slice_eq(words, "middle");
        return panel->halves || !words.len;
    }
    if (slice_eq(lay, "rows")) {
        panel->lay = ROWS;
        return read_number(&words, &panel->in_row) && panel->in_row > 0 &&
               read_number(&words, &panel->step) && !words.len;
    }
    panel->lay = DOWN;
    return slice_eq(lay, "down") && !words.len;
}

static bool read_attribute(struct slice name, struct slice value, struct panel *panel)
{
    int64_t *number = slice_eq(name, "data-wide")    ? &panel->wide
                      : slice_eq(name, "data-high")  ? &panel->high
                      : slice_eq(name, "data-after") ? &panel->after
                                                     : NULL;
    if (number)
        return read_number(&value, number) && !value.len;
    if (slice_eq(name, "data-lay"))
        return read_lay(value, panel);
    if (slice_eq(name, "data-times")) {
        panel->times = slice_trim(value);
        return panel->times.len > 0;
    }
    str_addf(&panel->svg, " %.*s=\"%.*s\"", (int)name.len, name.p, (int)value.len, value.p);
    return !slice_starts(name, "data-");
}

/* The caller releases panel->svg. */
static bool read_panel(const struct element *group, struct panel *panel)
{
    struct slice rest = slice_sub(group->open, 1, group->open.len - 2), tag, name, value;
    *panel = (struct panel){.wide = -1, .high = -1, .svg = STR_INIT};
    (void)slice_word(&rest, &tag);
    while (element_attribute(&rest, &name, &value))
        if (!read_attribute(name, value, panel))
            return false;
    return !rest.len || slice_eq(rest, "/");
}

/* ---- placing ---- */

static int refuse(const struct element *group, struct err *err)
{
    return err_set(err, ERR_CONFIG, "a picture's %.*s: it does not say where its groups stand",
                   (int)(group->open.len < 100 ? group->open.len : 100), group->open.p);
}

/* Its groups as often as they are to be drawn. */
static bool repeat(struct str *out, struct slice inside, struct slice times)
{
    struct element one, other;
    int64_t first = 0, all = 0;
    if (!read_number(&times, &first) || !element_next(&inside, &one))
        return false;
    all = first;
    if (times.len && (!read_number(&times, &all) || times.len || !element_next(&inside, &other)))
        return false;
    for (int64_t i = 0; i < all && i < TIMES_MOST; i++)
        str_addslice(out, i < first ? one.whole : other.whole);
    return true;
}

static int place(struct str *out, const struct element *group, struct spot at, struct room *room,
                 struct err *err);

/* What is in it, from x on, and the room that it takes. NOLINTNEXTLINE(misc-no-recursion) */
static int place_inside(struct str *out, struct slice inside, const struct panel *panel, int64_t x,
                        struct room *room, struct err *err)
{
    struct slice spots = panel->spots;
    struct spot at = {x, 0};
    struct element e;
    int64_t count = 0;
    *room = (struct room){0, 0};
    while (element_next(&inside, &e)) {
        struct room taken = {0, 0};
        if (!element_is(&e, "g")) {
            str_addslice(out, e.whole);
            str_addc(out, '\n');
            continue;
        }
        if (panel->lay == SPOTS && !(read_number(&spots, &at.x) && read_number(&spots, &at.y)))
            return refuse(&e, err);
        if (place(out, &e, at, &taken, err))
            return -1;
        if (room->wide < at.x - x + taken.wide)
            room->wide = at.x - x + taken.wide;
        if (room->high < at.y + taken.high)
            room->high = at.y + taken.high;
        if (panel->lay == DOWN)
            at.y += taken.high;
        else if (panel->lay == ACROSS)
            at.x += taken.wide;
        else if (panel->lay == ROWS)
            at = ++count % panel->in_row ? (struct spot){at.x + panel->step, at.y}
                                         : (struct spot){x, room->high};
    }
    return 0;
}

/* What is in it as often as it says, and where. NOLINTNEXTLINE(misc-no-recursion) */
static int place_all(struct str *out, const struct element *group, const struct panel *panel,
                     struct room *room, struct err *err)
{
    struct str repeated = STR_INIT;
    const size_t before = out->len;
    if (panel->times.len && !repeat(&repeated, group->inside, panel->times)) {
        str_release(&repeated);
        return refuse(group, err);
    }
    const struct slice inside = panel->times.len ? slice_str(&repeated) : group->inside;
    int rc = place_inside(out, inside, panel, 0, room, err);
    if (rc == 0 && panel->halves) {
        str_cut(out, before);
        rc = place_inside(out, inside, panel, -room->wide * panel->halves / 2, room, err);
    }
    if (rc == 0 && room->high)
        room->high += panel->after;
    str_release(&repeated);
    return rc;
}

/* NOLINTNEXTLINE(misc-no-recursion): groups nest a few deep */
static int place(struct str *out, const struct element *group, struct spot at, struct room *room,
                 struct err *err)
{
    struct panel panel;
    struct str inside = STR_INIT;
    int rc = read_panel(group, &panel) ? place_all(&inside, group, &panel, room, err) : refuse(group, err);
    if (panel.wide >= 0)
        room->wide = panel.wide;
    if (panel.high >= 0)
        room->high = panel.high;
    const bool moved = at.x || at.y;
    if (inside.len) {
        if (moved)
            str_addf(out, "<g transform=\"translate(%lld %lld)\">", (long long)at.x, (long long)at.y);
        if (panel.svg.len)
            str_addf(out, "<g%s>", panel.svg.p);
        str_addslice(out, slice_str(&inside));
        str_adds(out, moved && panel.svg.len ? "</g></g>\n" : moved || panel.svg.len ? "</g>\n" : "");
    }
    str_release(&panel.svg);
    str_release(&inside);
    return rc;
}

int panels(struct str *out, struct slice svg, int units, int pixels, struct err *err)
{
    struct element root;
    struct panel panel;
    struct room room = {0, 0};
    struct str inside = STR_INIT;
    if (!element_root(svg, &root))
        return err_set(err, ERR_CONFIG, "a picture is no <svg>, or has no </svg>");
    int rc = read_panel(&root, &panel) ? place_all(&inside, &root, &panel, &room, err) : refuse(&root, err);
    if (rc == 0) {
        const struct slice all = slice_str(&inside);
        const long long high = room.high;
        const size_t ground = slice_find(all, GROUND);
        str_addf(out, "<svg viewBox=\"0 0 %d %lld\" width=\"%d\" height=\"%lld\"%s>\n", units, high, pixels,
                 high * pixels / units, panel.svg.p);
        str_addslice(out, slice_sub(all, 0, ground));
        if (ground != (size_t)-1) {
            str_addf(out, " height=\"%lld\"", high);
            str_addslice(out, slice_sub(all, ground + strlen(GROUND), all.len));
        }
        str_adds(out, "</svg>\n");
    }
    str_release(&panel.svg);
    str_release(&inside);
    return rc;
}
