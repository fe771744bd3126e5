/* Which pauses between rounds are usual: learnt, and declared. */
#include "league/usual.h"

#include "base/date.h"
#include "suite.h"

#define HOUR   ((int64_t)3600)
#define DAY    DAY_SECONDS
#define MONDAY ((int64_t)20780) /* 2026-11-23 */
#define MOST   400

static struct zones zones;
static const struct zone *berlin;
static struct pause pauses[MOST];
static size_t count;

static void begin(void)
{
    struct err err = ERR_INIT;
    berlin = zones_find(&zones, "Europe/Berlin", &err);
    ck_assert_ptr_nonnull(berlin);
    count = 0;
}

static void end(void)
{
    zones_release(&zones);
}

/* By the clock on the wall: hours since a Monday's midnight. */
static struct pause from_to(double from, double to)
{
    struct pause pause = {zone_time(berlin, MONDAY, (int)(from * 3600)),
                          zone_time(berlin, MONDAY, (int)(to * 3600)), false};
    return pause;
}

/* Is it usual? Then it is one of those before the next. */
static bool comes(double from, double to)
{
    const struct pause pause = from_to(from, to);
    bool usual = pause_usual(pauses, count, &pause, berlin);
    ck_assert_uint_lt(count, MOST);
    pauses[count++] = pause;
    return usual;
}

START_TEST(the_fourth_night)
{
    for (int day = 0; day < 30; day++) {
        double late = (day * 7 % 5) * 0.25; /* nobody is exact */
        ck_assert_int_eq(comes(day * 24 + 22.5 - late, day * 24 + 42 + late), day >= 3);
    }
}
END_TEST

START_TEST(what_is_no_night)
{
    for (int day = 0; day < 10; day++)
        (void)comes(day * 24 + 23, day * 24 + 42);
    const struct pause days = from_to(10 * 24 + 23, 13 * 24 + 18);
    const struct pause evening = from_to(10 * 24 + 23, 11 * 24 + 42);
    const struct pause late = from_to(10 * 24 + 23, 10 * 24 + 44);
    const struct pause noon = from_to(10 * 24 + 37, 10 * 24 + 46);
    const struct pause shorter = from_to(11 * 24 + 0, 11 * 24 + 15);
    ck_assert(!pause_usual(pauses, count, &days, berlin));
    ck_assert(!pause_usual(pauses, count, &evening, berlin));
    ck_assert(!pause_usual(pauses, count, &late, berlin));
    ck_assert(!pause_usual(pauses, count, &noon, berlin));
    ck_assert(pause_usual(pauses, count, &shorter, berlin));
}
END_TEST

/* Saturdays and Sundays from 10 to 22. What is longer than an hour or two at another time is none of that. */
START_TEST(weekends)
{
    for (int week = 0; week < 12; week++) {
        double saturday = week * 168 + 120;
        ck_assert_int_eq(comes(saturday + 22, saturday + 34), week >= 3);
        ck_assert_int_eq(comes(saturday + 46, saturday + 168 + 10), week >= 3);
    }
    const struct pause sunday = from_to(12 * 168 + 120 + 12, 12 * 168 + 120 + 44);
    ck_assert(!pause_usual(pauses, count, &sunday, berlin));
}
END_TEST

/* Evenings from Monday to Friday: three days of silence in the week are no weekend. */
START_TEST(evenings_of_weekdays)
{
    for (int week = 0; week < 8; week++) {
        for (int day = 0; day < 4; day++)
            ck_assert(comes(week * 168 + day * 24 + 23, week * 168 + day * 24 + 42) || week < 3);
        ck_assert_int_eq(comes(week * 168 + 4 * 24 + 23, week * 168 + 168 + 18), week >= 3);
    }
    const struct pause silence = from_to(8 * 168 + 24 + 23, 8 * 168 + 4 * 24 + 18);
    ck_assert(!pause_usual(pauses, count, &silence, berlin));
}
END_TEST

START_TEST(every_so_many_days)
{
    for (int period = 2; period <= 9; period++) {
        count = 0;
        for (int time = 0; time < 10; time++)
            ck_assert_int_eq(comes(time * period * 24 + 21, (time + 1) * period * 24 + 18), time >= 3);
        const struct pause twice = from_to(10 * period * 24 + 21, 12 * period * 24 + 18);
        ck_assert(!pause_usual(pauses, count, &twice, berlin));
    }
}
END_TEST

/* A host that keeps to the sun of another place, through the change of the clocks in spring; then it moves.
 */
START_TEST(summer_and_other_zones)
{
    for (int day = 0; day < 200; day++) {
        int64_t first = (MONDAY + 90 + day) * DAY - (day >= 100 ? 6 * HOUR : 0);
        const struct pause night = {first, first + 15 * HOUR, false};
        bool known = day >= 3 && (day < 100 || day >= 103);
        ck_assert_int_eq(pause_usual(pauses, count, &night, berlin), known);
        pauses[count++] = night;
    }
}
END_TEST

START_TEST(three_nights_and_no_fault)
{
    for (int i = 0; i < 3; i++)
        (void)comes(i * 24 + 23, i * 24 + 42);
    const struct pause next = from_to(3 * 24 + 23, 3 * 24 + 42), later = from_to(4 * 24 + 23, 4 * 24 + 42);
    ck_assert(pause_usual(pauses, count, &next, berlin));
    ck_assert(!pause_usual(pauses, count, &later, berlin)); /* there was work in the night before */
    ck_assert(!pause_usual(pauses, 2, &next, berlin));
    ck_assert(!pause_usual(pauses, 0, &next, NULL));
}
END_TEST

/* A host that worked through one night is still recognised after a week of nights; one of two is no habit. */
START_TEST(a_night_of_work)
{
    for (int day = 0; day < 28; day++)
        if (day != 12)
            ck_assert_int_eq(comes(day * 24 + 23, day * 24 + 42), day >= 3);
    count = 0;
    for (int day = 0; day < 28; day++)
        if ((0x2b1c9a5 >> day) & 1)
            ck_assert(!comes(day * 24 + 23, day * 24 + 42));
}
END_TEST

/* A host that stood still for days still counts as one that works in the evening. */
START_TEST(nights_around_an_outage)
{
    for (int day = 0; day < 5; day++)
        (void)comes(day * 24 + 23, day * 24 + 42);
    ck_assert(!comes(5 * 24 + 23, 9 * 24 + 18));
    for (int day = 9; day < 14; day++)
        ck_assert(comes(day * 24 + 23, day * 24 + 42));
}
END_TEST

/* One round with a period of some hours. */
START_TEST(a_timer)
{
    for (int hours = 7; hours < 60; hours += 4) {
        count = 0;
        for (int time = 0; time < 10; time++)
            ck_assert_int_eq(comes(time * hours + time % 2 * 0.5, (time + 1) * hours + (time + 1) % 2 * 0.5),
                             time >= 3);
        const struct pause late = from_to(10 * hours, 11 * hours + 3);
        ck_assert(!pause_usual(pauses, count, &late, berlin));
    }
}
END_TEST

/* ---- outages ---- */

#define LEAGUES 2000

static uint64_t seed;

static uint32_t roll(uint32_t n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % n;
}

/* On this many days of four weeks, always at the same hour. */
static void at_one_hour(int outages)
{
    bool days[28] = {false};
    for (int some = 0; some < outages;) {
        uint32_t day = roll(28);
        some += !days[day];
        days[day] = true;
    }
    for (int day = 0; day < 28; day++)
        if (days[day])
            pauses[count++] = from_to(day * 24 + 3, day * 24 + 11);
}

/* At any time, for seven hours to three days. */
static void at_any_hour(int outages)
{
    double hour = 0;
    for (int i = 0; i < outages; i++) {
        hour += 1 + roll(28 * 24 / (uint32_t)outages);
        double length = 7 + roll(65);
        pauses[count++] = from_to(hour, hour + length);
        hour += length;
    }
}

/* One round of work between each two. */
static void without_work_between(int outages)
{
    double hour = 0;
    for (int i = 0; i < outages; i++) {
        double length = 7 + roll(100);
        pauses[count++] = from_to(hour, hour + length);
        hour += length;
    }
}

static const struct {
    const char *name;
    void (*make)(int outages);
    int most; /* leagues of a hundred that may take the last one for usual */
} chances[] = {{"at one hour", at_one_hour, 5},
               {"at any hour", at_any_hour, 1},
               {"with single rounds between them", without_work_between, 5}};

/* How often is an outage taken for a habit that is none? */
START_TEST(outages_are_no_habit)
{
    seed = 20261123;
    for (int outages = 4; outages <= 8; outages++) {
        int wrong = 0;
        for (int league = 0; league < LEAGUES; league++) {
            count = 0;
            chances[_i].make(outages);
            wrong += pause_usual(pauses, count - 1, &pauses[count - 1], berlin);
        }
        printf("%d outages %s: the last is taken for usual in %.1f%%\n", outages, chances[_i].name,
               wrong * 100.0 / LEAGUES);
        ck_assert_msg(wrong * 100 < chances[_i].most * LEAGUES, "%d outages %s: %d of %d", outages,
                      chances[_i].name, wrong, LEAGUES);
    }
}
END_TEST

/* One long silence is not three. */
START_TEST(a_pause_is_counted_once)
{
    (void)comes(0, 10 * 24);
    const struct pause half = from_to(11 * 24, 16 * 24);
    ck_assert(!pause_usual(pauses, count, &half, berlin));
}
END_TEST

/* ---- declared ---- */

static bool declared(const char *text, double from, double to)
{
    struct err err = ERR_INIT;
    struct hours hours;
    const struct pause pause = from_to(from, to);
    ck_ok(hours_parse(slice_of(text), &hours, &err), err);
    return hours_explain(&hours, berlin, &pause, 6 * HOUR);
}

START_TEST(hours_that_are_declared)
{
    static const char evenings[] = "weekdays 18:00-23:00, sat sun 10:00-24:00";
    ck_assert(declared(evenings, 22.9, 42.1));
    ck_assert(declared(evenings, 21, 44)); /* parts of two evenings, four hours */
    ck_assert(!declared(evenings, 17, 23.5));
    ck_assert(!declared(evenings, 22, 3 * 24 + 18));
    ck_assert(declared(evenings, 4 * 24 + 23, 5 * 24 + 10));
    ck_assert(!declared(evenings, 5 * 24 + 12, 6 * 24 + 10)); /* twelve hours of Saturday */
    ck_assert(declared("daily 20:00-02:00", 2, 20));
    ck_assert(!declared("daily 20:00-02:00", 19, 27));
    ck_assert(declared("mon-wed 08:00-12:00 13:00-17:00", 2 * 24 + 16, 7 * 24 + 9));
    ck_assert(!declared("mon-wed 08:00-12:00 13:00-17:00", 2 * 24 + 12.5, 7 * 24 + 9));
    ck_assert(!declared("", 0, 1));
    ck_assert(!declared("mon 08:00-09:00", 0, 500 * 24));
}
END_TEST

START_TEST(no_hours)
{
    static const char *const bad[] = {"18:00-23:00",           "daily",
                                      "daily 18:00",           "daily 18-23",
                                      "daily 25:00-26:00",     "everyday 18:00-23:00",
                                      "daily 18:00-23:00 sat", "daily 18:00-23:00 UTC"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = ERR_INIT;
        struct hours hours;
        ck_assert_msg(hours_parse(slice_of(bad[i]), &hours, &err) != 0, "taken: %s", bad[i]);
    }
    struct str many = STR_INIT;
    struct hours hours;
    struct err err = ERR_INIT;
    for (int i = 0; i <= HOURS_SPANS; i++)
        str_adds(&many, "mon 08:00-09:00 ");
    ck_assert(hours_parse(slice_str(&many), &hours, &err) != 0);
    str_release(&many);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, the_fourth_night);
    tcase_add_test(tc, what_is_no_night);
    tcase_add_test(tc, weekends);
    tcase_add_test(tc, evenings_of_weekdays);
    tcase_add_test(tc, every_so_many_days);
    tcase_add_test(tc, summer_and_other_zones);
    tcase_add_test(tc, three_nights_and_no_fault);
    tcase_add_test(tc, a_night_of_work);
    tcase_add_test(tc, nights_around_an_outage);
    tcase_add_test(tc, a_timer);
    tcase_add_loop_test(tc, outages_are_no_habit, 0, sizeof chances / sizeof *chances);
    tcase_add_test(tc, a_pause_is_counted_once);
    tcase_add_test(tc, hours_that_are_declared);
    tcase_add_test(tc, no_hours);
}
TEST_MAIN("league/usual", cases)
