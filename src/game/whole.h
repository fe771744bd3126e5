/* Is the journal of a game whole, as far as can be seen without playing it again: does each record follow the one before it,
 * and does each box hold what its seal says? Costs no signatures and no rules: for backups and for `doctor`, of all games. The
 * audit says more. */
#ifndef GAME_WHOLE_H
#define GAME_WHOLE_H

#include "base/err.h"
#include "journal/store.h"

/* ERR_BROKEN: a sentence with the file and the line. Boxes are opened by the store's secret (store_give_master). */
int game_whole(struct store *store, const char *id, struct err *err) __attribute__((warn_unused_result));

#endif
