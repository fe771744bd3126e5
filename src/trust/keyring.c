#include "trust/keyring.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

#define KEY_FILE_MAX 65536
#define LEAGUE_FILE  "league.pub"

static size_t count_lines(const char *from, const char *to)
{
    size_t lines = 0;
    for (; from < to; from++)
        lines += *from == '\n';
    return lines;
}

static bool same_point(const struct pubkey *a, const struct pubkey *b)
{
    return memcmp(a->point, b->point, sizeof a->point) == 0;
}

int keys_parse(struct slice text, const char *what, struct pubkey keys[KEYS_PER_PLAYER], size_t *count,
               struct err *err)
{
    struct slice rest = text;
    *count = 0;
    for (;;) {
        struct pubkey key;
        bool found;
        bool bad = pubkey_next(&rest, &key, &found, err) != 0;
        if (!bad && !found)
            return 0;
        if (!bad && *count == KEYS_PER_PLAYER)
            bad = err_set(err, ERR_INPUT, "a player has at most %d keys", KEYS_PER_PLAYER);
        for (size_t i = 0; !bad && i < *count; i++)
            if (same_point(&keys[i], &key))
                bad = err_set(err, ERR_INPUT, "this key stands here twice; a key serves one format");
        if (bad) {
            size_t ends = count_lines(text.p, rest.p);
            bool open = rest.p == text.p || rest.p[-1] != '\n'; /* the last line has no line feed */
            return err_prefix(err, "%s line %zu", what, ends + open);
        }
        keys[(*count)++] = key;
    }
}

/* SSH keys by point, then the others by key number: what lookup knows of a signature's key. */
static int compare(const struct pubkey *a, const struct pubkey *b)
{
    if (key_is_ssh(a->kind) != key_is_ssh(b->kind))
        return key_is_ssh(a->kind) ? -1 : 1;
    return key_is_ssh(a->kind) ? memcmp(a->point, b->point, sizeof a->point)
                               : memcmp(a->id, b->id, sizeof a->id);
}

static int compare_entries(const void *a, const void *b)
{
    const struct keyring_entry *left = a;
    const struct keyring_entry *right = b;
    int order = compare(&left->key, &right->key);
    if (!order)
        order = strcmp(left->player, right->player);
    return order ? order : memcmp(left->key.point, right->key.point, sizeof left->key.point);
}

static int compare_points(const void *a, const void *b)
{
    const struct keyring_entry *left = a;
    const struct keyring_entry *right = b;
    int order = memcmp(left->key.point, right->key.point, sizeof left->key.point);
    return order ? order : strcmp(left->player, right->player);
}

static int refuse_shared(const struct keyring *ring, const char *dir, struct err *err)
{
    int rc = 0;
    struct keyring_entry *sorted = mem_array(ring->count, sizeof *sorted); /* the names are the ring's */
    memcpy(sorted, ring->entries, ring->count * sizeof *sorted);
    qsort(sorted, ring->count, sizeof *sorted, compare_points);
    for (size_t i = 1; i < ring->count && !rc; i++) {
        if (same_point(&sorted[i - 1].key, &sorted[i].key))
            rc = err_set(err, ERR_CONFIG,
                         "%s: %s.pub and %s.pub hold the same key; two players may not share one", dir,
                         sorted[i - 1].player, sorted[i].player);
    }
    free(sorted);
    return rc;
}

static int load_player(struct keyring *ring, size_t *cap, const char *dir, const char *name, struct err *err)
{
    struct str text = STR_INIT;
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count;
    char *path = path_join(dir, name);
    struct slice player = slice_sub(slice_of(name), 0, strlen(name) - strlen(".pub"));
    int rc = -1;
    if (!name_valid(player)) {
        err_set(err, ERR_CONFIG,
                "%s: a player's name has small letters, digits, '.', '_' and '-', at most 32", path);
        goto out;
    }
    if (file_read(path, KEY_FILE_MAX, &text, err))
        goto out;
    if (keys_parse(slice_str(&text), path, keys, &count, err)) {
        err->code = ERR_CONFIG;
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        ring->entries = mem_grow(ring->entries, ring->count, cap, sizeof *ring->entries);
        ring->entries[ring->count].key = keys[i];
        ring->entries[ring->count++].player = slice_dup(player);
    }
    rc = 0;
out:
    free(path);
    str_release(&text);
    return rc;
}

int keyring_load(const char *dir, struct keyring *ring, struct err *err)
{
    struct file_names names;
    size_t cap = 0;
    *ring = (struct keyring){NULL, 0};
    if (file_list(dir, &names, err))
        return -1;
    int rc = 0;
    for (size_t i = 0; i < names.count && !rc; i++) {
        const char *name = names.name[i];
        if (str_ends(name, ".pub") && strcmp(name, LEAGUE_FILE) != 0)
            rc = load_player(ring, &cap, dir, name, err);
    }
    file_names_free(&names);
    if (!rc && ring->count) {
        qsort(ring->entries, ring->count, sizeof *ring->entries, compare_entries);
        rc = refuse_shared(ring, dir, err);
    }
    if (rc)
        keyring_release(ring);
    return rc;
}

void keyring_release(struct keyring *ring)
{
    for (size_t i = 0; i < ring->count; i++)
        free(ring->entries[i].player);
    free(ring->entries);
    *ring = (struct keyring){NULL, 0};
}

static size_t first_not_below(const struct keyring *ring, const struct pubkey *key)
{
    size_t low = 0;
    size_t high = ring->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (compare(&ring->entries[mid].key, key) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

size_t keyring_lookup(const struct keyring *ring, const struct signature *sig,
                      const struct keyring_entry **out, size_t max)
{
    size_t found = 0;
    for (size_t i = first_not_below(ring, &sig->key); i < ring->count && found < max; i++) {
        const struct keyring_entry *entry = &ring->entries[i];
        if (compare(&entry->key, &sig->key) != 0)
            break;
        if (!key_is_ssh(sig->kind) || pubkey_equal(&entry->key, &sig->key))
            out[found++] = entry;
    }
    return found;
}

int keyring_set(struct keyring *ring, const char *player, const struct pubkey *keys, size_t count,
                struct err *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < ring->count; i++)
        for (size_t k = 0; k < count; k++)
            if (same_point(&ring->entries[i].key, &keys[k]) && strcmp(ring->entries[i].player, player) != 0)
                return err_set(err, ERR_INPUT, "this key is registered for another player already");
    struct keyring_entry *entries = mem_array(ring->count + count + 1, sizeof *entries);
    for (size_t i = 0; i < ring->count; i++) {
        if (strcmp(ring->entries[i].player, player) != 0)
            entries[kept++] = ring->entries[i];
        else
            free(ring->entries[i].player);
    }
    for (size_t k = 0; k < count; k++)
        entries[kept++] = (struct keyring_entry){keys[k], mem_strdup(player)};
    free(ring->entries);
    *ring = (struct keyring){entries, kept};
    qsort(ring->entries, ring->count, sizeof *ring->entries, compare_entries);
    return 0;
}

size_t keyring_of(const struct keyring *ring, const char *player, struct pubkey keys[KEYS_PER_PLAYER])
{
    size_t found = 0;
    for (size_t i = 0; i < ring->count && found < KEYS_PER_PLAYER; i++)
        if (strcmp(ring->entries[i].player, player) == 0)
            keys[found++] = ring->entries[i].key;
    return found;
}
