/* The log by itself: its checkpoint, its entries one after the other, its tree. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "league/registry_log.h"
#include "publish/log_audit_parts.h"
#include "tlog/entries.h"
#include "tlog/tiles.h"

/* ---- the checkpoint ---- */

static int read_note(const char *dir, struct str *note, struct err *err)
{
    char *path = path_join(dir, "checkpoint");
    int rc = file_read(path, NOTE_MOST, note, err);
    free(path);
    return rc;
}

static int take_checkpoint(struct log_audit *audit, struct err *err)
{
    struct str note = STR_INIT;
    struct err why = ERR_INIT;
    int rc = read_note(audit->dir, &note, err);
    if (rc == 0)
        audit->is_signed =
            policy_verify(audit->policy, slice_str(&note), &audit->checkpoint, &audit->seen, &why) == 0;
    if (!audit->is_signed)
        audit->seen = (struct policy_seen){.log = 0};
    if (rc == 0 && !audit->is_signed)
        log_find(audit, LOG_WRONG, LOG_CHECKPOINT, LOG_NOWHERE,
                 "the checkpoint is not signed by the log that your policy names, so nothing here is this "
                 "league's word: %s",
                 why.text);
    else if (rc == 0 && !audit->seen.quorum)
        log_find(audit, LOG_ASK, LOG_CHECKPOINT, LOG_NOWHERE,
                 "fewer witnesses have cosigned the checkpoint than your policy demands (%d have). Fetch the "
                 "log again later; until then others may have been shown another one",
                 audit->seen.count);
    str_release(&note);
    return rc;
}

int log_audit_lacks(const char *dir, struct str *out, struct err *err)
{
    struct str note = STR_INIT;
    struct checkpoint checkpoint = {.size = 0};
    int rc = read_note(dir, &note, err) || checkpoint_parse(slice_str(&note), &checkpoint, err) ? -1 : 0;
    for (int64_t first = 0; rc == 0 && first < checkpoint.size; first += TILE_WIDTH) {
        const int64_t left = checkpoint.size - first;
        struct str name = STR_INIT, path = STR_INIT;
        tile_path(&name, TILE_ENTRIES, first / TILE_WIDTH, left < TILE_WIDTH ? (int)left : TILE_WIDTH);
        str_addf(&path, "%s/%s", dir, name.p);
        if (!file_exists(path.p))
            str_addf(out, "%s\n", name.p);
        str_release(&name);
        str_release(&path);
    }
    str_release(&note);
    return rc;
}

/* ---- the entries, one after the other ---- */

struct reading {
    struct log_audit *audit;
    struct tree_range range;
    size_t kept;           /* of those, compared */
    int64_t agreed;        /* the largest kept size at which the log is the same */
    size_t parted;         /* kept checkpoints of another log */
    struct log_kept *part; /* the first of them */
    bool differs;          /* at the checkpoint's size the root is another */
};

static void take_time(struct log_audit *audit, const struct log_entry *entry, int64_t number)
{
    char now[CLOCK_TEXT], before[CLOCK_TEXT];
    clock_utc(now, entry->time);
    clock_utc(before, audit->last);
    if (!audit->begun)
        audit->begun = audit->last = entry->time;
    if (entry->time < audit->last)
        log_find(
            audit, LOG_WRONG, LOG_CLOCK, &(struct log_place){entry->name, entry->seq, number},
            "it is dated %s, and the entry before it %s: the clock was put back. Ask which orders came in "
            "between",
            now, before);
    if (entry->time - audit->last > audit->silence) {
        audit->silence = entry->time - audit->last;
        audit->silence_entry = number;
    }
    audit->last = entry->time > audit->last ? entry->time : audit->last;
}

static void take_program(struct log_audit *audit, const struct log_entry *entry, int64_t number)
{
    audit->program =
        mem_grow(audit->program, audit->program_count, &audit->program_cap, sizeof *audit->program);
    struct log_program *program = &audit->program[audit->program_count++];
    *program = (struct log_program){.entry = number, .time = entry->time};
    memcpy(program->version, entry->version, sizeof program->version);
    memcpy(program->digest, entry->digest, sizeof program->digest);
}

static void take_lost(struct log_audit *audit, struct log_name *name, const struct log_entry *entry,
                      int64_t number)
{
    name->lost = mem_grow(name->lost, name->lost_count, &name->lost_cap, sizeof *name->lost);
    name->lost[name->lost_count++] = (struct log_lost){number, entry->seq};
    log_find(audit, LOG_ASK, LOG_LOST, &(struct log_place){entry->name, entry->seq, number},
             "the league says that it lost its records from this one on. Whether anything was undone, only "
             "mails of "
             "before can show: turnpost receipt-check");
    if (entry->seq <= name->seq) /* else another log had them */
        name->seq = entry->seq - 1;
    if (name->end > name->seq)
        name->end = 0;
}

/* A record that comes again, or a gap before it. */
static void take_number(struct log_audit *audit, struct log_name *name, const struct log_entry *entry,
                        const struct log_place *place)
{
    const bool last = entry->seq == name->seq;
    if (entry->seq > name->seq + 1 && strcmp(entry->name, REGISTRY_GAME) != 0)
        log_find(
            audit, LOG_WRONG, LOG_ENTRY, place,
            "the log has no entry of record %lld, which comes before it. Ask for the journal up to there",
            (long long)name->seq + 1);
    if (entry->seq > name->seq || name->forked)
        return;
    name->forked = true; /* what follows of it is the same */
    if (last && memcmp(name->head, entry->head, ENTRY_DIGEST) == 0)
        log_find(audit, LOG_WRONG, LOG_ENTRY, place, "the same record is entry %lld already",
                 (long long)name->entry);
    else if (last)
        log_find(
            audit, LOG_WRONG, LOG_HISTORIES, place,
            "two histories: the log has another record of this number (entry %lld), and does not say that "
            "it was lost. Tell the others, and compare your mails with both",
            (long long)name->entry);
    else
        log_find(audit, LOG_WRONG, LOG_HISTORIES, place,
                 "two histories: the log has had record %lld before (entry %lld), and does not say that "
                 "anything was lost. Tell the others, and compare your mails with both",
                 (long long)name->seq, (long long)name->entry);
}

static void take_close(struct log_audit *audit, struct log_name *name, const struct log_entry *entry,
                       const struct log_place *place)
{
    const struct turn_number *now = &entry->turn, *last = &name->close;
    if (name->closed && !name->forked &&
        (now->rollbacks < last->rollbacks || (now->rollbacks == last->rollbacks && now->turn <= last->turn)))
        log_find(audit, LOG_WRONG, LOG_HISTORIES, place,
                 "turn %d is closed a second time, and neither a rollback nor a loss lies between that "
                 "counts its draws anew. Ask which of the two was played",
                 now->turn);
    name->close = *now;
    name->closed = true;
}

static void take_entry(struct log_audit *audit, const struct log_entry *entry, int64_t number)
{
    const struct log_place place = {entry->name, entry->seq, number};
    take_time(audit, entry, number);
    if (entry->kind == ENTRY_PROGRAM)
        take_program(audit, entry, number);
    if (entry->kind == ENTRY_LOG && number > 1)
        log_find(audit, LOG_WRONG, LOG_HISTORIES, &place,
                 "a log that follows another one says so first, and this one says it here. Keep this copy, "
                 "and tell the others");
    else if (entry->kind == ENTRY_LOG)
        log_find(audit, LOG_ASK, LOG_LOST, &place,
                 "this log follows another one that was lost, of %lld entries. Compare what you kept of that "
                 "one",
                 (long long)entry->size);
    if (!*entry->name)
        return;
    struct log_name *name = log_name_need(audit, entry->name);
    if (entry->kind == ENTRY_LOST) {
        take_lost(audit, name, entry, number);
        return;
    }
    take_number(audit, name, entry, &place);
    if (entry->kind == ENTRY_CLOSE)
        take_close(audit, name, entry, &place);
    /* A competition's draws are closed, too; a game that closes a turn has begun. */
    name->game |= entry->kind != ENTRY_HEAD && (entry->kind != ENTRY_CLOSE || entry->turn.turn == 0);
    if (entry->kind == ENTRY_END) {
        name->end = entry->seq;
        name->end_entry = number;
        name->ended = entry->time;
        memcpy(name->end_head, entry->head, ENTRY_DIGEST);
    }
    name->seq = entry->seq;
    name->entry = number;
    memcpy(name->head, entry->head, ENTRY_DIGEST);
}

/* ---- the tree ---- */

static bool is_rooted(const struct reading *reading, const struct checkpoint *checkpoint)
{
    struct tree_hash root;
    tree_range_root(&reading->range, &root);
    return tree_hash_equal(&root, &checkpoint->root);
}

static void take_leaf(struct reading *reading, struct slice line)
{
    struct log_audit *audit = reading->audit;
    struct tree_hash leaf;
    tree_leaf(&leaf, line);
    tree_append(&reading->range, &leaf);
    if (reading->range.size == audit->checkpoint.size)
        reading->differs = !is_rooted(reading, &audit->checkpoint);
    for (; reading->kept < audit->kept_count; reading->kept++) {
        struct log_kept *kept = &audit->kept[reading->kept];
        if (kept->checkpoint.size > reading->range.size)
            break;
        kept->same = is_rooted(reading, &kept->checkpoint);
        if (kept->same)
            reading->agreed = kept->checkpoint.size;
        else if (!reading->parted++)
            reading->part = kept;
    }
}

/* The first entry that is not the one of which the folder's own tile has the hash; 0: the tiles do not show it. */
static int find_changed(const struct log_audit *audit, int64_t *number, struct err *err)
{
    struct entries entries;
    struct slice line;
    struct str hashes = STR_INIT;
    int rc = entries_open(&entries, audit->dir, audit->checkpoint.size, err);
    *number = 0;
    for (int64_t i = 0; rc == 0 && !*number && i < audit->checkpoint.size; i++) {
        const int64_t left = audit->checkpoint.size - i;
        const size_t at = (size_t)(i % TILE_WIDTH) * TREE_HASH;
        struct tree_hash leaf;
        if (at == 0 && tile_file(audit->dir, 0, i / TILE_WIDTH, left < TILE_WIDTH ? (int)left : TILE_WIDTH,
                                 &hashes, err))
            break;
        rc = entries_next(&entries, &line, err);
        if (rc || !line.len)
            break;
        tree_leaf(&leaf, line);
        if (hashes.len < at + TREE_HASH || memcmp(leaf.b, hashes.p + at, TREE_HASH) != 0)
            *number = i + 1;
    }
    entries_close(&entries);
    str_release(&hashes);
    return rc;
}

static int say_tree(const struct reading *reading, struct err *err)
{
    struct log_audit *audit = reading->audit;
    int64_t changed = 0;
    if (audit->entries < audit->checkpoint.size) {
        log_find(
            audit, LOG_WRONG, LOG_ENTRY, &(struct log_place){NULL, 0, audit->entries + 1},
            "entries are missing from here on: the checkpoint is of %lld. Fetch them (--missing), or ask "
            "for them",
            (long long)audit->checkpoint.size);
    } else if (reading->differs) {
        if (find_changed(audit, &changed, err))
            return -1;
        log_find(
            audit, LOG_WRONG, LOG_ENTRY, &(struct log_place){NULL, 0, changed},
            "the entries are not those that the league signed: one was changed, left out or put in%s. Keep "
            "this copy, and fetch the log again",
            changed ? " here" : "");
    }
    if (reading->part)
        log_find(
            audit, LOG_WRONG, LOG_HISTORIES, &(struct log_place){NULL, 0, 0},
            "two histories: the league has signed another log of %lld entries, as %s shows%s (they agree "
            "up to entry %lld). Somebody was shown another log: keep both, and tell the others",
            (long long)reading->part->checkpoint.size, reading->part->label,
            reading->parted > 1 ? ", and not it alone" : "", (long long)reading->agreed);
    const struct log_kept *newest = audit->kept_count ? &audit->kept[audit->kept_count - 1] : NULL;
    if (newest && newest->checkpoint.size > audit->entries)
        log_find(
            audit, LOG_ASK, LOG_HISTORIES, LOG_NOWHERE,
            "%s is of a log of %lld entries, and this copy ends with entry %lld: it is older, or its end "
            "was cut. Fetch the log again",
            newest->label, (long long)newest->checkpoint.size, (long long)audit->entries);
    if (audit->entries > audit->checkpoint.size)
        log_find(audit, LOG_NOTE, LOG_CHECKPOINT, &(struct log_place){NULL, 0, audit->checkpoint.size + 1},
                 "from here on the league has not signed anything yet: it is at work, or was stopped");
    return 0;
}

static int by_size(const void *a, const void *b)
{
    const int64_t one = ((const struct log_kept *)a)->checkpoint.size,
                  other = ((const struct log_kept *)b)->checkpoint.size;
    return (one > other) - (one < other);
}

/* What was kept of a log that this one follows says nothing of this one. */
static void set_aside(struct log_audit *audit)
{
    size_t left = 0;
    for (size_t i = 0; i < audit->kept_count; i++) {
        struct log_kept *kept = &audit->kept[i];
        if (!audit->is_signed || strcmp(kept->checkpoint.origin, audit->checkpoint.origin) == 0) {
            audit->kept[left++] = *kept;
            continue;
        }
        log_find(audit, LOG_ASK, LOG_CHECKPOINT, LOG_NOWHERE,
                 "%s is of another log of this league, %s, of %lld entries. Hold it against a copy of that "
                 "one; if this log "
                 "follows it, entry 1 says how far it was known",
                 kept->label, kept->checkpoint.origin, (long long)kept->checkpoint.size);
        free(kept->label);
    }
    audit->kept_count = left;
}

static int read_all(struct log_audit *audit, struct err *err)
{
    struct reading *reading = mem_alloc(sizeof *reading);
    struct entries entries;
    struct slice line;
    reading->audit = audit;
    set_aside(audit);
    if (audit->kept_count)
        qsort(audit->kept, audit->kept_count, sizeof *audit->kept, by_size);
    int rc = entries_open(&entries, audit->dir, audit->checkpoint.size, err);
    while (rc == 0 && (rc = entries_next(&entries, &line, err)) == 0 && line.len) {
        struct log_entry entry;
        struct err why = ERR_INIT;
        audit->entries++;
        take_leaf(reading, line);
        if (line.p[line.len - 1] == '\n' &&
            log_entry_parse(slice_sub(line, 0, line.len - 1), &entry, &why) == 0)
            take_entry(audit, &entry, audit->entries);
        else
            log_find(audit, LOG_WRONG, LOG_ENTRY, &(struct log_place){NULL, 0, audit->entries},
                     "%s. It was changed, or a newer Turnpost wrote it",
                     why.code ? why.text : "it ends in the middle of a line");
    }
    entries_close(&entries);
    if (rc == 0)
        rc = say_tree(reading, err);
    free(reading);
    return rc;
}

int log_audit_run(struct log_audit *audit, struct err *err)
{
    return take_checkpoint(audit, err) || read_all(audit, err) || log_receipts(audit, err) ||
                   log_journals(audit, err) || log_results(audit, err)
               ? -1
               : 0;
}
