/* Time zones, many at a time: read from the system's zone data (TZif files, RFC 8536), not through TZ and
 * tzset, which change the zone of the whole process, know one zone at a time, and would have to be locked and
 * restored around every query. A zone that was read is a value; asking it has no effects. */
#ifndef BASE_ZONE_H
#define BASE_ZONE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"

#define ZONE_NAME    48
#define ZONE_DIR     "/usr/share/zoneinfo"
#define ZONE_CHANGES 64

/* Where the zone data is: $TZDIR, which the C library knows as well, else ZONE_DIR. */
static inline const char *zone_folder(void)
{
    const char *set = getenv("TZDIR");
    return set && *set ? set : ZONE_DIR;
}

struct zone; /* opaque */

/* Has it the form of a tz name: words of letters, digits, "_", "+" and "-" that begin with a capital letter, with "/" between
 * them? What else is in the folder is no zone ("tzdata.zi", "posixrules"), or one that counts leap seconds ("right/UTC"). */
bool zone_name_good(struct slice name);
/* Reads a zone by its tz name; "UTC" needs no file. ERR_CONFIG: unknown, or its data cannot be used. */
int zone_load(const char *name, struct zone **out, struct err *err) __attribute__((warn_unused_result));
/* The same from the bytes of a TZif file. */
int zone_read(struct slice bytes, const char *name, struct zone **out, struct err *err)
    __attribute__((warn_unused_result));
void zone_free(struct zone *zone);
const char *zone_name(const struct zone *zone);
/* Sets the zone of the process by its tz name (league.ini `timezone`). As zone_load. */
int zone_set(const char *name, struct err *err) __attribute__((warn_unused_result));

/* Seconds east of UTC at a time. A NULL zone is UTC, here and below. */
int zone_offset(const struct zone *zone, int64_t time);
/* The local day and the seconds since its midnight by the clock on the wall. */
void zone_local(const struct zone *zone, int64_t time, int64_t *day, int *second);
/* The time at which the clock on the wall shows `second` (0..86399, or more for the days after) on `day`. A
 * time that does not exist, because the clock is put forward over it, is as much later as the clock is put
 * forward; one that comes twice is the first. */
int64_t zone_time(const struct zone *zone, int64_t day, int second);

/* What a zone's clock shows for some years: a plain value, which asks no zone data. All zeros: UTC. */
struct zone_years {
    int count;                /* changes of the clock */
    int64_t at[ZONE_CHANGES]; /* their times, rising */
    int offset[ZONE_CHANGES +
               1]; /* seconds east of UTC: the first until at[0], offset[i + 1] from at[i] on */
};
/* The first ZONE_CHANGES of the ten years after a time. */
void zone_years(const struct zone *zone, int64_t from, struct zone_years *out);
/* As zone_local and zone_time. */
void zone_years_local(const struct zone_years *years, int64_t time, int64_t *day, int *second);
int64_t zone_years_time(const struct zone_years *years, int64_t day, int second);

/* Zones by name, read when they are first asked for. Start with zeros. */
struct zones {
    struct zone **list;
    size_t count, cap;
};
/* NULL for "UTC", and with `err` set for what cannot be read. */
const struct zone *zones_find(struct zones *zones, const char *name, struct err *err);
void zones_release(struct zones *zones);

#endif
