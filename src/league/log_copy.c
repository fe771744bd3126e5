#include "league/log_copy.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "league/league_log.h"
#include "league/policy_file.h"
#include "tlog/entries.h"
#include "tlog/entry.h"

#define ALL_MAY_READ 0644
#define PIECE        ((size_t)1 << 20)

bool log_copy_has(const struct league *league)
{
    char *path = league_path(league, LEAGUE_POLICY);
    const bool has = file_exists(path);
    free(path);
    return has;
}

/* What the folder's checkpoint says, if the policy's first log has signed it. */
static int read_checkpoint(const struct policy *policy, const char *folder, struct checkpoint *checkpoint,
                           struct err *err)
{
    struct policy_seen seen;
    struct str note = STR_INIT;
    char *path = path_join(folder, "checkpoint");
    int rc = file_read(path, NOTE_MOST, &note, err);
    if (rc == 0 && policy_verify(policy, slice_str(&note), checkpoint, &seen, err))
        rc = err_prefix(err, "%s", path);
    else if (rc == 0 && seen.log)
        rc = err_set(err, ERR_INPUT, "%s is of an earlier log of this league, not of %s", path,
                     policy->log[0].key.name);
    str_release(&note);
    free(path);
    return rc;
}

int log_copy_compare(const struct league *league, const char *folder, struct err *err)
{
    struct policy *policy = mem_alloc(sizeof *policy);
    struct checkpoint own = {.size = 0}, shown = {.size = 0};
    struct err why = ERR_INIT; /* what is not of this log says nothing of it */
    char *log = league_path(league, LEAGUE_LOG_FOLDER);
    const bool known = policy_file_read(league->dir, league->key.point, policy, &why) == 0 &&
                       read_checkpoint(policy, folder, &shown, &why) == 0;
    int rc = 0;
    if (known && (read_checkpoint(policy, log, &own, &why) || shown.size > own.size))
        rc = err_set(err, ERR_INPUT,
                     "something came after the backup: %s shows %lld entries of the league's log, and the "
                     "backup has %lld; leave out "
                     "--nothing-lost",
                     folder, (long long)shown.size, (long long)own.size);
    free(policy);
    free(log);
    return rc;
}

/* The entries of the folder as they are copied, and what has to be true of their beginnings. */
struct copying {
    struct tree_range range;
    const struct checkpoint *known[2]; /* the copy's own, and the folder's */
    const char *folder;
};

static int take_line(struct copying *copying, struct slice line, struct err *err)
{
    struct tree_hash leaf, root;
    struct log_entry entry;
    if (log_entry_parse(slice_sub(line, 0, line.len - 1), &entry, err))
        return err_prefix(err, "%s/entries, entry %lld", copying->folder, (long long)copying->range.size + 1);
    tree_leaf(&leaf, line);
    tree_append(&copying->range, &leaf);
    for (size_t i = 0; i < 2; i++) {
        if (copying->known[i]->size != copying->range.size)
            continue;
        tree_range_root(&copying->range, &root);
        if (!tree_hash_equal(&root, &copying->known[i]->root))
            return err_set(err, ERR_INPUT,
                           i ? "%s/entries is not what the league has signed"
                             : "the log in %s does not begin as the backup's own: it is another one",
                           copying->folder);
    }
    return 0;
}

/* All whole lines. */
static int copy_entries(struct copying *copying, const char *path, struct err *err)
{
    struct entries entries;
    struct slice line;
    struct str piece = STR_INIT;
    int rc = entries_open(&entries, copying->folder, 0, err);
    if (rc == 0 && !entries.whole)
        rc = err_set(err, ERR_INPUT,
                     "%s has no file \"entries\": name the folder \"log\" of the league that was lost. (That "
                     "of a site may lack what "
                     "came last; without --log a new log begins.)",
                     copying->folder);
    if (rc == 0)
        rc = file_write(path, slice_of(""), ALL_MAY_READ, err);
    while (rc == 0 && (rc = entries_next(&entries, &line, err)) == 0 && line.len &&
           line.p[line.len - 1] == '\n') {
        rc = take_line(copying, line, err);
        str_addslice(&piece, line);
        if (rc == 0 && piece.len > PIECE) {
            rc = file_append(path, slice_str(&piece), ALL_MAY_READ, err);
            str_clear(&piece);
        }
    }
    if (rc == 0)
        rc = file_append(path, slice_str(&piece), ALL_MAY_READ, err);
    for (size_t i = 0; rc == 0 && i < 2; i++)
        if (copying->known[i]->size > copying->range.size)
            rc = err_set(
                err, ERR_INPUT,
                "the log in %s has %lld entries, and the league has signed %lld: it is older, or was cut",
                copying->folder, (long long)copying->range.size, (long long)copying->known[i]->size);
    entries_close(&entries);
    str_release(&piece);
    return rc;
}

int log_copy_take(const struct league *league, const char *folder, int64_t *more, struct err *err)
{
    struct policy *policy = mem_alloc(sizeof *policy);
    struct copying *copying = mem_alloc(sizeof *copying);
    struct checkpoint old = {.size = 0}, newest = {.size = 0}, all;
    struct str note = STR_INIT;
    char *log = league_path(league, LEAGUE_LOG_FOLDER), *entries = path_join(log, "entries"),
         *checkpoint = path_join(log, "checkpoint");
    int rc = policy_file_read(league->dir, league->key.point, policy, err);
    if (rc == 0 && file_exists(checkpoint))
        rc = read_checkpoint(policy, log, &old, err);
    if (rc == 0 && read_checkpoint(policy, folder, &newest, err))
        rc = err_prefix(err, "this backup's log does not go on there; leave out --log, and a new one begins");
    *copying = (struct copying){.known = {&old, &newest}, .folder = folder};
    if (rc == 0)
        rc = copy_entries(copying, entries, err);
    if (rc == 0) { /* what follows the last checkpoint may have been told before that lasted */
        all.size = copying->range.size;
        tree_range_root(&copying->range, &all.root);
        (void)snprintf(all.origin, sizeof all.origin, "%s", policy->log[0].key.name);
        checkpoint_note(&note, &all, &policy->log[0].key, league->key.key);
        rc = file_write(checkpoint, slice_str(&note), ALL_MAY_READ, err);
    }
    *more = rc == 0 ? all.size - old.size : 0;
    str_release(&note);
    free(copying);
    free(policy);
    free(log);
    free(entries);
    free(checkpoint);
    return rc;
}

static void write_entry(struct str *lines, const struct log_entry *entry)
{
    log_entry_write(lines, entry);
    str_addc(lines, '\n');
}

static struct log_entry loss_of(const char *name, const json_t *seq, int64_t now)
{
    struct log_entry entry = {.kind = ENTRY_LOST, .seq = json_integer_value(seq), .time = now};
    (void)snprintf(entry.name, sizeof entry.name, "%s", name);
    return entry;
}

int log_copy_begin(const struct league *league, json_t *losses, int64_t now, struct err *err)
{
    struct policy *policy = mem_alloc(sizeof *policy);
    struct checkpoint old = {.size = 0};
    struct log_entry entry = {.kind = ENTRY_LOG, .time = now};
    struct str line = STR_INIT;
    char *log = league_path(league, LEAGUE_LOG_FOLDER), *entries = path_join(log, "entries"),
         *checkpoint = path_join(log, "checkpoint");
    tree_empty(&old.root); /* of one that has nothing yet */
    int rc = policy_file_read(league->dir, league->key.point, policy, err);
    if (rc == 0 && file_exists(checkpoint))
        rc = read_checkpoint(policy, log, &old, err);
    if (rc == 0) {
        entry.log = policy->log[0].key;
        entry.size = old.size;
        entry.root = old.root;
        const char *name;
        json_t *seq;
        write_entry(&line, &entry);
        json_object_foreach (losses, name, seq) {
            const struct log_entry loss = loss_of(name, seq, now);
            write_entry(&line, &loss);
        }
        rc = policy_file_make(league->dir, league->config.league.address, league->key.point, policy, err) ||
                     file_remove(checkpoint, err) || file_write(entries, slice_str(&line), ALL_MAY_READ, err)
                 ? -1
                 : 0;
    }
    str_release(&line);
    free(policy);
    free(log);
    free(entries);
    free(checkpoint);
    return rc;
}

int log_copy_lost(const struct league *league, json_t *losses, int64_t now, struct err *err)
{
    struct league_log *log;
    const char *name;
    json_t *seq;
    if (league_log_open(&log, league, err))
        return -1;
    json_object_foreach (losses, name, seq) {
        const struct log_entry loss = loss_of(name, seq, now);
        league_log_add_entry(log, &loss);
    }
    char *path = league_path(league, LEAGUE_LOG_FOLDER);
    int rc = league_log_append(log, err) || file_sync_all(path, err) || league_log_settle(log, err) ? -1 : 0;
    free(path);
    league_log_close(log);
    return rc;
}
