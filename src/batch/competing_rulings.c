/* What those are told whom a ruling in a competition concerns. */
#include <string.h>

#include "base/moment.h"
#include "batch/competing_mails.h"
#include "batch/tell.h"

/* How a table ended: its players by rank. */
static json_t *ranks_json(const struct compete_table *table, const char *you)
{
    json_t *list = json_array();
    for (int rank = 1; rank <= table->seats; rank++)
        for (int seat = 1; seat <= table->seats; seat++)
            if (table->rank[seat] == rank)
                json_array_append_new(list,
                                      json_pack("{s:i,s:s,s:b}", "rank", rank, "name", table->player[seat],
                                                "own", strcmp(table->player[seat], you) == 0));
    return list;
}

static void add_table(json_t *facts, const struct competition *c, const struct compete_table *table,
                      const char *you)
{
    char game[GAME_NAME];
    int64_t final = c->rounds[table->round - 1].end + c->terms.protest;
    compete_game_name(game, c, table->round, table->number);
    json_object_set_new(facts, "game", json_string(game));
    json_object_set_new(facts, "table", json_integer(table->number));
    json_object_set_new(facts, "of_round", json_integer(table->round));
    json_object_set_new(facts, "ranks", ranks_json(table, you));
    json_object_set_new(facts, "final", moment_json(final, NULL));
}

static int tell(struct batch *batch, const struct batch_competition *entry,
                const struct competing_ruling *ruling, const char *you, struct err *err)
{
    char points[16];
    bool league = !ruling->by, operator= ruling->by && strcmp(ruling->by, OPERATOR) == 0;
    json_t *facts = competing_facts(batch, &entry->c);
    const struct tell what = {.words = "compete_ruling",
                              .facts = facts,
                              .of = entry->c.name,
                              .seq = entry->c.seq,
                              .time = entry->c.time,
                              .news = true};
    competing_points(points, ruling->halves < 0 ? -ruling->halves : ruling->halves);
    json_object_set_new(facts, "you", json_string(you));
    json_object_set_new(facts, "by", operator|| league ? json_false() : json_string(ruling->by));
    json_object_set_new(facts, "reason", ruling->reason ? json_string(ruling->reason) : json_false());
    json_object_set_new(facts, "adjudged", json_boolean(ruling->table && league));
    json_object_set_new(facts, "ranked", json_boolean(ruling->table && !league));
    json_object_set_new(facts, "removed", json_boolean(ruling->player && !ruling->halves));
    json_object_set_new(facts, "given", ruling->halves > 0 ? json_string(points) : json_false());
    json_object_set_new(facts, "taken", ruling->halves < 0 ? json_string(points) : json_false());
    json_object_set_new(facts, "one_point", json_boolean(ruling->halves == 2 || ruling->halves == -2));
    if (ruling->table)
        add_table(facts, &entry->c, ruling->table, you);
    int rc = tell_player(batch, &what, you, err);
    json_decref(facts);
    return rc;
}

int competing_tell_ruling(struct batch *batch, const struct batch_competition *entry,
                          const struct competing_ruling *ruling, struct err *err)
{
    int rc = 0;
    if (ruling->player)
        return tell(batch, entry, ruling, ruling->player, err);
    for (int seat = 1; rc == 0 && seat <= ruling->table->seats; seat++)
        rc = tell(batch, entry, ruling, ruling->table->player[seat], err);
    return rc;
}
