#include "batch/results.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/batch_parts.h"
#include "batch/competing.h"
#include "batch/stuck.h"
#include "compete/played.h"
#include "league/league_log.h"
#include "league/roster.h"

#define A_COMMIT 50

void results_note(struct batch *batch, const char *game)
{
    struct batch_results *all = &batch->results;
    if (batch->league->config.league.ratings == RATINGS_NO)
        return;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->ended[i].id, game) == 0)
            return;
    all->ended = mem_grow(all->ended, all->count, &all->cap, sizeof *all->ended);
    all->ended[all->count].time = batch->now;
    memcpy(all->ended[all->count++].id, game, strlen(game) + 1);
}

void results_forget(struct batch *batch)
{
    free(batch->results.ended);
    memset(&batch->results, 0, sizeof batch->results);
}

int results_load(struct store *competitions, const struct results_reading *how, struct results *results,
                 struct err *err)
{
    struct str lines = STR_INIT;
    results_init(results);
    if (!store_has(competitions, RESULTS_NAME))
        return err_set(err, ERR_MISSING, "this league keeps no ratings");
    int rc = store_read(competitions, RESULTS_NAME, STORE_BEGIN, &lines, err);
    if (rc == 0)
        rc = results_read(results, slice_str(&lines), how, err);
    str_release(&lines);
    return rc;
}

/* ---- the end of the journal ---- */

struct tail {
    struct results_terms terms;
    struct str lines; /* all of it */
    int64_t seq, time;
    unsigned char head[HEAD_BYTES];
    struct store_pos kept; /* how much of it the store has */
};

static void tail_release(struct tail *tail)
{
    results_terms_release(&tail->terms);
    str_release(&tail->lines);
}

static int append(struct tail *tail, const char *type, int64_t time, json_t *fields, struct err *err)
{
    struct record record;
    if (time < tail->time)
        time = tail->time;
    const struct record_text text = {{RESULTS_NAME, tail->seq + 1, tail->head}, type, time, fields};
    if (record_make(&tail->lines, &text, &record, err))
        return -1;
    tail->seq = record.seq;
    tail->time = record.time;
    memcpy(tail->head, record.head, HEAD_BYTES);
    record_release(&record);
    return 0;
}

static int begin(struct batch *batch, struct tail *tail, struct err *err)
{
    memcpy(tail->terms.league_key, batch->league->key.point, sizeof tail->terms.league_key);
    tail->terms.by_mail = batch->league->config.league.ratings == RATINGS_MAIL;
    tail->terms.provisional = LADDER_PROVISIONAL;
    if (results_anchors(&tail->terms, batch->league->config.league.anchors, err))
        return err_prefix(err, "league.ini: [league] anchors");
    return append(tail, "create", batch->now, results_create_json(&tail->terms), err);
}

/* Its first line has the terms, the last one is what the next record follows. */
static int read_ends(struct batch *batch, struct tail *tail, struct err *err)
{
    struct slice all = slice_str(&tail->lines);
    const char *first = memchr(all.p, '\n', all.len);
    size_t from = all.len ? all.len - 1 : 0;
    struct record record;
    if (!first)
        return err_set(err, ERR_BROKEN, "there is no record");
    while (from && all.p[from - 1] != '\n')
        from--;
    struct slice last = slice_sub(all, from, all.len);
    if (record_parse(slice_sub(all, 0, (size_t)(first - all.p) + 1), &record, err))
        return -1;
    int rc = results_terms_read(&tail->terms, &record, err);
    record_release(&record);
    if (rc == 0 && memcmp(tail->terms.league_key, batch->league->key.point, 32) != 0)
        rc = err_set(err, ERR_BROKEN, "they were begun with another league key");
    if (rc || record_parse(last, &record, err))
        return -1;
    struct proof_place place = {.seq = record.seq, .time = record.time};
    memcpy(place.name, RESULTS_NAME, sizeof RESULTS_NAME);
    rc = league_log_agrees(batch->tlog, &place, record.head, err);
    tail->seq = record.seq;
    tail->time = record.time;
    memcpy(tail->head, record.head, HEAD_BYTES);
    record_release(&record);
    return rc;
}

static int tail_read(struct batch *batch, struct tail *tail, struct err *err)
{
    int rc = store_has(batch->competitions.store, RESULTS_NAME)
                 ? store_read_mending(batch->competitions.store, RESULTS_NAME, STORE_BEGIN, &tail->lines, err)
                 : 0;
    if (rc)
        return -1;
    tail->kept = store_after(STORE_BEGIN, slice_str(&tail->lines));
    return tail->lines.len ? read_ends(batch, tail, err) : begin(batch, tail, err);
}

/* The commit. */
static int keep(struct batch *batch, struct tail *tail, struct err *err)
{
    struct store *store = batch->competitions.store;
    struct store_append part = {
        .game = RESULTS_NAME,
        .after = tail->kept,
        .records = slice_sub(slice_str(&tail->lines), (size_t)tail->kept.hint, tail->lines.len)};
    if (!part.records.len)
        return 0;
    if (batch_mark(batch, err) || store_append(store, &part, err))
        return -1;
    batch->torn = league_log_add_heads(batch->tlog, part.records, err) ||
                  league_log_append(batch->tlog, err) || batch_durable(batch, err) ||
                  league_log_settle(batch->tlog, err);
    if (batch->torn)
        return -1;
    batch->missing.look |= !tail->kept.seq;
    tail->kept = store_after(tail->kept, part.records);
    return 0;
}

/* ---- which games are lacking ---- */

/* state.json of the results, a cache: with this many ended games in the catalog the journal was complete when it ended
 * there. */
static bool is_complete(struct batch *batch, size_t over)
{
    struct store *store = batch->competitions.store;
    struct str state = STR_INIT;
    struct err why = ERR_INIT; /* then all are looked at */
    json_t *json = NULL;
    bool complete = false;
    if (store_has(store, RESULTS_NAME) && store_read_state(store, RESULTS_NAME, &state, &why) == 0 &&
        (json = json_read(slice_str(&state), "state.json", &why)) != NULL) {
        const struct store_pos end = {json_integer_value(json_object_get(json, "seq")),
                                      json_integer_value(json_object_get(json, "length"))};
        complete = json_integer_value(json_object_get(json, "games")) == (json_int_t)over && end.seq > 0 &&
                   store_ends(store, RESULTS_NAME, end);
    }
    json_decref(json);
    str_release(&state);
    return complete;
}

static int keep_complete(struct batch *batch, const struct tail *tail, struct err *err)
{
    size_t running = 0, over = 0;
    char text[120];
    if (catalog_count_games(batch->catalog, &running, &over, err))
        return -1;
    (void)snprintf(text, sizeof text, "{\"games\":%zu,\"length\":%lld,\"seq\":%lld}\n", over,
                   (long long)tail->kept.hint, (long long)tail->kept.seq);
    if (stuck_game_mended(batch, RESULTS_NAME, err))
        return -1;
    return store_write_state(batch->competitions.store, RESULTS_NAME, slice_of(text), err);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The names of all games that have a result, sorted. */
struct names {
    char (*list)[GAME_NAME];
    size_t count, cap;
    struct batch_results *lacking;
};

static void take_names(struct names *names, struct slice lines)
{
    static const char of[] = "\"of\":\"";
    struct slice line;
    while (slice_find_line(&lines, of, &line)) {
        struct slice rest = slice_sub(line, slice_find(line, of) + strlen(of), line.len);
        size_t len = slice_find(rest, "\"");
        if (len >= GAME_NAME)
            continue;
        names->list = mem_grow(names->list, names->count, &names->cap, sizeof *names->list);
        memcpy(names->list[names->count], rest.p, len);
        names->list[names->count++][len] = '\0';
    }
    if (names->count)
        qsort(names->list, names->count, sizeof *names->list, by_name);
}

static int look_at(void *arg, const struct catalog_game *row, struct err *err)
{
    struct names *names = arg;
    struct batch_results *all = names->lacking;
    (void)err;
    if (!row->over ||
        (names->count && bsearch(row->id, names->list, names->count, sizeof *names->list, by_name)))
        return 0;
    all->ended = mem_grow(all->ended, all->count, &all->cap, sizeof *all->ended);
    all->ended[all->count].time = row->ended;
    memcpy(all->ended[all->count++].id, row->id, strlen(row->id) + 1);
    return 0;
}

/* One scan, at a start at which something is lacking. */
static int look_at_all(struct batch *batch, const struct tail *tail, struct err *err)
{
    struct names names = {.lacking = &batch->results};
    batch->results.count = 0;
    take_names(&names, slice_str(&tail->lines));
    int rc = catalog_each_game(batch->catalog, &(struct catalog_filter){NULL, false}, look_at, &names, err);
    free(names.list);
    return rc;
}

static int by_end(const void *a, const void *b)
{
    const struct batch_ended *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return strcmp(x->id, y->id);
}

/* ---- results ---- */

/* Is the competition that drew the game rated? One that cannot be read is waited for. */
static int ask_competition(struct batch *batch, const struct played *played, bool *rated, struct err *err)
{
    struct batch_competition *entry;
    *rated = false;
    if (!*played->competition || !competing_has(batch, played->competition))
        return 0;
    if (competing_find(batch, played->competition, &entry, err))
        return -1;
    *rated = entry->c.terms.rated;
    return 0;
}

static int add_one(struct batch *batch, struct tail *tail, const char *name, struct err *err)
{
    struct str journal = STR_INIT;
    struct played played;
    bool rated;
    int rc = store_read(batch->store, name, STORE_BEGIN, &journal, err);
    if (rc == 0)
        rc = played_read(&played, name, slice_str(&journal), batch->league->key.point, err);
    str_release(&journal);
    if (rc || record_lines_hold(slice_str(&tail->lines), "create", played.game.create))
        return rc;
    if (ask_competition(batch, &played, &rated, err))
        return -1;
    played_rate(&played, &tail->terms, rated);
    return append(tail, "result", played.game.ended > batch->now ? played.game.ended : batch->now,
                  results_game_json(&played.game), err);
}

/* A game that cannot be read is left out, and tried again at the next start. */
static int add_all(struct batch *batch, struct tail *tail, bool *whole, struct err *err)
{
    struct batch_results *all = &batch->results;
    size_t done = all->count < RESULTS_A_CALL ? all->count : RESULTS_A_CALL;
    int rc = 0;
    if (all->count)
        qsort(all->ended, all->count, sizeof *all->ended, by_end);
    for (size_t i = 0; rc == 0 && i < done; i++) {
        struct err why = ERR_INIT;
        if (add_one(batch, tail, all->ended[i].id, &why)) {
            log_warn("%s; it has no result for the ratings", why.text);
            *whole = false;
        }
        if ((i + 1) % A_COMMIT == 0)
            rc = keep(batch, tail, err);
    }
    if (rc == 0)
        rc = keep(batch, tail, err);
    if (done)
        memmove(all->ended, all->ended + done, (all->count - done) * sizeof *all->ended);
    all->count -= done;
    return rc;
}

/* Nothing else depends on them, so what is wrong with the journal stops nothing else. */
static int stop_here(struct batch *batch, const struct err *why, struct err *err)
{
    log_error("results: %s; no ratings are kept until that is mended, all else goes on", why->text);
    batch->broken++;
    batch->results.stopped = true;
    return stuck_note(batch, RESULTS_NAME, why, err);
}

int results_work(struct batch *batch, struct err *err)
{
    struct batch_results *all = &batch->results;
    struct tail tail = {.lines = STR_INIT};
    struct err why = ERR_INIT;
    size_t running = 0, over = 0;
    bool whole = true;
    if (batch->league->config.league.ratings == RATINGS_NO || all->stopped || (all->looked && !all->count))
        return 0;
    if (roster_gone(batch->league->dir, ROSTER_COMPETITION,
                    RESULTS_NAME)) { /* as the operator has been told */
        all->stopped = true;
        return 0;
    }
    if (!all->looked && catalog_count_games(batch->catalog, &running, &over, err))
        return -1;
    bool scans = !all->looked && !is_complete(batch, over);
    all->looked = true;
    if (!scans && !all->count)
        return 0;
    int rc = tail_read(batch, &tail, &why);
    if (rc == 0 && scans &&
        tail.kept.seq) /* a worker that died may have left records that are not on the disk yet */
        rc = store_sync(batch->competitions.store, &why);
    if (rc)
        rc = stop_here(batch, &why, err);
    else if (scans)
        rc = look_at_all(batch, &tail, err);
    if (rc == 0 && !all->stopped)
        rc = add_all(batch, &tail, &whole, err);
    if (rc == 0 && !all->stopped && whole && !all->count)
        rc = keep_complete(batch, &tail, err);
    tail_release(&tail);
    return rc;
}
