#include "commands/look.h"

#include <stdio.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "batch/batch.h"
#include "journal/store.h"
#include "game/game_load.h"

/* The game of a league: its own templates, its time zone. */
static int open_game(const char *id, const char *dir, struct look *look, struct err *err)
{
    struct league league;
    if (league_open(dir, false, &league, err)) {
        if (err->code == ERR_MISSING) {
            err_clear(err);
            err_set(err, ERR_MISSING,
                    "\"%s\" is no journal and no folder that holds one, and %s is no league", id, dir);
        }
        return -1;
    }
    char *own = league_path(&league, "templates");
    struct store *store = league_games(&league);
    int rc = casefile_open_game(store, id, &look->file, err);
    if (rc == 0)
        templates_open(own, &look->templates);
    store_close(store);
    free(own);
    league_close(&league);
    return rc;
}

void look_join(int *argc, char **argv, char joined[16])
{
    for (int i = 1; i + 2 < *argc; i++) {
        if (strcmp(argv[i], "--as") != 0 || strcmp(argv[i + 1], "seat") != 0 || strlen(argv[i + 2]) != 1)
            continue;
        (void)snprintf(joined, 16, "seat %s", argv[i + 2]);
        argv[i + 1] = joined;
        for (int k = i + 2; k < *argc; k++) /* with the NULL after the last one */
            argv[k] = argv[k + 1];
        (*argc)--;
        return;
    }
}

static int read_whom(const struct look_flags *flags, struct reader *reader, struct err *err)
{
    if (flags->as && flags->seat)
        return err_set(err, ERR_INPUT, "--as and --seat say the same: give one");
    if (reader_parse(flags->as, reader, err))
        return -1;
    if (flags->seat)
        *reader = (struct reader){READER_SEAT, (int)flags->seat};
    return 0;
}

static int open_what(const char *what, const struct look_flags *flags, struct look *look, struct err *err)
{
    if (!casefile_is_path(what))
        return open_game(what, flag_league(flags->league), look, err);
    unsigned char master[32];
    char *inside = path_join(what, "journal.jsonl");
    bool keyed = league_master_of(file_is_plain(inside) ? inside : what, master);
    int rc = casefile_open(what, keyed ? master : NULL, &look->file, err);
    sodium_memzero(master, sizeof master);
    free(inside);
    if (rc)
        return -1;
    casefile_zone(&look->file);
    templates_open(NULL, &look->templates);
    return 0;
}

int look_open(const char *what, const struct look_flags *flags, struct look *look)
{
    struct err err = ERR_INIT;
    memset(look, 0, sizeof *look);
    if (read_whom(flags, &look->reader, &err)) {
        (void)command_fail(&err);
        return EXIT_USAGE;
    }
    if (open_what(what, flags, look, &err))
        return command_fail(&err);
    if (casefile_choose(&look->file, &look->reader, flags->told, &err)) {
        look_close(look);
        return command_fail(&err);
    }
    return 0;
}

void look_close(struct look *look)
{
    templates_close(look->templates);
    casefile_close(&look->file);
}

int look_print(struct templates *templates, const char *folder, const char *name, json_t *facts,
               struct err *err)
{
    struct str out = STR_INIT;
    int rc;
    if (!name) {
        rc = templates_say(templates, folder, facts, err);
        json_write_pretty(&out, facts);
    } else
        rc = templates_render(templates, &(struct template_name){folder, name}, facts, &out, err);
    if (rc == 0)
        (void)fwrite(out.p, 1, out.len, stdout);
    str_release(&out);
    return rc;
}

int look_catalog(const struct league *league, struct catalog **catalog, bool *fresh, struct err *err)
{
    char *path = league_path(league, "catalog.sqlite");
    int rc =
        file_exists(path)
            ? catalog_open(path, catalog, fresh, err)
            : err_set(err, ERR_MISSING, "nothing has been done in this league yet: run `turnpost run` first");
    free(path);
    return rc;
}

struct rows {
    look_row *each;
    void *arg;
};

static int add_row(void *arg, const struct catalog_game *row, struct err *err)
{
    const struct rows *rows = arg;
    return rows->each(rows->arg, row, NULL, err);
}

int look_games(const struct league *league, struct catalog *catalog, look_row *each, void *arg,
               struct err *err)
{
    if (catalog)
        return catalog_each_game(catalog, &(struct catalog_filter){NULL, false}, add_row,
                                 &(struct rows){each, arg}, err);

    struct file_names names = {NULL, 0};
    struct store *store = league_games(league);
    int rc = store_games(store, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct game game;
        struct err why = ERR_INIT;
        if (game_load(store, names.name[i], NULL, &game, &why)) {
            log_warn("%s; it is left out", why.text);
            continue;
        }
        struct catalog_game row;
        batch_catalog_row(&game, &row);
        rc = each(arg, &row, &game, err);
        game_release(&game);
    }
    file_names_free(&names);
    store_close(store);
    return rc;
}

int look_game(const struct league *league, const char *id, struct game *game, struct err *err)
{
    struct store *store = league_games(league);
    game_init(game);
    int rc = game_load(store, id, NULL, game, err);
    store_close(store);
    return rc;
}

int look_show(const struct league *league, const struct game *game, const char *name, json_t *facts,
              struct err *err)
{
    struct templates *templates = NULL;
    char *own = league_path(league, "templates");
    templates_open(own, &templates);
    int rc = look_print(templates, game->ruleset->folder, name, facts, err);
    templates_close(templates);
    free(own);
    return rc;
}
