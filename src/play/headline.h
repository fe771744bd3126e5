/* What a report says first: the news that matter most to its reader, and what is at stake for them. */
#ifndef PLAY_HEADLINE_H
#define PLAY_HEADLINE_H

#include "game/view.h"

/* Adds to what is told of the turns since a report (view_tell, with "turns" and their "news"), from these and the view's
 * state alone, for templates/common/headline.txt:
 *   "headline": {"begun" or "over": {}, "missed": {"turn"}, "fallen": true (the reader is out), "news": {kind: {parameters}}}
 *              the kind is one of the ruleset's (rules/headline.h), with "more", how many other events there were of its
 *              kind of event, "count", how many in all, "all", the sum of the amount that its row asks for, and
 *              "also", {kind: {parameters}}, what else there was; "both_ways", won and lost or lost and won in this report; or "quiet", with the parameters of "lead"
 *   "stakes": {kind: {parameters}} (ruleset_stakes); not for who only watches, nor when nothing is
 *   "lead": {"seat","points","one","own","tie","solo","turn"}: whose score is highest, and the reader's own
 * `missed`: the seat's player gave no orders for the last turn; `begun`: it is the reader's first report. */
void headline_put(struct value *told, const struct game *game, int seat, bool missed, bool begun);
/* "headline" alone, of what has happened at once, between turns; not set when that is no news for the seat. */
void headline_between(json_t *facts, const struct game *game, int seat, const json_t *events);

#endif
