/* Deadlines by schedule. The hours in UTC were worked out with Python's zoneinfo from the wall-clock hours
 * beside them. */
#include "league/schedule.h"

#include "scratch.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

static int64_t at(const char *text)
{
    int64_t time = 0;
    ck_assert_msg(clock_parse(slice_of(text), &time), "%s", text);
    return time;
}

struct table_row {
    const char *schedule;
    const char *from, *want; /* "" = none */
    const char *extra;       /* "m" + seconds: minimum; "w" weekends off; "h..." holidays; "s..." starts */
};

/* 2026-11-20 is a Friday. */
static const struct table_row table[] = {
    {"3d", "2026-11-20T12:00:00Z", "2026-11-23T12:00:00Z", ""},
    {"90m", "2026-12-31T23:00:00Z", "2027-01-01T00:30:00Z", ""},
    {"1d", "2028-02-28T12:00:00Z", "2028-02-29T12:00:00Z", ""},
    {"never", "2026-11-20T12:00:00Z", "", ""},
    {"1d", "2026-11-20T12:00:00Z", "2026-11-23T12:00:00Z", "m259200"},
    /* the next of the hours, never now: 20:00 CET */
    {"mon wed fri 20:00 Europe/Berlin", "2026-11-19T12:00:00Z", "2026-11-20T19:00:00Z", ""},
    {"mon wed fri 20:00 Europe/Berlin", "2026-11-20T18:59:59Z", "2026-11-20T19:00:00Z", "m1"},
    /* and not when less than half of the usual time, or a day, is left */
    {"mon wed fri 20:00 Europe/Berlin", "2026-11-19T19:00:00Z", "2026-11-20T19:00:00Z", ""},
    {"mon wed fri 20:00 Europe/Berlin", "2026-11-19T19:00:01Z", "2026-11-23T19:00:00Z", ""},
    {"mon wed fri 20:00 Europe/Berlin", "2026-11-20T18:59:59Z", "2026-11-23T19:00:00Z", ""},
    {"weekdays 20:00 UTC", "2026-11-20T08:00:00Z", "2026-11-20T20:00:00Z", ""},
    {"weekdays 20:00 UTC", "2026-11-20T08:00:01Z", "2026-11-23T20:00:00Z", ""},
    {"daily 08:00 20:00 UTC", "2026-11-20T14:00:00Z", "2026-11-20T20:00:00Z", ""},
    {"daily 08:00 20:00 UTC", "2026-11-20T14:00:01Z", "2026-11-21T08:00:00Z", ""},
    {"mon wed fri 20:00 Europe/Berlin", "2026-11-20T19:00:00Z", "2026-11-23T19:00:00Z", ""},
    {"mon, wed, fri 20:00 Europe/Berlin", "2026-11-23T19:00:01Z", "2026-11-25T19:00:00Z", ""},
    {"mon wed fri 20:00 Europe/Berlin", "2026-11-20T18:00:00Z", "2026-11-23T19:00:00Z", "m7200"},
    {"mon wed fri 20:00 Europe/Berlin", "2026-11-20T17:00:00Z", "2026-11-20T19:00:00Z", "m7200"},
    {"fri 20:00 America/New_York", "2026-11-20T12:00:00Z", "2026-11-28T01:00:00Z", ""},
    {"daily 08:00 20:00 UTC", "2026-11-20T12:00:00Z", "2026-11-20T20:00:00Z", ""},
    {"daily 08:00 20:00 UTC", "2026-11-20T20:00:00Z", "2026-11-21T08:00:00Z", ""},
    {"daily 20:00 08:00 UTC", "2026-11-20T20:00:00Z", "2026-11-21T08:00:00Z", ""},
    {"mon-thu 20:00 sat 10:00 UTC", "2026-11-19T21:00:00Z", "2026-11-21T10:00:00Z", ""},
    {"sat-mon 20:00 UTC", "2026-11-20T12:00:00Z", "2026-11-21T20:00:00Z", ""},
    {"weekdays 20:00 UTC", "2026-11-20T20:00:00Z", "2026-11-23T20:00:00Z", ""},
    {"weekends 20:00 UTC", "2026-11-20T20:00:00Z", "2026-11-21T20:00:00Z", ""},
    /* clocks put forward and back: 02:30 that does not exist is 03:30; that comes twice, the first */
    {"daily 02:30 Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-28T01:30:00Z", ""},
    {"daily 02:30 Europe/Berlin", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z", ""},
    {"daily 02:30 Europe/Berlin", "2027-10-30T12:00:00Z", "2027-10-31T00:30:00Z", ""},
    {"daily 02:30 Europe/Berlin", "2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z", ""},
    {"daily 02:30 Europe/Berlin", "2027-10-31T01:00:00Z", "2027-11-01T01:30:00Z", ""},
    {"sun 02:30 Australia/Sydney", "2027-10-01T00:00:00Z", "2027-10-02T16:30:00Z", ""},
    {"sun 02:10 Australia/Lord_Howe", "2027-10-01T00:00:00Z", "2027-10-02T15:40:00Z", ""},
    /* halves and quarters of an hour, and the far side of the date line */
    {"sat 20:00 Asia/Kolkata", "2026-11-20T12:00:00Z", "2026-11-21T14:30:00Z", ""},
    {"daily 20:00 Asia/Kathmandu", "2026-11-20T02:15:00Z", "2026-11-20T14:15:00Z", ""},
    {"sat 08:00 Pacific/Chatham", "2026-11-19T12:00:00Z", "2026-11-20T18:15:00Z", ""},
    {"sun 20:00 Pacific/Kiritimati", "2026-11-20T12:00:00Z", "2026-11-22T06:00:00Z", ""},
    /* leap day, year end */
    {"tue 20:00 America/New_York", "2028-02-28T12:00:00Z", "2028-03-01T01:00:00Z", ""},
    {"thu 20:00 Europe/Berlin", "2026-12-30T12:00:00Z", "2026-12-31T19:00:00Z", ""},
    {"daily 20:00 Europe/Berlin", "2026-12-31T19:00:00Z", "2027-01-01T19:00:00Z", ""},
    /* days off */
    {"daily 20:00 Europe/Berlin", "2026-12-31T19:00:00Z", "2027-01-02T19:00:00Z", "h01-01"},
    {"daily 20:00 Europe/Berlin", "2026-12-31T19:00:00Z", "2027-01-04T19:00:00Z", "w h01-01"},
    {"daily 20:00 Europe/Berlin", "2026-12-31T19:00:00Z", "2027-01-01T19:00:00Z", "h2026-01-01"},
    {"1d Europe/Berlin", "2026-11-20T12:00:00Z", "2026-11-23T12:00:00Z", "w"},
    {"1d Europe/Berlin", "2026-11-20T23:30:00Z", "2026-11-22T23:30:00Z", "w"}, /* Sun 00:30, so Mon 00:30 */
    {"3d Europe/Berlin", "2026-12-22T12:00:00Z", "2026-12-28T12:00:00Z", "w h12-25"},
    /* the same hour on the wall, over the change of the clock: Sun 28 Mar 12:00 CEST, so Mon 12:00 */
    {"1d Europe/Berlin", "2027-03-27T10:00:00Z", "2027-03-29T10:00:00Z", "w"},
    {"tue 20:00 UTC", "2028-02-28T12:00:00Z", "2028-03-07T20:00:00Z", "h02-29"},
    /* a game that starts later */
    {"3d", "2026-11-20T12:00:00Z", "2026-12-04T12:00:00Z", "s2026-12-01T12:00:00Z"},
    {"mon 20:00 UTC", "2026-11-20T12:00:00Z", "2026-12-07T20:00:00Z", "s2026-12-01T12:00:00Z"},
    {"3d", "2026-12-02T12:00:00Z", "2026-12-05T12:00:00Z", "s2026-12-01T12:00:00Z"},
};

static void add_extra(struct schedule *schedule, const char *extra)
{
    struct err err = ERR_INIT;
    struct slice rest = slice_of(extra), word;
    while (slice_word(&rest, &word)) {
        struct slice value = slice_sub(word, 1, word.len);
        if (word.p[0] == 'm')
            schedule->minimum = strtoll(value.p, NULL, 10);
        else if (word.p[0] == 'w')
            schedule->weekends_off = true;
        else if (word.p[0] == 'h')
            ck_ok(schedule_holidays(value, schedule, &err), err);
        else
            ck_assert(clock_parse(value, &schedule->starts));
    }
}

/* What a fuzzer found: a zone that no record could hold; a holiday that is none, and was counted. */
START_TEST(nothing_of_what_is_refused_stays)
{
    struct schedule schedule;
    struct err err = ERR_INIT;
    schedule_init(&schedule);
    ck_assert_int_eq(schedule_parse(slice_of("mon 20:00 \xCC\xD2/"), "UTC", &schedule, &err), -1);
    err_clear(&err);
    schedule_init(&schedule);
    ck_assert_int_eq(schedule_holidays(slice_of("12-25 12-99"), &schedule, &err), -1);
    ck_assert_int_eq(schedule.holiday_count, 1);
}
END_TEST

START_TEST(the_next_deadline)
{
    struct err err = ERR_INIT;
    struct zones zones = {NULL, 0, 0};
    const struct table_row *row = &table[_i];
    struct schedule schedule, again;
    schedule_init(&schedule);
    ck_ok(schedule_parse(slice_of(row->schedule), "UTC", &schedule, &err), err);
    add_extra(&schedule, row->extra);
    ck_ok(schedule_take_zone(&schedule, &zones, at(row->from), &err), err);
    int64_t want = *row->want ? at(row->want) : 0;
    int64_t got = schedule_next(&schedule, at(row->from));
    char text[CLOCK_TEXT];
    clock_utc(text, got);
    ck_assert_msg(got == want, "%s from %s: %s, not %s", row->schedule, row->from, text, row->want);
    /* a deadline is settled where it is */
    if (got)
        ck_assert_int_eq(schedule_settle(&schedule, got), got);
    /* through a record and back it is the same */
    json_t *json = schedule_json(&schedule);
    ck_ok(schedule_read(json, &again, &err), err);
    json_t *json_again = schedule_json(&again);
    ck_assert(json_equal(json, json_again));
    ck_assert_int_eq(schedule_next(&again, at(row->from)), want);
    json_decref(json);
    json_decref(json_again);
    zones_release(&zones);
}
END_TEST

/* ---- for other programs ---- */

#define OTHERS "tests/verifier/schedules.json"

/* Deadlines that follow each other, the first from where the clock is about to change. */
static const struct {
    const char *schedule, *extra, *from;
} followed[] = {
    {"daily 02:30 Europe/Berlin", "", "2027-03-25T12:00:00Z"},
    {"daily 02:30 Europe/Berlin", "", "2027-10-28T12:00:00Z"},
    {"daily 00:10 23:50 America/Nuuk", "", "2027-03-25T12:00:00Z"},
    {"daily 01:50 02:10 Australia/Lord_Howe", "", "2027-04-01T12:00:00Z"},
    {"mon wed 20:00 sun 00:30 America/Santiago", "w h09-08", "2027-08-30T12:00:00Z"},
    {"daily 03:00 Pacific/Chatham", "m90000", "2027-09-22T12:00:00Z"},
    {"tue fri 20:00 Asia/Kathmandu", "h2027-02-02 h01-01", "2026-12-20T12:00:00Z"},
    {"36h Europe/Dublin", "w h10-29", "2027-10-20T01:30:00Z"},
    {"7h UTC", "w h12-25", "2026-12-20T12:00:00Z"},
    {"1d12h", "w h12-25 s2026-12-24T06:00:00Z", "2026-12-20T12:00:00Z"},
    {"daily 20:00 UTC", "s2026-12-24T20:00:00Z", "2026-12-20T12:00:00Z"},
    {"90m", "m7200", "2026-12-20T12:00:00Z"},
    {"never", "", "2026-12-20T12:00:00Z"},
};

static json_t *vector(const char *text, const char *extra, const char *from, int count)
{
    struct err err = ERR_INIT;
    struct zones zones = {NULL, 0, 0};
    struct schedule schedule;
    json_t *pairs = json_array();
    int64_t opens = at(from);
    schedule_init(&schedule);
    ck_ok(schedule_parse(slice_of(text), "UTC", &schedule, &err), err);
    add_extra(&schedule, extra);
    ck_ok(schedule_take_zone(&schedule, &zones, opens, &err), err);
    for (int i = 0; i < count; i++) {
        int64_t deadline = schedule_next(&schedule, opens);
        json_array_append_new(
            pairs, json_pack("[o,o]", json_time(opens), deadline ? json_time(deadline) : json_null()));
        opens = deadline ? deadline : opens + 1;
    }
    zones_release(&zones);
    return json_pack("{s:o,s:I,s:o}", "clock", schedule_json(&schedule), "turn_length",
                     (json_int_t)schedule.length, "deadlines", pairs);
}

/* The second verifier reads the file; it is of what the tables above have, worked out by Python's zoneinfo, and of days in a row. */
START_TEST(deadlines_for_other_programs)
{
    struct err err = ERR_INIT;
    struct str got = STR_INIT, want = STR_INIT;
    for (size_t i = 0; i < sizeof table / sizeof *table + sizeof followed / sizeof *followed; i++) {
        const size_t more = i - sizeof table / sizeof *table;
        json_t *one = i < sizeof table / sizeof *table
                          ? vector(table[i].schedule, table[i].extra, table[i].from, 1)
                          : vector(followed[more].schedule, followed[more].extra, followed[more].from, 12);
        char *line = json_dumps(one, JSON_COMPACT | JSON_SORT_KEYS);
        str_addf(&got, "%s%s", i ? ",\n" : "[", line);
        free(line);
        json_decref(one);
    }
    str_adds(&got, "]\n");
    if (getenv("GOLDEN_WRITE"))
        ck_ok(file_overwrite(OTHERS, slice_str(&got), 0644, &err), err);
    ck_ok(file_read(OTHERS, (size_t)1 << 20, &want, &err), err);
    ck_assert_msg(got.len == want.len && memcmp(got.p, want.p, got.len) == 0,
                  OTHERS " is not as here; GOLDEN_WRITE=1 rewrites it");
    str_release(&got);
    str_release(&want);
}
END_TEST

/* ---- the zone ---- */

/* What a record may say of a zone's clock. */
START_TEST(what_the_clock_shows)
{
    static const struct {
        const char *schedule, *zone, *rest;
        bool good;
    } rows[] = {
        {"daily 20:00 Europe/Berlin", "Europe/Berlin", "\"offset\":3600", true},
        {"daily 20:00 Europe/Berlin", "Europe/Berlin",
         "\"offset\":3600,\"changes\":[{\"at\":\"2027-03-28T01:00:00Z\",\"offset\":7200}]", true},
        {"daily 20:00 Etc/GMT+12", "Etc/GMT+12", "\"offset\":-43200", true},
        {"daily 20:00 Pacific/Kiritimati", "Pacific/Kiritimati", "\"offset\":50400", true},
        {"daily 20:00 CET", "CET", "\"offset\":3600", true}, /* by league.ini: a name without "/" */
        {"daily 20:00 UTC", "UTC", "\"early\":true", true},
        {"1d", "Europe/Berlin", "\"early\":true", true},
        {"daily 20:00 Europe/Berlin", "Europe/Berlin", "\"early\":true", false}, /* it is missing */
        {"daily 20:00 UTC", "UTC", "\"offset\":0", false},
        {"1d", "Europe/Berlin", "\"offset\":3600", false},
        {"1d Europe/Berlin", "Europe/Berlin", "\"offset\":3600,\"weekends_off\":true", true},
        {"1d Europe/Berlin", "Europe/Berlin", "\"weekends_off\":true", false},
        {"daily 20:00 UTC", "UTC", "\"changes\":[{\"at\":\"2027-03-28T01:00:00Z\",\"offset\":7200}]", false},
        {"daily 20:00 Europe/Berlin", "Europe/Berlin", "\"offset\":3601", false},
        {"daily 20:00 Europe/Berlin", "Europe/Berlin", "\"offset\":51300", false},
        {"daily 20:00 Europe/Berlin", "Europe/Berlin", "\"offset\":-44100", false},
        {"daily 20:00 Europe/Berlin", "Europe/Berlin", "\"offset\":\"3600\"", false},
        {"daily 20:00 Europe/Berlin", "Europe/Berlin",
         "\"offset\":3600,\"changes\":[{\"at\":\"2027-03-28T01:00:00Z\",\"offset\":3600}]", false},
        {"daily 20:00 Europe/Berlin", "Europe/Berlin",
         "\"offset\":3600,\"changes\":[{\"at\":\"2027-03-28T01:00:00Z\",\"offset\":7200},{\"at\":\"2027-03-"
         "28T01:00:00Z\","
         "\"offset\":3600}]",
         false},
        {"daily 20:00 Europe/Berlin", "Europe/Berlin",
         "\"offset\":3600,\"changes\":[{\"at\":\"tomorrow\",\"offset\":7200}]", false},
        {"daily 20:00 posixrules", "posixrules", "\"offset\":3600", false},
        {"daily 20:00 ../Berlin", "../Berlin", "\"offset\":3600", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        struct schedule schedule;
        struct str text = STR_INIT;
        str_addf(
            &text,
            "{\"schedule\":\"%s\",\"zone\":\"%s\",\"grace\":0,\"minimum\":0,\"vote\":50,\"extension\":0,%s}",
            rows[i].schedule, rows[i].zone, rows[i].rest);
        json_t *json = json_loads(text.p, 0, NULL);
        ck_assert_ptr_nonnull(json);
        ck_assert_msg((schedule_read(json, &schedule, &err) == 0) == rows[i].good, "%s: %s", text.p,
                      err.text);
        json_decref(json);
        str_release(&text);
    }
}
END_TEST

/* Not by quarters of an hour, as a place had it long ago; a name that the zone data do not have. */
START_TEST(zones_that_no_game_can_have)
{
    struct zones zones = {NULL, 0, 0};
    struct schedule schedule;
    struct err err = ERR_INIT;
    char folder[SCRATCH_PATH];
    struct str file = STR_INIT, path = STR_INIT;
    str_add(&file, "TZif\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\4",
            44);
    str_add(&file, "\xff\xff\xf5\x92\0\0LMT", 10); /* -0:44:30 */
    scratch_make(folder, "zones");
    str_addf(&path, "%s/Odd", folder);
    ck_ok(file_overwrite(path.p, slice_str(&file), 0644, &err), err);
    char *before = mem_strdup(getenv("TZDIR"));
    setenv("TZDIR", folder, 1);
    schedule_init(&schedule);
    ck_ok(schedule_parse(slice_of("daily 20:00 Odd"), "UTC", &schedule, &err), err);
    ck_assert_int_eq(schedule_take_zone(&schedule, &zones, at("2026-11-20T12:00:00Z"), &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "quarters of an hour"));
    err_clear(&err);
    ck_ok(schedule_parse(slice_of("daily 20:00 Mars/Olympus"), "UTC", &schedule, &err), err);
    ck_assert_int_eq(schedule_take_zone(&schedule, &zones, at("2026-11-20T12:00:00Z"), &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "unknown time zone \"Mars/Olympus\""));
    setenv("TZDIR", before, 1);
    free(before);
    scratch_remove(folder);
    zones_release(&zones);
    str_release(&file);
    str_release(&path);
}
END_TEST

/* Over years, whatever the zone does: each deadline is later than the one before by what the schedule says,
 * give or take what the clock is put forward. */
START_TEST(deadlines_follow_each_other)
{
    static const char *const zones_tried[] = {"Europe/Berlin", "America/Santiago", "Australia/Lord_Howe",
                                              "Africa/Cairo",  "Pacific/Chatham",  "America/Nuuk"};
    for (size_t i = 0; i < sizeof zones_tried / sizeof *zones_tried; i++) {
        for (int hour = 0; hour < 24; hour++) {
            struct err err = ERR_INIT;
            struct zones zones = {NULL, 0, 0};
            struct schedule schedule;
            struct str text = STR_INIT;
            schedule_init(&schedule);
            str_addf(&text, "daily %02d:30 %s", hour, zones_tried[i]);
            ck_ok(schedule_parse(slice_str(&text), "UTC", &schedule, &err), err);
            ck_ok(schedule_take_zone(&schedule, &zones, at("2026-11-20T12:00:00Z"), &err), err);
            int64_t last = schedule_next(&schedule, at("2026-11-20T12:00:00Z"));
            for (int day = 0; day < 800; day++) {
                int64_t next = schedule_next(&schedule, last);
                ck_assert_msg(next - last >= 82800 && next - last <= 90000, "%s: %lld after %lld", text.p,
                              (long long)(next - last), (long long)last);
                last = next;
            }
            str_release(&text);
            zones_release(&zones);
        }
    }
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "says no time"},
        {"Europe/Berlin", "says no time"},
        {"mon", "a day without an hour"},
        {"mon 20:00 wed", "a day without an hour"},
        {"20:00", "is no day, hour"},
        {"mon 24:00", "\"24:00\" is no day"},
        {"mon 8:00", "\"8:00\" is no day"},
        {"mon-xyz 20:00", "is no day"},
        {"3d mon 20:00", "only one of them"},
        {"mon 20:00 3d", "\"3d\" is no day"},
        {"mon 20:00 UTC tue", "after the zone"},
        {"mon 00:00 01:00 02:00 03:00 04:00 05:00 06:00 07:00 08:00 09:00 10:00 11:00 12:00 13:00 14:00 "
         "15:00 16:00",
         "more than 16 hours"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = ERR_INIT;
        struct schedule schedule;
        schedule_init(&schedule);
        ck_assert_msg(schedule_parse(slice_of(bad[i].text), "UTC", &schedule, &err) == -1, "took %s",
                      bad[i].text);
        ck_assert_msg(strstr(err.text, bad[i].words) != NULL, "%s: %s", bad[i].text, err.text);
    }
    static const char *const days[] = {"2026-02-30", "02-30", "13-01", "12-00", "christmas", "12-25-"};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        struct err err = ERR_INIT;
        struct schedule schedule;
        schedule_init(&schedule);
        ck_assert_msg(schedule_holidays(slice_of(days[i]), &schedule, &err) == -1, "took %s", days[i]);
    }
}
END_TEST

START_TEST(what_can_never_be_played)
{
    static const struct {
        const char *text;
        bool weekends_off, late; /* nothing is resolved early */
        const char *words;       /* "" = it is good */
    } rows[] = {
        {"sat sun 12:00 Europe/Berlin", true, false,
         "every hour of \"sat sun 12:00 Europe/Berlin\" is on a weekend"},
        {"weekends 08:00 20:00", true, false, "is on a weekend"},
        {"sat 12:00 sun 20:00", true, true, "is on a weekend"},
        {"sat sun 12:00", false, true, ""},
        {"fri-sun 12:00", true, false, ""},
        {"sat 12:00 mon 20:00", true, false, ""},
        {"1d", true, true, ""},
        {"never", true, false, ""},
        {"never", false, true, "would never be played"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        struct schedule schedule;
        schedule_init(&schedule);
        ck_ok(schedule_parse(slice_of(rows[i].text), "UTC", &schedule, &err), err);
        schedule.weekends_off = rows[i].weekends_off;
        schedule.early = !rows[i].late;
        ck_assert_msg(schedule_check(&schedule, &err) == (*rows[i].words ? -1 : 0), "%s", rows[i].text);
        ck_assert_msg(strstr(err.text, rows[i].words) != NULL, "%s: %s", rows[i].text, err.text);
    }
}
END_TEST

START_TEST(a_list_of_holidays)
{
    struct err err = ERR_INIT;
    struct schedule schedule;
    schedule_init(&schedule);
    ck_ok(
        schedule_holidays(slice_of("# Germany\n12-25 12-26, 01-01\n2027-03-26 # Good Friday\n\n2027-03-29\n"),
                          &schedule, &err),
        err);
    ck_assert_int_eq(schedule.holiday_count, 5);
    ck_assert_int_eq(schedule.holidays[3].year, 2027);
    /* No record of ours says so (schedule_check); one that does is played, a week a turn. */
    schedule.slot_count = 1;
    schedule.slots[0] = (struct schedule_slot){0x60, 600};
    schedule.weekends_off = true;
    ck_assert_int_eq(schedule_next(&schedule, 1000), 1001 + 7 * 86400);
}
END_TEST

START_TEST(a_game_starts_at_no_negative_time)
{
    struct err err = ERR_INIT;
    struct schedule schedule;
    schedule_init(&schedule);
    ck_ok(schedule_parse(slice_of("3d"), "UTC", &schedule, &err), err);
    json_t *json = schedule_json(&schedule);
    json_object_set_new(json, "starts", json_integer(0));
    ck_ok(schedule_read(json, &schedule, &err), err);
    json_object_set_new(json, "starts", json_integer(-1));
    ck_assert_int_ne(schedule_read(json, &schedule, &err), 0);
    json_decref(json);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, the_next_deadline, 0, sizeof table / sizeof *table);
    tcase_add_test(tc, deadlines_for_other_programs);
    tcase_add_test(tc, what_the_clock_shows);
    tcase_add_test(tc, zones_that_no_game_can_have);
    tcase_add_test(tc, nothing_of_what_is_refused_stays);
    tcase_add_test(tc, deadlines_follow_each_other);
    tcase_add_test(tc, what_is_wrong_is_said);
    tcase_add_test(tc, what_can_never_be_played);
    tcase_add_test(tc, a_list_of_holidays);
    tcase_add_test(tc, a_game_starts_at_no_negative_time);
}
TEST_MAIN("league/schedule", cases)
