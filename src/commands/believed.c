#include "commands/believed.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/str.h"
#include "batch/at_hand.h"
#include "batch/rounds.h"

/* One line each: the time up to which work was done, by the clock that was believed; and the time that the operator has
 * confirmed, a blank, and the former as it was then, so that it does not count for another clock later on. The second one is
 * this host's own: another host of the league has another clock. */
#define LAST_FILE      "registry/clock"
#define CONFIRMED_FILE "clock.confirmed"
#define SIZE_MOST      ((size_t)100)
#define NOTED_EACH     ((int64_t)3600) /* seconds between two notes */
#define YEAR_9000 \
    ((int64_t)221845392000) /* records have years of four digits, and deadlines come after them */

/* The numbers of such a file; 0 for what is not there. One that was cut has other numbers, and no end of a line. */
static void read_file(const struct league *league, const char *name, int64_t numbers[2])
{
    struct str text = STR_INIT;
    struct err why = ERR_INIT;
    char *path = league_path(league, name);
    numbers[0] = numbers[1] = 0;
    if (file_read(path, SIZE_MOST, &text, &why) == 0) {
        struct slice rest = slice_str(&text);
        if (!str_ends(text.p, "\n") || !slice_number(&rest, &numbers[0]) ||
            !slice_number(&rest, &numbers[1])) {
            log_warn("%s is damaged: the host's clock is believed as if no work had been done by it", path);
            numbers[0] = numbers[1] = 0;
        }
    } else if (why.code != ERR_MISSING) {
        log_warn("%s", why.text);
    }
    str_release(&text);
    free(path);
}

static bool goes_on(int64_t now, int64_t from)
{
    return from && now - from <= BELIEVED_AHEAD && from - now <= BELIEVED_BEHIND;
}

static bool was_confirmed(const struct league *league, int64_t now, int64_t last)
{
    int64_t confirmed[2];
    read_file(league, CONFIRMED_FILE, confirmed);
    return confirmed[1] == last && goes_on(now, confirmed[0]);
}

void believed_look(const struct league *league, struct believed *believed)
{
    int64_t last[2];
    read_file(league, LAST_FILE, last);
    *believed = (struct believed){.now = clock_system(), .last = last[0]};
    believed->kept_right = league->hands ? league->hands->clock_kept : clock_kept();
    believed->confirmed = was_confirmed(league, believed->now, believed->last);
}

int believed_check(const struct believed *believed, struct err *err)
{
    char now[CLOCK_TEXT], last[CLOCK_TEXT];
    if (believed->now >= YEAR_9000)
        return err_set(err, ERR_TEMP,
                       "the host's clock is beyond the year 9000: set it; until then nothing is done");
    if (!believed->last || believed->kept_right || believed->confirmed ||
        goes_on(believed->now, believed->last))
        return 0;
    clock_utc(now, believed->now);
    clock_utc(last, believed->last);
    return err_set(err, ERR_TEMP,
                   "the host's clock says %s, work was done last at %s, and nothing says that somebody keeps "
                   "the clock right: until "
                   "it is set, or a time server has set it, nothing is done; if it is right, run: turnpost "
                   "clock --confirm",
                   now, last);
}

static int write_file(const struct league *league, const char *name, const int64_t numbers[2],
                      struct err *err)
{
    struct str text = STR_INIT;
    char *path = league_path(league, name);
    str_addf(&text, "%lld %lld\n", (long long)numbers[0], (long long)numbers[1]);
    int rc = file_write_soft(path, slice_str(&text), 0600, err);
    str_release(&text);
    free(path);
    return rc;
}

int believed_begin(const struct league *league, struct err *err)
{
    struct believed believed;
    struct err why = ERR_INIT;
    believed_look(league, &believed);
    if (believed_check(&believed, err))
        return -1;
    int64_t passed = believed.now - believed.last;
    const int64_t last[2] = {believed.now, 0};
    char *registry = league_path(league, "registry"); /* a new league has none */
    if ((passed < 0 || passed >= NOTED_EACH) &&
        (file_mkdirs(registry, 0700, &why) || write_file(league, LAST_FILE, last, &why)))
        log_warn("%s; work goes on, but a wrong clock may not be noticed", why.text);
    free(registry);
    return 0;
}

int believed_typed(const struct league *league, int64_t now, struct err *err)
{
    int64_t last[2], done = 0;
    char typed[CLOCK_TEXT], before[CLOCK_TEXT];
    if (now >= YEAR_9000)
        return err_set(err, ERR_INPUT, "--now is beyond the year 9000: nothing is done by such a time");
    if (rounds_last(league->dir, &done, err))
        return -1;
    read_file(league, LAST_FILE, last);
    if (!done || now <= done + BELIEVED_AHEAD || now <= clock_system() + BELIEVED_AHEAD ||
        was_confirmed(league, now, last[0]))
        return 0;
    clock_utc(typed, now);
    clock_utc(before, done);
    return err_set(
        err, ERR_INPUT,
        "--now says %s, and the last round was at %s: records that are dated so far ahead can never be taken "
        "back, so nothing is done; if the time is meant, run: turnpost clock --confirm --now %s",
        typed, before, typed);
}

int believed_confirm(const struct league *league, int64_t typed, struct err *err)
{
    struct believed believed;
    believed_look(league, &believed);
    const int64_t confirmed[2] = {typed ? typed : believed.now, believed.last};
    return write_file(league, CONFIRMED_FILE, confirmed, err);
}
