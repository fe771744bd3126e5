#include "rules/ruleset.h"

extern const struct ruleset galaxy_command_ruleset;
extern const struct ruleset galaxy_farmer_ruleset;
extern const struct ruleset galactic_contract_ruleset;
extern const struct ruleset galactic_supremacy_ruleset;

const struct ruleset *const rulesets[] = {
    &galaxy_command_ruleset,
    &galactic_contract_ruleset,
    &galactic_supremacy_ruleset,
    &galaxy_farmer_ruleset,
    NULL,
};
