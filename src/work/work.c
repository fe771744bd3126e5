#include "work/work.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/keep.h"
#include "base/log.h"
#include "base/mem.h"
#include "cluster/cluster.h"
#include "dns/resolver.h"
#include "journal/catalog_changes.h"
#include "work/delivery.h"
#include "work/showing.h"
#include "batch/at_hand.h"
#include "batch/groups.h"
#include "batch/competing.h"
#include "batch/missing.h"
#include "batch/results.h"
#include "batch/digest.h"
#include "batch/mail_log.h"
#include "intake/intake.h"
#include "batch/pieces.h"
#include "league/registry_compact.h"
#include "league/registry_marks.h"
#include "batch/stuck.h"
#include "batch/witnessing.h"
#include "league/cosigning.h"
#include "petitions/rekey.h"
#include "mail/errand.h"

#define MAILS_A_BATCH 1000
#define MAILS_FIRST   100 /* few, so that the next ones are fetched while these are worked on */
#define GAMES_A_BATCH 500
#define MEMORY        ((int64_t)60 * 86400) /* how long answered mails and deliveries are remembered */
#define AHEAD_WORK    ((size_t)64 << 20) /* for the mails of a round that are looked into ahead of their turn */
#define GAMES_KEPT    ((size_t)16 << 20) /* bytes of games that stay loaded between batches of mail */

/* Mails that failed in earlier runs. */
struct failed {
    unsigned char (*list)[32];
    size_t count;
};

/* The mails of one fetch, and which of them are finished. */
struct round {
    struct incoming *mails, *moved; /* `moved` are some of `mails`, which own them */
    struct reading *readings;       /* of `mails`, as far as they were made ahead */
    enum disposition *how;
    size_t count, moved_count;
    size_t *waits; /* those that are not to be tried yet, by their places in `mails` */
    size_t waits_count;
    size_t ahead; /* what they took (trust/work.h) */
    bool spare;   /* as each reading of it */
    const struct league *league;
    const struct failed *failed;
};

static void round_init(struct round *round, const struct league *league, const struct failed *failed)
{
    round->mails = mem_array(MAILS_A_BATCH, sizeof *round->mails);
    round->moved = mem_array(MAILS_A_BATCH, sizeof *round->moved);
    round->readings = mem_array(MAILS_A_BATCH, sizeof *round->readings);
    round->how = mem_array(MAILS_A_BATCH, sizeof *round->how);
    round->waits = mem_array(MAILS_A_BATCH, sizeof *round->waits);
    round->count = round->moved_count = round->waits_count = round->ahead = 0;
    round->league = league;
    round->failed = failed;
}

static void round_clear(void *old)
{
    struct round *round = old;
    for (size_t i = 0; i < round->count; i++) {
        reading_release(&round->readings[i]);
        incoming_release(&round->mails[i]);
    }
    round->count = round->moved_count = round->waits_count = round->ahead = 0;
}

static void round_release(struct round *round)
{
    round_clear(round);
    free(round->mails);
    free(round->moved);
    free(round->readings);
    free(round->how);
    free(round->waits);
}

/* Mails that need not be fetched again before they are to be tried. */
static void let_rest(struct source *source, struct round *round)
{
    unsigned char digest[MESSAGE_DIGEST];
    for (size_t i = 0; i < round->waits_count; i++) {
        const struct incoming *mail = &round->mails[round->waits[i]];
        message_digest(digest, slice_str(&mail->raw));
        source_rest(source, mail, digest);
    }
    round->waits_count = 0;
}

static bool still_rests(void *arg, const unsigned char digest[32])
{
    struct batch *batch = arg;
    return stuck_rests(batch, digest);
}

/* Has the mail failed before? Then it is not looked into before it is decided that it will be tried. */
static bool has_failed(const struct round *round, struct slice raw)
{
    unsigned char digest[MESSAGE_DIGEST];
    bool found = false;
    if (round->failed->count)
        message_digest(digest, raw);
    for (size_t i = 0; i < round->failed->count && !found; i++)
        found = memcmp(round->failed->list[i], digest, sizeof digest) == 0;
    return found;
}

/* A mail of the next round, while this one is worked on. */
static void look_ahead(void *arg, size_t index)
{
    struct round *round = arg;
    const struct incoming *mail = &round->mails[index];
    struct reading *reading = &round->readings[index];
    if (mail->withheld || mail->spared || round->ahead > AHEAD_WORK ||
        has_failed(round, slice_str(&mail->raw)))
        return;
    reading->spare = round->spare;
    reading_make(reading, mail, round->league);
    round->ahead += reading_cost(reading);
}

/* The mails of a round, on their way through one batch after the other. */
struct intake {
    struct batch *batch;
    struct round *round;
    enum intake_fate *fates;
    struct work *purse;  /* of the run */
    size_t stuck, fault; /* mails that failed; the last of them, from 1 on */
};

static int intake_one(void *arg, size_t i, struct err *err)
{
    struct intake *in = arg;
    const struct incoming *mail = &in->round->mails[i];
    struct reading *reading = &in->round->readings[i];
    in->fates[i] = INTAKE_KEPT;
    if (mail->spared)
        return 0;
    reading->spare |= !reading->made && work_over(in->purse);
    hand_mail(in->batch->league->hands, slice_str(&mail->raw));
    int rc = intake_mail(in->batch, mail, reading, &in->fates[i], err);
    (void)work_take(in->purse, reading_cost(reading));
    return rc;
}

/* What happens to a mail of the round; false: it stays where it is, because a game of it cannot be read or written
 * now. */
static bool is_done(const struct intake *in, size_t i, bool left_out, enum disposition *how)
{
    enum intake_fate fate = in->fates[i];
    *how = fate == INTAKE_PROCESSED ? MAIL_PROCESSED : fate == INTAKE_FAILED ? MAIL_FAILED : MAIL_REJECTED;
    return fate != INTAKE_KEPT && fate != INTAKE_WAITS && !left_out;
}

static void intake_done(void *arg, size_t from, size_t count)
{
    struct intake *in = arg;
    struct round *round = in->round;
    int64_t *oldest = &in->batch->unheard.waits;
    for (size_t i = from; i < from + count; i++) {
        if (is_done(in, i, groups_left_out(in->batch, i - from + 1), &round->how[round->moved_count]))
            round->moved[round->moved_count++] = round->mails[i];
        else if (!*oldest || round->mails[i].arrived < *oldest)
            *oldest = round->mails[i].arrived;
        if (in->fates[i] == INTAKE_WAITS)
            round->waits[round->waits_count++] = i;
    }
}

static int intake_fault(void *arg, size_t i, const struct err *why, struct err *err)
{
    struct intake *in = arg;
    in->stuck += in->fault != i + 1; /* it may be worked on more than once */
    in->fault = i + 1;
    return stuck_mail(in->batch, &in->round->mails[i], &in->round->readings[i], why, err);
}

static int take_in(struct batch *batch, struct round *round, struct work *purse, struct work_sum *sum,
                   struct err *err)
{
    struct intake in = {.batch = batch, .round = round, .purse = purse};
    in.fates = mem_array(round->count, sizeof *in.fates);
    const struct pieces pieces = {intake_one, intake_done, intake_fault, &in};
    int rc = pieces_work(batch, &pieces, round->count, err);
    sum->stuck += in.stuck;
    free(in.fates);
    return rc ? rc : batch_rest(batch, GAMES_KEPT, err);
}

static void take_counts(struct batch *batch, struct work_sum *sum)
{
    sum->orders = batch->done.orders;
    sum->turns = batch->done.turns;
    sum->broken = batch->broken;
    sum->damaged = batch->unheard.damaged;
}

/* The last mails are moved away while the loaded games are written back. */
static int last_round(struct batch *batch, struct source *source, const struct round *round, int rc,
                      struct err *err)
{
    struct err apart = ERR_INIT;
    struct errand errand = {
        .source = source, .gone = round->moved, .how = round->how, .gone_count = round->moved_count};
    errand_begin(&errand);
    if (rc == 0)
        rc = batch_rest(batch, 0, err);
    if (errand_end(&errand, &apart))
        rc = err_pass(err, &apart);
    return rc;
}

int work_between(struct batch *batch, struct err *err)
{
    if (missing_work(batch, err))
        return -1;
    return batch->league->between ? batch->league->between(batch, err) : 0;
}

/* What was asked of name servers, for the process that comes next. That it cannot be written stops nothing: the next
 * commit says so. */
static void keep_asked(const struct batch *batch)
{
    struct str asked = STR_INIT;
    struct err why = ERR_INIT;
    if (batch->league->resolver && resolver_write(batch->league->resolver, &asked) &&
        catalog_set_asked(batch->catalog, asked.p, &why))
        log_warn("what was asked of name servers could not be noted: %s", why.text);
    str_release(&asked);
}

/* Goes on from what the process before this one has asked. */
static void go_on_asking(const struct batch *batch)
{
    struct str asked = STR_INIT;
    struct err why = ERR_INIT;
    if (catalog_asked(batch->catalog, &asked, &why) ||
        resolver_read(batch->league->resolver, slice_str(&asked), &why))
        log_warn("%s; how long name servers are waited for is counted anew", why.text);
    str_release(&asked);
}

/* What all rounds use. */
struct rounds {
    struct batch *batch;
    struct source *source;
    bool careful; /* no mail is looked into ahead of its turn */
    const volatile bool *stop;
};

/* While the mails of one round are worked on, those of the round before are moved away and the next ones
 * fetched and looked into. */
static int all_rounds(const struct rounds *work, struct round rounds[3], struct work_sum *sum,
                      struct err *err)
{
    struct batch *batch = work->batch;
    struct source *source = work->source;
    const volatile bool *stop = work->stop;
    struct round *before = &rounds[0], *now = &rounds[1], *next = &rounds[2];
    int rc = source_fetch(source, now->mails, MAILS_FIRST, &now->count, err);
    int far = rc; /* of the source alone */
    struct work purse = {WORK_RUN};
    while (rc == 0 && now->count > 0 && !(stop && *stop)) {
        struct err apart = ERR_INIT;
        struct round *old = before;
        struct errand errand = {.source = source,
                                .gone = before->moved,
                                .how = before->how,
                                .gone_count = before->moved_count,
                                .forget = round_clear,
                                .old = before,
                                .next = next->mails,
                                .most = MAILS_A_BATCH,
                                .look = work->careful ? NULL : look_ahead,
                                .arg = next};
        next->spare = work_over(&purse);
        if (next->spare)
            source_spare(source, WORK_SMALL);
        errand_begin(&errand);
        rc = take_in(batch, now, &purse, sum, err);
        far = errand_end(&errand, &apart);
        keep_asked(batch);
        if (far)
            rc = err_pass(err, &apart);
        next->count = errand.next_count;
        let_rest(source, now);
        sum->mails += now->count;
        take_counts(batch, sum);
        log_progress("%zu mail%s read, %zu order%s, %zu turn%s", sum->mails, PLURAL(sum->mails), sum->orders,
                     PLURAL(sum->orders), sum->turns, PLURAL(sum->turns));
        before = now;
        now = next;
        next = old;
        if (rc == 0)
            rc = work_between(batch, err);
    }
    if (work_over(&purse))
        log_info("there is much mail: those that take long wait for the next run");
    if (far == 0) /* also after an error here that left something committed */
        rc = last_round(batch, source, before, rc, err);
    return rc;
}

/* Players' domains are asked for their keys whatever strangers have used up. */
static void welcome(const struct batch *batch)
{
    const struct registry *registry = &batch->registry;
    const char **domains = mem_array(2 * registry->count + 1, sizeof *domains);
    size_t count = 0;
    for (size_t i = 0; i < registry->count; i++) {
        const char *addresses[] = {registry->players[i].address, registry->players[i].address2};
        for (size_t k = 0; k < 2; k++)
            if (strchr(addresses[k], '@'))
                domains[count++] = strchr(addresses[k], '@') + 1;
    }
    resolver_welcome(batch->league->resolver, domains, count);
    free(domains);
    go_on_asking(batch);
}

int work_mail(struct batch *batch, struct source *source, const volatile bool *stop, struct work_sum *sum,
              struct err *err)
{
    struct round rounds[3];
    struct failed failed;
    groups_wake(batch);
    batch->unheard.waits = 0;
    if (stuck_digests(batch, &failed.list, &failed.count, err))
        return -1;
    const struct at_hands *hands = batch->league->hands;
    bool careful = hands && hands->careful;
    if (hands && hands->mail_off) {
        free(failed.list);
        return err_set(err, ERR_TEMP,
                       "the program was ended too often: the mails are left where they are in this run");
    }
    if (source_is_far(source) && !careful)
        batch_at_desk(batch);
    if (batch->league->resolver)
        welcome(batch);
    source_time(source, batch->now);
    source_again(source, still_rests, batch);
    const struct rounds work = {batch, source, careful, stop};
    for (int i = 0; i < 3; i++)
        round_init(&rounds[i], batch->league, &failed);
    int rc = all_rounds(&work, rounds, sum, err);
    log_progress_end();
    for (int i = 0; i < 3; i++)
        round_release(&rounds[i]);
    free(failed.list);
    return rc;
}

/* Once a day; where there is nothing to forget, nothing is written. */
static int tidy(struct batch *batch, struct err *err)
{
    int64_t day = batch->now / 86400;
    if (day == batch->tidied)
        return 0;
    batch->tidied = day;
    if (registry_marks_tidy(&batch->log, batch->now, err) ||
        registry_compact_due(&batch->log, batch->now, err) ||
        catalog_tidy_paths(batch->catalog, batch_since(batch, batch->league->config.limits.paths), err) ||
        mail_log_tidy(batch, batch_since(batch, batch->league->config.limits.mail_log), err) ||
        catalog_compact(batch->catalog, err))
        return -1;
    return catalog_tidy(batch->catalog, batch->now, batch_since(batch, MEMORY), err);
}

int work_clock(struct batch *batch, struct work_sum *sum, struct err *err)
{
    bool more = true;
    int rc = tidy(batch, err);
    if (rc == 0)
        rc = rekey_clock(batch, err);
    while (rc == 0 && more) {
        rc = batch_clock(batch, GAMES_A_BATCH, &more, err);
        if (rc == 0 && !more)
            rc = competing_work(batch, err);
        if (rc == 0 && !more)
            rc = results_work(batch, err);
        if (rc == 0)
            rc = batch_rest(batch, 0, err);
        if (rc == 0)
            rc = work_between(batch, err);
        take_counts(batch, sum);
    }
    if (rc == 0)
        rc = witnessing_ask(batch, err);
    if (rc == 0) /* about the same checkpoint */
        cosigning_ask(batch->tlog, batch->league, batch->now);
    return rc;
}

/* If the memory of deliveries cannot be written, that is reported but does not stop the run. */
static void keep_news(struct delivery_log *log, struct batch *batch)
{
    struct err why = ERR_INIT;
    if (delivery_end(log, batch, &why))
        log_warn("what became of the mails could not be noted: %s", why.text);
}

static void complete_mail(void *log, struct str *mail)
{
    league_log_complete(log, mail);
}

/* What is ready is sent, and again what was decided on meanwhile, until nothing waits for a picture. */
static int send_shown(struct batch *batch, const struct sink *sink, struct delivery_log *log,
                      struct showing *showing, struct work_sum *sum, struct err *err)
{
    const struct sink_round round = {batch->spool,  batch->now,  delivery_note, log,
                                     complete_mail, batch->tlog, cluster_holds};
    struct sink_counts counts = {0};
    int rc;
    do {
        rc = showing_decide(showing, err);
        if (rc == 0)
            rc = sink_send(sink, &round, &counts, err);
        sum->sent += counts.sent;
        sum->later += counts.later;
        sum->refused += counts.refused;
    } while (rc == 0 && showing_wait(showing));
    sum->held += counts.held;
    sum->paused += counts.paused;
    sum->left += counts.left;
    return rc;
}

int work_send(struct batch *batch, const volatile bool *stop, struct work_sum *sum, struct err *err)
{
    struct sink sink;
    struct delivery_log log;
    struct showing showing;
    struct err apart = ERR_INIT;
    char *secret = NULL;
    batch_settled(batch);
    int rc = batch_wait_desk(batch, err);
    int gathered = rc == 0 ? digest_send(batch, &apart) : 0; /* the others are still sent */
    if (rc == 0)
        rc = league_sink(batch->league, &sink, &secret, err);
    if (rc == 0) {
        delivery_begin(&log, batch->now);
        rc = showing_begin(&showing, batch, stop, err);
        if (rc == 0)
            rc = send_shown(batch, &sink, &log, &showing, sum, err);
        showing_end(&showing);
        keep_news(&log, batch);
    }
    if (rc == 0)
        rc = keep_sync(err); /* what has left is gone from the spool on all hosts */
    if (secret) {
        sodium_memzero(secret, strlen(secret));
        free(secret);
    }
    return rc == 0 && gathered ? err_pass(err, &apart) : rc;
}

void work_say(const struct work_sum *sum)
{
    log_info("%zu mail%s read, %zu order%s accepted, %zu turn%s resolved, %zu mail%s sent%s", sum->mails,
             PLURAL(sum->mails), sum->orders, PLURAL(sum->orders), sum->turns, PLURAL(sum->turns), sum->sent,
             PLURAL(sum->sent), sum->later ? ";" : "");
    if (sum->later)
        log_info("%zu mail%s to be tried again", sum->later, PLURAL(sum->later));
    if (sum->held)
        log_info("%zu mail%s for one to the same address, which is to be tried again", sum->held,
                 sum->held == 1 ? " waits" : "s wait");
    if (sum->paused)
        log_info("%zu mail%s until the mail server takes ours again (turnpost status says more)", sum->paused,
                 sum->paused == 1 ? " waits" : "s wait");
    if (sum->refused)
        log_warn("%zu %s refused for good: see spool/failed/*.why for the servers' words", sum->refused,
                 sum->refused == 1 ? "mail was" : "mails were");
}
