/* What has changed in the tables of a mail since the last one: rows that the last one did not have. */
#ifndef REPORT_MARKS_H
#define REPORT_MARKS_H

#include <stdbool.h>

#include "base/str.h"

/* Appends `text` (as templates give it, before the layout) with marks on the rows that `before` does not have: in
 * words a ">" in front (textfmt.h), in a page class="changed". A row is a line that begins with TAB, or with
 * "<tr>" or "<tr ". */
void marks_put(struct str *out, struct slice text, struct slice before, bool page);

#endif
