#include "play/preview.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "play/facts.h"
#include "play/trial.h"
#include "game/turn.h"

/* Does the robot write the lines, because these orders say so? */
static bool is_auto(const struct game *game, struct slice text)
{
    struct script *script = script_parse(text, game->ruleset->language);
    bool is = turn_wants_robot(script);
    script_free(script);
    return is;
}

/* Where the lines come from that the seat would play: {"signed"|"mailed"|"moderator"|"always"|"robot"|"absent"|"default":
 * true, "auto", "record"}; "absent": the robot's, as the player has missed several turns. */
static json_t *source(const struct game *game, int seat)
{
    const struct game_seat *who = &game->seat[seat];
    struct str always = STR_INIT;
    const char *from = "default";
    bool by_robot = false;
    standing_always(&always, slice_str(&who->standing), game->ruleset->language);
    if (who->robot) {
        from = "robot";
    } else if (who->orders.in) {
        from = who->orders.set ? "moderator" : who->orders.by_mail ? "mailed" : "signed";
        by_robot = is_auto(game, slice_str(&who->orders.text));
    } else if (always.len) {
        from = "always";
        by_robot = is_auto(game, slice_str(&always));
    } else if (game_robot_stands_in(game, seat)) {
        from = "absent";
    }
    str_release(&always);
    return json_pack("{s:b,s:b,s:I}", from, 1, "auto", by_robot, "record", (json_int_t)who->orders.record);
}

/* The orders of the seat as a receipt shows them. */
static void add_own(json_t *facts, const struct game *game, int seat)
{
    bool missed = false;
    struct script *script = turn_orders(game, seat, &missed);
    if (script)
        trial_add(facts, game, seat, script, NULL);
    json_object_set_new(facts, "own", json_pack("{s:b,s:o}", "none", !script, "source", source(game, seat)));
    facts_standing(facts, game, seat);
    script_free(script);
}

/* Nothing is hidden here. */
static json_t *in_the_open(const json_t *events)
{
    json_t *list = json_deep_copy(events);
    size_t i;
    json_t *event;
    json_array_foreach (list, i, event)
        json_object_set_new(event, "visible", json_integer((json_int_t)EVENT_PUBLIC));
    return list;
}

static json_t *seats_of(const struct game *game, const json_t *events)
{
    uint32_t wanted = game->ruleset->awaits(game->state);
    uint32_t missing = game_missing(game);
    json_t *list = json_array();
    for (int seat = 1; seat <= game->seats; seat++) {
        if (!(wanted & SEAT_BIT(seat)))
            continue;
        const struct game_seat *who = &game->seat[seat];
        json_t *facts = json_pack("{s:i,s:s,s:b,s:b,s:b,s:b,s:b}", "number", seat, "name", who->player,
                                  "robot", who->robot, "late", (missing & SEAT_BIT(seat)) != 0, "waits",
                                  who->orders.in && who->orders.wait, "corrects", who->orders.waits, "asked",
                                  who->orders.question != 0);
        json_object_set_new(facts, "source", source(game, seat));
        facts_news(facts, game, seat, events);
        json_object_del(facts, "news");
        json_array_append_new(list, facts);
    }
    return list;
}

/* The game as its turn would be played now: who has not answered has missed it. Borrows all that it points to. */
static struct game as_closed(const struct game *game)
{
    const uint32_t missing = game_missing(game);
    struct game closed = *game;
    for (int seat = 1; seat <= game->seats; seat++)
        closed.seat[seat].missed += (missing & SEAT_BIT(seat)) != 0;
    return closed;
}

json_t *preview_facts(const struct game *open, int seat)
{
    unsigned char seed[HEAD_BYTES + 8];
    struct chance chance;
    struct turn_result result = {0};
    const struct game closed = as_closed(open), *game = &closed;
    json_t *facts = facts_game(open, seat);
    if (seat) {
        add_own(facts, game, seat);
        return facts;
    }
    memcpy(seed, game->opened.head, HEAD_BYTES);
    memcpy(seed + HEAD_BYTES, "preview", 8);
    chance_seeded(&chance, seed, sizeof seed);
    turn_play(game, &chance, &result);
    json_t *events = in_the_open(result.all_events);
    json_object_set_new(facts, "played", seats_of(game, events));
    facts_news(facts, game, 0, events);
    json_object_del(facts, "orders"); /* nobody's */
    /* The table as the public would see it then. */
    struct game after = *game;
    after.state = result.state;
    after.over = game->ruleset->awaits(result.state) == 0;
    facts_view(facts, &after, 0);
    json_object_set_new(facts, "ends", json_boolean(after.over));
    json_object_set_new(facts, "whole", json_true());
    json_decref(events);
    turn_result_release(&result);
    return facts;
}
