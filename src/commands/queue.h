/* Commands beside a daemon: a queue in the league's folder.
 *
 * A command that finds the league locked puts a request into LEAGUE/queue and waits for the answer; whoever
 * holds the lock (`daemon`, `run`) does it between two of its batches, with the code that the command would have run
 * itself (commands/deed.h). When the lock becomes free, the command withdraws the request and does it itself.
 *
 *   STEM.request   waiting. Whoever renames it has it: the worker takes it up, or ^C withdraws it
 *   STEM.taken     a worker is at it; .again: one has died at it
 *   STEM.answer    what the command is to print, and its exit code; the request is gone then
 *   STEM.hold      of `backup`: locked (flock) as long as the worker is to stand still
 *
 * STEM is the time in milliseconds and the request's id, so names are in order of arrival. All are plain files
 * of the league's user with one name, in a folder of mode 0700 (file_read_own); anything else is removed unread.
 * They hold contents, never paths. A request is
 *
 *   {"v":1,"id":"<64 hex>","command":"moderate","args":["moderate","gc-1","pause"],"text":"...","head":"<64 hex>",
 *    "made":1795512000,"since":81234}
 *
 * `text` is what the file holds that the arguments name, `head` that of the game that it is about; `made` is the time
 * and `since` the seconds since the host was started. Both say that it is not older than ten minutes, so that
 * no clock that jumps brings it back. The records that it makes hold the id ("request"), by which it is known
 * to be done when a crash has left the request behind. */
#ifndef COMMANDS_QUEUE_H
#define COMMANDS_QUEUE_H

#include "commands/deed.h"

#define QUEUE_FOLDER "queue"
#define QUEUE_GOOD   600 /* seconds that a request is good for */
#define QUEUE_PAUSE  600 /* the most that a worker stands still for a backup */

/* ---- for the command ---- */

/* Asks whoever holds the lock, and waits. What is to be printed is in the deed. */
int queue_ask(struct deed *deed, int argc, char **argv, struct err *err) __attribute__((warn_unused_result));
/* Has the worker stand still until queue_let_go. ERR_TEMP: it did not come to that. */
struct queue_hold {
    char *path;
    int fd;
};
int queue_hold(const char *dir, struct queue_hold *hold, struct err *err) __attribute__((warn_unused_result));
void queue_let_go(struct queue_hold *hold);

/* Does somebody work on the league in this folder? */
bool queue_is_locked(const char *dir);
/* ERR_TEMP if so: for commands that cannot be handed over. */
int queue_refuse(const char *dir, struct err *err) __attribute__((warn_unused_result));

/* ---- for whoever holds the lock ---- */

/* Is there a request? `dir` is the league's folder (const char *). For source_watch. */
bool queue_waits(void *dir);
/* Does what is in the queue; league->between. What fails is the answer of that request; an error here means
 * that the batch may not go on (batch->torn). */
int queue_work(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
