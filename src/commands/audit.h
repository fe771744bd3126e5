/* Shared by the files of the command `audit`; what an argument names, by `fairness` as well. */
#ifndef COMMANDS_AUDIT_H
#define COMMANDS_AUDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "audit/audit.h"
#include "dns/resolver.h"

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
/* Whether the proof beside a published journal shows that the log has it; nothing, where there is none. */
void audit_logged(struct str *out, const char *journal, const struct audit_result *result);
/* All of them, printed in their order; the counts by verdict. */
int audit_many(const struct audit_games *games, const struct audit_how *how, size_t counts[AUDIT_VERDICTS],
               struct err *err) __attribute__((warn_unused_result));

#endif
