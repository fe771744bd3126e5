/* Orders with a line that is wrong keep their turn open until better ones come (`typo_wait` of `create`): a typo
 * costs nobody a turn. Which orders do is decided here, before their record is made; the record says so, and
 * from then on the game knows it from there (game_delay). */
#ifndef PLAY_TYPOS_H
#define PLAY_TYPOS_H

#include "game/turn.h"

/* The lines for which such orders of the seat wait, as trial_wrong gives them; NULL = they do not wait. `final`:
 * they say so. After the texts of a turn whose receipts are whole only those lines count that were not
 * understood, for they cost nothing to find. New reference. */
json_t *typos_wait(const struct game *game, int seat, const struct script *script, bool final);
/* The same for the turn that opens when the open one is played with this result, and the next turn's orders in
 * the same text (solo games). */
bool typos_wait_next(const struct game *game, const struct turn_result *result);
/* For the player of a seat whose orders wait, and who is awaited: "typo", {"lines","several","deals"}; or, where no
 * line is wrong, and they wait because of words beside them that were not read, "not_read", {"lines":[],"waits"}.
 * `lines` are borrowed; NULL: they are looked for again. */
void typos_facts(json_t *facts, const struct game *game, int seat, const json_t *lines);

#endif
