#include "petitions/requests_rating.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "batch/results.h"
#include "compete/ratings.h"

#define HISTORY_LISTED 10
#define RATINGS_LISTED 20

static bool keeps_ratings(const struct batch *batch)
{
    return batch->league->config.league.ratings != RATINGS_NO && !batch->results.stopped &&
           store_has(batch->competitions.store, RESULTS_NAME);
}

void request_history(struct batch *batch, const struct player *player, json_t *facts)
{
    struct results results;
    struct history history;
    struct err why = ERR_INIT; /* the operator has been told (batch/results.h) */
    json_t *told = NULL;
    if (player->is_public && keeps_ratings(batch)) {
        const struct results_reading how = {.each = history_take, .arg = &history};
        history_begin(&history, player->name);
        if (results_load(batch->competitions.store, &how, &results, &why) == 0)
            told = history_json(&history, &results, batch->now, HISTORY_LISTED);
        results_release(&results);
        history_release(&history);
    }
    json_object_set_new(facts, "history", told ? told : json_null());
}

/* The first of each list, and how many more there are. */
static void cut_lists(json_t *lists)
{
    size_t i;
    json_t *list;
    json_array_foreach (lists, i, list) {
        json_t *players = json_object_get(list, "players");
        size_t count = json_array_size(players);
        while (json_array_size(players) > RATINGS_LISTED)
            json_array_remove(players, RATINGS_LISTED);
        json_object_set_new(list, "has_more", json_boolean(count > RATINGS_LISTED));
        json_object_set_new(list, "more", json_integer((json_int_t)(count - json_array_size(players))));
    }
}

static void list_ratings(struct batch *batch, const char *ruleset, json_t *facts)
{
    struct results results;
    struct err why = ERR_INIT; /* the operator has been told */
    if (results_load(batch->competitions.store, &(struct results_reading){.until = 0}, &results, &why) == 0) {
        json_t *lists = ratings_lists(&results, ruleset, batch->now);
        cut_lists(lists);
        json_object_set_new(facts, "has_lists", json_boolean(json_array_size(lists) > 0));
        json_object_set_new(facts, "lists", lists);
        json_object_set_new(facts, "source", ratings_source(&results));
    }
    results_release(&results);
}

/* Whose history may be asked for; and the games. */
static const char *rating_meant(struct batch *batch, const char *name)
{
    struct nearest nearest = NEAREST_INIT(name);
    for (int i = 0; rulesets[i]; i++)
        nearest_offer(&nearest, rulesets[i]->name);
    for (size_t i = 0; i < batch->registry.count; i++)
        if (batch->registry.players[i].is_public)
            nearest_offer(&nearest, batch->registry.players[i].name);
    return nearest.best && 3 * nearest.distance <= strlen(name) ? nearest.best : NULL;
}

int request_rating(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    char *name = request_name(what);
    const struct ruleset *ruleset = request_ruleset(batch, name);
    const struct player *player = ruleset ? NULL : registry_find(&batch->registry, name);
    bool kept = keeps_ratings(batch);
    bool closed = kept && player && !player->is_public, unknown = kept && what.len && !ruleset && !player;
    (void)err;
    request->kind = "ask_rating";
    json_object_set_new(request->facts, "kept", json_boolean(kept));
    json_object_set_new(request->facts, "closed", json_boolean(closed));
    json_object_set_new(request->facts, "unknown", json_boolean(unknown));
    json_object_set_new(request->facts, "name", json_string(player ? player->name : ""));
    json_object_set_new(request->facts, "history", json_null());
    json_object_set_new(request->facts, "meant", json_null());
    json_object_set_new(request->facts, "listed", json_boolean(kept && !player && !unknown));
    if (unknown && rating_meant(batch, name))
        json_object_set_new(request->facts, "meant", json_string(rating_meant(batch, name)));
    if (kept && player)
        request_history(batch, player, request->facts);
    else if (kept && !unknown)
        list_ratings(batch, ruleset ? ruleset->name : NULL, request->facts);
    free(name);
    return 0;
}
