#include "league/schedule.h"

#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/json.h"

#define EVERY_DAY    0x7fU
#define WEEKEND      0x60U
#define SLOT_FAIR    DAY_SECONDS
#define SEARCH_DAYS  1000 /* more than all holidays in a row */
#define STARTS_MOST  ((int64_t)1 << 62)
#define OFFSET_LEAST (-12 * 3600)
#define OFFSET_MOST  (14 * 3600)
#define OFFSET_STEP  900

static const char *const day_names[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
static const char *const day_longs[] = {"monday", "tuesday",  "wednesday", "thursday",
                                        "friday", "saturday", "sunday"};

void schedule_init(struct schedule *schedule)
{
    memset(schedule, 0, sizeof *schedule);
    schedule->early = true;
    schedule->vote = 50;
    schedule->extension = 3 * DAY_SECONDS;
}

bool schedule_timed(const struct schedule *schedule)
{
    return schedule->length > 0 || schedule->slot_count > 0;
}

/* ---- reading ---- */

static int day_named(struct slice word)
{
    for (int day = 0; day < 7; day++)
        if (slice_caseeq(word, day_names[day]) || slice_caseeq(word, day_longs[day]))
            return day;
    return -1;
}

bool schedule_days(struct slice word, unsigned *days)
{
    static const struct {
        const char *name;
        unsigned days;
    } sets[] = {{"daily", EVERY_DAY}, {"weekdays", 0x1f}, {"weekends", WEEKEND}};
    *days = 0;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (slice_caseeq(word, sets[i].name))
            *days = sets[i].days;
    size_t dash = slice_find(word, "-");
    int first = day_named(slice_sub(word, 0, dash));
    int last = dash == (size_t)-1 ? first : day_named(slice_sub(word, dash + 1, word.len));
    if (*days || first < 0 || last < 0)
        return *days != 0;
    for (int day = first;; day = (day + 1) % 7) {
        *days |= 1U << day;
        if (day == last)
            return true;
    }
}

static bool two_digits(const char *p, int most, int *number)
{
    *number = (p[0] - '0') * 10 + (p[1] - '0');
    return p[0] >= '0' && p[0] <= '9' && p[1] >= '0' && p[1] <= '9' && *number <= most;
}

bool schedule_minute(struct slice word, int *minute)
{
    int hour, rest;
    if (word.len != 5 || word.p[2] != ':' || !two_digits(word.p, 23, &hour) ||
        !two_digits(word.p + 3, 59, &rest))
        return false;
    *minute = hour * 60 + rest;
    return true;
}

static int add_slot(struct schedule *schedule, unsigned days, int minute, struct err *err)
{
    if (schedule->slot_count == SCHEDULE_SLOTS)
        return err_set(err, ERR_INPUT, "more than %d hours", SCHEDULE_SLOTS);
    schedule->slots[schedule->slot_count++] = (struct schedule_slot){days, minute};
    return 0;
}

static int read_words(struct slice text, struct schedule *schedule, struct err *err)
{
    struct slice rest = text;
    struct slice word;
    unsigned days = 0, more;
    bool group_done = true, zoned = false;
    int minute;
    while (slice_word(&rest, &word)) {
        if (word.p[word.len - 1] == ',')
            word.len--;
        if (zoned)
            return err_set(err, ERR_INPUT, "\"%.*s\" comes after the zone", (int)word.len, word.p);
        if (schedule_days(word, &more)) {
            days = group_done ? more : days | more;
            group_done = false;
        } else if (days && schedule_minute(word, &minute)) {
            group_done = true;
            if (add_slot(schedule, days, minute, err))
                return -1;
        } else if (!schedule->slot_count && !days && !schedule->length &&
                   duration_parse(word, &schedule->length)) {
            continue;
        } else if (zone_name_good(word)) {
            zoned = true;
            memcpy(schedule->zone, word.p, word.len);
            schedule->zone[word.len] = '\0';
        } else {
            return err_set(err, ERR_INPUT,
                           "\"%.*s\" is no day, hour, length or zone; write for example 3d, or mon wed fri "
                           "20:00 Europe/Berlin",
                           (int)(word.len < 40 ? word.len : 40), word.p);
        }
    }
    if (days && !group_done)
        return err_set(err, ERR_INPUT, "a day without an hour; write for example mon wed fri 20:00");
    return 0;
}

int schedule_parse(struct slice text, const char *zone, struct schedule *schedule, struct err *err)
{
    schedule->length = 0;
    schedule->slot_count = 0;
    schedule->has_years = false;
    memset(&schedule->years, 0, sizeof schedule->years);
    (void)snprintf(schedule->zone, sizeof schedule->zone, "%s", zone);
    if (slice_eq(slice_trim(text), "never"))
        return 0;
    if (read_words(text, schedule, err))
        return -1;
    if (!schedule_timed(schedule))
        return err_set(err, ERR_INPUT,
                       "it says no time; write for example 3d, mon wed fri 20:00 Europe/Berlin, or never");
    if (schedule->length && schedule->slot_count)
        return err_set(err, ERR_INPUT, "it has a length and hours; only one of them is possible");
    return 0;
}

/* "2026-12-25" or "12-25" */
static bool read_holiday(struct slice word, struct schedule_holiday *holiday)
{
    int64_t number;
    if (date_parse(word, &number)) {
        struct date date = date_of(number);
        *holiday = (struct schedule_holiday){date.year, date.month, date.day};
        return true;
    }
    *holiday = (struct schedule_holiday){0, 0, 0};
    return word.len == 5 && word.p[2] == '-' && two_digits(word.p, 12, &holiday->month) &&
           two_digits(word.p + 3, 31, &holiday->day) && holiday->month >= 1 && holiday->day >= 1 &&
           holiday->day <= date_month_days(2000, holiday->month);
}

int schedule_holidays(struct slice text, struct schedule *schedule, struct err *err)
{
    struct slice line, word;
    while (slice_line(&text, &line)) {
        size_t comment = slice_find(line, "#");
        line = slice_sub(line, 0, comment);
        while (slice_word(&line, &word)) {
            if (word.p[word.len - 1] == ',')
                word.len--;
            if (schedule->holiday_count == SCHEDULE_HOLIDAYS)
                return err_set(err, ERR_INPUT, "more than %d holidays", SCHEDULE_HOLIDAYS);
            if (!read_holiday(word, &schedule->holidays[schedule->holiday_count]))
                return err_set(err, ERR_INPUT,
                               "\"%.*s\" is no holiday; write 2026-12-25, or 12-25 for every year",
                               (int)(word.len < 40 ? word.len : 40), word.p);
            schedule->holiday_count++;
        }
    }
    return 0;
}

int schedule_check(const struct schedule *schedule, struct err *err)
{
    bool comes = schedule->length > 0;
    for (int i = 0; i < schedule->slot_count; i++)
        comes |= !schedule->weekends_off || (schedule->slots[i].days & ~WEEKEND);
    if (!schedule_timed(schedule) && !schedule->early)
        return err_set(err, ERR_INPUT,
                       "a game without deadlines that is not resolved early would never be played");
    if (!schedule_timed(schedule) || comes)
        return 0;
    struct str text = STR_INIT;
    schedule_text(&text, schedule);
    err_set(err, ERR_INPUT,
            "every hour of \"%s\" is on a weekend, and weekends are off: no turn would ever be due. Name an "
            "hour on "
            "another day, or leave weekends on",
            text.p);
    str_release(&text);
    return -1;
}

/* ---- its zone ---- */

/* Hours, or days that are off. */
static bool by_the_wall(const struct schedule *schedule)
{
    return schedule->slot_count || (schedule->length && (schedule->weekends_off || schedule->holiday_count));
}

bool schedule_zoned(const struct schedule *schedule)
{
    return by_the_wall(schedule) && *schedule->zone && strcmp(schedule->zone, "UTC") != 0;
}

static bool offset_good(int64_t offset)
{
    return offset >= OFFSET_LEAST && offset <= OFFSET_MOST && offset % OFFSET_STEP == 0;
}

int schedule_take_zone(struct schedule *schedule, struct zones *zones, int64_t from, struct err *err)
{
    struct err why = ERR_INIT;
    schedule->has_years = schedule_zoned(schedule);
    memset(&schedule->years, 0, sizeof schedule->years);
    if (!schedule->has_years)
        return 0;
    const struct zone *zone = zones_find(zones, schedule->zone, &why);
    if (why.code)
        return err_set(err, why.code, "%s", why.text);
    zone_years(zone, from, &schedule->years);
    for (int i = 0; i <= schedule->years.count; i++)
        if (!offset_good(schedule->years.offset[i]))
            return err_set(
                err, ERR_CONFIG,
                "the clock in %s is not by quarters of an hour between -12:00 and +14:00: name another zone",
                schedule->zone);
    return 0;
}

/* ---- writing ---- */

static void add_days(struct str *out, unsigned days)
{
    if (days == EVERY_DAY) {
        str_adds(out, " daily");
        return;
    }
    for (int day = 0; day < 7; day++)
        if (days & (1U << day))
            str_addf(out, " %s", day_names[day]);
}

void schedule_text(struct str *out, const struct schedule *schedule)
{
    struct str text = STR_INIT;
    unsigned days = 0;
    if (schedule->length)
        duration_add(&text, schedule->length);
    for (int i = 0; i < schedule->slot_count; i++) {
        const struct schedule_slot *slot = &schedule->slots[i];
        if (slot->days != days)
            add_days(&text, slot->days);
        days = slot->days;
        str_addf(&text, " %02d:%02d", slot->minute / 60, slot->minute % 60);
    }
    if (!schedule_timed(schedule))
        str_adds(&text, "never");
    else if (by_the_wall(schedule))
        str_addf(&text, " %s", *schedule->zone ? schedule->zone : "UTC");
    str_addslice(out, slice_trim(slice_str(&text)));
    str_release(&text);
}

static json_t *holidays_json(const struct schedule *schedule)
{
    json_t *list = json_array();
    for (int i = 0; i < schedule->holiday_count; i++) {
        const struct schedule_holiday *holiday = &schedule->holidays[i];
        char text[DATE_TEXT + 8];
        if (holiday->year)
            date_text(text, date_number((struct date){holiday->year, holiday->month, holiday->day}));
        else
            (void)snprintf(text, sizeof text, "%02d-%02d", holiday->month, holiday->day);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

static json_t *changes_json(const struct zone_years *years)
{
    json_t *list = json_array();
    for (int i = 0; i < years->count; i++)
        json_array_append_new(
            list, json_pack("{s:o,s:i}", "at", json_time(years->at[i]), "offset", years->offset[i + 1]));
    return list;
}

json_t *schedule_json(const struct schedule *schedule)
{
    struct str text = STR_INIT;
    schedule_text(&text, schedule);
    json_t *json = json_pack("{s:s,s:s,s:I,s:I,s:b,s:i,s:I}", "schedule", text.p, "zone",
                             *schedule->zone ? schedule->zone : "UTC", "grace", (json_int_t)schedule->grace,
                             "minimum", (json_int_t)schedule->minimum, "early", schedule->early, "vote",
                             schedule->vote, "extension", (json_int_t)schedule->extension);
    if (schedule->has_years)
        json_object_set_new(json, "offset", json_integer(schedule->years.offset[0]));
    if (schedule->has_years && schedule->years.count)
        json_object_set_new(json, "changes", changes_json(&schedule->years));
    if (schedule->weekends_off)
        json_object_set_new(json, "weekends_off", json_true());
    if (schedule->holiday_count)
        json_object_set_new(json, "holidays", holidays_json(schedule));
    if (schedule->starts)
        json_object_set_new(json, "starts", json_integer(schedule->starts));
    str_release(&text);
    return json;
}

/* What the clock shows: of a schedule for which it matters, and of no other. */
static int read_years(const json_t *json, struct schedule *schedule, struct err *err)
{
    struct zone_years *years = &schedule->years;
    const json_t *list = json_object_get(json, "changes"), *item;
    const int64_t first = json_integer_value(json_object_get(json, "offset"));
    schedule->has_years = json_is_integer(json_object_get(json, "offset"));
    if (schedule->has_years != schedule_zoned(schedule) || (list && !schedule->has_years))
        return err_set(err, ERR_BROKEN, "clock: what the clock in its zone shows is missing, or of no use");
    if (!offset_good(first) || json_array_size(list) > ZONE_CHANGES)
        return err_set(err, ERR_BROKEN, "clock: its offset or changes cannot be");
    years->offset[0] = (int)first;
    for (size_t i = 0; i < json_array_size(list); i++, years->count++) {
        item = json_array_get(list, i);
        const char *at = json_string_value(json_object_get(item, "at"));
        const int64_t offset = json_integer_value(json_object_get(item, "offset"));
        if (!at || !clock_parse(slice_of(at), &years->at[i]) || !offset_good(offset) ||
            offset == years->offset[i] || years->at[i] <= (i ? years->at[i - 1] : 0))
            return err_set(err, ERR_BROKEN, "clock: its changes cannot be");
        years->offset[i + 1] = (int)offset;
    }
    return 0;
}

int schedule_read(const json_t *json, struct schedule *schedule, struct err *err)
{
    const char *text, *zone;
    int64_t vote;
    size_t i;
    json_t *item;
    schedule_init(schedule);
    if (json_need_string(json, "schedule", &text, "clock", err) ||
        json_need_string(json, "zone", &zone, "clock", err) ||
        json_need_int(json, "grace", 0, 366 * DAY_SECONDS, &schedule->grace, "clock", err) ||
        json_need_int(json, "minimum", 0, 366 * DAY_SECONDS, &schedule->minimum, "clock", err) ||
        json_need_int(json, "vote", 0, 100, &vote, "clock", err) ||
        json_need_int(json, "extension", 0, 366 * DAY_SECONDS, &schedule->extension, "clock", err))
        return -1;
    if (json_object_get(json, "starts") &&
        json_need_int(json, "starts", 0, STARTS_MOST, &schedule->starts, "clock", err))
        return -1;
    schedule->vote = (int)vote;
    schedule->early = json_is_true(json_object_get(json, "early"));
    schedule->weekends_off = json_is_true(json_object_get(json, "weekends_off"));
    json_array_foreach (json_object_get(json, "holidays"), i, item)
        if (json_is_string(item) && schedule_holidays(slice_of(json_string_value(item)), schedule, err))
            return -1;
    return schedule_parse(slice_of(text), zone, schedule, err) || read_years(json, schedule, err) ? -1 : 0;
}

/* ---- the calendar ---- */

static bool day_off(const struct schedule *schedule, int64_t day)
{
    if (schedule->weekends_off && (1U << date_weekday(day) & WEEKEND))
        return true;
    if (!schedule->holiday_count)
        return false;
    struct date date = date_of(day);
    for (int i = 0; i < schedule->holiday_count; i++) {
        const struct schedule_holiday *holiday = &schedule->holidays[i];
        if ((!holiday->year || holiday->year == date.year) && holiday->month == date.month &&
            holiday->day == date.day)
            return true;
    }
    return false;
}

/* The first slot of a day at `time` or later; 0 = none. It may be the day before or after in UTC, so times
 * are compared, never hours. */
static int64_t slot_on(const struct schedule *schedule, int64_t day, int64_t time)
{
    int64_t best = 0;
    for (int i = 0; i < schedule->slot_count; i++) {
        const struct schedule_slot *slot = &schedule->slots[i];
        if (!(slot->days & (1U << date_weekday(day))))
            continue;
        int64_t at = zone_years_time(&schedule->years, day, slot->minute * 60);
        if (at >= time && (!best || at < best))
            best = at;
    }
    return best;
}

int64_t schedule_settle(const struct schedule *schedule, int64_t time)
{
    int64_t day, first;
    int second;
    zone_years_local(&schedule->years, time, &first, &second);
    /* A slot that a change of the clock moved over midnight belongs to the day before. */
    for (day = schedule->slot_count ? first - 1 : first; day < first + SEARCH_DAYS; day++) {
        if (day_off(schedule, day))
            continue;
        if (!schedule->slot_count)
            return day == first ? time : zone_years_time(&schedule->years, day, second);
        int64_t at = slot_on(schedule, day, time);
        if (at)
            return at;
    }
    return time +
           7 * DAY_SECONDS; /* if every slot is on a day off, which schedule_check refuses: better than never */
}

/* The last slot before that time; a week before when there is none. */
static int64_t slot_before(const struct schedule *schedule, int64_t time)
{
    int64_t day, best = 0;
    int second;
    zone_years_local(&schedule->years, time, &day, &second);
    for (int back = 0; back < 7 && !best; back++, day--) {
        for (int i = 0; i < schedule->slot_count && !day_off(schedule, day); i++) {
            const struct schedule_slot *slot = &schedule->slots[i];
            int64_t at = zone_years_time(&schedule->years, day, slot->minute * 60);
            if ((slot->days & (1U << date_weekday(day))) && at < time && at > best)
                best = at;
        }
    }
    return best ? best : time - 7 * DAY_SECONDS;
}

/* The shortest time from the beginning of a turn to its deadline. */
static int64_t least_time(const struct schedule *schedule)
{
    return schedule->minimum > schedule->length ? schedule->minimum : schedule->length;
}

int64_t schedule_next(const struct schedule *schedule, int64_t from)
{
    int64_t begin = from > schedule->starts ? from : schedule->starts;
    int64_t least = least_time(schedule);
    if (!schedule_timed(schedule))
        return 0;
    int64_t deadline = schedule_settle(schedule, begin + (least ? least : 1));
    if (!schedule->slot_count || schedule->minimum)
        return deadline;
    int64_t fair = (deadline - slot_before(schedule, deadline)) / 2;
    fair = fair < SLOT_FAIR ? fair : SLOT_FAIR;
    return deadline - begin < fair ? schedule_settle(schedule, deadline + 1) : deadline;
}
