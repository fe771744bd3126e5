/* What is known of the world outside of a game: players, zones, whether the service stood still. A step acts
 * on it, and everything that ends by time (league/elapsed.h) asks it. */
#ifndef LEAGUE_OUTSIDE_H
#define LEAGUE_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/zone.h"
#include "league/config.h"
#include "league/registry.h"
#include "trust/keyring.h"

/* Nothing was done from the end of one round of work to the beginning of the next. */
struct pause {
    int64_t from, to;
    bool outage; /* it was not one of the usual ones */
};
/* A player's text that is in the mailbox and could not be processed (batch/stuck.h). */
struct stuck_orders {
    char game[GAME_NAME], player[PLAYER_NAME]; /* game "" = it is no orders */
    int turn;                                  /* 0 = not known */
    unsigned char digest[32];                  /* of the mail */
};
/* A player from whom nothing could be accepted from `from` until `to`: they were absent (player_absent), or
 * orders of theirs could not be processed and were given up at `to`, as they are told. */
struct returned {
    char player[PLAYER_NAME];
    char game[GAME_NAME]; /* whose orders were given up; "" = the player was absent */
    int turn;             /* of these orders; 0 = not known */
    int64_t from, to;
};
/* What a step knows of the world outside of its game; all borrowed. A step without it knows no players and
 * no zones: no reminders, vacations and valves. */
struct outside {
    const struct registry *players;
    const struct keyring *keys; /* theirs */
    const struct config *config;
    struct zones *zones;
    const struct pause *pauses; /* between rounds, in order; the last may be the one that ends just now */
    size_t pause_count;
    bool deaf; /* the mailbox could not be read: there may be orders in it */
    const struct stuck_orders *stuck;
    size_t stuck_count;
    const struct returned *returned; /* whose games have not all been looked at since */
    size_t returned_count;
};

/* ---- a player ---- */

/* Why nothing from this player can be accepted (batch/absent.h): players/NAME.json cannot be read, or it can,
 * but the player has no key that counts (keyring_expect). A sentence that names the file; NULL = the player
 * is not absent. */
const char *player_absent(const struct outside *outside, const char *name);
/* Is the player absent, or is there a text of theirs that could not be processed? Then they may have said
 * something that was not heard, and must not be treated as silent. */
bool player_unheard(const struct outside *outside, const char *name);
/* How long before a deadline they want to be reminded; 0 = never. */
int64_t player_reminder(const struct player *player, const struct config *config);
/* Their zone, for what is a day; NULL = UTC. */
const struct zone *player_zone(const struct player *player, const struct outside *outside);
/* Do the two differ in what the clock of a game depends on? */
bool player_clock_differs(const struct player *a, const struct player *b);
/* Days of a year that the vacations use. */
int vacation_days(const struct vacation *vacations, int count, int year);

#endif
