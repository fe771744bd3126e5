/* The reports of the turn that was resolved last. */
#include <stdlib.h>

#include "play/step_parts.h"

#include "play/facts.h"
#include "play/press.h"
#include "play/typos.h"
#include "game/view.h"

/* How the turn came about. */
struct told {
    bool missed;        /* without orders of the seat's player */
    struct view *view;  /* what the seat was told just now; NULL = make it */
    const json_t *away; /* the vacations that the new deadline was moved for */
};

static void report(struct step *step, const struct game *game, enum post_kind kind, int seat,
                   const struct told *told)
{
    json_t *facts = facts_game(game, seat);
    facts_lines(facts, seat, game->told.events);
    facts_standing(facts, game, seat);
    facts_ending(facts, game, seat);
    facts_answered(facts, game, seat);
    if (game_correcting(game) & SEAT_BIT(seat))
        typos_facts(facts, game, seat, NULL);
    if (!game->over && json_array_size(told->away))
        json_object_set_new(facts, "moved", json_pack("{s:O}", "away", told->away));
    json_object_set_new(facts, "missed", json_boolean(told->missed));
    json_object_set_new(facts, "missed_in_a_row", json_integer(game->seat[seat].missed));
    json_object_set_new(facts, "robot_played",
                        json_boolean(game->attendance.missed_robot &&
                                     game->seat[seat].missed > game->attendance.missed_robot));
    step_post(step, game, kind, seat, facts);
    struct post *post = &step->posts[step->post_count - 1];
    post->view = told->view ? view_share(told->view) : view_of(game, seat);
    post->press = press_facts_report(game, seat);
    post->told = view_tell(post->view, game, seat, game->told.events);
}

void step_report(struct step *step, const struct game *game, enum post_kind kind, int seat, bool missed)
{
    report(step, game, kind, seat, &(struct told){.missed = missed});
}

void step_post_reports(struct step *step, const struct game *game, enum post_kind kind, uint32_t missed,
                       const struct resolved *resolved)
{
    struct slice rest = slice_str(&game->observers.names);
    struct slice name;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot)
            report(step, game, kind, seat,
                   &(struct told){missed & SEAT_BIT(seat), resolved->result.view[seat], resolved->away});
    while (slice_word(&rest, &name)) {
        char *observer = slice_dup(name);
        json_t *facts = facts_game(game, 0);
        facts_events(facts, game, 0);
        facts_view(facts, game, 0);
        step_tell(step, game, POST_TOLD, "observed", 0, observer, facts);
        step->posts[step->post_count - 1].optional = true;
        free(observer);
    }
}
