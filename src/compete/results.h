/* The results of a league: a journal of the reserved name `results`, from which its ratings follow, and nothing else
 * (journal/COMPETITIONS.md, "Results"). One record `result` a game that has ended, in the order in which the league wrote
 * them; ended games are never rolled back, so no result is taken back either.
 *
 * Pure: records in, lists of players out. What a game's own journal says is compete/played.h; that each game has its
 * result is the work of batch/results.h. */
#ifndef COMPETE_RESULTS_H
#define COMPETE_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "journal/record.h"
#include "league/registry.h"
#include "rating/ladder.h"
#include "rules/ruleset.h"

#define RESULTS_NAME    "results"
#define RESULTS_RULESET 33 /* bytes of a ruleset's name, with NUL */

/* Why a result moves no rating; the words are in the records. */
enum unrated {
    RATED,
    UNRATED_VOID,        /* the game ended without a result */
    UNRATED_UNANSWERED,  /* it has never begun */
    UNRATED_SOLO,        /* it had one seat */
    UNRATED_PEOPLE,      /* fewer than two people were dealt in */
    UNRATED_TRUST,       /* a mail domain's word counted in it, and the league rates signed games only */
    UNRATED_COMPETITION, /* it was of a competition that is not rated */
    UNRATED_COUNT
};
const char *unrated_word(enum unrated why);

/* A seat by who was dealt in: it is their result, whoever sat there at the end. */
struct results_seat {
    char name[PLAYER_NAME]; /* "" = nobody, as the game has never begun */
    bool robot;
    bool left; /* somebody else had the seat at the end: last */
    int rank;  /* 1 = best, equal = tie; 0 = there are no ranks */
};
struct results_game {
    char of[GAME_NAME]; /* the game */
    unsigned char create[HEAD_BYTES];
    int64_t end; /* the number of its record `end`, */
    unsigned char head[HEAD_BYTES];
    int64_t ended; /* its time */
    char ruleset[RESULTS_RULESET];
    int version;
    enum unrated unrated;
    int seats;
    struct results_seat seat[SEATS_MAX + 1]; /* [1..seats] */
};

/* What `create` fixes. */
struct results_anchor {
    char robot[PLAYER_NAME];
    int64_t mu, sigma; /* millionths */
};
struct results_terms {
    unsigned char league_key[32];
    bool by_mail;    /* games count in which a mail domain's word did */
    int provisional; /* below so many games */
    struct results_anchor *anchors;
    size_t anchor_count;
};
void results_terms_release(struct results_terms *terms);
/* "robot1 25 1, easy 18.5 2": name, mu and sigma, with up to six decimals; at most 64, in any order, none twice. ERR_CONFIG
 * says what is wrong. */
int results_anchors(struct results_terms *terms, const char *text, struct err *err)
    __attribute__((warn_unused_result));
/* By the first record of a journal. ERR_BROKEN, ERR_NEWER. */
int results_terms_read(struct results_terms *terms, const struct record *record, struct err *err)
    __attribute__((warn_unused_result));

struct results_ladder {
    char ruleset[RESULTS_RULESET];
    struct ladder ladder;
    int games; /* that were rated */
};
struct results {
    struct results_terms terms;
    struct results_ladder **ladders; /* by name of the ruleset */
    size_t ladder_count, ladder_cap;
    int64_t seq, time;
    unsigned char head[HEAD_BYTES];
    unsigned char (*known)[HEAD_BYTES]; /* `create` of the games that have a result: a hash table */
    size_t known_count, known_size;
};
void results_init(struct results *results);
void results_release(struct results *results);

/* How a journal is read. */
struct results_reading {
    int64_t until; /* only records of that time or before; 0 = all */
    /* Called after each result has been applied; `ladder` (NULL: not rated) is that of its ruleset, as it is now.
     * `seq` of the result. -1 stops. May be NULL. */
    int (*each)(void *arg, int64_t seq, const struct results_game *game, const struct ladder *ladder,
                struct err *err);
    void *arg;
};
/* ERR_BROKEN names the record; `results` then holds what was good before it. */
int results_read(struct results *results, struct slice journal, const struct results_reading *how,
                 struct err *err) __attribute__((warn_unused_result));
/* The next line of a journal alone, which is read as above; *past: it is later than `until`, and was not applied. */
int results_line(struct results *results, struct slice line, const struct results_reading *how, bool *past,
                 struct err *err) __attribute__((warn_unused_result));
/* One record, which was found where it belongs. *game: of a `result`. */
int results_apply(struct results *results, const struct record *record, struct results_game *game,
                  const struct ladder **ladder, struct err *err) __attribute__((warn_unused_result));
bool results_has(const struct results *results, const unsigned char create[HEAD_BYTES]);
/* NULL: nobody has a rated game of it. */
const struct results_ladder *results_ladder(const struct results *results, const char *ruleset);

/* The members of records; new references. */
json_t *results_create_json(const struct results_terms *terms);
json_t *results_game_json(const struct results_game *game);
/* The members of a `result`; ERR_BROKEN: they cannot be. */
int results_game_read(struct results_game *game, const struct record *record, struct err *err)
    __attribute__((warn_unused_result));
/* NULL = they say the same; else the member in which they differ. */
const char *results_differ(const struct results_game *a, const struct results_game *b);

#endif
