/* What happens to a competition: each function makes one record and applies it. Pure; the caller commits
 * (batch/competing.h). ERR_UNSOUND: it is not to be recorded, as no reader would take it. */
#ifndef COMPETE_STEP_H
#define COMPETE_STEP_H

#include "compete/competition.h"
#include "compete/outcome.h"
#include "trust/secret.h"

/* Borrowed secrets of the league, and the time. */
struct compete_step {
    const struct secret *key;
    const unsigned char *vrf_secret, *vrf_public;
    int64_t now;
    const json_t
        *outside; /* for `round`: who plays a duplicate deal outside of the ranking, [{"player","why"}];
                            * NULL = nobody */
    /* Judges each record as the audit would (audit/gate.h), with the competition as it is before it; NULL: nobody does. */
    int (*judge)(const struct competition *c, const struct record *record, struct err *err);
    struct str records, entries; /* lines: the journal's, and the log's */
};
void compete_step_init(struct compete_step *step, int64_t now);
void compete_step_release(struct compete_step *step);

/* What `create` says; all borrowed. */
struct new_competition {
    const char *name;
    enum compete_kind kind;
    const struct ruleset *ruleset;
    int options[GAME_OPTIONS];
    int seats;
    unsigned char nonce[32]; /* random */
    int64_t entries_until, confirm_until, protest;
    const int64_t (*rounds)[2]; /* draw, end */
    int round_count;
    int bye, most;
    enum compete_adjudge adjudge;
    bool by_mail, rated;
    const char *zone, *director;
    const struct schedule *clock;
    const struct conditions *conditions; /* of entering; NULL = none */
    int field;                           /* of duplicate deals: robots that play them */
    const json_t *outside;               /* and names of the operator's own players, sorted; or NULL */
    const json_t *divisions;             /* lists of names, the highest first; or NULL */
    int promote, division_size;          /* of divisions */
    int walkover;                        /* and halves of points where the opponent does not play any more */
    const struct competition *previous;  /* the season before, closed; or NULL */
    struct quorum witnesses;
    int64_t unwitnessed; /* seconds after which a round is drawn without them, 0 = never */
    int64_t next;        /* seconds from its last end to the next season's first draw; 0 = there is none */
    const unsigned char *request; /* 32 bytes: of the command that asked for it; or NULL */
};
/* ERR_INPUT: a sentence for whoever wants it. */
int compete_create(struct compete_step *step, struct competition *c, const struct new_competition *how,
                   struct err *err) __attribute__((warn_unused_result));
/* Why a player cannot "enter", "confirm" or "withdraw" by this text now (members of its record; NULL: by none, which withdraws alone):
 * "closed", "removed", "not_in", "is_in", "too_late", "is_drawn" (their next game is being made), "full", "no_confirm",
 * "is_confirmed"; NULL = they can. */
const char *compete_entry_wrong(const struct competition *c, const char *type, const char *player,
                                const json_t *text, int64_t now);
/* Until when one can enter for the next round; 0 = not any more. */
int64_t compete_entries_end(const struct competition *c);
/* "enter", "confirm" or "withdraw" of a player; `evidence` (borrowed) holds whose text it was, and of
 * "enter" what was found (compete/conditions.h). */
int compete_entry(struct compete_step *step, struct competition *c, const char *type, const char *player,
                  const json_t *evidence, struct err *err) __attribute__((warn_unused_result));
/* The players of the next round are fixed, for its witnesses; one has answered, as quorum_check has found; too few have for three days. */
int compete_fix(struct compete_step *step, struct competition *c, struct err *err)
    __attribute__((warn_unused_result));
int compete_witness(struct compete_step *step, struct competition *c, const struct witness_said *said,
                    struct err *err) __attribute__((warn_unused_result));
int compete_late(struct compete_step *step, struct competition *c, struct err *err)
    __attribute__((warn_unused_result));
/* Draws the next round. */
int compete_round(struct compete_step *step, struct competition *c, struct err *err)
    __attribute__((warn_unused_result));
/* The nonce of the game of a table, with its proof. */
int compete_prove_table(const struct compete_step *step, const struct competition *c, int round, int table,
                        unsigned char proof[VRF_PROOF], unsigned char nonce[SEAL_NONCE], struct err *err)
    __attribute__((warn_unused_result));
/* The games of some tables are there: `games` is the record's list. Takes ownership. */
int compete_made(struct compete_step *step, struct competition *c, int round, json_t *games, struct err *err)
    __attribute__((warn_unused_result));
int compete_result(struct compete_step *step, struct competition *c, const struct compete_outcome *outcome,
                   struct err *err) __attribute__((warn_unused_result));
/* The robots have played the deal of the last round: `scores`, c->terms.field of them (field.h). */
int compete_field(struct compete_step *step, struct competition *c, const int *scores, struct err *err)
    __attribute__((warn_unused_result));
/* A moderator's word: "remove" `player`; "points" (halves) for `player`; "rank" of a table that waits for a ruling, or
 * whose result is not final. `fields` has what it says, with evidence; takes ownership. */
int compete_adjust(struct compete_step *step, struct competition *c, json_t *fields, struct err *err)
    __attribute__((warn_unused_result));
int compete_close(struct compete_step *step, struct competition *c, struct err *err)
    __attribute__((warn_unused_result));

/* ---- when ---- */

enum compete_due {
    COMPETE_WAITS,  /* nothing before `when` (0 = for games or people) */
    COMPETE_FIXES,  /* who plays in the next round, for its witnesses */
    COMPETE_LACKS,  /* witnesses of the next round: too few have answered for three days */
    COMPETE_DRAWS,  /* the next round */
    COMPETE_MAKES,  /* games of the last round are to be made */
    COMPETE_PLAYS,  /* games run: look whether some have ended */
    COMPETE_FIELDS, /* robots play the deal of the last round */
    COMPETE_ENDS,   /* the round is over, and games are not: they are adjudged */
    COMPETE_CLOSES
};
enum compete_due compete_due(const struct competition *c, int64_t now, int64_t *when);

#endif
