#include "batch/log_mend.h"

#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "batch/batch_parts.h"
#include "compete/results.h"
#include "game/entry.h"
#include "game/game_load.h"
#include "tlog/entry.h"

/* ---- entries that no journal has ---- */

/* The journal that was asked for last: most of what follows is of the same game. */
struct asking {
    struct batch *batch;
    char name[GAME_NAME];
    struct str lines;
    json_t *hidden; /* games by the other names that the log may have for them; NULL = not looked at yet */
};

static int add_hidden(struct batch *batch, json_t *hidden, const char *id, struct err *err)
{
    struct str line = STR_INIT;
    unsigned char head[HEAD_BYTES];
    char name[GAME_NAME];
    int rc = store_line(batch->store, id, STORE_BEGIN, &line, err);
    record_head(head, slice_str(&line));
    game_log_hidden_name(name, head);
    if (rc == 0)
        json_object_set_new(hidden, name, json_string(id));
    str_release(&line);
    return rc;
}

/* The name of the journal that the log calls so. */
static const char *journal_of(struct asking *asking, const char *name)
{
    struct file_names names;
    struct err why = ERR_INIT; /* of what cannot be read nothing is known: its entries stay */
    const struct batch *batch = asking->batch;
    if (store_has(batch->competitions.store, name) || store_has(batch->store, name))
        return name;
    if (!asking->hidden) {
        asking->hidden = json_object();
        if (store_games(batch->store, &names, &why) == 0) {
            for (size_t i = 0; i < names.count; i++)
                if (store_has(batch->store, names.name[i]) &&
                    add_hidden(asking->batch, asking->hidden, names.name[i], &why))
                    log_debug("%s", why.text);
            file_names_free(&names);
        }
    }
    const char *id = json_string_value(json_object_get(asking->hidden, name));
    return id ? id : name;
}

static struct store *store_of(struct batch *batch, const char *name)
{
    return store_has(batch->competitions.store, name) ? batch->competitions.store : batch->store;
}

/* What cannot be read is taken to have it: the game stands still until it can. */
static bool reads(struct asking *asking, const char *name)
{
    struct err why = ERR_INIT;
    struct store *store = store_of(asking->batch, name);
    if (strcmp(asking->name, name) == 0)
        return true;
    str_clear(&asking->lines);
    *asking->name = '\0';
    if (store_has(store, name) && store_read(store, name, STORE_BEGIN, &asking->lines, &why))
        return false;
    (void)snprintf(asking->name, sizeof asking->name, "%s", name);
    return true;
}

static bool has(void *arg, const char *name, int64_t seq, const unsigned char head[32])
{
    struct asking *asking = arg;
    const struct registry_log *registry = &asking->batch->log;
    unsigned char own[HEAD_BYTES];
    struct slice rest, line = {NULL, 0};
    if (strcmp(name, REGISTRY_GAME) == 0)
        return seq < registry->seq || (seq == registry->seq && memcmp(head, registry->head, HEAD_BYTES) == 0);
    name = journal_of(asking, name);
    if (!reads(asking, name))
        return true;
    rest = slice_str(&asking->lines);
    for (int64_t i = 0; i < seq; i++)
        if (!slice_whole_line(&rest, &line))
            return false;
    record_head(own, line);
    return memcmp(own, head, HEAD_BYTES) == 0;
}

/* ---- records without an entry, entries without a record ---- */

static int64_t last_of(json_t *ends, const char *name)
{
    const int64_t seq = json_integer_value(json_object_get(ends, name));
    json_object_del(ends, name);
    return seq;
}

static void add_lost(struct batch *batch, const char *name, int64_t seq)
{
    struct log_entry entry = {.kind = ENTRY_LOST, .seq = seq, .time = batch->now};
    (void)snprintf(entry.name, sizeof entry.name, "%s", name);
    league_log_add_entry(batch->tlog, &entry);
    log_warn("%s: the log has records from %lld on that its journal has not any more; the log says that they "
             "are lost",
             name, (long long)seq);
}

/* Its journal ends with record `seq`. False: it has all, or more, and says so. */
static bool lacks(struct batch *batch, json_t *ends, const char *name, int64_t seq, int64_t *last)
{
    *last = last_of(ends, name);
    if (*last > seq)
        add_lost(batch, name, seq + 1);
    return *last < seq;
}

static int mend_game(struct batch *batch, json_t *ends, const char *id, struct err *err)
{
    struct str entries = STR_INIT;
    struct game game;
    struct err why = ERR_INIT;
    char name[GAME_NAME];
    int64_t last;
    if (game_load(batch->store, id, batch->league->master, &game, &why)) {
        json_object_del(ends, id);
        return 0; /* it has been reported, and the next start looks again */
    }
    int rc = 0;
    game_log_name(name, &game);
    if (lacks(batch, ends, name, game.seq, &last)) {
        rc = game_load_entries(batch->store, id, last, &entries, err);
        league_log_add(batch->tlog, slice_str(&entries));
    }
    game_release(&game);
    str_release(&entries);
    return rc;
}

static int mend_competition(struct batch *batch, json_t *ends, const char *name, struct err *err)
{
    struct str lines = STR_INIT;
    int64_t last;
    int rc = store_read(batch->competitions.store, name, STORE_BEGIN, &lines, err);
    const struct store_pos end = store_after(STORE_BEGIN, slice_str(&lines));
    if (rc == 0 && lacks(batch, ends, name, end.seq, &last)) {
        struct slice rest = slice_str(&lines), line;
        for (int64_t i = 0; i < last; i++)
            (void)slice_whole_line(&rest, &line);
        rc = league_log_add_heads(batch->tlog, rest, err);
    }
    str_release(&lines);
    return rc;
}

static int mend_each(struct batch *batch, struct store *store, json_t *ends,
                     int (*mend)(struct batch *, json_t *, const char *, struct err *), struct err *err)
{
    struct file_names names;
    int rc = store_games(store, &names, err);
    if (rc)
        return -1;
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        if (store_has(store, names.name[i]))
            rc = mend(batch, ends, names.name[i], err);
    file_names_free(&names);
    return rc;
}

static void mend_registry(struct batch *batch, json_t *ends)
{
    const struct registry_log *registry = &batch->log;
    int64_t last;
    if (lacks(batch, ends, REGISTRY_GAME, registry->seq, &last))
        league_log_add_one(batch->tlog, REGISTRY_GAME, registry->seq, registry->time, registry->head);
}

int log_mend(struct batch *batch, struct err *err)
{
    struct asking asking = {.batch = batch, .lines = STR_INIT};
    json_t *ends = NULL;
    const char *name;
    json_t *seq;
    int rc = league_log_cut(batch->tlog, has, &asking, err);
    str_release(&asking.lines);
    json_decref(asking.hidden);
    if (rc == 0)
        rc = league_log_ends(batch->tlog, &ends, err);
    if (rc == 0)
        rc = mend_each(batch, batch->store, ends, mend_game, err);
    if (rc == 0)
        rc = mend_each(batch, batch->competitions.store, ends, mend_competition, err);
    if (rc == 0) {
        mend_registry(batch, ends);
        json_object_foreach (ends, name, seq) /* journals that are gone */
            if (json_integer_value(seq))
                add_lost(batch, name, 1);
        rc = league_log_append(batch->tlog, err);
    }
    json_decref(ends);
    if (rc == 0)
        rc = batch_durable(batch, err);
    return rc == 0 ? league_log_settle(batch->tlog, err) : rc;
}
