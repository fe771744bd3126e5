/* Opening a batch: catalog, spool and games as the last worker left them. */
#include "batch/batch_parts.h"
#include "batch/log_mend.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/absent.h"
#include "batch/at_hand.h"
#include "batch/competing.h"
#include "batch/missing.h"
#include "batch/pieces.h"
#include "picture/pictures.h"
#include "league/own_secrets.h"
#include "league/registry_marks.h"
#include "batch/rounds.h"
#include "batch/stuck.h"
#include "game/game_load.h"
#include "journal/catalog_changes.h"

#define MAILS_MOST ((size_t)30 << 20) /* bytes */

/* Games that a crash left between two records of one step. */
struct unfinished {
    struct batch *batch;
    char **names;
    size_t count, cap;
};

static int finish_one(void *arg, size_t i, struct err *err)
{
    const struct unfinished *games = arg;
    struct batch_game *entry;
    hand_game(games->batch->league->hands, games->names[i]);
    return batch_game(games->batch, games->names[i], &entry, err);
}

static int not_finished(void *arg, size_t i, const struct err *why, struct err *err)
{
    const struct unfinished *games = arg;
    games->batch->broken++;
    return stuck_game(games->batch, games->names[i], why, err);
}

static int finish_all(struct unfinished *games, int rc, struct err *err)
{
    const struct pieces pieces = {finish_one, NULL, not_finished, games};
    if (rc == 0 && games->count)
        rc = pieces_work(games->batch, &pieces, games->count, err);
    for (size_t i = 0; i < games->count; i++)
        free(games->names[i]);
    free(games->names);
    return rc;
}

/* It is unknown when the last round was: the service worked until the latest record of all, and what comes
 * after it is an outage. All games are looked at in that light. */
static int date_round(struct batch *batch, int64_t latest, struct err *err)
{
    const struct catalog_clock clock = {.done = latest > batch->log.time ? latest : batch->log.time};
    if (!clock.done)
        return 0;
    return catalog_set_clock(batch->catalog, &clock, err) || catalog_wake(batch->catalog, NULL, err) ? -1 : 0;
}

static int fill_catalog(struct batch *batch, bool dated, struct err *err)
{
    struct file_names names;
    struct unfinished unfinished = {.batch = batch};
    size_t unread = 0;
    int64_t latest = 0;
    struct log_mend mend;
    if (store_games(batch->store, &names, err))
        return -1;
    int rc = log_mend_begin(batch, &mend, err) || catalog_begin(batch->catalog, err) ? -1 : 0;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct game game;
        struct err why = ERR_INIT;
        log_progress("reading games: %zu of %zu", i + 1, names.count);
        hand_game(batch->league->hands, names.name[i]);
        if (stuck_is_deadly(batch, names.name[i])) {
            log_mend_unread(batch, &mend, names.name[i]);
            unread++;
            continue;
        }
        bool cleared;
        rc = roster_clear(batch->league->dir, ROSTER_GAME, names.name[i], &cleared, err);
        if (rc || cleared)
            continue;
        if (game_mend(batch->store, names.name[i], batch->league->master, &game, &why)) {
            if (why.code != ERR_MISSING) {
                batch_unread(batch, names.name[i], &why);
                log_mend_unread(batch, &mend, names.name[i]);
                unread++;
            } else if (!roster_gone(batch->league->dir, ROSTER_GAME, names.name[i])) {
                log_warn("games/%s is no game: it holds no journal.jsonl; take it away", names.name[i]);
            }
            continue;
        }
        if (log_mend_game(batch, &mend, &game, &why))
            batch_unread(batch, game.id, &why);
        rc = batch_put_game(batch, &game, NULL, err) || stuck_game_mended(batch, names.name[i], err) ? -1 : 0;
        latest = game.time > latest ? game.time : latest;
        if (step_unfinished(&game)) {
            unfinished.names = mem_grow(unfinished.names, unfinished.count, &unfinished.cap, sizeof(char *));
            unfinished.names[unfinished.count++] = mem_strdup(names.name[i]);
        }
        game_release(&game);
    }
    log_progress_end();
    hand_empty(batch->league->hands);
    rc = log_mend_end(batch, &mend, rc, err);
    if (rc == 0 && json_object_size(batch->losses))
        rc = catalog_wake(batch->catalog, NULL, err); /* they say so now */
    if (rc == 0 && !dated)
        rc = date_round(batch, latest, err);
    if (rc == 0)
        rc = stuck_unread(batch, err);
    if (rc == 0)
        rc = catalog_commit(batch->catalog, err);
    rc = finish_all(&unfinished, rc, err);
    batch_reset(batch, false);
    /* They are missing in the catalog, and so are their deadlines: the mark makes the next run look again. */
    if (rc == 0 && (unread || mend.gone))
        rc = catalog_working(batch->catalog, true, err);
    batch->mark.stays = unread > 0 || mend.gone;
    batch->broken += unread;
    file_names_free(&names);
    return rc;
}

static enum spool_record game_record(struct batch *batch, const struct mail_id *about)
{
    struct err err = ERR_INIT;
    struct game game;
    if (stuck_is_deadly(batch, about->name))
        return SPOOL_UNKNOWN;
    hand_game(batch->league->hands, about->name);
    int rc = game_mend(batch->store, about->name, batch->league->master, &game, &err);
    hand_empty(batch->league->hands);
    if (rc)
        return err.code == ERR_MISSING ? SPOOL_MISSING : SPOOL_UNKNOWN;
    bool committed = game.seq >= about->seq;
    game_release(&game);
    return committed ? SPOOL_COMMITTED : SPOOL_MISSING;
}

/* A mail in spool/tmp may be sent only if its record is in the journal. */
static enum spool_record spool_record_of(const char *id, void *arg)
{
    struct batch *batch = arg;
    struct mail_id about;
    if (!mail_id_is(&about, id, MAIL_ID_RECORD))
        return SPOOL_MISSING;
    if (strcmp(about.name, REGISTRY_GAME) == 0)
        return batch->log.seq >= about.seq ? SPOOL_COMMITTED : SPOOL_MISSING;
    enum spool_record record = competing_has(batch, about.name)
                                   ? competing_committed(batch, about.name, about.seq)
                                   : game_record(batch, &about);
    if (record == SPOOL_UNKNOWN) {
        if (!batch->undecided)
            batch->undecided = json_object();
        json_object_set_new(batch->undecided, about.name, json_true());
    }
    return record;
}

/* Is there a game that the catalog does not have? Unreadable ones are not in it either; a folder without a
 * journal may become a game. */
static int search_games(struct batch *batch, bool *lacks, bool *whole, struct err *err)
{
    struct file_names names;
    struct catalog_game row;
    int rc = store_games(batch->store, &names, err);
    if (rc)
        return -1;
    *lacks = false;
    *whole = true;
    for (size_t i = 0; rc == 0 && !*lacks && i < names.count; i++) {
        bool found;
        rc = catalog_get_game(batch->catalog, names.name[i], &row, &found, err);
        *whole &= found;
        *lacks = rc == 0 && !found && store_has(batch->store, names.name[i]);
    }
    file_names_free(&names);
    return rc;
}

/* An idle run costs the same for any number of games: they are listed only when one has come or gone. */
static int lacks_game(struct batch *batch, bool *lacks, struct err *err)
{
    int64_t now, seen;
    bool whole;
    *lacks = false;
    if (store_stamp(batch->store, &now, err) || catalog_stamp(batch->catalog, &seen, err))
        return -1;
    if (now == seen)
        return 0;
    batch->missing.look = true;
    if (search_games(batch, lacks, &whole, err))
        return -1;
    batch->missing.stamp = whole ? now : 0;
    return 0;
}

/* An older catalog that was put back knows neither the last rounds, nor games that were made since. */
static int is_older(struct batch *batch, bool *older, struct err *err)
{
    struct catalog_clock clock;
    int64_t done;
    if (rounds_last(batch->league->dir, &done, err) || catalog_clock(batch->catalog, &clock, err))
        return -1;
    *older = clock.done && done > clock.done;
    if (!*older && lacks_game(batch, older, err))
        return -1;
    if (*older)
        log_warn(
            "catalog.sqlite is older than the journals, or lacks games that are there: it is filled from "
            "them again");
    return 0;
}

/* What the catalog knows of the earlier rounds or, when it is new, what registry/rounds knows. */
static int open_catalog(struct batch *batch, bool fresh, struct err *err)
{
    struct catalog_clock clock;
    struct catalog_marks marks;
    bool dated = true, older = false;
    if (catalog_was_working(batch->catalog, &batch->mark.set, err) ||
        catalog_marks(batch->catalog, &marks, err) ||
        (!fresh && !batch->mark.set && is_older(batch, &older, err)))
        return -1;
    if ((fresh || older) && (catalog_begin(batch->catalog, err) ||
                             rounds_restore(batch->catalog, batch->league->dir, &dated, err) ||
                             catalog_keep(batch->catalog, err)))
        return -1;
    /* Found marked: the last worker died between a journal and the catalog. */
    if (batch_look(batch, batch->now, &clock, err))
        return -1;
    batch->missing.look |= fresh || batch->mark.set || older;
    /* A registry that ends before what the catalog knows of it has lost records: the log says so before others have their numbers.
     * Where nothing is wrong, power may still have failed after a commit, before its checkpoint lasted. */
    if (!fresh && !batch->mark.set && !older && batch->log.seq >= marks.seq) {
        struct proof_place place = {.name = REGISTRY_GAME, .seq = batch->log.seq, .time = batch->log.time};
        return league_log_settle(batch->tlog, err) ||
                       league_log_agrees(batch->tlog, &place, batch->log.head, err) ||
                       log_mend_losses(batch, err)
                   ? -1
                   : 0;
    }
    return fill_catalog(batch, dated, err) || batch_look(batch, batch->now, &clock, err) ? -1 : 0;
}

/* Found marked, or gone: the last worker may have died between a journal and its sync. What it wrote can be read but may
 * not be on the disk yet, and until it is nothing may follow from it: a power cut would take back what a mail says. */
static int settle_crash(struct batch *batch, bool fresh, struct err *err)
{
    bool working = false;
    if (catalog_was_working(batch->catalog, &working, err))
        return -1;
    return fresh || working ? batch_durable(batch, err) : 0;
}

/* The folder of pictures, where mails have some. */
static int make_pictures(const struct league *league, struct err *err)
{
    char *dir = league_path(league, PICTURES_FOLDER);
    int rc = !league->config.outgoing.pictures || file_exists(dir) ? 0 : file_mkdirs(dir, 0700, err);
    free(dir);
    return rc;
}

/* Where other hosts need what is in no journal. */
static int share_catalog(struct batch *batch, struct err *err)
{
    return batch->league->cluster ? catalog_share(batch->catalog, batch->league->dir, err) : 0;
}

int batch_open(struct batch *batch, struct league *league, int64_t now, struct err *err)
{
    int rc = -1;
    bool fresh = false;
    memset(batch, 0, sizeof *batch);
    batch->league = league;
    batch->now = now;
    batch->mails.most = MAILS_MOST;
    batch->outside = (struct outside){.players = &batch->registry,
                                      .keys = &batch->keyring,
                                      .config = &league->config,
                                      .zones = &batch->zones};
    batch->spool = league_path(league, "spool");
    char *games = league_path(league, "games");
    char *catalog = league_path(league, "catalog.sqlite");
    char *templates = league_path(league, "templates");
    templates_open(templates, &batch->templates);
    batch->store = league_games(league);
    if (make_pictures(league, err) || file_mkdirs(games, 0700, err) ||
        competing_open(batch, league->dir, err) || spool_init(batch->spool, err) ||
        league_log_open(&batch->tlog, league, err) || catalog_open(catalog, &batch->catalog, &fresh, err) ||
        share_catalog(batch, err) || settle_crash(batch, fresh, err) || batch_people(batch, err) ||
        own_secrets_check(league, &batch->missing.secrets, err) || stuck_suspects(batch, err) ||
        spool_recover(batch->spool, spool_record_of, batch, err))
        goto out;
    if (open_catalog(batch, fresh, err) || registry_marks_open(&batch->log, batch->catalog, now, err) ||
        absent_open(batch, err) || missing_open(batch, err))
        goto out;
    rc = 0;
out:
    free(games);
    free(catalog);
    free(templates);
    if (rc)
        batch_close(batch);
    return rc;
}
