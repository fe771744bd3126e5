#include "orders/script_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A standing line with what decides whether it is replaced. */
struct entry {
    struct slice text;
    enum script_line_kind kind;
    const char *trigger;
    bool old; /* was in force before this update */
};

struct entries {
    struct entry *list;
    size_t count, cap;
};

static void entries_add(struct entries *entries, const struct script_line *line, bool old)
{
    entries->list = mem_grow(entries->list, entries->count, &entries->cap, sizeof *entries->list);
    entries->list[entries->count++] = (struct entry){line->text, line->kind, line->trigger, old};
}

/* Removes the lines of a kind (LINE_WHEN with a trigger: only that one's). */
static void entries_drop(struct entries *entries, enum script_line_kind kind, const char *trigger,
                         bool only_old)
{
    size_t kept = 0;
    for (size_t i = 0; i < entries->count; i++) {
        const struct entry *entry = &entries->list[i];
        bool same = entry->kind == kind && (!trigger || strcmp(entry->trigger, trigger) == 0);
        if (!same || (only_old && !entry->old))
            entries->list[kept++] = *entry;
    }
    entries->count = kept;
}

static void entries_cancel(struct entries *entries, const struct node *node)
{
    if (node->cancel == CANCEL_ALWAYS || node->cancel == CANCEL_ALL)
        entries_drop(entries, LINE_ALWAYS, NULL, false);
    if (node->cancel == CANCEL_WHEN || node->cancel == CANCEL_ALL)
        entries_drop(entries, LINE_WHEN, node->cancelled ? node->cancelled->name : NULL, false);
}

void standing_update(struct str *standing, const struct script *update, const struct language *language)
{
    struct script *before = script_parse(slice_str(standing), language);
    struct entries entries = {0};
    for (size_t i = 0; i < before->node_count; i++) {
        const struct script_line *line = &before->nodes[i].line;
        if (line->kind == LINE_WHEN || line->kind == LINE_ALWAYS)
            entries_add(&entries, line, true);
    }
    for (size_t i = 0; i < update->node_count; i++) {
        const struct script_line *line = &update->nodes[i].line;
        if (line->kind == LINE_WHEN || line->kind == LINE_ALWAYS) {
            entries_drop(&entries, line->kind, line->trigger, true);
            entries_add(&entries, line, false);
        } else if (line->kind == LINE_COMMON) {
            entries_cancel(&entries, &update->nodes[i]);
        }
    }
    /* More lines than a script can hold would be cut off on the next reading: the oldest ones go. */
    size_t from = entries.count > SCRIPT_LINES ? entries.count - SCRIPT_LINES : 0;
    struct str after = STR_INIT;
    for (size_t i = from; i < entries.count; i++) {
        str_addslice(&after, entries.list[i].text);
        str_addc(&after, '\n');
    }
    free(entries.list);
    script_free(before);
    str_release(standing);
    *standing = after;
}

void standing_always(struct str *out, struct slice standing, const struct language *language)
{
    struct script *script = script_parse(standing, language);
    for (size_t i = 0; i < script->node_count; i++) {
        const struct script_line *line = &script->nodes[i].line;
        if (line->kind == LINE_ALWAYS) {
            str_addslice(out, line->rest);
            str_addc(out, '\n');
        }
    }
    script_free(script);
}
