/* Mails to the witnesses of a closed turn. */
#include "play/step_parts.h"

#include "play/facts.h"
#include "game/witness.h"

static void add_head(json_t *facts, const struct game *game)
{
    json_object_set_new(facts, "closed_head", json_hex(game->close.head, HEAD_BYTES));
}

void step_ask_witnesses(struct step *step, const struct game *game)
{
    for (int i = 0; i < game->witnesses.count; i++) {
        if (!witness_missing(game, i))
            continue;
        json_t *facts = facts_game(game, 0);
        add_head(facts, game);
        step_tell(step, game, POST_TOLD, "witness", 0, game->witnesses.list[i].player, facts);
        step->posts[step->post_count - 1].with_close = true;
    }
}
