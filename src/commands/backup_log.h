/* When backups were made of a league, and whether one was tried: the file "backups" of its folder has a line
 * for each (the last 50), and `restore` leaves the file "tried" in a backup that it has made a league of. For
 * `doctor`; lost, it knows less. */
#ifndef COMMANDS_BACKUP_LOG_H
#define COMMANDS_BACKUP_LOG_H

#include <stdint.h>

#include "base/err.h"

/* A backup was made there. */
int backup_log_note(const char *league, const char *backup, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* A league was made of this one. */
int backup_log_tried(const char *backup, int64_t now, struct err *err) __attribute__((warn_unused_result));

struct backup_times {
    int64_t first, last; /* the first and last backup that is remembered; 0 = none */
    int64_t tried;       /* when one of them was last restored, as far as they are still there; 0 = never */
    char *path;          /* of the last one; the caller frees */
};
int backup_log_read(const char *league, struct backup_times *times, struct err *err)
    __attribute__((warn_unused_result));

#endif
