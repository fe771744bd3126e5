/* registry/applied, "SEQ LENGTH HEAD": the record up to which the files of the registry's journal are
 * written, where it ends in the journal, and its head. It has to be right: records before it are not read
 * again. So it is checked against the journal; where it is missing, or says something else, all records since
 * the journal's beginning are read, and the old contents of each document that this changes are kept
 * (registry/NAME.before, then NAME.before.2 and so on) and reported: they may be the operator's edits. A
 * journal that ends before that record is refused. */
#ifndef LEAGUE_REGISTRY_APPLIED_H
#define LEAGUE_REGISTRY_APPLIED_H

#include "league/registry_log.h"

/* Notes that the files of all records so far are written. */
int registry_applied_write(const struct registry_log *log, struct err *err)
    __attribute__((warn_unused_result));
/* Reads it into seq, length, head; zeros, and `doubt`, when it cannot be read. */
void registry_applied_read(struct registry_log *log);
/* ERR_BROKEN: it is there but the journal is not; the sentence says what to do. */
int registry_applied_alone(const char *league_dir, struct err *err) __attribute__((warn_unused_result));
/* Does the record end there, in the journal as it is? Then its time becomes the log's. Only for a place after
 * `base`. */
int registry_applied_holds(struct registry_log *log, bool *holds, struct err *err)
    __attribute__((warn_unused_result));
/* If the file differs from what is written now (NULL: it is removed), it is kept and reported. */
int registry_applied_keep(const char *dir, const char *name, const struct str *now, struct err *err)
    __attribute__((warn_unused_result));

#endif
