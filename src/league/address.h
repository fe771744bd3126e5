/* Mail addresses as players have them: what is one, and whether a text has one. */
#ifndef LEAGUE_ADDRESS_H
#define LEAGUE_ADDRESS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/* A plain address check (RFC 5321 atoms, no quoting, 3..254 bytes); lower-cases the domain in place. */
int address_check(char *address, struct err *err) __attribute__((warn_unused_result));
/* Does something in the text look like one: name@example.org, no matter whose? */
bool address_within(struct slice text);
/* Does this one, as a whole? Case does not matter; "" never does. */
bool address_stands(struct slice text, const char *address);

#endif
