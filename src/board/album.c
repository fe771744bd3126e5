#include "board/album.h"

#include <jansson.h>

#include "board/board.h"

#define SHORT 40 /* bytes; of an element that is no longer, a reference is not much shorter */

struct element {
    struct slice whole, open, inside; /* "<g fill="red">...</g>", "<g fill="red">", "..." */
};

struct sharing {
    json_t
        *times; /* an element, as it is written -> in how many places it is; of its own elements it is one */
    json_t *known; /* what is defined -> the number that it has here */
    struct str defined;
    bool newest; /* its words stand for all */
};

/* ---- reading ---- */

/* "<g fill="red">", "</g>", "<!-- ... -->" */
static bool next_tag(struct slice *rest, struct slice *tag)
{
    size_t at = slice_find(*rest, "<"), end = 0;
    char quote = '\0';
    *rest = slice_sub(*rest, at, rest->len);
    if (slice_starts(*rest, "<!--"))
        end = slice_find(*rest, "-->");
    for (; end < rest->len && (quote || rest->p[end] != '>'); end++)
        if (quote ? rest->p[end] == quote : rest->p[end] == '"' || rest->p[end] == '\'')
            quote = quote ? '\0' : rest->p[end];
    if (end >= rest->len)
        return false;
    *tag = slice_sub(*rest, 0, end + 1);
    *rest = slice_sub(*rest, end + 1, rest->len);
    return true;
}

/* Cuts the next element off, with all that is in it; false after the last one, and when it has no end. */
static bool next_element(struct slice *rest, struct element *e)
{
    struct slice tag;
    int depth = 0;
    if (!next_tag(rest, &e->open))
        return false;
    e->inside = (struct slice){rest->p, 0};
    tag = e->open;
    do {
        if (slice_starts(tag, "</"))
            depth--;
        else if (!strchr("!?", tag.p[1]) && tag.p[tag.len - 2] != '/')
            depth++;
        e->inside.len = tag.p > e->inside.p ? (size_t)(tag.p - e->inside.p) : 0;
    } while (depth > 0 && next_tag(rest, &tag));
    e->whole = (struct slice){e->open.p, (size_t)(rest->p - e->open.p)};
    return depth == 0;
}

static bool is(const struct element *e, const char *name)
{
    struct slice after = slice_sub(e->open, 1 + strlen(name), 1);
    return slice_starts(slice_sub(e->open, 1, e->open.len), name) && after.len && strchr(" />\n", *after.p);
}

/* The picture itself, behind what may stand before it. */
static bool root_of(struct slice svg, struct element *root)
{
    while (next_element(&svg, root))
        if (is(root, "svg"))
            return true;
    return false;
}

/* ---- what is there more than once ---- */

/* May it stand elsewhere, and a reference here? */
static bool may_be_shared(const struct element *e)
{
    return e->whole.len > SHORT && slice_find(e->open, " id=\"") == (size_t)-1;
}

/* NOLINTNEXTLINE(misc-no-recursion): groups nest a few deep */
static void count_times(struct sharing *sharing, struct slice inside)
{
    struct element e;
    while (next_element(&inside, &e)) {
        json_int_t times = json_integer_value(json_object_getn(sharing->times, e.whole.p, e.whole.len));
        json_object_setn_new(sharing->times, e.whole.p, e.whole.len, json_integer(times + 1));
        if (times == 0 && is(&e, "g"))
            count_times(sharing, e.inside);
    }
}

/* Is it defined already? If not it is now, and the caller writes it. */
static bool is_known(struct sharing *sharing, const struct element *e, json_int_t *number)
{
    const json_t *known = json_object_getn(sharing->known, e->whole.p, e->whole.len);
    *number = known ? json_integer_value(known) : (json_int_t)json_object_size(sharing->known);
    if (!known)
        json_object_setn_new(sharing->known, e->whole.p, e->whole.len, json_integer(*number));
    return known != NULL;
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
    if (!is(e, "g")) {
        str_addslice(out, slice_sub(e->whole, name, e->whole.len));
        return;
    }
    str_addslice(out, slice_sub(e->open, name, e->open.len));
    put_all(sharing, out, e->inside);
    str_adds(out, e->whole.len > e->open.len ? "</g>" : "");
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void put_all(struct sharing *sharing, struct str *out, struct slice inside)
{
    struct element e, own;
    json_int_t number;
    while (next_element(&inside, &e)) {
        if (is(&e, "defs")) {
            while (next_element(&e.inside, &own))
                if (!is_known(sharing, &own, &number))
                    str_addslice(&sharing->defined, own.whole);
        } else if (e.open.p[1] == '!' || (!sharing->newest && (is(&e, "title") || is(&e, "desc")))) {
            continue;
        } else if (!may_be_shared(&e) ||
                   json_integer_value(json_object_getn(sharing->times, e.whole.p, e.whole.len)) < 2) {
            put(sharing, out, &e, "");
        } else {
            if (!is_known(sharing, &e, &number)) {
                struct str text = STR_INIT, id = STR_INIT;
                str_addf(&id, " id=\"_%lld\"", (long long)number);
                put(sharing, &text, &e, id.p);
                str_addslice(&sharing->defined, slice_str(&text));
                str_release(&text);
                str_release(&id);
            }
            str_addf(out, "<use href=\"#_%lld\"/>", (long long)number);
        }
    }
}

/* ---- the whole ---- */

int album(struct str *out, const struct album_picture *pictures, size_t count, int height, struct err *err)
{
    struct sharing sharing = {json_object(), json_object(), STR_INIT, false};
    const size_t before = out->len;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        struct element svg;
        if (root_of(pictures[i].svg, &svg))
            count_times(&sharing, svg.inside);
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
        if (!root_of(pictures[i].svg, &svg))
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
    json_decref(sharing.times);
    json_decref(sharing.known);
    str_release(&sharing.defined);
    return rc;
}
