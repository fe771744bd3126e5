#include "cluster/dirty.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The place of the first that is not before it; *found: it is that one. */
static size_t find(const struct dirty *dirty, const char *path, bool *found)
{
    size_t low = 0, high = dirty->count;
    *found = false;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(dirty->list[middle].path, path);
        *found |= order == 0;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct dirty_file *get(struct dirty *dirty, const char *path)
{
    bool found;
    size_t at = find(dirty, path, &found);
    return found ? &dirty->list[at] : NULL;
}

static struct dirty_file *insert(struct dirty *dirty, const char *path)
{
    bool found;
    size_t at = find(dirty, path, &found);
    dirty->list = mem_grow(dirty->list, dirty->count, &dirty->cap, sizeof *dirty->list);
    memmove(&dirty->list[at + 1], &dirty->list[at], (dirty->count - at) * sizeof *dirty->list);
    dirty->count++;
    dirty->list[at] = (struct dirty_file){.path = mem_strdup(path)};
    return &dirty->list[at];
}

/* From now on it is this, whatever it was. `origin` is handed over. */
static void set(struct dirty *dirty, const char *path, enum dirty_kind kind, int64_t from, char *origin)
{
    struct dirty_file *file = get(dirty, path);
    if (!file)
        file = insert(dirty, path);
    free(file->origin);
    file->origin = origin;
    file->kind = kind;
    file->from = from;
}

/* It is again as the database has it. */
static void drop(struct dirty *dirty, struct dirty_file *file)
{
    size_t at = (size_t)(file - dirty->list);
    free(file->path);
    free(file->origin);
    memmove(file, file + 1, (dirty->count - at - 1) * sizeof *file);
    dirty->count--;
}

static void note_append(struct dirty *dirty, const struct keep_change *change)
{
    const struct dirty_file *file = get(dirty, change->path);
    if (!file && change->at > 0)
        set(dirty, change->path, DIRTY_APPENDED, change->at, NULL);
    else if (!file || file->kind != DIRTY_APPENDED)
        set(dirty, change->path, DIRTY_WRITTEN, 0, NULL);
}

static void note_cut(struct dirty *dirty, const struct keep_change *change)
{
    struct dirty_file *file = get(dirty, change->path);
    if (!file || file->kind != DIRTY_APPENDED || change->at < file->from)
        set(dirty, change->path, DIRTY_WRITTEN, 0, NULL);
    else if (change->at == file->from)
        drop(dirty, file);
}

static void note_rename(struct dirty *dirty, const struct keep_change *change)
{
    const struct dirty_file *file = change->path ? get(dirty, change->path) : NULL;
    if (change->to && (!change->path || (file && file->kind != DIRTY_MOVED)))
        set(dirty, change->to, DIRTY_WRITTEN, 0, NULL);
    else if (change->to)
        set(dirty, change->to, DIRTY_MOVED, 0, mem_strdup(file ? file->origin : change->path));
    if (change->path)
        set(dirty, change->path, DIRTY_GONE, 0, NULL);
    struct dirty_file *now = change->to ? get(dirty, change->to) : NULL;
    if (now && now->origin && strcmp(now->origin, now->path) == 0) /* it has been away and is back */
        drop(dirty, now);
}

void dirty_note(struct dirty *dirty, const struct keep_change *change)
{
    switch (change->kind) {
    case KEEP_WRITTEN: set(dirty, change->path, DIRTY_WRITTEN, 0, NULL); break;
    case KEEP_APPENDED: note_append(dirty, change); break;
    case KEEP_CUT: note_cut(dirty, change); break;
    case KEEP_RENAMED: note_rename(dirty, change); break;
    case KEEP_REMOVED: set(dirty, change->path, DIRTY_GONE, 0, NULL); break;
    }
}

void dirty_release(struct dirty *dirty)
{
    for (size_t i = 0; i < dirty->count; i++) {
        free(dirty->list[i].path);
        free(dirty->list[i].origin);
    }
    free(dirty->list);
    *dirty = (struct dirty){NULL, 0, 0};
}
