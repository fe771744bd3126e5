/* A log as static files (c2sp.org/tlog-tiles), in a folder that any web server can show:
 *
 *     checkpoint                    of the tree that the tiles below are complete for
 *     tile/L/N, tile/L/N.p/W        hashes
 *     tile/entries/N[.p/W]          entries, each with be16 of its length before it, and its LF
 *
 * All of it is made from the entries, which the caller keeps: what is lost here is made again. Time and memory of everything are
 * the same at any size (about 1.5 MB), but for what the tree's height asks.
 *
 * Full tiles are written once, when they are full; partial ones with each checkpoint, and removed when their full tile is there: a
 * reader of a checkpoint that was ever here finds the tiles for it. The checkpoint is written last. Full tiles are synced before it:
 * a power cut leaves them as they are. The others are not: what it leaves of them is looked at by its root, and made again. */
#ifndef TLOG_TILES_H
#define TLOG_TILES_H

#include "base/err.h"
#include "base/str.h"
#include "tlog/tree.h"

struct tiles;

/* What the folder holds: as many entries as its checkpoint says, or none, where there is no checkpoint or the tiles at
 * the tree's edge are not those of its root; then the caller appends all. A folder that does not exist is made when
 * something is written. The caller frees it with tiles_close; one process writes at a time. */
int tiles_open(const char *dir, struct tiles **tiles, struct err *err) __attribute__((warn_unused_result));
void tiles_close(struct tiles *tiles); /* NULL is fine */
int64_t tiles_size(const struct tiles *tiles);
/* How many of these the folder shows: less than its checkpoint says where something of its tiles is lost. */
int64_t tiles_shown(const struct tiles *tiles);
/* Forgets all entries: they will be appended again, over what is there. For a folder of which something cannot be read. */
void tiles_reset(struct tiles *tiles);

/* The next entries, whole lines with LF, each of at most 65,535 bytes. Full tiles go into the folder (without sync); the rest
 * waits in memory for tiles_publish. */
int tiles_append(struct tiles *tiles, struct slice lines, struct err *err)
    __attribute__((warn_unused_result));
/* Writes what waits, and then `checkpoint`: a note of this size and root, or ERR_BROKEN. */
int tiles_publish(struct tiles *tiles, struct slice checkpoint, struct err *err)
    __attribute__((warn_unused_result));

/* Hashes for tree_root, tree_inclusion, tree_consistency, also of entries that were not published yet. A full tile is
 * checked against the one above it: ERR_BROKEN names a file that is gone or not what it was. */
struct tree_reader tiles_reader(struct tiles *tiles);
/* The root of all entries. */
void tiles_root(const struct tiles *tiles, struct tree_hash *out);
/* Appends entry `index` without its LF. ERR_MISSING: there are fewer. */
int tiles_entry(struct tiles *tiles, int64_t index, struct str *out, struct err *err)
    __attribute__((warn_unused_result));

/* One file of such a folder as it is there: of a tile the hashes, of a bundle (TILE_ENTRIES) the entries; a partial one, or the full one
 * that took its place. Replaces what is in `out`. 1: there is none. */
int tile_file(const char *dir, int level, int64_t index, int width, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* Cuts the next entry, with its LF, off a bundle. False: there is no whole one. */
bool bundle_next(struct slice *bundle, struct slice *entry);

#endif
