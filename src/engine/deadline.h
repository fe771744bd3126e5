/* What the clock wants of a game, and when: pure questions about a game as it stands, the players and the
 * time. step_clock (step_clock.c) acts on the answers, and the catalog keeps game_due of every game, so that
 * a run loads only the games that need it. */
#ifndef ENGINE_DEADLINE_H
#define ENGINE_DEADLINE_H

#include "base/zone.h"
#include "engine/config.h"
#include "engine/elapsed.h"
#include "engine/game.h"
#include "engine/registry.h"
#include "trust/keyring.h"

/* Orders that lie in the mailbox and could not be worked on (engine/stuck.h). */
struct stuck_orders {
    char game[GAME_NAME], player[PLAYER_NAME];
    int turn;                 /* 0 = not known */
    unsigned char digest[32]; /* of the mail */
};
/* What a step knows of the world outside of its game; all borrowed. A step without it knows no players and
 * no zones: no reminders, vacations and valves. */
struct outside {
    const struct registry *players;
    const struct keyring *keys; /* theirs */
    const struct config *config;
    struct zones *zones;
    int64_t down_from;          /* the service stood still from then until now; 0 = it did not */
    const struct pause *pauses; /* between rounds, in order; the last may be the one that ends just now */
    size_t pause_count;
    bool deaf;        /* the mailbox could not be read: orders may lie in it */
    int64_t believed; /* the end of the last round, which the clock is so far behind that it is not believed
                       * yet; 0 = it is believed */
    bool reset;       /* the clock has been behind the journals for a day: deadlines that were set while it
                       * was ahead are set anew */
    const struct stuck_orders *stuck;
    size_t stuck_count;
};

/* The time from which deadlines are counted: now, or the journal's last record, which may be a little later
 * where several hosts or a corrected clock had a part in it; never one that is more than a day ahead. */
int64_t game_clock(const struct game *game, int64_t now);
/* The zone of the game's schedule; NULL = UTC. */
const struct zone *game_zone(const struct game *game, const struct outside *outside);
/* The deadline of a turn that opens at `from`, by the schedule; 0 = none. */
int64_t game_next_deadline(const struct game *game, const struct outside *outside, int64_t from);

/* Are all orders in (game_all_in), and is the turn old enough to be resolved before its deadline? */
bool game_ripe(const struct game *game, const struct outside *outside, int64_t now);
/* When the open turn is resolved at the latest: at its deadline when nobody is missing, else behind the
 * grace; 0 = it has no deadline. */
int64_t game_resolves(const struct game *game);

/* Seats that are awaited, missing, and to be reminded at `now` of this deadline for the first time. */
uint32_t game_to_remind(const struct game *game, const struct outside *outside, int64_t now);
/* More than the set share ([clock] valve) of at least two awaited players is missing. Seats that a robot
 * plays by now, because their players missed so many turns, do not count. Never without moderators, who have
 * to be asked. */
bool game_deserted(const struct game *game, const struct outside *outside);
/* Awaited seats whose orders for the open turn lie in the mailbox and could not be worked on: they have been
 * sent, so the turn waits for them. */
uint32_t game_stuck(const struct game *game, const struct outside *outside);
/* Those of them whose players are absent (player_absent), also when their orders are in: the report would not
 * reach them, or they cannot change their orders any more. */
uint32_t game_absent(const struct game *game, const struct outside *outside);
/* Moves *deadline out of vacations of the seats: behind the vacation's last day and one day at home. Each
 * vacation moves a game once, and no player moves a game by more than the yearly days. What was used is added
 * to `used` as {"seat","player","from","to"} (dates) and "before", the deadline without it: when the turn is
 * closed by then, the vacation is as unused as before. */
void game_spare(const struct game *game, const struct outside *outside, uint32_t seats, int64_t *deadline,
                json_t *used);
/* The deadline (of a closed turn: when its witnesses are asked again) is one that was set while the clock was
 * far ahead. */
bool game_misdated(const struct game *game, const struct outside *outside, int64_t now);
/* So is the end of the valve's hold. */
bool game_hold_misdated(const struct game *game, const struct outside *outside, int64_t now);
/* When the valve's hold began, as far as the configuration is what it was: for engine/elapsed.h. */
int64_t game_hold_since(const struct game *game, const struct outside *outside);
/* When the witnesses of a closed turn are asked again; 1 = all have answered. */
int64_t game_witness_due(const struct game *game, const struct outside *outside);

/* A game that has not begun and keeps seats: when those who have not joined have had time enough and the game
 * ends; when they are reminded, or that; 0 = never. */
int64_t game_kept_end(const struct game *game, const struct outside *outside);
int64_t game_kept_due(const struct game *game, const struct outside *outside);

/* When step_clock has something to do next: 1 = at once, 0 = never. */
int64_t game_due(const struct game *game, const struct outside *outside);

/* Players that may vote on an extension: those who are not out of the game, and no robots. */
uint32_t game_voters(const struct game *game);
/* With this vote of a seat: how many agree, how many are needed, and, when they are enough, the extension
 * that all of them want at least; else 0. */
int64_t game_vote(const struct game *game, int seat, int64_t seconds, int *yes, int *needed);

/* ---- players ---- */

/* Why nothing of this player's can be taken up (engine/absent.h): players/NAME.json cannot be read, or the
 * keys of one whose file can. A sentence that names the file; NULL = the player is not absent. */
const char *player_absent(const struct outside *outside, const char *name);
/* How long before a deadline he wants to be reminded; 0 = never. */
int64_t player_reminder(const struct player *player, const struct config *config);
/* His zone, for what is a day; NULL = UTC. */
const struct zone *player_zone(const struct player *player, const struct outside *outside);
/* Do the two differ in what the clock of a game depends on? */
bool player_clock_differs(const struct player *a, const struct player *b);
/* Days of a year that the vacations take. */
int vacation_days(const struct vacation *vacations, int count, int year);

#endif
