#include "petitions/requests_compete.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "batch/competing_mails.h"
#include "compete/walkover.h"

#define LISTED   50 /* competitions, tables, rows of a table in one answer */
#define ENTRANTS 200

/* ---- which there are ---- */

struct listing {
    json_t *open, *running, *over;
};

static void list_one(const struct batch *batch, const struct competition *c, const struct listing *list)
{
    json_t *facts = competing_facts(batch, c);
    json_t *into = c->closed                                                 ? list->over
                   : json_is_object(json_object_get(facts, "entries_until")) ? list->open
                                                                             : list->running;
    if (json_array_size(into) == LISTED) /* by name, so that later seasons come last */
        json_array_remove(into, 0);
    json_array_append_new(into, facts);
}

static int list_all(struct batch *batch, const struct listing *list, struct err *err)
{
    if (competing_all(batch, err))
        return -1;
    for (size_t i = 0; i < batch->competitions.count; i++)
        if (!batch->competitions.list[i]->broken)
            list_one(batch, &batch->competitions.list[i]->c, list);
    return 0;
}

static void put_list(json_t *facts, const char *name, const char *flag, json_t *list)
{
    json_object_set_new(facts, flag, json_boolean(json_array_size(list) > 0));
    json_object_set_new(facts, name, list);
}

int request_competitions(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    const struct listing list = {json_array(), json_array(), json_array()};
    (void)what;
    request->kind = "ask_competitions";
    int rc = list_all(batch, &list, err);
    bool any = json_array_size(list.open) || json_array_size(list.running) || json_array_size(list.over);
    json_object_set_new(request->facts, "any", json_boolean(any));
    put_list(request->facts, "entering", "has_entering", list.open);
    put_list(request->facts, "running", "has_running", list.running);
    put_list(request->facts, "ended", "has_ended", list.over);
    return rc;
}

int request_add_open(struct batch *batch, json_t *facts, struct err *err)
{
    const struct listing list = {json_array(), json_array(), json_array()};
    int rc = list_all(batch, &list, err);
    put_list(facts, "entering", "has_entering", list.open);
    json_decref(list.running);
    json_decref(list.over);
    return rc;
}

/* ---- one of them ---- */

static json_t *table_json(const struct competition *c, const struct compete_table *table)
{
    char game[GAME_NAME];
    compete_game_name(game, c, table->round, table->number);
    json_t *names = json_array();
    for (int seat = 1; seat <= table->seats; seat++)
        json_array_append_new(names, json_pack("{s:s,s:i,s:b}", "name", table->player[seat], "rank",
                                               table->rank[seat], "more", seat < table->seats));
    return json_pack("{s:i,s:s,s:b,s:b,s:b,s:i,s:o}", "number", table->number, "game", game, "done",
                     table->fate == TABLE_DONE, "void", table->fate == TABLE_VOID, "plays",
                     table->fate == TABLE_PLAYS, "points", table->points[1], "players", names);
}

/* The tables of the round that is played, and who has a bye. */
static void add_tables(json_t *facts, const struct competition *c)
{
    const struct compete_round *round = &c->rounds[c->round - 1];
    json_t *tables = json_array(), *byes = json_array();
    for (size_t i = 0; i < round->count && i < LISTED; i++)
        json_array_append_new(tables, table_json(c, &c->tables[round->first + i]));
    for (size_t i = 0; i < round->bye_count && i < LISTED; i++)
        json_array_append_new(byes, json_pack("{s:s,s:b,s:b}", "name", round->byes[i], "walkover",
                                              walkover_of(c, c->round, round->byes[i]) != NULL, "more",
                                              i + 1 < round->bye_count && i + 1 < LISTED));
    put_list(facts, "tables", "has_tables", tables);
    put_list(facts, "byes", "has_byes", byes);
}

static void add_ranking(json_t *facts, const struct competition *c)
{
    struct ranking ranking;
    ranking_make(&ranking, c);
    put_list(facts, "groups", "has_table", competing_table(&ranking, "", LISTED));
    ranking_release(&ranking);
}

int request_table(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    struct batch_competition *entry = NULL;
    struct err why = ERR_INIT;
    char meant[COMPETE_NAME], *name = request_name(what);
    bool known = competing_find(batch, name, &entry, &why) == 0;
    bool near = !known && competing_meant(batch, name, meant);
    free(name);
    if (!known) {
        int rc = request_competitions(batch, what, request, err);
        request->kind = "ask_no_competition";
        json_object_set_new(request->facts, "what", name_valid(what) ? json_text(what) : json_false());
        json_object_set_new(request->facts, "meant", near ? json_string(meant) : json_false());
        return rc;
    }
    json_decref(request->facts);
    request->kind = "ask_table";
    request->facts = competing_facts(batch, &entry->c);
    json_object_set_new(request->facts, "entrants", competing_entrants(&entry->c, ENTRANTS));
    if (entry->c.round) {
        add_ranking(request->facts, &entry->c);
        add_tables(request->facts, &entry->c);
    }
    return 0;
}
