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
