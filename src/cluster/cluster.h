/* A league whose files several hosts share through PostgreSQL. One of them decides at a time, any of them can.
 *
 * The database is the disk. The host that holds the league's lease works on its own copy of the files, exactly as a league
 * without a database does; only that each sync (base/keep.h) is a transaction with all that has changed since the
 * last one. So a host that dies is to the league what a power cut is to a single one: what was synced is there, all
 * else is not, and the next start recovers (batch/README.md). Which host starts next makes no difference.
 *
 * A commit names the lease's fence and its own number, so one by a host that has lost the lease changes nothing. If
 * its answer is lost, the commit's random id is asked for: the one who inserts it first decides whether it happened.
 *
 * A host that does not hold the lease follows: it brings its copy up to date each second, and takes the lease when
 * it is over. A copy that may hold more than the database has (its host had crashed) is compared with it, file by
 * file; files that the database does not know are moved into store/stray. */
#ifndef CLUSTER_CLUSTER_H
#define CLUSTER_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "cluster/pg.h"

#define CLUSTER_FOLDER "store" /* of the league: this host's own notes */
#define CLUSTER_HOST   64      /* bytes of a host's name, with NUL */
#define CLUSTER_NAMES  128

struct cluster_way {
    struct pg_way pg;
    const char *dir;    /* the league's folder */
    const char *config; /* what all hosts must have the same: see cluster_agree */
    int lease;          /* seconds */
    bool synchronous;   /* nothing that was committed is lost when another server becomes the database... */
    bool named;         /* ... as a second server has it: without one nothing is committed */
    bool accept;        /* the database counts, even if it has less than this host has seen */
    bool instead;       /* cluster_copy_in: in place of what is there */
};

struct cluster; /* opaque */

/* Connects, and looks whether this host may take part: the tables' version, `config`, the copy in the folder.
 * ERR_TEMP: the database cannot be reached; ERR_CONFIG, ERR_MISSING, ERR_NEWER. `way` is copied. */
int cluster_open(const struct cluster_way *way, struct cluster **out, struct err *err)
    __attribute__((warn_unused_result));
/* Takes the lease, if it is free, and brings the copy up to date: from now on changes of files are kept by the
 * database, until cluster_close. *fresh: what this host has besides (the catalog) has to be made again. ERR_STALE,
 * naming the host, when another one has it. */
int cluster_take(struct cluster *cluster, bool *fresh, struct err *err) __attribute__((warn_unused_result));
/* Brings the copy up to date without the lease; *free: the lease could be had. */
int cluster_follow(struct cluster *cluster, bool *free, struct err *err) __attribute__((warn_unused_result));
/* Commits what is left, gives the lease back. */
void cluster_close(struct cluster *cluster);

/* Has a host's folder anything of the league yet? Its first start fetches it. */
bool cluster_has_copy(const char *dir);
/* This host is about to work on the files of `dir` alone: if they were a copy, it is noted that they are none any more, so that
 * the database cannot take their place later without being asked to. */
int cluster_without(const char *dir, struct err *err) __attribute__((warn_unused_result));
/* The same of a folder that is no copy of any database's league, whatever [store] says: a backup that was restored. */
int cluster_apart(const char *dir, struct err *err) __attribute__((warn_unused_result));

/* ---- while this process holds a lease ---- */

/* The copy lacks something that should be there: when it is taken next, all its files are compared with the database, whatever is
 * noted of it. False: that was done when it was taken now, so the database lacks it as well. */
bool cluster_doubt(struct cluster *cluster);

/* False when it may have run out, so that nothing may be sent or decided any more; true in a process without a
 * lease of any league. */
bool cluster_holds(void);
/* Round trips to the database so far. */
size_t cluster_trips(const struct cluster *cluster);

/* ---- for operators (commands/store.c) ---- */

/* Makes the tables, and puts all files of the folder there, with `config`. ERR_INPUT when a league is there already.
 * *count: files. */
int cluster_copy_in(const struct cluster_way *way, size_t *count, struct err *err)
    __attribute__((warn_unused_result));
/* Compares the copy with the database by contents, and puts it right. */
int cluster_copy_out(struct cluster *cluster, size_t *count, struct err *err)
    __attribute__((warn_unused_result));
/* By whoever has the lease: the league goes on in this host's files, and no host decides from the database any more, until
 * cluster_copy_in, cluster_intact or a cluster_way that accepts. */
int cluster_move_out(struct cluster *cluster, struct err *err) __attribute__((warn_unused_result));
/* From now on what this host has counts as the league's configuration. */
/* ERR_STALE while a host decides. */
int cluster_agree(const struct cluster_way *way, struct err *err) __attribute__((warn_unused_result));
/* Nothing is lost in the database, whatever has happened to it: hosts may go on. */
int cluster_intact(const struct cluster_way *way, struct err *err) __attribute__((warn_unused_result));

struct cluster_state {
    char host[CLUSTER_HOST]; /* who has or had the lease */
    bool held, mine, ready;
    char closed[16],
        closer[CLUSTER_HOST]; /* "" or why no host may decide, "moved" or "lost", and who has said so */
    int64_t left;             /* of the lease, in seconds */
    int64_t commits, behind;  /* how many there were; how many of them this copy lacks, -1 = unknown */
    int64_t files, bytes;
    int64_t clock;             /* the database's time less this host's, seconds */
    int64_t latency;           /* of a query, microseconds */
    int version;               /* of the server */
    char names[CLUSTER_NAMES]; /* of the standbys that its commits wait for, as it was set; "" = none */
    char commit[16];           /* synchronous_commit, as it would be if we said nothing */
    bool fsync, full_pages;    /* fsync, full_page_writes */
};
int cluster_state(struct cluster *cluster, struct cluster_state *state, struct err *err)
    __attribute__((warn_unused_result));

#endif
