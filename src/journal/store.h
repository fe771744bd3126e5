/* Where journals are kept: the seam behind which files can be replaced by something else. A store holds games,
 * competitions, or the registry; of each the journal, and a cached state.
 *
 * store_files.c keeps a folder a game: journal.jsonl, state.json. Others bring a table of
 * functions (journal/store_ops.h); tests/journal/promises.c holds every store against what is promised here. A
 * commit of several games is
 *     the spool's mails -> sync -> store_append (journals) -> sync
 * and only after the last one has anything happened. The batch syncs what each room names (store_folder),
 * every file system once. An append names the place for which it was made, and fails with ERR_STALE when
 * somebody else was first. */
#ifndef JOURNAL_STORE_H
#define JOURNAL_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"

struct store; /* opaque */

/* Of the games, or competitions, in a folder. Nothing is looked at yet, and nothing made, so that who reads leaves no trace: a
 * folder that is not there is a store of nothing, and comes with the first game (store_stage). */
struct store *store_open(const char *dir) __attribute__((returns_nonnull, warn_unused_result));
/* One whose journals no other user may read (0600; those of games are readable for all users). Permissions
 * that are too wide are fixed by store_read_mending. */
struct store *store_open_private(const char *dir) __attribute__((returns_nonnull, warn_unused_result));
void store_close(struct store *store);
/* The league's secret, with which whoever loads a game opens its boxes; copied, and wiped with the store. Without it a game
 * can be played again only when its own key is published. store_master: NULL, there is none. */
void store_give_master(struct store *store, const unsigned char master[32]);
const unsigned char *store_master(const struct store *store);

/* ---- places ---- */

/* A place in a journal: after its record `seq`. `hint` is what a store may find it by without a search: the bytes
 * of all lines before it. It belongs to `seq`, so the two are kept and passed on together. */
struct store_pos {
    int64_t seq, hint;
};
#define STORE_BEGIN ((struct store_pos){0, 0}) /* before the first record, whatever its number */
/* The place after these further lines. */
struct store_pos store_after(struct store_pos pos, struct slice lines);

/* ---- reading ---- */

/* All game ids, sorted. */
int store_games(struct store *store, struct file_names *names, struct err *err)
    __attribute__((warn_unused_result));
/* Changes whenever a game comes or goes, so that callers that have seen all need not look again. */
int store_stamp(struct store *store, int64_t *stamp, struct err *err) __attribute__((warn_unused_result));
/* Is there a journal that is not empty? */
bool store_has(struct store *store, const char *game);
/* Adds the records after `from`, complete lines only: a torn last line is left out. ERR_MISSING: no such
 * game. */
int store_read(struct store *store, const char *game, struct store_pos from, struct str *lines,
               struct err *err) __attribute__((warn_unused_result));
/* The same; a torn last line is cut. */
int store_read_mending(struct store *store, const char *game, struct store_pos from, struct str *lines,
                       struct err *err) __attribute__((warn_unused_result));
/* The whole journal, if there is one, and `pending`, the records of a commit still to come. */
int store_read_with(struct store *store, const char *game, struct slice pending, struct str *lines,
                    struct err *err) __attribute__((warn_unused_result));
/* The one line after a place, with its LF; nothing when none is there. ERR_MISSING as above. */
int store_line(struct store *store, const char *game, struct store_pos from, struct str *line,
               struct err *err) __attribute__((warn_unused_result));
/* The one line before a place, which is not the beginning, with its LF. Nothing when none ends there: the journal is
 * shorter, or another one. */
int store_line_before(struct store *store, const char *game, struct store_pos end, struct str *line,
                      struct err *err) __attribute__((warn_unused_result));
/* Does the journal end at this place? False also when it cannot be read. */
bool store_ends(struct store *store, const char *game, struct store_pos end);
/* The cached state; ERR_MISSING when there is none. */
int store_read_state(struct store *store, const char *game, struct str *state, struct err *err)
    __attribute__((warn_unused_result));
/* A cache: written without sync. */
int store_write_state(struct store *store, const char *game, struct slice state, struct err *err)
    __attribute__((warn_unused_result));
int store_drop_state(struct store *store, const char *game, struct err *err)
    __attribute__((warn_unused_result));

/* ---- the commit ---- */

/* One game's part of a commit; everything borrowed. */
struct store_append {
    const char *game;
    struct store_pos
        after; /* where the journal ended when `records` was made; STORE_BEGIN: there is none yet */
    struct slice records; /* lines, the first of which is record after.seq + 1 */
};
/* Whole or not at all. ERR_STALE: the journal does not end at part->after. */
int store_append(struct store *store, const struct store_append *part, struct err *err)
    __attribute__((warn_unused_result));
/* Undoes one that succeeded, while nothing follows from it yet. */
int store_unappend(struct store *store, const struct store_append *part, struct err *err)
    __attribute__((warn_unused_result));
/* Cuts the journal at `end`: what a run that ended in the middle of its commit has left, or a copy caught there. *cut: there
 * was something to cut. At STORE_BEGIN nothing of the game is left. */
int store_mend(struct store *store, const char *game, struct store_pos end, bool *cut, struct err *err)
    __attribute__((warn_unused_result));
/* What was appended is durable after the file system of this folder is synced (file_sync_each);
 * borrowed. NULL: there is none, and what was appended needs no sync. */
const char *store_folder(const struct store *store);
/* Makes it durable, for whoever has nothing else to sync. */
int store_sync(struct store *store, struct err *err) __attribute__((warn_unused_result));

#endif
