#include "batch/competing_deals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "compete/duplicate.h"
#include "compete/field.h"
#include "game/game_load.h"

/* ---- who is outside ---- */

static enum compete_outside outside_of(const struct batch *batch, const struct competition *c,
                                       const char *name)
{
    const struct config *config = &batch->league->config;
    struct pubkey keys[KEYS_PER_PLAYER];
    enum compete_outside fixed = compete_outside_fixed(c, name);
    if (fixed)
        return fixed;
    if (config_moderator(config, name))
        return OUTSIDE_MODERATOR;
    bool proved = config->league.ratings == RATINGS_MAIL || keyring_of(&batch->keyring, name, keys) > 0;
    return proved ? OUTSIDE_NOT : OUTSIDE_UNPROVED;
}

json_t *competing_outside(const struct batch *batch, const struct competition *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->entrant_count && c->kind == COMPETE_DUPLICATE; i++) {
        const char *name = c->entrants[i].name;
        enum compete_outside outside =
            entrant_plays(c, &c->entrants[i]) ? outside_of(batch, c, name) : OUTSIDE_NOT;
        if (outside)
            json_array_append_new(
                list, json_pack("{s:s,s:s}", "player", name, "why", compete_outside_name(outside)));
    }
    if (json_array_size(list))
        return list;
    json_decref(list);
    return NULL;
}

/* ---- the field ---- */

/* The number of the record `start` of a game; 0 = it has none. */
static int64_t find_start(struct slice lines)
{
    struct slice line;
    for (int64_t seq = 1; slice_line(&lines, &line); seq++)
        if (slice_find(line, "\"type\":\"start\"") != (size_t)-1)
            return seq;
    return 0;
}

/* A game as it was dealt. */
static int load_dealt(struct batch *batch, const char *name, struct game *game, struct err *err)
{
    struct str lines = STR_INIT;
    int rc = store_read(batch->store, name, STORE_BEGIN, &lines, err);
    int64_t start = rc == 0 ? find_start(slice_str(&lines)) : 0;
    str_release(&lines);
    if (rc == 0 && !start)
        rc = err_set(err, ERR_BROKEN, "game %s was never dealt", name);
    return rc ? rc : game_load_until(batch->store, name, start, game, err);
}

static int play_all(struct compete_step *step, struct competition *c, const struct game *game,
                    struct err *err)
{
    const struct field_deal deal = {game->ruleset, game->cards, game->state, game->draws.nonce};
    int *scores = mem_array((size_t)c->terms.field, sizeof *scores);
    int rc = field_play(&deal, c->terms.field, scores, err);
    if (rc == 0)
        rc = compete_field(step, c, scores, err);
    free(scores);
    return rc;
}

int competing_play_field(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    struct compete_step step;
    struct game game;
    char name[GAME_NAME];
    compete_game_name(name, &entry->c, entry->c.round, 1);
    if (load_dealt(batch, name, &game, err))
        return -1;
    competing_step(batch, &step);
    int rc = play_all(&step, &entry->c, &game, err);
    competing_take(entry, &step);
    compete_step_release(&step);
    game_release(&game);
    return rc;
}

/* ---- what is told ---- */

void competing_thousandths(char out[24], int64_t thousandths)
{
    int64_t size = thousandths < 0 ? -thousandths : thousandths;
    int len = snprintf(out, 24, "%s%lld.%03lld", thousandths < 0 ? "-" : "", (long long)(size / 1000),
                       (long long)(size % 1000));
    while (out[len - 1] == '0')
        out[--len] = '\0';
    if (out[len - 1] == '.')
        out[len - 1] = '\0';
}

void competing_percent(char out[16], struct share share)
{
    int64_t hundredths = share_hundredths(share);
    (void)snprintf(out, 16, "%lld.%02lld", (long long)(hundredths / 100), (long long)(hundredths % 100));
}

json_t *competing_outside_json(enum compete_outside outside)
{
    return outside ? json_pack("{s:b}", compete_outside_name(outside), 1) : json_false();
}

static json_t *result_json(const struct duplicate_result *result, bool field)
{
    char points[24], most[24], percent[16];
    json_t *json = json_pack("{s:b,s:b,s:o,s:b}", "counted", result->played, "left", result->table->left != 0,
                             "outside", competing_outside_json(result->table->outside), "field", 0);
    if (!result->played)
        return json;
    competing_thousandths(points, 1000 * result->points.points);
    competing_thousandths(most, 2000 * (result->points.results - 1));
    competing_percent(percent, matchpoints_share(result->points));
    json_object_update_new(json, json_pack("{s:i,s:b,s:s,s:s,s:s}", "score", result->table->points[1], "one",
                                           result->table->points[1] == 1, "matchpoints", points, "most", most,
                                           "percent", percent));
    if (field) {
        competing_percent(percent, result->field);
        json_object_set_new(json, "field", json_string(percent));
    }
    return json;
}

json_t *competing_deal_json(const struct competition *c, int round, const char *player)
{
    struct duplicate_result *results = mem_array(c->rounds[round - 1].count + 1, sizeof *results);
    size_t count = duplicate_results(c, round, c->round, results);
    json_t *json = NULL;
    for (size_t i = 0; i < count && !json; i++)
        if (strcmp(results[i].table->player[1], player) == 0)
            json = result_json(&results[i], c->rounds[round - 1].field != NULL);
    free(results);
    return json;
}

/* By score, the highest first; who has none comes last. */
static int by_score(const void *a, const void *b)
{
    const struct duplicate_result *one = a, *other = b;
    if (one->played != other->played)
        return one->played ? -1 : 1;
    if (one->played && one->table->points[1] != other->table->points[1])
        return one->table->points[1] > other->table->points[1] ? -1 : 1;
    return strcmp(one->table->player[1], other->table->player[1]);
}

json_t *competing_deal_rows(const struct competition *c, int round, const char *player, size_t most)
{
    struct duplicate_result *results = mem_array(c->rounds[round - 1].count + 1, sizeof *results);
    size_t count = duplicate_results(c, round, c->round, results), at = count + 1;
    json_t *rows = json_array();
    bool gap = false;
    if (count)
        qsort(results, count, sizeof *results, by_score);
    for (size_t i = 0; i < count; i++)
        if (strcmp(results[i].table->player[1], player) == 0)
            at = i;
    for (size_t i = 0; i < count; i++) {
        if (i >= most && !(i + 1 >= at && i <= at + 1)) {
            gap = true;
            continue;
        }
        json_t *row = result_json(&results[i], c->rounds[round - 1].field != NULL);
        json_object_update_new(
            row, json_pack("{s:s,s:b,s:b}", "name", results[i].table->player[1], "own", i == at, "gap", gap));
        json_array_append_new(rows, row);
        gap = false;
    }
    free(results);
    return json_pack("{s:o}", "rows", rows);
}
