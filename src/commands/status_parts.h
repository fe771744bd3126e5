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
