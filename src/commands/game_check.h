/* Is a game of a backup fit to be played on? By the audit, which sees what nobody else would. */
#ifndef COMMANDS_GAME_CHECK_H
#define COMMANDS_GAME_CHECK_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

struct game_files {
    const char *id;
    struct slice journal;
    const unsigned char *master;     /* that its boxes are sealed under */
    const unsigned char *league_key; /* that it must name; NULL = any */
};
/* ERR_BROKEN: a sentence with the record at which it is; ERR_NEWER. *early: what must follow its last record at once is
 * missing, as in a copy that was made in the middle of a commit, and all else is right. */
int game_check(const struct game_files *files, bool *early, struct err *err)
    __attribute__((warn_unused_result));

#endif
