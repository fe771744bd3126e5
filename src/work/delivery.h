/* The outcomes of the mails of one sending, gathered while it runs and stored in the catalog afterwards. */
#ifndef WORK_DELIVERY_H
#define WORK_DELIVERY_H

#include <pthread.h>

#include "batch/batch.h"
#include "mail/sink.h"

struct delivery {
    struct catalog_delivery what;
    char *to;
};
struct delivery_log {
    pthread_mutex_t lock;
    struct delivery *list;
    size_t count, cap;
    int64_t now;
    int64_t kept; /* clock_milliseconds() when the keeper, if there is one, was last told what has left */
};
void delivery_begin(struct delivery_log *log, int64_t now);
/* For sink_send; any thread. `arg` is the log. */
void delivery_note(void *arg, const struct sink_news *news);
/* Writes what was noted, one transaction, and releases the log. Players are told of undeliverable mails as of
 * bounces (batch/bounced.h), with a commit of the batch, which must hold nothing else. */
int delivery_end(struct delivery_log *log, struct batch *batch, struct err *err)
    __attribute__((warn_unused_result));

#endif
