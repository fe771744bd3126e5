/* Dates as texts: of all texts of ten bytes just those of real dates are read, each as the day that it names; no other length is. */
#include "prove/prove.h"

#include "base/date.h"

static int digits(const char *text, int from, int to)
{
    int number = 0;
    for (int i = from; i < to; i++)
        number = number * 10 + (text[i] - '0');
    return number;
}

/* By the calendar's own rules, in other words than those of date.c. */
static bool is_real(const char *text, int *year, int *month, int *day)
{
    for (int i = 0; i < 10; i++)
        if (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9')
            return false;
    *year = digits(text, 0, 4);
    *month = digits(text, 5, 7);
    *day = digits(text, 8, 10);
    const bool leap = *year % 400 == 0 || (*year % 4 == 0 && *year % 100 != 0);
    const bool thirty = *month == 4 || *month == 6 || *month == 9 || *month == 11;
    return *year >= 1 && *month >= 1 && *month <= 12 && *day >= 1 &&
           *day <= (*month == 2 ? 28 + leap
                    : thirty    ? 30
                                : 31);
}

void proof_dates_are_read(void)
{
    char text[12];
    struct slice slice = {text, any_size(11)};
    int year = 0, month = 0, day = 0;
    int64_t number = 0;
    const bool read = date_parse(slice, &number);
    HOLDS(read == (slice.len == 10 && is_real(text, &year, &month, &day)));
}
