/* What is told of a game as it is now, and of one that is over. */
#include "play/facts.h"

#include "base/json.h"
#include "game/moments.h"
#include "game/view.h"

/* How many of those before it have resigned: they come last, whatever the robots in their seats have reached. */
static int resigned_before(const struct game *game, const json_t *scores, json_int_t place)
{
    const json_t *score;
    size_t i;
    int count = 0;
    json_array_foreach (scores, i, score) {
        const json_int_t theirs = json_integer_value(json_object_get(score, "place"));
        const int seat = (int)json_integer_value(json_object_get(score, "seat"));
        count += theirs > 0 && theirs < place && game->seat[seat].robot && game->seat[seat].resigned;
    }
    return count;
}

/* How the seat itself has done, from its score; "rank" only where the rulebook has ranks. */
static json_t *own_outcome(const struct game *game, const json_t *scores, const json_t *score)
{
    const json_int_t place = json_integer_value(json_object_get(score, "place"));
    const int resigned = resigned_before(game, scores, place);
    json_t *own = json_pack("{s:O,s:O,s:I,s:b,s:i,s:O,s:b}", "won", json_object_get(score, "won"), "lost",
                            json_object_get(score, "lost"), "place", place - resigned, "others_resigned",
                            resigned > 0, "of", game->seats, "points", json_object_get(score, "points"),
                            "one_point", json_integer_value(json_object_get(score, "points")) == 1);
    if (json_string_length(json_object_get(score, "rank")))
        json_object_set_new(
            own, "rank",
            rank_json(game->ruleset->end.ranks, slice_of(json_string_value(json_object_get(score, "rank")))));
    return own;
}

/* Who has won: "winners": {"names": [{"name","more"}]}, without the seat itself, "several", "nobody"; "solo";
 * "own": {"won","lost","place","of","points","rank"}. */
static json_t *outcome(const struct game *game, const json_t *scores)
{
    json_t *winners = json_array();
    json_t *result = json_pack("{s:b}", "solo", game->seats == 1);
    const json_t *score;
    bool won = false;
    size_t i;
    json_array_foreach (scores, i, score) {
        bool you = json_is_true(json_object_get(score, "you"));
        bool wins = json_is_true(json_object_get(score, "won"));
        if (you)
            json_object_set_new(result, "own", own_outcome(game, scores, score));
        won |= wins;
        if (wins && !you)
            json_array_append_new(winners,
                                  json_pack("{s:O,s:b}", "name", json_object_get(score, "name"), "more", 1));
    }
    size_t others = json_array_size(winners);
    if (others) {
        json_object_set_new(json_array_get(winners, others - 1), "more", json_false());
        json_object_set_new(result, "winners", json_pack("{s:O}", "names", winners));
    }
    json_object_set_new(result, "nobody", json_boolean(!won));
    json_object_set_new(result, "several", json_boolean(others > 1));
    json_decref(winners);
    return result;
}

#define TOLD 1 /* moments of each kind, to a seat */

/* A seat's moments of one kind: [{"turn","news":[...]}]; NULL when there are none. */
static json_t *moments(const struct game *game, int seat, bool good)
{
    json_t *list = json_array();
    json_t *found = moments_of(game, seat, good);
    for (size_t i = 0; i < json_array_size(found) && i < (seat ? TOLD : MOMENTS_KEPT); i++) {
        struct arena arena = {NULL, NULL, 0};
        const json_t *one = json_array_get(found, i);
        json_t *event = json_pack("[O]", json_object_get(one, "event"));
        json_array_append_new(list, json_pack("{s:O,s:o}", "turn", json_object_get(one, "turn"), "news",
                                              value_json(view_news(&arena, game, seat, event))));
        json_decref(event);
        arena_release(&arena);
    }
    json_decref(found);
    if (json_array_size(list))
        return json_pack("{s:o}", "list", list);
    json_decref(list);
    return NULL;
}

static void put_revealed(json_t *facts, const struct game *game, int seat)
{
    struct arena arena = {NULL, NULL, 0};
    struct value *revealed = view_revealed(&arena, game, seat);
    if (revealed)
        json_object_set_new(facts, "revealed", value_json(revealed));
    arena_release(&arena);
}

/* What is told of a game that has a result. */
static void put_epilogue(json_t *facts, const struct game *game, int seat)
{
    json_t *best = moments(game, seat, true);
    json_t *worst = seat ? moments(game, seat, false) : NULL;
    json_object_set_new(facts, "outcome", outcome(game, json_object_get(facts, "scores")));
    if (best)
        json_object_set_new(facts, "best", best);
    if (worst)
        json_object_set_new(facts, "worst", worst);
}

void facts_ending(json_t *facts, const struct game *game, int seat)
{
    if (!game->over || !game_shown_to(game, seat))
        return;
    bool cut = game_cut_short(game);
    const char *ending = cut ? GAME_ROUND_OVER : game->ruleset->end.ending(game->state);
    json_t *reason = json_object();
    json_object_set_new(facts, "cut_short", json_boolean(cut));
    json_object_set_new(reason, *ending ? ending : "ended", json_true());
    json_object_set_new(facts, "ending", reason);
    json_object_set_new(facts, "scores", facts_scores(game, seat));
    if (!game->voided)
        put_epilogue(facts, game, seat);
    if (game_withheld(game))
        facts_time(facts, "withheld", game->clock.lockstep.closes);
    else if (game->turn > 0)
        put_revealed(facts, game, seat);
}

void facts_view(json_t *facts, const struct game *game, int seat)
{
    if (game->turn == 0 || !game_shown_to(game, seat))
        return;
    struct view *view = view_of(game, seat);
    json_object_update_new(facts, value_json(view_tell(view, game, seat, NULL)));
    view_drop(view);
    facts_ending(facts, game, seat);
}
