/* Seats that are kept for players until they join by their own signed text: they are asked, reminded once,
 * and a game for which somebody never answers ends without having begun. A player who cannot be heard
 * (player_unheard) is never treated as silent. */
#include "play/deadline.h"
#include "play/facts.h"
#include "game/seating.h"
#include "play/step_parts.h"

static json_t *kept_facts(const struct game *game, int seat)
{
    json_t *facts = facts_game(game, 0);
    json_object_set_new(facts, "kept_seat", json_integer(seat));
    json_object_set_new(facts, "player", json_string(seating_keeps(game, seat)));
    json_object_del(facts, "may_wish");
    facts_wish(facts, game, seat);
    facts_time(facts, "answer_by", game->table.answer_by);
    return facts;
}

static json_t *names_of(const struct game *game, uint32_t seats)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        if (seats & SEAT_BIT(seat))
            json_array_append_new(list, json_pack("{s:s,s:b}", "name", seating_keeps(game, seat), "more",
                                                  (seats >> (seat + 1)) != 0));
    return list;
}

/* The wishes of whoever made the game, put into the form for their own seat. */
static void put_wishes(json_t *facts, const struct game *game, const struct wish_list *wishes)
{
    struct str names = STR_INIT;
    json_t *may_wish = json_object_get(facts, "may_wish");
    wish_write(&names, game->ruleset, game->cards, wishes);
    if (may_wish && names.len)
        json_object_set_new(may_wish, "value", json_string(names.p));
    str_release(&names);
}

/* `how` may be NULL. */
static void ask(struct step *step, const struct game *game, uint32_t seats, const char *words,
                const struct new_game *how)
{
    for (int seat = 1; seat <= game->seats; seat++) {
        if (!(seats & SEAT_BIT(seat)))
            continue;
        json_t *facts = kept_facts(game, seat);
        if (how)
            put_wishes(facts, game, &how->seat[seat].wishes);
        step_tell(step, game, POST_TOLD, words, 0, seating_keeps(game, seat), facts);
        step_urgent(step, game->table.answer_by);
    }
}

void step_ask_kept(struct step *step, const struct game *game, const struct new_game *how)
{
    ask(step, game, seating_unanswered(game), "kept", how);
}

static int remind(struct step *step, struct game *game, uint32_t seats, struct err *err)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        if (seats & SEAT_BIT(seat))
            json_array_append_new(list, json_integer(seat));
    json_t *fields = json_pack("{s:s,s:i,s:o,s:o}", "kind", "reminder", "turn", 0, "seats", list, "deadline",
                               json_time(game->table.answer_by));
    if (step_record(step, game, "note", fields, NULL, err))
        return -1;
    size_t before = step->post_count;
    ask(step, game, seats, "kept_reminder", NULL);
    step_passing(step, before, game->table.answer_by);
    return 0;
}

/* Everybody is told: those who joined, those who did not, and the moderators. */
static int give_up(struct step *step, struct game *game, uint32_t silent, struct err *err)
{
    json_t *extra = json_pack("{s:o}", "silent", names_of(game, silent));
    facts_time(extra, "answer_by", game->table.answer_by);
    if (step_end(step, game, err)) {
        json_decref(extra);
        return -1;
    }
    for (int seat = 1; seat <= game->seats; seat++) {
        if (!(silent & SEAT_BIT(seat)))
            continue;
        json_t *facts = facts_game(game, 0);
        json_object_update(facts, extra);
        step_tell(step, game, POST_TOLD, "unanswered", 0, seating_keeps(game, seat), facts);
    }
    step_tell_all(step, game, "unanswered", extra);
    return 0;
}

/* May one of them have answered without being heard? */
static bool unheard(const struct game *game, const struct outside *outside, uint32_t silent)
{
    for (int seat = 1; outside && seat <= game->seats; seat++)
        if ((silent & SEAT_BIT(seat)) && player_unheard(outside, seating_keeps(game, seat)))
            return true;
    return false;
}

int step_kept_clock(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    int64_t due = game_kept_due(game, outside);
    uint32_t silent = seating_unanswered(game);
    if (!due || due > step->now)
        return 0;
    if (game_kept_end(game, outside) > step->now)
        return remind(step, game, silent & ~game->clock.reminded, err);
    bool wait = (outside && outside->deaf) || unheard(game, outside, silent);
    return wait ? 0 : give_up(step, game, silent, err);
}
