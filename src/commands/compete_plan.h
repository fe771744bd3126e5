/* What `turnpost compete new` puts together from its options: what is played (compete_new.c), and when (compete_calendar.c). */
#ifndef COMMANDS_COMPETE_PLAN_H
#define COMMANDS_COMPETE_PLAN_H

#include "batch/making.h"
#include "commands/compete.h"

struct plan {
    const struct compete_new_wishes *wishes;
    const struct compete_condition_wishes *asked;
    struct batch *batch;
    struct new_competition how;
    const struct zone *zone;
    struct schedule clock;
    int64_t rounds[COMPETE_ROUNDS][2];
    int64_t length; /* of a round */
    json_t *divisions, *outside;
    struct conditions conditions;
};

/* ERR_INPUT unless it is one of these numbers; `what` is the option. */
int plan_number(const char *what, int64_t value, int64_t least, int64_t most, struct err *err)
    __attribute__((warn_unused_result));

/* The clock of the games: what is played is known. ERR_INPUT says which option is wrong. */
int plan_clock(struct plan *plan, struct err *err) __attribute__((warn_unused_result));
/* When people enter, and the rounds; the clock is known. */
int plan_calendar(struct plan *plan, struct err *err) __attribute__((warn_unused_result));
/* Do the rounds have time for what games take, by those of robots? Says so. */
int plan_check_length(const struct plan *plan, struct deed *deed, struct err *err)
    __attribute__((warn_unused_result));

#endif
