#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "engine/facts.h"
#include "engine/league.h"
#include "report/render.h"

static const char details[] =
    "Shows a game as it stands: the last turn and the table as the public sees them, or with --seat as that "
    "seat's\n"
    "player was told. The journal is checked on the way: a damaged one is named with its first bad record.\n";

/* The order lines a robot would give for the seat now. */
static void robot_orders(const struct game *game, int seat, struct str *out)
{
    if (!game->over && (game->ruleset->awaits(game->state) & SEAT_BIT(seat)))
        game->ruleset->robot(game->cards, game->state, seat, out);
}

static int show(const struct league *league, const char *id, int64_t seat, bool json, bool robot,
                struct err *err)
{
    struct store *store = NULL;
    struct game game;
    struct templates *templates = NULL;
    struct str out = STR_INIT;
    json_t *facts = NULL;
    char *games = league_path(league, "games");
    char *own = league_path(league, "templates");
    int rc = -1;
    game_init(&game);
    if (store_open(games, &store, err) || game_load(store, id, NULL, false, &game, err))
        goto out;
    if (seat < 0 || seat > game.seats) {
        err_set(err, ERR_INPUT, "%s has seats 1 to %d", id, game.seats);
        goto out;
    }
    if (robot) {
        rc = seat ? 0 : err_set(err, ERR_INPUT, "--robot needs --seat N");
        if (rc == 0 && game.turn == 0)
            rc = err_set(err, ERR_INPUT, "game %s has not begun", id);
        if (rc == 0)
            robot_orders(&game, (int)seat, &out);
        fputs(out.p, stdout);
        goto out;
    }
    facts = facts_game(&game, (int)seat);
    facts_events(facts, &game, (int)seat);
    facts_view(facts, &game, (int)seat);
    if (seat)
        facts_standing(facts, &game, (int)seat);
    json_object_set_new(facts, "show", json_true());
    json_object_set_new(facts, "seq", json_integer(game.seq));
    templates_open(own, &templates);
    if (json)
        json_write_pretty(&out, facts);
    else if (templates_render(templates, game.ruleset->folder, "show.txt", facts, &out, err))
        goto out;
    fputs(out.p, stdout);
    rc = 0;
out:
    templates_close(templates);
    json_decref(facts);
    str_release(&out);
    game_release(&game);
    store_close(store);
    free(games);
    free(own);
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
        {"seat", FLAG_NUMBER, &seat, "N", "as this seat's player sees it (default: the public view)"},
        {"robot", FLAG_SWITCH, &robot, NULL, "only the orders that a robot would give for --seat now"},
        {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
        {"league", FLAG_TEXT, &dir, "DIR",
         "the league's folder (default: $TURNPOST_LEAGUE or the current folder)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    int rc = show(&league, argv[1], seat, json, robot, &err);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
