/* The elements of a drawing that a template gave: enough of XML for those. All slices are into the drawing. */
#ifndef BOARD_ELEMENT_H
#define BOARD_ELEMENT_H

#include "base/str.h"

struct element {
    struct slice whole, open, inside; /* "<g fill="red">...</g>", "<g fill="red">", "..." */
};

/* Cuts the next element off, with all that is in it; a comment is one, too. False after the last one, and when it has no
 * end. */
bool element_next(struct slice *rest, struct element *e);
/* "svg" after what may stand before it. */
bool element_root(struct slice svg, struct element *root);
bool element_is(const struct element *e, const char *name);
/* Cuts name="value" off what is between a tag's name and its ">". False after the last one, and where there is none. */
bool element_attribute(struct slice *rest, struct slice *name, struct slice *value);

#endif
