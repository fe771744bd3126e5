#include "batch/competing.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "audit/gate.h"
#include "batch/batch_parts.h"
#include "batch/competing_proved.h"
#include "batch/log_mend.h"
#include "game/vouched.h"

int competing_open(struct batch *batch, const char *dir, struct err *err)
{
    char *path = path_join(dir, COMPETE_FOLDER);
    int rc = file_mkdirs(path, 0700, err);
    batch->competitions.store = store_open(path);
    batch->competitions.look = true;
    free(path);
    return rc;
}

static void drop(struct batch_competition *entry)
{
    competition_release(&entry->c);
    str_release(&entry->records);
    str_release(&entry->entries);
    free(entry);
}

void competing_close(struct batch *batch)
{
    for (size_t i = 0; i < batch->competitions.count; i++)
        drop(batch->competitions.list[i]);
    free(batch->competitions.list);
    store_close(batch->competitions.store);
}

void competing_reset(struct batch *batch, bool keep)
{
    struct batch_competitions *all = &batch->competitions;
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        struct batch_competition *entry = all->list[i];
        if (entry->broken || (keep && !entry->records.len))
            all->list[kept++] = entry;
        else
            drop(entry);
    }
    all->complete &= kept == all->count;
    all->count = kept;
}

/* ---- loading ---- */

static size_t place_of(const struct batch_competitions *all, const char *name, bool *found)
{
    size_t low = 0, high = all->count;
    *found = false;
    while (low < high && !*found) {
        size_t middle = (low + high) / 2;
        int order = strcmp(all->list[middle]->c.name, name);
        if (order == 0)
            *found = true;
        if (order <= 0)
            low = middle + (order != 0);
        else
            high = middle;
    }
    return low;
}

static struct batch_competition *insert(struct batch_competitions *all, const char *name)
{
    bool found;
    size_t place = place_of(all, name, &found);
    struct batch_competition *entry = mem_alloc(sizeof *entry);
    competition_init(&entry->c);
    str_init(&entry->records);
    str_init(&entry->entries);
    memcpy(entry->c.name, name, strlen(name) + 1);
    all->list = mem_grow(all->list, all->count, &all->cap, sizeof *all->list);
    memmove(all->list + place + 1, all->list + place, (all->count - place) * sizeof *all->list);
    all->list[place] = entry;
    all->count++;
    return entry;
}

static int load(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    struct str lines = STR_INIT;
    bool ignored;
    char name[COMPETE_NAME];
    memcpy(name, entry->c.name, sizeof name);
    int rc = store_read_mending(batch->competitions.store, name, STORE_BEGIN, &lines, err);
    entry->proved = rc == 0 ? (int64_t)competing_proved(batch, name, slice_str(&lines)) : 0;
    if (rc == 0)
        rc = competition_read_on(&entry->c, name, slice_str(&lines), (size_t)entry->proved, err);
    if (rc == 0 && memcmp(entry->c.keys.league, batch->league->key.point, 32) != 0)
        rc = err_set(err, ERR_BROKEN, "competition %s was made with another league key", name);
    entry->end = (struct store_pos){entry->c.seq, (int64_t)lines.len};
    if (rc == 0)
        rc = store_mend(batch->competitions.store, name, entry->end, &ignored, err) ||
             batch_decide_mails(batch, name, entry->end.seq, err);
    if (rc == 0 && json_object_get(batch->unlogged, name)) {
        rc = log_mend_late(batch, name, NULL, err);
    } else if (rc == 0) {
        struct proof_place place = {.seq = entry->c.seq, .time = entry->c.time};
        memcpy(place.name, name, sizeof name);
        rc = league_log_agrees(batch->tlog, &place, entry->c.head, err);
    }
    str_release(&lines);
    if (rc) {
        log_error("%s; the competition stands still, the others go on", err->text);
        memcpy(entry->c.name, name, sizeof name);
        entry->broken = true;
        batch->broken++;
    }
    return rc;
}

bool competing_has(const struct batch *batch, const char *name)
{
    bool found;
    (void)place_of(&batch->competitions, name, &found);
    return found || (compete_name_valid(slice_of(name)) && store_has(batch->competitions.store, name));
}

int competing_find(struct batch *batch, const char *name, struct batch_competition **out, struct err *err)
{
    bool found;
    size_t place = place_of(&batch->competitions, name, &found);
    if (found) {
        *out = batch->competitions.list[place];
        return (*out)->broken ? err_set(err, ERR_BROKEN,
                                        "competition %s cannot be read; the operator has been told", name)
                              : 0;
    }
    if (!competing_has(batch, name))
        return err_set(err, ERR_MISSING, "there is no competition \"%.40s\"", name);
    *out = insert(&batch->competitions, name);
    return load(batch, *out, err);
}

bool competing_miss(struct batch *batch, const char *name)
{
    bool found;
    (void)place_of(&batch->competitions, name, &found);
    if (!found)
        insert(&batch->competitions, name)->broken = true;
    return !found;
}

void competing_forget(struct batch *batch, const char *name)
{
    struct batch_competitions *all = &batch->competitions;
    bool found;
    size_t place = place_of(all, name, &found);
    if (!found)
        return;
    drop(all->list[place]);
    all->count--;
    memmove(all->list + place, all->list + place + 1, (all->count - place) * sizeof *all->list);
}

bool competing_meant(const struct batch *batch, const char *typed, char meant[COMPETE_NAME])
{
    struct nearest nearest = NEAREST_INIT(typed);
    struct file_names names;
    struct err why = ERR_INIT; /* then nothing is suggested */
    if (store_games(batch->competitions.store, &names, &why))
        return false;
    for (size_t i = 0; i < names.count; i++)
        if (compete_name_valid(slice_of(names.name[i])))
            nearest_offer(&nearest, names.name[i]);
    if (nearest.best)
        memcpy(meant, nearest.best, strlen(nearest.best) + 1);
    file_names_free(&names);
    return nearest.best != NULL;
}

int competing_all(struct batch *batch, struct err *err)
{
    struct file_names names;
    if (batch->competitions.complete)
        return 0;
    if (store_games(batch->competitions.store, &names, err))
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        struct batch_competition *entry;
        struct err why = ERR_INIT; /* said already */
        if (competing_has(batch, names.name[i]) && competing_find(batch, names.name[i], &entry, &why))
            log_debug("%s", why.text);
    }
    file_names_free(&names);
    batch->competitions.complete = true;
    return 0;
}

/* ---- changing ---- */

void competing_step(const struct batch *batch, struct compete_step *step)
{
    compete_step_init(step, batch->now);
    step->judge = gate_of_competitions;
    step->key = &batch->league->key;
    step->vrf_secret = batch->league->vrf_secret;
    step->vrf_public = batch->league->vrf_public;
}

struct batch_competition *competing_add(struct batch *batch, struct competition *c)
{
    struct batch_competition *entry = insert(&batch->competitions, c->name);
    entry->c = *c;
    competition_init(c);
    batch->missing.look = true;
    return entry;
}

void competing_take(struct batch_competition *entry, const struct compete_step *step)
{
    str_addslice(&entry->records, slice_str(&step->records));
    str_addslice(&entry->entries, slice_str(&step->entries));
}

void competing_vouch(struct batch *batch, struct batch_competition *entry, json_t *evidence,
                     const struct mail_proof *proof)
{
    unsigned char key[32], mark[SEAL_BYTES];
    char hex[2 * SEAL_BYTES + 1];
    struct sealed_set set = {NULL, 0, 0};
    seal_press_key(key, batch->league->master, entry->c.name, entry->c.keys.nonce);
    json_object_set_new(evidence, "vouched",
                        vouched_sealed(&set, key, &(struct sealed_place){entry->c.seq + 1, 0, SEAL_EVIDENCE},
                                       proof, batch->now, VOUCHED_KEPT));
    sealed_set_release(&set);
    sodium_memzero(key, sizeof key);
    /* Nobody can foresee it, as nobody but the domain makes its signatures. */
    crypto_generichash(mark, sizeof mark, (const unsigned char *)proof->sig.p, proof->sig.len, proof->content,
                       sizeof proof->content);
    hex_to(hex, mark, sizeof mark);
    json_object_set_new(evidence, "mark", json_string(hex));
}

/* ---- the commit ---- */

static struct store_append append_of(const struct batch_competition *entry)
{
    return (struct store_append){entry->c.name, entry->end, slice_str(&entry->records)};
}

#define ENTRY_WEIGHT 2048 /* of the text by which somebody is in */
size_t competing_weight(const struct batch *batch)
{
    size_t weight = 0;
    for (size_t i = 0; i < batch->competitions.count; i++) {
        const struct competition *c = &batch->competitions.list[i]->c;
        weight += sizeof *batch->competitions.list[i] +
                  c->entrant_cap * (sizeof *c->entrants + ENTRY_WEIGHT) + c->table_cap * sizeof *c->tables +
                  c->seen.cap * sizeof *c->seen.list;
    }
    return weight;
}

bool competing_records(const struct batch *batch)
{
    for (size_t i = 0; i < batch->competitions.count; i++)
        if (batch->competitions.list[i]->records.len)
            return true;
    return false;
}

/* Undoes it for the first of them. */
static void unappend(struct batch *batch, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct batch_competition *entry = batch->competitions.list[i];
        struct store_append part = append_of(entry);
        struct err why = ERR_INIT;
        if (!part.records.len || entry->broken || store_unappend(batch->competitions.store, &part, &why) == 0)
            continue;
        log_error("competition %s: %s", entry->c.name, why.text);
        batch->torn = true;
    }
}

int competing_append(struct batch *batch, struct err *err)
{
    for (size_t i = 0; i < batch->competitions.count; i++) {
        struct batch_competition *entry = batch->competitions.list[i];
        struct store_append part = append_of(entry);
        if (!part.records.len || entry->broken || store_append(batch->competitions.store, &part, err) == 0)
            continue;
        unappend(batch, i);
        return err_prefix(err, "competition %s", entry->c.name);
    }
    return 0;
}

void competing_entries(struct batch *batch)
{
    for (size_t i = 0; i < batch->competitions.count; i++)
        if (!batch->competitions.list[i]->broken)
            league_log_add(batch->tlog, slice_str(&batch->competitions.list[i]->entries));
}

void competing_unappend(struct batch *batch)
{
    unappend(batch, batch->competitions.count);
}

void competing_settle(struct batch *batch)
{
    for (size_t i = 0; i < batch->competitions.count; i++) {
        struct batch_competition *entry = batch->competitions.list[i];
        if (!entry->records.len || entry->broken)
            continue;
        entry->end = store_after(entry->end, slice_str(&entry->records));
        str_clear(&entry->records);
        str_clear(&entry->entries);
        batch->competitions.look = true;
        batch->witnessing.look |= entry->c.fixed.seq == entry->end.seq;
    }
}

enum spool_record competing_committed(struct batch *batch, const char *name, int64_t seq)
{
    struct batch_competition *entry = NULL;
    struct err why = ERR_INIT;
    if (competing_find(batch, name, &entry, &why) || !entry)
        return why.code == ERR_MISSING ? SPOOL_MISSING : SPOOL_UNKNOWN;
    return entry->end.seq >= seq ? SPOOL_COMMITTED : SPOOL_MISSING;
}
