/* For publish/log_audit*.c. */
#ifndef PUBLISH_LOG_AUDIT_PARTS_H
#define PUBLISH_LOG_AUDIT_PARTS_H

#include "publish/log_audit.h"

struct log_place {
    const char *name; /* NULL = none */
    int64_t seq, entry;
};
#define LOG_NOWHERE (&(struct log_place){NULL, 0, 0})
void log_find(struct log_audit *audit, enum log_weight weight, enum log_what what,
              const struct log_place *place, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Each entry of the log that can be read, with its number from 1 on. */
typedef int log_each(struct log_audit *audit, const struct log_entry *entry, int64_t number, struct err *err);
int log_read(struct log_audit *audit, log_each *each, struct err *err) __attribute__((warn_unused_result));

/* NULL: the log does not have it. */
struct log_name *log_name_find(const struct log_audit *audit, const char *name);
struct log_name *log_name_need(struct log_audit *audit, const char *name); /* adds it */

/* Holds the journals against the log, whose entries have been read once: log_audit_journals.c. */
int log_journals(struct log_audit *audit, struct err *err) __attribute__((warn_unused_result));
/* The results in the journal of that name against the ends in the log: log_audit_results.c. */
int log_results(struct log_audit *audit, struct err *err) __attribute__((warn_unused_result));
/* What became of the receipts that were kept, by the order of the log: log_audit_receipts.c. */
int log_receipts(struct log_audit *audit, struct err *err) __attribute__((warn_unused_result));

#endif
