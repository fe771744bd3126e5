/* Where games are kept: the seam for other stores (a database) behind the same few functions.
 *
 * store_files.c keeps a folder a game: journal.jsonl, sealed.jsonl, state.json. A commit of several games is
 *     store_stage (sealed payloads), the spool's mails -> sync -> store_append (journals) -> sync
 * and only after the last one has anything happened. The batch syncs what each room names (store_folder),
 * every file system once. Positions are byte offsets into the journal: an append names the length it was
 * computed from, and fails with ERR_STALE when somebody else was first. */
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
/* One whose journals no other user may read (0600; those of games are readable for all users). Permissions
 * that are too wide are fixed by store_read_mending. */
int store_open_private(const char *dir, struct store **out, struct err *err)
    __attribute__((warn_unused_result));
void store_close(struct store *store);

/* All game ids, sorted. */
int store_games(struct store *store, struct file_names *names, struct err *err)
    __attribute__((warn_unused_result));
/* Changes whenever a game comes or goes, so that callers that have seen all need not look again. */
int store_stamp(struct store *store, int64_t *stamp, struct err *err) __attribute__((warn_unused_result));
bool store_has(struct store *store, const char *game);
/* The journal from byte `from` on, complete lines only: a torn last line is left out. ERR_MISSING: no such
 * game. */
int store_read(struct store *store, const char *game, int64_t from, struct str *lines, struct err *err)
    __attribute__((warn_unused_result));
/* The same; a torn last line is cut from the file. */
int store_read_mending(struct store *store, const char *game, int64_t from, struct str *lines,
                       struct err *err) __attribute__((warn_unused_result));
/* The whole journal, if there is one, and `pending`, the records of a commit still to come. */
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
/* The sealed payloads of the records before `part`, and those of a commit still to come. What a run that ended in the middle
 * of its commit has left of these records is not among them, as it stays in the file until the next store_stage. */
int store_read_sealed_with(struct store *store, const struct store_append *part, struct str *lines,
                           struct err *err) __attribute__((warn_unused_result));
/* Makes the game's folder if need be and appends the sealed lines, replacing any left by a run that ended
 * before its records were written. */
int store_stage(struct store *store, const struct store_append *part, struct err *err)
    __attribute__((warn_unused_result));
/* Undoes that: the records will not be written. */
int store_unstage(struct store *store, const struct store_append *part, struct err *err)
    __attribute__((warn_unused_result));
/* Where the journal should end: record `seq` is the last, and `length` the bytes up to its end. */
struct store_end {
    int64_t seq, length;
};
/* A copy that was made in the middle of a commit: cuts the journal there, and the sealed lines of later
 * records. *cut: there was something to cut. */
int store_mend(struct store *store, const char *game, const struct store_end *end, bool *cut, struct err *err)
    __attribute__((warn_unused_result));
/* Whole or not at all. */
int store_append(struct store *store, const struct store_append *part, struct err *err)
    __attribute__((warn_unused_result));
/* Undoes one that succeeded, while nothing follows from it yet. */
int store_unappend(struct store *store, const struct store_append *part, struct err *err)
    __attribute__((warn_unused_result));
/* What was staged or appended is durable after the file system of this folder is synced (file_sync_each);
 * borrowed. */
const char *store_folder(const struct store *store);

#endif
