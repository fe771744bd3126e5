/* Games in lockstep: the same deal is played in several games at once, and each turn opens for all of them at the
 * same time (src/journal/README.md, section 8). All times are absolute and fixed in `create`; nothing moves
 * them. Pure. */
#ifndef GAME_LOCKSTEP_H
#define GAME_LOCKSTEP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct game;
struct record;
struct record_kind;
struct ruleset;

#define LOCKSTEP_HOURS_MOST 744 /* of a turn */

/* All zero: the game is not in lockstep. */
struct lockstep {
    bool on;
    int64_t opens;  /* when turn 1 opens: the game is dealt then, and not before */
    int hours;      /* from each turn's opening to the next one's, 1 to LOCKSTEP_HOURS_MOST */
    int64_t closes; /* no turn is open any longer, and the deal may be shown; later than `opens` */
    bool shown;     /* the game's seals are open: the one member that records after `create` change */
};

/* When turn `turn` (from 1 on) opens; never after `closes`. The turn before it is closed then. */
int64_t lockstep_opens(const struct lockstep *lockstep, int turn);
/* The length of a turn, in seconds. */
int64_t lockstep_length(const struct lockstep *lockstep);
/* The member `lockstep` of `create`, without `shown`. New reference. */
json_t *lockstep_json(const struct lockstep *lockstep);
/* Reads that member. ERR_BROKEN: it is none. */
int lockstep_read(const json_t *json, struct lockstep *lockstep, struct err *err)
    __attribute__((warn_unused_result));
/* May games by these rules be in lockstep? ERR_INPUT says why not: the ruleset draws after the deal, or the times do
 * not fit together. */
int lockstep_fits(const struct lockstep *lockstep, const struct ruleset *ruleset, struct err *err)
    __attribute__((warn_unused_result));

/* Must the game not be shown to anybody outside of its seat yet, nor what is hidden in it to its own player? So it is
 * with a game in lockstep until its seals are open, which they are not before `closes`. */
bool game_withheld(const struct game *game);
/* Does the open turn get other draws when records were lost (apply_lost.c)? Not a deal in lockstep, which is that of other tables. */
bool game_draws_anew(const struct game *game);
/* Who may be shown what of a game: whatever shows one - mails, forms, refusals, lists, pages, pictures, feeds, figures of
 * players - asks this for whoever looks, who sits at `seat` of it (0: nobody there, so others who play the same deal, too).
 * False: they may know what is fixed in `create` (that it is there, its rules, its table, when its deal closes), and
 * nothing else: not how far it is, whether it has ended, who is awaited, or when anything happened. Moderators can act on
 * such a game while it runs (petition_moderate.c); what their lists and mails show is no more than that either. */
bool game_shown_to(const struct game *game, int seat);
/* What is wrong with this record of a game in lockstep, a sentence without its end: it comes too soon, names another
 * deadline, or bends what is fixed (record_kinds.h). NULL: nothing, or the game is not in lockstep. `game` is as
 * before the record. */
const char *lockstep_fault(const struct game *game, const struct record *record,
                           const struct record_kind *kind);
/* All seats are taken, and the deal waits for the time when turn 1 opens. */
bool game_deal_waits(const struct game *game, int64_t now);
/* The same when that time has come, and it has not been dealt yet. */
bool game_deal_due(const struct game *game, int64_t now);

#endif
