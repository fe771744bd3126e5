/* state.json: a game as one authenticated JSON document, so that opening a game does not replay its journal.
 */
#ifndef ENGINE_CACHE_H
#define ENGINE_CACHE_H

#include "engine/game.h"

/* True when the cache is ours, unedited, and describes a prefix of this journal; `*tail` gets the records
 * behind it. On false `game` may be half filled: release it. */
bool cache_read(struct store *store, const char *id, const unsigned char master[32], bool mend,
                struct game *game, struct str *tail);

#endif
