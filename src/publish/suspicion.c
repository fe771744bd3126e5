#include "publish/suspicion_parts.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static const char kdf_path[crypto_kdf_CONTEXTBYTES] = {'t', 'p', '-', 'p', 'a', 't', 'h', '1'};

void suspicion_path(unsigned char digest[CATALOG_PATH], const unsigned char master[32], const char *origin)
{
    unsigned char key[32];
    memset(digest, 0, CATALOG_PATH);
    if (!*origin)
        return;
    crypto_kdf_derive_from_key(key, sizeof key, 1, kdf_path, master);
    crypto_generichash(digest, CATALOG_PATH, (const unsigned char *)origin, strlen(origin), key, sizeof key);
    sodium_memzero(key, sizeof key);
}

/* ---- a pair as JSON ---- */

static json_t *orders_json(const struct suspicion_pair *pair)
{
    json_t *list = json_array();
    for (int way = 0; way < 2; way++) {
        const char *type;
        json_t *row;
        json_object_foreach (pair->named[way], type, row)
            json_array_append_new(
                list, json_pack("{s:s,s:s,s:s,s:O,s:O,s:O}", "by", pair->name[way], "at", pair->name[!way],
                                "type", type, "count", json_object_get(row, "count"), "of",
                                json_object_get(row, "of"), "share_tenths", json_object_get(row, "share")));
    }
    return list;
}

static json_t *trades_json(const struct suspicion_pair *pair)
{
    json_t *list = json_array();
    const char *what;
    json_t *row;
    json_object_foreach (pair->gave[0], what, row)
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:I,s:I}", "by", pair->name[0], "at",
                                              pair->name[1], "what", what, "gave",
                                              json_integer_value(json_object_get(row, "gave")), "got",
                                              json_integer_value(json_object_get(row, "got"))));
    return list;
}

static json_t *pair_json(const struct suspicion_pair *pair)
{
    json_int_t chance = pair->turns ? 10LL * pair->missed[0] * pair->missed[1] / pair->turns : 0;
    json_t *misses = json_pack("{s:i,s:i,s:i,s:i,s:I}", "turns", pair->turns, "a", pair->missed[0], "b",
                               pair->missed[1], "both", pair->both, "chance_tenths", chance);
    return json_pack("{s:s,s:s,s:O,s:o,s:o,s:o}", "a", pair->name[0], "b", pair->name[1], "games",
                     pair->games, "misses", misses, "orders", orders_json(pair), "trades", trades_json(pair));
}

/* ---- what is worth a line ---- */

static json_int_t number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static bool same_network(const json_t *network)
{
    const json_t *a = json_object_get(network, "a"), *b = json_object_get(network, "b");
    return number(a, "shared") >= 2 && number(b, "shared") >= 2;
}

static bool same_minutes(const json_t *minutes)
{
    static const char *const sides[] = {"a", "b"};
    for (int i = 0; i < 2; i++) {
        const json_t *side = json_object_get(minutes, sides[i]);
        if (number(side, "near") >= 5 && 10 * number(side, "near") >= 3 * number(side, "others_tenths"))
            return true;
    }
    return false;
}

static bool spares_or_hunts(const json_t *orders)
{
    size_t i;
    json_t *row;
    json_array_foreach (orders, i, row) {
        json_int_t count = 10 * number(row, "count"), share = number(row, "share_tenths");
        bool alone = number(row, "of") * 10 == share; /* there is nobody else to be named */
        if (!alone && share >= 30 && (count * 5 <= share || count >= share * 2))
            return true;
    }
    return false;
}

static bool one_sided(const json_t *trades)
{
    size_t i;
    json_t *row;
    json_array_foreach (trades, i, row) {
        json_int_t gave = number(row, "gave"), got = number(row, "got");
        if (gave + got >= 5 && (gave * 4 <= got || got * 4 <= gave))
            return true;
    }
    return false;
}

bool suspicion_notable(const json_t *pair)
{
    const json_t *misses = json_object_get(pair, "misses");
    return same_network(json_object_get(pair, "network")) || same_minutes(json_object_get(pair, "minutes")) ||
           (number(misses, "both") >= 3 &&
            10 * number(misses, "both") >= 2 * number(misses, "chance_tenths")) ||
           spares_or_hunts(json_object_get(pair, "orders")) || one_sided(json_object_get(pair, "trades"));
}

/* ---- the report ---- */

static int take_games(struct suspicion *all, struct err *err)
{
    struct file_names names = {NULL, 0};
    int rc = store_games(all->store, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        log_progress("replaying games: %zu of %zu", i + 1, names.count);
        if (store_has(all->store, names.name[i]))
            rc = suspicion_game(all, names.name[i], err);
    }
    log_progress_end();
    file_names_free(&names);
    return rc;
}

static void release(struct suspicion *all)
{
    for (size_t i = 0; i < all->count; i++) {
        json_decref(all->pair[i].games);
        for (int way = 0; way < 2; way++) {
            json_decref(all->pair[i].named[way]);
            json_decref(all->pair[i].gave[way]);
        }
    }
    free(all->pair);
    json_decref(all->index);
    json_decref(all->broken);
}

static int by_names(const void *a, const void *b)
{
    const struct suspicion_pair *one = a, *two = b;
    int first = strcmp(one->name[0], two->name[0]);
    return first ? first : strcmp(one->name[1], two->name[1]);
}

/* Pairs who never played in a game at the same time do not matter. */
static json_t *pairs_json(const struct suspicion *all)
{
    json_t *pairs = json_array();
    for (size_t i = 0; i < all->count; i++)
        if (json_array_size(all->pair[i].games))
            json_array_append_new(pairs, pair_json(&all->pair[i]));
    return pairs;
}

json_t *suspicion_report(struct store *store, struct catalog *catalog, const char *game, struct err *err)
{
    struct suspicion all = {
        .store = store, .catalog = catalog, .index = json_object(), .broken = json_array()};
    json_t *report = NULL;
    int64_t since = 0;
    size_t i;
    json_t *pair;
    int rc = game ? suspicion_game(&all, game, err) : take_games(&all, err);
    if (all.count)
        qsort(all.pair, all.count, sizeof *all.pair, by_names); /* the index is no longer needed */
    json_t *pairs = rc ? NULL : pairs_json(&all);
    if (rc == 0)
        rc = suspicion_mails(&all, pairs, &since, err);
    if (rc == 0) {
        json_array_foreach (pairs, i, pair)
            json_object_set_new(pair, "notable", json_boolean(suspicion_notable(pair)));
        report = json_pack("{s:i,s:i,s:O,s:o,s:O}", "games", all.games, "running", all.running, "broken",
                           all.broken, "since", since ? json_integer(since) : json_null(), "pairs", pairs);
    }
    json_decref(pairs);
    release(&all);
    return report;
}
