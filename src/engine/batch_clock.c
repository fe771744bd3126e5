/* The clock over all games: which are due, whether the service stood still meanwhile, and whether the clock
 * of the host can be right. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/encode.h"
#include "base/log.h"
#include "base/mem.h"
#include "engine/at_hand.h"
#include "engine/batch_parts.h"
#include "engine/pieces.h"
#include "engine/registry_marks.h"
#include "engine/rekey.h"
#include "engine/stuck.h"

#define FAR_BEHIND  DAY_SECONDS
#define USUAL_LEAST 3600

/* ---- rows ---- */

void batch_row(struct batch *batch, const struct game *game, struct catalog_game *row)
{
    batch_catalog_row(game, row);
    row->due = game_due(game, &batch->outside);
    /* To be looked at again when the clock has had time to prove itself. */
    if (row->due > batch->now + FAR_BEHIND && game_misdated(game, &batch->outside, batch->now))
        row->due = batch->now + FAR_BEHIND;
}

void batch_player_changes(struct batch *batch, const struct player *player)
{
    const struct player *old = registry_find(&batch->registry, player->name);
    if (!old || !player_clock_differs(old, player))
        return;
    batch->woken = mem_grow(batch->woken, batch->woken_count, &batch->woken_cap, sizeof *batch->woken);
    memcpy(batch->woken[batch->woken_count++], player->name, PLAYER_NAME);
}

int batch_wake(struct batch *batch, struct err *err)
{
    for (size_t i = 0; i < batch->woken_count; i++)
        if (catalog_wake(batch->catalog, batch->woken[i], err))
            return -1;
    batch->woken_count = 0;
    return 0;
}

void batch_check_zone(struct batch *batch, const struct game *game)
{
    struct err err = ERR_INIT;
    if (!zones_find(&batch->zones, game->clock.zone, &err) && err.code)
        log_error("game %s: %s; its hours are taken as UTC", game->id, err.text);
}

/* ---- moderators ---- */

/* The id of a mail about `what`: the same when it is made again after a crash. */
static void mail_id(char *id, size_t size, const char *what, int number)
{
    unsigned char digest[32];
    char hex[17];
    crypto_generichash(digest, sizeof digest, (const unsigned char *)what, strlen(what), NULL, 0);
    hex_to(hex, digest, 8);
    (void)snprintf(id, size, "mail.%s.%d", hex, number);
}

/* A mail to each of them, outside of any record; `facts` is borrowed. */
static int tell_moderators(struct batch *batch, const char *kind, const char *what, json_t *facts,
                           struct err *err)
{
    struct letters letters = batch_letters(batch);
    struct slice rest = slice_of(batch->league->config.moderators);
    struct slice word;
    int rc = 0;
    for (int number = 0; rc == 0 && slice_word(&rest, &word); number++) {
        struct spool_mail mail;
        char id[64];
        char *name = slice_dup(word);
        const struct player *player = registry_find(&batch->registry, name);
        free(name);
        if (!player)
            continue;
        mail_id(id, sizeof id, what, number);
        rc = letters_answer(&letters, kind, "", facts, player->address, player->name, id, 0, batch->now, NULL,
                            &mail, err);
        if (rc == 0)
            batch_mail_add(batch, &mail);
    }
    return rc;
}

/* ---- games ---- */

static int clock_game(struct batch *batch, const char *id, struct err *err)
{
    struct batch_game *entry = NULL;
    struct step step;
    struct err why = ERR_INIT;
    if (batch_game(batch, id, &entry, &why)) /* what cannot be read has been told already */
        return !entry || entry->broken ? catalog_defer(batch->catalog, id, batch->now + STUCK_GAME_PAUSE, err)
                                       : err_pass(err, &why);
    struct step_keys keys = batch_keys(batch);
    step_init(&step, &keys, batch->now);
    int rc = step_clock(&step, &entry->game, err);
    if (rc == 0)
        rc = batch_take(batch, entry, &step, NULL, err);
    step_release(&step);
    int64_t due = game_due(&entry->game, &batch->outside);
    entry->looked_at = true;
    batch->settled += due == 0 || due > batch->now;
    return rc ? rc : stuck_game_mended(batch, id, err);
}

struct clockwork {
    struct batch *batch;
    char **names;
};

static int clock_piece(void *arg, size_t i, struct err *err)
{
    struct clockwork *work = arg;
    hand_game(work->batch->league->hands, work->names[i]);
    return clock_game(work->batch, work->names[i], err);
}

static int tell_stuck(struct batch *batch, const char *game, struct err *err)
{
    struct str what = STR_INIT;
    json_t *facts = json_pack("{s:s}", "game", game);
    str_addf(&what, "stuck %s %lld", game, (long long)batch->now);
    int rc = batch_begin(batch, err);
    if (rc == 0)
        rc = tell_moderators(batch, "stuck", what.p, facts, err);
    if (rc == 0)
        rc = batch_commit(batch, err);
    batch_reset(batch, rc == 0);
    json_decref(facts);
    str_release(&what);
    return rc;
}

static int clock_fault(void *arg, size_t i, const struct err *why, struct err *err)
{
    struct clockwork *work = arg;
    struct batch *batch = work->batch;
    struct err untold = ERR_INIT;
    bool first = false;
    batch->broken++;
    if (stuck_game(batch, work->names[i], why, &first, err))
        return -1;
    batch->settled++; /* it is not due now */
    if (first && tell_stuck(batch, work->names[i], &untold)) {
        log_error("the moderators could not be told of it: %s", untold.text);
        return batch->torn ? err_pass(err, &untold) : batch_rewind(batch, err);
    }
    return 0;
}

/* Keys whose time has come, a player a piece. */
static int key_piece(void *arg, size_t i, struct err *err)
{
    struct clockwork *work = arg;
    return rekey_come(work->batch, work->names[i], err);
}

static int key_fault(void *arg, size_t i, const struct err *why, struct err *err)
{
    (void)err;
    struct clockwork *work = arg;
    work->batch->broken++;
    log_error("the lost key of %s could not be replaced: %s", work->names[i], why->text);
    return 0;
}

static int clock_keys(struct batch *batch, struct err *err)
{
    struct clockwork work = {batch, NULL};
    size_t count = rekey_due(&batch->registry, batch->now, &work.names);
    const struct pieces pieces = {key_piece, NULL, key_fault, &work};
    int rc = count ? pieces_work(batch, &pieces, count, err) : 0;
    for (size_t i = 0; i < count; i++)
        free(work.names[i]);
    free(work.names);
    return rc;
}

int batch_clock(struct batch *batch, size_t limit, bool *more, struct err *err)
{
    struct clockwork work = {batch, NULL};
    size_t count = 0, settled = batch->settled;
    int rc = clock_keys(batch, err);
    if (rc == 0)
        rc = catalog_due(batch->catalog, batch->now, limit, &work.names, &count, err);
    const struct pieces pieces = {clock_piece, NULL, clock_fault, &work};
    if (rc == 0)
        rc = pieces_work(batch, &pieces, count, err);
    for (size_t i = 0; i < count; i++)
        free(work.names[i]);
    free(work.names);
    /* Those that stay due (they cannot be read, or wait for the mailbox) must not keep the round going. */
    *more = count == limit && batch->settled > settled;
    return rc;
}

/* ---- rounds ---- */

static int tell_behind(struct batch *batch, const struct catalog_clock *clock, struct err *err)
{
    struct str before = STR_INIT, now = STR_INIT;
    char what[64];
    clock_both(&before, clock->done);
    clock_both(&now, batch->now);
    (void)snprintf(what, sizeof what, "clock %lld %lld", (long long)clock->done, (long long)clock->behind);
    json_t *facts = json_pack("{s:s,s:s}", "done", before.p, "now", now.p);
    int rc = tell_moderators(batch, "clock", what, facts, err);
    json_decref(facts);
    str_release(&before);
    str_release(&now);
    return rc;
}

/* The clock has been put back far behind what was done already. */
static int say_behind(struct batch *batch, struct catalog_clock *clock, struct err *err)
{
    char before[CLOCK_TEXT], now[CLOCK_TEXT];
    clock_utc(before, clock->done);
    clock_utc(now, batch->now);
    log_warn("the clock says %s, but work was done at %s already: if it is wrong now, put it right; "
             "deadlines that were set by the later time are set anew when the clock has been like this for a "
             "day",
             now, before);
    if (tell_behind(batch, clock, err) || batch_commit(batch, err))
        return -1;
    batch_reset(batch, true);
    clock->behind = batch->now;
    return catalog_set_clock(batch->catalog, clock, err);
}

int batch_round(struct batch *batch, int64_t now, struct err *err)
{
    int64_t outage = batch->league->config.outage;
    struct catalog_clock clock;
    batch->now = now;
    batch->outside.down_from = 0;
    batch->outside.believed = 0;
    batch->outside.deaf = batch->outside.reset = false;
    if (catalog_clock(batch->catalog, &clock, err) || registry_marks_check(&batch->log, now, err) ||
        stuck_read(batch, err))
        return -1;
    if (clock.done && now < clock.done - FAR_BEHIND) {
        batch->outside.reset = clock.behind && now >= clock.behind + FAR_BEHIND;
        if (batch->outside.reset)
            return catalog_wake(batch->catalog, NULL, err);
        batch->outside.believed = clock.done;
        return !clock.behind || now < clock.behind ? say_behind(batch, &clock, err) : 0;
    }
    if (clock.done && outage && now - clock.done > outage && now - clock.done > 2 * clock.usual)
        batch->outside.down_from = clock.done;
    return 0;
}

/* An operator may well do a round a day. What is usual follows the pauses, upwards in steps, so that one long
 * outage does not hide the next, and a league whose rounds are far apart is not taken for one that stands
 * still for ever. */
static int64_t usual_after(int64_t usual, int64_t pause)
{
    int64_t most = 4 * (usual > USUAL_LEAST ? usual : USUAL_LEAST);
    return pause < 0 ? usual : pause < most ? pause : most;
}

int batch_round_done(struct batch *batch, struct err *err)
{
    struct catalog_clock clock;
    if (catalog_clock(batch->catalog, &clock, err) || stuck_read(batch, err))
        return -1;
    if (clock.done && batch->now < clock.done - FAR_BEHIND && !batch->outside.reset)
        return 0; /* not before the clock has been like this for a day */
    if (batch->outside.down_from) {
        char text[CLOCK_TEXT];
        clock_utc(text, batch->outside.down_from);
        log_warn("no round of work was completed since %s; turns that were due meanwhile got more time",
                 text);
    }
    batch->outside.down_from = 0;
    batch->outside.reset = false;
    if (batch->league->hands)
        batch->league->hands->careful = false; /* all was worked on */
    if (clock.done == batch->now && !clock.behind)
        return 0;
    clock.usual = clock.done ? usual_after(clock.usual, batch->now - clock.done) : 0;
    clock.done = batch->now;
    clock.behind = 0;
    return catalog_set_clock(batch->catalog, &clock, err);
}
