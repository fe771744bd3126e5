#include "commands/apart.h"
#include "commands/believed.h"
#include "commands/commands.h"
#include "commands/queue.h"
#include "commands/season_audit.h"
#include "site/site_round.h"
#include "work/work.h"

#include "base/clock.h"
#include "base/log.h"

static const char details[] =
    "Reads the mailbox, takes in orders, plays the turns that are due or complete, sends the mails in the "
    "spool, and exits. It prints nothing unless something is wrong.\n";

/* Sending goes on when fetching failed, and the other way round: the first trouble decides the exit code. */
static int run_batch(struct league *league, int64_t now, struct work_sum *sum, struct err *err)
{
    struct batch batch;
    struct source *source = NULL;
    struct err mail_err = ERR_INIT;
    int rc = league->between ? believed_begin(league, err) : believed_typed(league, now, err);
    if (rc == 0)
        rc = batch_open(&batch, league, now, err);
    if (rc)
        return rc;
    rc = batch_round(&batch, now, err);
    if (rc == 0)
        rc = work_between(&batch, err);
    if (rc) {
        batch_close(&batch);
        return rc;
    }
    int mail = league_source(league, &source, &mail_err);
    if (mail == 0)
        mail = work_mail(&batch, source, NULL, sum, &mail_err);
    source_close(source);
    /* A failed disk must not be followed by more writing; a failed mail server may. */
    if (mail == 0 || (!batch.torn && (mail_err.code == ERR_TEMP || mail_err.code == ERR_CONFIG))) {
        batch.outside.deaf = mail != 0;
        rc = work_clock(&batch, sum, err);
        if (rc == 0)
            rc = mail ? batch_round_deaf(&batch, &mail_err, err) : batch_round_done(&batch, err);
    }
    if (rc == 0)
        rc = work_send(&batch, NULL, sum, err);
    if (rc == 0)
        site_round(&batch);
    batch_close(&batch);
    if (mail && rc)
        log_error("%s", err->text);
    if (mail)
        *err = mail_err;
    return mail ? mail : rc;
}

struct when {
    int64_t now;
    bool given;
};

static int work(struct league *league, void *arg)
{
    struct work_sum sum = {0};
    struct err err = ERR_INIT;
    const struct when *when = arg;
    league->closed = season_audit;
    if (!when->given) /* what others ask for is done by the system's clock */
        league->between = queue_work;
    int rc = run_batch(league, when->now, &sum, &err);
    work_say(&sum);
    if (rc)
        return command_fail(&err);
    return sum.broken || sum.stuck || sum.left || sum.damaged ? 65 : 0;
}

int command_run(int argc, char **argv)
{
    const char *dir = NULL;
    int64_t now = 0;
    const struct flag flags[] = {{"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
                                 {"now", FLAG_TIME, &now, "TIME",
                                  "the time to work at, as 2026-11-20T08:00:00Z (default: the system's)"},
                                 {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 0, details);
    if (code >= 0)
        return code;
    struct when when = {flag_now(now), now != 0};
    const struct apart apart = {.dir = flag_league(dir), .work = work, .arg = &when};
    return apart_run(&apart);
}
