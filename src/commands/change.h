/* A change of players, keys or tokens by a command: a record of the registry's journal, as one by mail is. */
#ifndef COMMANDS_CHANGE_H
#define COMMANDS_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "league/registry_log.h"

/* Makes and commits it. While another process works on the league the files are written past the journal;
 * *waits is true then: a daemon has to read them again. */
int change_make(const char *dir, int64_t now, const struct registry_change *change, bool *waits,
                struct err *err) __attribute__((warn_unused_result));
/* Says what is to be done in that case. */
void change_say(bool waits);

#endif
