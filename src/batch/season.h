/* Competitions as they are made: their names, and the seasons that follow others. */
#ifndef BATCH_SEASON_H
#define BATCH_SEASON_H

#include "batch/competing.h"

#define SEASON_ROOM ((int64_t)3 * 86400) /* seconds that people have at least to enter the next season */

/* Is this the name of a competition, or NAME.* of one? Such a name is no other game's. */
bool season_owns(const struct batch *batch, const char *game);
/* Can a new competition have this name? */
int season_name(const struct batch *batch, const char *name, struct err *err)
    __attribute__((warn_unused_result));
/* "spring" -> "spring-2", "s1" -> "s2": the next number; shortened where it would be too long. */
void season_count_up(char out[COMPETE_NAME], const char *name);

/* `seconds` later by the clock on the wall: whole days keep the hour. */
int64_t season_later(const struct zone *zone, int64_t time, int64_t seconds);

/* What a season takes over from the one before it, which is borrowed: everything but its name, its times and its
 * divisions. */
void season_follow(const struct batch *batch, struct new_competition *how,
                   const struct competition *previous);

/* Makes it, as a part of the next commit; fills in the nonce. ERR_INPUT: a sentence for whoever wants it. */
int season_make(struct batch *batch, struct new_competition *how, struct batch_competition **out,
                struct err *err) __attribute__((warn_unused_result));
/* Does it end with another one to come? */
bool season_ends(const struct competition *c);
/* Is everything of a closed season done: is its next one there, if it has one? Else makes that, and asks its
 * players by mail to enter; *made. */
int season_go_on(struct batch *batch, struct batch_competition *entry, bool *made, struct err *err)
    __attribute__((warn_unused_result));

/* A player leaves the league, and with it all competitions that are not over: whoever gets the name after them has entered
 * none. */
int season_leaves(struct batch *batch, const char *name, struct err *err) __attribute__((warn_unused_result));
/* Can this player be seated: registered, not banned, with a key or where the mail domain's word counts? */
bool season_takes(const struct batch *batch, const struct competition *c, const char *name);
/* Do they still have a key of the text by which they are in, or none where a mail domain vouched for it? Else the seats of their
 * games would not know them. */
bool season_counts(const struct batch *batch, const struct entrant *entrant);
/* Adds to what they are told of their keys the competitions in which they are in by none that they still have: "entries",
 * [{"competition"}], and whether there are any, "has_entries". */
int season_put_lacking(struct batch *batch, const char *name, json_t *facts, struct err *err)
    __attribute__((warn_unused_result));

#endif
