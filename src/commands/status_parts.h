/* What the files of `status` share (status.c gathers, status_show.c prints); for no others. */
#ifndef COMMANDS_STATUS_PARTS_H
#define COMMANDS_STATUS_PARTS_H

#include <jansson.h>

#include "batch/batch.h"
#include "commands/compete.h"
#include "commands/fate.h"

/* What is counted for one player. */
struct person {
    const struct player *player;
    int games, awaited;
    int64_t deadline; /* the next one that waits for them */
    size_t unsent, digest, retrying, given_up;
    struct catalog_bounce bounce; /* player "" = none */
    struct fate *mails; /* the last ones: what is in the spool, then what happened to others, newest first */
    size_t mail_count;
};

struct status {
    struct league *league;
    struct catalog *catalog;
    struct registry registry;
    struct person *people; /* as registry.players */
    char *spool;
    int64_t now;
    size_t running, over, overdue, paused, held;
    int64_t next;
    struct compete_found competitions;
    struct catalog_clock clock; /* what is known of the rounds of work */
    int64_t round;              /* the last one, whole or not; 0 = none is known */
    bool late;                  /* it is too long ago */
    int64_t looked;             /* what was due by then must have been done */
    int64_t sent;               /* the last mail; 0 = none is known */
    struct status_waiting {
        int64_t mailbox, spool; /* since when the oldest mail waits there; 0 = none does */
        int64_t untried;        /* the oldest in the spool that nobody has tried to send; 0 = there is none */
    } waiting;
    size_t unsent, digest, retrying, given_up;
    struct spool_pause pause; /* until 0 = none */
    struct catalog_game game; /* the last one looked up */
    json_t *troubles;
    int code;
};

/* Everything, or what concerns one player (`only`, may be NULL). */
void status_print(const struct status *status, const struct person *only);
void status_print_json(const struct status *status, const struct person *only);
/* What happened to one mail, as text or JSON. */
int status_print_mail(struct status *status, const char *id, bool json, struct err *err)
    __attribute__((warn_unused_result));

#endif
