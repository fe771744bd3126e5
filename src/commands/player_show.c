#include "commands/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "batch/results.h"
#include "compete/competition.h"
#include "compete/ratings.h"
#include "league/reliability.h"
#include "journal/catalog.h"
#include "trust/keyring.h"

#define RESULTS_SHOWN 10

static int load_ring(const struct player_call *call, struct keyring *ring, struct err *err)
{
    char *dir = path_join(call->dir, "keys");
    int rc = keyring_load(dir, NULL, ring, err);
    if (rc == 0)
        keyring_tell(ring, NULL);
    free(dir);
    return rc;
}

static json_t *player_json(const struct player *player, const struct keyring *ring)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = keyring_of(ring, player->name, keys);
    char since[CLOCK_TEXT];
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        char print[KEY_SHOWN];
        pubkey_show(print, &keys[i]);
        (void)json_array_append_new(list, json_string(print));
    }
    clock_utc(since, player->since);
    json_t *json =
        json_pack("{s:s, s:s, s:b, s:b, s:b, s:i, s:s, s:o}", "name", player->name, "address",
                  player->address, "html", player->html, "json", player->json, "digest", player->digest,
                  "reminder_hours", player->reminder_hours, "since", since, "keys", list);
    if (*player->address2)
        json_object_set_new(json, "address2", json_string(player->address2));
    if (*player->zone)
        json_object_set_new(json, "zone", json_string(player->zone));
    if (player->banned)
        json_object_set_new(json, "banned", json_true());
    if (player->is_public)
        json_object_set_new(json, "public", json_true());
    if (player->by_mail)
        json_object_set_new(json, "trust", json_string("mail"));
    return json;
}

static void print_json(json_t *json)
{
    struct str text = STR_INIT;
    json_write_pretty(&text, json);
    (void)printf("%s", text.p);
    str_release(&text);
    json_decref(json);
}

int player_list(const struct player_call *call, char **args, struct err *err)
{
    struct registry registry;
    struct keyring ring;
    (void)args;
    if (load_ring(call, &ring, err) != 0)
        return -1;
    if (registry_load(call->dir, &registry, err) != 0) {
        keyring_release(&ring);
        return -1;
    }
    json_t *list = call->json ? json_array() : NULL;
    for (size_t i = 0; i < registry.count; i++) {
        const struct player *player = &registry.players[i];
        struct pubkey keys[KEYS_PER_PLAYER];
        size_t count = keyring_of(&ring, player->name, keys);
        if (list)
            (void)json_array_append_new(list, player_json(player, &ring));
        else
            (void)printf("%-20s %-36s %zu key%s%s%s\n", player->name, player->address, count, PLURAL(count),
                         player->by_mail ? ", by mail" : "", player->banned ? ", banned" : "");
    }
    if (list)
        print_json(list);
    else if (registry.count == 0)
        (void)printf("There is no player yet: turnpost player add NAME ADDRESS KEYFILE\n");
    registry_release(&registry);
    keyring_release(&ring);
    return 0;
}

/* ---- what the catalog knows ---- */

struct listing {
    const char *player;
    json_t *games, *bounce, *reliability, *history;
};

static int add_game(void *arg, const struct catalog_game *game, struct err *err)
{
    struct listing *listing = arg;
    (void)err;
    (void)json_array_append_new(listing->games, json_pack("{s:s, s:i, s:b}", "game", game->id, "turn",
                                                          game->turn, "over", game->over));
    return 0;
}

static int add_bounce(void *arg, const struct catalog_bounce *bounce, struct err *err)
{
    struct listing *listing = arg;
    (void)err;
    if (strcmp(bounce->player, listing->player) == 0 && !listing->bounce)
        listing->bounce =
            json_pack("{s:i, s:i, s:s, s:o}", "permanent", bounce->permanent, "temporary", bounce->temporary,
                      "status", bounce->status, "words", json_text(slice_of(bounce->words)));
    return 0;
}

/* Games and bounces, as far as there is a catalog. */
static int ask_catalog(const struct player_call *call, struct listing *listing, struct err *err)
{
    struct catalog *catalog = NULL;
    bool fresh = false;
    char *path = path_join(call->dir, "catalog.sqlite");
    int rc = 0;
    if (file_exists(path)) {
        rc = catalog_open(path, &catalog, &fresh, err);
        if (rc == 0)
            rc = catalog_each_game(catalog, &(struct catalog_filter){listing->player, false}, add_game,
                                   listing, err);
        if (rc == 0)
            rc = catalog_each_bounce(catalog, add_bounce, listing, err);
        if (rc == 0)
            rc = reliability_of(catalog, listing->player, &listing->reliability, err);
        catalog_close(catalog);
    }
    free(path);
    return rc;
}

/* As far as the league keeps ratings. */
static int ask_results(const struct player_call *call, struct listing *listing, struct err *err)
{
    struct store *store = NULL;
    struct results results;
    struct history history;
    char *path = path_join(call->dir, COMPETE_FOLDER "/" RESULTS_NAME),
         *dir = path_join(call->dir, COMPETE_FOLDER);
    int rc = 0;
    if (file_exists(path)) {
        const struct results_reading how = {.each = history_take, .arg = &history};
        history_begin(&history, listing->player);
        store = store_open(dir);
        results_init(&results);
        rc = results_load(store, &how, &results, err);
        if (rc == 0)
            listing->history = history_json(&history, &results, flag_now(0), RESULTS_SHOWN);
        results_release(&results);
        history_release(&history);
        store_close(store);
    }
    free(path);
    free(dir);
    return rc;
}

static void print_ratings(const json_t *list)
{
    size_t i;
    json_t *one;
    json_array_foreach ((json_t *)(uintptr_t)list, i, one)
        (void)printf("rating in %s: %s%s, place %lld of %lld, %lld rated games\n",
                     json_string_value(json_object_get(one, "title")),
                     json_string_value(json_object_get(one, "shown_text")),
                     json_is_true(json_object_get(one, "provisional")) ? " (provisional)" : "",
                     (long long)json_integer_value(json_object_get(one, "place")),
                     (long long)json_integer_value(json_object_get(one, "of")),
                     (long long)json_integer_value(json_object_get(one, "games")));
}

static void print_history(const json_t *history)
{
    const char *form = json_string_value(json_object_get(history, "form"));
    size_t i;
    json_t *one;
    print_ratings(json_object_get(history, "ratings"));
    if (form && *form)
        (void)printf("form, the newest first: %s\n", form);
    json_array_foreach (json_object_get(history, "against"), i, one)
        (void)printf("against %s: better %lld, worse %lld, equal %lld\n",
                     json_string_value(json_object_get(one, "name")),
                     (long long)json_integer_value(json_object_get(one, "ahead")),
                     (long long)json_integer_value(json_object_get(one, "behind")),
                     (long long)json_integer_value(json_object_get(one, "level")));
}

static void print_reliability(const json_t *json)
{
    long long resigned = json_integer_value(json_object_get(json, "resigned"));
    if (!json || json_is_true(json_object_get(json, "new"))) {
        (void)printf("reliability: no turn has waited for this player yet\n");
        return;
    }
    (void)printf("reliability: %lld %% of %lld turns",
                 (long long)json_integer_value(json_object_get(json, "percent")),
                 (long long)json_integer_value(json_object_get(json, "turns")));
    if (resigned)
        (void)printf(", %lld seat%s resigned", resigned, PLURAL(resigned));
    (void)printf("\n");
}

static void print_player(const struct player *player, const struct keyring *ring,
                         const struct listing *listing)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = keyring_of(ring, player->name, keys);
    struct str since = STR_INIT;
    size_t index;
    const json_t *game;
    clock_both(&since, player->since);
    (void)printf("%s <%s>\nsince %s; reports: text%s%s\n", player->name, player->address, since.p,
                 player->html ? ", HTML" : "", player->json ? ", view.json" : "");
    str_release(&since);
    if (*player->address2)
        (void)printf("second address %s\n", player->address2);
    if (player->banned) {
        str_init(&since);
        clock_both(&since, player->banned);
        (void)printf("banned since %s (turnpost moderate any unban %s)\n", since.p, player->name);
        str_release(&since);
    }
    if (player->rekey.time) {
        str_init(&since);
        clock_both(&since, player->rekey.time);
        (void)printf("another key is asked for by %s, in force %s\n", player->rekey.by, since.p);
        str_release(&since);
    }
    if (player->move.time) {
        str_init(&since);
        clock_both(&since, player->move.time);
        (void)printf("%s address is asked for by %s%s%s, %s%s\n",
                     player->move.second ? "another second" : "another", player->move.by,
                     *player->move.address ? ": " : " (none)", player->move.address,
                     player->move.agreed ? "from " : "when its mailbox has agreed, not before ", since.p);
        str_release(&since);
    }
    if (player->leaves) {
        str_init(&since);
        clock_both(&since, player->leaves);
        (void)printf("is erased %s, as they have asked\n", since.p);
        str_release(&since);
    }
    for (size_t i = 0; i < count; i++) {
        char print[KEY_SHOWN];
        pubkey_show(print, &keys[i]);
        (void)printf("key %s (%s)\n", print, pubkey_tool(&keys[i]));
    }
    if (count == 0 && player->by_mail)
        (void)printf("plays by reply: their mail provider vouches for them\n");
    else if (count == 0)
        (void)printf(
            "no key: nothing that this player sends can be accepted (turnpost player key %s KEYFILE)\n",
            player->name);
    print_reliability(listing->reliability);
    if (listing->history)
        print_history(listing->history);
    json_array_foreach (listing->games, index, game) {
        bool over = json_is_true(json_object_get(game, "over"));
        (void)printf("game %s, %s %lld\n", json_string_value(json_object_get(game, "game")),
                     over ? "over in turn" : "turn",
                     (long long)json_integer_value(json_object_get(game, "turn")));
    }
    if (listing->bounce)
        (void)printf("bounces: %lld permanent, %lld temporary; last: %s %s\n",
                     (long long)json_integer_value(json_object_get(listing->bounce, "permanent")),
                     (long long)json_integer_value(json_object_get(listing->bounce, "temporary")),
                     json_string_value(json_object_get(listing->bounce, "status")),
                     json_string_value(json_object_get(listing->bounce, "words")));
}

int player_show(const struct player_call *call, char **args, struct err *err)
{
    struct player player;
    struct keyring ring;
    struct listing listing = {.player = args[0], .games = json_array()};
    int rc = player_load(call->dir, args[0], &player, err);
    if (rc == 0)
        rc = ask_catalog(call, &listing, err);
    if (rc == 0)
        rc = ask_results(call, &listing, err);
    if (rc == 0)
        rc = load_ring(call, &ring, err);
    if (rc == 0) {
        if (call->json) {
            json_t *json = player_json(&player, &ring);
            (void)json_object_set(json, "games", listing.games);
            if (listing.reliability)
                (void)json_object_set(json, "reliability", listing.reliability);
            if (listing.history)
                (void)json_object_set(json, "history", listing.history);
            if (listing.bounce)
                (void)json_object_set(json, "bounces", listing.bounce);
            print_json(json);
        } else {
            print_player(&player, &ring, &listing);
        }
        keyring_release(&ring);
    }
    json_decref(listing.games);
    json_decref(listing.bounce);
    json_decref(listing.reliability);
    json_decref(listing.history);
    return rc;
}
