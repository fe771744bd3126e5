/* Times and durations for templates, which have the words: an object whose only member is named by the template
 * that writes it (report/mustache.h), so that facts may hold one wherever they hold a text. */
#ifndef BASE_MOMENT_H
#define BASE_MOMENT_H

#include <jansson.h>
#include <stdint.h>

#include "base/zone.h"

/* A time, in seconds since 1970: in the process's zone (zone_set), in UTC if the clock shows another time
 * there, and in `own` (or NULL) if it differs from both:
 *
 *     {"moment": {"here": {"weekday": {"friday": true}, "day": "20", "month": {"november": true},
 *                          "year": false, "clock": "09:00", "zone": "CET"},
 *                 "utc": {"weekday": false, "clock": "08:00"} or false,
 *                 "own": {"weekday": {"thursday": true}, "clock": "23:00", "place": "Los Angeles"} or false,
 *                 "more": either of these, "both": each of them}}
 *
 * "weekday" is false where it is that of "here". New reference. */
json_t *moment_json(int64_t time, const struct zone *own);
/* The same with its year, 2026, for what may be read years later. New reference. */
json_t *moment_dated_json(int64_t time);

/* A day, by its number (base/date.h), {"day_of": {"weekday": {"friday": true}, "day": "20", "month": {"november": true}}}. New
 * reference. */
json_t *day_json(int64_t number);

/* {"duration": {"units": [{"count": 1, "day": true, "one": true, "more": true}, {"count": 12, "hour": true, ...}]}}, of "day",
 * "hour", "minute" and "second" those that are not 0, but for 0 seconds as a whole. New reference. */
json_t *duration_json(int64_t seconds);

#endif
