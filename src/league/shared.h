/* A league that several hosts share by [store] type = postgres: from league.ini to cluster/cluster.h. */
#ifndef LEAGUE_SHARED_H
#define LEAGUE_SHARED_H

#include <stdbool.h>

#include "cluster/cluster.h"
#include "league/league.h"

/* The way to its database, which the caller releases. ERR_CONFIG, also when the league is not shared. */
struct shared_way {
    struct cluster_way way;
    char *password, *config;
};
int shared_way(const struct league *league, struct shared_way *way, struct err *err)
    __attribute__((warn_unused_result));
void shared_way_release(struct shared_way *way);

/* Nothing happens where the league is not shared. Else takes the lease of all hosts (ERR_STALE: another one has it),
 * after which the folder is as it was left by the last one, and so is the catalog. */
int shared_take(struct league *league, struct err *err) __attribute__((warn_unused_result));
/* Makes the catalog again from what all hosts have of it. */
int shared_catalog(const struct league *league, struct err *err) __attribute__((warn_unused_result));
void shared_leave(struct league *league);
/* In a league that is open for work: something is not here that should be. True: this host's files are a copy, and the next one that
 * opens the league here compares them with the database first. False: the league has it nowhere. */
bool shared_doubt(const struct league *league);
/* May this process still decide? True where the league is not shared. ERR_TEMP. */
int shared_holds(const struct league *league, struct err *err) __attribute__((warn_unused_result));
/* Follows the host that decides, until the lease is free or *stop. */
int shared_follow(struct league *league, const volatile bool *stop, struct err *err)
    __attribute__((warn_unused_result));

#endif
