#include "mail/sink.h"

#include <stdlib.h>

#include "base/mem.h"
#include "mail/sink_parts.h"

int sink_send(const struct sink *sink, const struct sink_round *round, struct sink_counts *counts,
              struct err *err)
{
    struct sink_run run = {.sink = sink, .round = round, .counts = counts};
    int rc = 0;
    *counts = (struct sink_counts){0};
    if (spool_due(round->spool, round->now, &run.due, err))
        return -1;
    if (run.due.count) {
        run.to = mem_array(run.due.count, sizeof *run.to);
        switch (sink->kind) {
        case SINK_MAILDIR: rc = deliver_send(&run, err); break;
        case SINK_SENDMAIL: rc = sendmail_send(&run, err); break;
        case SINK_SMTP: rc = smtp_send(&run, err); break;
        }
    }
    for (size_t i = 0; i < run.due.count && run.to; i++)
        free(run.to[i]);
    free(run.to);
    spool_list_free(&run.due);
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
