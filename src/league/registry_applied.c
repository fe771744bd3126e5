#include "league/registry_applied.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/log.h"

#define APPLIED_FILE REGISTRY_GAME "/applied"
#define ONLY_OURS    0600
#define DOCUMENT     ((size_t)4 << 20)

int registry_applied_write(const struct registry_log *log, struct err *err)
{
    struct str text = STR_INIT;
    char *path = path_join(log->dir, APPLIED_FILE);
    str_addf(&text, "%lld %lld ", (long long)log->seq, (long long)log->length);
    hex_encode(&text, log->head, HEAD_BYTES);
    str_addc(&text, '\n');
    int rc = file_write_soft(path, slice_str(&text), ONLY_OURS, err);
    free(path);
    str_release(&text);
    return rc;
}

void registry_applied_read(struct registry_log *log)
{
    struct err ignored = ERR_INIT;
    struct str text = STR_INIT;
    char *path = path_join(log->dir, APPLIED_FILE);
    char *end = NULL;
    log->doubt = true;
    if (file_exists(path) && file_read(path, 256, &text, &ignored) == 0) {
        log->seq = strtoll(text.p, &end, 10);
        log->length = strtoll(end, &end, 10);
        log->doubt =
            !hex_decode(log->head, HEAD_BYTES, slice_trim(slice_of(end))) || log->seq < 1 || log->length < 1;
        if (log->doubt)
            log_warn(APPLIED_FILE " cannot be read; all records of the registry are applied again");
    }
    if (log->doubt) {
        log->seq = log->length = 0;
        memset(log->head, 0, sizeof log->head);
    }
    free(path);
    str_release(&text);
}

int registry_applied_alone(const char *league_dir, struct err *err)
{
    struct err ignored = ERR_INIT;
    struct str applied = STR_INIT;
    struct store *store = store_open_private(league_dir);
    char *path = path_join(league_dir, APPLIED_FILE);
    bool there = file_exists(path);
    if (there && file_read(path, 256, &applied, &ignored))
        str_clear(&applied);
    int rc = 0;
    if (there && !store_has(store, REGISTRY_GAME)) {
        long long seq = applied.len ? strtoll(applied.p, NULL, 10) : 0;
        rc = err_set(
            err, ERR_BROKEN,
            REGISTRY_GAME
            "/journal.jsonl is gone or empty, though its records up to %lld were written "
            "(" APPLIED_FILE "): what players, moderators and commands did to players and keys; take it "
            "from a backup that is as new; or, if it is lost for good, make this league again from a copy of "
            "itself (turnpost backup, then turnpost restore): players and keys stay as their files are, and "
            "a new journal begins",
            seq);
    }
    store_close(store);
    free(path);
    str_release(&applied);
    return rc;
}

int registry_applied_holds(struct registry_log *log, bool *holds, struct err *err)
{
    struct str line = STR_INIT;
    struct record record = {.json = NULL};
    struct err why = ERR_INIT;
    int rc =
        store_line_before(log->store, REGISTRY_GAME, (struct store_pos){log->seq, log->length}, &line, err);
    *holds = rc == 0 && line.len;
    if (*holds) {
        *holds = record_parse(slice_str(&line), &record, &why) == 0 && record.seq == log->seq &&
                 memcmp(record.head, log->head, HEAD_BYTES) == 0 && strcmp(record.game, REGISTRY_GAME) == 0;
        if (*holds)
            log->time = record.time;
        record_release(&record);
    }
    str_release(&line);
    return rc;
}

/* registry/NAME.before, or .before.2 and so on: what was kept before stays. */
static void free_place(struct str *path, const char *dir, const char *name)
{
    str_addf(path, "%s/" REGISTRY_GAME "/%s.before", dir, strchr(name, '/') + 1);
    size_t front = path->len;
    for (int number = 2; file_exists(path->p); number++) {
        str_cut(path, front);
        str_addf(path, ".%d", number);
    }
}

int registry_applied_keep(const char *dir, const char *name, const struct str *now, struct err *err)
{
    struct str was = STR_INIT, before = STR_INIT;
    struct err why = ERR_INIT;
    char *path = path_join(dir, name);
    int rc = 0;
    bool there = file_is_plain(path);
    bool whole = there && file_read(path, DOCUMENT, &was, &why) == 0;
    if (there && !(whole && now && now->len == was.len && memcmp(now->p, was.p, was.len) == 0)) {
        free_place(&before, dir, name);
        rc = whole ? file_write_soft(before.p, slice_str(&was), ONLY_OURS, err)
                   : file_rename(path, before.p, err);
        log_warn("%s was not as the registry's journal has it, and is now; what stood there is in %s", name,
                 before.p);
    }
    free(path);
    str_release(&was);
    str_release(&before);
    return rc;
}
