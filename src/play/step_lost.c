/* The league lost what a game had recorded, and the game goes on from an older copy: it says so, before anything else. */
#include "game/lockstep.h"
#include "play/deadline.h"
#include "play/facts.h"
#include "play/step_parts.h"

int step_lost(struct step *step, struct game *game, int rollbacks, struct err *err)
{
    const bool draws = game_draws_anew(game);
    const int64_t deadline =
        game->closed && game->turn && !game->over ? game_next_deadline(game, step_time(step, game)) : 0;
    json_t *facts = json_pack("{s:I,s:b}", "record", (json_int_t)game->seq + 1, "draws", draws);
    json_t *fields = json_pack("{s:s,s:i,s:i}", "kind", "lost", "turn", game->turn, "rollbacks",
                               !draws                              ? game->draws.rollbacks
                               : rollbacks > game->draws.rollbacks ? rollbacks
                                                                   : game->draws.rollbacks + 1);
    if (deadline)
        json_object_set_new(fields, "deadline", json_time(deadline));
    if (step_record(step, game, "note", fields, NULL, err) || game->over) {
        json_decref(facts);
        return game->over ? 0 : -1;
    }
    size_t before = step->post_count;
    step_tell_all(step, game, "lost", facts);
    for (size_t i = before; i < step->post_count; i++)
        step->posts[i].until = 1;
    return 0;
}
