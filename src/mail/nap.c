#include "mail/nap.h"

#include <errno.h>
#include <time.h>

#include "base/clock.h"

bool nap_is_over(const struct nap_ends *ends)
{
    return ends && ((ends->stop && *ends->stop) || (ends->news && ends->news(ends->arg)));
}

bool nap(int64_t until, const struct nap_ends *ends)
{
    for (;;) {
        int64_t left = until - clock_milliseconds();
        if (nap_is_over(ends))
            return false;
        if (left <= 0)
            return true;
        if (left > 250)
            left = 250;
        struct timespec slice = {.tv_sec = 0, .tv_nsec = (long)left * 1000000};
        if (nanosleep(&slice, NULL) != 0 && errno == EINTR)
            return false;
    }
}
