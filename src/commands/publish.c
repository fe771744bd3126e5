#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "compete/competition.h"
#include "compete/results.h"
#include "commands/target.h"
#include "publish/publish.h"

static const char details[] =
    "Writes a folder with everything that anyone needs to check the game: journal, cards, public keys and "
    "the signed last record. When the game is over, its opened seals and the signed orders are there as "
    "files. Its README has the commands that check it. Nothing in it is still secret, and no private message "
    "is in it.\n"
    "GAME may also be a competition: its journal and all its games are written. `turnpost publish results` "
    "writes the journal that the ratings follow from, and the lists.\n";

/* The folder of a file must exist. */
static int write_file(const char *dir, const struct bundle_file *file, struct err *err)
{
    char *path = path_join(dir, file->name);
    const char *slash = strrchr(file->name, '/');
    int rc = 0;
    if (slash) {
        char *folder = slice_dup((struct slice){path, strlen(path) - strlen(slash)});
        rc = file_mkdirs(folder, 0755, err);
        free(folder);
    }
    if (rc == 0)
        rc = file_create(path, slice_str(&file->bytes), 0644, err);
    free(path);
    return rc;
}

static int write_bundle(const char *dir, const struct bundle *bundle, struct err *err)
{
    char *part = NULL;
    int rc = target_begin(dir, 0755, &part, err);
    for (size_t i = 0; rc == 0 && i < bundle->count; i++)
        rc = write_file(part, &bundle->file[i], err);
    if (rc == 0)
        rc = target_end(part, dir, err);
    free(part);
    return rc;
}

/* A game, or else a competition of that name. */
static int fill(struct league *league, const struct publish *how, struct bundle *bundle, struct err *err)
{
    char *folder = league_path(league, COMPETE_FOLDER);
    struct store *competitions = store_open(folder);
    int rc;
    if (store_has(how->store, how->game))
        rc = publish_game(how, bundle, err);
    else if (strcmp(how->game, RESULTS_NAME) == 0 && store_has(competitions, RESULTS_NAME))
        rc = publish_results(how, competitions, bundle, err);
    else
        rc = compete_name_valid(slice_of(how->game)) && store_has(competitions, how->game)
                 ? publish_competition(how, competitions, bundle, err)
                 : publish_game(how, bundle, err);
    store_close(competitions);
    free(folder);
    return rc;
}

static int publish(struct league *league, const char *id, bool redact, struct bundle *bundle, struct err *err)
{
    struct publish how = {.league = league, .game = id, .redact = redact};
    char *own = league_path(league, "templates");
    int rc = league_keys(league, err) || league_log_look(&how.log, league, err) ? -1 : 0;
    how.store = league_games(league);
    if (rc == 0) {
        templates_open(own, &how.templates);
        rc = fill(league, &how, bundle, err);
        templates_close(how.templates);
    }
    league_log_close(how.log);
    store_close(how.store);
    free(own);
    return rc;
}

int command_publish(int argc, char **argv)
{
    const char *dir = NULL;
    const char *output = NULL;
    bool redact = false;
    struct league league;
    struct bundle bundle = {NULL, 0, 0};
    struct str folder = STR_INIT;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"output", FLAG_TEXT, &output, "DIR", "the new folder (also -o; default: GAME.published)"},
        {"redact", FLAG_SWITCH, &redact, NULL,
         "keep names and comments out of all files but journal.jsonl, where the proof needs them"},
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    str_addf(&folder, "%s.published", argv[1]);
    if (output) {
        str_clear(&folder);
        str_adds(&folder, output);
    }
    int rc = publish(&league, argv[1], redact, &bundle, &err);
    if (rc == 0)
        rc = write_bundle(folder.p, &bundle, &err);
    if (rc == 0)
        (void)printf("%zu files in %s; its README says how to check them.\n", bundle.count, folder.p);
    bundle_release(&bundle);
    str_release(&folder);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
