#include "commands/policy.h"

#include "commands/commands.h"

int command_policy(const char *file, struct policy *policy, struct err *err)
{
    struct str text = STR_INIT;
    int rc = command_read(file, POLICY_FILE, &text, err);
    if (rc == 0)
        rc = policy_parse(slice_str(&text), file, policy, err);
    str_release(&text);
    return rc;
}
