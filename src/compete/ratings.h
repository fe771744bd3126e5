/* Lists of ratings and players' histories as JSON, for commands, mails and templates: all from the league's results
 * (compete/results.h). Figures are millionths; beside each stands its text with two decimals ("shown_text"), which is
 * "0.00" for what is below 0. */
#ifndef COMPETE_RATINGS_H
#define COMPETE_RATINGS_H

#include "compete/results.h"

/* [{"ruleset","title","games","players":[{"place","name","shown","shown_text","mu","sigma","games","provisional",
 * "last"}]}], as of `now`; of one ruleset, or of all (NULL). "place": who is shown the same has the same. New
 * reference. */
json_t *ratings_lists(const struct results *results, const char *ruleset, int64_t now);
/* The head that a list names: {"seq","head","trust","provisional","version"}. New reference. */
json_t *ratings_source(const struct results *results);

/* What is gathered of one player while the journal is read: how.each is history_take. Start with zeros, `name` and
 * release. */
struct history {
    const char *name;
    json_t *games;   /* newest last */
    json_t *against; /* name -> {"games","ahead","behind","level"} */
    json_t *months;  /* ruleset -> [{"month","shown","shown_text"}] */
};
void history_begin(struct history *history, const char *name);
void history_release(struct history *history);
int history_take(void *arg, int64_t seq, const struct results_game *game, const struct ladder *ladder,
                 struct err *err);
/* {"name","total","has_games","has_against","ratings":[as "players" above, with "ruleset","title","of","has_curve","curve":[{"month","shown","shown_text"}]],
 * "form":"1 of 3, 2 of 4","games":[{"game","title","date","rank","of","level","left","ranked","rated","why","shown_text"}],
 * "against":[{"name","games","ahead","behind","level"}]}: newest games first, at most `most`; so of opponents, by
 * games. New reference. */
json_t *history_json(const struct history *history, const struct results *results, int64_t now, size_t most);

#endif
