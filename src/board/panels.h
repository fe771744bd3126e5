/* Where the parts of a picture stand. Its template says so in its groups; all other elements are drawn where they say,
 * from where their group begins. The groups in a <g> with data-lay get their places in turn:
 *
 *     data-lay="down"               below one another
 *     data-lay="across"             beside one another; "across middle" and "across end": the middle or the end of the
 *                                   row is where the group begins
 *     data-lay="rows 3 230"         three in a row, 230 from one to the next; a row is as high as the highest in it
 *     data-lay="spots 20 92 360 92" the first at x 20 and y 92, the second at 360 and 92
 *
 * In other groups they all begin where the group does. A group takes the room that it says (data-wide, data-high), or that
 * of what is in it. data-after adds so much below what is in it, if that takes any room. data-times="2 5" draws the first
 * group in it twice and the second one three times, which makes five; data-times="2" the first one twice.
 *
 * The <svg> is such a group as well, and gets its size from what is in it; so does its ground, whose height is "all". All
 * numbers are whole units, so that every machine computes the same. */
#ifndef BOARD_PANELS_H
#define BOARD_PANELS_H

#include "base/err.h"
#include "base/str.h"

/* Appends the picture, `units` wide, with its groups in their places; it is shown `pixels` wide. ERR_CONFIG: what is
 * wrong with the template. */
int panels(struct str *out, struct slice svg, int units, int pixels, struct err *err)
    __attribute__((warn_unused_result));

#endif
