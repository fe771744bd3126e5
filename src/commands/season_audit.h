/* The audit of a season that closes: league->closed of the commands that work. */
#ifndef COMMANDS_SEASON_AUDIT_H
#define COMMANDS_SEASON_AUDIT_H

#include "league/league.h"

/* In the competition's folder: what its audit said when it closed. It is no proof: whoever doubts it runs the audit. */
#define SEASON_AUDIT "audit.txt"
void season_audit(const struct league *league, const char *competition);

#endif
