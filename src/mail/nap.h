/* Sleeping that a stop flag and a signal end, for the sources that poll. */
#ifndef MAIL_NAP_H
#define MAIL_NAP_H

#include <stdbool.h>
#include <stdint.h>

/* Milliseconds of the monotonic clock; for waiting only, never for what is written anywhere. */
int64_t nap_clock(void);
/* Sleeps until nap_clock() says `until`, looking at *stop (may be NULL) four times a second. False when *stop
 * or a signal ended it early. */
bool nap(int64_t until, const volatile bool *stop);

#endif
