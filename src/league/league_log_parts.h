/* What the files of the league's log share. */
#ifndef LEAGUE_LEAGUE_LOG_PARTS_H
#define LEAGUE_LEAGUE_LOG_PARTS_H

#include <pthread.h>

#include "league/league_log.h"
#include "tlog/tiles.h"

struct league_log {
    const struct league *league;
    char *dir, *path; /* the folder; its entries */
    struct policy policy;
    struct tiles *tiles;     /* of what is settled */
    int64_t bytes, appended; /* of entries: settled; and appended since */
    int64_t time;            /* of the last entry, with what is pending */
    int64_t settled_time;
    int64_t published; /* entries under the checkpoint that was signed last */
    int64_t program;   /* entries up to the last `program`, 0 = none */
    int64_t lost;      /* the same of `lost` */
    bool named;        /* and that names this program, or it cannot be named */
    struct str pending;
    pthread_mutex_t lock; /* proofs: tiles are read through a cache */
};

/* Whole lines of the entries from a byte on, a piece at a time, so that a long log takes no memory. */
struct piece_reader {
    int (*take)(void *arg, struct slice lines, struct err *err);
    void *arg;
};

/* *end: after the last whole line. */
int league_log_read(const char *path, int64_t from, const struct piece_reader *reader, int64_t *end,
                    struct err *err);
/* One by its number, whose line is kept. */
int league_log_entry(const struct league_log *log, int64_t index, struct str *line, struct log_entry *entry,
                     struct err *err) __attribute__((warn_unused_result));
/* The note of a checkpoint whose size and root are set: the league's signature. */
void league_log_sign(const struct league_log *log, struct checkpoint *checkpoint, struct str *note);

#endif
