/* The three ways out behind sink.h. */
#ifndef MAIL_SINK_PARTS_H
#define MAIL_SINK_PARTS_H

#include "mail/order.h"
#include "mail/sink.h"
#include "mail/spool.h"

/* One sink_send at work. */
struct sink_run {
    const struct sink *sink;
    const struct sink_round *round;
    struct order *order; /* what leaves, and when; an index is a place in its list */
    char **to;           /* their recipients, as far as they have been loaded */
    struct sink_counts *counts;
};

/* True for an address that can be used in an SMTP command or an argument: no byte below 0x21, no 0x7F, "<" or
 * ">", one "@" at least, at most 254 bytes. */
bool address_valid(const char *address);

/* Settles one mail and counts it; order_done is left to whoever took it. Threads need a sink_run each. */
int sink_settle(struct sink_run *run, size_t index, enum spool_fate fate, const char *words, struct err *err)
    __attribute__((warn_unused_result));

/* Loads one mail. 0; 1 when there is nothing to send (it is gone, or was refused here because it is damaged
 * or its addresses are unusable); -1. Threads as above. */
int sink_load(struct sink_run *run, size_t index, struct outgoing *mail, struct err *err)
    __attribute__((warn_unused_result));

/* Appends the mail with LF for CRLF, as files and sendmail want it. */
void sink_lf(struct str *out, struct slice mail);

int smtp_send(struct sink_run *run, struct err *err) __attribute__((warn_unused_result));
int smtp_check(const struct sink *sink, struct err *err) __attribute__((warn_unused_result));
int sendmail_send(struct sink_run *run, struct err *err) __attribute__((warn_unused_result));
int sendmail_check(const struct sink *sink, struct err *err) __attribute__((warn_unused_result));
int deliver_send(struct sink_run *run, struct err *err) __attribute__((warn_unused_result));
int deliver_check(const struct sink *sink, struct err *err) __attribute__((warn_unused_result));

#endif
