#include "batch/competing_mails.h"

#include <stdio.h>
#include <string.h>

#include "base/moment.h"
#include "batch/tell.h"

#define TOP_ROWS 10

void competing_points(char out[16], int64_t halves)
{
    int64_t whole = halves < 0 ? -halves : halves;
    (void)snprintf(out, 16, "%s%lld%s", halves < 0 ? "-" : "", (long long)(whole / 2), whole % 2 ? ".5" : "");
}

/* ---- facts ---- */

json_t *competing_facts(const struct batch *batch, const struct competition *c)
{
    int next = c->round < c->round_count ? c->round : c->round_count - 1;
    (void)batch;
    json_t *facts =
        json_pack("{s:s,s:s,s:i,s:i,s:b,s:b,s:b,s:i}", "competition", c->name, "ruleset", c->ruleset->title,
                  "round", c->round, "rounds", c->round_count, "begun", c->round > 0, "closed", c->closed,
                  "divisions", c->kind == COMPETE_DIVISIONS, "players", (int)competition_players(c));
    json_object_set_new(facts, "entries_until", moment_json(c->entries_until, NULL));
    json_object_set_new(facts, "confirm", json_boolean(c->confirm_until != 0));
    if (c->confirm_until)
        json_object_set_new(facts, "confirm_until", moment_json(c->confirm_until, NULL));
    json_object_set_new(facts, "next_draw", moment_json(c->rounds[next].draw, NULL));
    json_object_set_new(facts, "next_end", moment_json(c->rounds[next].end, NULL));
    json_object_set_new(facts, "next_round", json_integer(next + 1));
    if (c->round)
        json_object_set_new(facts, "ends", moment_json(c->rounds[c->round - 1].end, NULL));
    return facts;
}

static json_t *row_json(const struct ranking_row *row, const char *player, bool gap)
{
    char points[16], opponents[16];
    competing_points(points, row->points);
    competing_points(opponents, row->opponents);
    return json_pack("{s:i,s:s,s:s,s:s,s:i,s:b,s:b,s:b}", "place", row->place, "name", row->name, "points",
                     points, "opponents", opponents, "played", row->games, "own",
                     strcmp(row->name, player) == 0, "gone", row->gone, "gap", gap);
}

json_t *competing_table(const struct ranking *ranking, const char *player, size_t most)
{
    json_t *groups = json_array(), *rows = NULL;
    int division = -1;
    size_t in_group = 0;
    bool gap = false;
    for (size_t i = 0; i < ranking->count; i++) {
        const struct ranking_row *row = &ranking->rows[i];
        bool near = false;
        for (size_t k = i ? i - 1 : 0; k <= i + 1 && k < ranking->count; k++)
            near |= strcmp(ranking->rows[k].name, player) == 0;
        if (row->division != division) {
            rows = json_array();
            json_array_append_new(groups, json_pack("{s:i,s:b,s:o}", "division", row->division, "numbered",
                                                    row->division > 0, "rows", rows));
            division = row->division;
            in_group = 0;
            gap = false;
        }
        if (in_group++ < most || near) {
            json_array_append_new(rows, row_json(row, player, gap));
            gap = false;
        } else {
            gap = true;
        }
    }
    return groups;
}

static void add_pairing(json_t *facts, const struct competition *c, const char *player)
{
    const struct compete_table *table = competition_table_of(c, c->round, player);
    json_t *others = json_array();
    char game[GAME_NAME] = "";
    if (table)
        compete_game_name(game, c, table->round, table->number);
    for (int seat = 1; table && seat <= table->seats; seat++)
        if (strcmp(table->player[seat], player) != 0)
            json_array_append_new(others, json_pack("{s:s,s:b}", "name", table->player[seat], "more", 0));
    for (size_t i = 0; i + 1 < json_array_size(others); i++)
        json_object_set_new(json_array_get(others, i), "more", json_true());
    json_object_set_new(facts, "bye", json_boolean(!table));
    json_object_set_new(facts, "game", json_string(game));
    json_object_set_new(facts, "seat", json_integer(table ? compete_seat_of(table, player) : 0));
    json_object_set_new(facts, "others", others);
}

/* ---- mails ---- */

/* What all mails of one record have in common. */
struct telling {
    struct batch *batch;
    const struct batch_competition *entry;
    const char *words;
    struct ranking ranking;
    bool paired;
};

static int tell_one(const struct telling *telling, const char *player, struct err *err)
{
    const struct competition *c = &telling->entry->c;
    json_t *facts = competing_facts(telling->batch, c);
    const struct tell what = {
        .words = telling->words, .facts = facts, .of = c->name, .seq = c->seq, .news = true};
    json_object_set_new(facts, "groups", competing_table(&telling->ranking, player, TOP_ROWS));
    json_object_set_new(facts, "has_table", json_boolean(c->round > 1 || !telling->paired));
    json_object_set_new(facts, "you", json_string(player));
    if (telling->paired)
        add_pairing(facts, c, player);
    int rc = tell_player(telling->batch, &what, player, err);
    json_decref(facts);
    return rc;
}

static int tell_all(struct telling *telling, struct err *err)
{
    const struct competition *c = &telling->entry->c;
    int rc = 0;
    ranking_make(&telling->ranking, c);
    for (size_t i = 0; rc == 0 && i < c->entrant_count; i++) {
        const struct entrant *entrant = &c->entrants[i];
        if (telling->paired ? entrant_plays(c, entrant) : entrant->seated || entrant->in)
            rc = tell_one(telling, entrant->name, err);
    }
    ranking_release(&telling->ranking);
    return rc;
}

int competing_tell_round(struct batch *batch, const struct batch_competition *entry, struct err *err)
{
    const struct competition *c = &entry->c;
    struct telling telling = {.batch = batch, .entry = entry, .words = "compete_round", .paired = true};
    return c->round && c->rounds[c->round - 1].seq == c->seq ? tell_all(&telling, err) : 0;
}

int competing_tell_end(struct batch *batch, const struct batch_competition *entry, struct err *err)
{
    struct telling telling = {.batch = batch, .entry = entry, .words = "compete_end"};
    return tell_all(&telling, err);
}
