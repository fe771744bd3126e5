#include "rules/ruleset.h"

#include <string.h>

#include "base/embed.h"

const struct ruleset *ruleset_find(const char *name, int64_t version)
{
    for (size_t i = 0; rulesets[i]; i++) {
        if (strcmp(rulesets[i]->name, name) == 0 && rulesets[i]->version == version)
            return rulesets[i];
    }
    return NULL;
}

const struct ruleset *ruleset_newest(const char *name)
{
    for (size_t i = 0; rulesets[i]; i++) {
        if (strcmp(rulesets[i]->name, name) == 0)
            return rulesets[i];
    }
    return NULL;
}

struct value *ruleset_form(const struct ruleset *ruleset, const void *cards, const void *state, int seat,
                           struct arena *arena)
{
    return ruleset->shown.form ? ruleset->shown.form(cards, state, seat, arena)
                               : value_get(ruleset->view(cards, state, seat, arena), "form");
}

struct slice ruleset_cards(const struct ruleset *ruleset)
{
    struct str path = STR_INIT;
    str_addf(&path, "rules/%s/cards.json", ruleset->folder);
    struct slice bytes = embed_find(path.p);
    str_release(&path);
    return bytes;
}
