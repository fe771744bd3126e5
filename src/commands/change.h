/* A change of players, keys or tokens by a command: a record of the registry's journal, like a change by
 * mail. */
#ifndef COMMANDS_CHANGE_H
#define COMMANDS_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "journal/catalog.h"
#include "league/registry_log.h"

/* Makes and commits it. While another process works on the league the files are written without the journal;
 * *waits is then true: a daemon has to read them again. */
int change_make(const char *dir, int64_t now, const struct registry_change *change, bool *waits,
                struct err *err) __attribute__((warn_unused_result));
/* What has to be true of the league for a change: checked when every readable game is in the catalog.
 * ERR_BROKEN when one is unreadable, because the player in question may have a seat in it. */
struct change_check {
    int (*ask)(void *arg, struct catalog *catalog, struct err *err);
    void *arg;
};
/* The same, if `check` allows it. While another process works, that one's catalog is used for the check;
 * ERR_TEMP when that is being rebuilt. */
struct checked_change {
    const struct registry_change *change;
    const struct change_check *check; /* NULL: none */
};
int change_make_checked(const char *dir, int64_t now, const struct checked_change *checked, bool *waits,
                        struct err *err) __attribute__((warn_unused_result));
/* Prints what to do in that case. */
void change_say(bool waits);

#endif
