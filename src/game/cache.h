/* state.json: a game as one authenticated JSON document, so that opening a game does not replay its journal.
 */
#ifndef GAME_CACHE_H
#define GAME_CACHE_H

#include "game/game.h"

enum cache_fit {
    CACHE_NONE, /* missing, damaged, not ours, from another program: the journal has to be replayed */
    CACHE_GOOD, /* it describes a prefix of this journal */
    CACHE_LOST  /* it is ours and names a record that this journal does not hold */
};

/* Whose cache, and how the rest of its journal is read. */
struct cache_of {
    struct store *store;
    const char *id;
    const unsigned char *master; /* proves that the cache is ours */
    bool mend;                   /* cut a torn last line */
};

/* Reads the cache. CACHE_GOOD: `*tail` gets the records after it; CACHE_LOST: `err` says so. It is written
 * only after its records were synced, so no crash can make the journal the shorter one. Unless good, `game`
 * may be half filled: release it. */
enum cache_fit cache_read(const struct cache_of *of, struct game *game, struct str *tail, struct err *err);

#endif
