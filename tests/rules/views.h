/* A seat's view as JSON, to look into. For the suites. */
#ifndef TESTS_RULES_VIEWS_H
#define TESTS_RULES_VIEWS_H

#include "rules/ruleset.h"

/* New reference. */
static inline json_t *view_as_json(const struct ruleset *ruleset, const void *cards, const void *state,
                                   int seat)
{
    struct arena arena = {NULL, NULL, 0};
    json_t *json = value_json(ruleset->view(cards, state, seat, &arena));
    arena_release(&arena);
    return json;
}

#endif
