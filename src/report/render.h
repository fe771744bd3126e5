/* Templates by name: the built-in ones, or a league's own in <league>/templates/, compiled once.
 *
 * A template "receipt.txt" is looked for in templates/<folder>/ of the game and then in templates/common/; so
 * are its partials ({{>board}} inside a .txt template is board.txt). A partial that an .html template wants
 * and that exists only as .txt is taken from there, escaped; so a page that does not exist is made of the words
 * (report/page.h). Text results pass through textfmt (72 columns).
 */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "base/value.h"

struct templates; /* opaque; not thread-safe */

/* `own_dir` may be NULL or need not exist. */
void templates_open(const char *own_dir, struct templates **out);
void templates_close(struct templates *templates);
/* Has the league templates of its own in this folder? */
bool templates_own(const struct templates *templates, const char *folder);
/* Is there a <name>.txt for this folder, or a common one? */
bool templates_have(struct templates *templates, const char *folder, const char *name);
/* Which template: of a game's folder ("galaxy_command", or "" for none), and its name ("report.txt",
 * "report.html" or "board.svg"). */
struct template_name {
    const char *folder, *name;
};
/* Renders it and appends to `out`. */
int templates_render(struct templates *templates, const struct template_name *name, const json_t *facts,
                     struct str *out, struct err *err) __attribute__((warn_unused_result));
/* The same for several templates of a folder, in this order. */
struct rendering {
    const char *name;
    struct str *out;
    size_t most;   /* bytes before the layout: the excess is left out, and `cut` says so. 0: an excess is an
                  * error */
    bool unbroken; /* long lines stay whole: what they become is no text yet */
    bool cut;
};
struct renderings {
    const char *folder;
    struct rendering *list;
    size_t count;
};
int templates_render_all(struct templates *templates, const struct renderings *all, const struct value *facts,
                         struct err *err) __attribute__((warn_unused_result));
/* As templates_render, without the layout and, of a page that is made of the words, without head and foot: for pieces that
 * become values of another template. */
int templates_piece(struct templates *templates, const struct template_name *name, const json_t *facts,
                    struct str *out, struct err *err) __attribute__((warn_unused_result));

/* For programs, which have no templates: puts the words in place of each time, duration and rank
 * ({"moment": {...}}, {"duration": {...}}, {"ranks": {...}}) in all of `facts`. */
int templates_say(struct templates *templates, const char *folder, json_t *facts, struct err *err)
    __attribute__((warn_unused_result));

#endif
