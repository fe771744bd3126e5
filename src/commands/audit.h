/* Shared by the files of the command `audit`; what an argument names, by `fairness` as well. */
#ifndef COMMANDS_AUDIT_H
#define COMMANDS_AUDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "audit/audit.h"
#include "dns/resolver.h"
#include "tlog/policy.h"

/* One game, or competition, to look at. */
struct audit_game {
    char *journal;  /* a path */
    char *league;   /* the folder of the league it is in, or NULL */
    char *name;     /* as it was named on the command line */
    const char *id; /* that it must have; NULL = any. In `name` */
    char *games;    /* of a competition: the folder of its games, or ""; NULL = it is a game */
};
struct audit_games {
    struct audit_game *list;
    size_t count, cap;
};
void audit_games_release(struct audit_games *games);
/* Adds what an argument names: a journal, a folder with one, a folder of such folders, a league, or the name of a
 * game or competition in `league`. A competition brings its games. ERR_MISSING, ERR_INPUT. */
int audit_games_add(struct audit_games *games, const char *name, const char *league, struct err *err)
    __attribute__((warn_unused_result));

#define AUDIT_JOBS 16 /* processes at most */

/* How to look. */
struct audit_how {
    enum audit_view view;
    int seat;
    const unsigned char *league_key; /* or NULL */
    const struct policy *policy;     /* by which proofs are checked; NULL = by the key */
    bool json;
    bool brief;                /* several games: a line each, with what is worth knowing only on request */
    bool verbose;              /* all that was found and checked */
    int jobs;                  /* processes */
    const struct dns_way *dns; /* or NULL: domains are not asked */
};
/* What was found in one game, ready to be printed; 0, or -1 when a file could not be read. */
int audit_one(const struct audit_game *game, const struct audit_how *how, struct str *out,
              enum audit_verdict *verdict, struct err *err) __attribute__((warn_unused_result));
/* The same for a competition (audit_compete.c). */
int audit_one_competition(const struct audit_game *game, const struct audit_how *how, struct str *out,
                          enum audit_verdict *verdict, struct err *err) __attribute__((warn_unused_result));
/* The same for the league's results (audit_ratings.c). */
int audit_one_results(const struct audit_game *game, const struct audit_how *how, struct str *out,
                      enum audit_verdict *verdict, struct err *err) __attribute__((warn_unused_result));
/* Does a journal begin with a line such as this? */
bool audit_begins(const char *journal, bool (*is)(struct slice line));
/* "The league's key is the one that was given", or that it should be compared. */
void audit_key_text(struct str *out, const struct audit_how *how, const unsigned char league_key[32]);
/* The journal that was read, up to its last record; all borrowed. */
struct audit_whole {
    const char *name;
    int64_t records, ended;                          /* number and time of the last record */
    const unsigned char *head, *create, *league_key; /* 32 bytes each: of the last, of the first record */
};
/* Does the league's log have it? Nothing else shows that the league has written it. */
struct audit_logged {
    enum { AUDIT_LOGGED_NOWHERE, AUDIT_LOGGED, AUDIT_LOGGED_OTHERWISE } how;
    int64_t entry;  /* AUDIT_LOGGED: from 1 on */
    struct err why; /* else: why not, if there is something to say */
};
/* By the proof beside a published journal, else by the log of the league that it is in. */
struct audit_logged audit_logged(const struct audit_game *game, const struct audit_whole *whole,
                                 const struct audit_how *how);
void audit_logged_text(struct str *out, const struct audit_logged *logged);
/* Where the log does not have it, the verdict is no more than that it is sound. */
enum audit_verdict audit_logged_code(const struct audit_logged *logged, enum audit_verdict verdict);
const char *audit_logged_verdict(const struct audit_logged *logged, enum audit_verdict verdict);
/* All of them, printed in their order; the counts by verdict. */
int audit_many(const struct audit_games *games, const struct audit_how *how, size_t counts[AUDIT_VERDICTS],
               struct err *err) __attribute__((warn_unused_result));

#endif
