#include "base/moment.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/date.h"
#include "base/str.h"

static json_t *word(const char *name)
{
    return json_pack("{s:b}", name, 1);
}

static json_t *weekday(const struct tm *tm)
{
    static const char *const days[] = {"sunday",   "monday", "tuesday", "wednesday",
                                       "thursday", "friday", "saturday"};
    return word(days[tm->tm_wday]);
}

static json_t *month(const struct tm *tm)
{
    static const char *const months[] = {"january",   "february", "march",    "april",
                                         "may",       "june",     "july",     "august",
                                         "september", "october",  "november", "december"};
    return word(months[tm->tm_mon]);
}

static json_t *clock_of(const struct tm *tm)
{
    char text[8];
    (void)snprintf(text, sizeof text, "%02d:%02d", tm->tm_hour % 100, tm->tm_min % 100);
    return json_string(text);
}

/* "America/New_York" -> "New York" */
static json_t *place(const char *name)
{
    struct str text = STR_INIT;
    const char *last = strrchr(name, '/');
    for (const char *p = last ? last + 1 : name; *p; p++)
        str_addc(&text, (char)(*p == '_' ? ' ' : *p));
    json_t *json = json_string(text.p ? text.p : "");
    str_release(&text);
    return json;
}

static json_t *here_json(const struct tm *here, bool dated)
{
    char day[8];
    (void)snprintf(day, sizeof day, "%d", here->tm_mday % 100);
    return json_pack("{s:o,s:s,s:o,s:o,s:o,s:s}", "weekday", weekday(here), "day", day, "month", month(here),
                     "year", dated ? json_integer(here->tm_year + 1900) : json_false(), "clock",
                     clock_of(here), "zone", here->tm_gmtoff ? here->tm_zone : "UTC");
}

json_t *day_json(int64_t number)
{
    struct tm day;
    char text[8];
    const time_t noon = (time_t)(number * DAY_SECONDS + DAY_SECONDS / 2);
    if (!gmtime_r(&noon, &day))
        return json_null();
    (void)snprintf(text, sizeof text, "%d", day.tm_mday % 100);
    return json_pack("{s:{s:o,s:s,s:o}}", "day_of", "weekday", weekday(&day), "day", text, "month",
                     month(&day));
}

/* The same time by another clock. */
static json_t *there_json(const struct tm *there, const struct tm *here)
{
    bool same = there->tm_mday == here->tm_mday;
    return json_pack("{s:o,s:o}", "weekday", same ? json_false() : weekday(there), "clock", clock_of(there));
}

static json_t *make(int64_t time, const struct zone *own, bool dated)
{
    struct tm here, utc, there;
    const int offset = own ? zone_offset(own, time) : 0;
    const time_t now = (time_t)time, shifted = (time_t)(time + offset);
    if (!localtime_r(&now, &here) || !gmtime_r(&now, &utc) || !gmtime_r(&shifted, &there))
        return json_null();
    bool both = here.tm_gmtoff != 0, three = own && offset != here.tm_gmtoff && offset != 0;
    json_t *third = three ? there_json(&there, &here) : json_false();
    if (three)
        json_object_set_new(third, "place", place(zone_name(own)));
    return json_pack("{s:{s:o,s:o,s:o,s:b,s:b}}", "moment", "here", here_json(&here, dated), "utc",
                     both ? there_json(&utc, &here) : json_false(), "own", third, "more", both || three,
                     "both", both && three);
}

json_t *moment_json(int64_t time, const struct zone *own)
{
    return make(time, own, false);
}

json_t *moment_dated_json(int64_t time)
{
    return make(time, NULL, true);
}

json_t *duration_json(int64_t seconds)
{
    static const struct {
        const char *name;
        int64_t seconds;
    } units[] = {{"day", DAY_SECONDS}, {"hour", 3600}, {"minute", 60}, {"second", 1}};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const int64_t count = seconds / units[i].seconds;
        seconds %= units[i].seconds;
        if (count || (units[i].seconds == 1 && !json_array_size(list)))
            json_array_append_new(list, json_pack("{s:I,s:b,s:b,s:b}", "count", (json_int_t)count,
                                                  units[i].name, 1, "one", count == 1, "more", seconds > 0));
    }
    return json_pack("{s:{s:o}}", "duration", "units", list);
}
