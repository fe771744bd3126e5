/* Work on strangers' bytes is done apart: by a process of its own that gives up what it does not need
 * (base/sandbox.h). The one that was started stays small: it reads league.ini before there is any mail, runs
 * the commands that stand there (league/helper.h), passes signals on, and ends as the other did. */
#ifndef COMMANDS_APART_H
#define COMMANDS_APART_H

#include <stdbool.h>

#include "base/err.h"
#include "league/league.h"

struct apart {
    const char *dir; /* the league's folder */
    bool stay; /* SIGTERM and SIGINT end it; SIGHUP begins it anew, with league.ini as it is then. Work must
                  end on SIGTERM, with 0 */
    bool witness; /* the folder is a witness's: it has a memory, and no catalog */
    int (*work)(struct league *league, void *arg); /* gives the exit code; says itself what was wrong */
    void *arg;
};

/* Opens the league for work and does it. Returns the exit code; a work that was killed kills this one too. */
int apart_run(const struct apart *apart);
/* What would be in force (SANDBOX_ bits): tried out in a process that ends at once. For `doctor`. */
int apart_try(const struct league *league, unsigned *got, struct err *err)
    __attribute__((warn_unused_result));

#endif
