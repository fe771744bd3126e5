/* A change of players, keys or tokens by a command: a record of the registry's journal, as one by mail is. */
#ifndef COMMANDS_CHANGE_H
#define COMMANDS_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "journal/catalog.h"
#include "league/registry_log.h"

/* Makes and commits it. While another process works on the league the files are written past the journal;
 * *waits is true then: a daemon has to read them again. */
int change_make(const char *dir, int64_t now, const struct registry_change *change, bool *waits,
                struct err *err) __attribute__((warn_unused_result));
/* What has to be true of the league for a change: asked when every game that can be read is in the catalog.
 * ERR_BROKEN when one cannot, because who is asked for may have a seat in it. */
struct change_check {
    int (*ask)(void *arg, struct catalog *catalog, struct err *err);
    void *arg;
};
/* The same, if `check` lets it. While another process works it is asked of that one's catalog; ERR_TEMP when
 * that is being made anew. */
struct checked_change {
    const struct registry_change *change;
    const struct change_check *check; /* NULL: none */
};
int change_make_checked(const char *dir, int64_t now, const struct checked_change *checked, bool *waits,
                        struct err *err) __attribute__((warn_unused_result));
/* Says what is to be done in that case. */
void change_say(bool waits);

#endif
