/* What a competition asks of those who enter: `conditions` in its `create`, and `found` in each `enter`, what the league found
 * of the player then (src/journal/COMPETITIONS.md, "Conditions"). */
#ifndef COMPETE_CONDITIONS_H
#define COMPETE_CONDITIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "journal/record.h"
#include "league/registry.h"

#define CONDITION_RATING  ((int64_t)1000000000000) /* millionths, either way */
#define CONDITION_GAMES   10000
#define CONDITION_RUNNING 1000

/* Zeros: nothing is asked. */
struct conditions {
    bool rated;                   /* a rating of the competition's ruleset is asked for: */
    int64_t rating;               /* at least so many millionths, as lists show it */
    int games;                    /* of the ruleset, played to their end: at least so many */
    int prompt;                   /* percent of the turns for which orders came in time: at least */
    int running;                  /* games that they play at the time: at most; 0 = any number */
    bool key;                     /* no mail domain's word counts for an entry */
    char (*invited)[PLAYER_NAME]; /* nobody else may enter; sorted, owned */
    size_t invited_count;
    int64_t results; /* the last record of the results that an entry named: later ones name no earlier one */
};
void conditions_release(struct conditions *conditions);
/* Does it ask for anything that must be looked up? */
bool conditions_look(const struct conditions *conditions);
/* Do they follow from the results of the league? */
bool conditions_rank(const struct conditions *conditions);

/* Another one of the invited, in their order; who is there already is not there twice. */
void conditions_invite(struct conditions *conditions, const char *name);
/* The member of `create`; NULL = it asks for nothing. New reference. */
json_t *conditions_json(const struct conditions *conditions);
/* Reads it. NULL = there are none. ERR_BROKEN: it is not as it is written; ERR_NEWER: it asks for what is unknown. */
int conditions_read(struct conditions *conditions, const json_t *json, const struct record *record,
                    struct err *err) __attribute__((warn_unused_result));

/* What was found of a player. */
struct entry_found {
    bool rated; /* they have a rating */
    int64_t rating, games;
    int64_t seq; /* the last record of the results that it follows from; 0 = the league has none */
    unsigned char head[HEAD_BYTES];
    int64_t turns, missed; /* that awaited them, in all games; of these without orders */
    int64_t running;
};
/* The member of `enter`: what these conditions ask for, and no more; NULL = nothing. New reference. */
json_t *found_json(const struct entry_found *found, const struct conditions *conditions);
/* False: it does not hold what they ask for, or more. `json` may be NULL. */
bool found_read(struct entry_found *found, const json_t *json, const struct conditions *conditions);

enum condition {
    CONDITION_MET,
    CONDITION_KEY,
    CONDITION_INVITED,
    CONDITION_UNRATED, /* they have no rating */
    CONDITION_LOW,     /* too low a one */
    CONDITION_FEW,     /* games */
    CONDITION_LATE,    /* orders */
    CONDITION_BUSY
};
/* The first that the player does not meet. Who no turn has awaited yet was never late. `keyed`: it is not a mail domain's
 * word alone that they enter. */
enum condition conditions_met(const struct conditions *conditions, const char *player, bool keyed,
                              const struct entry_found *found);

/* "20", "17.5", "-3.25", up to six digits and six decimals: millionths. */
bool rating_figure(struct slice text, int64_t *micro);
/* A rating as lists show it: "12.34". */
#define RATING_TEXT 32
void rating_text(char out[RATING_TEXT], int64_t micro);

#endif
