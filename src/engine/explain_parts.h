/* What the files of explain share; for nobody else. */
#ifndef ENGINE_EXPLAIN_PARTS_H
#define ENGINE_EXPLAIN_PARTS_H

#include "engine/chronicle.h"
#include "engine/past.h"
#include "engine/explain.h"
#include "engine/turn.h"

/* An `orders` record, or a moderator's. */
struct explain_sent {
    int64_t seq, time;
    int seat, turn;
    bool ruled; /* set by a moderator */
    char mail[65];
    char key[KEY_FINGERPRINT]; /* "" = not known to the reader */
};
/* A line in force (WHEN, ALWAYS) and the record that brought it. */
struct explain_standing {
    int seat;
    char *line; /* owned */
    int64_t seq;
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
    void *opened;        /* the state when the turn was opened */
    size_t instant_told; /* instant events in the story */
};

/* May the reader know all: the state, the orders and all events? */
bool explain_all(const struct explaining *x);
/* The eyes with which an event is told to the reader; -1 = not at all. */
int explain_eyes(const struct explaining *x, uint32_t visible);
/* "Fri 20 Nov ...": into facts. */
void explain_time(json_t *facts, const char *key, int64_t time);
void explain_hex(json_t *facts, const char *key, const void *bytes, size_t len);
/* What differs between two states, by fields. New reference. */
json_t *explain_fields(const struct explaining *x, const void *before, const void *after);

/* explain_orders.c: what each seat played; call before the turn is applied. */
void explain_orders(struct explaining *x, const struct turn_result *result);
/* Keeps what an `orders` record was; before and behind its application. */
void explain_sent(struct explaining *x, const struct record *record, const json_t *facts);
void explain_standing(struct explaining *x, const struct record *record);
/* The seat's orders record in force, or NULL. */
const struct explain_sent *explain_sent_find(const struct explaining *x, int64_t seq);

/* explain_story.c: the events of a resolution, and of deals carried out at once by a record. */
void explain_story(struct explaining *x, const struct turn_result *result, const struct turn_trace *trace,
                   const void *after, const struct record *record);
void explain_instant(struct explaining *x, const void *before, const struct record *record);
/* "draws" and "proof" */
void explain_draws(struct explaining *x, const struct turn_result *result, const struct turn_trace *trace);
void explain_proof(struct explaining *x, const struct turn_result *result, const struct record *record);

#endif
