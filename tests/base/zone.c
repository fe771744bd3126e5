/* Against zone data of our own (tests/zones), whatever governments do: a table of hours worked out with Python's zoneinfo
 * (fold=0). Against the system's: the C library's own answers over many years. */
#include "scratch.h"

#include <endian.h>
#include <time.h>

#include "base/date.h"
#include "base/mem.h"
#include "base/zone.h"

/* The files of tests/zones, which all suites use in place of the system's (suite.h): each has one rule for all years. */
static const struct {
    const char *zone, *rule;
} ours[] = {
    {"Africa/Cairo", "EET-2EEST,M4.5.5/0,M10.5.4/24"},
    {"America/Argentina/Buenos_Aires", "<-03>3"},
    {"America/New_York", "EST5EDT,M3.2.0,M11.1.0"},
    {"America/Nuuk", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"},
    {"America/Santiago", "<-04>4<-03>,M9.1.6/24,M4.1.6/24"},
    {"America/St_Johns", "NST3:30NDT,M3.2.0,M11.1.0"},
    {"Antarctica/Troll", "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3"},
    {"Asia/Beirut", "EET-2EEST,M3.5.0/0,M10.5.0/0"},
    {"Asia/Kathmandu", "<+0545>-5:45"},
    {"Asia/Kolkata", "IST-5:30"},
    {"Asia/Tehran", "<+0330>-3:30"},
    {"Asia/Tokyo", "JST-9"},
    {"Australia/Lord_Howe", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"},
    {"Australia/Sydney", "AEST-10AEDT,M10.1.0,M4.1.0/3"},
    {"Etc/GMT+12", "<-12>12"},
    {"Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3"},
    {"Europe/Dublin", "IST-1GMT0,M10.5.0,M3.5.0/1"},
    {"Europe/London", "GMT0BST,M3.5.0/1,M10.5.0"},
    {"Europe/Paris", "CET-1CEST,M3.5.0,M10.5.0/3"},
    {"Pacific/Chatham", "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"},
    {"Pacific/Honolulu", "HST10"},
    {"Pacific/Kiritimati", "<+14>-14"},
};

static const struct {
    const char *zone, *local;
    int64_t time;
} hours[] = {
    {"Europe/Berlin", "2027-03-28 02:30", 1806197400},
    {"Europe/Berlin", "2027-10-31 02:30", 1824942600},
    {"Europe/Berlin", "2027-03-28 01:59", 1806195540},
    {"Europe/Berlin", "2027-03-28 03:00", 1806195600},
    {"Europe/Berlin", "2027-07-01 20:00", 1814464800},
    {"Europe/Berlin", "2027-12-31 23:59", 1830293940},
    {"Europe/Berlin", "2060-07-01 20:00", 2855930400},
    {"Europe/Berlin", "2060-03-28 02:30", 2847663000},
    {"America/New_York", "2027-03-14 02:15", 1805008500},
    {"America/New_York", "2027-11-07 01:30", 1825565400},
    {"America/New_York", "2028-02-29 20:00", 1835485200},
    {"America/Santiago", "2027-09-05 00:30", 1820118600},
    {"America/Santiago", "2027-04-03 23:30", 1806805800},
    {"Australia/Sydney", "2027-10-03 02:30", 1822494600},
    {"Australia/Sydney", "2027-04-04 02:30", 1806766200},
    {"Australia/Sydney", "2070-01-15 12:00", 3156973200},
    {"Australia/Lord_Howe", "2027-10-03 02:10", 1822491600},
    {"Australia/Lord_Howe", "2027-04-04 01:45", 1806763500},
    {"Asia/Kolkata", "2027-06-01 20:00", 1811860200},
    {"Asia/Kathmandu", "2027-06-01 20:00", 1811859300},
    {"Asia/Tehran", "2027-06-01 20:00", 1811867400},
    {"Pacific/Chatham", "2027-09-26 02:50", 1821881100},
    {"Pacific/Chatham", "2027-04-04 02:50", 1806757500},
    {"Pacific/Chatham", "2027-12-31 23:59", 1830248040},
    {"America/St_Johns", "2027-03-14 02:30", 1805004000},
    {"Pacific/Kiritimati", "2027-01-01 00:00", 1798711200},
    {"Etc/GMT+12", "2027-01-01 00:00", 1798804800},
    {"Europe/Dublin", "2027-03-28 01:30", 1806197400},
    {"Europe/Dublin", "2027-10-31 01:30", 1824942600},
    {"America/Nuuk", "2027-03-27 23:30", 1806197400},
    {"Africa/Cairo", "2027-04-30 00:20", 1809037200},
    {"Asia/Beirut", "2027-03-28 00:30", 1806186600},
    {"Antarctica/Troll", "2027-03-28 02:00", 1806199200},
    {"UTC", "2028-02-29 23:59", 1835481540},
};

static void put(struct str *out, uint64_t number, size_t bytes)
{
    uint64_t big = htobe64(number);
    str_add(out, (const char *)&big + sizeof big - bytes, bytes);
}

/* A TZif file as slim zone data has it: nothing in the block for old programs, then `count` changes, each to the next of
 * count + 1 offsets, and the rule after the last. */
static void tzif(struct str *out, size_t count, const int64_t *change, const int32_t *offset,
                 const char *rule)
{
    for (int block = 0; block < 2; block++) {
        size_t here = block ? count : 0;
        static const char head[32] = "TZif2"; /* no leap seconds, nothing of the wall clock or of UTC */
        str_add(out, head, sizeof head);
        put(out, here, 4);
        put(out, here + 1, 4);
        put(out, 4, 4);
        for (size_t i = 0; i < here; i++)
            put(out, (uint64_t)change[i], 8);
        for (size_t i = 0; i < here; i++)
            str_addc(out, (char)(i + 1));
        for (size_t i = 0; i <= here; i++) {
            put(out, (uint32_t)offset[i], 4);
            str_add(out, "\0\0", 2);
        }
        str_add(out, "UTC", 4);
    }
    str_addf(out, "\n%s\n", rule);
}

/* All in the rule. */
static void slim(struct str *out, const char *rule)
{
    tzif(out, 0, NULL, &(int32_t){0}, rule);
}

START_TEST(files_of_tests_zones)
{
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        struct err err = ERR_INIT;
        struct str want = STR_INIT, got = STR_INIT;
        char *path = path_join("tests/zones", ours[i].zone);
        tzif(&want, 1, &(int64_t){INT32_MIN}, (int32_t[]){0, 0},
             ours[i].rule); /* the C library asks no rule before a change */
        if (getenv("GOLDEN_WRITE"))
            ck_ok(file_overwrite(path, slice_str(&want), 0644, &err), err);
        ck_ok(file_read(path, SCRATCH_MOST, &got, &err), err);
        ck_assert_msg(got.len == want.len && memcmp(got.p, want.p, got.len) == 0,
                      "%s is not as here; GOLDEN_WRITE=1 rewrites it", path);
        free(path);
        str_release(&want);
        str_release(&got);
    }
}
END_TEST

static int64_t time_in(const struct zone *zone, const char *local)
{
    int64_t day;
    int hour = (local[11] - '0') * 10 + (local[12] - '0');
    int minute = (local[14] - '0') * 10 + (local[15] - '0');
    ck_assert(date_parse((struct slice){local, 10}, &day));
    return zone_time(zone, day, hour * 3600 + minute * 60);
}

START_TEST(hours_of_the_wall)
{
    struct err err = ERR_INIT;
    struct zones zones = {NULL, 0, 0};
    for (size_t i = 0; i < sizeof hours / sizeof *hours; i++) {
        const struct zone *zone = zones_find(&zones, hours[i].zone, &err);
        ck_assert_msg(!err.code, "%s", err.text);
        int64_t got = time_in(zone, hours[i].local);
        ck_assert_msg(got == hours[i].time, "%s %s: %lld, not %lld", hours[i].zone, hours[i].local,
                      (long long)got, (long long)hours[i].time);
    }
    zones_release(&zones);
}
END_TEST

/* Zones of the system with changes of all kinds, as many as it has, every nine days or so from 1902 to 2100, against
 * localtime. */
START_TEST(offsets_as_the_c_library_has_them)
{
    static const char *const tried[] = {
        "Europe/Berlin", "America/New_York",   "America/Santiago", "Australia/Sydney", "Australia/Lord_Howe",
        "Asia/Kolkata",  "Asia/Kathmandu",     "Asia/Tehran",      "Pacific/Chatham",  "America/St_Johns",
        "Pacific/Apia",  "Pacific/Kiritimati", "Etc/GMT+12",       "Europe/Dublin",    "America/Nuuk",
        "Africa/Cairo",  "Africa/Casablanca",  "Asia/Beirut",      "Asia/Gaza",        "Antarctica/Troll",
    };
    char *zones_of_tests = slice_dup(slice_of(zone_folder()));
    ck_assert_int_eq(unsetenv("TZDIR"), 0);
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        struct err err = ERR_INIT;
        struct zone *zone;
        if (zone_load(tried[i], &zone, &err))
            continue;
        ck_assert_int_eq(setenv("TZ", tried[i], 1), 0);
        tzset();
        for (int64_t t = -2145916800; t < 4102444800; t += 797400) {
            struct tm tm;
            time_t at = (time_t)t;
            ck_assert_ptr_nonnull(localtime_r(&at, &tm));
            ck_assert_msg(zone_offset(zone, t) == tm.tm_gmtoff, "%s at %lld: %d, not %ld", tried[i],
                          (long long)t, zone_offset(zone, t), tm.tm_gmtoff);
        }
        zone_free(zone);
    }
    ck_assert_int_eq(setenv("TZDIR", zones_of_tests, 1), 0);
    ck_assert_int_eq(setenv("TZ", "UTC", 1), 0);
    tzset();
    free(zones_of_tests);
}
END_TEST

/* Whatever the hour, the clock then shows it; or it is skipped, and the clock shows a later one. */
START_TEST(there_and_back)
{
    struct err err = ERR_INIT;
    struct zones zones = {NULL, 0, 0};
    for (size_t i = 0; i < sizeof hours / sizeof *hours; i++) {
        const struct zone *zone = zones_find(&zones, hours[i].zone, &err);
        int64_t first = date_number((struct date){2026, 1, 1});
        for (int64_t day = first; day < first + 400; day++) {
            for (int second = 0; second < 86400; second += 1800) {
                int64_t got_day;
                int got;
                zone_local(zone, zone_time(zone, day, second), &got_day, &got);
                int64_t skipped = (got_day - day) * 86400 + got - second;
                ck_assert_msg(skipped >= 0 && skipped <= 7200, "%s", hours[i].zone);
            }
        }
    }
    zones_release(&zones);
}
END_TEST

START_TEST(rules_behind_the_last_change)
{
    static const struct {
        const char *rule, *local;
        int64_t time; /* by the table above, and `date` */
    } rules[] = {
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2027-03-28 02:30", 1806197400},
        {"CET-1CEST,M3.5.0,M10.5.0/3", "2027-10-31 02:30", 1824942600},
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", "2027-04-04 02:30", 1806766200},
        {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2027-10-03 02:10", 1822491600},
        {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-27 23:30", 1806197400},
        {"EST5EDT,J60/0,J300/0", "2027-02-28 12:00", 1803834000},
        {"EST5EDT,59/0,300/0", "2028-02-29 12:00", 1835452800},
        {"EST5EDT,J60/0,J300/0", "2028-02-29 12:00", 1835456400},
        {"EST5EDT,0/0,J365/25", "2028-12-31 23:00", 1861930800} /* summer all year: RFC 8536 section 3.3.1 */,
        {"<+0545>-5:45", "2027-06-01 20:00", 1811859300},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct err err = ERR_INIT;
        struct zone *zone;
        struct str bytes = STR_INIT;
        slim(&bytes, rules[i].rule);
        ck_ok(zone_read(slice_str(&bytes), "Test/Slim", &zone, &err), err);
        int64_t got = time_in(zone, rules[i].local);
        ck_assert_msg(got == rules[i].time, "%s %s: %lld", rules[i].rule, rules[i].local, (long long)got);
        ck_assert_str_eq(zone_name(zone), "Test/Slim");
        zone_free(zone);
        str_release(&bytes);
    }
}
END_TEST

/* Changes that follow no rule: a summer time that is interrupted for some weeks, and a day that never was. */
START_TEST(changes_that_are_listed)
{
    static const struct {
        int64_t change[2]; /* to the second offset, and to the third */
        int32_t offset[3]; /* before the first change, and after each */
        const char *local;
        int64_t time;
    } lists[] = {
        {{1801965600, 1804989600},
         {3600, 0, 3600},
         "2027-02-07 02:30",
         1801963800}, /* Morocco's Ramadan in 2027 */
        {{1801965600, 1804989600}, {3600, 0, 3600}, "2027-03-14 02:30", 1804991400},
        {{1325239200, 1333202400}, {-36000, 50400, 46800}, "2011-12-30 10:00", 1325275200}, /* Samoa */
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct err err = ERR_INIT;
        struct str bytes = STR_INIT;
        struct zone *zone;
        tzif(&bytes, 2, lists[i].change, lists[i].offset, "");
        ck_ok(zone_read(slice_str(&bytes), "Test/Listed", &zone, &err), err);
        int64_t got = time_in(zone, lists[i].local);
        ck_assert_msg(got == lists[i].time, "%s: %lld", lists[i].local, (long long)got);
        zone_free(zone);
        str_release(&bytes);
    }
}
END_TEST

START_TEST(damaged_data_is_refused)
{
    static const char *const bad[] = {"CET",
                                      "C-1",
                                      "CET-1CEST",
                                      "CET-1CEST,M3.5.0",
                                      "CET-1CEST,M13.5.0,M10.5.0",
                                      "CET-1CEST,M3.6.0,M10.5.0",
                                      "CET-1X",
                                      "<+01-1",
                                      "CET-1CEST,M3.5.0,M10.5.0,",
                                      "CET-999"};
    struct str bytes = STR_INIT;
    struct zone *zone;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = ERR_INIT;
        str_clear(&bytes);
        slim(&bytes, bad[i]);
        ck_assert_msg(zone_read(slice_str(&bytes), "x", &zone, &err) == -1, "took %s", bad[i]);
    }
    str_clear(&bytes);
    slim(&bytes, "CET-1CEST,M3.5.0,M10.5.0/3");
    for (size_t i = 0; i < bytes.len; i++) { /* cut anywhere: an error or a zone, never worse */
        struct err err = ERR_INIT;
        char *copy = slice_dup(slice_sub(slice_str(&bytes), 0, i));
        if (zone_read((struct slice){copy, i}, "x", &zone, &err) == 0)
            zone_free(zone);
        free(copy);
    }
    for (size_t i = 0; i < 98; i++) {
        struct err err = ERR_INIT;
        bytes.p[i] ^= 0x55;
        if (zone_read(slice_str(&bytes), "x", &zone, &err) == 0)
            zone_free(zone);
        bytes.p[i] ^= 0x55;
    }
    str_release(&bytes);
}
END_TEST

/* An offset of more than a day or so is damage, the most negative number of all among them. */
START_TEST(offsets_out_of_range_are_refused)
{
    static const char *const bad[] = {"\x80\0\0\0", "\x7f\xff\xff\xff", "\x80\0\0\1", "\0\1\x6d\xa1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = ERR_INIT;
        struct str bytes = STR_INIT;
        struct zone *zone;
        slim(&bytes, "CET-1");
        memcpy(bytes.p + 44 + 10 + 44, bad[i], 4); /* in the second block */
        ck_assert_msg(zone_read(slice_str(&bytes), "x", &zone, &err) == -1, "took number %zu", i);
        str_release(&bytes);
    }
}
END_TEST

START_TEST(unknown_zones)
{
    static const char *const bad[] = {"Mars/Olympus", "../../etc/passwd", "/etc/localtime", "", "Europe",
                                      "a b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = ERR_INIT;
        struct zone *zone;
        ck_assert_int_eq(zone_load(bad[i], &zone, &err), -1);
        ck_assert_ptr_nonnull(strstr(err.text, "unknown time zone"));
    }
    ck_assert_int_eq(zone_offset(NULL, 0), 0);
}
END_TEST

/* What else is in the folder of zone data, and in others. */
START_TEST(files_that_are_no_zones)
{
    static const char *const good[] = {"Europe/Berlin", "Etc/GMT+12", "W-SU", "EST5EDT",
                                       "America/Argentina/Buenos_Aires"};
    static const char *const bad[] = {"tzdata.zi", "posixrules",
                                      "localtime", "right/Europe/Berlin",
                                      "Europe/",   "Europe//Paris",
                                      "/Berlin",   "Europe/..",
                                      "5EDT",      "Europe/Berlin_and_all_the_places_of_its_neighbourhood"};
    char folder[SCRATCH_PATH];
    struct str path = STR_INIT, rules = STR_INIT;
    struct err err = ERR_INIT;
    struct zone *zone = NULL;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_msg(zone_name_good(slice_of(good[i])), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!zone_name_good(slice_of(bad[i])), "%s", bad[i]);
    scratch_make(folder, "zones");
    char *before = mem_strdup(getenv("TZDIR"));
    setenv("TZDIR", folder, 1);
    slim(&rules, "CET-1");
    static const struct {
        const char *name;
        bool tzif, taken;
    } files[] = {{"posixrules", true, false},
                 {"Posix", true, true},
                 {"Tzdata", false, false},
                 {"tzdata.zi", false, false}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        str_clear(&path);
        str_addf(&path, "%s/%s", folder, files[i].name);
        ck_ok(file_overwrite(path.p, files[i].tzif ? slice_str(&rules) : slice_of("# version 2026f"), 0644,
                             &err),
              err);
        ck_assert_msg((zone_load(files[i].name, &zone, &err) == 0) == files[i].taken, "%s: %s", files[i].name,
                      err.text);
        ck_assert_msg((zone_set(files[i].name, &err) == 0) == files[i].taken, "%s", files[i].name);
        zone_free(zone);
        zone = NULL;
        err_clear(&err);
    }
    setenv("TZDIR", before, 1);
    free(before);
    scratch_remove(folder);
    str_release(&path);
    str_release(&rules);
}
END_TEST

/* Ten years of a zone are the zone, and what comes after is as it was last. */
START_TEST(years_of_a_zone)
{
    const int64_t from = 1795176000; /* 2026-11-20T12:00:00Z */
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        struct err err = ERR_INIT;
        struct zone *zone;
        struct zone_years years;
        ck_ok(zone_load(ours[i].zone, &zone, &err), err);
        zone_years(zone, from, &years);
        ck_assert_int_eq(years.count, strchr(ours[i].rule, ',') ? 20 : 0);
        for (int64_t time = from; time < from + 3650 * DAY_SECONDS; time += 7919) {
            int64_t day, day_of_years;
            int second, second_of_years;
            zone_local(zone, time, &day, &second);
            zone_years_local(&years, time, &day_of_years, &second_of_years);
            ck_assert_msg(day == day_of_years && second == second_of_years, "%s at %lld", ours[i].zone,
                          (long long)time);
            ck_assert_int_eq(zone_time(zone, day, second), zone_years_time(&years, day, second));
        }
        for (int k = 0; k < years.count; k++) {
            ck_assert_int_ne(zone_offset(zone, years.at[k] - 1), years.offset[k + 1]);
            ck_assert_int_eq(zone_offset(zone, years.at[k]), years.offset[k + 1]);
        }
        zone_free(zone);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, files_of_tests_zones);
    tcase_add_test(tc, hours_of_the_wall);
    tcase_add_test(tc, offsets_as_the_c_library_has_them);
    tcase_add_test(tc, there_and_back);
    tcase_add_test(tc, rules_behind_the_last_change);
    tcase_add_test(tc, changes_that_are_listed);
    tcase_add_test(tc, files_that_are_no_zones);
    tcase_add_test(tc, years_of_a_zone);
    tcase_add_test(tc, damaged_data_is_refused);
    tcase_add_test(tc, offsets_out_of_range_are_refused);
    tcase_add_test(tc, unknown_zones);
}
TEST_MAIN_TOGETHER("base/zone", cases)
