/* Mustache templates (mustache.github.io/mustache.5.html; the public specification's modules interpolation,
 * sections, inverted, comments, partials, delimiters) over values (base/value.h).
 *
 * A template is compiled once and rendered many times. {{name}} inserts a value made safe for display
 * (utf8_safe): in text templates as one line (LF and TAB become a space; pass a list for a text of several
 * lines), in HTML templates with its LFs and with & < > " ' ` escaped. {{{name}}} and {{&name}} insert the
 * bytes as they are. Numbers print as integers or as the shortest real that reads back the same; true and
 * false as these words; missing names, null and lists as nothing. An object whose only member is an object is
 * written by the partial of that member's name, which sees nothing else: {"duration": {"days": 3}} by duration;
 * so facts can hold what has words in a template wherever they can hold a text. Other objects print as nothing.
 * {{>.name}}, which the specification does not have, is a partial that sees the innermost context and nothing around it: so nothing
 * that a mail's facts hold can pass for a kind of what is told in them, or for a parameter that it lacks. Falsy for sections: false, null,
 * the empty list, a missing name; 0 and the empty text are truthy. Lambdas, inheritance and dynamic names are
 * not part of it. Rendering is pure. Depth of sections in a template (32) and of partials (32) is bounded,
 * output by `max` (struct mustache_data), and work by 100,000 steps and 16 for each byte of it. */
#ifndef REPORT_MUSTACHE_H
#define REPORT_MUSTACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "base/value.h"

enum mustache_escape { MUSTACHE_TEXT, MUSTACHE_HTML };

struct mustache; /* a compiled template */

/* Compiles; the error (ERR_INPUT) names `name` and the line: tags or sections that are not closed, closed in
 * the wrong order or nested too deep, tags without a name or with spaces in it, NUL bytes. The template keeps
 * a copy of what it needs. */
int mustache_compile(const char *name, struct slice source, enum mustache_escape escape,
                     struct mustache **out, struct err *err) __attribute__((warn_unused_result));
void mustache_free(struct mustache *template);

/* Finds a partial by name; NULL when there is none (rendered as nothing, as the specification says). The
 * returned template is borrowed and must live until rendering ends. */
struct mustache_partials {
    const struct mustache *(*find)(void *arg, const struct value_name *name);
    void *arg;
};

/* What a template is rendered with; all borrowed. */
struct mustache_data {
    const struct value *value;                /* the root context, usually an object; NULL for none */
    const struct mustache_partials *partials; /* or NULL */
    size_t max;                               /* bytes of output */
};
/* Appends to `out`. ERR_INPUT when deeper, longer or more work than the limits; `out` is then as it was. */
int mustache_render(const struct mustache *template, const struct mustache_data *data, struct str *out,
                    struct err *err) __attribute__((warn_unused_result));

/* The same, but exceeding the limits is no error: `out` gets what fits, up to a line's
 * end, and *cut is true. */
int mustache_render_some(const struct mustache *template, const struct mustache_data *data, struct str *out,
                         bool *cut, struct err *err) __attribute__((warn_unused_result));

#endif
