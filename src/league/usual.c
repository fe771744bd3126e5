#include "league/usual.h"

#include <stdlib.h>

#include "base/date.h"
#include "league/schedule.h"

#define GIVE     ((int64_t)90 * 60) /* give or take: hosts are not punctual, and summer time begins */
#define LONGEST  9                  /* days of a period: three of them fit into four weeks */
#define TIMES    7
#define NEEDED   3
#define FAULT    4 /* this many times as expected make up for one time missing or unexpected */
#define MIDNIGHT 1440
#define LONG_AGO (400 * DAY_SECONDS) /* a pause this long is an outage, whatever was declared */

/* ---- learnt ---- */

/* Seconds by the clock on the wall. */
static int64_t wall(const struct zone *zone, int64_t time)
{
    int64_t day;
    int second;
    zone_local(zone, time, &day, &second);
    return day * DAY_SECONDS + second;
}

static struct pause on_wall(const struct zone *zone, const struct pause *pause)
{
    return (struct pause){wall(zone, pause->from), wall(zone, pause->to), pause->outage};
}

/* What happened at the same hours a number of days before. */
enum before_kind {
    BEFORE_WORK, /* a round was done */
    BEFORE_LONG, /* none, because of a much longer pause: unknown */
    BEFORE_LIKE  /* a pause like it */
};
struct before {
    enum before_kind kind[USUAL_DAYS + 1]; /* by days before, from 1 on */
};

/* Was nothing done then either? */
static bool covers(const struct pause *old, const struct pause *pause, int days)
{
    int64_t later = days * DAY_SECONDS;
    return old->from + later <= pause->from + GIVE && old->to + later >= pause->to - GIVE;
}

/* One pause is like it on one day at most: on that on which it began at about the same hour. */
static void note_before(struct before *before, const struct pause *old, const struct pause *pause)
{
    bool like = pause->to - pause->from >= (old->to - old->from) / 2;
    int64_t nearest = INT64_MAX;
    int day = 0;
    for (int days = 1; days <= USUAL_DAYS; days++) {
        int64_t apart = llabs(old->from + days * DAY_SECONDS - pause->from);
        if (!covers(old, pause, days))
            continue;
        if (before->kind[days] == BEFORE_WORK)
            before->kind[days] = BEFORE_LONG;
        if (apart < nearest) {
            nearest = apart;
            day = days;
        }
    }
    if (like && day)
        before->kind[day] = BEFORE_LIKE;
}

static bool like_it(const struct before *before, int days)
{
    return days >= 1 && days <= USUAL_DAYS && before->kind[days] == BEFORE_LIKE;
}

/* Pauses at the same hours on days that the period does not explain, neither for this pause nor for one that
 * comes as often. */
static int strays(const struct before *before, int period)
{
    int count = 0;
    for (int days = 1; days <= USUAL_DAYS; days++)
        count += days % period && like_it(before, days) && !like_it(before, days - period) &&
                 !like_it(before, days + period);
    return count;
}

/* Has it come lately with this period? */
static bool comes_every(const struct before *before, int period)
{
    int came = 0, faults = strays(before, period);
    for (int time = 1; time <= TIMES && time * period <= USUAL_DAYS; time++) {
        enum before_kind kind = before->kind[(size_t)time * (size_t)period];
        came += kind == BEFORE_LIKE;
        faults += kind == BEFORE_WORK;
        if (came >= NEEDED && faults * FAULT <= came)
            return true;
    }
    return false;
}

/* Single rounds as far apart as the last ones were, at any hour. */
static bool steady(const struct pause *before, size_t count, const struct pause *pause)
{
    int64_t length = pause->to - pause->from, end = pause->from;
    int found = 0;
    for (size_t i = count; i > 0 && found < NEEDED; i--) {
        const struct pause *old = &before[i - 1];
        if (old->to != end || llabs(old->to - old->from - length) > GIVE)
            continue;
        end = old->from;
        found++;
    }
    return found == NEEDED;
}

bool pause_usual(const struct pause *before, size_t count, const struct pause *pause, const struct zone *zone)
{
    const struct pause now = on_wall(zone, pause);
    struct before days = {.kind = {BEFORE_WORK}};
    if (steady(before, count, pause))
        return true;
    for (size_t i = 0; i < count; i++) {
        const struct pause old = on_wall(zone, &before[i]);
        note_before(&days, &old, &now);
    }
    for (int period = 1; period <= LONGEST; period++)
        if (comes_every(&days, period))
            return true;
    return false;
}

/* ---- declared ---- */

/* "18:00-23:00" */
static bool read_span(struct slice word, int *begin, int *end)
{
    size_t dash = slice_find(word, "-");
    if (dash == (size_t)-1 || !schedule_minute(slice_sub(word, 0, dash), begin))
        return false;
    struct slice last = slice_sub(word, dash + 1, word.len);
    if (slice_eq(last, "24:00"))
        *end = MIDNIGHT;
    else if (!schedule_minute(last, end))
        return false;
    *end += *end <= *begin ? MIDNIGHT : 0;
    return true;
}

int hours_parse(struct slice text, struct hours *hours, struct err *err)
{
    struct slice word;
    unsigned days = 0, some;
    bool group_done = true;
    int begin, end;
    hours->count = 0;
    while (slice_word(&text, &word)) {
        if (word.p[word.len - 1] == ',')
            word.len--;
        if (schedule_days(word, &some)) {
            days = group_done ? some : days | some;
            group_done = false;
        } else if (!days || !read_span(word, &begin, &end)) {
            return err_set(err, ERR_INPUT,
                           "\"%.*s\" is not understood; write for example weekdays 18:00-23:00 sat sun "
                           "10:00-24:00",
                           (int)(word.len < 40 ? word.len : 40), word.p);
        } else if (hours->count == HOURS_SPANS) {
            return err_set(err, ERR_INPUT, "more than %d spans", HOURS_SPANS);
        } else {
            hours->span[hours->count++] = (struct hours_span){days, begin, end};
            group_done = true;
        }
    }
    if (!group_done)
        return err_set(err, ERR_INPUT, "the last days have no hours; write for example weekdays 18:00-23:00");
    return 0;
}

/* How much a pause takes of the span that begins on that day; -1 = all of it. */
static int64_t lost_on(const struct hours_span *span, const struct zone *zone, const struct pause *pause,
                       int64_t day)
{
    if (!(span->days & (1U << date_weekday(day))))
        return 0;
    int64_t begin = zone_time(zone, day, span->begin * 60), end = zone_time(zone, day, span->end * 60);
    if (begin >= pause->from && end <= pause->to)
        return -1;
    begin = begin > pause->from ? begin : pause->from;
    end = end < pause->to ? end : pause->to;
    return end > begin ? end - begin : 0;
}

bool hours_explain(const struct hours *hours, const struct zone *zone, const struct pause *pause,
                   int64_t outage)
{
    int64_t first, last, lost = 0;
    int second;
    if (!hours->count || pause->to - pause->from > LONG_AGO)
        return false;
    zone_local(zone, pause->from, &first, &second);
    zone_local(zone, pause->to, &last, &second);
    for (int64_t day = first - 1; day <= last; day++) {
        for (int i = 0; i < hours->count; i++) {
            int64_t more = lost_on(&hours->span[i], zone, pause, day);
            if (more < 0)
                return false;
            lost += more;
        }
    }
    return lost <= outage;
}

bool pause_explained(const struct config *config, const struct zone *zone, const struct pause *before,
                     size_t count, const struct pause *pause)
{
    struct hours hours;
    struct err ignored = ERR_INIT; /* league.ini has the hours, and is checked */
    return pause_usual(before, count, pause, zone) ||
           (hours_parse(slice_of(config->clock.works), &hours, &ignored) == 0 &&
            hours_explain(&hours, zone, pause, config->clock.outage));
}
