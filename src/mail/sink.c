#include "mail/sink.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "mail/sink_parts.h"
#include "mail/spool_parts.h"

/* What nobody needs any more is not sent; somebody may ask why, so that it is told like a try. */
static int drop_past(struct sink_run *run, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < run->order->list.count; i++) {
        struct spool_envelope envelope;
        if (!order_is_past(run->order, i) ||
            !spool_envelope(run->round->spool, run->order->list.path[i], &envelope))
            continue;
        run->to[i] = envelope.to;
        rc = sink_settle(run, i, SPOOL_DROPPED, "", err);
    }
    return rc;
}

/* From now on nothing is tried for a while; or what was so until now is over. */
static int note_pause(const struct sink_run *run, struct spool_pause *pause, struct err *err)
{
    const char *spool = run->round->spool;
    if (run->answers->paused && run->answers->taken)
        *pause = (struct spool_pause){0}; /* a new one */
    if (run->answers->paused)
        return spool_pause_on(spool, pause, run->answers->words, run->round->now, err);
    return run->answers->taken && pause->until ? spool_pause_off(spool, err) : 0;
}

/* By SMTP, or a command that does it. */
static int send_away(struct sink_run *run, struct err *err)
{
    const struct sink *sink = run->sink;
    struct spool_pause pause;
    char until[CLOCK_TEXT];
    if (spool_paused(run->round->spool, &pause) && spool_pause_lasts(&pause, run->round->now)) {
        run->counts->paused = run->order->list.count;
        return 0;
    }
    int rc = sink->kind == SINK_SMTP ? smtp_send(run, err) : sendmail_send(run, err);
    if (rc || note_pause(run, &pause, err) || !run->answers->paused)
        return rc;
    clock_utc(until, pause.until);
    return err_set(err, ERR_TEMP, "%s%s takes none of our mails now (%s); the next try is at %s",
                   sink->kind == SINK_SMTP ? "" : "the server of ",
                   sink->kind == SINK_SMTP ? sink->smtp.host : sink->command, pause.words, until);
}

int sink_send(const struct sink *sink, const struct sink_round *round, struct sink_counts *counts,
              struct err *err)
{
    struct order order;
    struct sink_answers answers = {.taken = 0};
    struct sink_run run = {
        .sink = sink, .round = round, .order = &order, .counts = counts, .answers = &answers};
    *counts = (struct sink_counts){0};
    int rc = order_read(round->spool, round->now, &order, err);
    size_t count = order.list.count;
    run.to = mem_array(count + 1, sizeof *run.to);
    if (rc == 0)
        rc = drop_past(&run, err);
    if (rc == 0 && order.count) {
        rc = sink->kind == SINK_MAILDIR ? deliver_send(&run, err) : send_away(&run, err);
        sink_forget_doubts(&answers);
    }
    counts->held = order.held;
    counts->undecided = order.undecided;
    for (size_t i = 0; i < count; i++)
        free(run.to[i]);
    free(run.to);
    order_free(&order);
    return rc;
}

int sink_check(const struct sink *sink, struct err *err)
{
    switch (sink->kind) {
    case SINK_MAILDIR: return deliver_check(sink, err);
    case SINK_SENDMAIL: return sendmail_check(sink, err);
    case SINK_SMTP: return smtp_check(sink, err);
    }
    return 0;
}
