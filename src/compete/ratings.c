#include "compete/ratings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/mem.h"
#include "compete/conditions.h"

#define FORM   5
#define MONTHS 12

/* Nobody reads that they are worth less than nothing: the places say who is before whom. */
static json_t *figure_text(int64_t micro)
{
    char text[RATING_TEXT];
    rating_text(text, micro < 0 ? 0 : micro);
    return json_string(text);
}

static const char *title_of(const char *name)
{
    const struct ruleset *ruleset = ruleset_newest(name);
    return ruleset ? ruleset->title : name;
}

static json_t *row_json(const struct ladder_row *row, size_t place)
{
    char last[CLOCK_TEXT];
    clock_utc(last, row->last);
    json_t *json = json_pack("{s:I,s:s,s:I,s:I,s:I,s:i,s:b,s:s}", "place", (json_int_t)place, "name",
                             row->name, "shown", (json_int_t)row->figures.shown, "mu",
                             (json_int_t)row->figures.mu, "sigma", (json_int_t)row->figures.sigma, "games",
                             row->games, "provisional", row->provisional, "last", last);
    json_object_set_new(json, "shown_text", figure_text(row->figures.shown));
    return json;
}

static json_t *ladder_json(const struct results *results, const struct results_ladder *one, int64_t now)
{
    struct ladder_row *rows = mem_array(one->ladder.count + 1, sizeof *rows);
    json_t *players = json_array();
    size_t place = 0;
    ladder_list(&one->ladder, now, results->terms.provisional, rows);
    for (size_t i = 0; i < one->ladder.count; i++) {
        if (i == 0 || rows[i].figures.shown != rows[i - 1].figures.shown)
            place = i + 1;
        json_array_append_new(players, row_json(&rows[i], place));
    }
    free(rows);
    return json_pack("{s:s,s:s,s:i,s:o}", "ruleset", one->ruleset, "title", title_of(one->ruleset), "games",
                     one->games, "players", players);
}

json_t *ratings_lists(const struct results *results, const char *ruleset, int64_t now)
{
    json_t *lists = json_array();
    for (size_t i = 0; i < results->ladder_count; i++)
        if (results->ladders[i]->games && (!ruleset || strcmp(results->ladders[i]->ruleset, ruleset) == 0))
            json_array_append_new(lists, ladder_json(results, results->ladders[i], now));
    return lists;
}

json_t *ratings_source(const struct results *results)
{
    char head[2 * HEAD_BYTES + 1];
    hex_to(head, results->head, HEAD_BYTES);
    return json_pack("{s:I,s:s,s:s,s:i,s:i}", "seq", (json_int_t)results->seq, "head", head, "trust",
                     results->terms.by_mail ? "mail" : "signed", "provisional", results->terms.provisional,
                     "version", RATING_VERSION);
}

/* ---- one player ---- */

void history_begin(struct history *history, const char *name)
{
    *history = (struct history){name, json_array(), json_object(), json_object()};
}

void history_release(struct history *history)
{
    json_decref(history->games);
    json_decref(history->against);
    json_decref(history->months);
    memset(history, 0, sizeof *history);
}

static void count(json_t *json, const char *member)
{
    json_object_set_new(json, member, json_integer(json_integer_value(json_object_get(json, member)) + 1));
}

/* Each pair at a table, from the player's side. */
static void meet(struct history *history, const struct results_game *game, const struct results_seat *own)
{
    for (int seat = 1; seat <= game->seats; seat++) {
        const struct results_seat *other = &game->seat[seat];
        if (other == own || other->robot || !*other->name)
            continue;
        json_t *one = json_object_get(history->against, other->name);
        if (!one) {
            one = json_pack("{s:s,s:i,s:i,s:i,s:i}", "name", other->name, "games", 0, "ahead", 0, "behind", 0,
                            "level", 0);
            json_object_set_new(history->against, other->name, one);
        }
        count(one, "games");
        count(one, own->rank < other->rank ? "ahead" : own->rank > other->rank ? "behind" : "level");
    }
}

static json_t *result_json(const struct results_game *game, const struct results_seat *own)
{
    char ended[CLOCK_TEXT];
    bool level = false;
    for (int seat = 1; seat <= game->seats; seat++)
        level |= &game->seat[seat] != own && game->seat[seat].rank == own->rank;
    clock_utc(ended, game->ended);
    ended[10] = '\0';
    return json_pack("{s:s,s:s,s:s,s:i,s:i,s:b,s:b,s:b,s:s,s:s}", "game", game->of, "title",
                     title_of(game->ruleset), "date", ended, "rank", own->rank, "of", game->seats, "level",
                     level && own->rank, "left", own->left, "ranked", own->rank > 0, "why",
                     unrated_word(game->unrated), "shown_text", "");
}

/* The last figure of a month stays. */
static void note_month(struct history *history, const struct results_game *game, int64_t shown)
{
    char month[CLOCK_TEXT];
    json_t *list = json_object_get(history->months, game->ruleset);
    clock_utc(month, game->ended);
    month[7] = '\0';
    if (!list) {
        list = json_array();
        json_object_set_new(history->months, game->ruleset, list);
    }
    json_t *last = json_array_get(list, json_array_size(list) - 1);
    if (!last || strcmp(json_string_value(json_object_get(last, "month")), month) != 0) {
        last = json_pack("{s:s}", "month", month);
        json_array_append_new(list, last);
    }
    json_object_set_new(last, "shown", json_integer(shown));
    json_object_set_new(last, "shown_text", figure_text(shown));
    if (json_array_size(list) > MONTHS)
        json_array_remove(list, 0);
}

int history_take(void *arg, int64_t seq, const struct results_game *game, const struct ladder *ladder,
                 struct err *err)
{
    struct history *history = arg;
    const struct results_seat *own = NULL;
    (void)seq;
    (void)err;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot && strcmp(game->seat[seat].name, history->name) == 0)
            own = &game->seat[seat];
    if (!own)
        return 0;
    json_t *json = result_json(game, own);
    const struct ladder_player *player = ladder ? ladder_find(ladder, history->name) : NULL;
    json_object_set_new(json, "rated", json_boolean(player != NULL));
    if (player) {
        int64_t shown = rating_published(player->rating).shown;
        json_object_set_new(json, "shown_text", figure_text(shown));
        note_month(history, game, shown);
    }
    json_array_append_new(history->games, json);
    if (own->rank)
        meet(history, game, own);
    return 0;
}

static json_t *own_ratings(const struct history *history, const json_t *lists)
{
    json_t *ratings = json_array(), *list, *row;
    size_t i, k;
    json_array_foreach ((json_t *)(uintptr_t)lists, i, list) {
        json_array_foreach (json_object_get(list, "players"), k, row) {
            if (strcmp(json_string_value(json_object_get(row, "name")), history->name) != 0)
                continue;
            json_t *own = json_copy(row);
            const char *ruleset = json_string_value(json_object_get(list, "ruleset"));
            json_object_set(own, "ruleset", json_object_get(list, "ruleset"));
            json_object_set(own, "title", json_object_get(list, "title"));
            json_object_set_new(own, "of",
                                json_integer((json_int_t)json_array_size(json_object_get(list, "players"))));
            const json_t *curve = json_object_get(history->months, ruleset);
            json_object_set(own, "curve", (json_t *)(uintptr_t)curve);
            json_object_set_new(own, "has_curve", json_boolean(json_array_size(curve) > 1));
            json_array_append_new(ratings, own);
        }
    }
    return ratings;
}

static int by_games(const void *a, const void *b)
{
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
    json_int_t many = json_integer_value(json_object_get(x, "games"));
    json_int_t more = json_integer_value(json_object_get(y, "games"));
    if (many != more)
        return many > more ? -1 : 1;
    return strcmp(json_string_value(json_object_get(x, "name")),
                  json_string_value(json_object_get(y, "name")));
}

static json_t *opponents(const struct history *history, size_t most)
{
    size_t count = json_object_size(history->against), i = 0;
    json_t **all = mem_array(count + 1, sizeof(json_t *)), *list = json_array(), *one;
    const char *name;
    json_object_foreach (history->against, name, one)
        all[i++] = one;
    qsort(all, count, sizeof *all, by_games);
    for (i = 0; i < count && i < most; i++)
        json_array_append(list, all[i]);
    free(all);
    return list;
}

json_t *history_json(const struct history *history, const struct results *results, int64_t now, size_t most)
{
    size_t total = json_array_size(history->games), formed = 0;
    struct str form = STR_INIT;
    json_t *games = json_array(), *lists = ratings_lists(results, NULL, now);
    for (size_t i = total; i > 0 && json_array_size(games) < most; i--)
        json_array_append(games, json_array_get(history->games, i - 1));
    for (size_t i = total; i > 0 && formed < FORM; i--) {
        const json_t *one = json_array_get(history->games, i - 1);
        if (json_integer_value(json_object_get(one, "rank")) == 0)
            continue;
        str_addf(&form, "%s%lld of %lld", formed++ ? ", " : "",
                 (long long)json_integer_value(json_object_get(one, "rank")),
                 (long long)json_integer_value(json_object_get(one, "of")));
    }
    json_t *json = json_pack("{s:s,s:I,s:o,s:s,s:o,s:o}", "name", history->name, "total", (json_int_t)total,
                             "ratings", own_ratings(history, lists), "form", form.p, "games", games,
                             "against", opponents(history, most));
    json_object_set_new(json, "has_games", json_boolean(total > 0));
    json_object_set_new(json, "has_against", json_boolean(json_object_size(history->against) > 0));
    str_release(&form);
    json_decref(lists);
    return json;
}
