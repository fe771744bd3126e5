#include "mail/sink.h"

#include <stdlib.h>

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

int sink_send(const struct sink *sink, const struct sink_round *round, struct sink_counts *counts,
              struct err *err)
{
    struct order order;
    struct sink_run run = {.sink = sink, .round = round, .order = &order, .counts = counts};
    *counts = (struct sink_counts){0};
    int rc = order_read(round->spool, round->now, &order, err);
    size_t count = order.list.count;
    run.to = mem_array(count + 1, sizeof *run.to);
    if (rc == 0)
        rc = drop_past(&run, err);
    if (rc == 0 && order.count) {
        switch (sink->kind) {
        case SINK_MAILDIR: rc = deliver_send(&run, err); break;
        case SINK_SENDMAIL: rc = sendmail_send(&run, err); break;
        case SINK_SMTP: rc = smtp_send(&run, err); break;
        }
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
