/* The audit of a league's results, from which its ratings follow: the journal, and what the games' own journals say, in;
 * findings out. Pure; the first thing that is wrong ends it. Every record is applied by results_apply, which computes all
 * ratings again; each result is compared with its game, where that is there (compete/played.h).
 * src/journal/COMPETITIONS.md, "Results", has the list of checks. */
#ifndef AUDIT_AUDIT_RESULTS_H
#define AUDIT_AUDIT_RESULTS_H

#include "audit/audit.h"
#include "compete/results.h"

#define AUDIT_RESULTS_LATE ((int64_t)86400)

enum audit_rated { AUDIT_RATED_NOT, AUDIT_RATED, AUDIT_RATED_UNKNOWN };
struct audit_results {
    struct slice journal;
    const unsigned char *league_key; /* that was given, NULL = none */
    /* The journal of a game; false: it is not there. */
    bool (*game)(void *arg, const char *name, struct str *journal);
    /* Is a competition rated, as its own journal says? */
    enum audit_rated (*competition)(void *arg, const char *name);
    void *arg;
};
struct audit_results_result {
    enum audit_verdict verdict; /* AUDIT_PARTLY: games are not there, or some that ended have no result yet */
    struct audit_finding first; /* of the verdict, when it is AUDIT_REFUTED or AUDIT_NEWER */
    int64_t latest;             /* the latest end of a game with a result */
    struct {
        int64_t results, rated, games, missing; /* games: compared; missing: not there */
        int64_t lacking;                        /* games that ended and have no result yet */
        size_t players;                         /* rated; who is in several lists counts in each */
    } counts;
    struct results results; /* up to the first fault; the caller releases it */
};
void audit_results_run(const struct audit_results *in, struct audit_results_result *result);
/* A game of the league's folder that is over: it must have a result, unless it ended shortly before the last ones. */
void audit_results_over(struct audit_results_result *result, const char *name,
                        const unsigned char create[HEAD_BYTES], int64_t ended);
/* Does this first line begin a journal of results? */
bool audit_is_results(struct slice line);

#endif
