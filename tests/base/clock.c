#include "suite.h"

#include "base/clock.h"
#include "base/zone.h"

START_TEST(utc_both_ways)
{
    char text[CLOCK_TEXT];
    int64_t time = 0;
    clock_utc(text, 1795161600);
    ck_assert_str_eq(text, "2026-11-20T08:00:00Z");
    ck_assert(clock_parse(slice_of(text), &time));
    ck_assert_int_eq(time, 1795161600);
    ck_assert(clock_parse(slice_of("2028-02-29T23:59:59Z"), &time));
}
END_TEST

START_TEST(only_that_form)
{
    static const char *const bad[] = {"2026-11-20T08:00:00",  "2026-11-20 08:00:00Z", "2026-02-30T00:00:00Z",
                                      "2026-11-20T24:00:00Z", "2026-1-20T08:00:00ZZ", "",
                                      "2026-11-20T08:00:60Z"};
    int64_t time;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!clock_parse(slice_of(bad[i]), &time), "took %s", bad[i]);
}
END_TEST

START_TEST(both_zones)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    ck_ok(zone_set("Europe/Berlin", &err), err);
    clock_both(&text, 1795161600);
    ck_assert_str_eq(text.p, "Fri 20 Nov 2026, 09:00 CET (08:00 UTC)");
    str_clear(&text);
    clock_both(&text, 1795161600 + 15 * 3600 + 1800); /* the day differs */
    ck_assert_str_eq(text.p, "Sat 21 Nov 2026, 00:30 CET (Fri 23:30 UTC)");
    str_clear(&text);
    ck_ok(zone_set("UTC", &err), err);
    clock_both(&text, 1795161600);
    ck_assert_str_eq(text.p, "Fri 20 Nov 2026, 08:00 UTC");
    ck_assert_int_eq(zone_set("Mars/Olympus", &err), -1);
    err_clear(&err);
    ck_assert_int_eq(zone_set("../../etc/passwd", &err), -1);
    str_release(&text);
}
END_TEST

START_TEST(durations)
{
    struct str text = STR_INIT;
    int64_t s = 0;
    ck_assert(duration_parse(slice_of("3d"), &s));
    ck_assert_int_eq(s, 259200);
    ck_assert(duration_parse(slice_of("1d12h"), &s));
    duration_add(&text, s);
    ck_assert_str_eq(text.p, "1d12h");
    ck_assert(!duration_parse(slice_of("3"), &s));
    ck_assert(!duration_parse(slice_of("d"), &s));
    ck_assert(!duration_parse(slice_of("0s"), &s));
    ck_assert(!duration_parse(slice_of("99999999999999999999d"), &s));
    ck_assert(!duration_parse(slice_of("400d"), &s));
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, utc_both_ways);
    tcase_add_test(tc, only_that_form);
    tcase_add_test(tc, both_zones);
    tcase_add_test(tc, durations);
}
TEST_MAIN("base/clock", cases)
