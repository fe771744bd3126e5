#include "commands/league_copy.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/log.h"
#include "batch/rounds.h"
#include "compete/competition.h"
#include "journal/catalog.h"
#include "league/own_secrets.h"
#include "league/registry_compact.h"
#include "league/registry_sealing.h"
#include "league/league_log.h"
#include "league/roster.h"

#define FILE_MOST ((size_t)1 << 31)

/* A file that has disappeared is no error: mails leave the spool. `lines`: only whole lines are copied. */
struct copied {
    const char *name;
    mode_t mode;
    bool lines; /* half a line at its end is left out */
};

static int copy_file(const char *from, const char *to, const struct copied *what, struct err *err)
{
    struct err mine = ERR_INIT;
    struct str text = STR_INIT;
    char *source = path_join(from, what->name);
    char *target = path_join(to, what->name);
    int rc = file_read(source, FILE_MOST, &text, &mine);
    if (rc == 0 && what->lines) {
        const char *last = text.len ? memrchr(text.p, '\n', text.len) : NULL;
        str_cut(&text, last ? (size_t)(last - text.p) + 1 : 0);
    }
    if (rc == 0)
        rc = file_write_soft(target, slice_str(&text), what->mode, err);
    else if (mine.code == ERR_MISSING)
        rc = 0;
    else
        (void)err_pass(err, &mine);
    free(source);
    free(target);
    str_release(&text);
    return rc;
}

/* All files of a folder, not of those in it. */
static int copy_folder(const char *from, const char *to, const char *folder, mode_t mode, struct err *err)
{
    struct file_names names;
    char *source = path_join(from, folder);
    char *target = path_join(to, folder);
    int rc = file_list(source, &names, err);
    if (rc == 0)
        rc = file_mkdirs(target, 0700, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *path = path_join(source, names.name[i]);
        char *name = path_join(folder, names.name[i]);
        if (file_is_plain(path))
            rc = copy_file(from, to, &(struct copied){name, mode, false}, err);
        free(name);
        free(path);
    }
    file_names_free(&names);
    free(source);
    free(target);
    return rc;
}

/* The cache first, then the journal, then what its seals cover: so each is at least as new as the one
 * before. */
static int copy_game(const char *from, const char *to, const char *folder, struct err *err)
{
    static const char *const files[] = {"state.json", "journal.jsonl"};
    char *dir = path_join(to, folder);
    int rc = file_mkdirs(dir, 0700, err);
    for (size_t i = 0; rc == 0 && i < sizeof files / sizeof *files; i++) {
        char *name = path_join(folder, files[i]);
        rc = copy_file(from, to, &(struct copied){name, i == 1 ? 0644 : 0600, i > 0}, err);
        free(name);
    }
    free(dir);
    return rc;
}

static bool is_folder(const char *dir, const char *name)
{
    struct stat st;
    char *path = path_join(dir, name);
    bool is = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    free(path);
    return is;
}

/* Each of its folders holds one: "games", or "competitions", which leagues of before had none of. */
static int copy_games(const char *from, const char *to, const char *all, struct err *err)
{
    struct file_names names;
    char *games = path_join(from, all);
    int rc = file_list(games, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *folder = path_join(all, names.name[i]);
        log_progress("copying %s: %zu of %zu", all, i + 1, names.count);
        if (is_folder(games, names.name[i]))
            rc = copy_game(from, to, folder, err);
        else
            log_warn("%s is none of the %s and is left out", folder, all);
        free(folder);
    }
    log_progress_end();
    file_names_free(&names);
    free(games);
    return rc;
}

/* Own templates: templates/common, templates/<ruleset>. */
static int copy_templates(const char *from, const char *to, struct err *err)
{
    struct file_names names;
    char *dir = path_join(from, "templates");
    int rc = file_list(dir, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *folder = path_join("templates", names.name[i]);
        if (is_folder(dir, names.name[i]))
            rc = copy_folder(from, to, folder, 0600, err);
        free(folder);
    }
    file_names_free(&names);
    free(dir);
    return rc;
}

/* The registry's journal as it was before compaction, even if that happened during the copy. */
static int copy_archives(const char *from, const char *to, struct err *err)
{
    struct file_names names;
    char *dir = path_join(from, REGISTRY_GAME);
    int rc = file_list(dir, &names, err);
    free(dir);
    if (rc)
        return -1;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *name = path_join(REGISTRY_GAME, names.name[i]);
        if (str_starts(names.name[i], REGISTRY_FRONT) && str_ends(names.name[i], ".jsonl"))
            rc = copy_file(from, to, &(struct copied){name, 0600, true}, err);
        free(name);
    }
    file_names_free(&names);
    return rc;
}

/* What no journal knows: a backup is valid without it. */
static void copy_catalog(const char *from, const char *to)
{
    struct err err = ERR_INIT;
    char *source = path_join(from, "catalog.sqlite");
    char *target = path_join(to, "catalog.sqlite");
    if (catalog_copy(source, target, &err) && err.code != ERR_MISSING)
        log_warn("%s; the copy goes without it: mails that were answered, failed or came back are forgotten",
                 err.text);
    free(source);
    free(target);
}

/* The order matters: what is copied later is at least as new as what was copied before, no matter what
 * happens meanwhile. registry/applied and registry/rounds, the files, the registry's journal; the
 * competitions; the games; then the mails, of which sent ones may be missing, but none that a copied record requires. */
int league_copy(const char *from, const char *to, struct err *err)
{
    static const char *const folders[] = {"keys",      "keys/secret", "players",          "tokens",
                                          SEALING_DIR, ROSTER_GAMES,  ROSTER_COMPETITIONS};
    static const char *const spool[] = {"spool/tmp", "spool/digest", "spool/new", "spool/wait",
                                        "spool/failed"};
    char *registry = path_join(to, REGISTRY_GAME);
    char *log = path_join(to, LEAGUE_LOG_FOLDER);
    int rc = file_mkdirs(registry, 0700, err) || file_mkdirs(log, 0755, err) ? -1 : 0;
    free(registry);
    free(log);
    if (rc == 0)
        rc = copy_file(from, to, &(struct copied){REGISTRY_GAME "/applied", 0600, false}, err);
    if (rc == 0)
        rc = copy_file(from, to, &(struct copied){ROUNDS_FILE, 0600, false}, err);
    if (rc == 0)
        rc = copy_file(from, to, &(struct copied){LEAGUE_LIFE_FILE, 0600, false}, err);
    if (rc == 0)
        copy_catalog(from, to);
    if (rc == 0)
        rc = copy_file(from, to, &(struct copied){"league.ini", 0600, false}, err);
    for (size_t i = 0; rc == 0 && i < sizeof folders / sizeof *folders; i++)
        rc = copy_folder(from, to, folders[i], i == 0 ? 0644 : 0600, err);
    if (rc == 0)
        rc = copy_file(from, to, &(struct copied){PAGE_DOCUMENT, 0600, false}, err);
    if (rc == 0)
        rc = copy_file(from, to, &(struct copied){OWN_SECRETS, 0600, false}, err);
    if (rc == 0)
        rc = copy_file(from, to, &(struct copied){REGISTRY_GAME "/journal.jsonl", 0600, true}, err);
    if (rc == 0)
        rc = copy_archives(from, to, err);
    if (rc == 0)
        rc = copy_folder(from, to, SEALING_DIR, 0600, err); /* keys of new players have come */
    if (rc == 0)
        rc = copy_templates(from, to, err);
    if (rc == 0)
        rc = copy_games(from, to, COMPETE_FOLDER, err); /* they name games, which so are there */
    if (rc == 0)
        rc = copy_games(from, to, "games", err);
    for (size_t i = 0; rc == 0 && i < sizeof spool / sizeof *spool; i++)
        rc = copy_folder(from, to, spool[i], 0600, err);
    if (rc == 0)
        rc = copy_file(from, to, &(struct copied){LEAGUE_LOG_FOLDER "/checkpoint", 0644, false}, err);
    if (rc == 0)
        rc = copy_file(from, to, &(struct copied){LEAGUE_LOG_FOLDER "/entries", 0644, true}, err);
    return rc;
}
