/* What goes with a player who leaves, beside their files: it is done when the files of the records are written
 * (registry_log_settle), and once more at the next start if a crash came between; so each step may find that it
 * is done already. */
#ifndef LEAGUE_REGISTRY_LEAVING_H
#define LEAGUE_REGISTRY_LEAVING_H

#include "league/registry_log.h"

/* Drops the mails that wait for them in the spool, except those that tell of records since the last time:
 * before their files are removed, which name the addresses. */
int registry_leaving_mails(struct registry_log *log, struct err *err) __attribute__((warn_unused_result));
/* Destroys their keys (league/registry_sealing.h) after that. */
int registry_leaving_keys(struct registry_log *log, struct err *err) __attribute__((warn_unused_result));

#endif
