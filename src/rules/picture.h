/* What the picture of a board says beyond the public view. Where on it what stands is in its template
 * (templates/<ruleset>/board.svg, board/panels.h). */
#ifndef RULES_PICTURE_H
#define RULES_PICTURE_H

#include "base/value.h"

/* What marks are made of, and nothing else: no state, so they can tell nothing that the public may not know. */
struct picture_of {
    const struct value
        *before; /* the public view before the turn, without names; NULL: not known, so nothing is marked */
    const struct value
        *news; /* the public events of the turn (game/view.h), a list: [{"attacks":{...}}, ...] */
    int seat;  /* of a ruleset with `own_picture`: what this seat has, alone; 0: what all have */
};

/* ---- looking into views: NULL stands for an object without members ---- */

int look_int(const struct value *object, const char *name); /* 0: none */
/* False for what is missing, null and false; true for all else, also 0. */
bool look_flag(const struct value *object, const char *name);
struct slice look_text(const struct value *object, const char *name);   /* empty: none */
struct value *look_first(const struct value *object, const char *name); /* of a list; NULL: none */
int look_count(const struct value *object, const char *name);
/* Among this one and those after it: that of the seat, or that with such a text; NULL: none. */
const struct value *look_seat(const struct value *first, int seat);
const struct value *look_named(const struct value *first, const char *member, struct slice text);
bool look_same(const struct value *object, const struct value *other, const char *name); /* the same text? */

/* ---- what several pictures have ---- */

/* Marks what is drawn as a cube: its letter, and before it how many there are, if there is more than one. */
void mark_cube(struct value *cube, char letter, int many);

#endif
