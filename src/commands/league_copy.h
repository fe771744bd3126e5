/* The files of a league, from one folder into another: into a backup, and out of it (backup.c, restore.c). */
#ifndef COMMANDS_LEAGUE_COPY_H
#define COMMANDS_LEAGUE_COPY_H

#include "base/err.h"

/* What can be made again is left out, and so are the mailboxes. The order matters: what is copied later is at least as
 * new as what was copied before, no matter what happens meanwhile (league_copy.c). `to` is there and empty. */
int league_copy(const char *from, const char *to, struct err *err) __attribute__((warn_unused_result));

#endif
