#include "commands/work.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "commands/delivery.h"
#include "engine/digest.h"
#include "engine/intake.h"

#define MAILS_A_BATCH 500
#define GAMES_A_BATCH 500
#define MEMORY        ((int64_t)60 * 86400) /* how long answered mails and deliveries are remembered */
#define GAMES_KEPT    ((size_t)16 << 20)    /* bytes of games that stay loaded between batches of mail */

/* Mails that stay where they are: their game cannot be read now. */
static size_t to_dispose(struct batch *batch, struct incoming *mails, const enum intake_fate *fates,
                         char (*touched)[GAME_NAME], size_t count, struct incoming *moved,
                         enum disposition *how)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        struct batch_game *game;
        struct err why = ERR_INIT;
        bool lost = *touched[i] && batch_game(batch, touched[i], &game, &why) != 0;
        if (fates[i] == INTAKE_KEPT || lost)
            continue;
        how[n] = fates[i] == INTAKE_PROCESSED ? MAIL_PROCESSED : MAIL_REJECTED;
        moved[n++] = mails[i];
    }
    return n;
}

static int one_batch(struct batch *batch, struct source *source, struct incoming *mails, size_t count,
                     struct err *err)
{
    enum intake_fate *fates = mem_array(count, sizeof *fates);
    char(*touched)[GAME_NAME] = mem_array(count, sizeof *touched);
    struct incoming *moved = mem_array(count, sizeof *moved);
    enum disposition *how = mem_array(count, sizeof *how);
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++)
        rc = intake_mail(batch, &mails[i], &fates[i], touched[i], err);
    if (rc == 0)
        rc = batch_commit(batch, err);
    if (rc == 0)
        rc = source_dispose(source, moved, how, to_dispose(batch, mails, fates, touched, count, moved, how),
                            err);
    batch_reset(batch, rc == 0);
    free(fates);
    free(touched);
    free(moved);
    free(how);
    return rc;
}

static void take_counts(struct batch *batch, struct work_sum *sum)
{
    sum->orders = batch->orders;
    sum->turns = batch->turns;
    sum->broken = batch->broken;
}

int work_mail(struct batch *batch, struct source *source, const volatile bool *stop, struct work_sum *sum,
              struct err *err)
{
    struct incoming *mails = mem_array(MAILS_A_BATCH, sizeof *mails);
    int rc = 0;
    size_t count = 1;
    while (rc == 0 && count > 0 && !(stop && *stop)) {
        count = 0;
        rc = source_fetch(source, mails, MAILS_A_BATCH, &count, err);
        if (rc == 0 && count > 0)
            rc = one_batch(batch, source, mails, count, err);
        if (rc == 0)
            rc = batch_rest(batch, count ? GAMES_KEPT : 0, err);
        for (size_t i = 0; i < count; i++)
            incoming_release(&mails[i]);
        sum->mails += count;
        take_counts(batch, sum);
        log_progress("%zu mails read, %zu orders, %zu turns", sum->mails, sum->orders, sum->turns);
    }
    log_progress_end();
    free(mails);
    return rc;
}

/* Once a day; where there is nothing to forget, nothing is written. */
static int tidy(struct batch *batch, struct err *err)
{
    int64_t day = batch->now / 86400;
    if (day == batch->tidied)
        return 0;
    batch->tidied = day;
    return catalog_tidy(batch->catalog, batch->now, MEMORY, err);
}

int work_clock(struct batch *batch, struct work_sum *sum, struct err *err)
{
    bool more = true;
    int rc = tidy(batch, err);
    while (rc == 0 && more) {
        rc = batch_clock(batch, GAMES_A_BATCH, &more, err);
        if (rc == 0)
            rc = batch_commit(batch, err);
        batch_reset(batch, rc == 0);
        if (rc == 0)
            rc = batch_rest(batch, 0, err);
        take_counts(batch, sum);
    }
    return rc;
}

/* A memory of deliveries that cannot be written is worth a word, not the run. */
static void keep_news(struct delivery_log *log, struct batch *batch)
{
    struct err why = ERR_INIT;
    if (delivery_end(log, batch, &why))
        log_warn("what became of the mails could not be noted: %s", why.text);
}

int work_send(struct batch *batch, struct work_sum *sum, struct err *err)
{
    struct sink sink;
    struct sink_counts counts = {0, 0, 0};
    struct delivery_log log;
    char *secret = NULL;
    batch_settled(batch);
    int rc = digest_send(batch, err);
    if (rc == 0)
        rc = league_sink(batch->league, &sink, &secret, err);
    if (rc == 0) {
        delivery_begin(&log, batch->now);
        rc = sink_send(&sink, batch->spool, batch->now, &counts, delivery_note, &log, err);
        keep_news(&log, batch);
    }
    if (secret) {
        sodium_memzero(secret, strlen(secret));
        free(secret);
    }
    sum->sent += counts.sent;
    sum->later += counts.later;
    sum->refused += counts.refused;
    return rc;
}

void work_say(const struct work_sum *sum)
{
    log_info("%zu mails read, %zu orders taken up, %zu turns resolved, %zu mails sent%s", sum->mails,
             sum->orders, sum->turns, sum->sent, sum->later ? ";" : "");
    if (sum->later)
        log_info("%zu mails to be tried again", sum->later);
    if (sum->refused)
        log_warn("%zu %s refused for good: see spool/failed/*.why for the servers' words", sum->refused,
                 sum->refused == 1 ? "mail was" : "mails were");
}
