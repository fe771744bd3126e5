/* What the files of chronicle share; for no others. */
#ifndef HISTORY_CHRONICLE_PARTS_H
#define HISTORY_CHRONICLE_PARTS_H

#include "history/chronicle.h"

#define CHRONICLE_COLUMNS 64 /* of quoted texts */

/* One record being turned into facts. */
struct telling {
    struct chronicle *chronicle;
    const struct record *record;
    const json_t *json; /* the record's members */
    json_t *facts;      /* of its kind */
};

/* The function that describes this kind of record (chronicle_kinds.c); NULL: unknown to this version. */
void (*chronicle_teller(const struct record *record))(struct telling *t);

/* Whose word stands for a key's signature, by a record's member "vouched"; NULL: there is none. New reference. */
json_t *chronicle_vouched(const json_t *record);

/* A member of an object: "" or 0 when it is not there. */
const char *telling_text(const json_t *json, const char *key);
int telling_number(const json_t *json, const char *key);
/* Adds a text unless it is empty. */
void telling_put(json_t *facts, const char *key, const char *text);
/* "2026-..Z" as zone and UTC. */
void telling_time(json_t *facts, const char *key, const char *utc);
/* Who has the seat now; "" = nobody. */
const char *telling_name(const struct chronicle *chronicle, int seat);
/* The record's seat: "seat" and "who". */
void telling_seat(struct telling *t);
/* Lists for "a, b, c": [{"name","more"}]; of seats, 0 = the moderators, as {"names": [..]}. */
void telling_add(json_t *list, const char *name);
void telling_names(struct telling *t, const char *key, const json_t *seats);

void tell_moderate(struct telling *t); /* chronicle_moderate.c */
/* chronicle_notes.c */
void tell_note_press(struct telling *t);
void tell_note_player(struct telling *t);
void tell_note_appeal(struct telling *t);
void tell_note_ruling(struct telling *t);
void tell_note_offer(struct telling *t);
void tell_note_reminder(struct telling *t);
void tell_note_shift(struct telling *t);
void tell_note_hold(struct telling *t);
void tell_note_vote(struct telling *t);
void tell_note_witness(struct telling *t);
void tell_note_unwitness(struct telling *t);
void tell_note_instant(struct telling *t);

#endif
