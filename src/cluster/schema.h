/* The tables of a league in PostgreSQL. One schema holds one league.
 *
 *   league  one row: which league it is, who decides and for how long, how many commits there were; why nobody may decide any
 *           more (closed: "moved" into files, "lost" commits that a host has seen), and how often operators have said what counts
 *   file    a row for each file, and for some time for each that is gone (size -1)
 *   part    its bytes, in pieces that lie one after the other
 *   done    the commits of the last days by their random ids
 *
 * No sequences, no advisory locks, no triggers: what other databases that speak PostgreSQL's protocol have as well.
 * Bytes are bytea, so that what is signed stays as it is. The view `journal` is for readers: journals of games,
 * which are public, and nothing else. */
#ifndef CLUSTER_SCHEMA_H
#define CLUSTER_SCHEMA_H

#include "cluster/pg.h"

/* Whoever changes the tables after 1.0 counts this up, with the statements that bring those of the version before to it. */
#define SCHEMA_VERSION 1

/* Makes the schema, its tables and their one row, in one transaction; ERR_INPUT when they are there. `life`: 16
 * random bytes that name what is kept there. */
int schema_make(struct pg *pg, const unsigned char life[16], struct err *err)
    __attribute__((warn_unused_result));
/* Removes them, and nothing else that is in the schema. */
int schema_drop(struct pg *pg, struct err *err) __attribute__((warn_unused_result));
/* ERR_MISSING: there are none; ERR_NEWER. */
int schema_check(struct pg *pg, struct err *err) __attribute__((warn_unused_result));

#endif
