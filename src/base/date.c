#include "base/date.h"

#include <stdio.h>

#define DAYS_TO_1970 719162 /* from 0001-01-01 */

bool date_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int date_month_days(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && date_leap(year) ? 29 : days[month - 1];
}

static int64_t days_before_year(int64_t year)
{
    int64_t y = year - 1;
    return y * 365 + y / 4 - y / 100 + y / 400;
}

int64_t date_number(struct date date)
{
    int64_t days = days_before_year(date.year) + date.day - 1;
    for (int month = 1; month < date.month; month++)
        days += date_month_days(date.year, month);
    return days - DAYS_TO_1970;
}

struct date date_of(int64_t number)
{
    int64_t days = number + DAYS_TO_1970;
    int64_t year = days / 366 + 1; /* never too late */
    while (days_before_year(year + 1) <= days)
        year++;
    int left = (int)(days - days_before_year(year));
    struct date date = {(int)year, 1, 1};
    while (left >= date_month_days(date.year, date.month))
        left -= date_month_days(date.year, date.month++);
    date.day = left + 1;
    return date;
}

int date_weekday(int64_t number)
{
    return (int)(((number + 3) % 7 + 7) % 7); /* 1970-01-01 was a Thursday */
}

void date_text(char out[DATE_TEXT], int64_t number)
{
    struct date date = date_of(number);
    (void)snprintf(out, DATE_TEXT, "%04d-%02d-%02d", date.year % 10000, date.month % 100, date.day % 100);
}

bool date_parse(struct slice text, int64_t *number)
{
    int part[3] = {0, 0, 0};
    int at = 0;
    if (text.len != DATE_TEXT - 1)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (i == 4 || i == 7) {
            at++;
            if (c != '-')
                return false;
        } else if (c < '0' || c > '9') {
            return false;
        } else {
            part[at] = part[at] * 10 + (c - '0');
        }
    }
    if (part[0] < 1 || part[1] < 1 || part[1] > 12 || part[2] < 1 ||
        part[2] > date_month_days(part[0], part[1]))
        return false;
    *number = date_number((struct date){part[0], part[1], part[2]});
    return true;
}
