/* What the results of the league (compete/results.h) say of those who enter a competition: their rating in its ruleset and
 * how many games of it they have played to their end, both up to any record. The league asks this when somebody enters,
 * the audit when it reads that they did; it only ever reads on. */
#ifndef COMPETE_EXPERIENCE_H
#define COMPETE_EXPERIENCE_H

#include "compete/conditions.h"
#include "compete/results.h"

struct experience {
    const char *ruleset;
    struct results results; /* so far */
    struct slice rest;      /* of the journal, not read yet */
    json_t *games;          /* name: number */
};
/* All borrowed. */
void experience_begin(struct experience *experience, const char *ruleset, struct slice journal);
void experience_release(struct experience *experience);
/* Reads on up to that record; INT64_MAX: to the end. ERR_MISSING: it is not there, or was read past before. */
int experience_until(struct experience *experience, int64_t seq, struct err *err)
    __attribute__((warn_unused_result));
/* The time of the record that comes next; 0 = none. */
int64_t experience_next(const struct experience *experience);
/* What the results say of a player at `now`; the rest of *found is left alone. */
void experience_of(const struct experience *experience, const char *player, int64_t now,
                   struct entry_found *found);

#endif
