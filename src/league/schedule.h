/* When turns are due: calendar arithmetic, pure. A schedule is fixed when a game is created (its `create`
 * record, member "clock"), so that everybody knows what they join, and with it what the zone's clock will show:
 * zone data are asked then and never again, so a deadline is the same on every machine, whatever governments do.
 *
 *   "3d"                                  a turn lasts three days
 *   "mon wed fri 20:00 Europe/Berlin"     the next of these hours, by the clock on the wall there
 *   "daily 08:00 20:00 Asia/Kolkata"      both hours on every day; also "weekdays", "weekends"
 *   "mon-thu 20:00 sat 10:00 UTC"         days may be a range; a day after an hour begins a new group
 *   "never"                               no deadlines */
#ifndef LEAGUE_SCHEDULE_H
#define LEAGUE_SCHEDULE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/zone.h"

#define SCHEDULE_SLOTS    16
#define SCHEDULE_HOLIDAYS 64

struct schedule {
    int64_t length; /* seconds of a turn, when there are no slots; 0 = no deadlines */
    struct schedule_slot {
        unsigned days; /* bit 0 = Monday */
        int minute;    /* of the day, by the clock on the wall */
    } slots[SCHEDULE_SLOTS];
    int slot_count;
    char zone[ZONE_NAME];    /* of the slots, and of what is a day; "" = UTC */
    struct zone_years years; /* of the zone, where it matters (schedule_take_zone) */
    bool has_years;
    bool weekends_off; /* no deadline on a Saturday or Sunday */
    struct schedule_holiday {
        int year; /* 0 = each */
        int month, day;
    } holidays[SCHEDULE_HOLIDAYS]; /* nor on these */
    int holiday_count;
    int64_t grace;     /* seconds for which a turn that lacks orders is held open after its deadline */
    int64_t minimum;   /* the shortest turn, also when all orders are in */
    int64_t starts;    /* nothing is resolved before then, and the first turn's time counts from then; 0 = at
                      * once */
    bool early;        /* a turn is resolved as soon as all orders are in */
    int vote;          /* an extension needs more than this percentage of the players */
    int64_t extension; /* the longest extension by vote; 0 = none */
};

/* Early resolution, a simple majority, extensions of three days at most; otherwise nothing. */
void schedule_init(struct schedule *schedule);
/* Reads the text above into length, slots and zone (`zone` where the text names none). ERR_INPUT. */
int schedule_parse(struct slice text, const char *zone, struct schedule *schedule, struct err *err)
    __attribute__((warn_unused_result));
/* Its words, for other options with hours: "mon", "mon-fri", "daily" (bit 0 = Monday); "20:00". */
bool schedule_days(struct slice word, unsigned *days);
bool schedule_minute(struct slice word, int *minute);
/* Adds "2026-12-25", "12-25" (every year), separated by spaces, commas or line ends; "#" begins a comment. */
int schedule_holidays(struct slice text, struct schedule *schedule, struct err *err)
    __attribute__((warn_unused_result));
/* Can a turn ever be played by it? ERR_INPUT where its options exclude each other: all of its hours lie on days that
 * are off (holidays, of which a schedule has fewer than there are weeks, are days off now and then), or it has no
 * deadlines and waits for them. */
int schedule_check(const struct schedule *schedule, struct err *err) __attribute__((warn_unused_result));
/* Does a deadline depend on what the clock in a zone other than UTC shows? */
bool schedule_zoned(const struct schedule *schedule);
/* Then takes from the zone data what it will show from that time on, for a game or competition that is made. ERR_CONFIG: the zone
 * is not known here, or its clock is not by quarters of an hour between -12:00 and +14:00. */
int schedule_take_zone(struct schedule *schedule, struct zones *zones, int64_t from, struct err *err)
    __attribute__((warn_unused_result));
/* The text above again, for people. */
void schedule_text(struct str *out, const struct schedule *schedule);
bool schedule_timed(const struct schedule *schedule); /* are there deadlines at all? */

/* As it is in records and caches. */
json_t *schedule_json(const struct schedule *schedule);
int schedule_read(const json_t *json, struct schedule *schedule, struct err *err)
    __attribute__((warn_unused_result));

/* The deadline of a turn that opens at `from`: later than that by at least the minimum. 0 = none. Without a minimum, a turn that opens shortly before one of the hours is due at
 * the next one: half of the time between the two must be left, or a day, so that nobody is surprised. */
int64_t schedule_next(const struct schedule *schedule, int64_t from);
/* The first possible deadline at `time` or later: the next slot; else the same hour of the next day that is
 * not off. */
int64_t schedule_settle(const struct schedule *schedule, int64_t time);

#endif
