/* The clock over all games: which are due, and what fails. */

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "batch/at_hand.h"
#include "batch/batch_parts.h"
#include "batch/follow_keys.h"
#include "batch/pieces.h"
#include "batch/stuck.h"

/* ---- moderators ---- */

int batch_tell_moderators(struct batch *batch, const char *kind, const char *what, json_t *facts,
                          struct err *err)
{
    struct letters letters = batch_letters(batch);
    struct slice rest = slice_of(batch->league->config.league.moderators);
    struct slice word;
    int rc = 0;
    for (int number = 0; rc == 0 && slice_word(&rest, &word); number++) {
        struct outgoing mail;
        char *name = slice_dup(word);
        const struct player *player = registry_find(&batch->registry, name);
        free(name);
        if (!player)
            continue;
        const struct answer answer = {.kind = kind,
                                      .folder = "",
                                      .facts = facts,
                                      .to = player->address,
                                      .to_name = player->name,
                                      .id = mail_id_about(slice_of(what), number)};
        rc = letters_answer(&letters, &answer, &mail, err);
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
    if (batch_game(batch, id, &entry, &why)) /* what cannot be read has been reported already */
        return !entry || (entry->broken && !entry->unfinished)
                   ? catalog_defer(batch->catalog, id, batch->now + STUCK_GAME_PAUSE, err)
                   : err_pass(err, &why);
    batch_step(batch, entry, &step);
    int rc = follow_stale(batch, &step, &entry->game, err) || step_clock(&step, &entry->game, err) ? -1 : 0;
    rc = batch_end_step(batch, entry, &step, rc, err);
    entry->looked_at = true;
    return rc ? rc : stuck_game_mended(batch, id, err);
}

struct clockwork {
    struct batch *batch;
    struct file_names names;
};

static int clock_piece(void *arg, size_t i, struct err *err)
{
    struct clockwork *work = arg;
    hand_game(work->batch->league->hands, work->names.name[i]);
    return clock_game(work->batch, work->names.name[i], err);
}

static int tell_stuck(struct batch *batch, const char *name, struct err *err)
{
    struct str what = STR_INIT;
    json_t *facts = json_pack("{s:s}", "name", name);
    str_addf(&what, "stuck %s %lld", name, (long long)batch->now);
    int rc = batch_begin(batch, err);
    if (rc == 0)
        rc = batch_tell_moderators(batch, "stuck", what.p, facts, err);
    if (rc == 0)
        rc = stuck_told(batch, name, err);
    if (rc == 0)
        rc = batch_commit(batch, err);
    batch_reset(batch, rc == 0);
    json_decref(facts);
    str_release(&what);
    return rc;
}

/* Whatever has found it, in a command, at the start or in this round. */
static int tell_all_stuck(struct batch *batch, struct err *err)
{
    struct file_names names;
    int rc = stuck_untold(batch, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct err untold = ERR_INIT;
        if (tell_stuck(batch, names.name[i], &untold)) {
            log_error("the moderators could not be told that %s stands still: %s", names.name[i],
                      untold.text);
            rc = batch->torn ? err_pass(err, &untold) : batch_rewind(batch, err);
        }
    }
    file_names_free(&names);
    return rc;
}

static int clock_fault(void *arg, size_t i, const struct err *why, struct err *err)
{
    struct clockwork *work = arg;
    work->batch->broken++;
    return stuck_game(work->batch, work->names.name[i], why, err);
}

int batch_clock(struct batch *batch, size_t limit, bool *more, struct err *err)
{
    struct clockwork work = {.batch = batch};
    int rc = catalog_due(batch->catalog, batch->now, limit, &work.names, err);
    size_t count = work.names.count;
    const struct pieces pieces = {clock_piece, NULL, clock_fault, &work};
    if (rc == 0)
        rc = pieces_work(batch, &pieces, count, err);
    file_names_free(&work.names);
    /* Those that stay due (they cannot be read, or wait for the mailbox) must not keep the round going. */
    *more = count == limit; /* none of these is due any more in this round */
    if (rc == 0 && !*more)
        rc = tell_all_stuck(batch, err);
    return rc;
}
