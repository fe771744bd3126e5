#include "rules/spelling.h"

/* Seats as rules write them: code that knows the players' names recognises these two by their addresses. */
void spell_seat(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    str_addf(out, "P%lld", (long long)number);
}

void spell_seats(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    for (int seat = 1; seat < 32; seat++)
        if (number >> seat & 1)
            str_addf(out, "%sP%d", out->len ? " " : "", seat);
}
