/* league.policy as a command line names it. */
#ifndef COMMANDS_POLICY_H
#define COMMANDS_POLICY_H

#include "tlog/policy.h"

int command_policy(const char *file, struct policy *policy, struct err *err)
    __attribute__((warn_unused_result));

#endif
