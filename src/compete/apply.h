/* What the kinds of a competition's records share (apply.c has the table); for the files of this room alone. */
#ifndef COMPETE_APPLY_H
#define COMPETE_APPLY_H

#include "base/date.h"
#include "compete/competition.h"
#include "compete/draw.h"

typedef int compete_apply_fn(struct competition *c, const struct record *record, struct err *err);
struct compete_record {
    const char *type;
    const char
        *members; /* "round:i pi:p ...": as in game/record_kinds.h, of these letters: i s h p t T l o W */
    compete_apply_fn *apply;
    bool while_fixed; /* comes also between `fixed` and its `round` */
};
compete_apply_fn compete_apply_create, compete_apply_entry, compete_apply_fixed, compete_apply_witness,
    compete_apply_late, compete_apply_round, compete_apply_made, compete_apply_result, compete_apply_field,
    compete_apply_adjust, compete_apply_close;

/* All kinds; tests/compete/records.c holds the page against them. */
const struct compete_record *compete_records(size_t *count);

/* Always -1. */
int compete_broken(const struct record *record, struct err *err, const char *why);
const char *compete_text(const struct record *record, const char *member); /* "" = it has none */
bool compete_hex(const struct record *record, const char *member, void *out, size_t len);
bool compete_time(const struct record *record, const char *member, int64_t *time);

/* The mark of the signed text in such members; zeros without one. -1: it is none. */
int compete_mark(unsigned char mark[SEAL_BYTES], const struct competition *c, const json_t *evidence);
/* They are not in any more. */
void compete_leave(const struct competition *c, struct entrant *entrant, const struct record *record);
/* Every seat's rank is 1 and the number of those that are better. */
bool compete_ranks_good(const int rank[SEATS_MAX + 1], int seats);
/* Is it the next one, are all tables of those before done, and has its time come? */
bool compete_round_drawable(const struct competition *c, int64_t round, int64_t now);
/* Is nothing of that round to be changed any more? */
bool compete_final(const struct competition *c, int round, int64_t now);
bool compete_may_close(const struct competition *c, int64_t now);
/* Turn 1 of a deal opens at the first full hour that is at least this many seconds after its `round` record, so that all
 * have been told. */
#define COMPETE_NOTICE 900
int64_t compete_opens(int64_t drawn);
/* A game of a deal that has not ended so long after its round gets no result, seconds. */
#define COMPETE_PATIENCE DAY_SECONDS
/* How many players a round needs. */
int compete_least(const struct competition *c);

/* The tables of a round that was proved before, as the games that follow in the journal were made for them; they are those
 * of the draw, as the record has their digest. False: they are not all there, and it has to be drawn again. */
bool compete_drawn_before(const struct competition *c, const struct record *record, struct drawn *drawn);

/* A list of numbers, a seat each, into [1..count]. */
bool compete_numbers(const json_t *list, int count, int most, int out[SEATS_MAX + 1]);

#endif
