/* What the clock has to do for a game, and when: pure questions about the current game, the players and the
 * time. step_clock (step_clock.c) acts on the answers, and the catalog keeps game_due of every game, so that
 * a run loads only the games that need it. */
#ifndef PLAY_DEADLINE_H
#define PLAY_DEADLINE_H

#include "league/elapsed.h"
#include "game/game.h"

/* The time from which deadlines are counted: now, or that of the journal's last record, where a clock was ahead: time stands
 * still there until the true time comes. What ends by time does so by now alone. */
int64_t game_clock(const struct game *game, int64_t now);
/* The deadline of the turn that comes next if it opens at `from`, by the schedule; 0 = none. In lockstep it is when the
 * turn after that one opens, whatever `from` is. */
int64_t game_next_deadline(const struct game *game, int64_t from);
/* Is it a table of a round that is over at `now`, and ends with it? */
bool game_round_over(const struct game *game, int64_t now);
/* A deadline that is set at `now`, no later than the end of the round; 0 = that is over, so there is none. */
int64_t game_within_round(const struct game *game, int64_t now, int64_t deadline);

/* Are all orders in (game_all_in), and is the turn old enough to be resolved before its deadline? */
bool game_ripe(const struct game *game, const struct outside *outside, int64_t now);
/* When the turn is played, as all orders are in and only second thoughts (game_delay) keep it open, or the 24
 * hours of orders that are wrong; as far as no outage comes between. 0 = it is not so. */
int64_t game_plays_at(const struct game *game);
/* When the open turn is resolved at the latest: at its deadline when nobody is missing, else after the grace;
 * 0 = it has no deadline. */
int64_t game_resolves(const struct game *game);

/* Seats that are awaited, and missing or with an open question, and to be reminded at `now` of this deadline for the
 * first time. */
uint32_t game_to_remind(const struct game *game, const struct outside *outside, int64_t now);
/* More than the set share ([clock] valve) of at least two awaited players is missing. Seats that a robot
 * plays by now, because their players missed too many turns, do not count. Never without moderators, since
 * they have to be asked. */
bool game_deserted(const struct game *game, const struct outside *outside);
/* Awaited seats whose orders for the open turn are in the mailbox and could not be processed: they have been
 * sent, so the turn waits for them. */
uint32_t game_stuck(const struct game *game, const struct outside *outside);
/* Those of them whose players are absent (player_absent), also when their orders are in: the report would not
 * reach them, or they can no longer change their orders. */
uint32_t game_absent(const struct game *game, const struct outside *outside);
/* Seats whose players were absent (batch/absent.h) until after the open turn got its deadline, and are back;
 * *from is when the first of them was lost, unchanged = there are none. */
uint32_t game_returned(const struct game *game, const struct outside *outside, int64_t *from);
/* Seats whose orders for the open turn were given up (batch/stuck.h) after it got its deadline; *from is when
 * the first of these could not be accepted, unchanged = there are none. */
uint32_t game_given_up(const struct game *game, const struct outside *outside, int64_t *from);
/* Moves *deadline out of vacations of the seats: past the vacation's last day and one day at home. Each
 * vacation moves a game once, and no player moves a game by more than the yearly days. The days used are
 * added to `used` as {"seat","player","from","to"} (dates) and "before", the deadline without it: when the
 * turn is closed by then, the vacation counts as unused again. */
void game_spare(const struct game *game, const struct outside *outside, uint32_t seats, int64_t *deadline,
                json_t *used);
/* When the valve's hold began, if the configuration has not changed: for league/elapsed.h. */
int64_t game_hold_since(const struct game *game, const struct outside *outside);
/* When the clock has something to do with a closed turn (quorum_due). */
int64_t game_witness_due(const struct game *game, const struct outside *outside);

/* A game that has not begun and keeps seats: when the time of those who have not joined is over and the game
 * ends; when they are reminded, or that; 0 = never. */
int64_t game_kept_end(const struct game *game, const struct outside *outside);
int64_t game_kept_due(const struct game *game, const struct outside *outside);

/* When step_clock has something to do next: 1 = at once, 0 = never. */
int64_t game_due(const struct game *game, const struct outside *outside);

#endif
