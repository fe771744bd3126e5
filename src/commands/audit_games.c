/* Which games an argument of the audit means. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "audit/audit_compete.h"
#include "audit/audit_results.h"
#include "base/file.h"
#include "base/mem.h"
#include "commands/audit.h"

void audit_games_release(struct audit_games *games)
{
    for (size_t i = 0; i < games->count; i++) {
        free(games->list[i].journal);
        free(games->list[i].league);
        free(games->list[i].name);
        free(games->list[i].games);
    }
    free(games->list);
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool audit_begins(const char *journal, bool (*is)(struct slice line))
{
    struct lines lines;
    struct slice line;
    struct err ignored = ERR_INIT; /* the audit says it */
    if (lines_open(journal, RECORD_MAX + 1, &lines, &ignored))
        return false;
    bool begins = lines_next(&lines, &line, &ignored) == 0 && is(line);
    lines_close(&lines);
    return begins;
}

/* Results are one of their own kind. */
static bool is_competition(const char *journal)
{
    return audit_begins(journal, audit_is_competition) || audit_begins(journal, audit_is_results);
}

static struct audit_game *add_journal(struct audit_games *games, char *journal, const char *name,
                                      const char *league, bool named)
{
    games->list = mem_grow(games->list, games->count, &games->cap, sizeof *games->list);
    struct audit_game *game = &games->list[games->count++];
    *game = (struct audit_game){journal, league ? mem_strdup(league) : NULL, mem_strdup(name), NULL, NULL};
    game->id = named ? game->name : NULL;
    return game;
}

/* A folder of game folders. */
static int add_folder(struct audit_games *games, const char *dir, const char *league, struct err *err)
{
    struct file_names names;
    if (file_list(dir, &names, err))
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        struct str path = STR_INIT;
        str_addf(&path, "%s/%s/journal.jsonl", dir, names.name[i]);
        if (file_exists(path.p))
            (void)add_journal(games, str_detach(&path), names.name[i], league, league != NULL);
        str_release(&path);
    }
    file_names_free(&names);
    return 0;
}

/* ---- competitions ---- */

/* Where the games of the competition in `dir` are: in it, as they are published; or beside it, in a league. "" = they
 * are not there. */
static char *games_of(const char *dir, const char *league)
{
    char *path = path_join(league ? league : dir, "games");
    if (!is_folder(path))
        *path = '\0';
    return path;
}

/* The games that say that they are of it: their names begin with its own. */
static int add_its_games(struct audit_games *games, const char *folder, const char *name, const char *league,
                         struct err *err)
{
    struct file_names names;
    if (!*folder)
        return 0;
    if (file_list(folder, &names, err))
        return -1;
    for (size_t i = 0; i < names.count; i++) {
        struct str path = STR_INIT;
        str_addf(&path, "%s/%s/journal.jsonl", folder, names.name[i]);
        bool its = str_starts(names.name[i], name) && names.name[i][strlen(name)] == '.';
        if (its && file_exists(path.p))
            (void)add_journal(games, str_detach(&path), names.name[i], league, true);
        str_release(&path);
    }
    file_names_free(&names);
    return 0;
}

/* Takes `journal`, a journal.jsonl in a folder; `shown` is what it was called. */
static int add_competition(struct audit_games *games, char *journal, const char *shown, const char *league,
                           struct err *err)
{
    char *dir = slice_dup((struct slice){journal, strlen(journal) - strlen("/journal.jsonl")});
    char *folder = games_of(dir, league);
    struct audit_game *game = add_journal(games, journal, shown, league, league != NULL);
    game->games = folder;
    free(dir);
    if (league)
        return add_its_games(games, folder, shown, league, err);
    return *folder ? add_folder(games, folder, NULL, err) : 0;
}

/* All games of a league, and its competitions, which do not bring them again. */
static int add_league(struct audit_games *games, const char *dir, const char *inner, struct err *err)
{
    char *folder = path_join(dir, COMPETE_FOLDER);
    int rc = add_folder(games, inner, dir, err);
    size_t before = games->count;
    if (rc == 0 && is_folder(folder))
        rc = add_folder(games, folder, dir, err);
    for (size_t i = before; rc == 0 && i < games->count; i++)
        games->list[i].games = mem_strdup(inner);
    free(folder);
    return rc;
}

static int add_dir(struct audit_games *games, const char *dir, struct err *err)
{
    size_t before = games->count;
    char *journal = path_join(dir, "journal.jsonl");
    char *inner = path_join(dir, "games");
    char *config = path_join(dir, "league.ini");
    int rc = 0;
    bool league = is_folder(inner) && file_exists(config);
    if (file_exists(journal)) {
        if (is_competition(journal))
            rc = add_competition(games, journal, dir, NULL, err);
        else
            (void)add_journal(games, journal, dir, NULL, false);
        journal = NULL;
    } else {
        rc = league ? add_league(games, dir, inner, err) : add_folder(games, dir, NULL, err);
    }
    if (rc == 0 && games->count == before)
        rc = err_set(err, ERR_MISSING, "%s holds no journal.jsonl, and no folder in it does", dir);
    free(journal);
    free(inner);
    free(config);
    return rc;
}

int audit_games_add(struct audit_games *games, const char *name, const char *league, struct err *err)
{
    struct str path = STR_INIT;
    if (is_folder(name))
        return add_dir(games, name, err);
    if (file_exists(name)) {
        if (is_competition(name))
            add_journal(games, mem_strdup(name), name, NULL, false)->games = mem_strdup("");
        else
            (void)add_journal(games, mem_strdup(name), name, NULL, false);
        return 0;
    }
    if (!name_valid(slice_of(name)))
        return err_set(err, ERR_MISSING, "there is no file %s", name);
    str_addf(&path, "%s/games/%s/journal.jsonl", league, name);
    if (file_exists(path.p)) {
        (void)add_journal(games, str_detach(&path), name, league, true);
        return 0;
    }
    str_clear(&path);
    str_addf(&path, "%s/" COMPETE_FOLDER "/%s/journal.jsonl", league, name);
    if (file_exists(path.p))
        return add_competition(games, str_detach(&path), name, league, err);
    err_set(err, ERR_MISSING,
            "there is no game or competition \"%s\" in the league %s, and no such file or folder", name,
            league);
    str_release(&path);
    return -1;
}
