/* Facts for templates: JSON contexts, built during a step from the game as it is then.
 * Templates turn them into words (letters/letters.h). They contain nothing that the seat may not know. */
#ifndef PLAY_FACTS_H
#define PLAY_FACTS_H

#include <jansson.h>

#include "game/game.h"
#include "game/turn.h"

/* The game as every mail names it: id, title, turn, over, deadline, seats with who is awaited, your seat. New
 * reference. */
json_t *facts_game(const struct game *game, int seat);
/* The scores that `end` names: none of a game without a result. New reference. */
json_t *facts_final(const struct game *game);
/* "named": {"log_name","seq","time","head"}: the record that texts about the game name now; `first`: of the one that
 * made it, as "join" does. Mails whose texts name it have it signed, so that the page takes them: "pastes". */
void facts_named(json_t *facts, const struct game *game, bool first);
/* The head that answers to the game must name, as forms print it: "answer_head", the same as
 * "text_head", which all texts need; "next_seq", a number for the seat's orders that is higher than
 * that of those in force. */
void facts_answer(json_t *facts, const struct game *game, int seat);
/* Is there something that who joins may wish for (rules/wish.h)? `seat`: the one that is kept for them, 0 = any. */
bool facts_may_wish(const struct game *game, int seat);
/* Then for its line in forms: "may_wish": {"wished","value","names"}. */
void facts_wish(json_t *facts, const struct game *game, int seat);
/* A time (base/moment.h): in the league's zone and UTC, and where the reader has another zone in that, too
 * (facts_zone); "deadline_at" beside "deadline" is the number. */
void facts_time(json_t *facts, const char *key, int64_t time);
/* Puts the times of the facts (not those deeper down) into the reader's zone as well. */
void facts_zone(json_t *facts, const struct zone *zone);
/* What the last answers of a day say (limit.txt): until when there are no more, for a "player" or a "stranger", or none to
 * mails that are not understood ("unread"), or those like them ("alike"). 0: nothing is said. */
void facts_limit(json_t *facts, const char *whom, int64_t until);
/* How long a turn lasts at most: {"days"} or {"hours"}, with "one"; false without deadlines. New reference. */
json_t *facts_pace(const struct game *game);
/* The seats of a game that has not begun: "free", "of", "room", "last_seat", "pace", and "list", the waiting list.
 * New reference.
 */
json_t *facts_open(const struct game *game);
/* The vacations that a deadline was moved for, as in records, if there are any: "moved": {"away": [{"player","from","to","you"}]}. */
void facts_away(json_t *facts, const json_t *away, int seat);
/* The players whose orders are missing: [{"name":"anna"}, ...]. New reference. */
json_t *facts_seats(const struct game *game, uint32_t seats);
/* What happened (the last resolution's events that the seat may know) in template form:
 * "lines": own order lines with their outcome; "news": [{"explored":{...}}, ...]. Added to `facts`. */
void facts_events(json_t *facts, const struct game *game, int seat);
/* The same for a list of events with "visible", as events_json(-1) gives it. */
void facts_news(json_t *facts, const struct game *game, int seat, const json_t *events);
/* Only the own order lines among them, as "orders": those of the player who has the seat now. */
void facts_lines(json_t *facts, const struct game *game, int seat, const json_t *events);
/* "vouched": {"list": [{"turn","several","who","you", and vouched_facts}], "domains": [{"domain","whose": [{"who","you"}]}]}: the
 * orders of these turns that no key had signed, if there were any, one by one and by who has vouched. */
void facts_vouched(json_t *facts, int seat, const json_t *since);
/* Adds the refused lines among these to "refused_first": {"lines": [{"number","line","more"}], "several",
 * "others"}, for what a mail says first; so many of them, "others" says how many more. */
#define FACTS_REFUSED 5
void facts_refused(json_t *facts, const json_t *lines);
/* "own": {"turns": [{"turn","several","count","one","only","done_count","done_one","all","lines","rest","skipped"}]}: how many order lines of the seat's player there were in
 * these turns, how many of them were done, and the others with their fate, where
 * there are any: "rest", and those of which the condition did not hold; "first_turn", and "several": there is more than one turn. */
void facts_own(json_t *facts, const struct game *game, int seat, const json_t *since);
/* In lockstep, for orders that are for turn `named`: "named_turn", the next one that is not open, and "opens", when it
 * opens; without it that turn never does. */
void facts_opening(json_t *facts, const struct game *game, int named);
/* When the game is over: "ending", final "scores"; with a result also "outcome" (who has won, the seat's own
 * place), "best" and "worst" (game/moments.h), "revealed" (rules/ruleset.h), unless it is
 * "withheld": until then. */
void facts_ending(json_t *facts, const struct game *game, int seat);
/* The turns of a body's lines "turn n" as "later_turns". */
void facts_later(json_t *facts, struct slice later);
/* The verbs and conditions of a ruleset, for HELP. */
void facts_language(json_t *facts, const struct ruleset *ruleset);
/* "help_of": {"orders": {"list"}, "asks": {"list"}}, those of its order words and conditions that are called so, or begin so,
 * if there are any. */
void facts_word(json_t *facts, const struct ruleset *ruleset, struct slice word);
/* The seat's standing orders as "standing". */
/* A line that somebody wrote, shortened for a mail that quotes it. */
json_t *facts_quote(struct slice line);
#define FACTS_QUOTED 60 /* the most that are quoted in a receipt */
void facts_standing(json_t *facts, const struct game *game, int seat);
/* The seat's view as "view", its suggestions as "form"; final scores when the
 * game is over. Nothing before the start. */
void facts_view(json_t *facts, const struct game *game, int seat);
/* The reason of a refusal in template form: "why", {"not_explored": {parameters}}; of a line that was not understood "unread". */
void facts_reason(json_t *line, const json_t *event);
/* Final or current scores, best first. New reference. */
json_t *facts_scores(const struct game *game, int seat);

/* "not_read": lines of a mail ([{"line"}], borrowed; perhaps none) that were not read; `waits`: the turn waits, as they
 * may have been orders ("told_waits"). */
void facts_not_read(json_t *facts, const json_t *lines, bool waits);

#endif
