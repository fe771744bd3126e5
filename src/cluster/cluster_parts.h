/* What the files of this room share; for no other room. */
#ifndef CLUSTER_CLUSTER_PARTS_H
#define CLUSTER_CLUSTER_PARTS_H

#include <pthread.h>

#include "base/file.h"
#include "base/keep.h"
#include "cluster/cluster.h"
#include "cluster/dirty.h"

#define LIFE 16 /* bytes that name what a database holds; also of a host, and of a commit */

/* This copy of the files (cluster/position.c). */
enum position_state {
    POSITION_UNKNOWN, /* there are no notes about it */
    POSITION_FILES,   /* since these, this host has worked without the database */
    POSITION_WORKING, /* it may have more than these commits, or half of one */
    POSITION_COPY,    /* it has exactly these, made by other hosts */
    POSITION_OWN      /* exactly these, and all else that this host has is up to date as well */
};
struct position {
    enum position_state state;
    unsigned char life[LIFE];   /* of the database */
    int64_t seq;                /* it has all commits up to this one, */
    unsigned char commit[LIFE]; /* whose id this is; zeros where seq is 0 */
    int64_t said;               /* so often operators had said what counts (league.said) */
};

struct cluster {
    struct pg *pg; /* NULL: the connection was lost */
    struct pg_way way;
    char *dir, *database, *password, *config;
    int lease;
    unsigned char self[LIFE]; /* this copy's own name */
    char host[CLUSTER_HOST];
    struct position position;
    bool compared; /* all files, when it was brought up to date */
    bool doubted;  /* they are to be compared the next time */

    bool synchronous, named, accept; /* as in struct cluster_way */
    int64_t
        timeline; /* of the server: each time another one becomes the database it is a new one; 0 = unknown */

    bool held;
    struct keeper keeper;
    struct dirty dirty;
    pthread_mutex_t shipping; /* one commit at a time */
    int64_t fence;
    bool broken;    /* nothing can be committed any more */
    struct err why; /* because of this */

    pthread_t beating; /* the thread that renews the lease */
    bool beats;
    _Atomic bool ends; /* it is to end */
};

/* ---- connect.c ---- */

/* A connection that works, made again if need be. */
int cluster_connect(struct cluster *cluster, struct err *err) __attribute__((warn_unused_result));
void cluster_disconnect(struct cluster *cluster); /* the next time by another one */
/* <dir>/<name>; the caller frees. */
char *cluster_path(const struct cluster *cluster, const char *name) __attribute__((warn_unused_result));

/* The copy has to be one of the league in the database, which must not have lost what the copy has. ERR_CONFIG. *lost: it has, and
 * cluster_tell has to say so when nothing else is under way. */
int cluster_check(struct cluster *cluster, bool *lost, struct err *err) __attribute__((warn_unused_result));
/* Leaves a mark in the database, which all hosts obey: this one has seen commits that are lost. */
void cluster_tell(struct cluster *cluster);

/* ---- position.c ---- */
int position_read(struct cluster *cluster, struct err *err) __attribute__((warn_unused_result));
/* Notes cluster->position, durably; with it all files of the copy, unless it is POSITION_WORKING. */
int position_write(const struct cluster *cluster, struct err *err) __attribute__((warn_unused_result));
/* The same of one that is POSITION_WORKING already: only its number, and not durably. */
int position_note(const struct cluster *cluster, struct err *err) __attribute__((warn_unused_result));

/* ---- decide.c ---- */
/* In SQL: the standbys that commits wait for, "" = none; other databases than PostgreSQL do not know the words. And whether one may
 * be committed, where $n is 1 if there have to be some. */
#define DECIDE_NAMES "coalesce(current_setting('synchronous_standby_names', true), '')"
#define DECIDE_SURE(n) \
    "current_setting('synchronous_commit') = 'on' AND (" n " = 0 OR " DECIDE_NAMES " <> '')"
/* Sends what such a transaction begins with. */
int decide_begin(struct pg *pg, struct err *err) __attribute__((warn_unused_result));
/* Sends its end and, if there is any, what is asked right after it, in the same round trip; waits. PG_LOST also where the server warns
 * that no standby may have it. */
struct decide_after {
    const char *sql;
    const struct pg_args *args;
};
enum pg_fate decide_end(struct pg *pg, const struct decide_after *after, struct err *err)
    __attribute__((warn_unused_result));
/* The whole of one with one query, whose rows stay. */
int decide(struct cluster *cluster, const char *sql, const struct pg_args *args, struct err *err)
    __attribute__((warn_unused_result));
/* ERR_TEMP: there are no standbys that commits wait for, and there have to be. -1. */
int decide_unnamed(struct err *err);

/* ---- ship.c ---- */
/* Commits what has changed. After an error nothing can be committed any more. */
int ship(struct cluster *cluster, struct err *err) __attribute__((warn_unused_result));

/* ---- mirror.c ---- */
/* Brings the copy up to date: from its position, or, where that is not exact, by comparing all. It is POSITION_COPY
 * afterwards, and noted, or still POSITION_OWN. */
int mirror(struct cluster *cluster, struct err *err) __attribute__((warn_unused_result));
/* Compares all in any case. *count: files. */
int mirror_all(struct cluster *cluster, size_t *count, struct err *err) __attribute__((warn_unused_result));

/* ---- files.c ---- */
/* Names of all shared files of the copy, sorted. */
int files_list(const char *dir, struct file_names *names, struct err *err)
    __attribute__((warn_unused_result));

/* ---- lease.c ---- */
/* ERR_STALE when another host has it. *same: no other host has changed anything since this one had it last. */
int lease_take(struct cluster *cluster, bool *same, struct err *err) __attribute__((warn_unused_result));
int lease_begin(struct cluster *cluster, struct err *err)
    __attribute__((warn_unused_result)); /* of renewing it */
void lease_renewed(const struct cluster *cluster,
                   int64_t asked);                   /* `asked`: clock_milliseconds() before that */
void lease_committed(const struct cluster *cluster); /* cluster->position is its last commit */
void lease_lost(void);                               /* cluster_holds is false from now on */
void lease_end(struct cluster *cluster);
/* Is it free? ERR_CONFIG when no host may have it. */
int lease_look(struct cluster *cluster, bool *free, struct err *err) __attribute__((warn_unused_result));
/* Why the lease was not given, or something was refused to whoever has it. ERR_STALE: another host has it. -1. */
int lease_refused(struct cluster *cluster, struct err *err);

#endif
