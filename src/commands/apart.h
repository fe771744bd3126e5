/* Work on strangers' bytes is done apart: by a process of its own that gives up what it does not need
 * (base/sandbox.h). The parent stays small: it reads league.ini before there is any mail, runs the commands
 * named there (league/helper.h), passes signals on, and ends the way the worker did. */
#ifndef COMMANDS_APART_H
#define COMMANDS_APART_H

#include <stdbool.h>

#include "base/err.h"
#include "league/league.h"

struct apart {
    const char *dir; /* the league's folder */
    bool stay;    /* SIGTERM and SIGINT end it; SIGHUP restarts it, with league.ini as it is then. Work must
                  end on SIGTERM, with 0 */
    bool witness; /* the folder is a witness's: it has a memory, and no catalog */
    int (*work)(struct league *league, void *arg); /* returns the exit code; reports what was wrong itself */
    void *arg;
};

/* Opens the league for work and does it. Returns the exit code; a work that was killed kills this one too. */
int apart_run(const struct apart *apart);
/* What would be in force (SANDBOX_ bits), tried out in a process that exits at once. For `doctor`. */
int apart_try(const struct league *league, unsigned *got, struct err *err)
    __attribute__((warn_unused_result));

#endif
