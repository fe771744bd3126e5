/* Players who allow it (prefs: public): their games, their results, their ratings as a curve; and of all who are rated the lists,
 * which anybody gets by mail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "batch/results.h"
#include "compete/competition.h"
#include "compete/ratings.h"
#include "site/site_parts.h"

#define GAMES_SHOWN  100
#define CURVE_WIDTH  600
#define CURVE_HEIGHT 160

/* The league's results, read once when a page needs them. */
struct people {
    struct site_work *work;
    struct store *store; /* NULL: the league keeps no results */
    int64_t length;      /* of their journal */
    struct results results;
    bool loaded;
    const struct player **list; /* who is shown */
    struct history *histories;  /* of `list` */
    json_t *index;              /* name -> place in both */
    size_t count;
};

/* ---- results ---- */

static int take(void *arg, int64_t seq, const struct results_game *game, const struct ladder *ladder,
                struct err *err)
{
    struct people *people = arg;
    int rc = 0;
    for (int seat = 1; rc == 0 && seat <= game->seats; seat++) {
        const json_t *place = json_object_get(people->index, game->seat[seat].name);
        bool again = false;
        for (int other = 1; other < seat; other++)
            again = again || strcmp(game->seat[other].name, game->seat[seat].name) == 0;
        if (place && !again && !game->seat[seat].robot)
            rc = history_take(&people->histories[json_integer_value(place)], seq, game, ladder, err);
    }
    return rc;
}

static int load(struct people *people, struct err *err)
{
    const struct results_reading how = {.each = take, .arg = people};
    people->loaded = true;
    return results_load(people->store, &how, &people->results, err);
}

/* ---- the curve ---- */

static int64_t figure_of(const json_t *point)
{
    return json_integer_value(json_object_get(point, "shown"));
}

/* {"points": "0,12 40,9", "first","last","least","most": texts}: the ratings at the end of each month, as places in a
 * field of CURVE_WIDTH by CURVE_HEIGHT. */
static void put_curve(json_t *rating)
{
    const json_t *curve = json_object_get(rating, "curve");
    size_t count = json_array_size(curve), least = 0, most = 0;
    struct str points = STR_INIT;
    if (count < 2)
        return;
    for (size_t i = 1; i < count; i++) {
        least = figure_of(json_array_get(curve, i)) < figure_of(json_array_get(curve, least)) ? i : least;
        most = figure_of(json_array_get(curve, i)) > figure_of(json_array_get(curve, most)) ? i : most;
    }
    int64_t low = figure_of(json_array_get(curve, least)), high = figure_of(json_array_get(curve, most));
    int64_t span = high > low ? high - low : 1;
    for (size_t i = 0; i < count; i++)
        str_addf(&points, "%s%lld,%lld", i ? " " : "",
                 (long long)((int64_t)i * CURVE_WIDTH / (int64_t)(count - 1)),
                 (long long)((high - figure_of(json_array_get(curve, i))) * CURVE_HEIGHT / span));
    json_object_set_new(rating, "line",
                        json_pack("{s:s,s:O,s:O,s:O,s:O}", "points", points.p, "from",
                                  json_object_get(json_array_get(curve, 0), "month"), "to",
                                  json_object_get(json_array_get(curve, count - 1), "month"), "least",
                                  json_object_get(json_array_get(curve, least), "shown_text"), "most",
                                  json_object_get(json_array_get(curve, most), "shown_text")));
    str_release(&points);
}

/* ---- a page ---- */

static bool plays_in(const struct catalog_game *row, const char *name)
{
    for (int seat = 1; seat <= row->seats; seat++)
        if (strcmp(row->player[seat], name) == 0)
            return true;
    return false;
}

/* Their games that are not over, and where there are no results those that are; by game alone, so that a page does not
 * change with each turn. */
static json_t *games_of(const struct people *people, const char *name, bool over)
{
    const struct site_work *work = people->work;
    json_t *list = json_array();
    for (size_t i = 0; i < work->count && json_array_size(list) < GAMES_SHOWN; i++) {
        const struct catalog_game *row = &work->games[i];
        const struct ruleset *ruleset = ruleset_newest(row->ruleset);
        if (row->over != over || !plays_in(row, name))
            continue;
        struct str unit = STR_INIT;
        str_addf(&unit, "game/%s", row->id);
        json_array_append_new(list, json_pack("{s:s,s:s,s:b}", "game", row->id, "title",
                                              ruleset ? ruleset->title : row->ruleset, "page",
                                              site_out_has(work->out, unit.p)));
        str_release(&unit);
    }
    return list;
}

/* Which of the opponents and games have pages. */
static void put_links(const struct people *people, json_t *history)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(history, "against"), i, one)
        json_object_set_new(one, "page",
                            json_boolean(site_player_shown(people->work->site,
                                                           json_string_value(json_object_get(one, "name")))));
    json_array_foreach (json_object_get(history, "games"), i, one) {
        struct str unit = STR_INIT;
        str_addf(&unit, "game/%s", json_string_value(json_object_get(one, "game")));
        json_object_set_new(one, "page", json_boolean(site_out_has(people->work->out, unit.p)));
        str_release(&unit);
    }
    json_array_foreach (json_object_get(history, "ratings"), i, one)
        put_curve(one);
}

static int put_player(struct people *people, size_t place, json_t *facts, struct err *err)
{
    const char *name = people->list[place]->name;
    struct str path = STR_INIT, data = STR_INIT, file = STR_INIT, words = STR_INIT;
    str_addf(&path, "players/%s.html", name);
    str_addf(&data, "players/%s.json", name);
    str_addf(&file, "%s.json", name);
    str_addf(&words, "The games and results of %s.", name);
    if (people->store) {
        json_t *history =
            history_json(&people->histories[place], &people->results, people->results.time, GAMES_SHOWN);
        put_links(people, history);
        json_object_set_new(facts, "history", history);
    }
    json_t *json = json_deep_copy(facts);
    const struct site_page page = {path.p, "player.html", name, words.p, file.p, NULL};
    int rc = site_page_put(people->work, &page, facts, err);
    if (rc == 0)
        rc = site_json_put(people->work, data.p, "", json, err);
    json_decref(json);
    str_release(&path);
    str_release(&data);
    str_release(&file);
    str_release(&words);
    return rc;
}

static int one(struct people *people, size_t place, struct err *err)
{
    const struct player *player = people->list[place];
    unsigned char key[SITE_KEY];
    struct str text = STR_INIT, unit = STR_INIT;
    char since[CLOCK_TEXT] = "";
    if (player->since)
        clock_utc(since, player->since);
    since[player->since ? 10 : 0] = '\0';
    json_t *running = games_of(people, player->name, false), *ended = games_of(people, player->name, true);
    json_t *facts = json_pack("{s:s,s:s,s:o,s:b,s:o,s:b}", "name", player->name, "since", since, "running",
                              running, "plays", json_array_size(running) > 0, "ended", ended, "has_ended",
                              json_array_size(ended) > 0);
    site_player_called(people->work->site, player->name, facts);
    json_write(&text, facts);
    str_addf(&text, " %lld", (long long)people->length);
    str_addf(&unit, "player/%s", player->name);
    site_key(people->work, key, slice_str(&text));
    int rc = 0;
    if (site_out_begin(people->work->out, unit.p, key)) {
        if (people->store && !people->loaded)
            rc = load(people, err);
        if (rc == 0)
            rc = put_player(people, place, facts, err);
        people->work->sum->rendered++;
    }
    json_decref(facts);
    str_release(&text);
    str_release(&unit);
    return rc;
}

/* ---- the lists of ratings ---- */

static json_t *ratings_of(const struct people *people)
{
    char time[CLOCK_TEXT];
    json_t *lists = ratings_lists(&people->results, NULL, people->results.time), *list, *row;
    size_t i, k;
    json_array_foreach (lists, i, list) {
        json_object_set_new(list, "one",
                            json_boolean(json_integer_value(json_object_get(list, "games")) == 1));
        json_array_foreach (json_object_get(list, "players"), k, row) {
            const char *last = json_string_value(json_object_get(row, "last"));
            json_object_set_new(row, "day", json_stringn(last, 10));
            json_object_set_new(row, "page",
                                json_boolean(site_player_shown(
                                    people->work->site, json_string_value(json_object_get(row, "name")))));
        }
    }
    clock_utc(time, people->results.time);
    return json_pack("{s:b,s:o,s:s,s:o}", "any", json_array_size(lists) > 0, "lists", lists, "as_of", time,
                     "source", people->store ? ratings_source(&people->results) : json_false());
}

/* Of a league that keeps ratings; a journal that is damaged leaves the page as it was. */
static int put_ratings(struct people *people, struct err *err)
{
    struct site_work *work = people->work;
    unsigned char key[SITE_KEY];
    struct str text = STR_INIT;
    struct err why = ERR_INIT;
    int rc = 0;
    if (work->site->league->config.league.ratings == RATINGS_NO)
        return 0;
    str_addf(&text, "%lld", (long long)people->length);
    for (size_t i = 0; i < people->count; i++)
        str_addf(&text, " %s", people->list[i]->name);
    site_key(work, key, slice_str(&text));
    str_release(&text);
    if (!site_out_begin(work->out, "ratings.html", key))
        return 0;
    if (people->store && !people->loaded && load(people, &why)) {
        if (why.code == ERR_IO)
            return err_pass(err, &why);
        work->sum->broken++;
        site_out_drop(work->out);
        return 0;
    }
    json_t *facts = ratings_of(people), *json = json_deep_copy(facts);
    const struct site_page page = {"ratings.html", "ratings.html",
                                   "Ratings",      "The players of each game by their ratings.",
                                   "ratings.json", NULL};
    rc = site_page_put(work, &page, facts, err);
    if (rc == 0)
        rc = site_json_put(work, page.json, "", json, err);
    json_decref(facts);
    json_decref(json);
    work->sum->rendered++;
    return rc;
}

/* ---- all ---- */

static void open_results(struct people *people)
{
    const struct site *site = people->work->site;
    char *folder = league_path(site->league, COMPETE_FOLDER);
    people->store = store_open(folder);
    free(folder);
    if (!store_has(people->store, RESULTS_NAME)) {
        store_close(people->store);
        people->store = NULL;
    }
    folder = league_path(site->league, COMPETE_FOLDER "/" RESULTS_NAME "/journal.jsonl");
    people->length = people->store ? file_size(folder) : 0;
    free(folder);
}

static int put_list(struct people *people, struct err *err)
{
    json_t *names = json_array();
    for (size_t i = 0; i < people->count; i++) {
        json_t *row = json_pack("{s:s}", "name", people->list[i]->name);
        site_player_called(people->work->site, people->list[i]->name, row);
        json_array_append_new(names, row);
    }
    json_t *facts =
        json_pack("{s:o,s:b,s:i,s:i}", "names", names, "any", people->count > 0, "count", (int)people->count,
                  "others", (int)(people->work->site->registry->count - people->count));
    const struct site_page page = {
        "players.html", "players.html", "Players", "Players who show their results.", "players.json", NULL};
    int rc = site_unit_put(people->work, &page, facts, err);
    json_decref(facts);
    return rc;
}

int site_players(struct site_work *work, struct err *err)
{
    const struct registry *registry = work->site->registry;
    struct people people = {.work = work, .index = json_object()};
    people.list = mem_array(registry->count + 1, sizeof(const struct player *));
    people.histories = mem_array(registry->count + 1, sizeof *people.histories);
    results_init(&people.results);
    for (size_t i = 0; i < registry->count; i++) {
        const struct player *player = &registry->players[i];
        if (!site_player_shown(work->site, player->name))
            continue;
        people.list[people.count] = player;
        history_begin(&people.histories[people.count], player->name);
        json_object_set_new(people.index, player->name, json_integer((json_int_t)people.count++));
    }
    int rc = 0;
    open_results(&people);
    for (size_t i = 0; rc == 0 && i < people.count; i++)
        rc = one(&people, i, err);
    if (rc == 0)
        rc = put_list(&people, err);
    if (rc == 0)
        rc = put_ratings(&people, err);
    for (size_t i = 0; i < people.count; i++)
        history_release(&people.histories[i]);
    results_release(&people.results);
    store_close(people.store);
    json_decref(people.index);
    free(people.histories);
    free(people.list);
    return rc;
}
