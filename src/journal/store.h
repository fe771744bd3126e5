/* Where games are kept: the seam for other stores (a database) behind the same few functions.
 *
 * store_files.c keeps a folder a game: journal.jsonl, sealed.jsonl, state.json. A commit of several games is
 *
 *     store_stage (sealed payloads) -> [the spool is staged] -> store_sync
 *     -> store_append (journals) -> store_sync
 *
 * and only after the last one has anything happened. Positions are byte offsets into the journal:
 * an append names the length it was computed from, and fails with ERR_STALE when somebody else was first. */
#ifndef JOURNAL_STORE_H
#define JOURNAL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"

struct store; /* opaque */

int store_open(const char *games_dir, struct store **out, struct err *err)
    __attribute__((warn_unused_result));
/* One whose journals nobody else may read (0600; those of games may be read by all of the host). One that
 * others may read is mended when it is read with `mend`. */
int store_open_private(const char *dir, struct store **out, struct err *err)
    __attribute__((warn_unused_result));
void store_close(struct store *store);

/* All game ids, sorted. */
int store_games(struct store *store, struct file_names *names, struct err *err)
    __attribute__((warn_unused_result));
bool store_has(struct store *store, const char *game);
/* The journal from byte `from` on, complete lines only (a torn last line is cut from the file when `mend` is
 * set, else left out). ERR_MISSING: no such game. */
int store_read(struct store *store, const char *game, int64_t from, bool mend, struct str *lines,
               struct err *err) __attribute__((warn_unused_result));
/* The whole journal, as far as there is one, and `pending`, the records of a commit that is to come. */
int store_read_with(struct store *store, const char *game, struct slice pending, struct str *lines,
                    struct err *err) __attribute__((warn_unused_result));
/* The first line of the journal, with its LF; nothing when it has none. */
int store_first(struct store *store, const char *game, struct str *line, struct err *err)
    __attribute__((warn_unused_result));
/* The sealed payloads, complete lines. */
int store_read_sealed(struct store *store, const char *game, struct str *lines, struct err *err)
    __attribute__((warn_unused_result));
/* The cached state; ERR_MISSING when there is none. */
int store_read_state(struct store *store, const char *game, struct str *state, struct err *err)
    __attribute__((warn_unused_result));
/* A cache: written without sync. */
int store_write_state(struct store *store, const char *game, struct slice state, struct err *err)
    __attribute__((warn_unused_result));

/* One game's part of a commit; everything borrowed. */
struct store_append {
    const char *game;
    int64_t length;       /* bytes of the journal that `records` was computed from */
    int64_t seq;          /* of the first of `records` */
    struct slice records; /* lines */
    struct slice sealed;  /* lines */
};
/* Makes the game's folder if need be and appends the sealed lines, in the place of any that a run left behind
 * which ended before its records were written. */
int store_stage(struct store *store, const struct store_append *part, struct err *err)
    __attribute__((warn_unused_result));
/* Takes that back: the records will not be written. */
int store_unstage(struct store *store, const struct store_append *part, struct err *err)
    __attribute__((warn_unused_result));
/* A copy that was made in the middle of a commit: cuts the journal to `length`, which is where record `seq`
 * ends, and the sealed lines behind that record. */
int store_mend(struct store *store, const char *game, int64_t seq, int64_t length, bool *cut, struct err *err)
    __attribute__((warn_unused_result));
int store_append(struct store *store, const struct store_append *part, struct err *err)
    __attribute__((warn_unused_result));
int store_sync(struct store *store, struct err *err) __attribute__((warn_unused_result));

#endif
