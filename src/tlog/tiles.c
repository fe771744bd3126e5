#include "tlog/tiles.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "tlog/checkpoint.h"

#define LEVELS      7   /* of tiles: 2^56 entries */
#define NODES       512 /* of a tile: its hashes and all above them */
#define KEPT        64  /* full tiles in memory */
#define TILE_BYTES  ((size_t)TILE_WIDTH * TREE_HASH)
#define ENTRY_BYTES 65535 /* what be16 can say */
#define BUNDLE_MOST ((size_t)TILE_WIDTH * (2 + ENTRY_BYTES))

/* Some of a tile's hashes, from its left end on, and the nodes above those that are there in pairs. */
struct tile {
    int level;
    int64_t index;
    int width;
    uint64_t used; /* of a kept one: when last; 0: the place is free */
    struct tree_hash node[NODES];
};

struct tiles {
    char *dir;
    int64_t size, published;  /* entries; of those, what the folder's checkpoint has */
    struct tile edge[LEVELS]; /* the last of each level, which is not full */
    struct str bundle;        /* of entries, that belongs to edge[0] */
    struct tile *kept;        /* KEPT of them */
    uint64_t uses;
};

/* ---- one tile ---- */

/* Where nodes of a height in the tile begin: 256 of height 0, 128 of height 1, ..., the root. */
static int nodes_at(int height)
{
    return NODES - (NODES >> height);
}

static void tile_begin(struct tile *tile, int level, int64_t index)
{
    tile->level = level;
    tile->index = index;
    tile->width = 0;
}

static void tile_add(struct tile *tile, const struct tree_hash *hash)
{
    int at = tile->width++;
    tile->node[at] = *hash;
    for (int height = 1; at & 1; height++, at >>= 1) {
        const struct tree_hash *below = &tile->node[nodes_at(height - 1)];
        tree_node(&tile->node[nodes_at(height) + (at >> 1)], &below[at - 1], &below[at]);
    }
}

static void tile_fill(struct tile *tile, struct slice bytes)
{
    for (size_t at = 0; at < bytes.len; at += TREE_HASH) {
        struct tree_hash hash;
        memcpy(hash.b, bytes.p + at, TREE_HASH);
        tile_add(tile, &hash);
    }
}

static struct slice tile_bytes(const struct tile *tile)
{
    return (struct slice){(const char *)tile->node, (size_t)tile->width * TREE_HASH};
}

/* ---- files ---- */

static char *path_in(const char *dir, int level, int64_t index, int width)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/", dir);
    tile_path(&path, level, index, width);
    return str_detach(&path);
}

static char *path_of(const struct tiles *tiles, int level, int64_t index, int width)
{
    return path_in(tiles->dir, level, index, width);
}

static char *checkpoint_path(const struct tiles *tiles)
{
    return path_join(tiles->dir, "checkpoint");
}

static int write_file(const struct tiles *tiles, int level, int64_t index, int width, struct slice bytes,
                      struct err *err)
{
    char *path = path_of(tiles, level, index, width), *slash = strrchr(path, '/');
    *slash = '\0';
    int rc = file_mkdirs(path, 0755, err);
    *slash = '/';
    if (!rc)
        rc = file_write_soft(path, bytes, 0644, err);
    free(path);
    return rc;
}

/* Replaces what is in `out`. 1: there is no such file, or it is larger than it may be. */
static int read_file(const char *path, size_t most, struct str *out, struct err *err)
{
    struct err why = ERR_INIT;
    str_clear(out);
    if (!file_read(path, most, out, &why))
        return 0;
    return why.code == ERR_MISSING || why.code == ERR_INPUT ? 1 : err_pass(err, &why);
}

int tile_file(const char *dir, int level, int64_t index, int width, struct str *out, struct err *err)
{
    char *path = path_in(dir, level, index, width);
    int rc = read_file(path, BUNDLE_MOST, out, err);
    free(path);
    if (rc != 1 || width == TILE_WIDTH)
        return rc;
    path = path_in(dir, level, index, TILE_WIDTH);
    rc = read_file(path, BUNDLE_MOST, out, err);
    free(path);
    return rc;
}

/* Removes the folder of partial tiles, of which there may be none. */
static int remove_partial(const struct tiles *tiles, int level, int64_t index, struct err *err)
{
    struct file_names names;
    char *path = path_of(tiles, level, index, 1);
    *strrchr(path, '/') = '\0';
    int rc = file_list(path, &names, err);
    for (size_t i = 0; !rc && i < names.count; i++) {
        char *one = path_join(path, names.name[i]);
        rc = file_remove(one, err);
        free(one);
    }
    if (!rc) {
        file_names_free(&names);
        (void)rmdir(path);
    }
    free(path);
    return rc;
}

/* ---- entries in a bundle ---- */

bool bundle_next(struct slice *bundle, struct slice *entry)
{
    if (bundle->len < 2)
        return false;
    size_t len = (size_t)(unsigned char)bundle->p[0] << 8 | (unsigned char)bundle->p[1];
    if (bundle->len - 2 < len)
        return false;
    *entry = slice_sub(*bundle, 2, len);
    *bundle = slice_sub(*bundle, 2 + len, bundle->len);
    return true;
}

/* ---- opening ---- */

void tiles_reset(struct tiles *tiles)
{
    tiles->size = tiles->published = 0;
    for (int level = 0; level < LEVELS; level++)
        tile_begin(&tiles->edge[level], level, 0);
    for (int i = 0; i < KEPT; i++)
        tiles->kept[i].used = 0;
    str_clear(&tiles->bundle);
}

/* The edges of a tree of this size. 1: something of them is gone or torn. */
static int load_edges(struct tiles *tiles, int64_t size, struct err *err)
{
    struct str bytes = STR_INIT;
    int rc = 0;
    for (int level = 0; level < LEVELS && !rc && size >> (TILE_HEIGHT * level); level++) {
        int64_t count = size >> (TILE_HEIGHT * level), index = count / TILE_WIDTH;
        size_t width = (size_t)(count % TILE_WIDTH);
        tile_begin(&tiles->edge[level], level, index);
        if (!width)
            continue;
        rc = tile_file(tiles->dir, level, index, (int)width, &bytes, err);
        if (!rc && bytes.len < width * TREE_HASH)
            rc = 1;
        if (!rc)
            tile_fill(&tiles->edge[level], slice_sub(slice_str(&bytes), 0, width * TREE_HASH));
    }
    if (!rc && tiles->edge[0].width)
        rc = tile_file(tiles->dir, TILE_ENTRIES, tiles->edge[0].index, tiles->edge[0].width, &bytes, err);
    struct slice rest = slice_str(&bytes), entry;
    for (int i = 0; !rc && i < tiles->edge[0].width; i++) {
        struct tree_hash leaf;
        if (!bundle_next(&rest, &entry)) {
            rc = 1;
            break;
        }
        tree_leaf(&leaf, entry);
        rc = !tree_hash_equal(&leaf, &tiles->edge[0].node[i]);
    }
    if (!rc && tiles->edge[0].width)
        str_add(&tiles->bundle, bytes.p, bytes.len - rest.len);
    tiles->size = size;
    str_release(&bytes);
    return rc;
}

static int load(struct tiles *tiles, struct err *err)
{
    struct str note = STR_INIT;
    struct checkpoint checkpoint;
    struct err ignored = ERR_INIT;
    char *path = checkpoint_path(tiles);
    int rc = read_file(path, NOTE_MOST, &note, err);
    free(path);
    if (!rc && checkpoint_parse(slice_str(&note), &checkpoint, &ignored))
        rc = 1;
    str_release(&note);
    if (!rc)
        rc = load_edges(tiles, checkpoint.size, err);
    if (!rc) {
        struct tree_hash root;
        tiles_root(tiles, &root);
        rc = !tree_hash_equal(&root, &checkpoint.root);
        tiles->published = tiles->size;
    }
    if (rc == 1)
        tiles_reset(tiles);
    return rc < 0 ? -1 : 0;
}

int tiles_open(const char *dir, struct tiles **tiles, struct err *err)
{
    struct tiles *t = mem_alloc(sizeof *t);
    t->dir = mem_strdup(dir);
    t->kept = mem_array(KEPT, sizeof *t->kept);
    str_init(&t->bundle);
    tiles_reset(t);
    if (load(t, err)) {
        tiles_close(t);
        return -1;
    }
    *tiles = t;
    return 0;
}

void tiles_close(struct tiles *tiles)
{
    if (!tiles)
        return;
    free(tiles->dir);
    free(tiles->kept);
    str_release(&tiles->bundle);
    free(tiles);
}

int64_t tiles_size(const struct tiles *tiles)
{
    return tiles->size;
}

int64_t tiles_shown(const struct tiles *tiles)
{
    return tiles->published;
}

/* ---- full tiles in memory ---- */

/* The place of the tile that has not been used for longest, or where it is: then its width is not 0. */
static struct tile *place_for(struct tiles *tiles, int level, int64_t index)
{
    struct tile *oldest = &tiles->kept[0];
    for (int i = 0; i < KEPT; i++) {
        struct tile *tile = &tiles->kept[i];
        if (tile->used && tile->level == level && tile->index == index) {
            tile->used = ++tiles->uses;
            return tile;
        }
        if (tile->used < oldest->used)
            oldest = tile;
    }
    tile_begin(oldest, level, index);
    oldest->used = 0;
    return oldest;
}

/* ---- appending ---- */

/* Puts full edges into the folder, and their roots into the level above. */
static int carry(struct tiles *tiles, struct err *err)
{
    for (int level = 0; tiles->edge[level].width == TILE_WIDTH; level++) {
        struct tile *edge = &tiles->edge[level];
        if (write_file(tiles, level, edge->index, TILE_WIDTH, tile_bytes(edge), err))
            return -1;
        if (level == 0) {
            if (write_file(tiles, TILE_ENTRIES, edge->index, TILE_WIDTH, slice_str(&tiles->bundle), err))
                return -1;
            str_clear(&tiles->bundle);
        }
        tile_add(&tiles->edge[level + 1], &edge->node[nodes_at(TILE_HEIGHT)]);
        struct tile *kept = place_for(tiles, level, edge->index); /* proofs are asked for soon */
        *kept = *edge;
        kept->used = ++tiles->uses;
        tile_begin(edge, level, edge->index + 1);
    }
    return 0;
}

int tiles_append(struct tiles *tiles, struct slice lines, struct err *err)
{
    struct slice line;
    while (slice_whole_line(&lines, &line)) {
        struct tree_hash leaf;
        if (line.p[line.len - 1] != '\n' || line.len > ENTRY_BYTES)
            return err_set(err, ERR_BROKEN, "entry %lld of the log is not a line of at most %d bytes",
                           (long long)tiles->size, ENTRY_BYTES);
        str_addc(&tiles->bundle, (char)(line.len >> 8));
        str_addc(&tiles->bundle, (char)(line.len & 0xFF));
        str_addslice(&tiles->bundle, line);
        tree_leaf(&leaf, line);
        tile_add(&tiles->edge[0], &leaf);
        tiles->size++;
        if (carry(tiles, err)) {
            tiles_reset(tiles); /* what is in memory and in the folder may differ now */
            return -1;
        }
    }
    return 0;
}

/* Partial tiles that the folder has not got yet. */
static int write_edges(const struct tiles *tiles, struct err *err)
{
    for (int level = 0; level < LEVELS; level++) {
        const struct tile *edge = &tiles->edge[level];
        if (!edge->width || tiles->size >> (TILE_HEIGHT * level) == tiles->published >> (TILE_HEIGHT * level))
            continue;
        if (write_file(tiles, level, edge->index, edge->width, tile_bytes(edge), err) ||
            (level == 0 &&
             write_file(tiles, TILE_ENTRIES, edge->index, edge->width, slice_str(&tiles->bundle), err)))
            return -1;
    }
    return 0;
}

/* Partial tiles of what has become full since the last checkpoint. */
static int remove_edges(const struct tiles *tiles, struct err *err)
{
    for (int level = 0; level < LEVELS; level++)
        for (int64_t i = tiles->published >> (TILE_HEIGHT * (level + 1)); i < tiles->edge[level].index; i++)
            if (remove_partial(tiles, level, i, err) ||
                (level == 0 && remove_partial(tiles, TILE_ENTRIES, i, err)))
                return -1;
    return 0;
}

/* Full tiles are never looked at again, so they last before a checkpoint speaks of them, and before their partial ones go. */
static int keep_full(const struct tiles *tiles, struct err *err)
{
    if (tiles->size / TILE_WIDTH == tiles->published / TILE_WIDTH)
        return 0;
    char *path = path_join(tiles->dir, "tile");
    int rc = file_sync_all(path, err);
    free(path);
    return rc;
}

int tiles_publish(struct tiles *tiles, struct slice note, struct err *err)
{
    struct checkpoint checkpoint;
    struct tree_hash root;
    tiles_root(tiles, &root);
    if (checkpoint_parse(note, &checkpoint, err))
        return -1;
    if (checkpoint.size != tiles->size || !tree_hash_equal(&checkpoint.root, &root))
        return err_set(err, ERR_BROKEN, "the checkpoint to be shown in %s is of another tree than its tiles",
                       tiles->dir);
    if (file_mkdirs(tiles->dir, 0755, err))
        return -1;
    if (tiles->size != tiles->published &&
        (write_edges(tiles, err) || keep_full(tiles, err) || remove_edges(tiles, err)))
        return -1;
    char *path = checkpoint_path(tiles);
    int rc = file_write_soft(path, note, 0644, err);
    free(path);
    if (!rc)
        tiles->published = tiles->size;
    return rc;
}

/* ---- reading ---- */

static int damaged(const struct tiles *tiles, int level, int64_t index, struct err *err)
{
    char *path = path_of(tiles, level, index, TILE_WIDTH);
    err_set(err, ERR_BROKEN, "%s is missing or damaged; make the tiles anew from the log's entries", path);
    free(path);
    return -1;
}

/* A full tile, which has to have this root. */
static int full_tile(struct tiles *tiles, int level, int64_t index, const struct tree_hash *root,
                     const struct tile **out, struct err *err)
{
    struct tile *tile = place_for(tiles, level, index);
    *out = tile;
    if (tile->width)
        return 0;
    struct str bytes = STR_INIT;
    char *path = path_of(tiles, level, index, TILE_WIDTH);
    int rc = read_file(path, TILE_BYTES, &bytes, err);
    free(path);
    if (!rc && bytes.len == TILE_BYTES) {
        tile_fill(tile, slice_str(&bytes));
        if (tree_hash_equal(&tile->node[nodes_at(TILE_HEIGHT)], root))
            tile->used = ++tiles->uses;
    }
    str_release(&bytes);
    return rc < 0 ? -1 : tile->used ? 0 : damaged(tiles, level, index, err);
}

/* From the edge above the tile down to it: each one vouches for the next. */
static int read_hash(void *arg, int level, int64_t index, struct tree_hash *out, struct err *err)
{
    struct tiles *tiles = arg;
    int wanted = level / TILE_HEIGHT, height = level % TILE_HEIGHT, top = wanted;
    int64_t tile = index >> (TILE_HEIGHT - height);
    int at = (int)(index & ((TILE_WIDTH >> height) - 1));
    if (index >= tiles->size >> level)
        return err_set(err, ERR_MISSING, "the log has only %lld entries", (long long)tiles->size);
    while (top < LEVELS - 1 && tile >> (TILE_HEIGHT * (top - wanted)) < tiles->edge[top].index)
        top++;
    const struct tile *here = &tiles->edge[top];
    for (int next = top - 1; next >= wanted; next--) {
        int64_t below = tile >> (TILE_HEIGHT * (next - wanted));
        if (full_tile(tiles, next, below, &here->node[below % TILE_WIDTH], &here, err))
            return -1;
    }
    *out = here->node[nodes_at(height) + at];
    return 0;
}

struct tree_reader tiles_reader(struct tiles *tiles)
{
    return (struct tree_reader){read_hash, tiles};
}

/* All that is needed is in the edges: their hashes are those of the full subtrees. */
void tiles_root(const struct tiles *tiles, struct tree_hash *out)
{
    bool any = false;
    tree_empty(out);
    for (int level = 0; level < LEVELS; level++)
        for (int height = 0; height < TILE_HEIGHT; height++) {
            const struct tile *edge = &tiles->edge[level];
            if (!(edge->width >> height & 1))
                continue;
            const struct tree_hash *full = &edge->node[nodes_at(height) + (edge->width >> height) - 1];
            if (any)
                tree_node(out, full, out);
            else
                *out = *full;
            any = true;
        }
}

int tiles_entry(struct tiles *tiles, int64_t index, struct str *out, struct err *err)
{
    int64_t bundle = index / TILE_WIDTH;
    struct str bytes = STR_INIT;
    struct slice rest, entry = {NULL, 0};
    if (index < 0 || index >= tiles->size)
        return err_set(err, ERR_MISSING, "the log has no entry %lld", (long long)index);
    int rc = 0;
    if (bundle < tiles->edge[0].index) {
        char *path = path_of(tiles, TILE_ENTRIES, bundle, TILE_WIDTH);
        rc = read_file(path, BUNDLE_MOST, &bytes, err);
        free(path);
    }
    rest = bundle < tiles->edge[0].index ? slice_str(&bytes) : slice_str(&tiles->bundle);
    for (int64_t i = 0; !rc && i <= index % TILE_WIDTH; i++)
        rc = !bundle_next(&rest, &entry);
    if (!rc && (!entry.len || entry.p[entry.len - 1] != '\n'))
        rc = 1;
    if (!rc)
        str_add(out, entry.p, entry.len - 1);
    str_release(&bytes);
    return rc == 1 ? damaged(tiles, TILE_ENTRIES, bundle, err) : rc;
}
