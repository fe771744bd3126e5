/* Mails that show pictures, while mails are sent: they are painted meanwhile (picture/easel.h), and as they are
 * ready it is decided which mail leaves with its own, and which without (mail/undecided.h). */
#ifndef WORK_SHOWING_H
#define WORK_SHOWING_H

#include "batch/batch.h"
#include "mail/undecided.h"
#include "picture/easel.h"

#define SHOWING_SECONDS 60 /* that a picture may take, from when its mail could leave */

struct showing {
    struct batch *batch;
    const volatile bool *stop; /* or NULL */
    char *dir;                 /* of pictures */
    struct undecided_list undecided;
    const char **digests; /* theirs, all that there were; copied */
    char (*copies)[PICTURE_DIGEST];
    size_t settled;              /* of these it is decided; they are in the same order */
    struct templates *templates; /* the easel's */
    struct easel *easel;         /* NULL: nothing is painted */
    int64_t end;                 /* clock_milliseconds: those that are not ready leave without */
};

/* Looks which they are, and begins to paint. Without any it costs one look at the spool. */
int showing_begin(struct showing *showing, struct batch *batch, const volatile bool *stop, struct err *err)
    __attribute__((warn_unused_result));
/* Decides about those whose pictures are ready, or never will be: they may be sent. */
int showing_decide(struct showing *showing, struct err *err) __attribute__((warn_unused_result));
/* Waits until it is worth while to decide and send again; false when there is nothing to wait for, or it is to stop.
 * What is undecided then stays so until the next start. */
bool showing_wait(struct showing *showing);
/* Also after an error. */
void showing_end(struct showing *showing);

#endif
