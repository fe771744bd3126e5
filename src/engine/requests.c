#include "engine/requests.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "engine/facts.h"
#include "engine/petition.h"
#include "engine/reliability.h"

#define GAMES_LISTED 100

/* "Re: Status gc-17" -> "Status gc-17" */
static struct slice without_reply(struct slice text)
{
    text = slice_trim(text);
    while (slice_casestarts(text, "re:") || slice_casestarts(text, "aw:"))
        text = slice_trim(slice_sub(text, 3, text.len));
    return text;
}

/* The first line of the body that is not empty. */
static struct slice first_line(const struct message *msg)
{
    struct slice line = {"", 0};
    for (size_t i = 0; i < msg->part_count; i++) {
        struct slice rest = slice_str(&msg->parts[i].shown);
        while (slice_line(&rest, &line))
            if (slice_trim(line).len)
                return slice_trim(line);
    }
    return (struct slice){"", 0};
}

/* ---- the answers ---- */

static int ask_help(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    json_t *texts = json_array();
    (void)batch;
    (void)what;
    (void)err;
    for (int i = 0; petitions[i]; i++)
        json_array_append_new(
            texts, json_pack("{s:s,s:s}", "verb", petitions[i]->verb, "words", petitions[i]->help));
    json_object_set_new(request->facts, "texts", texts);
    request->kind = "ask_help";
    return 0;
}

struct listing {
    json_t *games;
    struct catalog *catalog;
};

static int list_game(void *arg, const struct catalog_game *row, struct err *err)
{
    struct listing *list = arg;
    if (json_array_size(list->games) >= GAMES_LISTED)
        return 0;
    const struct ruleset *ruleset = ruleset_find(row->ruleset);
    struct str players = STR_INIT;
    for (int seat = 1; seat <= row->seats && seat <= SEATS_MAX; seat++) {
        json_t *figure = NULL;
        str_addf(&players, "%s%s", seat > 1 ? ", " : "", *row->player[seat] ? row->player[seat] : "robot");
        if (*row->player[seat] && reliability_of(list->catalog, row->player[seat], &figure, err)) {
            str_release(&players);
            return -1;
        }
        if (figure && !json_is_true(json_object_get(figure, "new")))
            str_addf(&players, " (%lld %%)",
                     (long long)json_integer_value(json_object_get(figure, "percent")));
        json_decref(figure);
    }
    json_array_append_new(list->games, json_pack("{s:s,s:s,s:i,s:s}", "game", row->id, "title",
                                                 ruleset ? ruleset->title : row->ruleset, "turn", row->turn,
                                                 "players", players.p));
    str_release(&players);
    return 0;
}

static int ask_games(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    struct listing list = {json_array(), batch->catalog};
    json_t *titles = json_array();
    (void)what;
    request->kind = "ask_games";
    int rc = catalog_each_game(batch->catalog, NULL, true, list_game, &list, err);
    for (int i = 0; rulesets[i]; i++)
        json_array_append_new(titles, json_pack("{s:s,s:s,s:i,s:i,s:b,s:b}", "name", rulesets[i]->name,
                                                "title", rulesets[i]->title, "least", rulesets[i]->seats_min,
                                                "most", rulesets[i]->seats_max, "several",
                                                rulesets[i]->seats_max > rulesets[i]->seats_min, "plural",
                                                rulesets[i]->seats_max > 1));
    json_object_set_new(request->facts, "rulesets", titles);
    json_object_set_new(request->facts, "games", list.games);
    return rc;
}

/* "galaxy-command", "Galaxy Command", or a game's name. */
static const struct ruleset *find_ruleset(struct batch *batch, const char *name)
{
    struct err why = ERR_INIT;
    struct batch_game *game;
    if (*name && batch_game(batch, name, &game, &why) == 0)
        return game->game.ruleset;
    for (int i = 0; *name && rulesets[i]; i++)
        if (slice_caseeq(slice_of(name), rulesets[i]->name) ||
            slice_caseeq(slice_of(name), rulesets[i]->title))
            return rulesets[i];
    return NULL;
}

static int ask_rules(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    char *name = slice_dup(what);
    const struct ruleset *ruleset = find_ruleset(batch, name);
    free(name);
    if (!ruleset) {
        int rc = ask_games(batch, what, request, err);
        request->kind = "ask_unknown";
        json_object_set_new(request->facts, "what", json_text(what));
        return rc;
    }
    request->kind = "ask_rules";
    request->folder = ruleset->folder;
    json_object_set_new(request->facts, "title", json_string(ruleset->title));
    return 0;
}

/* How reliable the players at the table are. */
static int add_figures(struct batch *batch, const struct game *game, json_t *facts, struct err *err)
{
    json_t *list = json_array();
    int rc = 0;
    for (int seat = 1; rc == 0 && seat <= game->seats; seat++) {
        json_t *figure = NULL;
        if (game->seat[seat].robot)
            continue;
        rc = reliability_of(batch->catalog, game->seat[seat].player, &figure, err);
        if (rc == 0) {
            json_object_set_new(figure, "name", json_string(game->seat[seat].player));
            json_array_append_new(list, figure);
        }
    }
    if (json_array_size(list) > 0)
        json_object_set(facts, "reliability", list);
    json_decref(list);
    return rc;
}

static int ask_status(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    struct err why = ERR_INIT;
    struct batch_game *game;
    char *name = slice_dup(what);
    int missing = batch_game(batch, name, &game, &why);
    free(name);
    if (missing) {
        int rc = ask_games(batch, what, request, err);
        request->kind = "ask_unknown";
        json_object_set_new(request->facts, "what", json_text(what));
        return rc;
    }
    json_decref(request->facts);
    request->kind = "ask_status";
    request->folder = game->game.ruleset->folder;
    request->facts = facts_game(&game->game, 0);
    facts_view(request->facts, &game->game, 0);
    return add_figures(batch, &game->game, request->facts, err);
}

static const struct {
    const char *word;
    bool takes; /* something behind it */
    int (*answer)(struct batch *batch, struct slice what, struct request *request, struct err *err);
} words[] = {
    {"help", false, ask_help},    {"games", false, ask_games}, {"rules", true, ask_rules},
    {"status", true, ask_status}, {NULL, false, NULL},
};

/* The words are the whole line: "help me with my broken mailer" is none of ours. */
static int answer_line(struct batch *batch, struct slice line, bool *found, struct request *request,
                       struct err *err)
{
    struct slice rest = line;
    struct slice word;
    if (!slice_word(&rest, &word))
        return 0;
    struct slice what = slice_trim(rest);
    for (int i = 0; words[i].word; i++) {
        if (!slice_caseeq(word, words[i].word) || (what.len && !words[i].takes) || what.len > 64)
            continue;
        *found = true;
        return words[i].answer(batch, what, request, err);
    }
    return 0;
}

int request_read(struct batch *batch, const struct message *msg, bool *is_request, struct request *request,
                 struct err *err)
{
    *request = (struct request){"", "", json_object()};
    *is_request = false;
    int rc = answer_line(batch, without_reply(slice_of(msg->subject)), is_request, request, err);
    if (rc == 0 && !*is_request)
        rc = answer_line(batch, first_line(msg), is_request, request, err);
    if (rc || !*is_request) {
        json_decref(request->facts);
        request->facts = NULL;
    }
    return rc;
}
