#include "league/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "league/address.h"

static const char *address_of(const struct player *players, size_t entry)
{
    return entry % 2 ? players[entry / 2].address2 : players[entry / 2].address;
}

static int compare_address(const void *a, const void *b, void *arg)
{
    const struct player *players = arg;
    const size_t *left = a;
    const size_t *right = b;
    int order = strcasecmp(address_of(players, *left), address_of(players, *right));
    return order ? order : strcmp(players[*left / 2].name, players[*right / 2].name);
}

static int compare_name(const void *a, const void *b)
{
    const struct player *left = a;
    const struct player *right = b;
    return strcmp(left->name, right->name);
}

static void sort_addresses(struct registry *registry)
{
    registry->address_count = 0;
    for (size_t i = 0; i < 2 * registry->count; i++)
        if (*address_of(registry->players, i))
            registry->by_address[registry->address_count++] = i;
    qsort_r(registry->by_address, registry->address_count, sizeof *registry->by_address, compare_address,
            registry->players);
}

/* A file whose name does not end in ".json" is not ours (file.json.tmp, a note of the operator's). */
static void load_one(const char *league_dir, char *file, struct registry *registry)
{
    struct err why = ERR_INIT, ignored = ERR_INIT;
    struct str path = STR_INIT;
    if (!str_ends(file, ".json"))
        return;
    str_addf(&path, "%s/players/%s", league_dir, file);
    file[strlen(file) - strlen(".json")] = '\0';
    if (player_load(league_dir, file, &registry->players[registry->count], &why) == 0) {
        registry->count++;
    } else {
        struct registry_fault *fault = &registry->faults[registry->fault_count++];
        *fault = (struct registry_fault){.code = why.code, .bytes = STR_INIT};
        bool named = name_valid(slice_of(file));
        (void)snprintf(fault->name, sizeof fault->name, "%s", named ? file : "");
        (void)snprintf(fault->why, sizeof fault->why,
                       named ? "%s cannot be read: %s" : "%s is no player's: %s", path.p, why.text);
        if (file_read(path.p, PLAYER_FILE, &fault->bytes, &ignored))
            str_clear(&fault->bytes);
    }
    str_release(&path);
}

int registry_load(const char *league_dir, struct registry *registry, struct err *err)
{
    char *dir = path_join(league_dir, "players");
    struct file_names names;
    *registry = (struct registry){0};
    int rc = file_list(dir, &names, err);
    free(dir);
    if (rc)
        return rc;
    registry->players = mem_array(names.count + 1, sizeof *registry->players);
    registry->by_address = mem_array(2 * names.count + 1, sizeof *registry->by_address);
    registry->faults = mem_array(names.count + 1, sizeof *registry->faults);
    for (size_t i = 0; i < names.count; i++)
        load_one(league_dir, names.name[i], registry);
    file_names_free(&names);
    /* The list is sorted with ".json" after the names, which is a different order for "a" and "a-b". */
    qsort(registry->players, registry->count, sizeof *registry->players, compare_name);
    sort_addresses(registry);
    struct err why = ERR_INIT;
    if (page_written_read(league_dir, &registry->page, &why))
        log_warn("%s: mails do not say which page is the right one", why.text);
    return 0;
}

const struct registry_fault *registry_damaged(const struct registry *registry, const char *name)
{
    for (size_t i = 0; *name && i < registry->fault_count; i++)
        if (strcmp(registry->faults[i].name, name) == 0)
            return &registry->faults[i];
    return NULL;
}

bool registry_damaged_address(const struct registry *registry, const char *address)
{
    for (size_t i = 0; i < registry->fault_count; i++)
        if (address_stands(slice_str(&registry->faults[i].bytes), address))
            return true;
    return false;
}

void registry_expect(struct registry *registry, const char *name, const char *why)
{
    if (registry_find(registry, name) || registry_damaged(registry, name))
        return;
    registry->faults = mem_resize(registry->faults, registry->fault_count + 1, sizeof *registry->faults);
    struct registry_fault *fault = &registry->faults[registry->fault_count++];
    *fault = (struct registry_fault){.code = ERR_MISSING, .bytes = STR_INIT};
    (void)snprintf(fault->name, sizeof fault->name, "%s", name);
    (void)snprintf(fault->why, sizeof fault->why, "%s", why);
}

/* Its file is rewritten, or removed. */
static void forget_fault(struct registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->fault_count; i++) {
        if (strcmp(registry->faults[i].name, name) != 0)
            continue;
        str_release(&registry->faults[i].bytes);
        registry->faults[i] = registry->faults[--registry->fault_count];
        return;
    }
}

void registry_put(struct registry *registry, const struct player *player)
{
    forget_fault(registry, player->name);
    const struct player *old = registry_find(registry, player->name);
    if (old) {
        registry->players[old - registry->players] = *player;
    } else {
        size_t count = registry->count + 1;
        struct player *players = mem_array(count, sizeof *players);
        memcpy(players, registry->players, registry->count * sizeof *players);
        players[registry->count] = *player;
        free(registry->players);
        free(registry->by_address);
        registry->players = players;
        registry->count = count;
        registry->by_address = mem_array(2 * count, sizeof *registry->by_address);
        qsort(players, count, sizeof *players, compare_name);
    }
    sort_addresses(registry);
}

void registry_remove(struct registry *registry, const char *name)
{
    const struct player *old = registry_find(registry, name);
    forget_fault(registry, name);
    if (!old)
        return;
    size_t at = (size_t)(old - registry->players);
    memmove(registry->players + at, registry->players + at + 1,
            (registry->count - at - 1) * sizeof *registry->players);
    registry->count--;
    sort_addresses(registry);
}

void registry_release(struct registry *registry)
{
    free(registry->players);
    free(registry->by_address);
    for (size_t i = 0; i < registry->fault_count; i++)
        str_release(&registry->faults[i].bytes);
    free(registry->faults);
    *registry = (struct registry){0};
}

const struct player *registry_find(const struct registry *registry, const char *name)
{
    size_t from = 0;
    size_t to = registry->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = strcmp(registry->players[middle].name, name);
        if (order == 0)
            return &registry->players[middle];
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return NULL;
}

const struct player *registry_by_address(const struct registry *registry, const char *address)
{
    size_t from = 0;
    size_t to = registry->address_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (strcasecmp(address_of(registry->players, registry->by_address[middle]), address) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == registry->address_count)
        return NULL;
    size_t entry = registry->by_address[from];
    return strcasecmp(address_of(registry->players, entry), address) == 0 ? &registry->players[entry / 2]
                                                                          : NULL;
}
