/* Competitions: the table, who played whom, the calendar; and a feed of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/moment.h"
#include "batch/competing_mails.h"
#include "compete/ranking.h"
#include "compete/results.h"
#include "compete/walkover.h"
#include "play/facts.h"
#include "site/site_parts.h"
#include "league/roster.h"

#define CROSS_MOST 16 /* players of a table in which everybody's games with everybody are shown */

static json_t *name_json(const struct site_work *work, const char *name, bool more)
{
    return json_pack("{s:s,s:b,s:b}", "name", name, "page", site_player_shown(work->site, name), "more",
                     more);
}

/* ---- rounds ---- */

static json_t *table_json(const struct site_work *work, const struct competition *c,
                          const struct compete_table *table)
{
    char game[GAME_NAME];
    struct str unit = STR_INIT;
    json_t *players = json_array();
    bool done = table->fate == TABLE_DONE;
    compete_game_name(game, c, table->round, table->number);
    for (int seat = 1; seat <= table->seats; seat++) {
        json_t *one = name_json(work, table->player[seat], seat < table->seats);
        bool ranked = done && table->rank[seat] && c->kind != COMPETE_DUPLICATE;
        json_object_set_new(one, "rank", ranked ? json_integer(table->rank[seat]) : json_false());
        json_array_append_new(players, one);
    }
    str_addf(&unit, "game/%s", game);
    json_t *json = json_pack("{s:i,s:s,s:o,s:b,s:b,s:b,s:b,s:b}", "table", table->number, "game", game,
                             "players", players, "done", done, "void", table->fate == TABLE_VOID, "plays",
                             table->fate == TABLE_PLAYS, "adjudged", table->adjudged, "page",
                             site_out_has(work->out, unit.p));
    str_release(&unit);
    return json;
}

static json_t *round_json(const struct site_work *work, const struct competition *c, int number)
{
    const struct compete_round *round = &c->rounds[number - 1];
    bool drawn = number <= c->round;
    json_t *tables = json_array(), *byes = json_array();
    for (size_t i = 0; drawn && i < round->count; i++)
        json_array_append_new(tables, table_json(work, c, &c->tables[round->first + i]));
    for (size_t i = 0; drawn && i < round->bye_count; i++) {
        json_t *bye = name_json(work, round->byes[i], i + 1 < round->bye_count);
        json_object_set_new(bye, "walkover", json_boolean(walkover_of(c, number, round->byes[i]) != NULL));
        json_array_append_new(byes, bye);
    }
    json_t *json = json_pack("{s:i,s:b,s:o,s:o,s:b}", "round", number, "drawn", drawn, "tables", tables,
                             "byes", byes, "has_byes", json_array_size(byes) > 0);
    facts_time(json, "draw", round->draw);
    facts_time(json, "end", round->end);
    return json;
}

/* ---- who played whom ---- */

/* What one has done against another: "1" better, "0" worse, "=" level, a sign a game. */
static void cell_text(struct str *out, const struct competition *c, const char *one, const char *other)
{
    for (size_t i = 0; i < c->table_count; i++) {
        const struct compete_table *table = &c->tables[i];
        int a = compete_seat_of(table, one), b = compete_seat_of(table, other);
        if (!a || !b || table->fate != TABLE_DONE || !table->rank[a] || !table->rank[b])
            continue;
        str_addf(out, "%s%s", out->len ? " " : "",
                 table->rank[a] < table->rank[b]   ? "1"
                 : table->rank[a] > table->rank[b] ? "0"
                                                   : "=");
    }
}

static json_t *cross_row(const struct site_work *work, const struct competition *c, json_t *rows, size_t own)
{
    const char *name = json_string_value(json_object_get(json_array_get(rows, own), "name"));
    json_t *cells = json_array(), *row = name_json(work, name, false), *other;
    size_t i;
    json_array_foreach (rows, i, other) {
        struct str text = STR_INIT;
        if (i != own)
            cell_text(&text, c, name, json_string_value(json_object_get(other, "name")));
        json_array_append_new(cells, json_pack("{s:s,s:b}", "text", text.p, "self", i == own));
        str_release(&text);
    }
    json_object_set_new(row, "number", json_integer((json_int_t)own + 1));
    json_object_set_new(row, "cells", cells);
    return row;
}

/* The groups of the table get links, and if they are small a cross table each. */
static void put_groups(const struct site_work *work, const struct competition *c, json_t *facts)
{
    struct ranking ranking;
    size_t i, k;
    json_t *group, *row;
    ranking_make(&ranking, c);
    json_t *groups = competing_table(&ranking, "", ranking.count + 1);
    json_array_foreach (groups, i, group) {
        json_t *rows = json_object_get(group, "rows"), *cross = json_array();
        json_array_foreach (rows, k, row)
            json_object_set_new(
                row, "page",
                json_boolean(site_player_shown(work->site, json_string_value(json_object_get(row, "name")))));
        for (k = 0; !ranking.duplicate && json_array_size(rows) <= CROSS_MOST && k < json_array_size(rows);
             k++)
            json_array_append_new(cross, cross_row(work, c, rows, k));
        json_object_set_new(group, "has_cross", json_boolean(json_array_size(cross) > 1));
        json_object_set_new(group, "cross", cross);
    }
    json_object_set_new(facts, "duplicate", json_boolean(ranking.duplicate));
    json_object_set_new(facts, "has_table", json_boolean(ranking.count > 0));
    json_object_set_new(facts, "groups", groups);
    ranking_release(&ranking);
}

/* ---- a competition ---- */

static json_t *facts_of(const struct site_work *work, const struct competition *c)
{
    json_t *rounds = json_array(), *entrants = json_array();
    for (int number = competition_rounds(c); number >= 1; number--)
        json_array_append_new(rounds, round_json(work, c, number));
    for (size_t i = 0; i < c->entrant_count; i++)
        if (c->entrants[i].in)
            json_array_append_new(entrants, name_json(work, c->entrants[i].name, true));
    size_t count = json_array_size(entrants);
    if (count)
        json_object_set_new(json_array_get(entrants, count - 1), "more", json_false());
    json_t *facts =
        json_pack("{s:s,s:s,s:s,s:i,s:i,s:b,s:b,s:b,s:i,s:i,s:b,s:o,s:o,s:b}", "competition", c->name,
                  "title", c->ruleset->title, "ruleset", c->ruleset->name, "round", c->round, "rounds_all",
                  competition_rounds(c), "begun", c->round > 0, "closed", c->closed, "divisions",
                  c->kind == COMPETE_DIVISIONS, "entered", (int)count, "seats", c->seats, "one_round",
                  competition_rounds(c) == 1, "calendar", rounds, "entrants", entrants, "any_in", count > 0);
    json_object_set_new(facts, "moves", json_boolean(compete_moves(c)));
    json_object_set_new(facts, "entering", json_boolean(!c->closed && c->round == 0));
    if (c->round == 0)
        facts_time(facts, "entries_until", c->terms.entries_until);
    put_groups(work, c, facts);
    return facts;
}

/* Its events with their times: rounds that were drawn, the end. */
static json_t *events_of(const struct competition *c)
{
    json_t *list = json_array();
    char when[CLOCK_TEXT];
    if (c->closed) {
        clock_utc(when, c->time);
        json_array_append_new(
            list, json_pack("{s:s,s:s,s:b,s:i}", "id", "end", "updated", when, "end", 1, "round", c->round));
    }
    for (int number = c->round; number >= 1; number--) {
        struct str id = STR_INIT;
        str_addf(&id, "round-%d", number);
        clock_utc(when, c->rounds[number - 1].draw);
        json_array_append_new(
            list, json_pack("{s:s,s:s,s:b,s:i}", "id", id.p, "updated", when, "end", 0, "round", number));
        str_release(&id);
    }
    return list;
}

static int put_feed(struct site_work *work, const struct competition *c, struct err *err)
{
    char when[CLOCK_TEXT], print[KEY_FINGERPRINT];
    struct str path = STR_INIT;
    json_t *events = events_of(c);
    str_addf(&path, "competitions/%s.xml", c->name);
    league_fingerprint(work->site->league, print);
    clock_utc(when, c->time);
    const json_t *first = json_object_get(json_array_get(events, 0), "updated");
    json_t *facts =
        json_pack("{s:s,s:s,s:o,s:s,s:s}", "competition", c->name, "title", c->ruleset->title, "events",
                  events, "updated", first ? json_string_value(first) : when, "fingerprint", print);
    int rc = site_page_put(work, &(struct site_page){path.p, "atom_compete.html", c->name, NULL, NULL, NULL},
                           facts, err);
    json_decref(facts);
    str_release(&path);
    return rc;
}

static int put_one(struct site_work *work, const char *name, struct slice lines, struct err *err)
{
    struct competition c;
    struct str path = STR_INIT, data = STR_INIT, words = STR_INIT, feed = STR_INIT;
    competition_init(&c);
    int rc = competition_read(&c, name, lines, err);
    if (rc == 0) {
        json_t *facts = facts_of(work, &c);
        json_t *json = json_deep_copy(facts);
        str_addf(&path, "competitions/%s.html", name);
        str_addf(&data, "%s.json", name);
        str_addf(&feed, "competitions/%s.xml", name);
        str_addf(&words, "Competition %s of %s: table, games, calendar.", name, c.ruleset->title);
        rc = site_page_put(
            work, &(struct site_page){path.p, "competition.html", name, words.p, data.p, feed.p}, facts, err);
        str_clear(&path);
        str_addf(&path, "competitions/%s.json", name);
        if (rc == 0)
            rc = site_json_put(work, path.p, "", json, err);
        if (rc == 0)
            rc = put_feed(work, &c, err);
        json_decref(facts);
        json_decref(json);
    }
    competition_release(&c);
    str_release(&path);
    str_release(&data);
    str_release(&words);
    str_release(&feed);
    return rc;
}

/* What the list says of it, from the JSON beside its page. */
static void list_one(const struct site_work *work, const char *name, json_t *list)
{
    static const char *const members[] = {"competition", "title",        "round",   "rounds_all",
                                          "begun",       "closed",       "entered", "entering",
                                          "one_round",   "entries_until"};
    struct err ignored = ERR_INIT;
    struct str path = STR_INIT;
    str_addf(&path, "%s/competitions/%s.json", work->site->folder, name);
    json_t *facts = json_read_file(path.p, &ignored), *row = json_object();
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (json_object_get(facts, members[i]))
            json_object_set(row, members[i], json_object_get(facts, members[i]));
    if (facts)
        json_array_append(list, row);
    json_decref(row);
    json_decref(facts);
    str_release(&path);
}

/* Which players have pages is no matter of its journal. */
static void add_shown(const struct site_work *work, struct str *text)
{
    const struct registry *registry = work->site->registry;
    for (size_t i = 0; i < registry->count; i++)
        if (site_player_shown(work->site, registry->players[i].name))
            str_addf(text, "%s ", registry->players[i].name);
}

/* And which games: those of its name. */
static void add_games(const struct site_work *work, const char *name, struct str *text)
{
    struct str unit = STR_INIT;
    size_t len = strlen(name);
    for (size_t i = 0; i < work->count; i++) {
        const char *id = work->games[i].id;
        if (strncmp(id, name, len) != 0 || id[len] != '.')
            continue;
        str_clear(&unit);
        str_addf(&unit, "game/%s", id);
        str_addf(text, "%s %d ", id, site_out_has(work->out, unit.p));
    }
    str_release(&unit);
}

static int one(struct site_work *work, struct store *store, const char *name, json_t *list, struct err *err)
{
    unsigned char key[SITE_KEY];
    struct str lines = STR_INIT, text = STR_INIT, unit = STR_INIT;
    struct err why = ERR_INIT;
    int rc = store_read(store, name, STORE_BEGIN, &lines, err);
    if (rc == 0) {
        str_addslice(&text, slice_str(&lines));
        add_shown(work, &text);
        add_games(work, name, &text);
        str_addf(&unit, "competition/%s", name);
        site_key(work, key, slice_str(&text));
        if (site_out_begin(work->out, unit.p, key)) {
            if (put_one(work, name, slice_str(&lines), &why) == 0) {
                work->sum->rendered++;
            } else if (why.code == ERR_IO) {
                rc = err_pass(err, &why);
            } else {
                work->sum->broken++;
                site_out_drop(work->out);
            }
        }
        list_one(work, name, list);
    }
    str_release(&lines);
    str_release(&text);
    str_release(&unit);
    return rc;
}

/* The pages of one that vanished stay as they are until it is back, or forgotten. */
static void leave_gone(void *arg, enum roster_kind kind, const char *name)
{
    struct site_work *work = arg;
    struct str unit = STR_INIT;
    (void)kind;
    str_addf(&unit, "competition/%s", name);
    site_out_leave(work->out, unit.p);
    str_release(&unit);
}

int site_competitions(struct site_work *work, struct err *err)
{
    struct file_names names = {NULL, 0};
    json_t *list = json_array();
    char *folder = league_path(work->site->league, COMPETE_FOLDER);
    struct store *store = store_open(folder);
    int rc = store_games(store, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        if (store_has(store, names.name[i]) && compete_name_valid(slice_of(names.name[i])))
            rc = one(work, store, names.name[i], list, err);
    if (rc == 0)
        rc = roster_each(work->site->league->dir, ROSTER_COMPETITION,
                         &(struct roster_look){.gone = leave_gone, .arg = work}, err);
    if (rc == 0) {
        json_t *facts = json_pack("{s:O,s:b}", "competitions", list, "any", json_array_size(list) > 0);
        const struct site_page page = {
            "competitions.html", "competitions.html",
            "Competitions",      "Competitions of the league: open, played, finished.",
            "competitions.json", NULL};
        rc = site_unit_put(work, &page, facts, err);
        json_decref(facts);
    }
    json_decref(list);
    file_names_free(&names);
    store_close(store);
    free(folder);
    return rc;
}
