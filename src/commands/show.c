#include "commands/look.h"

#include <stdio.h>
#include <stdlib.h>

#include "play/facts.h"
#include "play/trial.h"

static const char details[] =
    "Shows the last turn and the table as everyone sees them, or with --seat as that seat's player was told. "
    "The journal is checked on the way. If it is damaged, the first bad record is named.\n";

struct wish {
    const char *game;
    int64_t seat;
    bool json, robot;
};

/* The order lines a robot would give for the seat now, without its wishes that cannot come true yet. */
static void robot_lines(const struct game *game, int seat, struct str *out)
{
    struct str orders = STR_INIT;
    if (!game->over && (game->ruleset->awaits(game->state) & SEAT_BIT(seat)))
        game->ruleset->robot(game->cards, game->state, seat, &orders);
    trial_right(game, seat, slice_str(&orders), out);
    str_release(&orders);
}

static int robot_there(const struct game *game, struct err *err)
{
    if (game->turn == 0)
        return err_set(err, ERR_INPUT, "game %s has not begun", game->id);
    if (!game->ruleset->robot)
        return err_set(err, ERR_INPUT, "%s has no robot", game->ruleset->title);
    return 0;
}

static int robot_orders(const struct game *game, int seat, struct err *err)
{
    struct str out = STR_INIT;
    if (!seat)
        return err_set(err, ERR_INPUT, "--robot needs --seat N, or --json for all seats");
    if (robot_there(game, err))
        return -1;
    robot_lines(game, seat, &out);
    (void)fputs(out.p, stdout);
    str_release(&out);
    return 0;
}

/* Beside each seat that is awaited: what a robot would order for it. */
static void facts_robots(json_t *facts, const struct game *game)
{
    const json_t *seats = json_object_get(facts, "seats");
    for (size_t i = 0; i < json_array_size(seats); i++) {
        json_t *item = json_array_get(seats, i);
        struct str lines = STR_INIT;
        if (!json_is_true(json_object_get(item, "awaited")))
            continue;
        robot_lines(game, (int)json_integer_value(json_object_get(item, "seat")), &lines);
        json_object_set_new(item, "robot_orders", json_text(slice_str(&lines)));
        str_release(&lines);
    }
}

static int show_table(const struct league *league, const struct game *game, const struct wish *wish,
                      struct err *err)
{
    const int seat = (int)wish->seat;
    if (wish->robot && robot_there(game, err))
        return -1;
    json_t *facts = facts_game(game, seat);
    facts_events(facts, game, seat);
    facts_view(facts, game, seat);
    if (seat)
        facts_standing(facts, game, seat);
    if (wish->robot)
        facts_robots(facts, game);
    json_object_set_new(facts, "show", json_true());
    json_object_set_new(facts, "seq", json_integer(game->seq));
    int rc = look_show(league, game, wish->json ? NULL : "show.txt", facts, err);
    json_decref(facts);
    return rc;
}

static int show(const struct league *league, const struct wish *wish, struct err *err)
{
    struct game game;
    int rc = look_game(league, wish->game, &game, err);
    if (rc == 0 && (wish->seat < 0 || wish->seat > game.seats))
        rc = err_set(err, ERR_INPUT, "%s has seats 1 to %d", wish->game, game.seats);
    if (rc == 0)
        rc = wish->robot && !wish->json ? robot_orders(&game, (int)wish->seat, err)
                                        : show_table(league, &game, wish, err);
    game_release(&game);
    return rc;
}

int command_show(int argc, char **argv)
{
    const char *dir = NULL;
    bool json = false;
    bool robot = false;
    int64_t seat = 0;
    struct league league;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"seat", FLAG_NUMBER, &seat, "N", "as this seat's player sees it (default: as everyone does)"},
        {"robot", FLAG_SWITCH, &robot, NULL,
         "only the orders that a robot would give for --seat now; with --json: for each seat that is still "
         "to answer"},
        {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    int rc = show(&league, &(struct wish){argv[1], seat, json, robot}, &err);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
