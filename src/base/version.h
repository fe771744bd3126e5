/* Which Turnpost this is, and what it says of things that a newer one has made.
 *
 * Whatever is stored says what it is: formats have versions, records and documents have members that stand in
 * tables. What this program does not know may mean anything, so it is neither played nor overwritten: the
 * error is ERR_NEWER, its text names the thing and the next step, and the caller leaves alone only what
 * depends on it: one mail, one player, one game; the whole league only where the thing belongs to the whole
 * league. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#include "base/err.h"

/* "0.1.0 (4138e389f0cd)"; without the commit where main() has not told it. */
const char *version_text(void);
/* The commit that it was built from, "" = not known; kept, not copied. Once, before there are threads. */
void version_commit(const char *commit);

/* "WHAT is not known to this Turnpost (0.1.0): ...". `fmt` is the thing: "record 3 (note), its kind
 * \"duel\"". Returns -1. */
int version_newer(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
