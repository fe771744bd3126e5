/* The three ways out behind sink.h. */
#ifndef MAIL_SINK_PARTS_H
#define MAIL_SINK_PARTS_H

#include "mail/answer.h"
#include "mail/order.h"
#include "mail/sink.h"
#include "mail/spool.h"

/* What the answers of one sending say of the server. Threads share it, under a lock of theirs. */
#define SINK_DOUBTED 3
struct sink_answers {
    size_t taken;                /* mails that it took */
    char *doubted[SINK_DOUBTED]; /* since then, receivers of mails that were refused for an unsure reason */
    size_t doubted_count;
    bool paused; /* nothing more is to be tried */
    char words[sizeof((struct spool_pause *)0)->words];
};
void sink_taken(struct sink_answers *answers);
void sink_forget_doubts(struct sink_answers *answers);
/* What becomes of a mail that was refused. False: nothing, it stays as it is, as it is not to blame (answers->paused). What
 * is unsure is put off, and refused when that was so DOUBT_TRIES times before and the server takes other mails; when it
 * refuses the mails of SINK_DOUBTED receivers so, and takes none between, it is not the mails. */
bool sink_refused(struct sink_answers *answers, const struct outgoing *mail, enum answer_about about,
                  const char *words, enum spool_fate *fate);

/* One sink_send at work. */
struct sink_run {
    const struct sink *sink;
    const struct sink_round *round;
    struct order *order; /* what leaves, and when; an index is a place in its list */
    char **to;           /* their recipients, as far as they have been loaded */
    struct sink_counts *counts;
    struct sink_answers *answers;
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
