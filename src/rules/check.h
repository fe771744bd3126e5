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

#define CHECK_CARDS 700
/* Cards of one kind, each of which may be in one place only. Starts with zeros; name first. */
struct check_cards {
    const char *what; /* "system card" */
    uint8_t count[CHECK_CARDS];
};
/* Notes that one card is here. Error: there is no such number, or the card is elsewhere too. */
int check_card(struct check_cards *cards, int number, struct err *err) __attribute__((warn_unused_result));
int check_pile(struct check_cards *cards, const uint8_t *pile, int count, struct err *err)
    __attribute__((warn_unused_result));
/* Every number from..to is somewhere. */
int check_complete(const struct check_cards *cards, int from, int to, struct err *err)
    __attribute__((warn_unused_result));

#endif
