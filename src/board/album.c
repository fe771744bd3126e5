#include "board/album.h"

#include <jansson.h>

#include "board/board.h"
#include "board/element.h"

#define SHORT 40 /* bytes; of an element that is no longer, a reference is not much shorter */

struct sharing {
    json_t *
        places; /* an element, as it is written -> in how many places it is (of its own elements it is one); or, once it is
                     * defined, -1 and less: its number is one less than that without its sign */
    json_t *given; /* what the pictures define themselves */
    json_int_t count;
    struct str defined;
    bool newest; /* its words stand for all */
};

/* ---- what is there more than once ---- */

/* May it stand elsewhere, and a reference here? */
static bool may_be_shared(const struct element *e)
{
    return e->whole.len > SHORT && slice_find(e->open, " id=\"") == (size_t)-1;
}

static json_t *find(json_t *among, const struct element *e)
{
    return json_object_getn(among, e->whole.p, e->whole.len);
}

static void enter(json_t *among, const struct element *e)
{
    json_object_setn_new(among, e->whole.p, e->whole.len, json_integer(1));
}

/* NOLINTNEXTLINE(misc-no-recursion): groups nest a few deep */
static void count_places(struct sharing *sharing, struct slice inside)
{
    struct element e;
    while (element_next(&inside, &e)) {
        json_t *places = find(sharing->places, &e);
        if (places) {
            json_integer_set(places, json_integer_value(places) + 1);
        } else if (e.whole.len > SHORT) {
            enter(sharing->places, &e);
            if (element_is(&e, "g"))
                count_places(sharing, e.inside);
        }
    }
}

static void put_all(struct sharing *sharing, struct str *out, struct slice inside);

/* The element itself, its elements maybe as references. NOLINTNEXTLINE(misc-no-recursion) */
static void put(struct sharing *sharing, struct str *out, const struct element *e, const char *id)
{
    size_t name = 1;
    while (!strchr(" />\n", e->open.p[name]))
        name++;
    str_addslice(out, slice_sub(e->open, 0, name));
    str_adds(out, id);
    if (!element_is(e, "g")) {
        str_addslice(out, slice_sub(e->whole, name, e->whole.len));
        return;
    }
    str_addslice(out, slice_sub(e->open, name, e->open.len));
    put_all(sharing, out, e->inside);
    str_adds(out, e->whole.len > e->open.len ? "</g>" : "");
}

/* Puts a reference to it; the first time it is defined. NOLINTNEXTLINE(misc-no-recursion) */
static void refer(struct sharing *sharing, struct str *out, const struct element *e, json_t *places)
{
    if (json_integer_value(places) > 0) {
        struct str text = STR_INIT, id = STR_INIT;
        json_integer_set(places, -1 - sharing->count);
        str_addf(&id, " id=\"_%lld\"", (long long)sharing->count++);
        put(sharing, &text, e, id.p);
        str_addslice(&sharing->defined, slice_str(&text));
        str_release(&text);
        str_release(&id);
    }
    str_addf(out, "<use href=\"#_%lld\"/>", -1 - (long long)json_integer_value(places));
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void put_all(struct sharing *sharing, struct str *out, struct slice inside)
{
    struct element e, own;
    while (element_next(&inside, &e)) {
        json_t *places = may_be_shared(&e) ? find(sharing->places, &e) : NULL;
        if (element_is(&e, "defs")) {
            while (element_next(&e.inside, &own))
                if (!find(sharing->given, &own)) {
                    enter(sharing->given, &own);
                    str_addslice(&sharing->defined, own.whole);
                }
        } else if (e.open.p[1] == '!' ||
                   (!sharing->newest && (element_is(&e, "title") || element_is(&e, "desc")))) {
            continue;
        } else if (places && json_integer_value(places) != 1) {
            refer(sharing, out, &e, places);
        } else {
            put(sharing, out, &e, "");
        }
    }
}

/* ---- the whole ---- */

int album(struct str *out, const struct album_picture *pictures, size_t count, int height, struct err *err)
{
    struct sharing sharing = {json_object(), json_object(), 0, STR_INIT, false};
    const size_t before = out->len;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        struct element svg;
        if (element_root(pictures[i].svg, &svg))
            count_places(&sharing, svg.inside);
        else
            rc = err_set(err, ERR_CONFIG, "the picture of turn %d is no <svg>, or has no end",
                         pictures[i].turn);
    }
    str_addf(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
             BOARD_WIDTH, height, BOARD_WIDTH, height);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        const int y = (int)(count - 1 - i) * height;
        struct element svg;
        if (!element_root(pictures[i].svg, &svg))
            continue; /* none: it was found above */
        sharing.newest = i + 1 == count;
        str_addf(out, "<view id=\"turn-%d\" viewBox=\"0 %d %d %d\"/>\n<svg y=\"%d\"%s", pictures[i].turn, y,
                 BOARD_WIDTH, height, y, sharing.newest ? "" : " aria-hidden=\"true\"");
        str_addslice(out, slice_sub(svg.open, strlen("<svg"), svg.open.len));
        put_all(&sharing, out, svg.inside);
        if (sharing.newest) /* here definitions inherit what they did */
            str_addf(out, "\n<defs>%s</defs>", sharing.defined.p);
        str_adds(out, "</svg>\n");
    }
    str_adds(out, "</svg>\n");
    if (rc)
        str_cut(out, before);
    json_decref(sharing.places);
    json_decref(sharing.given);
    str_release(&sharing.defined);
    return rc;
}
