#include "batch/log_mend.h"

#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/log.h"
#include "batch/batch_parts.h"
#include "compete/competition.h"
#include "compete/results.h"
#include "game/entry.h"
#include "game/game_load.h"
#include "league/roster.h"
#include "tlog/entry.h"

/* ---- entries that no journal has ---- */

/* The journal that was asked for last: most of what follows is of the same game. */
struct asking {
    struct batch *batch;
    char name[GAME_NAME];
    struct str lines;
    json_t *hidden; /* games by the other names that the log may have for them; NULL = not looked at yet */
    bool nameless;  /* of some game that name cannot be read */
};

/* The name by which the log may have this game, from the first line of its journal, if the second one follows that. */
static int hidden_name(char name[GAME_NAME], struct batch *batch, const char *id, struct err *err)
{
    struct str line = STR_INIT, next = STR_INIT;
    struct record create = {.json = NULL}, second = {.json = NULL};
    const unsigned char none[HEAD_BYTES] = {0};
    int rc = store_line(batch->store, id, STORE_BEGIN, &line, err) ||
                     record_parse(slice_str(&line), &create, err) ||
                     record_follows(&create, &(struct record_place){id, 1, none}, err) ||
                     store_line(batch->store, id, (struct store_pos){1, (int64_t)line.len}, &next, err)
                 ? -1
                 : 0;
    if (rc == 0 && next.len)
        rc = record_parse(slice_str(&next), &second, err) ||
                     record_follows(&second, &(struct record_place){id, 2, create.head}, err)
                 ? -1
                 : 0;
    game_log_hidden_name(name, create.head);
    record_release(&create);
    record_release(&second);
    str_release(&line);
    str_release(&next);
    return rc;
}

static void is_nameless(void *arg, enum roster_kind kind, const char *name)
{
    (void)kind;
    (void)name;
    ((struct asking *)arg)->nameless = true;
}

/* The name of the journal that the log calls so; NULL: it may be that of one that cannot be read, or that is gone. */
static const char *journal_of(struct asking *asking, const char *name)
{
    struct file_names names;
    struct err why = ERR_INIT;
    struct batch *batch = asking->batch;
    const char *dir = batch->league->dir;
    if (store_has(batch->competitions.store, name) || store_has(batch->store, name))
        return name;
    if (roster_gone(dir, ROSTER_GAME, name) || roster_gone(dir, ROSTER_COMPETITION, name))
        return NULL;
    if (!asking->hidden) {
        const struct roster_look look = {is_nameless, NULL, asking};
        asking->hidden = json_object();
        asking->nameless = store_games(batch->store, &names, &why) != 0;
        if (roster_each(dir, ROSTER_GAME, &look, &why))
            asking->nameless = true;
        for (size_t i = 0; !asking->nameless && i < names.count; i++) {
            char other[GAME_NAME];
            if (!store_has(batch->store, names.name[i]))
                continue;
            if (hidden_name(other, batch, names.name[i], &why) == 0)
                json_object_set_new(asking->hidden, other, json_string(names.name[i]));
            else
                asking->nameless = true;
        }
        file_names_free(&names);
    }
    const char *id = json_string_value(json_object_get(asking->hidden, name));
    return id || (asking->nameless && game_log_is_hidden(name)) ? id : name;
}

/* Is what ends the journal the record of that number? A journal that ends with something else cannot be read. */
static bool has_last(struct slice lines, int64_t seq)
{
    struct record last;
    struct err why = ERR_INIT;
    size_t from = lines.len ? lines.len - 1 : 0;
    while (from && lines.p[from - 1] != '\n')
        from--;
    if (!lines.len || record_parse(slice_sub(lines, from, lines.len), &last, &why))
        return false;
    const bool is = last.seq == seq;
    record_release(&last);
    return is;
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
    if (store_has(store, name) &&
        (store_read(store, name, STORE_BEGIN, &asking->lines, &why) ||
         !has_last(slice_str(&asking->lines), store_after(STORE_BEGIN, slice_str(&asking->lines)).seq)))
        return false;
    (void)snprintf(asking->name, sizeof asking->name, "%s", name);
    return true;
}

/* Does its journal go as far? If it has another record there, somebody has changed it: the entry stays, as it may have been told, and
 * the two contradict each other for everybody to see. */
static bool has(void *arg, const char *name, int64_t seq)
{
    struct asking *asking = arg;
    if (strcmp(name, REGISTRY_GAME) == 0)
        return seq <= asking->batch->log.seq;
    name = journal_of(asking, name);
    return !name || !reads(asking, name) || seq <= store_after(STORE_BEGIN, slice_str(&asking->lines)).seq;
}

/* ---- records without an entry, entries without a record ---- */

/* What the log has last of a journal. */
struct last {
    int64_t seq;
    bool known; /* its head: not after `lost` */
    unsigned char head[HEAD_BYTES];
};

static struct last last_of(json_t *ends, const char *name)
{
    const json_t *end = json_object_get(ends, name);
    struct last last = {.seq = json_integer_value(json_array_get(end, 0))};
    const char *head = json_string_value(json_array_get(end, 1));
    last.known = head && hex_decode(last.head, HEAD_BYTES, slice_of(head));
    json_object_del(ends, name);
    return last;
}

/* A journal that has another record there was changed, and nothing is added to what the log has of it. `lines`: the journal from the
 * record after `before` on, at least to that one. */
static int agrees(const struct last *last, const char *name, struct slice lines, int64_t before,
                  struct err *err)
{
    struct slice line = {NULL, 0};
    unsigned char head[HEAD_BYTES];
    for (int64_t seq = before; seq < last->seq; seq++)
        (void)slice_whole_line(&lines, &line);
    record_head(head, line);
    return !last->known || memcmp(last->head, head, HEAD_BYTES) == 0
               ? 0
               : err_set(err, ERR_BROKEN,
                         "the league's log has another record %lld of %s: its journal was changed",
                         (long long)last->seq, name);
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

int log_mend_agrees(struct batch *batch, const struct game *game, struct err *err)
{
    struct proof_place place = {.seq = game->seq, .time = game->time};
    game_log_name(place.name, game);
    return league_log_agrees(batch->tlog, &place, game->head, err);
}

/* Gives the log what it lacks of the game, or says what the game has lost. */
static int mend_game(struct batch *batch, json_t *ends, const struct game *game, struct err *err)
{
    struct str entries = STR_INIT, lines = STR_INIT;
    char name[GAME_NAME];
    game_log_name(name, game);
    const struct last last = last_of(ends, name);
    int rc = 0;
    if (last.seq < game->seq && last.known) {
        rc = store_read(batch->store, game->id, STORE_BEGIN, &lines, err);
        if (rc == 0)
            rc = agrees(&last, game->id, slice_str(&lines), 0, err);
    } else if (last.seq >= game->seq) {
        rc = log_mend_agrees(batch, game, err);
        if (rc == 0 && last.seq > game->seq)
            add_lost(batch, name, game->seq + 1);
    }
    if (rc == 0 && last.seq < game->seq) {
        rc = game_load_entries(batch->store, game->id, last.seq, &entries, err);
        league_log_add(batch->tlog, slice_str(&entries));
    }
    str_release(&lines);
    str_release(&entries);
    return rc;
}

static int mend_competition(struct batch *batch, json_t *ends, const char *name, struct err *err)
{
    struct str lines = STR_INIT, entries = STR_INIT;
    int rc = store_read(batch->competitions.store, name, STORE_BEGIN, &lines, err);
    const struct store_pos end = store_after(STORE_BEGIN, slice_str(&lines));
    if (rc == 0 && !has_last(slice_str(&lines), end.seq))
        rc = err_set(err, ERR_BROKEN, "what ends its journal is no record");
    if (rc == 0) {
        const struct last last = last_of(ends, name);
        struct slice rest = slice_str(&lines), line;
        if (last.seq > end.seq)
            add_lost(batch, name, end.seq + 1);
        else
            rc = agrees(&last, name, rest, 0, err);
        if (rc == 0 && last.seq < end.seq && compete_name_valid(slice_of(name))) {
            rc = competition_entries(&entries, name, slice_str(&lines), last.seq, err);
            league_log_add(batch->tlog, slice_str(&entries));
        } else if (rc == 0 && last.seq < end.seq) { /* the league's results */
            for (int64_t i = 0; i < last.seq; i++)
                (void)slice_whole_line(&rest, &line);
            rc = league_log_add_heads(batch->tlog, rest, err);
        }
    }
    str_release(&lines);
    str_release(&entries);
    return rc;
}

/* The registry's journal begins with a later record than the first; of one that lies in an archive the log's word is not asked. */
static int mend_registry(struct batch *batch, json_t *ends, struct err *err)
{
    const struct registry_log *registry = &batch->log;
    const struct last last = last_of(ends, REGISTRY_GAME);
    struct str lines = STR_INIT;
    int rc = 0;
    if (last.seq > registry->seq) {
        add_lost(batch, REGISTRY_GAME, registry->seq + 1);
    } else if (last.seq > registry->base) {
        rc = store_read(registry->store, REGISTRY_GAME, STORE_BEGIN, &lines, err);
        if (rc == 0)
            rc = agrees(&last, REGISTRY_GAME, slice_str(&lines), registry->base, err);
    }
    if (rc == 0 && last.seq < registry->seq)
        league_log_add_one(batch->tlog, REGISTRY_GAME, registry->seq, registry->time, registry->head);
    str_release(&lines);
    return rc;
}

static int write_it(struct batch *batch, struct err *err)
{
    return league_log_append(batch->tlog, err) || batch_durable(batch, err) ||
                   league_log_settle(batch->tlog, err)
               ? -1
               : 0;
}

/* ---- a start ---- */

int log_mend_begin(struct batch *batch, struct log_mend *mend, struct err *err)
{
    struct asking asking = {.batch = batch, .lines = STR_INIT};
    *mend = (struct log_mend){.ends = NULL};
    json_decref(batch->unlogged);
    batch->unlogged = NULL;
    int rc = league_log_cut(batch->tlog, has, &asking, err);
    str_release(&asking.lines);
    json_decref(asking.hidden);
    return rc ? rc : league_log_ends(batch->tlog, &mend->ends, err);
}

static void note_unread(struct batch *batch, struct log_mend *mend, const char *name)
{
    if (!batch->unlogged)
        batch->unlogged = json_object();
    json_object_set_new(batch->unlogged, name, json_true());
    json_object_del(mend->ends, name);
}

void log_mend_unread(struct batch *batch, struct log_mend *mend, const char *id)
{
    char hidden[GAME_NAME];
    struct err why = ERR_INIT; /* it has been said what is wrong with it */
    note_unread(batch, mend, id);
    if (hidden_name(hidden, batch, id, &why) == 0)
        json_object_del(mend->ends, hidden);
    else
        mend->nameless = true;
}

int log_mend_game(struct batch *batch, struct log_mend *mend, const struct game *game, struct err *why)
{
    int rc = mend_game(batch, mend->ends, game, why);
    if (rc)
        note_unread(batch, mend, game->id);
    return rc;
}

static int mend_competitions(struct batch *batch, struct log_mend *mend, struct err *err)
{
    struct file_names names;
    if (store_games(batch->competitions.store, &names, err))
        return -1;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct err why = ERR_INIT; /* whoever needs it says so */
        bool cleared;
        rc = roster_clear(batch->league->dir, ROSTER_COMPETITION, names.name[i], &cleared, err);
        if (rc == 0 && store_has(batch->competitions.store, names.name[i]) &&
            mend_competition(batch, mend->ends, names.name[i], &why))
            note_unread(batch, mend, names.name[i]);
    }
    file_names_free(&names);
    return rc;
}

/* A game or competition that was made, and is not there. */
struct looking_for {
    struct batch *batch;
    struct log_mend *mend;
};
static void note_gone(void *arg, enum roster_kind kind, const char *name)
{
    struct looking_for *looking = arg;
    note_unread(looking->batch, looking->mend, name);
    looking->mend->nameless |= kind == ROSTER_GAME;
    looking->mend->gone = true;
}

/* One that is gone is waited for, until the operator says that it is to be gone. */
static int mend_gone(struct batch *batch, struct log_mend *mend, struct err *err)
{
    struct looking_for looking = {batch, mend};
    const struct roster_look look = {note_gone, NULL, &looking};
    const char *dir = batch->league->dir;
    return roster_each(dir, ROSTER_GAME, &look, err) || roster_each(dir, ROSTER_COMPETITION, &look, err) ? -1
                                                                                                         : 0;
}

int log_mend_end(struct batch *batch, struct log_mend *mend, int rc, struct err *err)
{
    const char *name;
    json_t *end;
    if (rc == 0)
        rc = mend_competitions(batch, mend, err);
    if (rc == 0)
        rc = mend_gone(batch, mend, err);
    if (rc == 0)
        rc = mend_registry(batch, mend->ends, err);
    if (rc == 0) {
        json_object_foreach (mend->ends, name, end) /* journals that are gone */
            if (json_integer_value(json_array_get(end, 0)) && !(mend->nameless && game_log_is_hidden(name)))
                add_lost(batch, name, 1);
        rc = write_it(batch, err) || log_mend_losses(batch, err) ? -1 : 0;
    }
    json_decref(mend->ends);
    return rc;
}

/* ---- what is lost ---- */

int log_mend_losses(struct batch *batch, struct err *err)
{
    json_decref(batch->losses);
    batch->losses = NULL;
    return league_log_losses(batch->tlog, &batch->losses, err);
}

/* ---- later ---- */

int log_mend_late(struct batch *batch, const char *name, const struct game *game, struct err *err)
{
    json_t *ends;
    int rc = league_log_ends(batch->tlog, &ends, err);
    if (rc == 0)
        rc = game ? mend_game(batch, ends, game, err) : mend_competition(batch, ends, name, err);
    json_decref(ends);
    if (rc == 0)
        rc = write_it(batch, err) || log_mend_losses(batch, err) ? -1 : 0;
    if (rc == 0 && batch->unlogged)
        json_object_del(batch->unlogged, name);
    return rc;
}
