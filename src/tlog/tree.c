#include "tlog/tree.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "tlog/strict.h"

bool tree_hash_equal(const struct tree_hash *a, const struct tree_hash *b)
{
    return memcmp(a->b, b->b, TREE_HASH) == 0;
}

void tree_empty(struct tree_hash *out)
{
    crypto_hash_sha256(out->b, (const unsigned char *)"", 0);
}

void tree_leaf(struct tree_hash *out, struct slice leaf)
{
    crypto_hash_sha256_state st;
    crypto_hash_sha256_init(&st);
    crypto_hash_sha256_update(&st, (const unsigned char *)"\0", 1);
    crypto_hash_sha256_update(&st, (const unsigned char *)leaf.p, leaf.len);
    crypto_hash_sha256_final(&st, out->b);
}

void tree_node(struct tree_hash *out, const struct tree_hash *left, const struct tree_hash *right)
{
    unsigned char bytes[1 + 2 * TREE_HASH] = {1};
    memcpy(bytes + 1, left->b, TREE_HASH);
    memcpy(bytes + 1 + TREE_HASH, right->b, TREE_HASH);
    crypto_hash_sha256(out->b, bytes, sizeof bytes);
}

void tree_append(struct tree_range *range, const struct tree_hash *leaf)
{
    struct tree_hash hash = *leaf;
    int level = 0;
    for (; range->size >> level & 1; level++)
        tree_node(&hash, &range->full[level], &hash);
    range->full[level] = hash;
    range->size++;
}

void tree_range_root(const struct tree_range *range, struct tree_hash *out)
{
    bool any = false;
    tree_empty(out);
    for (int level = 0; level < TREE_MOST; level++) {
        if (!(range->size >> level & 1))
            continue;
        if (any)
            tree_node(out, &range->full[level], out);
        else
            *out = range->full[level];
        any = true;
    }
}

/* The root of the leaves from `begin` to `end`, of which there is one at least; `begin` is a multiple of a power of 2 that is not
 * less than their number. So the full subtrees in it are those that the digits of their number say. */
static int root_of(const struct tree_reader *reader, int64_t begin, int64_t end, struct tree_hash *out,
                   struct err *err)
{
    bool any = false;
    for (int level = 0; level < TREE_MOST; level++) {
        struct tree_hash hash;
        if (!((end - begin) >> level & 1))
            continue;
        if (reader->read(reader->arg, level, (end >> level) - 1, any ? &hash : out, err))
            return -1;
        if (any)
            tree_node(out, &hash, out);
        any = true;
    }
    return 0;
}

int tree_root(const struct tree_reader *reader, int64_t size, struct tree_hash *out, struct err *err)
{
    tree_empty(out);
    return size ? root_of(reader, 0, size, out, err) : 0;
}

/* Adds what stands beside the way from subtree (level, index) up to the root of `size` leaves. */
static int climb(const struct tree_reader *reader, int level, int64_t index, int64_t size,
                 struct tree_path *out, struct err *err)
{
    for (; (size - 1) >> level; level++, index >>= 1) {
        int64_t beside = index ^ 1, begin = beside << level, end = begin + ((int64_t)1 << level);
        if (begin >= size)
            continue;
        if (root_of(reader, begin, end < size ? end : size, &out->hash[out->count++], err))
            return -1;
    }
    return 0;
}

int tree_inclusion(const struct tree_reader *reader, int64_t index, int64_t size, struct tree_path *out,
                   struct err *err)
{
    out->count = 0;
    return climb(reader, 0, index, size, out, err);
}

int tree_consistency(const struct tree_reader *reader, int64_t old, int64_t size, struct tree_path *out,
                     struct err *err)
{
    out->count = 0;
    if (old == 0 || old == size)
        return 0;
    int level = __builtin_ctzll((unsigned long long)old); /* the last full subtree of the old tree */
    int64_t index = (old >> level) - 1;
    if (index && reader->read(reader->arg, level, index, &out->hash[out->count++], err))
        return -1;
    return climb(reader, level, index, size, out, err);
}

/* RFC 9162, sections 2.1.3.2 and 2.1.4.2: both climb from node `at` of those that have `last` as their last one. `old` is NULL for an
 * inclusion; otherwise it takes what is left of the way alone. */
static bool climbed(int64_t at, int64_t last, const struct tree_hash *hashes, size_t count,
                    struct tree_hash *old, struct tree_hash *new)
{
    for (size_t i = 0; i < count; i++, at >>= 1, last >>= 1) {
        if (last == 0)
            return false;
        if (!(at & 1) && at != last) {
            tree_node(new, new, &hashes[i]);
            continue;
        }
        if (old)
            tree_node(old, &hashes[i], old);
        tree_node(new, &hashes[i], new);
        for (; at && !(at & 1); at >>= 1)
            last >>= 1;
    }
    return last == 0;
}

bool tree_includes(const struct tree_hash *leaf, int64_t index, const struct tree_path *path, int64_t size,
                   const struct tree_hash *root)
{
    struct tree_hash hash = *leaf;
    return index >= 0 && index < size && path->count <= TREE_MOST &&
           climbed(index, size - 1, path->hash, path->count, NULL, &hash) && tree_hash_equal(&hash, root);
}

bool tree_extends(int64_t old, const struct tree_hash *old_root, const struct tree_path *path, int64_t size,
                  const struct tree_hash *root)
{
    if (old < 0 || old > size || path->count > TREE_MOST)
        return false;
    if (old == 0 || old == size)
        return path->count == 0 && (old == 0 || tree_hash_equal(old_root, root));
    bool whole = !(old & (old - 1)); /* then the old root is where the way begins */
    if (!whole && path->count == 0)
        return false;
    struct tree_hash from = whole ? *old_root : path->hash[0], to = from;
    int64_t at = old - 1, last = size - 1;
    for (; at & 1; at >>= 1)
        last >>= 1;
    return climbed(at, last, path->hash + !whole, path->count - !whole, &from, &to) &&
           tree_hash_equal(&from, old_root) && tree_hash_equal(&to, root);
}

void tile_path(struct str *out, int level, int64_t index, int width)
{
    int64_t above = 1;
    if (level == TILE_ENTRIES)
        str_adds(out, "tile/entries/");
    else
        str_addf(out, "tile/%d/", level);
    while (index / above >= 1000)
        above *= 1000;
    for (; above > 1; above /= 1000)
        str_addf(out, "x%03d/", (int)(index / above % 1000));
    str_addf(out, "%03d", (int)(index % 1000));
    if (width < TILE_WIDTH)
        str_addf(out, ".p/%d", width);
}

void tree_hash_line(struct str *out, const struct tree_hash *hash)
{
    base64_encode(out, hash->b, TREE_HASH);
    str_addc(out, '\n');
}

bool tree_hash_read(struct tree_hash *out, struct slice text)
{
    return base64_decode_to(out->b, TREE_HASH, text);
}

void tree_path_lines(struct str *out, const struct tree_path *path)
{
    for (size_t i = 0; i < path->count; i++)
        tree_hash_line(out, &path->hash[i]);
}

bool tree_path_read(struct slice *rest, struct tree_path *path)
{
    struct slice line;
    path->count = 0;
    while (rest->len) {
        if (!strict_line(rest, &line))
            return false;
        if (!line.len)
            break;
        if (path->count == TREE_MOST || !tree_hash_read(&path->hash[path->count++], line))
            return false;
    }
    return true;
}
