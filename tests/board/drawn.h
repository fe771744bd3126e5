/* What holds for every picture: it is well-formed XML of the elements and attributes that our templates use, refers to
 * nothing outside of itself, defines each id once, draws no words as text, and is of bounded size. */
#ifndef TESTS_DRAWN_H
#define TESTS_DRAWN_H

#include <glib.h>
#include <string.h>

#include "suite.h"

#define PICTURE_MOST ((size_t)160 << 10)

static const char *const drawn_elements[] = {
    "svg",    "title",   "desc", "defs", "pattern", "marker",         "rect", "path",
    "circle", "ellipse", "use",  "g",    "view",    "linearGradient", "stop", NULL};
static const char *const drawn_attributes[] = {"xmlns",
                                               "viewBox",
                                               "width",
                                               "height",
                                               "role",
                                               "aria-labelledby",
                                               "aria-hidden",
                                               "id",
                                               "x",
                                               "y",
                                               "x1",
                                               "y1",
                                               "x2",
                                               "y2",
                                               "d",
                                               "cx",
                                               "cy",
                                               "r",
                                               "rx",
                                               "ry",
                                               "href",
                                               "transform",
                                               "fill",
                                               "fill-opacity",
                                               "stroke",
                                               "stroke-width",
                                               "stroke-dasharray",
                                               "stroke-linejoin",
                                               "stroke-linecap",
                                               "patternUnits",
                                               "gradientUnits",
                                               "stop-color",
                                               "marker-end",
                                               "refX",
                                               "refY",
                                               "markerWidth",
                                               "markerHeight",
                                               "orient",
                                               "paint-order",
                                               NULL};

static bool drawn_among(const char *const *list, const char *word)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list;
}

static void drawn_element(GMarkupParseContext *context, const char *name, const char **names,
                          const char **values, void *ids, GError **error)
{
    (void)context;
    (void)error;
    ck_assert_msg(drawn_among(drawn_elements, name), "a picture has <%s>", name);
    for (; *names; names++, values++) {
        ck_assert_msg(drawn_among(drawn_attributes, *names), "a picture has %s=\"%s\"", *names, *values);
        if (strcmp(*names, "href") == 0)
            ck_assert_msg(**values == '#', "a picture refers to %s", *values);
        const char *url = strstr(*values, "url(");
        ck_assert_msg(!url || url[4] == '#', "a picture refers to %s", *values);
        if (strcmp(*names, "id") == 0)
            ck_assert_msg(g_hash_table_add(ids, g_strdup(*values)), "a picture has two ids %s", *values);
    }
}

static void drawn_text(GMarkupParseContext *context, const char *text, gsize len, void *ids, GError **error)
{
    const char *in = g_markup_parse_context_get_element(context);
    (void)ids;
    (void)error;
    for (gsize i = 0; i < len && strcmp(in, "title") != 0 && strcmp(in, "desc") != 0; i++)
        ck_assert_msg(strchr(" \n", text[i]), "a picture has words in <%s>: %.*s", in, (int)len, text);
}

static inline void drawn_check(struct slice svg)
{
    const GMarkupParser parser = {drawn_element, NULL, drawn_text, NULL, NULL};
    GHashTable *ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, ids, NULL);
    GError *why = NULL;
    ck_assert_msg(g_markup_parse_context_parse(context, svg.p, (gssize)svg.len, &why) &&
                      g_markup_parse_context_end_parse(context, &why),
                  "a picture is not well-formed: %s", why ? why->message : "");
    ck_assert_uint_le(svg.len, PICTURE_MOST);
    g_markup_parse_context_free(context);
    g_hash_table_destroy(ids);
}

#endif
