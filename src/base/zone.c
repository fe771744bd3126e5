#include "base/zone.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"

#define FILE_MOST   ((size_t)1 << 20)
#define HEADER      ((size_t)44)
#define OFFSET_MOST (26 * 3600) /* RFC 8536 section 3.2: -24:59:59 .. 25:59:59 */

/* When the clock changes in each year, as POSIX TZ strings have it ("M3.5.0/2"). */
struct zone_change {
    enum { CHANGE_WEEKDAY, CHANGE_JULIAN, CHANGE_DAY } form;
    int month, week, day; /* WEEKDAY: day 0 = Sunday; JULIAN: day 1..365 without 29 February; DAY: 0..365 */
    int second;           /* since local midnight; -167 .. 167 hours */
};

struct zone {
    char name[ZONE_NAME];
    size_t count; /* changes */
    const int64_t *at;
    const int *offset; /* from then on; offset[0] before the first change, offset[i + 1] from at[i] on */
    int64_t *own_at;   /* these two, where they are its own (zone_of) */
    int *own_offset;
    bool has_rule; /* the rule after the last change */
    bool has_summer;
    int winter, summer;
    struct zone_change begin, end; /* of summer time */
};

/* ---- the rule after the last change: POSIX.1-2017 section 8.3, RFC 8536 section 3.3 ---- */

static bool take_char(struct slice *rest, char c)
{
    if (!rest->len || rest->p[0] != c)
        return false;
    *rest = slice_sub(*rest, 1, rest->len);
    return true;
}

static bool take_number(struct slice *rest, int most, int *number)
{
    size_t len = 0;
    *number = 0;
    while (len < rest->len && rest->p[len] >= '0' && rest->p[len] <= '9' && *number <= most)
        *number = *number * 10 + (rest->p[len++] - '0');
    *rest = slice_sub(*rest, len, rest->len);
    return len > 0 && *number <= most;
}

/* "CET" or "<+0330>" */
static bool take_name(struct slice *rest)
{
    size_t len = 0;
    bool quoted = take_char(rest, '<');
    while (len < rest->len &&
           (quoted ? rest->p[len] != '>' : (rest->p[len] | 32) >= 'a' && (rest->p[len] | 32) <= 'z'))
        len++;
    *rest = slice_sub(*rest, len, rest->len);
    return len >= 3 && (!quoted || take_char(rest, '>'));
}

/* "[+-]hh[:mm[:ss]]" */
static bool take_time(struct slice *rest, int *second)
{
    int hours, minutes = 0, seconds = 0;
    bool minus = take_char(rest, '-');
    if (!minus)
        (void)take_char(rest, '+');
    if (!take_number(rest, 167, &hours) || (take_char(rest, ':') && !take_number(rest, 59, &minutes)) ||
        (take_char(rest, ':') && !take_number(rest, 59, &seconds)))
        return false;
    *second = (hours * 3600 + minutes * 60 + seconds) * (minus ? -1 : 1);
    return true;
}

static bool take_change(struct slice *rest, struct zone_change *change)
{
    *change = (struct zone_change){.form = CHANGE_DAY, .second = 2 * 3600};
    if (!take_char(rest, ','))
        return false;
    if (take_char(rest, 'M')) {
        change->form = CHANGE_WEEKDAY;
        if (!take_number(rest, 12, &change->month) || change->month < 1 || !take_char(rest, '.') ||
            !take_number(rest, 5, &change->week) || change->week < 1 || !take_char(rest, '.') ||
            !take_number(rest, 6, &change->day))
            return false;
    } else {
        bool julian = take_char(rest, 'J');
        change->form = julian ? CHANGE_JULIAN : CHANGE_DAY;
        if (!take_number(rest, 365, &change->day) || (julian && change->day < 1))
            return false;
    }
    return !take_char(rest, '/') || take_time(rest, &change->second);
}

static bool read_rule(struct zone *zone, struct slice text)
{
    struct slice rest = text;
    int west;
    if (!take_name(&rest) || !take_time(&rest, &west))
        return false;
    zone->winter = -west;
    zone->has_rule = true;
    if (!rest.len)
        return true;
    zone->has_summer = true;
    zone->summer = zone->winter + 3600;
    if (!take_name(&rest))
        return false;
    if (rest.len && rest.p[0] != ',') {
        if (!take_time(&rest, &west))
            return false;
        zone->summer = -west;
    }
    return take_change(&rest, &zone->begin) && take_change(&rest, &zone->end) && !rest.len;
}

/* Seconds since 1970 by the clock on the wall at which the change comes in a year. */
static int64_t change_in(const struct zone_change *change, int year)
{
    int64_t day = date_number((struct date){year, 1, 1});
    if (change->form == CHANGE_WEEKDAY) {
        int64_t first = date_number((struct date){year, change->month, 1});
        int sunday = (date_weekday(first) + 1) % 7; /* 0 = Sunday */
        int of_month = (change->day - sunday + 7) % 7 + 7 * (change->week - 1);
        while (of_month >= date_month_days(year, change->month))
            of_month -= 7;
        day = first + of_month;
    } else if (change->form == CHANGE_JULIAN) {
        day += change->day - 1 + (date_leap(year) && change->day >= 60);
    } else {
        day += change->day;
    }
    return day * DAY_SECONDS + change->second;
}

static int64_t day_of(int64_t time)
{
    return (time - (time < 0 ? DAY_SECONDS - 1 : 0)) / DAY_SECONDS;
}

static int rule_offset(const struct zone *zone, int64_t time)
{
    if (!zone->has_summer)
        return zone->winter;
    int year = date_of(day_of(time + zone->winter)).year;
    int64_t begin = change_in(&zone->begin, year) - zone->winter;
    int64_t end = change_in(&zone->end, year) - zone->summer;
    bool summer = begin < end ? time >= begin && time < end : time >= begin || time < end;
    return summer ? zone->summer : zone->winter;
}

/* ---- TZif ---- */

struct counts {
    size_t utc, standard, leap, times, types, names;
};

/* Reads a header and gives the length of the block after it; false when it is none. */
static bool read_header(struct slice bytes, struct counts *counts, size_t time_size, size_t *block)
{
    const unsigned char *p = (const unsigned char *)bytes.p;
    size_t *const all[] = {&counts->utc,   &counts->standard, &counts->leap,
                           &counts->times, &counts->types,    &counts->names};
    if (bytes.len < HEADER || memcmp(p, "TZif", 4) != 0)
        return false;
    for (size_t i = 0; i < 6; i++) {
        *all[i] = get_be32(p + 20 + 4 * i);
        if (*all[i] > FILE_MOST)
            return false;
    }
    *block = counts->times * (time_size + 1) + counts->types * 6 + counts->names +
             counts->leap * (time_size + 4) + counts->standard + counts->utc;
    return counts->types >= 1 && counts->types <= 256 && *block <= bytes.len - HEADER;
}

static int64_t get_time(const unsigned char *p, size_t size)
{
    if (size == 4)
        return (int32_t)get_be32(p);
    return (int64_t)((uint64_t)get_be32(p) << 32 | get_be32(p + 4));
}

static bool read_block(struct zone *zone, const unsigned char *p, const struct counts *counts,
                       size_t time_size)
{
    const unsigned char *index = p + counts->times * time_size;
    const unsigned char *types = index + counts->times;
    int64_t *at = mem_array(counts->times + 1, sizeof *at);
    int *offset = mem_array(counts->times + 1, sizeof *offset);
    zone->count = counts->times;
    zone->at = zone->own_at = at;
    zone->offset = zone->own_offset = offset;
    for (size_t i = 0; i <= counts->times; i++) {
        size_t type = i ? index[i - 1] : 0;
        if (type >= counts->types)
            return false;
        offset[i] = (int32_t)get_be32(types + 6 * type);
        if (offset[i] < -OFFSET_MOST || offset[i] > OFFSET_MOST)
            return false;
        if (i)
            at[i - 1] = get_time(p + (i - 1) * time_size, time_size);
        if (i > 1 && at[i - 1] <= at[i - 2])
            return false;
    }
    return true;
}

static bool read_tzif(struct zone *zone, struct slice bytes)
{
    struct counts counts;
    size_t block, time_size = 4;
    if (!read_header(bytes, &counts, time_size, &block))
        return false;
    if (bytes.p[4] >= '2') { /* the second block has 64-bit times, and the footer after it */
        time_size = 8;
        bytes = slice_sub(bytes, HEADER + block, bytes.len);
        if (!read_header(bytes, &counts, time_size, &block))
            return false;
    }
    if (!read_block(zone, (const unsigned char *)bytes.p + HEADER, &counts, time_size))
        return false;
    struct slice foot = slice_sub(bytes, HEADER + block, bytes.len);
    return time_size == 4 || slice_trim(foot).len == 0 || read_rule(zone, slice_trim(foot));
}

int zone_read(struct slice bytes, const char *name, struct zone **out, struct err *err)
{
    struct zone *zone = mem_alloc(sizeof *zone);
    (void)snprintf(zone->name, sizeof zone->name, "%s", name);
    if (!read_tzif(zone, bytes)) {
        zone_free(zone);
        return err_set(err, ERR_CONFIG, "the data of the time zone \"%s\" cannot be used", name);
    }
    *out = zone;
    return 0;
}

bool zone_name_good(struct slice name)
{
    bool begins = true;
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.p[i];
        const bool capital = c >= 'A' && c <= 'Z';
        const bool later = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '+' ||
                           c == '-' || (c == '/' && i + 1 < name.len);
        if (!capital && (begins || !later))
            return false;
        begins = c == '/';
    }
    return name.len > 0 && name.len < ZONE_NAME;
}

int zone_load(const char *name, struct zone **out, struct err *err)
{
    struct str bytes = STR_INIT;
    struct err why = ERR_INIT;
    *out = NULL;
    if (strcmp(name, "UTC") == 0) {
        *out = mem_alloc(sizeof **out);
        memcpy((*out)->name, "UTC", 4);
        (*out)->offset = (*out)->own_offset = mem_array(1, sizeof(int));
        return 0;
    }
    char *path = zone_name_good(slice_of(name)) ? path_join(zone_folder(), name) : NULL;
    int rc = path ? file_read(path, FILE_MOST, &bytes, &why) : -1;
    if (rc)
        rc = err_set(err, ERR_CONFIG, "unknown time zone \"%.60s\": use a name such as Europe/Berlin or UTC",
                     name);
    else
        rc = zone_read(slice_str(&bytes), name, out, err);
    free(path);
    str_release(&bytes);
    return rc;
}

void zone_free(struct zone *zone)
{
    if (!zone)
        return;
    free(zone->own_at);
    free(zone->own_offset);
    free(zone);
}

const char *zone_name(const struct zone *zone)
{
    return zone ? zone->name : "UTC";
}

int zone_set(const char *name, struct err *err)
{
    struct zone *zone;
    if (zone_load(name, &zone, err))
        return -1;
    zone_free(zone);
    if (setenv("TZ", name, 1) != 0)
        return err_sys(err, ERR_IO, "cannot set the time zone");
    tzset();
    return 0;
}

/* ---- asking ---- */

int zone_offset(const struct zone *zone, int64_t time)
{
    if (!zone)
        return 0;
    if (zone->has_rule && (!zone->count || time >= zone->at[zone->count - 1]))
        return rule_offset(zone, time);
    size_t low = 0, high = zone->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (zone->at[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return zone->offset[low];
}

void zone_local(const struct zone *zone, int64_t time, int64_t *day, int *second)
{
    int64_t local = time + zone_offset(zone, time);
    *day = day_of(local);
    *second = (int)(local - *day * DAY_SECONDS);
}

int64_t zone_time(const struct zone *zone, int64_t day, int second)
{
    int64_t local = day * DAY_SECONDS + second;
    /* A day to either side of it, whatever the offset; two changes do not come so close together. */
    int before = zone_offset(zone, local - DAY_SECONDS);
    int after = zone_offset(zone, local + DAY_SECONDS);
    int64_t first = local - before;
    int64_t later = local - after;
    bool first_good = zone_offset(zone, first) == before;
    bool later_good = zone_offset(zone, later) == after;
    if (first_good && later_good)
        return first < later ? first : later;
    return later_good ? later : first;
}

/* ---- for some years ---- */

void zone_years(const struct zone *zone, int64_t from, struct zone_years *out)
{
    const int64_t until = from + 3653 * DAY_SECONDS;
    *out = (struct zone_years){.offset = {zone_offset(zone, from)}};
    for (int64_t day = from; day < until && out->count < ZONE_CHANGES; day += DAY_SECONDS) {
        const int before = out->offset[out->count];
        int64_t low = day, high = day + DAY_SECONDS;
        if (zone_offset(zone, high) == before)
            continue;
        while (high - low > 1) {
            const int64_t middle = low + (high - low) / 2;
            if (zone_offset(zone, middle) == before)
                low = middle;
            else
                high = middle;
        }
        out->at[out->count++] = high;
        out->offset[out->count] = zone_offset(zone, high);
    }
}

/* They are a zone without a name and a rule; borrows them. */
static struct zone zone_of(const struct zone_years *years)
{
    return (struct zone){.count = (size_t)years->count, .at = years->at, .offset = years->offset};
}

void zone_years_local(const struct zone_years *years, int64_t time, int64_t *day, int *second)
{
    const struct zone zone = zone_of(years);
    zone_local(&zone, time, day, second);
}

int64_t zone_years_time(const struct zone_years *years, int64_t day, int second)
{
    const struct zone zone = zone_of(years);
    return zone_time(&zone, day, second);
}

const struct zone *zones_find(struct zones *zones, const char *name, struct err *err)
{
    if (strcmp(name, "UTC") == 0 || !*name)
        return NULL;
    for (size_t i = 0; i < zones->count; i++)
        if (strcmp(zones->list[i]->name, name) == 0)
            return zones->list[i];
    struct zone *zone;
    if (zone_load(name, &zone, err))
        return NULL;
    zones->list = mem_grow(zones->list, zones->count, &zones->cap, sizeof(struct zone *));
    zones->list[zones->count++] = zone;
    return zone;
}

void zones_release(struct zones *zones)
{
    for (size_t i = 0; i < zones->count; i++)
        zone_free(zones->list[i]);
    free(zones->list);
    *zones = (struct zones){NULL, 0, 0};
}
