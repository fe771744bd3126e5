#include "dns/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
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
    to->unasked = from->unasked;
    to->until = from->until;
    (void)snprintf(to->why, sizeof to->why, "%s", from->why);
    str_addslice(&to->text, slice_str(&from->text));
}

/* ---- welcome domains ---- */

static int by_domain(const void *a, const void *b)
{
    return strcasecmp(((const struct dns_count *)a)->domain, ((const struct dns_count *)b)->domain);
}

static int is_of(const void *domain, const void *count)
{
    return strcasecmp(domain, ((const struct dns_count *)count)->domain);
}

/* NULL: a stranger's. */
static struct dns_count *find_welcome(const struct dns_memory *memory, const char *domain)
{
    return memory->welcome_count
               ? bsearch(domain, memory->welcome, memory->welcome_count, sizeof *memory->welcome, is_of)
               : NULL;
}

static void release_counts(struct dns_count *counts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(counts[i].domain);
}

void memory_welcome(struct dns_memory *memory, const char *const *domains, size_t count)
{
    struct dns_count *welcome = mem_array(count + 1, sizeof *welcome);
    for (size_t i = 0; i < count; i++) {
        const struct dns_count *old = find_welcome(memory, domains[i]);
        welcome[i] = (struct dns_count){mem_strdup(domains[i]), old ? old->asked : 0};
    }
    qsort(welcome, count, sizeof *welcome, by_domain);
    release_counts(memory->welcome, memory->welcome_count);
    free(memory->welcome);
    memory->welcome = welcome;
    memory->welcome_count = count;
}

bool memory_is_welcome(const struct dns_memory *memory, const char *domain)
{
    return find_welcome(memory, domain) != NULL;
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

static struct dns_kept *find(struct dns_memory *memory, const char *name)
{
    for (size_t i = 0; i < DNS_KEPT; i++)
        if (memory->kept[i].name && strcmp(memory->kept[i].name, name) == 0)
            return &memory->kept[i];
    return NULL;
}

/* The higher, the later it makes room. */
static int worth(const struct dns_memory *memory, const struct dns_kept *kept, int64_t now)
{
    if (kept->known)
        return find_welcome(memory, kept->domain) ? 4 : 3;
    return is_fresh(kept, now) ? 2 : kept->name ? 1 : 0;
}

/* The known name of this domain that ends first, if it has as many as may be. */
static struct dns_kept *crowded(struct dns_memory *memory, const char *domain)
{
    struct dns_kept *first = NULL;
    size_t names = 0;
    for (size_t i = 0; i < DNS_KEPT; i++) {
        struct dns_kept *kept = &memory->kept[i];
        if (!kept->known || strcmp(kept->domain, domain) != 0)
            continue;
        names++;
        if (!first || kept->answer.until < first->answer.until)
            first = kept;
    }
    return names < DNS_NAMES ? NULL : first;
}

/* Where a new answer goes: of those that are worth least, in the place of the one that ends first. */
static struct dns_kept *keep_place(struct dns_memory *memory, int64_t now)
{
    struct dns_kept *best = &memory->kept[0];
    int least = worth(memory, best, now);
    for (size_t i = 1; i < DNS_KEPT && least; i++) {
        struct dns_kept *kept = &memory->kept[i];
        int its = worth(memory, kept, now);
        if (its < least || (its == least && kept->answer.until < best->answer.until)) {
            best = kept;
            least = its;
        }
    }
    return best;
}

static void forget(struct dns_kept *kept)
{
    if (!kept->name)
        return;
    free(kept->name);
    free(kept->domain);
    dns_answer_release(&kept->answer);
    *kept = (struct dns_kept){0};
}

/* A known name of which nothing can be learned now stays known in a welcome domain only: others could have as
 * many of them as there is room for, and answer no more. */
static bool stays_known(const struct dns_memory *memory, const struct dns_kept *kept,
                        const struct dns_answer *answer)
{
    return kept->known && answer->found == DNS_LATER && find_welcome(memory, kept->domain);
}

/* Seconds. Whoever plays waits at most as long again as their name servers were silent. */
static int64_t time_to_keep(const struct dns_answer *answer, int64_t ttl, unsigned failed)
{
    if (answer->found == DNS_LATER)
        return failed ? (int64_t)DNS_AGAIN << (failed > DNS_TWICE ? DNS_TWICE : failed - 1) : DNS_AGAIN;
    return ttl < DNS_LEAST ? DNS_LEAST : ttl > DNS_MOST ? DNS_MOST : ttl;
}

void memory_keep(struct dns_memory *memory, const struct dns_question *question, int64_t ttl,
                 struct dns_answer *answer)
{
    struct dns_kept *kept = find(memory, question->name);
    bool fails = kept && stays_known(memory, kept, answer), known = fails || answer->found == DNS_FOUND;
    unsigned failed = fails ? kept->failed + 1 : 0;
    int64_t keep = time_to_keep(answer, ttl, failed);
    if (!kept && known)
        kept = crowded(memory, question->domain);
    if (!kept)
        kept = keep_place(memory, question->now);
    answer->until = question->now + keep;
    forget(kept);
    kept->name = mem_strdup(question->name);
    kept->domain = mem_strdup(question->domain);
    kept->known = known;
    kept->failed = failed;
    str_init(&kept->answer.text);
    copy_answer(&kept->answer, answer);
}

/* ---- counts ---- */

static void new_window(struct dns_memory *memory, int64_t window)
{
    release_counts(memory->counts, memory->count);
    for (size_t i = 0; i < memory->welcome_count; i++)
        memory->welcome[i].asked = 0;
    memory->count = memory->asked = 0;
    memory->window = window;
}

/* The count of a stranger's domain, a new one if need be; NULL when there is no room for it. */
static struct dns_count *count_of(struct dns_memory *memory, const char *domain)
{
    for (size_t i = 0; i < memory->count; i++)
        if (strcmp(memory->counts[i].domain, domain) == 0)
            return &memory->counts[i];
    if (memory->count == DNS_COUNTED)
        return NULL;
    memory->counts[memory->count] = (struct dns_count){mem_strdup(domain), 0};
    return &memory->counts[memory->count++];
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A clock that was put back fills nothing. */
static void fill(struct dns_purse *purse, int64_t full, int64_t seconds, int64_t now)
{
    int64_t passed = now > purse->at ? least(now - purse->at, seconds) : 0;
    purse->left = least(full, purse->left + passed * full / seconds);
    purse->at = now;
}

/* Milliseconds that a question may wait. */
static int64_t time_for(struct dns_memory *memory, bool stranger, bool known, int64_t now)
{
    struct dns_purse *purse = stranger ? &memory->others : &memory->players;
    if (stranger)
        fill(purse, DNS_OTHERS_WAIT, DNS_OTHERS_FILL, now);
    else
        fill(purse, DNS_PLAYERS_WAIT, DNS_PLAYERS_FILL, now);
    int64_t left = purse->left - (stranger || known ? 0 : DNS_PLAYERS_WAIT / 2);
    return left <= 0 ? 0 : least(left, stranger ? DNS_OTHERS_ONCE : DNS_PLAYERS_ONCE);
}

int64_t memory_charge(struct dns_memory *memory, const struct dns_question *question)
{
    if (question->now / DNS_WINDOW != memory->window)
        new_window(memory, question->now / DNS_WINDOW);
    const struct dns_kept *kept = find(memory, question->name);
    struct dns_count *count = find_welcome(memory, question->domain);
    bool stranger = !count, known = kept && kept->known;
    int64_t time = time_for(memory, stranger, known, question->now);
    if (known || !time)
        return time;
    if (stranger && memory->asked < DNS_ALL)
        count = count_of(memory, question->domain);
    if (!count || count->asked >= (stranger ? DNS_DOMAIN : DNS_PLAYERS))
        return 0;
    count->asked++;
    memory->asked += stranger;
    return time;
}

void memory_waited(struct dns_memory *memory, const struct dns_question *question, int64_t milliseconds)
{
    struct dns_count *count = find_welcome(memory, question->domain);
    struct dns_purse *purse = count ? &memory->players : &memory->others;
    purse->left = milliseconds < purse->left ? purse->left - milliseconds : 0;
    if (!count)
        count = count_of(memory, question->domain);
    if (count)
        count->asked += (size_t)(milliseconds / DNS_SLOW);
}

/* ---- what the next process has to know ---- */

static json_t *pack_purse(const struct dns_purse *purse)
{
    return json_pack("[I,I]", (json_int_t)purse->left, (json_int_t)purse->at);
}

void memory_write(const struct dns_memory *memory, struct str *out)
{
    json_t *asked = json_object(), *names = json_array();
    for (size_t i = 0; i < memory->count; i++)
        json_object_set_new(asked, memory->counts[i].domain,
                            json_integer((json_int_t)memory->counts[i].asked));
    for (size_t i = 0; i < memory->welcome_count; i++)
        if (memory->welcome[i].asked)
            json_object_set_new(asked, memory->welcome[i].domain,
                                json_integer((json_int_t)memory->welcome[i].asked));
    for (size_t i = 0; i < DNS_KEPT; i++) {
        const struct dns_kept *kept = &memory->kept[i];
        if (kept->known && find_welcome(memory, kept->domain))
            json_array_append_new(names,
                                  json_pack("[s,s,I,I]", kept->name, kept->domain, (json_int_t)kept->failed,
                                            (json_int_t)(kept->failed ? kept->answer.until : 0)));
    }
    json_t *all = json_pack("{s:o,s:o,s:o,s:o,s:I,s:I}", "players", pack_purse(&memory->players), "others",
                            pack_purse(&memory->others), "asked", asked, "names", names, "window",
                            (json_int_t)memory->window, "all", (json_int_t)memory->asked);
    json_write(out, all);
    json_decref(all);
}

static void read_name(struct dns_memory *memory, const char *name, const char *domain, int64_t failed,
                      int64_t until)
{
    struct dns_kept *kept = keep_place(memory, 0);
    if (!find_welcome(memory, domain) || kept->name || find(memory, name))
        return;
    *kept = (struct dns_kept){.name = mem_strdup(name),
                              .domain = mem_strdup(domain),
                              .known = true,
                              .failed = (unsigned)failed,
                              .answer = {.found = DNS_LATER, .text = STR_INIT, .until = until}};
}

int memory_read(struct dns_memory *memory, struct slice text, struct err *err)
{
    json_t *all = json_read(text, "what is known of name servers", err), *asked = NULL, *names = NULL, *one;
    json_int_t players[2], others[2], window, sum;
    json_error_t why;
    const char *domain;
    size_t i;
    if (!all)
        return -1;
    if (json_unpack_ex(all, &why, 0, "{s:[I,I],s:[I,I],s:o,s:o,s:I,s:I}", "players", &players[0], &players[1],
                       "others", &others[0], &others[1], "asked", &asked, "names", &names, "window", &window,
                       "all", &sum)) {
        json_decref(all);
        return err_set(err, ERR_BROKEN, "what is known of name servers cannot be read: %s", why.text);
    }
    memory->players = (struct dns_purse){players[0], players[1]};
    memory->others = (struct dns_purse){others[0], others[1]};
    new_window(memory, window);
    memory->asked = (size_t)sum;
    json_object_foreach (asked, domain, one) {
        struct dns_count *count = find_welcome(memory, domain);
        count = count ? count : count_of(memory, domain);
        if (count)
            count->asked = (size_t)json_integer_value(one);
    }
    json_array_foreach (names, i, one) {
        const char *name;
        json_int_t failed, until;
        if (json_unpack(one, "[s,s,I,I]", &name, &domain, &failed, &until) == 0)
            read_name(memory, name, domain, failed, until);
    }
    json_decref(all);
    return 0;
}

void memory_release(struct dns_memory *memory)
{
    for (size_t i = 0; i < DNS_KEPT; i++)
        forget(&memory->kept[i]);
    release_counts(memory->counts, memory->count);
    release_counts(memory->welcome, memory->welcome_count);
    free(memory->welcome);
    *memory = (struct dns_memory){0};
}
