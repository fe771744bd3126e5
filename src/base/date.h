/* Days of the Gregorian calendar as numbers: days since 1970-01-01. Years 1..9999. */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define DAY_SECONDS ((int64_t)86400)
#define HOUR_SECONDS ((int64_t)3600)

struct date {
    int year, month, day; /* 1..9999, 1..12, 1..31 */
};

int64_t date_number(struct date date); /* the date need not exist: 31 April is 1 May */
struct date date_of(int64_t number);
bool date_leap(int year);
int date_month_days(int year, int month);
/* 0 = Monday .. 6 = Sunday */
int date_weekday(int64_t number);

#define DATE_TEXT 11
void date_text(char out[DATE_TEXT], int64_t number);                                     /* 2026-11-20 */
bool date_parse(struct slice text, int64_t *number) __attribute__((warn_unused_result)); /* that form only */

#endif
