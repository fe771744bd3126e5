/* The Merkle tree of a log: RFC 6962, section 2.1, with SHA-256.
 *
 * Everything that is hashed once and for all is named by (level, index): the root of the 2^level leaves from
 * index * 2^level on. Whoever keeps such hashes gives them through a struct tree_reader; a root or proof of the
 * first `size` leaves asks only for those within them. Pure, without memory of its own. */
#ifndef TLOG_TREE_H
#define TLOG_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define TREE_HASH 32
#define TREE_MOST 63 /* levels; hashes in a proof */

struct tree_hash {
    unsigned char b[TREE_HASH];
};

/* Hashes of a proof, from the leaf's side to the root's. */
struct tree_path {
    struct tree_hash hash[TREE_MOST];
    size_t count;
};

bool tree_hash_equal(const struct tree_hash *a, const struct tree_hash *b);
void tree_empty(struct tree_hash *out);                   /* root of no leaves */
void tree_leaf(struct tree_hash *out, struct slice leaf); /* of an entry with its LF */
/* `out` may be either of the two. */
void tree_node(struct tree_hash *out, const struct tree_hash *left, const struct tree_hash *right);

/* The roots of the full subtrees from left to right: what is needed of a tree in order to append. All zero = empty. */
struct tree_range {
    int64_t size; /* leaves */
    struct tree_hash full[TREE_MOST];
};
void tree_append(struct tree_range *range, const struct tree_hash *leaf);
void tree_range_root(const struct tree_range *range, struct tree_hash *out);

struct tree_reader {
    int (*read)(void *arg, int level, int64_t index, struct tree_hash *out, struct err *err);
    void *arg;
};
int tree_root(const struct tree_reader *reader, int64_t size, struct tree_hash *out, struct err *err)
    __attribute__((warn_unused_result));
/* That leaf `index` is one of the first `size`. 0 <= index < size. */
int tree_inclusion(const struct tree_reader *reader, int64_t index, int64_t size, struct tree_path *out,
                   struct err *err) __attribute__((warn_unused_result));
/* That the first `old` leaves of `size` are those that a tree of `old` had. 0 <= old <= size; empty where old is
 * 0 or `size`. */
int tree_consistency(const struct tree_reader *reader, int64_t old, int64_t size, struct tree_path *out,
                     struct err *err) __attribute__((warn_unused_result));

/* For strangers' numbers and hashes: anything that is out of range is false. */
bool tree_includes(const struct tree_hash *leaf, int64_t index, const struct tree_path *path, int64_t size,
                   const struct tree_hash *root) __attribute__((warn_unused_result));
bool tree_extends(int64_t old, const struct tree_hash *old_root, const struct tree_path *path, int64_t size,
                  const struct tree_hash *root) __attribute__((warn_unused_result));

/* c2sp.org/tlog-tiles: of TILE_HEIGHT levels the lowest is stored, TILE_WIDTH hashes a file. */
#define TILE_HEIGHT 8
#define TILE_WIDTH  256
/* "tile/0/x001/234", "tile/entries/000.p/7": `level` TILE_ENTRIES is the bundle, `width` 1..TILE_WIDTH. Appends. */
#define TILE_ENTRIES (-1)
void tile_path(struct str *out, int level, int64_t index, int width);

/* Hashes as lines: base64 LF each, as proofs and checkpoints have them. */
void tree_hash_line(struct str *out, const struct tree_hash *hash);
bool tree_hash_read(struct tree_hash *out, struct slice text) __attribute__((warn_unused_result)); /* no LF */
void tree_path_lines(struct str *out, const struct tree_path *path);
/* Cuts lines off `*rest` up to an empty one, which goes too, or the end. False: a line is no hash, or too many. */
bool tree_path_read(struct slice *rest, struct tree_path *path) __attribute__((warn_unused_result));

#endif
