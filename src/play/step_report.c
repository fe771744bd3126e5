/* A seat's report of the turn that was resolved last. */
#include "play/step_parts.h"

#include "play/facts.h"
#include "play/press.h"
#include "game/view.h"

void step_report(struct step *step, const struct game *game, enum post_kind kind, int seat, bool missed)
{
    json_t *facts = facts_game(game, seat);
    facts_lines(facts, seat, game->told.events);
    facts_standing(facts, game, seat);
    facts_ending(facts, game, seat);
    press_facts_report(facts, game, seat);
    facts_answered(facts, game, seat);
    if (!game->over && json_array_size(step->away))
        json_object_set_new(facts, "moved", json_pack("{s:O}", "away", step->away));
    json_object_set_new(facts, "missed", json_boolean(missed));
    json_object_set_new(facts, "missed_in_a_row", json_integer(game->seat[seat].missed));
    json_object_set_new(facts, "robot_played",
                        json_boolean(game->attendance.missed_robot &&
                                     game->seat[seat].missed > game->attendance.missed_robot));
    step_post(step, game, kind, seat, facts);
    struct post *post = &step->posts[step->post_count - 1];
    post->view = view_of(game, seat);
    post->told = view_tell(post->view, game, seat, game->told.events);
}
