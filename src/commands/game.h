/* What is done about games and competitions that are gone or damaged. */
#ifndef COMMANDS_GAME_H
#define COMMANDS_GAME_H

#include "commands/deed.h"
#include "league/roster.h"

/* Within the deed: one that is gone is to be gone. */
int game_forget(struct deed *deed, enum roster_kind kind, const char *name, struct err *err)
    __attribute__((warn_unused_result));
/* `turnpost game restore`: the whole command. */
int game_restore(int argc, char **argv, const char *details);

#endif
