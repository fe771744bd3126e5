/* For struct ruleset.check: what the checks of all rulesets share. Errors are sentences for a moderator and
 * name the field as field_path.h does. */
#ifndef RULES_CHECK_H
#define RULES_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* "player[1].metal must be from 0 to 3, not 7." -1, ERR_INPUT. */
int check_range(struct err *err, int64_t value, int64_t min, int64_t max, const char *fmt, ...)
    __attribute__((format(printf, 5, 6), warn_unused_result));

#endif
