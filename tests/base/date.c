#include "suite.h"

#include "base/date.h"

START_TEST(days_are_numbered)
{
    static const struct {
        int year, month, day, weekday;
        int64_t number; /* `date -u -d DATE +%s` / 86400 */
    } days[] = {{1970, 1, 1, 3, 0},       {1969, 12, 31, 2, -1},     {2000, 2, 29, 1, 11016},
                {2026, 11, 20, 4, 20777}, {2027, 12, 31, 4, 21183},  {2028, 2, 29, 1, 21243},
                {2100, 3, 1, 0, 47541},   {9999, 12, 31, 4, 2932896}};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) {
        struct date date = {days[i].year, days[i].month, days[i].day};
        ck_assert_int_eq(date_number(date), days[i].number);
        struct date back = date_of(days[i].number);
        ck_assert(back.year == date.year && back.month == date.month && back.day == date.day);
        ck_assert_int_eq(date_weekday(days[i].number), days[i].weekday);
    }
}
END_TEST

START_TEST(every_day_of_four_hundred_years_and_back)
{
    int64_t first = date_number((struct date){1800, 1, 1});
    for (int64_t day = first; day < first + 146097; day++)
        ck_assert_int_eq(date_number(date_of(day)), day);
}
END_TEST

START_TEST(texts)
{
    static const char *const bad[] = {"2027-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-1-01",
                                      "26-01-01",   "2026/01/01", "2026-04-31", "",           "2026-01-011"};
    char text[DATE_TEXT];
    int64_t number;
    ck_assert(date_parse(slice_of("2028-02-29"), &number));
    date_text(text, number);
    ck_assert_str_eq(text, "2028-02-29");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!date_parse(slice_of(bad[i]), &number), "took %s", bad[i]);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, days_are_numbered);
    tcase_add_test(tc, every_day_of_four_hundred_years_and_back);
    tcase_add_test(tc, texts);
}
TEST_MAIN("base/date", cases)
