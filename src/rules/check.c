#include "rules/check.h"

#include <stdarg.h>
#include <stdio.h>

int check_range(struct err *err, int64_t value, int64_t min, int64_t max, const char *fmt, ...)
{
    char name[80];
    va_list args;
    if (value >= min && value <= max)
        return 0;
    va_start(args, fmt);
    (void)vsnprintf(name, sizeof name, fmt, args);
    va_end(args);
    return err_set(err, ERR_INPUT, "%s must be from %lld to %lld, not %lld.", name, (long long)min,
                   (long long)max, (long long)value);
}

int check_card(struct check_cards *cards, int number, struct err *err)
{
    if (number < 1 || number >= CHECK_CARDS)
        return err_set(err, ERR_INPUT, "There is no %s %d.", cards->what, number);
    if (cards->count[number]++)
        return err_set(err, ERR_INPUT, "%s %d would lie in two places.", cards->what, number);
    return 0;
}

int check_pile(struct check_cards *cards, const uint8_t *pile, int count, struct err *err)
{
    for (int i = 0; i < count; i++)
        if (check_card(cards, pile[i], err))
            return -1;
    return 0;
}

int check_complete(const struct check_cards *cards, int from, int to, struct err *err)
{
    int number = from;
    while (number <= to && cards->count[number])
        number++;
    return number > to ? 0 : err_set(err, ERR_INPUT, "%s %d would be nowhere.", cards->what, number);
}
