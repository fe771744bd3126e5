/* What the files of explain share; for no others. */
#ifndef HISTORY_EXPLAIN_PARTS_H
#define HISTORY_EXPLAIN_PARTS_H

#include "history/chronicle.h"
#include "game/past.h"
#include "history/explain.h"
#include "game/turn.h"

/* An `orders` record, or a moderator's. */
struct explain_sent {
    int64_t seq, time;
    int seat, turn;
    bool ruled;            /* set by a moderator, */
    bool by_operator;      /* who is the operator */
    bool played;           /* it holds orders for the turn, which were in force after it */
    char who[PLAYER_NAME]; /* who had the seat then, or the moderator */
    char mail[65];
    char key[KEY_FINGERPRINT];     /* "" = not known to the reader */
    char made_in[KEY_APPLICATION]; /* the page of that key, "" = none */
};
/* A line (WHEN, ALWAYS) and the record that it came with. */
struct explain_standing {
    int seat;
    char *line; /* owned */
    int64_t seq;
    char who[PLAYER_NAME]; /* who had the seat then */
    bool gone;             /* no longer in force */
};

/* What is known of a record before the game is played: all of the journal, by seq - 1. */
struct explain_mark {
    int64_t time;
    int turn;          /* the turn that it played; -1 = none */
    int64_t back;      /* a rollback: the record that the game went back to, 0 = not a rollback */
    char *by, *reason; /* a rollback's; owned */
};
struct explain_plays {
    struct explain_mark *list;
    size_t count, cap;
    bool *counts; /* by seq: the record is among those that led to the play being shown */
};

/* Where a seat's orders of a turn came from. */
enum explain_source {
    SOURCE_OWN,          /* orders that were sent, or set by a moderator */
    SOURCE_AUTO,         /* sent, with AUTO in them: a robot gives them */
    SOURCE_ROBOT,        /* the seat is a robot's */
    SOURCE_ALWAYS,       /* nothing came; the ALWAYS lines */
    SOURCE_ALWAYS_AUTO,  /* nothing came; ALWAYS AUTO */
    SOURCE_ROBOT_MISSED, /* nothing came, yet again; a robot */
    SOURCE_DEFAULT       /* nothing came; the cautious default turn */
};

struct explaining {
    struct casefile *file;
    struct reader reader;
    bool told;
    struct chronicle chronicle;
    struct game game;
    struct past past; /* what its rollbacks go back to */
    bool blind;       /* from here on nothing can be played: something is sealed */
    struct explain_sent *sent;
    size_t sent_count, sent_cap;
    struct explain_standing *standing;
    size_t standing_count, standing_cap;
    json_t *facts;
    json_t *story;
    void *opened;      /* the state when the turn was opened */
    const void *shown; /* the source of names of places; borrowed */
    struct explain_plays plays;
};

/* May the reader know all: the state, the orders and all events? */
bool explain_all(const struct explaining *x);
/* "Fri 20 Nov ...": into facts. */
void explain_time(json_t *facts, const char *key, int64_t time);
void explain_hex(json_t *facts, const char *key, const void *bytes, size_t len);
/* What differs between two states, by fields. New reference. */
json_t *explain_fields(const struct explaining *x, const void *before, const void *after);

/* "place", "was", "is" of changes of fields (explain_spell.c). */
void explain_spell(const struct explaining *x, json_t *changes);

/* explain_plays.c. Reads the journal; start with zeros. */
int explain_plays_read(struct explain_plays *plays, struct casefile *file, struct err *err)
    __attribute__((warn_unused_result));
void explain_plays_release(struct explain_plays *plays);
/* The record that played what is requested; from now on `counts` is about it. 0 with ERR_INPUT. */
int64_t explain_plays_find(struct explain_plays *plays, const char *id, const struct explain_point *at,
                           struct err *err);
/* "plays", when one of them was undone. */
void explain_plays_facts(const struct explain_plays *plays, int64_t target, json_t *facts);

/* explain_orders.c: what each seat played; call before the turn is applied. */
void explain_orders(struct explaining *x, const struct turn_result *result, const struct turn_trace *trace);
/* Remembers an `orders` record; call it before and after its application. */
void explain_sent(struct explaining *x, const struct record *record, const json_t *facts);
void explain_standing(struct explaining *x, const struct record *record);
/* The orders of that record, the last ones of a seat, or NULL. */
const struct explain_sent *explain_sent_find(const struct explaining *x, int64_t seq);
const struct explain_sent *explain_sent_last(const struct explaining *x, int seat);
/* Who set that line, if it was a moderator; else NULL. */
const struct explain_sent *explain_ruled(const struct explaining *x, const struct explain_standing *standing);
/* The line in force, or NULL. `always`: it is the form in which an ALWAYS line is carried out. */
const struct explain_standing *explain_standing_find(const struct explaining *x, int seat, struct slice line,
                                                     bool always);
enum explain_source explain_source(const struct explaining *x, int seat);

/* explain_story.c: the events of a resolution, and of deals that a record has carried out at once; call it
 * before that is applied. */
void explain_story(struct explaining *x, const struct turn_result *result, const struct turn_trace *trace);
void explain_instant(struct explaining *x, const struct record *record);
/* "changes", between two states, unless there are none. */
void explain_changes(const struct explaining *x, json_t *item, const void *before, const void *after);
/* "draws" and "proof" */
void explain_draws(struct explaining *x, const struct turn_result *result, const struct turn_trace *trace);
void explain_proof(struct explaining *x, const struct turn_result *result, const struct record *record);

#endif
