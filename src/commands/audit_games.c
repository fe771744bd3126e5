/* Which games an argument of the audit means. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "commands/audit.h"

void audit_games_release(struct audit_games *games)
{
    for (size_t i = 0; i < games->count; i++) {
        free(games->list[i].journal);
        free(games->list[i].sealed);
        free(games->list[i].league);
        free(games->list[i].name);
    }
    free(games->list);
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* "games/gc-1/journal.jsonl" -> the same with "sealed": beside it, whatever the rest of the name. */
static char *sealed_beside(const char *journal)
{
    static const char word[] = "journal";
    const char *base = strrchr(journal, '/');
    const char *at = strstr(base ? base + 1 : journal, word);
    struct str path = STR_INIT;
    if (!at)
        return NULL;
    str_addf(&path, "%.*ssealed%s", (int)(at - journal), journal, at + sizeof word - 1);
    if (!file_exists(path.p))
        str_release(&path);
    return path.len ? str_detach(&path) : NULL;
}

static void add_journal(struct audit_games *games, char *journal, const char *name, const char *league,
                        bool named)
{
    games->list = mem_grow(games->list, games->count, &games->cap, sizeof *games->list);
    struct audit_game *game = &games->list[games->count++];
    *game = (struct audit_game){journal, sealed_beside(journal), league ? mem_strdup(league) : NULL,
                                mem_strdup(name), NULL};
    game->id = named ? game->name : NULL;
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
            add_journal(games, str_detach(&path), names.name[i], league, league != NULL);
        str_release(&path);
    }
    file_names_free(&names);
    return 0;
}

static int add_dir(struct audit_games *games, const char *dir, struct err *err)
{
    size_t before = games->count;
    char *journal = path_join(dir, "journal.jsonl");
    char *inner = path_join(dir, "games");
    char *config = path_join(dir, "league.ini");
    int rc = 0;
    if (file_exists(journal)) {
        add_journal(games, journal, dir, NULL, false);
        journal = NULL;
    } else {
        bool league = is_folder(inner) && file_exists(config);
        rc = add_folder(games, league ? inner : dir, league ? dir : NULL, err);
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
        add_journal(games, mem_strdup(name), name, NULL, false);
        return 0;
    }
    if (!name_valid(slice_of(name)))
        return err_set(err, ERR_MISSING, "there is no file %s", name);
    str_addf(&path, "%s/games/%s/journal.jsonl", league, name);
    if (file_exists(path.p)) {
        add_journal(games, str_detach(&path), name, league, true);
        return 0;
    }
    err_set(err, ERR_MISSING, "there is no game \"%s\" in the league %s, and no such file or folder", name,
            league);
    str_release(&path);
    return -1;
}
