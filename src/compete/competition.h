/* A competition as it is after its last record: what replay of competitions/NAME/journal.jsonl gives, and nothing
 * else (README.md says what the records hold).
 *
 * Records are the only thing that changes it: the league makes a record and applies it, a reader reads it and
 * applies it; compete_apply is the one place, and it checks everything that the journal alone can show: who is
 * in, that a draw gives these tables, that a result is of a game that was made. What the games' own journals say
 * is compared by the audit (audit/audit_compete.h). */
#ifndef COMPETE_COMPETITION_H
#define COMPETE_COMPETITION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "chance/vrf.h"
#include "compete/conditions.h"
#include "game/quorum.h"
#include "journal/record.h"
#include "journal/seal.h"
#include "league/registry.h"
#include "league/schedule.h"
#include "rules/ruleset.h"

#define COMPETE_NAME     17 /* bytes of a name, with NUL: NAME.ROUND.TABLE names a game */
#define COMPETE_ROUNDS   64
#define COMPETE_PLAYERS  10000
#define COMPETE_PAIRING  1 /* the newest that this program knows */
#define COMPETE_FOLDER   "competitions"
#define COMPETE_MADE     100 /* games in one `made` */
#define COMPETE_DIVISION 8
#define COMPETE_FIELD    1000    /* robots that play a duplicate deal, at most */
#define COMPETE_SCORE    1000000 /* points of a game, either way */
#define COMPETE_ADJUSTED 10000   /* halves: the most that a player may be given or taken */

enum compete_kind { COMPETE_TABLES, COMPETE_DIVISIONS, COMPETE_DUPLICATE };
/* What counts where a game has outlasted its round. */
enum compete_adjudge {
    ADJUDGE_TIE,
    ADJUDGE_MODERATOR,
    ADJUDGE_SCORES /* none does: games end with their round, by the points that they have then */
};

struct entrant {
    char name[PLAYER_NAME];
    bool in;        /* entered, and neither withdrawn nor removed */
    bool confirmed; /* for the season, where that is asked for */
    bool removed;   /* by a moderator: may not come back */
    bool seated;    /* has been in a round: counts in the standings */
    int late;       /* the round that they left less than a day before, 0 = none: they are drawn */
    int64_t seq;    /* of the record by which they are in or out */
    int adjusted;   /* halves of points that moderators gave or took */
    int entered;    /* how often */
    unsigned char mark[SEAL_BYTES]; /* of the text by which they are in: the last `enter` or `confirm` */
    json_t *
        entry; /* that text as the seats of their games have it: by, mail, text, signed or said and vouched; owned */
};

/* Why somebody plays a duplicate deal outside of the ranking. */
enum compete_outside { OUTSIDE_NOT, OUTSIDE_OPERATOR, OUTSIDE_MODERATOR, OUTSIDE_UNPROVED, OUTSIDE_COUNT };

/* How a table ended. */
enum table_fate { TABLE_PLAYS, TABLE_DONE, TABLE_VOID };
struct compete_table {
    int round, number, seats;
    char player[SEATS_MAX + 1][PLAYER_NAME]; /* [1..seats] */
    uint32_t gone; /* seats whose player had left when it was drawn: robots play there */
    bool made;
    unsigned char create[HEAD_BYTES]; /* head of the game's first record */
    enum table_fate fate;
    int64_t seq;                  /* of the record that says so */
    int rank[SEATS_MAX + 1];      /* 1 = best, equal ranks tie */
    int points[SEATS_MAX + 1];    /* the game's own */
    uint32_t left;                /* seats whose player had gone before the end */
    bool adjudged;                /* the round was over before the game was */
    enum compete_outside outside; /* of its only player, in a duplicate deal */
};

struct compete_round {
    int64_t draw, end; /* times, fixed in `create`; a deal that opened late ends as much later */
    int64_t opens;     /* of a duplicate deal that is drawn: its first turn; it ends with the round */
    int *field;        /* the scores of the robots, `terms.field` of them; NULL = not there (yet) */
    int attempt;       /* 0 = not drawn yet */
    int64_t seq;       /* of the `round` record */
    unsigned char head[HEAD_BYTES], digest[32];
    struct quorum_dice dice; /* what its proof gives, and its witnesses */
    size_t first, count;     /* its tables */
    int made, done;          /* of them */
    char (*byes)[PLAYER_NAME];
    size_t bye_count;
};

/* One division: its players by the numbers of Berger's tables, drawn with the first round. */
struct compete_division {
    char (*names)[PLAYER_NAME];
    int count;
};

struct compete_key_list {
    unsigned char league[32], vrf[VRF_PUBLIC], nonce[32];
};

/* What `create` fixes besides the games: who may come until when, and what counts. */
struct compete_terms {
    int64_t entries_until, confirm_until; /* times; the second 0 = nobody has to confirm */
    int64_t protest;                      /* seconds */
    int bye;                              /* halves of points for a bye */
    int walkover;                         /* of divisions: where the opponent does not play any more */
    int most;                             /* entries, 0 = COMPETE_PLAYERS */
    enum compete_adjudge adjudge;
    int64_t next; /* seconds from the last end to the next season's first draw; 0 = no next one by itself */
    bool by_mail, rated;
    char director[PLAYER_NAME]; /* who plays in it and leads it, "" = nobody does both */
    int field;                  /* robots that play each duplicate deal */
    int64_t unwitnessed;        /* seconds after which a round is drawn without its witnesses, 0 = never */
};

/* Who plays in the next round stands in the league's log before it is drawn, and its witnesses are asked. */
#define COMPETE_FIXED "fixed" /* the type of that record */
struct compete_fixed {
    int64_t seq, at; /* number and time of the record that says so; 0 = it is not so */
    unsigned char head[HEAD_BYTES];
};

/* Whoever wants the entries of the league's log that the records after the first `after` have. */
struct compete_entries {
    struct str *out;
    int64_t after;
};

/* Digests of texts and mails that were obeyed. */
struct compete_seen {
    unsigned char (*list)[32];
    size_t count, cap;
};

struct competition {
    char name[COMPETE_NAME];
    enum compete_kind kind;
    const struct ruleset *ruleset;
    int options[GAME_OPTIONS];
    int seats; /* of a table */
    struct compete_key_list keys;
    json_t *create; /* its first record's members, owned: what only few need */
    struct schedule clock;
    struct compete_terms terms;
    struct conditions conditions; /* of entering */
    struct quorum witnesses;      /* of its draws */
    struct compete_fixed fixed;
    int gave_up; /* the round from which on it has no witnesses any more; 0 = none has been given up */

    struct entrant *entrants; /* sorted by name */
    size_t entrant_count, entrant_cap;
    struct compete_round rounds[COMPETE_ROUNDS];
    int round_count;
    int round; /* the last that was drawn, 0 = none */
    struct compete_table *tables;
    size_t table_count, table_cap;
    struct compete_division *divisions; /* the highest first */
    size_t division_count;
    bool closed;

    int64_t seq, time;
    unsigned char head[HEAD_BYTES], create_head[HEAD_BYTES];
    struct compete_seen seen;
    bool believed;      /* the record that is applied was proved before (competition_read_on) */
    struct slice ahead; /* what follows it; borrowed, while it is read */
    const struct compete_entries *entries; /* the same; NULL = nobody wants any */
};

void competition_init(struct competition *c);
void competition_release(struct competition *c);
/* Reads a whole journal and checks all that it can show; `name` is that of its folder. ERR_BROKEN names the
 * record, ERR_NEWER what is unknown. */
int competition_read(struct competition *c, const char *name, struct slice journal, struct err *err)
    __attribute__((warn_unused_result));
/* The same, where this program has read the first `proved` bytes before, whole: of these neither signatures nor proofs are
 * verified again, and tables are those that the games were made for. 0 = nothing was. */
int competition_read_on(struct competition *c, const char *name, struct slice journal, size_t proved,
                        struct err *err) __attribute__((warn_unused_result));
/* The entries of the league's log that its records after the first `after` have. */
int competition_entries(struct str *out, const char *name, struct slice journal, int64_t after,
                        struct err *err) __attribute__((warn_unused_result));
/* Applies one record, which has been read and belongs there. ERR_BROKEN: it does not follow from what was before. */
int compete_apply(struct competition *c, const struct record *record, struct err *err)
    __attribute__((warn_unused_result));

/* Appends the entry of the league's log, with its LF, of the record that was just applied. */
void competition_entry(struct str *out, const struct competition *c, const struct record *record);
/* That of the record by which the next round's players are fixed. */
void compete_fixed_entry(struct log_entry *entry, const struct competition *c);
/* The attempt by which the next round may be drawn at that time: 1, with all its witnesses that have to answer, or because there are none;
 * 2, without them, as too few have answered for so long as `create` says; 0: not yet. */
int compete_attempt(const struct competition *c, int64_t time);

/* Of an `enter` or `confirm`, or of a game's seat that holds it: by, mail, text, signed or said and vouched, without the sealed mail,
 * which stays with the competition. New reference. */
json_t *compete_entry_text(const json_t *record);
/* NULL = they have never entered. */
struct entrant *competition_entrant(const struct competition *c, const char *name);
/* Is this entrant to be seated in the next round? Whoever leaves in the last day before its draw still is, so that nobody
 * can choose between two draws. */
bool entrant_plays(const struct competition *c, const struct entrant *entrant);
size_t competition_players(const struct competition *c); /* of them */
/* How many rounds there are, as far as is known: of its calendar; of divisions, once they are drawn, no more than the largest
 * needs until everybody has met everybody; when it is closed those that were drawn. */
int competition_rounds(const struct competition *c);
/* From when on the players of the next round are fixed; 0 = there is none. */
int64_t competition_fixed_at(const struct competition *c);
bool competition_seen(const struct competition *c, const unsigned char digest[32]);
/* The table of a round; NULL. */
struct compete_table *competition_table(const struct competition *c, int round, int number);
/* All tables of a round have a result (round 0 has none), and the robots of its deal have played. */
bool compete_round_done(const struct competition *c, int round);
/* The seat of a player at a table; 0 = none. */
int compete_seat_of(const struct compete_table *table, const char *player);
/* The table at which a player sits in a round; NULL. */
struct compete_table *competition_table_of(const struct competition *c, int round, const char *player);
/* The name of the game of a table: NAME.ROUND.TABLE. */
void compete_game_name(char out[GAME_NAME], const struct competition *c, int round, int table);
/* The end of a round as `create` has it: a deal that opens late ends as much later than that. */
int64_t compete_planned_end(const struct compete_round *round);
/* When the games of a round end if they have not ended before: `until` of their `create`; 0 = never. */
int64_t compete_until(const struct competition *c, int round);
/* Words of `create`: "tie", "moderator", "scores". */
const char *compete_adjudge_name(enum compete_adjudge adjudge);
bool compete_adjudge_read(const char *word, enum compete_adjudge *adjudge);
/* Words of `create`: "tables", "divisions", "duplicate". */
const char *compete_kind_name(enum compete_kind kind);
bool compete_kind_read(const char *word, enum compete_kind *kind);
/* Words of `round`: "operator", "moderator", "unproved"; "" of OUTSIDE_NOT. */
const char *compete_outside_name(enum compete_outside outside);
bool compete_outside_read(const char *word, enum compete_outside *outside);
/* Must this player be outside by what `create` says? Those whom it names as the operator's own, and its director. */
enum compete_outside compete_outside_fixed(const struct competition *c, const char *player);
/* Can a competition have this name? COMPETE_NAME - 1 bytes at most, no full stop; not that of the league's results. */
bool compete_name_valid(struct slice name);

#endif
