/* A game that goes on from an older copy says so, before anything else. */
#include "play/facts.h"
#include "play/step_parts.h"

int step_restored(struct step *step, struct game *game, int64_t made, struct err *err)
{
    int64_t last = game->time, lost = game->seq + 1, now = step->now > last ? step->now : last;
    int64_t copy = made > now ? now : made > last ? made : last;
    if (step_record(
            step, game, "note",
            json_pack("{s:s,s:i,s:o}", "kind", "restored", "turn", game->turn, "made", json_time(copy)), NULL,
            err))
        return -1;
    if (game->over)
        return 0;
    json_t *facts = json_pack("{s:I}", "record", (json_int_t)lost);
    facts_time(facts, "made", copy);
    size_t before = step->post_count;
    step_tell_all(step, game, "restored", facts);
    for (size_t i = before; i < step->post_count; i++)
        step->posts[i].until = 1;
    return 0;
}
