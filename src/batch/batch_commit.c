/* The commit of a batch, and how an uncommitted one is rolled back. */
#include <stdlib.h>

#include "base/file.h"
#include "base/keep.h"
#include "base/log.h"
#include "batch/absent.h"
#include "batch/batch_parts.h"
#include "batch/bounced.h"
#include "batch/competing.h"
#include "batch/groups.h"
#include "batch/mail_log.h"
#include "batch/results.h"
#include "league/registry_marks.h"
#include "batch/stuck.h"

static int stage_all(struct batch *batch, struct err *err)
{
    for (size_t i = 0; i < batch->mails.count; i++)
        if (!batch->mails.list[i]->at_desk && spool_stage(batch->spool, batch->mails.list[i], err))
            return -1;
    return batch_wait_desk(batch, err);
}

/* The row of a game. A game that was looked at and is still due has its turn in the next round, so that all
 * others have theirs in this one. */
static int put_row(struct batch *batch, struct batch_game *game, struct err *err)
{
    bool looked_at = game->looked_at;
    game->looked_at = false;
    if (batch_put_game(batch, &game->game, &game->row, err))
        return -1;
    return looked_at && game->row.due && game->row.due <= batch->now
               ? catalog_pass(batch->catalog, game->game.id, err)
               : 0;
}

static int catalog_all(struct batch *batch, struct err *err)
{
    if (catalog_begin(batch->catalog, err))
        return -1;
    for (size_t i = 0; i < batch->games.count; i++) {
        struct batch_game *game = batch->games.list[i];
        if ((!game->records.len && !game->looked_at) || game->broken)
            continue;
        if (put_row(batch, game, err))
            return -1;
    }
    for (size_t i = 0; i < batch->news.seen_count; i++)
        if (catalog_see(batch->catalog, batch->news.seen[i], batch->now, err))
            return -1;
    for (size_t i = 0; i < batch->news.path_count; i++) {
        const struct batch_path *path = &batch->news.paths[i];
        if (catalog_path(batch->catalog, path->player, path->time, path->digest, err))
            return -1;
    }
    if (stuck_unread(batch, err) || mail_log_commit(batch, err) || bounced_commit(batch, err) ||
        batch_wake(batch, err) || registry_marks_commit(&batch->log, err))
        return -1;
    return catalog_commit(batch->catalog, err);
}

/* What was committed belongs to the journals now. */
static void settle_all(struct batch *batch)
{
    for (size_t i = 0; i < batch->games.count; i++) {
        struct batch_game *game = batch->games.list[i];
        if (!game->records.len || game->broken)
            continue;
        game->ahead = true;
        batch->competitions.look |= game->game.over;
        if (game->game.over && game_shown_to(&game->game, 0)) /* the list of results is public */
            results_note(batch, game->game.id);
        game->end = game_end(&game->game);
        str_clear(&game->records);
        str_clear(&game->entries);
    }
}

/* What has no record has to be in its place before the catalog remembers that it was answered. The desk takes
 * over what it promotes. *bare: there was such a mail. */
static int promote_all(struct batch *batch, bool *bare, struct err *err)
{
    struct batch_mails *mails = &batch->mails;
    size_t kept = 0;
    int rc = 0;
    *bare = false;
    for (size_t i = 0; i < mails->count; i++) {
        struct outgoing *mail = mails->list[i];
        if (rc == 0 && mail->at_desk && mail->of_record) {
            desk_promote(batch->desk, mail);
            continue;
        }
        *bare |= !mail->of_record;
        if (rc == 0)
            rc = spool_promote_mail(batch->spool, mail, err);
        mails->list[kept++] = mail;
    }
    mails->count = kept;
    return rc;
}

/* Up to here nothing has happened, and everything can be rolled back (batch_rewind). */
static int stage(struct batch *batch, bool records, struct err *err)
{
    if ((records || batch->mails.count) && (stage_all(batch, err) || batch_durable(batch, err)))
        return -1;
    return records ? batch_mark(batch, err) : catalog_keep(batch->catalog, err);
}

/* The entries of all records, for the league's log. */
static int append_entries(struct batch *batch, struct err *err)
{
    league_log_drop(batch->tlog);
    for (size_t i = 0; i < batch->games.count; i++)
        if (!batch->games.list[i]->broken)
            league_log_add(batch->tlog, slice_str(&batch->games.list[i]->entries));
    competing_entries(batch);
    if (league_log_add_heads(batch->tlog, slice_str(&batch->log.records), err))
        return -1;
    return league_log_append(batch->tlog, err);
}

static void unappend_entries(struct batch *batch)
{
    struct err why = ERR_INIT;
    if (league_log_unappend(batch->tlog, &why) == 0)
        return;
    log_error("%s", why.text);
    batch->torn = true;
}

/* All that is to count together. After an error nothing of it is there, unless `torn` is set. */
static int append(struct batch *batch, struct err *err)
{
    if (batch_append(batch, err))
        return -1;
    if (competing_append(batch, err)) {
        batch_unappend(batch);
        return -1;
    }
    if (append_entries(batch, err) || registry_log_append(&batch->log, err)) {
        unappend_entries(batch);
        competing_unappend(batch);
        batch_unappend(batch);
        return -1;
    }
    batch->torn = batch_durable(batch, err) != 0; /* this is the commit */
    return batch->torn ? -1 : 0;
}

/* What follows from what is committed. A start would remove a mail without a record if it found it staged, and
 * the mail that it answers is about to be moved away: so it must be durable that it is in its place. */
static int follow(struct batch *batch, struct err *err)
{
    bool bare;
    if (league_log_settle(batch->tlog, err) || promote_all(batch, &bare, err) || catalog_all(batch, err))
        return -1;
    settle_all(batch);
    competing_settle(batch);
    if (registry_log_settle(&batch->log, err))
        return -1;
    return bare ? batch_durable(batch, err) : keep_sync(err);
}

int batch_commit(struct batch *batch, struct err *err)
{
    bool records = batch->log.records.len > 0 || competing_records(batch);
    for (size_t i = 0; i < batch->games.count; i++)
        records |= batch->games.list[i]->records.len > 0;
    if (stage(batch, records, err))
        return -1;
    if (records && append(batch, err))
        return -1;
    batch->torn = follow(batch, err) != 0;
    return batch->torn ? -1 : 0;
}

/* ---- rolling back ---- */

int batch_begin(struct batch *batch, struct err *err)
{
    if (batch->torn)
        return err_set(err, ERR_TEMP, "the last commit was left half done; the next start mends it");
    batch->before = batch->done;
    groups_clear(batch);
    return catalog_begin(batch->catalog, err);
}

/* Players and keys as they are on the disk. */
static int read_again(struct batch *batch, struct err *err)
{
    registry_log_close(&batch->log);
    registry_release(&batch->registry);
    keyring_release(&batch->keyring);
    return batch_people(batch, err) || registry_marks_open(&batch->log, batch->catalog, batch->now, err) ||
                   absent_read(batch, err)
               ? -1
               : 0;
}

int batch_rewind(struct batch *batch, struct err *err)
{
    struct err ignored = ERR_INIT; /* this error, or one like it, is why all this is rolled back */
    int rc = 0;
    if (batch_wait_desk(batch, &ignored))
        log_debug("%s", ignored.text);
    for (size_t i = 0; rc == 0 && i < batch->mails.count; i++)
        rc = spool_unstage(batch->spool, batch->mails.list[i], err);
    batch_reset(batch, false);
    league_log_drop(batch->tlog);
    drawn_board_release(&batch->mails.drawn);
    batch->woken.count = 0;
    batch->done = batch->before;
    if (rc == 0)
        rc = catalog_rollback(batch->catalog, err);
    if (rc == 0)
        rc = read_again(batch, err);
    if (rc == 0)
        rc = stuck_read(batch, err);
    batch->torn |= rc != 0;
    return rc;
}
