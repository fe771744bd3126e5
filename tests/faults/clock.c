/* The league's time from a file, linked only into turnpost-fault (Makefile, FAULT_CALLS).
 *
 *   TURNPOST_CLOCK=FILE   holds seconds since 1970 as a 64-bit number of this machine, and may change at any
 *                         time: a daemon, or a run without --now, works by it. All else goes by the system's.
 *   TURNPOST_SHIFT=SECONDS   the host's clock is ahead by that much.
 *   TURNPOST_KEPT=yes        the system says that somebody keeps it right; no: it does not. It does with TURNPOST_CLOCK
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "batch/batch.h"

static const int64_t *league_time; /* mapped: the one that works can open nothing outside of the league */

__attribute__((constructor)) static void read_clock(void)
{
    const char *path = getenv("TURNPOST_CLOCK");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (!path)
        return;
    void *page = mmap(NULL, sizeof *league_time, PROT_READ, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        abort();
    league_time = page;
    close(fd);
}

time_t __real_time(time_t *out);
time_t __wrap_time(time_t *out);
time_t __wrap_time(time_t *out)
{
    const char *shift = getenv("TURNPOST_SHIFT");
    time_t now = __real_time(NULL) + (shift ? (time_t)strtol(shift, NULL, 10) : 0);
    if (out)
        *out = now;
    return now;
}

bool __real_clock_kept(void);
bool __wrap_clock_kept(void);
bool __wrap_clock_kept(void)
{
    const char *kept = getenv("TURNPOST_KEPT");
    return kept ? *kept == 'y' : league_time || __real_clock_kept();
}

static int64_t now_of(int64_t system)
{
    return league_time ? __atomic_load_n(league_time, __ATOMIC_RELAXED) : system;
}

int __real_batch_open(struct batch *batch, struct league *league, int64_t now, struct err *err);
int __wrap_batch_open(struct batch *batch, struct league *league, int64_t now, struct err *err);
int __wrap_batch_open(struct batch *batch, struct league *league, int64_t now, struct err *err)
{
    return __real_batch_open(batch, league, now_of(now), err);
}

int __real_batch_round(struct batch *batch, int64_t now, struct err *err);
int __wrap_batch_round(struct batch *batch, int64_t now, struct err *err);
int __wrap_batch_round(struct batch *batch, int64_t now, struct err *err)
{
    return __real_batch_round(batch, now_of(now), err);
}
