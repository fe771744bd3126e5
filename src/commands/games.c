#include "commands/commands.h"
#include "commands/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "batch/batch.h"
#include "league/reliability.h"
#include "game/game_load.h"

static const char details[] = "\"(!)\" marks a player whose mail came back.\n";

/* What goes into the list; read from the journals, so that it is true even without the catalog. */
struct listing {
    json_t *games;
    json_t *bounces;
    json_t *figures; /* name -> league/reliability.h */
    bool running_only;
};

static int add_bounce(void *arg, const struct catalog_bounce *bounce, struct err *err)
{
    (void)err;
    struct listing *list = arg;
    json_object_set_new(list->bounces, bounce->player,
                        json_pack("{s:s,s:s,s:s,s:i,s:i}", "mail", bounce->mail, "status", bounce->status,
                                  "words", bounce->words, "permanent", bounce->permanent, "temporary",
                                  bounce->temporary));
    return 0;
}

static json_t *seat_json(const struct catalog_game *row, int seat)
{
    bool open = strcmp(row->player[seat], CATALOG_FREE) == 0;
    return json_pack("{s:s,s:b,s:b,s:b}", "player", open ? "" : row->player[seat], "free", open, "robot",
                     !*row->player[seat], "awaited", (row->awaited & SEAT_BIT(seat)) != 0);
}

/* Adds the counts of one game for a player. */
static void add_tally(struct listing *list, const char *player, const struct catalog_tally *more)
{
    const json_t *old = json_object_get(list->figures, player);
    struct catalog_tally sum = {json_integer_value(json_object_get(old, "turns")) + more->awaited,
                                json_integer_value(json_object_get(old, "missed")) + more->missed,
                                json_integer_value(json_object_get(old, "resigned")) + more->resigned};
    json_object_set_new(list->figures, player, reliability_json(&sum));
}

static int add_figures(struct listing *list, struct catalog *catalog, struct err *err)
{
    size_t i, j;
    json_t *game, *seat;
    json_array_foreach (list->games, i, game) {
        json_array_foreach (json_object_get(game, "seats"), j, seat) {
            const char *player = json_string_value(json_object_get(seat, "player"));
            struct catalog_tally sum;
            if (!*player || json_object_get(list->figures, player))
                continue;
            if (catalog_reliability(catalog, player, &sum, err))
                return -1;
            add_tally(list, player, &sum);
        }
    }
    return 0;
}

static int add_game(void *arg, const struct catalog_game *row, const struct game *game, struct err *err)
{
    (void)err;
    struct listing *list = arg;
    for (size_t t = 0; game && t < game->attendance.tally_count; t++) {
        const struct game_tally *tally = &game->attendance.tallies[t];
        add_tally(list, tally->player,
                  &(struct catalog_tally){tally->awaited, tally->missed, tally->resigned});
    }
    if (list->running_only && row->over)
        return 0;
    json_t *seats = json_array();
    for (int seat = 1; seat <= row->seats && seat <= SEATS_MAX; seat++)
        json_array_append_new(seats, seat_json(row, seat));
    char when[CLOCK_TEXT] = "";
    if (row->deadline > 0)
        clock_utc(when, row->deadline);
    json_array_append_new(
        list->games,
        json_pack("{s:s,s:s,s:i,s:b,s:s,s:b,s:b,s:I,s:o}", "game", row->id, "ruleset", row->ruleset, "turn",
                  row->turn, "over", row->over, "deadline", when, "paused", row->deadline == CATALOG_PAUSED,
                  "held", row->deadline == CATALOG_HELD, "seq", (json_int_t)row->seq, "seats", seats));
    return 0;
}

/* "ann* 92%" */
static void add_seat(struct str *who, const json_t *seat, const json_t *bounces, const json_t *figures)
{
    const char *player = json_string_value(json_object_get(seat, "player"));
    bool robot = json_is_true(json_object_get(seat, "robot"));
    const json_t *figure = robot ? NULL : json_object_get(figures, player);
    const char *name = player;
    if (json_is_true(json_object_get(seat, "free")))
        name = "(free)";
    else if (robot)
        name = "(robot)";
    str_addf(who, "%s%s%s%s", who->len ? ", " : "", name,
             json_is_true(json_object_get(seat, "awaited")) ? "*" : "",
             !robot && json_object_get(bounces, player) ? "!" : "");
    if (figure && !json_is_true(json_object_get(figure, "new")))
        str_addf(who, " %lld%%", (long long)json_integer_value(json_object_get(figure, "percent")));
}

static const char *state_of(const json_t *game)
{
    const char *deadline = json_string_value(json_object_get(game, "deadline"));
    if (json_is_true(json_object_get(game, "over")))
        return "over";
    if (json_is_true(json_object_get(game, "paused")))
        return "paused";
    if (json_is_true(json_object_get(game, "held")))
        return "held";
    if (json_integer_value(json_object_get(game, "turn")) == 0)
        return "waits for players";
    return *deadline ? deadline : "no deadline";
}

static void print_game(const json_t *game, const json_t *bounces, const json_t *figures)
{
    struct str who = STR_INIT;
    size_t i;
    json_t *seat;
    json_array_foreach (json_object_get(game, "seats"), i, seat)
        add_seat(&who, seat, bounces, figures);
    bool over = json_is_true(json_object_get(game, "over"));
    printf("%-16s %-20s turn %-4lld %-20s  %s\n", json_string_value(json_object_get(game, "game")),
           json_string_value(json_object_get(game, "ruleset")),
           (long long)json_integer_value(json_object_get(game, "turn")) - (over ? 1 : 0), state_of(game),
           who.p);
    str_release(&who);
}

static void print_list(const struct listing *list)
{
    size_t i;
    json_t *game;
    const char *player;
    json_t *bounce;
    if (json_array_size(list->games) == 0)
        printf("No games yet: `turnpost new --help` says how to make one.\n");
    json_array_foreach (list->games, i, game)
        print_game(game, list->bounces, list->figures);
    if (json_array_size(list->games) > 0)
        printf("* = still to answer; %% = turns in which orders came in time\n");
    json_object_foreach (list->bounces, player, bounce)
        printf("! mail to %s came back: %s %s (mail %s)\n", player,
               json_string_value(json_object_get(bounce, "status")),
               json_string_value(json_object_get(bounce, "words")),
               json_string_value(json_object_get(bounce, "mail")));
}

static int fill(const struct league *league, struct listing *list, struct err *err)
{
    struct catalog *catalog = NULL;
    bool fresh = true;
    char *path = league_path(league, "catalog.sqlite");
    int rc = file_exists(path) ? catalog_open(path, &catalog, &fresh, err) : 0;
    if (rc == 0)
        rc = look_games(league, fresh ? NULL : catalog, add_game, list, err);
    if (rc == 0 && !fresh)
        rc = add_figures(list, catalog, err);
    if (rc == 0 && catalog)
        rc = catalog_each_bounce(catalog, add_bounce, list, err);
    catalog_close(catalog);
    free(path);
    return rc;
}

int command_games(int argc, char **argv)
{
    const char *dir = NULL;
    bool json = false;
    struct listing list = {NULL, NULL, NULL, false};
    struct league league;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
        {"running", FLAG_SWITCH, &list.running_only, NULL, "only games that are not over"},
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 0, details);
    if (code >= 0)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    list.games = json_array();
    list.bounces = json_object();
    list.figures = json_object();
    int rc = fill(&league, &list, &err);
    if (rc == 0 && json) {
        struct str text = STR_INIT;
        json_t *all = json_pack("{s:O,s:O,s:O}", "games", list.games, "bounces", list.bounces, "reliability",
                                list.figures);
        json_write_pretty(&text, all);
        fputs(text.p, stdout);
        json_decref(all);
        str_release(&text);
    } else if (rc == 0) {
        print_list(&list);
    }
    json_decref(list.games);
    json_decref(list.bounces);
    json_decref(list.figures);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
