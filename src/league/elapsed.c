#include "league/elapsed.h"

static int64_t less(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t more(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t elapsed_left(const struct outside *outside, int64_t left, int64_t length)
{
    return more(left, less(outside->config->clock.outage, length));
}

const struct pause *elapsed_outage(const struct outside *outside, int64_t due)
{
    for (size_t i = 0; outside && i < outside->pause_count; i++) {
        const struct pause *pause = &outside->pauses[i];
        if (pause->outage && pause->from < due && due <= pause->to)
            return pause;
    }
    return NULL;
}

int64_t elapsed_end(const struct outside *outside, int64_t since, int64_t until)
{
    int64_t end = until, given = 0;
    for (size_t i = 0; outside && i < outside->pause_count; i++) {
        const struct pause *pause = &outside->pauses[i];
        int64_t from = more(pause->from, since);
        if (!pause->outage || from >= pause->to || from >= end)
            continue;
        int64_t behind = pause->to + elapsed_left(outside, end - from, until - since);
        end = more(end, pause->to);
        int64_t extra = less(behind - end, until - since - given);
        end += extra;
        given += extra;
    }
    return end;
}

bool elapsed_over(const struct outside *outside, int64_t since, int64_t until, int64_t now)
{
    if (outside && outside->deaf)
        return false;
    return elapsed_end(outside, since, until) <= now;
}
