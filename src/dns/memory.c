#include "dns/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void dns_answer_release(struct dns_answer *answer)
{
    str_release(&answer->text);
    *answer = (struct dns_answer)DNS_ANSWER_INIT;
}

static void copy_answer(struct dns_answer *to, const struct dns_answer *from)
{
    dns_answer_release(to);
    to->found = from->found;
    to->secure = from->secure;
    to->until = from->until;
    (void)snprintf(to->why, sizeof to->why, "%s", from->why);
    str_addslice(&to->text, slice_str(&from->text));
}

/* ---- answers ---- */

/* A clock that was put back forgets all: an answer is never kept for longer than DNS_MOST. */
static bool is_fresh(const struct dns_kept *kept, int64_t now)
{
    return kept->name && now < kept->answer.until && kept->answer.until <= now + DNS_MOST;
}

bool memory_recall(const struct dns_memory *memory, const char *name, int64_t now, struct dns_answer *answer)
{
    for (size_t i = 0; i < DNS_KEPT; i++)
        if (is_fresh(&memory->kept[i], now) && strcmp(memory->kept[i].name, name) == 0) {
            copy_answer(answer, &memory->kept[i].answer);
            return true;
        }
    return false;
}

/* Where an answer about `name` belongs: in its old place, a free one, or that of the one that ends first. */
static struct dns_kept *place(struct dns_memory *memory, const char *name, int64_t now)
{
    struct dns_kept *best = NULL;
    for (size_t i = 0; i < DNS_KEPT; i++) {
        struct dns_kept *kept = &memory->kept[i];
        if (kept->name && strcmp(kept->name, name) == 0)
            return kept;
        bool fresh = is_fresh(kept, now), better = best && is_fresh(best, now);
        if (!best || (!fresh && better) || (fresh && better && kept->answer.until < best->answer.until))
            best = kept;
    }
    return best;
}

void memory_keep(struct dns_memory *memory, const char *name, int64_t now, int64_t ttl,
                 struct dns_answer *answer)
{
    int64_t keep = answer->found == DNS_LATER ? DNS_AGAIN : ttl < DNS_LEAST ? DNS_LEAST : ttl;
    struct dns_kept *kept = place(memory, name, now);
    answer->until = now + (keep > DNS_MOST ? DNS_MOST : keep);
    if (!kept->name)
        str_init(&kept->answer.text);
    free(kept->name);
    kept->name = mem_strdup(name);
    copy_answer(&kept->answer, answer);
}

/* ---- counts ---- */

static void new_window(struct dns_memory *memory, int64_t window)
{
    for (size_t i = 0; i < memory->count; i++)
        free(memory->counts[i].domain);
    memory->count = memory->asked = 0;
    memory->window = window;
}

bool memory_charge(struct dns_memory *memory, const char *domain, int64_t now)
{
    size_t i = 0;
    if (now / DNS_WINDOW != memory->window)
        new_window(memory, now / DNS_WINDOW);
    while (i < memory->count && strcmp(memory->counts[i].domain, domain) != 0)
        i++;
    if (memory->asked >= DNS_ALL || i == DNS_COUNTED ||
        (i < memory->count && memory->counts[i].asked >= DNS_DOMAIN))
        return false;
    if (i == memory->count)
        memory->counts[memory->count++] = (struct dns_count){mem_strdup(domain), 0};
    memory->counts[i].asked++;
    memory->asked++;
    return true;
}

void memory_release(struct dns_memory *memory)
{
    for (size_t i = 0; i < DNS_KEPT; i++)
        if (memory->kept[i].name) {
            free(memory->kept[i].name);
            dns_answer_release(&memory->kept[i].answer);
        }
    new_window(memory, 0);
}
