/* Places of a board's picture, and how they become facts for its template. Whole numbers alone, so that all machines
 * compute the same; a picture is 1200 units wide, y goes down. */
#ifndef RULES_PICTURE_H
#define RULES_PICTURE_H

#include "base/value.h"

#define PICTURE_WIDTH 1200

/* What a picture is made of, and nothing else: no state, so it can show nothing that the public may not know. */
struct picture_of {
    const struct value *view; /* the public view, with names ("who") beside seats */
    const struct value
        *before; /* that before the turn, without names; NULL: not known, so nothing is marked */
    const struct value
        *news; /* the public events of the turn (game/view.h), a list: [{"attacks":{...}}, ...] */
};

struct spot {
    int x, y;
};
/* The spot on an ellipse; 0 degrees is above the centre, 90 to its right. */
struct spot spot_round(struct spot centre, struct spot radius, int degrees);
int spot_distance(struct spot from, struct spot to);
/* So far from `from` on the way to `to`; a length below 0 is on the other side. */
struct spot spot_toward(struct spot from, struct spot to, int length);
void put_spot(struct value *object, struct spot spot);                 /* "x", "y" */
void put_line(struct value *object, struct spot from, struct spot to); /* "x1", "y1", "x2", "y2" */
/* "seat" and "who", false where the seat has no name. */
void put_who(struct value *object, const struct value *player);

/* ---- looking into views: NULL stands for an object without members ---- */

int look_int(const struct value *object, const char *name); /* 0: none */
/* False for what is missing, null and false; true for all else, also 0. */
bool look_flag(const struct value *object, const char *name);
struct slice look_text(const struct value *object, const char *name);         /* empty: none */
const struct value *look_first(const struct value *object, const char *name); /* of a list; NULL: none */
int look_count(const struct value *object, const char *name);
/* Among this one and those after it: that of the seat, or that with such a text; NULL: none. */
const struct value *look_seat(const struct value *first, int seat);
const struct value *look_named(const struct value *first, const char *member, struct slice text);

#endif
