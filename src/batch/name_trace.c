#include "batch/name_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "batch/absent.h"

struct search {
    const struct name_places *places;
    const char *name;
    struct name_trace *trace;
};

/* The name itself counts more than one that looks like it. */
static void see(struct search *search, enum name_trace_kind kind, const char *player, const char *game)
{
    struct name_trace *trace = search->trace;
    bool better = trace->kind == TRACE_NONE ||
                  (strcmp(trace->player, search->name) != 0 && strcmp(player, search->name) == 0);
    if (!better || !player_names_alike(player, search->name) ||
        registry_find(search->places->registry, player))
        return;
    trace->kind = kind;
    (void)snprintf(trace->player, sizeof trace->player, "%s", player);
    (void)snprintf(trace->game, sizeof trace->game, "%s", game);
}

static void see_files(struct search *search)
{
    const struct registry *registry = search->places->registry;
    for (size_t i = 0; i < registry->fault_count; i++)
        if (*registry->faults[i].name)
            see(search, TRACE_FILE, registry->faults[i].name, "");
}

static void see_seat(void *arg, const char *player, const char *game)
{
    see(arg, TRACE_SEAT, player, game);
}

/* A file without a key in it is in no keyring. */
static void see_keys(struct search *search)
{
    const struct keyring *ring = search->places->keyring;
    struct str path = STR_INIT;
    str_addf(&path, "%s/keys/%s.pub", search->places->dir, search->name);
    if (file_exists(path.p))
        see(search, TRACE_KEYS, search->name, "");
    str_release(&path);
    for (size_t i = 0; i < ring->count; i++)
        see(search, TRACE_KEYS, ring->entries[i].player, "");
    for (size_t i = 0; i < ring->damaged_count; i++)
        if (name_valid(slice_of(ring->damaged[i].player)))
            see(search, TRACE_KEYS, ring->damaged[i].player, "");
}

static void see_documents(struct search *search)
{
    const char *player;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)search->places->documents, player, value)
        if (json_is_true(value))
            see(search, TRACE_JOURNAL, player, "");
}

int name_trace_find(const struct name_places *places, const char *name, struct name_trace *trace,
                    struct err *err)
{
    struct search search = {places, name, trace};
    *trace = (struct name_trace){.kind = TRACE_NONE};
    see_files(&search);
    if (places->catalog && absent_each(places->catalog, places->registry, see_seat, &search, err))
        return -1;
    see_keys(&search);
    see_documents(&search);
    return 0;
}
