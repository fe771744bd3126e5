/* The state in words, for explaining a turn: what its members are called where players read them, N5 and
 * not near[4]. One table per ruleset, ends with member NULL; what is not in it is shown by its own name
 * ("metal"), counted from 1. */
#ifndef RULES_SPELLING_H
#define RULES_SPELLING_H

#include <stdint.h>

#include "base/str.h"

/* Appends the word for a number: a card, a place, a kind. Takes any number. */
typedef void spell_number(struct str *out, const void *cards, const void *state, int64_t number);

struct spelling {
    const char *member;  /* as in the field table: "military", "near[]" for an element of a list; with the
                            member that it is in, "owned[].card", where that alone tells two apart */
    const char *words;   /* '#' is replaced by `index`; "": its value alone; NULL: not shown, it follows from
                            what is shown */
    spell_number *index; /* of an element, counted from 1 (0: no element); NULL: the number itself */
    spell_number *value; /* for the number stored there; NULL: the number itself */
};

/* A number that is a seat ("P2"), and seats that are bits of a number (SEAT_BIT). Code that knows the players
 * replaces these two by their names. */
spell_number spell_seat, spell_seats;

#endif
