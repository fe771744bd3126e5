/* registry/applied, "SEQ LENGTH HEAD": the record up to which the files of the registry's journal are
 * written, where it ends in the journal, and its head. It has to be right: records before it are not read
 * again. So it is held against the journal; where it is missing, or says something else, all records since
 * the journal's beginning are read, and of each document that this changes what stood there is kept
 * (registry/NAME.before, then NAME.before.2 and so on) and told: it may be what the operator has edited. A
 * journal that ends before that record is refused. */
#ifndef LEAGUE_REGISTRY_APPLIED_H
#define LEAGUE_REGISTRY_APPLIED_H

#include "league/registry_log.h"

/* Notes that the files of all records so far are written. */
int registry_applied_write(const struct registry_log *log, struct err *err)
    __attribute__((warn_unused_result));
/* What it says into seq, length, head; zeros, and `doubt`, when it cannot be read. */
void registry_applied_read(struct registry_log *log);
/* ERR_BROKEN: it is there, and the journal is not; the sentence says what to do. */
int registry_applied_alone(const char *league_dir, struct err *err) __attribute__((warn_unused_result));
/* Does the record end there, in the journal as it is? Then its time is the log's. Of a place behind `base`
 * only. */
int registry_applied_holds(struct registry_log *log, bool *holds, struct err *err)
    __attribute__((warn_unused_result));
/* Where the file differs from what is written now (NULL: it is removed), it is kept and told. */
int registry_applied_keep(const char *dir, const char *name, const struct str *now, struct err *err)
    __attribute__((warn_unused_result));

#endif
