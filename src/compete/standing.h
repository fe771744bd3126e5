/* Standings from results (README.md, "Standings"). The order of the results does not matter. */
#ifndef COMPETE_STANDING_H
#define COMPETE_STANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compete/seats.h"

#define STANDING_NOBODY UINT32_MAX /* a seat of somebody who is not in the competition */

struct standing_seat {
    uint32_t player; /* 0.., or STANDING_NOBODY; nobody twice at a table */
    uint8_t rank;    /* 1 = best, equal = tie; 0: the seat is not counted */
};

struct standing_table {
    bool voided;   /* gives no points; ranks mean nothing */
    unsigned size; /* at most that of the competition */
    struct standing_seat seats[COMPETE_SEATS];
};

struct standing_input {
    size_t players;
    const bool *ranked; /* of each player: listed; others, as substitutes and whoever was removed, are not */
    const int32_t *adjust; /* of each player: points to be added; NULL: none */
    unsigned seats;        /* of a table, 2..COMPETE_SEATS */
    int32_t bye;           /* the points of one */
    const struct standing_table *tables;
    size_t table_count;
    const uint32_t *byes; /* players, once for each bye */
    size_t bye_count;
};

struct standing_row {
    uint32_t player;
    uint32_t place;           /* from 1; equal ones share it */
    int64_t points, buchholz; /* in halves */
    int64_t direct;           /* won less lost against those equal in points and Buchholz */
    int64_t firsts;           /* tables at which all others were beaten */
};

/* Fills `rows` (room for in->players) in the order of the list; the number of rows: of ranked players. */
size_t standing_make(const struct standing_input *in, struct standing_row *rows);

#endif
