/* What the two sides of the queue share (queue_ask.c, queue_work.c, queue.c); for nobody else. */
#ifndef COMMANDS_QUEUE_PARTS_H
#define COMMANDS_QUEUE_PARTS_H

#include <jansson.h>

#include "commands/queue.h"

#define QUEUE_MOST   ((size_t)8 << 20) /* bytes of a file in it */
#define QUEUE_MANY   1000              /* requests that wait at once */
#define QUEUE_PAUSED "pause"           /* the command of a request that has the worker stand still */

#define QUEUE_STEM 82 /* 16 digits, '-', 64 digits */

/* Seconds since the host was started: they go on while it sleeps, and nobody sets them. */
int64_t queue_since(void);
/* dir/queue/STEM.end; the caller frees. */
char *queue_path(const char *dir, const char *stem, const char *end) __attribute__((warn_unused_result));
/* Is it a folder that only the process's user can put something into? Else nothing in it counts. */
bool queue_is_private(const char *folder);
/* Splits "STEM.request". False: no name of ours. */
bool queue_name(const char *name, char stem[QUEUE_STEM], const char **end, unsigned char id[32]);
/* Reads a file of the queue. NULL on error; ERR_MISSING when it is not there. */
json_t *queue_read(const char *path, struct err *err) __attribute__((warn_unused_result));
int queue_write(const char *path, const json_t *json, struct err *err) __attribute__((warn_unused_result));

#endif
