/* A round that this program has drawn before, read again: pairing thousands takes a second, and who sits where is in the records
 * of the games. */
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "compete/apply.h"

static bool take_player(struct drawn_table *table, const char *name)
{
    if (!name || strlen(name) >= PLAYER_NAME || table->seats == SEATS_MAX)
        return false;
    memcpy(table->player[++table->seats], name, strlen(name) + 1);
    return true;
}

static bool take_game(struct drawn *drawn, const json_t *game)
{
    const json_t *players = json_object_get(game, "players");
    json_int_t number = json_integer_value(json_object_get(game, "table"));
    size_t i;
    json_t *one;
    if (number < 1 || number > (json_int_t)drawn->count || drawn->tables[number - 1].seats)
        return false;
    json_array_foreach (players, i, one)
        if (!take_player(&drawn->tables[number - 1], json_string_value(one)))
            return false;
    return true;
}

/* The games that the next record names; *count becomes how many more have been found. False: it is of another kind. */
static bool take_made(struct drawn *drawn, struct slice line, size_t *count)
{
    struct record record;
    struct err why = ERR_INIT;
    size_t i;
    json_t *game;
    if (record_parse(line, &record, &why))
        return false;
    bool good = strcmp(record.type, "made") == 0;
    if (good)
        json_array_foreach (json_object_get(record.json, "games"), i, game) {
            good = good && take_game(drawn, game);
            (*count)++;
        }
    record_release(&record);
    return good;
}

static bool take_byes(struct drawn *drawn, const json_t *names)
{
    drawn->byes = mem_array(json_array_size(names) + 1, sizeof *drawn->byes);
    for (; drawn->bye_count < json_array_size(names); drawn->bye_count++) {
        const char *name = json_string_value(json_array_get(names, drawn->bye_count));
        if (!name || strlen(name) >= PLAYER_NAME)
            return false;
        memcpy(drawn->byes[drawn->bye_count], name, strlen(name) + 1);
    }
    return true;
}

bool compete_drawn_before(const struct competition *c, const struct record *record, struct drawn *drawn)
{
    const char *hex = json_string_value(json_object_get(record->json, "digest"));
    unsigned char digest[32];
    struct slice rest = c->ahead, line;
    size_t found = 0;
    bool good = c->kind != COMPETE_DIVISIONS; /* their first round forms them; they are drawn quickly */
    drawn->count = (size_t)json_integer_value(json_object_get(record->json, "tables"));
    drawn->tables = mem_array(drawn->count + 1, sizeof *drawn->tables);
    good = good && take_byes(drawn, json_object_get(record->json, "byes"));
    while (good && found < drawn->count && slice_whole_line(&rest, &line))
        good = take_made(drawn, line, &found);
    if (good && found == drawn->count)
        drawn_digest(drawn);
    good = good && found == drawn->count && hex && hex_decode(digest, sizeof digest, slice_of(hex)) &&
           memcmp(digest, drawn->digest, sizeof digest) == 0;
    if (!good)
        drawn_release(drawn);
    return good;
}
