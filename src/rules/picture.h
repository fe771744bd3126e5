/* Places of a board's picture, and how they become facts for its template. Whole numbers alone, so that all machines
 * compute the same; y goes down. A picture is made for telephones: it is 720 units wide, and shown 360 px wide no letter
 * of it is smaller than 12 px (24 units). */
#ifndef RULES_PICTURE_H
#define RULES_PICTURE_H

#include "base/value.h"

#define PICTURE_WIDTH 720
#define PICTURE_SIDE  20  /* left free at both sides, and below */
#define PICTURE_INNER 680 /* what is between them */
#define PICTURE_LINE  32  /* from one line of words to the next */

/* What a picture is made of, and nothing else: no state, so it can show nothing that the public may not know. */
struct picture_of {
    const struct value *view; /* the public view, with names ("who") beside seats */
    const struct value
        *before; /* that before the turn, without names; NULL: not known, so nothing is marked */
    const struct value
        *news; /* the public events of the turn (game/view.h), a list: [{"attacks":{...}}, ...] */
    int seat;  /* of a ruleset with `own_picture`: what this seat has, alone; 0: what all have */
};

struct spot {
    int x, y;
};
void put_spot(struct value *object, struct spot spot); /* "x", "y" */
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
