/* `turnpost audit --log`. */
#ifndef COMMANDS_AUDIT_LOG_H
#define COMMANDS_AUDIT_LOG_H

#include "commands/audit.h"
#include "commands/commands.h"

struct audit_log_how {
    const char *folder;           /* of the log, or what it is in */
    const char *policy;           /* a file; NULL: the one that lies beside the log */
    const struct flag_list *kept; /* files with what somebody kept of the log */
    bool missing;                 /* only print which files the folder lacks */
    const struct audit_how *how;  /* league_key, json */
    char **name;                  /* of games to be compared, as audit_games_add takes them */
    int named;                    /* 0: what lies beside the log */
    const char *league;
};
/* The exit code. */
int audit_log(const struct audit_log_how *how);

#endif
