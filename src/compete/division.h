/* Promotion and relegation: from a season's final standings to the divisions of the next one (README.md, "Divisions"). */
#ifndef COMPETE_DIVISION_H
#define COMPETE_DIVISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIVISION_LEAST 4 /* players of a division */
#define DIVISION_MOST  8

struct division_player {
    uint32_t player; /* number in the VRF order of the new season; each is somebody else's */
    uint32_t place;  /* in the final standings of their division; equal ones share it */
    bool confirmed;  /* plays on */
};

struct division_input {
    const struct division_player
        *players;             /* division by division, the highest first; in any order within one */
    const size_t *sizes;      /* of each division, with those who do not play on */
    size_t count;             /* of divisions; 0 in a first season: all are reserves */
    size_t promote;           /* how many go up and down */
    size_t size;              /* that divisions should have, DIVISION_LEAST..DIVISION_MOST */
    const uint32_t *reserves; /* in their order; none of them is in a division */
    size_t reserve_count;
};

struct division_season {
    uint32_t *players; /* division by division, the highest first */
    size_t *sizes;     /* of each */
    size_t count;      /* of divisions; 0: too few players for one */
};

/* Where the table leads: by lot, where only some of those who share a place go up or down. */
enum division_move { DIVISION_STAYS, DIVISION_UP, DIVISION_DOWN, DIVISION_LOT };
/* For those who share a place and are at `first` to `last` of the list of a division, all from 0. */
enum division_move division_move(const struct division_input *in, size_t division, size_t first, size_t last);

/* Fills `out`, which owns its lists until division_release. */
void division_make(const struct division_input *in, struct division_season *out);
void division_release(struct division_season *season);

#endif
