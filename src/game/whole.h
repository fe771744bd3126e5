/* Are the files of a game whole, as far as can be seen without playing it again: does each record follow the one before it,
 * does each sealed line belong to its record, and does each record that has sealed something have a line? Costs no signatures
 * and no rules: for backups and for `doctor`, of all games. The audit says more. */
#ifndef GAME_WHOLE_H
#define GAME_WHOLE_H

#include "base/err.h"
#include "journal/store.h"

/* ERR_BROKEN: a sentence with the file, and the line where there is one. */
int game_whole(struct store *store, const char *id, struct err *err) __attribute__((warn_unused_result));

#endif
