/* Times and durations: what base/moment.h gives, in the words of templates/common/. */
#include "base/moment.h"
#include "base/zone.h"

#include "base/clock.h"
#include "report/render.h"
#include "suite.h"

static struct templates *templates;

static void begin(void)
{
    templates_open(NULL, &templates);
}

static void end(void)
{
    templates_close(templates);
}

/* The words of {{moment}} or {{duration}}; takes the reference. */
static void says(json_t *json, const char *want)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    const char *name = json_object_iter_key(json_object_iter(json));
    struct str file = STR_INIT;
    str_addf(&file, "%s.txt", name);
    ck_ok(templates_piece(templates, &(struct template_name){"", file.p}, json_object_get(json, name), &text,
                          &err),
          err);
    ck_assert_str_eq(text.p, want);
    json_decref(json);
    str_release(&text);
    str_release(&file);
}

START_TEST(three_zones)
{
    static const struct {
        const char *league, *own;
        int64_t time;
        const char *want;
    } cases[] = {
        {"Europe/Berlin", "America/New_York", 1795161600,
         "Fri 20 Nov, 09:00 CET (08:00 UTC, 03:00 in New York)"},
        {"Europe/Berlin", "Asia/Tokyo", 1795161600 + 15 * 3600 + 1800,
         "Sat 21 Nov, 00:30 CET (Fri 23:30 UTC, 08:30 in Tokyo)"},
        {"Europe/Berlin", "Pacific/Honolulu", 1795161600 - 7200,
         "Fri 20 Nov, 07:00 CET (06:00 UTC, Thu 20:00 in Honolulu)"},
        {"Europe/Berlin", "Europe/Paris", 1795161600, "Fri 20 Nov, 09:00 CET (08:00 UTC)"},
        {"Europe/Berlin", "Europe/London", 1795161600, "Fri 20 Nov, 09:00 CET (08:00 UTC)"},
        {"Europe/Berlin", "Europe/London", 1782201600, /* in summer: the clocks differ from UTC */
         "Tue 23 Jun, 10:00 CEST (08:00 UTC, 09:00 in London)"},
        {"UTC", "Asia/Kathmandu", 1795161600, "Fri 20 Nov, 08:00 UTC (13:45 in Kathmandu)"},
        {"UTC", "America/Argentina/Buenos_Aires", 1795161600,
         "Fri 20 Nov, 08:00 UTC (05:00 in Buenos Aires)"},
        {"UTC", "UTC", 1795161600, "Fri 20 Nov, 08:00 UTC"},
        {"Europe/Berlin", NULL, 1795161600 + 15 * 3600 + 1800, "Sat 21 Nov, 00:30 CET (Fri 23:30 UTC)"},
        {"UTC", NULL, 1793865600, "Thu 5 Nov, 08:00 UTC"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = ERR_INIT;
        struct zone *zone = NULL;
        ck_ok(zone_set(cases[i].league, &err), err);
        if (cases[i].own)
            ck_ok(zone_load(cases[i].own, &zone, &err), err);
        says(moment_json(cases[i].time, zone), cases[i].want);
        zone_free(zone);
    }
}
END_TEST

/* Each day and each month, as the C library calls them, with the year. */
START_TEST(days_and_months)
{
    struct err err = ERR_INIT;
    ck_ok(zone_set("Asia/Kathmandu", &err), err);
    for (int64_t time = 1795161600; time < 1795161600 + (int64_t)366 * 86400; time += 86400 + 3660) {
        struct str text = STR_INIT;
        clock_both(&text, time);
        says(moment_dated_json(time), text.p);
        str_release(&text);
    }
}
END_TEST

START_TEST(durations)
{
    static const struct {
        int64_t seconds;
        const char *said;
    } cases[] = {{0, "0 seconds"},
                 {1, "1 second"},
                 {59, "59 seconds"},
                 {60, "1 minute"},
                 {3599, "59 minutes 59 seconds"},
                 {3600, "1 hour"},
                 {43200, "12 hours"},
                 {86400, "1 day"},
                 {86401, "1 day 1 second"},
                 {129600, "1 day 12 hours"},
                 {31622400, "366 days"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        says(duration_json(cases[i].seconds), cases[i].said);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, three_zones);
    tcase_add_test(tc, days_and_months);
    tcase_add_test(tc, durations);
}
TEST_MAIN("report/moment", cases)
