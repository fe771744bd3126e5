/* What a text's orders would do, for receipts. They are played on copies of the state whose hidden parts are
 * reshuffled, with dice of their own, so that nothing leaks. Everything needed from the game is copied: a
 * trial may be played after the game has moved on, and in another thread (batch/desk.h). */
#ifndef PLAY_TRIAL_H
#define PLAY_TRIAL_H

#include <jansson.h>

#include "game/game.h"
#include "orders/script.h"

struct trial; /* opaque */

/* Takes ownership of the script. `told` are the events of the lines that were carried out when the mail was
 * read, with "visible"; NULL: they are tried too. */
struct trial *trial_new(const struct game *game, int seat, struct script *script, const json_t *told);
/* For the thread that made it. NULL is left alone. */
void trial_free(struct trial *trial);
/* Plays. New reference to {"lines", "no_lines", "early", "sets_standing", "unused" (event_unused, of orders for the turn: in all
 * plays)}: each line with "will", "depends" (dice or
 * what is hidden decide: the odds that the rules or the form have, "menu"; or on which other line it "hangs"; or "chance" in 100),
 * "refused", "error", "auto" ({"orders"}: what a robot would order now), "replaced" (by those) and so on. Of many, those of one fate are in "groups": [{fate, "lines": [... "more"]}]. */
json_t *trial_facts(const struct trial *trial);
/* The lines of a text of the seat that are wrong, in the same form: that were not understood, or are refused in
 * every play, whatever dice and other seats do. A line that is skipped or done in one is not, nor are WHEN and
 * ALWAYS lines, nor deals, which are carried out at once. `unread`: only those that were not understood, for
 * nothing is played. Of a seat that is not awaited the same. New reference; an empty list: none is wrong. */
json_t *trial_wrong(const struct game *game, int seat, const struct script *script, bool unread);
/* Does it hold WHEN or ALWAYS lines? */
bool trial_stands(const struct script *script);
/* Are words of these orders, one a line, misspelt, and is nothing wrong with them once each is what it may have been
 * meant for? Appends them so (else anything). */
bool trial_mended(const struct game *game, int seat, struct slice orders, struct str *out);
/* Adds the lines of orders of the seat, one order a line, but those that are wrong, so that whoever sends the
 * others has to correct nothing. */
void trial_right(const struct game *game, int seat, struct slice orders, struct str *out);
/* All of it at once, into `facts`; the script is borrowed. */
void trial_add(json_t *facts, const struct game *game, int seat, const struct script *script,
               const json_t *told);

#endif
