#include "mail/sink.h"

#include <stdlib.h>

#include "base/mem.h"
#include "mail/sink_parts.h"

int sink_send(const struct sink *sink, const struct sink_round *round, struct sink_counts *counts,
              struct err *err)
{
    struct order order;
    struct sink_run run = {.sink = sink, .round = round, .order = &order, .counts = counts};
    *counts = (struct sink_counts){0};
    int rc = order_read(round->spool, round->now, &order, err);
    size_t count = order.list.count;
    if (rc == 0 && order.count) {
        run.to = mem_array(count, sizeof *run.to);
        switch (sink->kind) {
        case SINK_MAILDIR: rc = deliver_send(&run, err); break;
        case SINK_SENDMAIL: rc = sendmail_send(&run, err); break;
        case SINK_SMTP: rc = smtp_send(&run, err); break;
        }
    }
    counts->held = order.held;
    for (size_t i = 0; i < count && run.to; i++)
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
