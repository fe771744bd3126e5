#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "commands/backup_log.h"
#include "commands/league_copy.h"
#include "commands/people_check.h"
#include "commands/queue.h"
#include "commands/target.h"
#include "compete/competition.h"
#include "compete/results.h"
#include "batch/results.h"
#include "game/whole.h"
#include "league/league.h"
#include "league/own_secrets.h"
#include "league/registry_log.h"
#include "league/roster.h"

static const char details[] =
    "Copies into the new folder DIR: options, keys, players, games, competitions, the spool, own templates, "
    "and what only the catalog remembers (mails that were answered, failed or came back). The secret keys "
    "are in it: keep it private.\n"
    "A daemon stands still meanwhile, so the copy is the league at one instant. If it is busy for more than "
    "a minute, the copy is as a crash would have left the league, and the next start repairs it.\n"
    "Not in it: the mailboxes, files outside of the league that league.ini names, sent mails, and commands "
    "that wait.\n"
    "After a restore, the time since the backup counts as an outage: turns that were due get more time.\n"
    "Damaged files are copied as they are and named, and the exit code is 65.\n";

/* For `doctor`; the backup is as good without. */
static void note_backup(const char *league, const char *backup)
{
    struct err why = ERR_INIT;
    if (backup_log_note(league, backup, clock_system(), &why))
        log_warn("%s; turnpost doctor will not know of this backup", why.text);
}

/* ---- what is in it ---- */

static size_t count_files(const char *dir, const char *folder, const char *end)
{
    struct file_names names;
    struct err ignored = ERR_INIT; /* it is only told */
    size_t count = 0;
    char *path = path_join(dir, folder);
    if (file_list(path, &names, &ignored) == 0) {
        for (size_t i = 0; i < names.count; i++)
            count += str_ends(names.name[i], end);
        file_names_free(&names);
    }
    free(path);
    return count;
}

/* What league.ini names and the copy does not have. */
static void say_left_out(const struct config *config)
{
    const char *const files[] = {
        config->incoming.type == IN_MAILDIR ? config->incoming.maildir : "",
        config->outgoing.type == SINK_MAILDIR ? config->outgoing.maildir : "",
        config->incoming.server.password_file,
        config->outgoing.server.password_file,
        config->incoming.server.ca_file,
        config->outgoing.server.ca_file,
        config->witness.policy,
    };
    (void)printf(
        "Not in it, so keep them yourself:\n"
        "  the mailboxes, with the mails that were processed (they bring back what came after the copy)\n");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        bool told = !*files[i];
        for (size_t k = 0; k < i && !told; k++)
            told = strcmp(files[i], files[k]) == 0;
        if (!told)
            (void)printf("  %s, which league.ini names\n", files[i]);
    }
}

static void say_copied(const struct league *league, const char *dir, const char *how)
{
    size_t mails = count_files(dir, "spool/new", ".eml") + count_files(dir, "spool/wait", ".eml") +
                   count_files(dir, "spool/digest", ".eml");
    size_t games = count_files(dir, "games", ""), players = count_files(dir, "players", ".json");
    size_t competitions = count_files(dir, COMPETE_FOLDER, "");
    char *results = path_join(dir, COMPETE_FOLDER "/" RESULTS_NAME);
    competitions -= file_exists(results); /* which are none */
    free(results);
    char *templates = path_join(dir, "templates");
    struct str compete = STR_INIT;
    if (competitions)
        str_addf(&compete, ", %zu competition%s", competitions, PLURAL(competitions));
    (void)printf(
        "Copied the league to %s: %zu game%s%s, %zu player%s, league.ini, the keys (also the secret ones: "
        "keep it private), %zu mail%s to be sent%s.\n%s\n",
        dir, games, PLURAL(games), compete.len ? compete.p : "", players, PLURAL(players), mails,
        PLURAL(mails), file_exists(templates) ? ", own templates" : "", how);
    str_release(&compete);
    free(templates);
    say_left_out(&league->config);
}

/* ---- is it whole? ---- */

/* What was copied although it is damaged. */
struct doubts {
    const char *dir;
    struct str words;
    size_t count;
};

static void doubt(void *arg, const char *words)
{
    struct doubts *doubts = arg;
    str_addf(&doubts->words, "  %s\n", words);
    doubts->count++;
}

static int look_at_competition(struct store *store, const char *name, struct err *err)
{
    struct str lines = STR_INIT;
    struct competition c;
    struct results results;
    int rc;
    if (strcmp(name, RESULTS_NAME) == 0) {
        rc = results_load(store, &(struct results_reading){.until = 0}, &results, err);
        results_release(&results);
        return rc;
    }
    competition_init(&c);
    rc = store_read(store, name, STORE_BEGIN, &lines, err);
    if (rc == 0)
        rc = competition_read(&c, name, slice_str(&lines), err);
    competition_release(&c);
    str_release(&lines);
    return rc;
}

static int look_at_all(struct doubts *doubts, const char *folder,
                       int (*look)(struct store *store, const char *name, struct err *err), struct err *err)
{
    struct file_names names = {NULL, 0};
    char *path = path_join(doubts->dir, folder);
    struct store *store = store_open(path);
    int rc = store_games(store, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct err why = ERR_INIT;
        if (store_has(store, names.name[i]) && look(store, names.name[i], &why))
            doubt(doubts, why.text);
    }
    file_names_free(&names);
    store_close(store);
    free(path);
    return rc;
}

/* With a wrong key the copy is of no use; who may not read the keys could not copy them. */
static void look_at_registry(struct doubts *doubts)
{
    struct league copy;
    struct err why = ERR_INIT;
    bool lacking;
    if (league_open(doubts->dir, false, &copy, &why) == 0) {
        if (league_keys(&copy, &why) == 0 && registry_log_look(doubts->dir, &why) == 0 &&
            registry_check(doubts->dir, &why) == 0)
            (void)!own_secrets_check(&copy, &lacking, &why);
        league_close(&copy);
    }
    if (why.code)
        doubt(doubts, why.text);
}

/* The copy as it is: what a working league does not look at for months is seen here before the last good backup is gone. */
static int look_at_copy(const char *dir, size_t *damaged, struct err *err)
{
    struct doubts doubts = {.dir = dir, .words = STR_INIT};
    look_at_registry(&doubts);
    int rc = people_check(dir, doubt, &doubts, err) || look_at_all(&doubts, "games", game_whole, err) ||
                     look_at_all(&doubts, COMPETE_FOLDER, look_at_competition, err) ||
                     roster_tell_gone(dir, ROSTER_GAME, doubt, &doubts, err) ||
                     roster_tell_gone(dir, ROSTER_COMPETITION, doubt, &doubts, err)
                 ? -1
                 : 0;
    if (doubts.count)
        (void)printf("Damaged in the league, and so in the copy, which is good for all else (keep your older "
                     "backups):\n%s",
                     doubts.words.p);
    *damaged = doubts.count;
    str_release(&doubts.words);
    return rc;
}

/* ---- the command ---- */

static int copy_to(const struct league *league, const char *dir, struct err *err)
{
    char *part = NULL;
    int rc = target_begin(dir, 0700, &part, err);
    if (rc == 0)
        rc = league_copy(league->dir, part, err);
    if (rc == 0)
        rc = target_end(part, dir, err);
    free(part);
    return rc;
}

/* Nobody works, or who works stands still; if neither can be, the copy is good all the same (copy_league). */
static int copy_at_rest(const struct league *league, const char *dir, struct err *err)
{
    const char *how = "Nobody worked on the league meanwhile.";
    struct queue_hold hold = {NULL, -1};
    struct err why = ERR_INIT;
    char *path = league_path(league, "lock");
    int lock = -1;
    if (file_lock(path, &lock, &why)) {
        err_clear(&why);
        how = "The one that works on the league stood still meanwhile.";
        if (queue_hold(league->dir, &hold, &why)) {
            log_warn("%s; the copy is made while somebody works", why.text);
            how = "Somebody worked on the league meanwhile: it is as a crash would have left it, which "
                  "restore mends.";
        }
    }
    int rc = copy_to(league, dir, err);
    queue_let_go(&hold);
    if (lock >= 0)
        close(lock);
    if (rc == 0)
        say_copied(league, dir, how);
    free(path);
    return rc;
}

int command_backup(int argc, char **argv)
{
    const char *dir = NULL;
    struct league league;
    struct err err = ERR_INIT;
    const struct flag flags[] = {{"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
                                 {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    int rc = copy_at_rest(&league, argv[1], &err);
    size_t damaged = 0;
    if (rc == 0)
        note_backup(league.dir, argv[1]);
    if (rc == 0)
        rc = look_at_copy(argv[1], &damaged, &err);
    league_close(&league);
    return rc ? command_fail(&err) : damaged ? 65 : 0;
}
