#include "trust/keyring.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"

#define KEY_FILE_MAX 65536
#define LEAGUE_FILE  "league.pub"

#define TWICE "this key is here twice; a key serves one format"

static bool same_point(const struct pubkey *a, const struct pubkey *b)
{
    return pubkey_compare_points(a, b) == 0;
}

/* Of the line that was read last. */
static size_t line_number(struct slice text, struct slice rest)
{
    size_t lines = 0;
    for (const char *at = text.p; at < rest.p; at++)
        lines += *at == '\n';
    bool open = rest.p == text.p || rest.p[-1] != '\n'; /* the last line has no line feed */
    return lines + open;
}

static bool holds_point(const struct pubkey *keys, size_t count, const struct pubkey *key)
{
    for (size_t i = 0; i < count; i++)
        if (same_point(&keys[i], key))
            return true;
    return false;
}

static void add_fault(struct keyring *ring, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add_fault(struct keyring *ring, const char *fmt, ...)
{
    struct str text = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&text, fmt, args);
    va_end(args);
    ring->faults = mem_resize(ring->faults, ring->fault_count + 1, sizeof *ring->faults);
    ring->faults[ring->fault_count++] = str_detach(&text);
}

/* With a ring, points that occur twice are faults of the ring and not an error. */
static int parse(struct slice text, const char *what, struct keyring *ring,
                 struct pubkey keys[KEYS_PER_PLAYER], size_t *count, struct err *err)
{
    struct slice rest = text;
    *count = 0;
    for (;;) {
        struct pubkey key;
        bool found;
        bool bad = pubkey_next(&rest, &key, &found, err) != 0;
        if (!bad && !found)
            return 0;
        bool twice = !bad && holds_point(keys, *count, &key);
        if (twice && ring) {
            add_fault(ring, "%s line %zu: " TWICE ", so the first one counts and this line does not", what,
                      line_number(text, rest));
            continue;
        }
        if (twice)
            bad = err_set(err, ERR_INPUT, TWICE);
        else if (!bad && *count == KEYS_PER_PLAYER)
            bad = err_set(err, ERR_INPUT, "a player has at most %d keys", KEYS_PER_PLAYER);
        if (bad)
            return err_prefix(err, "%s line %zu", what, line_number(text, rest));
        keys[(*count)++] = key;
    }
}

int keys_parse(struct slice text, const char *what, struct pubkey keys[KEYS_PER_PLAYER], size_t *count,
               struct err *err)
{
    return parse(text, what, NULL, keys, count, err);
}

static int compare_entries(const void *a, const void *b)
{
    const struct keyring_entry *left = a;
    const struct keyring_entry *right = b;
    int order = pubkey_compare_names(&left->key, &right->key);
    if (!order)
        order = strcmp(left->player, right->player);
    return order ? order : pubkey_compare_points(&left->key, &right->key);
}

static int compare_points(const void *a, const void *b)
{
    const struct keyring_entry *left = *(struct keyring_entry *const *)a;
    const struct keyring_entry *right = *(struct keyring_entry *const *)b;
    int order = pubkey_compare_points(&left->key, &right->key);
    return order ? order : strcmp(left->player, right->player);
}

static int compare_players(const void *a, const void *b)
{
    const struct keyring_entry *left = *(struct keyring_entry *const *)a;
    const struct keyring_entry *right = *(struct keyring_entry *const *)b;
    int order = strcmp(left->player, right->player);
    return order ? order : left < right ? -1 : 1; /* both are of one ring */
}

static void index_players(struct keyring *ring)
{
    free(ring->by_player);
    ring->by_player = mem_array(ring->count, sizeof(struct keyring_entry *));
    for (size_t i = 0; i < ring->count; i++)
        ring->by_player[i] = &ring->entries[i];
    qsort(ring->by_player, ring->count, sizeof(struct keyring_entry *), compare_players);
}

/* The first entry of the player in `by_player`, or of whoever comes after them. */
static size_t first_of(const struct keyring *ring, const char *player)
{
    size_t low = 0;
    size_t high = ring->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (strcmp(ring->by_player[mid]->player, player) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The player's entry number `i` of `by_player`; NULL: it is another's. */
static const struct keyring_entry *entry_of(const struct keyring *ring, const char *player, size_t i)
{
    return i < ring->count && strcmp(ring->by_player[i]->player, player) == 0 ? ring->by_player[i] : NULL;
}

/* A run of entries with one point, sorted by player. */
struct run {
    struct keyring_entry *const *entries;
    size_t count;
};

static bool is_player(const struct keyring_people *people, const struct keyring_entry *entry)
{
    return !people || people->has(people->arg, entry->player);
}

/* "anna.pub, bert.pub and carl.pub": those of players, or those that belong to no player. */
static void add_files(struct str *out, const struct run *run, const struct keyring_people *people,
                      bool players)
{
    size_t left = 0, said = 0;
    for (size_t i = 0; i < run->count; i++)
        left += is_player(people, run->entries[i]) == players;
    for (size_t i = 0; i < run->count; i++) {
        if (is_player(people, run->entries[i]) != players)
            continue;
        str_addf(out, "%s%s.pub", !said ? "" : left == 1 ? " and " : ", ", run->entries[i]->player);
        said++;
        left--;
    }
}

/* In the files of several players: who was first is not known. */
static void hold_back(struct keyring *ring, const char *dir, const struct run *run,
                      const struct keyring_people *people)
{
    char print[KEY_FINGERPRINT];
    struct str files = STR_INIT;
    pubkey_fingerprint(print, &run->entries[0]->key);
    for (size_t i = 0; i < run->count; i++)
        run->entries[i]->shared = true;
    add_files(&files, run, people, true);
    add_fault(ring,
              "%s: %s hold the same key (%s); two players may not share one, so it counts for none of them "
              "until it is taken out of the wrong file",
              dir, files.p, print);
    str_release(&files);
}

/* Files that belong to no player (a copy put aside) take no key from a player; their entries are dropped. */
static void drop_strays(struct keyring *ring, const char *dir, const struct run *run,
                        const struct keyring_people *people)
{
    struct str strays = STR_INIT, files = STR_INIT;
    add_files(&strays, run, people, false);
    add_files(&files, run, people, true);
    add_fault(ring, "%s: the key in %s stands in %s, too, which no player has the name of; take that away",
              dir, files.p, strays.p);
    for (size_t i = 0; i < run->count; i++)
        if (!is_player(people, run->entries[i])) {
            free(run->entries[i]->player);
            run->entries[i]->player = NULL;
        }
    str_release(&strays);
    str_release(&files);
}

static void judge_run(struct keyring *ring, const char *dir, const struct run *run,
                      const struct keyring_people *people)
{
    size_t players = 0;
    for (size_t i = 0; i < run->count; i++)
        players += is_player(people, run->entries[i]);
    if (players != 1)
        hold_back(ring, dir, run, players ? people : NULL);
    if (players && players < run->count)
        drop_strays(ring, dir, run, people);
}

static void find_shared(struct keyring *ring, const char *dir, const struct keyring_people *people)
{
    struct keyring_entry **sorted = mem_array(ring->count, sizeof(struct keyring_entry *));
    size_t kept = 0;
    for (size_t i = 0; i < ring->count; i++)
        sorted[i] = &ring->entries[i];
    qsort(sorted, ring->count, sizeof(struct keyring_entry *), compare_points);
    for (size_t from = 0, to; from < ring->count; from = to) {
        for (to = from + 1; to < ring->count && same_point(&sorted[from]->key, &sorted[to]->key);)
            to++;
        const struct run run = {sorted + from, to - from};
        if (run.count > 1)
            judge_run(ring, dir, &run, people);
    }
    free(sorted);
    for (size_t i = 0; i < ring->count; i++)
        if (ring->entries[i].player)
            ring->entries[kept++] = ring->entries[i];
    ring->count = kept;
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
    if (parse(slice_str(&text), path, ring, keys, &count, err)) {
        err->code = ERR_CONFIG;
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        ring->entries = mem_grow(ring->entries, ring->count, cap, sizeof *ring->entries);
        ring->entries[ring->count++] = (struct keyring_entry){keys[i], slice_dup(player), false};
    }
    rc = 0;
out:
    free(path);
    str_release(&text);
    return rc;
}

/* Takes ownership of `player`. */
static void add_damage(struct keyring *ring, char *player, const struct err *why)
{
    add_fault(ring,
              "%s; its player has no key until that is mended: turnpost player restore NAME, or turnpost "
              "player key NAME KEYFILE",
              why->text);
    ring->damaged = mem_resize(ring->damaged, ring->damaged_count + 1, sizeof *ring->damaged);
    ring->damaged[ring->damaged_count++] = (struct keyring_damage){player, *why, ring->fault_count - 1};
}

/* A file that cannot be read affects its own player only. */
static void load_or_leave(struct keyring *ring, size_t *cap, const char *dir, const char *name)
{
    struct err why = ERR_INIT;
    size_t count = ring->count;
    if (load_player(ring, cap, dir, name, &why) == 0)
        return;
    while (ring->count > count)
        free(ring->entries[--ring->count].player);
    add_damage(ring, mem_strndup(name, strlen(name) - strlen(".pub")), &why);
}

static struct keyring_damage *find_damage(const struct keyring *ring, const char *player)
{
    for (size_t i = 0; i < ring->damaged_count; i++)
        if (strcmp(ring->damaged[i].player, player) == 0)
            return &ring->damaged[i];
    return NULL;
}

const struct keyring_damage *keyring_damaged(const struct keyring *ring, const char *player)
{
    return find_damage(ring, player);
}

/* Those that count, or those that other players have, too. */
static bool has_key(const struct keyring *ring, const char *player, bool shared)
{
    const struct keyring_entry *entry;
    for (size_t i = first_of(ring, player); (entry = entry_of(ring, player, i)); i++)
        if (entry->shared == shared)
            return true;
    return false;
}

bool keyring_shares(const struct keyring *ring, const char *player)
{
    return has_key(ring, player, true);
}

void keyring_expect(struct keyring *ring, const char *dir, const char *player)
{
    struct str path = STR_INIT;
    struct err why = ERR_INIT;
    if (find_damage(ring, player) || has_key(ring, player, false))
        return;
    str_addf(&path, "%s/%s.pub", dir, player);
    if (keyring_shares(ring, player))
        (void)err_set(&why, ERR_CONFIG, "%s holds no key that is not in the file of another player, too",
                      path.p);
    else if (file_exists(path.p))
        (void)err_set(&why, ERR_CONFIG, "%s holds no key", path.p);
    else
        (void)err_set(&why, ERR_MISSING, "%s is missing", path.p);
    add_damage(ring, mem_strdup(player), &why);
    str_release(&path);
}

void keyring_tell(const struct keyring *ring, const char *mended)
{
    const struct keyring_damage *untold = mended ? find_damage(ring, mended) : NULL;
    for (size_t i = 0; i < ring->fault_count; i++)
        if (!untold || untold->fault != i)
            log_error("%s", ring->faults[i]);
}

/* The player has other keys now. */
static void forget_damage(struct keyring *ring, const char *player)
{
    struct keyring_damage *damage = find_damage(ring, player);
    if (!damage)
        return;
    free(damage->player);
    *damage = ring->damaged[--ring->damaged_count];
}

int keyring_load(const char *dir, const struct keyring_people *people, struct keyring *ring, struct err *err)
{
    struct file_names names;
    size_t cap = 0;
    *ring = (struct keyring){0};
    if (file_list(dir, &names, err))
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.name[i];
        if (str_ends(name, ".pub") && strcmp(name, LEAGUE_FILE) != 0)
            load_or_leave(ring, &cap, dir, name);
    }
    file_names_free(&names);
    if (ring->count) {
        qsort(ring->entries, ring->count, sizeof *ring->entries, compare_entries);
        find_shared(ring, dir, people);
    }
    index_players(ring);
    return 0;
}

void keyring_release(struct keyring *ring)
{
    for (size_t i = 0; i < ring->count; i++)
        free(ring->entries[i].player);
    for (size_t i = 0; i < ring->fault_count; i++)
        free(ring->faults[i]);
    while (ring->damaged_count)
        forget_damage(ring, ring->damaged->player);
    free(ring->damaged);
    free(ring->by_player);
    free(ring->entries);
    free(ring->faults);
    *ring = (struct keyring){0};
}

static size_t first_not_below(const struct keyring *ring, const struct pubkey *key)
{
    size_t low = 0;
    size_t high = ring->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (pubkey_compare_names(&ring->entries[mid].key, key) < 0)
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
        if (pubkey_compare_names(&entry->key, &sig->key) != 0)
            break;
        if (entry->shared)
            continue;
        if (signature_is_numbered(sig) || pubkey_names(&sig->key, &entry->key))
            out[found++] = entry;
    }
    return found;
}

const char *keyring_owner(const struct keyring *ring, const struct pubkey *key)
{
    for (size_t i = 0; i < ring->count; i++)
        if (same_point(&ring->entries[i].key, key))
            return ring->entries[i].player;
    return NULL;
}

static bool held_by_another(const struct keyring *ring, const struct keyring_entry *entry)
{
    for (size_t i = 0; i < ring->count; i++)
        if (strcmp(ring->entries[i].player, entry->player) != 0 &&
            same_point(&ring->entries[i].key, &entry->key))
            return true;
    return false;
}

/* A key that is now in one file only counts for its player, if that was the only damage. */
static void lift_shared(struct keyring *ring)
{
    for (size_t i = 0; i < ring->count; i++) {
        struct keyring_entry *entry = &ring->entries[i];
        if (!entry->shared || held_by_another(ring, entry))
            continue;
        entry->shared = false;
        forget_damage(ring, entry->player);
    }
}

int keyring_set(struct keyring *ring, const char *player, const struct pubkey *keys, size_t count,
                struct err *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < ring->count; i++)
        if (strcmp(ring->entries[i].player, player) != 0 && holds_point(keys, count, &ring->entries[i].key))
            return err_set(err, ERR_INPUT, "this key is registered for another player already");
    for (size_t k = 0; k < count; k++)
        if (holds_point(keys, k, &keys[k]))
            return err_set(err, ERR_INPUT, TWICE);
    struct keyring_entry *entries = mem_array(ring->count + count + 1, sizeof *entries);
    for (size_t i = 0; i < ring->count; i++) {
        if (strcmp(ring->entries[i].player, player) != 0)
            entries[kept++] = ring->entries[i];
        else
            free(ring->entries[i].player);
    }
    for (size_t k = 0; k < count; k++)
        entries[kept++] = (struct keyring_entry){keys[k], mem_strdup(player), false};
    free(ring->entries);
    ring->entries = entries;
    ring->count = kept;
    forget_damage(ring, player);
    lift_shared(ring);
    qsort(ring->entries, ring->count, sizeof *ring->entries, compare_entries);
    index_players(ring);
    return 0;
}

bool keyring_has(const struct keyring *ring, const char *player, const struct pubkey *key)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    const size_t count = keyring_of(ring, player, keys);
    bool has = false;
    for (size_t i = 0; i < count && !has; i++)
        has = pubkey_equal(&keys[i], key);
    return has;
}

size_t keyring_of(const struct keyring *ring, const char *player, struct pubkey keys[KEYS_PER_PLAYER])
{
    const struct keyring_entry *entry;
    size_t found = 0;
    for (size_t i = first_of(ring, player); (entry = entry_of(ring, player, i)) && found < KEYS_PER_PLAYER;
         i++)
        if (!entry->shared)
            keys[found++] = entry->key;
    return found;
}
