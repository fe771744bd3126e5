#include "league/log_copy.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "league/league_log.h"
#include "league/policy_file.h"
#include "tlog/entry.h"
#include "tlog/tiles.h"

#define ALL_MAY_READ 0644

bool log_copy_has(const struct league *league)
{
    char *path = league_path(league, LEAGUE_POLICY);
    const bool has = file_exists(path);
    free(path);
    return has;
}

/* What the folder's checkpoint says, if the policy's first log has signed it. */
static int read_checkpoint(const struct policy *policy, const char *folder, struct str *note,
                           struct checkpoint *checkpoint, struct err *err)
{
    struct policy_seen seen;
    char *path = path_join(folder, "checkpoint");
    int rc = file_read(path, NOTE_MOST, note, err);
    if (rc == 0 && policy_verify(policy, slice_str(note), checkpoint, &seen, err))
        rc = err_prefix(err, "%s", path);
    else if (rc == 0 && seen.log)
        rc = err_set(err, ERR_INPUT, "%s is of an earlier log of this league, not of %s", path,
                     policy->log[0].key.name);
    free(path);
    return rc;
}

/* Does the one begin with the other? */
static int begins_with(struct tiles *tiles, const char *folder, const struct checkpoint *old, struct err *err)
{
    const struct tree_reader reader = tiles_reader(tiles);
    struct tree_hash root;
    if (tiles_size(tiles) < old->size)
        return err_set(err, ERR_INPUT,
                       "the log in %s is older than the backup's own: it has %lld entries, and that has %lld",
                       folder, (long long)tiles_size(tiles), (long long)old->size);
    if (tree_root(&reader, old->size, &root, err))
        return -1;
    return tree_hash_equal(&root, &old->root)
               ? 0
               : err_set(err, ERR_INPUT,
                         "the log in %s does not begin as the backup's own: one of them is another league's",
                         folder);
}

static int write_entries(struct tiles *tiles, const char *path, struct err *err)
{
    const int64_t size = tiles_size(tiles);
    int rc = file_write(path, slice_of(""), ALL_MAY_READ, err);
    for (int64_t i = 0; rc == 0 && i < size;) {
        struct str lines = STR_INIT;
        rc = tiles_lines(tiles, &i, &lines, err);
        if (rc == 0)
            rc = file_append(path, slice_str(&lines), ALL_MAY_READ, err);
        str_release(&lines);
    }
    return rc;
}

int log_copy_take(const struct league *league, const char *folder, int64_t *more, struct err *err)
{
    struct policy *policy = mem_alloc(sizeof *policy);
    struct checkpoint old = {.size = 0}, newest;
    struct str own = STR_INIT, note = STR_INIT;
    struct tiles *tiles = NULL;
    char *log = league_path(league, LEAGUE_LOG_FOLDER), *entries = path_join(log, "entries"),
         *checkpoint = path_join(log, "checkpoint");
    int rc = policy_file_read(league->dir, league->key.point, policy, err);
    if (rc == 0 && file_exists(checkpoint))
        rc = read_checkpoint(policy, log, &own, &old, err);
    if (rc == 0)
        rc = read_checkpoint(policy, folder, &note, &newest, err) || tiles_open(folder, &tiles, err) ? -1 : 0;
    if (rc == 0 && tiles_size(tiles) != newest.size)
        rc = err_set(err, ERR_INPUT,
                     "the tiles in %s are not those of its checkpoint: copy the whole folder again", folder);
    if (rc == 0)
        rc = begins_with(tiles, folder, &old, err);
    if (rc == 0)
        rc = write_entries(tiles, entries, err) || file_write(checkpoint, slice_str(&note), ALL_MAY_READ, err)
                 ? -1
                 : 0;
    *more = rc == 0 ? newest.size - old.size : 0;
    tiles_close(tiles);
    str_release(&own);
    str_release(&note);
    free(policy);
    free(log);
    free(entries);
    free(checkpoint);
    return rc;
}

int log_copy_begin(const struct league *league, int64_t now, struct err *err)
{
    struct policy *policy = mem_alloc(sizeof *policy);
    struct checkpoint old = {.size = 0};
    struct log_entry entry = {.kind = ENTRY_LOG, .time = now};
    struct str note = STR_INIT, line = STR_INIT;
    char *log = league_path(league, LEAGUE_LOG_FOLDER), *entries = path_join(log, "entries"),
         *checkpoint = path_join(log, "checkpoint");
    int rc = policy_file_read(league->dir, league->key.point, policy, err);
    if (rc == 0 && file_exists(checkpoint))
        rc = read_checkpoint(policy, log, &note, &old, err);
    if (rc == 0 && old.size) {
        entry.log = policy->log[0].key;
        entry.size = old.size;
        entry.root = old.root;
        log_entry_write(&line, &entry);
        str_addc(&line, '\n');
        rc = policy_file_make(league->dir, league->config.league.address, league->key.point, policy, err) ||
                     file_remove(checkpoint, err) || file_write(entries, slice_str(&line), ALL_MAY_READ, err)
                 ? -1
                 : 0;
    }
    str_release(&note);
    str_release(&line);
    free(policy);
    free(log);
    free(entries);
    free(checkpoint);
    return rc;
}
