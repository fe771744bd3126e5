/* Numbers of a state in words, for explaining a turn: as a member is called where players read it (rules/field.h). */
#ifndef RULES_SPELLING_H
#define RULES_SPELLING_H

#include <stdint.h>

#include "base/str.h"

/* Appends the word for a number: a card, a place, a kind. Takes any number. */
typedef void spell_number(struct str *out, const void *cards, const void *state, int64_t number);

/* A number that is a seat ("P2"), and seats that are bits of a number (SEAT_BIT). Code that knows the players
 * replaces these two by their names. */
spell_number spell_seat, spell_seats;

#endif
