/* The audit of one competition: its journal, and what its games' own journals say, in; findings out. Pure, as the
 * audit of a game (audit.h), whose findings and verdicts it shares; the first thing that is wrong ends it.
 *
 * Every record is applied by compete_apply, which checks all that the journal alone shows: chain and signature,
 * who may enter when, proofs of draws, the tables that they give, ranks, the final table. Besides: the signed texts of
 * entries; and that tables and games are a bijection, each game being the one of its table from its first record to
 * its last. src/journal/COMPETITIONS.md, "Competitions", has the list.
 *
 * The games are audited by whoever calls this, with audit_played_take for each record that passed. */
#ifndef AUDIT_AUDIT_COMPETE_H
#define AUDIT_AUDIT_COMPETE_H

#include "audit/audit.h"
#include "compete/outcome.h"

/* A key that somebody had in a game. */
struct audit_held {
    char player[PLAYER_NAME];
    struct pubkey key;
};

/* How a duplicate deal was played in a game. */
#define AUDIT_TURNS 64 /* whose times are compared */
struct audit_deal {
    bool begun;
    unsigned char digest[32];        /* of the state that was dealt, as `start` names it */
    void *state;                     /* that state, owned; NULL = its seals are not open here */
    const void *cards;               /* which are the built-in ones, and are never freed */
    int64_t opened;                  /* time of `start` */
    int64_t closed[AUDIT_TURNS + 1]; /* times of `turn`, by its number; 0 = none */
};

/* What the journal of a game says that concerns its competition. */
struct audit_played {
    char id[GAME_NAME];
    struct game_place place; /* name "": it is of no competition */
    unsigned char create_head[HEAD_BYTES], nonce[SEAL_NONCE];
    json_t *create; /* its first record, owned */
    int seats;
    char player[SEATS_MAX + 1][PLAYER_NAME];  /* [1..seats]: whom `table` of `create` names, robot or not */
    json_t *entered[SEATS_MAX + 1]; /* by whose texts they sit there (compete_entry_text), owned; NULL of robots */
    struct audit_held *held;
    size_t held_count, held_cap;
    struct audit_deal deal;
    int64_t moderated; /* records of moderators' decisions */
    bool ended;
    int64_t end_time;
    unsigned char end_head[HEAD_BYTES];
    struct compete_outcome outcome; /* with `ended` */
    bool broken;                    /* by its own audit: nothing of it counts. The caller sets it */
};
/* Of a zeroed struct: takes what a record adds; `game` as it is after it (audit.passed). The state of a deal is taken
 * where the game has been played by the rules, which takes its opened seals. */
void audit_played_take(struct audit_played *played, const struct record *record, const struct game *game);
void audit_played_release(struct audit_played *played);

struct audit_competition {
    struct lines *journal;
    const char *name;                /* that it must have, NULL = any */
    const unsigned char *league_key; /* that was given, NULL = none */
    const struct audit_played *games;
    size_t count;
    struct slice results;               /* journal of the league's results; empty = it is not there */
    const struct competition *previous; /* the season before, which `create` names; NULL = it is not there */
    bool whole; /* these are all games of its league: one that is not there was taken away */
    void (*found)(void *arg, const struct audit_finding *finding);
    void *arg;
};

struct audit_competition_counts {
    int64_t draws, tables, results, games; /* games: compared with their tables */
    int64_t signatures;                    /* of entries */
    int64_t missing;                       /* games that were made and are not there */
    /* On the operator's word: */
    int64_t unasked, vouched,
        strangers;   /* texts: by nobody's key; by a domain; by another key than the one before */
    int64_t figures; /* what was found of those who entered, where it cannot be computed again */
    int64_t late;    /* who left, or was taken out, in the last day before a draw */
    int64_t adjusted, adjudged, robots; /* seats that were a robot's from the start */
    int64_t overtime; /* results of games that ended after their round, where that is a tie */
    int64_t fields,
        unplayed;    /* robots' fields of deals: played again; not, as no game of the deal is open here */
    int64_t outside; /* who played a deal outside of the ranking */
    int64_t uneven;  /* turns of a deal that ended in one game later than in others */
    int64_t absent;  /* answers of witnesses, without which a round was drawn */
    int64_t moderated, unlike; /* games with a moderator's decision; of other settings than the first */
};
struct audit_competition_result {
    enum audit_verdict verdict; /* AUDIT_PARTLY: games are not there */
    struct audit_finding first; /* of the verdict, when it is AUDIT_REFUTED or AUDIT_NEWER */
    char name[COMPETE_NAME];
    char kind[12];
    const struct ruleset *ruleset;
    unsigned char league_key[32], head[HEAD_BYTES];
    int64_t records, begun, ended; /* times of its first and last record */
    size_t players;                /* who have been in a round */
    int rounds, rounds_drawn;
    bool closed;
    int witnesses, need; /* of its draws, and how many of them have to answer */
    int gave_up;         /* the round from which on there are none; 0 = they were not given up */
    struct audit_competition_counts counts;
};
/* ERR_IO and the like: the journal could not be read. */
int audit_competition_run(const struct audit_competition *in, struct audit_competition_result *result,
                          struct err *err) __attribute__((warn_unused_result));
/* Does this first line begin a competition's journal? */
bool audit_is_competition(struct slice line);

#endif
