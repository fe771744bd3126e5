/* Ranks of a rulebook ("Promoted to Captain"): their names come from the cards and are in records and views, where
 * they stay as they are; their words for players are in templates/<ruleset>/ranks.txt. */
#ifndef RULES_RANK_H
#define RULES_RANK_H

#include <jansson.h>

#include "base/value.h"

/* A table of a ruleset, which ends with name NULL: the names of its own cards with their codes in the template. */
struct rank_code {
    const char *name, *code;
};

/* What templates insert for a rank, by ranks.txt: puts {"ranks": {code: {}}} into an empty object, or {"ranks":
 * {"name": rank}} where the cards of a league have a name of their own for it. */
void rank_words(struct value *out, const struct rank_code *codes, struct slice rank);
/* The same as JSON; without `codes` the name itself. New reference. */
json_t *rank_json(const struct rank_code *codes, struct slice rank);

#endif
