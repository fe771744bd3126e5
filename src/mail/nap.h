/* Sleeping that a stop flag, news and a signal end, for the sources that poll. */
#ifndef MAIL_NAP_H
#define MAIL_NAP_H

#include <stdbool.h>
#include <stdint.h>

/* What ends a wait early, looked at four times a second; all borrowed, and each may be NULL. */
struct nap_ends {
    const volatile bool *stop;
    bool (*news)(void *arg); /* something else than mail is to be done */
    void *arg;
};
bool nap_is_over(const struct nap_ends *ends);
/* Sleeps until clock_milliseconds() (base/clock.h) says `until`. False when `ends` (NULL: nothing) or a signal ended it early. */
bool nap(int64_t until, const struct nap_ends *ends);

#endif
