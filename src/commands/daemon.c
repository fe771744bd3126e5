#include "commands/apart.h"
#include "commands/believed.h"
#include "commands/commands.h"
#include "commands/queue.h"
#include "commands/season_audit.h"
#include "site/site_round.h"
#include "work/work.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "batch/digest.h"
#include "batch/stuck.h"
#include "league/shared.h"
#include "mail/nap.h"

static const char details[] =
    "Waits for mail (IMAP IDLE), plays turns at their deadlines and sends reports until it is stopped. "
    "SIGTERM and SIGINT end it after the current batch. SIGHUP reads league.ini, keys and players again.\n"
    "Only one process works on a league at a time. Other commands hand the daemon what they would do, and "
    "print its answer.\n";

/* Set by signals: ends the current round and every wait, both for exit and for reload (commands/apart.h). */
static volatile bool stop_asked;

static void on_signal(int number)
{
    (void)number;
    stop_asked = true;
}

#define WAIT_MOST     300 /* seconds between checks of spool and clock */
#define BACKOFF_LEAST 5   /* seconds */
#define BACKOFF_MOST  600

/* Sleeps until it is stopped, or, with a folder of a league, somebody asks for something there. */
static void rest(int seconds, char *dir)
{
    const struct nap_ends ends = {&stop_asked, dir ? queue_waits : NULL, dir};
    (void)nap(clock_milliseconds() + (int64_t)seconds * 1000, &ends);
}

/* How long to wait for mail: until a game, a digest or a mail that failed is due next, at most WAIT_MOST. */
static int wait_time(struct batch *batch, int64_t now)
{
    struct err err = ERR_INIT;
    int64_t due = 0, digest = 0, stuck = 0;
    if (catalog_next_due(batch->catalog, &due, &err) || digest_due(batch->spool, &digest, &err) ||
        stuck_next(batch, &stuck, &err))
        return WAIT_MOST;
    if (digest && (!due || digest < due))
        due = digest;
    if (stuck > now && (!due || stuck < due)) /* the current ones were tried just now */
        due = stuck;
    int64_t left = due ? due - now : WAIT_MOST;
    return left < 1 ? 1 : left > WAIT_MOST ? WAIT_MOST : (int)left;
}

static void say_trouble(const struct err *err, int backoff)
{
    log_warn("%s; trying again in %d seconds", err->text, backoff);
}

/* One round of work on an open source. Errors of the mail server come back as ERR_TEMP. */
static int round_of_work(struct batch *batch, struct source *source, struct err *err)
{
    struct work_sum sum = {0};
    struct err send_err = ERR_INIT;
    size_t orders = batch->done.orders, turns = batch->done.turns;
    if (batch_round(batch, clock_system(), err) || work_between(batch, err) ||
        work_mail(batch, source, &stop_asked, &sum, err))
        return -1;
    bool all_read = !stop_asked;
    batch->outside.deaf = !all_read;
    if (work_clock(batch, &sum, err) || (all_read && batch_round_done(batch, err)))
        return -1;
    if (work_send(batch, &stop_asked, &sum, &send_err))
        log_warn("%s; the mails stay in the spool", send_err.text);
    site_round(batch);
    sum.orders -= orders;
    sum.turns -= turns;
    if (sum.mails || sum.turns || sum.sent)
        work_say(&sum);
    return 0;
}

/* After a half-done commit nothing in memory may be used: the next start recovers. Waits for whatever was in
 * the way, as for a mail server. */
static int reopen(struct batch *batch, struct league *league, int seconds, struct err *why)
{
    batch_close(batch);
    for (;;) {
        struct err err = ERR_INIT;
        say_trouble(why, seconds);
        rest(seconds, NULL);
        if (stop_asked || batch_open(batch, league, clock_system(), &err) == 0)
            return 0;
        *why = err;
        if (err.code != ERR_TEMP)
            return -1;
    }
}

#define CLOCK_WAIT 60 /* seconds until it is asked again whether the clock can be believed */
#define CLOCK_SAID 60 /* times of these until that is said again */

/* Nothing is done by a clock that cannot be right: commands that are asked for wait as well. */
static void wait_for_clock(const struct league *league)
{
    for (int waits = 0; !stop_asked; waits++) {
        struct err why = ERR_INIT;
        if (believed_begin(league, &why) == 0)
            break;
        if (waits % CLOCK_SAID == 0)
            log_error("%s", why.text);
        rest(CLOCK_WAIT, NULL);
    }
}

/* One round, after which the mailbox counts as within reach, and the wait for the next. Opens the source where
 * there is none. */
static int round_and_wait(struct batch *batch, struct source **source, int *backoff, struct err *why)
{
    struct league *league = batch->league;
    if (!*source && league_source(league, source, why))
        return -1;
    source_watch(*source, queue_waits, league->dir);
    if (round_of_work(batch, *source, why))
        return -1;
    *backoff = BACKOFF_LEAST;
    return source_wait(*source, wait_time(batch, clock_system()), &stop_asked, why);
}

/* The mailbox cannot be reached, for this reason: what else there is to do goes on. */
static int work_deaf(struct batch *batch, const struct err *reason, struct err *err)
{
    struct work_sum sum = {0};
    struct err why = ERR_INIT;
    if (batch_round(batch, clock_system(), err) || work_between(batch, err) ||
        batch_round_deaf(batch, reason, err))
        return -1;
    batch->outside.deaf = true;
    if (work_clock(batch, &sum, &why) || work_send(batch, &stop_asked, &sum, &why))
        log_warn("%s", why.text);
    return 0;
}

/* A round has failed: waits a growing while. Returns -1 only for errors that waiting cannot fix. */
static int wait_out(struct batch *batch, struct league *league, int *backoff, struct err *why,
                    struct err *err)
{
    if (shared_holds(league, why)) /* what is in memory may be of no worth */
        return err_pass(err, why);
    bool torn = batch->torn && why->code == ERR_TEMP;
    if (why->code != ERR_TEMP || (torn && reopen(batch, league, *backoff, why))) {
        struct err ignored = ERR_INIT; /* the first error says why */
        if (why->code == ERR_CONFIG && !batch->torn && batch_round_deaf(batch, why, &ignored))
            err_clear(&ignored);
        return err_pass(err, why);
    }
    if (torn)
        return 0;
    int rc = work_deaf(batch, why, err);
    say_trouble(why, *backoff);
    rest(rc ? 0 : *backoff, league->dir);
    *backoff = *backoff * 2 > BACKOFF_MOST ? BACKOFF_MOST : *backoff * 2;
    return rc;
}

/* Works until a signal, or an error that waiting cannot fix. */
static int serve(struct league *league, struct err *err)
{
    struct batch batch;
    struct source *source = NULL;
    int backoff = BACKOFF_LEAST;
    wait_for_clock(league);
    if (stop_asked)
        return 0;
    int rc = batch_open(&batch, league, clock_system(), err);
    if (rc)
        return rc;
    while (!stop_asked && rc == 0) {
        struct err why = ERR_INIT;
        wait_for_clock(league);
        if (stop_asked)
            break;
        rc = shared_holds(league, err);
        if (rc || round_and_wait(&batch, &source, &backoff, &why) == 0)
            continue;
        source_close(source);
        source = NULL;
        rc = wait_out(&batch, league, &backoff, &why, err);
    }
    source_close(source);
    batch_close(&batch);
    return rc;
}

static void catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
}

static int work(struct league *league, void *arg)
{
    struct err err = ERR_INIT;
    (void)arg;
    catch_signals();
    league->between = queue_work;
    league->closed = season_audit;
    log_info("working on %s", league->dir);
    return serve(league, &err) ? command_fail(&err) : 0;
}

int command_daemon(int argc, char **argv)
{
    const char *dir = NULL;
    const struct flag flags[] = {{"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
                                 {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 0, details);
    if (code >= 0)
        return code;
    const struct apart apart = {.dir = flag_league(dir), .stay = true, .work = work};
    return apart_run(&apart);
}
