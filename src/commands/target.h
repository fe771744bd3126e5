/* A new folder that a command writes: it is filled as DIR.part and renamed when complete. */
#ifndef COMMANDS_TARGET_H
#define COMMANDS_TARGET_H

#include <sys/types.h>

#include "base/err.h"

/* Makes DIR.part, whose name the caller frees in every case; ERR_INPUT when it or DIR exists. */
int target_begin(const char *dir, mode_t mode, char **part, struct err *err)
    __attribute__((warn_unused_result));
/* Makes it durable and renames it. */
int target_end(const char *part, const char *dir, struct err *err) __attribute__((warn_unused_result));

#endif
