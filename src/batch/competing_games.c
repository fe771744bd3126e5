/* Do a competition and its games belong together? After a backup was restored one may be older than the other. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "batch/competing.h"

#define TOGETHER "take competitions/ and games/ from the same backup"

/* NAME.ROUND.TABLE of this competition; false: another game. */
static bool table_of(const struct competition *c, const char *game, long *round, long *table)
{
    size_t len = strlen(c->name);
    char *end;
    if (strncmp(game, c->name, len) != 0 || game[len] != '.' || !isdigit((unsigned char)game[len + 1]))
        return false;
    *round = strtol(game + len + 1, &end, 10);
    if (*end != '.' || !isdigit((unsigned char)end[1]))
        return false;
    *table = strtol(end + 1, &end, 10);
    return *end == '\0';
}

/* Does its first record say that it is of this competition? Another one is only in the way, which is told when the table is made. */
static bool is_of(struct store *games, const struct competition *c, const char *game)
{
    struct str journal = STR_INIT;
    struct slice rest, line;
    struct record record;
    struct err ignored = ERR_INIT;
    bool is = false;
    if (store_read(games, game, STORE_BEGIN, &journal, &ignored) == 0 && journal.len) {
        rest = slice_str(&journal);
        (void)slice_line(&rest, &line);
        line = (struct slice){journal.p, (size_t)(rest.p - journal.p)};
        if (record_parse(line, &record, &ignored) == 0) {
            const char *name =
                json_string_value(json_object_get(json_object_get(record.json, "compete"), "name"));
            is = name && strcmp(name, c->name) == 0;
            record_release(&record);
        }
    }
    str_release(&journal);
    return is;
}

static int check_strangers(struct store *games, const struct competition *c, struct err *err)
{
    struct file_names names;
    long round, table;
    if (store_games(games, &names, err))
        return -1;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        if (table_of(c, names.name[i], &round, &table) &&
            (round > c->round || round < 1 || !competition_table(c, (int)round, (int)table)) &&
            is_of(games, c, names.name[i]))
            rc = err_set(
                err, ERR_BROKEN,
                "there is a game %s, and its journal knows no such table: it is older than its games; %s",
                names.name[i], TOGETHER);
    file_names_free(&names);
    return rc;
}

static int check_table(const struct competing_files *files, const struct competition *c,
                       const struct compete_table *table, struct err *err)
{
    struct catalog_game row;
    bool found, done = table->fate != TABLE_PLAYS && !table->adjudged;
    char name[GAME_NAME];
    compete_game_name(name, c, table->round, table->number);
    if (!table->made)
        return 0;
    if (table->fate == TABLE_PLAYS && !store_has(files->games, name))
        return err_set(err, ERR_BROKEN,
                       "its game %s was made and is not there: its journal is newer than its games; %s", name,
                       TOGETHER);
    if (!done || !files->catalog)
        return 0;
    if (catalog_get_game(files->catalog, name, &row, &found, err))
        return -1;
    return !found || row.over ? 0
                              : err_set(err, ERR_BROKEN,
                                        "it has the result of game %s, which is not over: its journal is "
                                        "newer than its games; %s",
                                        name, TOGETHER);
}

int competing_compare(const struct competing_files *files, const struct competition *c, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < c->table_count; i++)
        rc = check_table(files, c, &c->tables[i], err);
    return rc ? rc : check_strangers(files->games, c, err);
}
