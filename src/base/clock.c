#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <time.h>

static _Atomic int64_t correction;

int64_t clock_system(void)
{
    return (int64_t)time(NULL) + correction;
}

void clock_correct(int64_t seconds)
{
    correction = seconds;
}

int64_t clock_correction(void)
{
    return correction;
}

bool clock_kept(void)
{
    struct timex asked = {.modes = 0};
    int state = adjtimex(&asked);
    if (state >= 0)
        return state != TIME_ERROR && !(asked.status & STA_UNSYNC);
    struct stat st; /* a unit with ProtectClock may not ask */
    return stat("/run/systemd/timesync/synchronized", &st) == 0;
}

int64_t clock_milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void clock_utc(char out[CLOCK_TEXT], int64_t when)
{
    struct tm tm;
    time_t t = (time_t)when;
    if (!gmtime_r(&t, &tm) || strftime(out, CLOCK_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
        memcpy(out, "1970-01-01T00:00:00Z", CLOCK_TEXT);
}

bool clock_parse(struct slice text, int64_t *when)
{
    char buf[CLOCK_TEXT];
    char again[CLOCK_TEXT];
    struct tm tm = {0};
    if (text.len != CLOCK_TEXT - 1)
        return false;
    memcpy(buf, text.p, CLOCK_TEXT - 1);
    buf[CLOCK_TEXT - 1] = '\0';
    const char *end = strptime(buf, "%Y-%m-%dT%H:%M:%SZ", &tm);
    if (!end || *end)
        return false;
    *when = (int64_t)timegm(&tm);
    clock_utc(again, *when);
    return strcmp(buf, again) == 0;
}

void clock_both(struct str *out, int64_t when)
{
    struct tm here;
    struct tm utc;
    char text[64], day[8];
    time_t t = (time_t)when;
    if (!localtime_r(&t, &here) || !gmtime_r(&t, &utc))
        return;
    bool both = here.tm_gmtoff != 0;
    if (strftime(day, sizeof day, "%a", &here) &&
        strftime(text, sizeof text, both ? "%b %Y, %H:%M %Z" : "%b %Y, %H:%M UTC", &here))
        str_addf(out, "%s %d %s", day, here.tm_mday, text);
    if (both &&
        strftime(text, sizeof text, here.tm_mday == utc.tm_mday ? " (%H:%M UTC)" : " (%a %H:%M UTC)", &utc))
        str_adds(out, text);
}

static int64_t unit_seconds(char unit)
{
    switch (unit) {
    case 's': return 1;
    case 'm': return 60;
    case 'h': return 3600;
    case 'd': return 86400;
    case 'w': return 604800;
    default: return 0;
    }
}

bool duration_parse(struct slice text, int64_t *seconds)
{
    const int64_t most = 366LL * 86400;
    int64_t sum = 0;
    size_t i = 0;
    while (i < text.len) {
        int64_t n = 0;
        size_t from = i;
        while (i < text.len && text.p[i] >= '0' && text.p[i] <= '9' && n <= most)
            n = n * 10 + (text.p[i++] - '0');
        int64_t unit = i < text.len && i > from ? unit_seconds(text.p[i++]) : 0;
        if (!unit || n > most / unit)
            return false;
        sum += n * unit;
    }
    *seconds = sum;
    return sum > 0 && sum <= most;
}

void duration_add(struct str *out, int64_t seconds)
{
    static const char units[] = "dhms";
    if (seconds <= 0)
        str_adds(out, "0s");
    for (size_t i = 0; units[i] && seconds > 0; i++) {
        int64_t unit = unit_seconds(units[i]);
        if (seconds >= unit)
            str_addf(out, "%lld%c", (long long)(seconds / unit), units[i]);
        seconds %= unit;
    }
}
