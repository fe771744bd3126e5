#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "batch/results.h"
#include "cluster/cluster.h"
#include "commands/backup_log.h"
#include "commands/game_check.h"
#include "commands/league_copy.h"
#include "commands/people_check.h"
#include "commands/queue.h"
#include "commands/target.h"
#include "compete/competition.h"
#include "game/cache.h"
#include "game/entry.h"
#include "game/game_load.h"
#include "journal/catalog.h"
#include "league/log_copy.h"
#include "league/policy_file.h"
#include "league/own_secrets.h"
#include "league/roster.h"
#include "mail/maildir.h"

static const char details[] =
    "Makes the new folder DIR from a backup. Every game is checked first, from its first record on. A "
    "damaged game is named and left at rest, all else is restored, and the exit code is 65: `turnpost game "
    "restore` brings that game back from another backup.\n"
    "What the league did after the backup is lost. The first run says so in a record of each game and by "
    "mail to its players, so that their `turnpost receipt-check` knows what became of the lost records. With "
    "--nothing-lost it says nothing.\n"
    "The league's log: with --log it goes on, and says which records are lost. Without it a new log begins, "
    "with "
    "another name in keys/league.policy, as nobody can tell how far the old one went.\n"
    "Mails of turns that the backup does not hold are left out. Orders that came after the backup are in the "
    "mailbox's folder Processed: `turnpost mail again --since 2d` moves them back, and the next run takes "
    "them in.\n";

struct check {
    const char *part, *target; /* where the league is now, and where it will be */
    struct store *store;
    struct store *competitions;
    const char *spool;
    const unsigned char *master; /* of the caches */
    size_t games, compete, mails, dropped;
    size_t cut;     /* games that the backup caught in the middle of a commit */
    size_t mixed;   /* digests that hold such mails among others */
    int64_t last;   /* time of the latest record */
    json_t *losses; /* of each game, as the log calls it: the record from which on some may be lost */
    size_t damaged; /* games, competitions and others that are not whole */
    const unsigned char *key; /* the league's */
    bool whole;               /* nothing came after it */
    const char *log;          /* of the league that was lost; NULL = it is lost, too */
    bool logged;              /* there is one at all */
    int64_t more;             /* entries after the backup's own */
    struct err err;
};

/* By the audit. *early: something is missing after its last record that was written at the same moment. */
static int check_game(struct check *check, const struct game *game, bool *early, struct err *err)
{
    struct str journal = STR_INIT;
    int rc = store_read(check->store, game->id, STORE_BEGIN, &journal, err);
    if (rc == 0)
        rc = game_check(&(struct game_files){game->id, slice_str(&journal), check->master, check->key}, early,
                        err);
    str_release(&journal);
    return rc;
}

/* The cache knows more than the journal: that was cut, or copied earlier. Such a game would be stuck, because
 * a league in operation never looks like that (game/cache.h). */
static int drop_cache(const struct check *check, const char *name, bool *dropped, struct err *err)
{
    struct game cached;
    struct str tail = STR_INIT;
    struct err why = ERR_INIT;
    game_init(&cached);
    struct cache_of cache = {check->store, name, check->master, false};
    *dropped = cache_read(&cache, &cached, &tail, &why) == CACHE_LOST;
    int rc = *dropped ? store_drop_state(check->store, name, err) : 0;
    game_release(&cached);
    str_release(&tail);
    return rc;
}

/* Cuts the journal back to where a commit ended; *cut: something was cut. */
static int cut_back(struct check *check, const char *name, struct game *game, bool *cut, struct err *err)
{
    bool early = true, ignored = false;
    int rc = store_mend(check->store, name, game_end(game), cut, err);
    while (rc == 0 && early) {
        rc = check_game(check, game, &early, err);
        if (rc || !early)
            break;
        const struct store_pos before = {game->seq - 1, game->journal.last_from};
        game_release(game);
        rc = store_mend(check->store, name, before, &ignored, err);
        if (rc == 0)
            rc = game_mend(check->store, name, NULL, game, err);
        *cut = true;
    }
    return rc;
}

/* How many records a journal can have that cannot be read. */
static int64_t count_lines(const struct check *check, const char *name)
{
    struct str lines = STR_INIT;
    struct err ignored = ERR_INIT;
    int64_t count = 0;
    if (store_read(check->store, name, STORE_BEGIN, &lines, &ignored) == 0)
        for (size_t i = 0; i < lines.len; i++)
            count += lines.p[i] == '\n';
    str_release(&lines);
    return count;
}

/* It is left as it is in the copy, and stands still there. */
static void leave(void *arg, const char *words)
{
    struct check *check = arg;
    log_error("%s", words);
    check->damaged++;
}

/* Restores the game as far as it is complete; the next run does the rest again, with the same result. */
static int load_whole(struct check *check, const char *name, struct game *game, struct err *err)
{
    bool cut = false, ahead = false;
    if (game_load(check->store, name, NULL, game, err))
        return -1;
    if (cut_back(check, name, game, &cut, err) || drop_cache(check, name, &ahead, err)) {
        game_release(game);
        return -1;
    }
    if (cut)
        log_warn("game %s: the backup was made while a commit was being written; it is cut back to record "
                 "%lld, which is whole, and the next run goes on from there",
                 name, (long long)game->seq);
    if (ahead)
        log_warn("game %s: the backup's state.json knows of committed records after record %lld, and its "
                 "journal does not hold them; the state.json is left out; if another backup holds them, "
                 "restore that one",
                 name, (long long)game->seq);
    check->cut += cut;
    return 0;
}

static int check_games(struct check *check, struct err *err)
{
    struct file_names names;
    if (store_games(check->store, &names, err))
        return -1;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct game game;
        char logged[GAME_NAME];
        log_progress("checking games: %zu of %zu", i + 1, names.count);
        struct err why = ERR_INIT;
        if (!store_has(check->store, names.name[i])) {
            if (!roster_gone(check->part, ROSTER_GAME, names.name[i]))
                log_warn("games/%s is no game: it holds no journal.jsonl", names.name[i]);
            continue;
        }
        if (load_whole(check, names.name[i], &game, &why)) {
            json_object_set_new(check->losses, names.name[i],
                                json_integer(count_lines(check, names.name[i]) + 1));
            leave(check, why.text);
            rc = store_drop_state(check->store, names.name[i], err); /* by which it could be played on */
            continue;
        }
        check->games++;
        game_log_name(logged, &game);
        json_object_set_new(check->losses, logged, json_integer(game.seq + 1));
        if (game.time > check->last)
            check->last = game.time;
        game_release(&game);
    }
    log_progress_end();
    file_names_free(&names);
    return rc ? rc : roster_tell_gone(check->part, ROSTER_GAME, leave, check, err);
}

static int load_competition(const struct check *check, const char *name, struct competition *c,
                            struct err *err)
{
    struct str lines = STR_INIT;
    competition_init(c);
    int rc = store_read(check->competitions, name, STORE_BEGIN, &lines, err);
    if (rc == 0)
        rc = competition_read(c, name, slice_str(&lines), err);
    if (rc == 0 && memcmp(c->keys.league, check->key, sizeof c->keys.league) != 0)
        rc = err_set(err, ERR_BROKEN, "competition %s was made with another league key", name);
    str_release(&lines);
    return rc;
}

/* The league's results: *last becomes the time of their last record, if that is later. */
static int check_results(const struct check *check, int64_t *last, struct err *err)
{
    struct results results;
    int rc = results_load(check->competitions, &(struct results_reading){.until = 0}, &results, err);
    if (rc == 0 && memcmp(results.terms.league_key, check->key, sizeof results.terms.league_key) != 0)
        rc = err_set(err, ERR_BROKEN, "competitions/results was begun with another league key");
    if (rc == 0 && results.time > *last)
        *last = results.time;
    results_release(&results);
    return rc;
}

static int check_competitions(struct check *check, struct err *err)
{
    struct file_names names;
    char *dir = path_join(check->part, COMPETE_FOLDER);
    check->competitions = store_open(dir);
    free(dir);
    int rc = store_games(check->competitions, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct competition c;
        struct err why = ERR_INIT;
        if (!store_has(check->competitions, names.name[i])) {
            if (!roster_gone(check->part, ROSTER_COMPETITION, names.name[i]))
                log_warn(COMPETE_FOLDER "/%s is no competition: it holds no journal.jsonl", names.name[i]);
            continue;
        }
        if (strcmp(names.name[i], RESULTS_NAME) == 0) {
            if (check_results(check, &check->last, &why)) {
                (void)err_prefix(&why, "no ratings are kept until this is mended");
                leave(check, why.text);
            }
            continue;
        }
        if (load_competition(check, names.name[i], &c, &why))
            leave(check, why.text);
        else
            check->compete++;
        if (c.time > check->last)
            check->last = c.time;
        competition_release(&c);
    }
    file_names_free(&names);
    return rc ? rc : roster_tell_gone(check->part, ROSTER_COMPETITION, leave, check, err);
}

/* Is it a mail of a record that the backup does not hold? That turn will be played again, and then reported.
 */
static bool is_early(struct check *check, const char *id)
{
    struct err why = ERR_INIT;
    struct game game;
    struct mail_id about;
    if (!id || !mail_id_is(&about, id, MAIL_ID_RECORD) || strcmp(about.name, REGISTRY_GAME) == 0)
        return false;
    if (store_has(check->competitions, about.name)) {
        struct competition c;
        bool lacks = load_competition(check, about.name, &c, &why) || c.seq < about.seq;
        competition_release(&c);
        return lacks;
    }
    if (game_load(check->store, about.name, NULL, &game, &why))
        return true;
    bool early = game.seq < about.seq;
    game_release(&game);
    return early;
}

static void drop(struct check *check, const struct spool_entry *entry)
{
    if (spool_drop(check->spool, entry, &check->err))
        log_error("%s", check->err.text);
}

/* A digest that has gathered early mails. If everything that it replaces is in the backup too, it is removed,
 * and the mails wait for another one. Otherwise it stays, for the sake of its other mails. */
static void check_digest(void *arg, const struct spool_entry *entry)
{
    struct check *check = arg;
    struct outgoing mail;
    struct err why = ERR_INIT;
    struct mail_id about;
    size_t early = 0, there = 0;
    if (!mail_id_is(&about, entry->id, MAIL_ID_GATHERS) ||
        (entry->place != SPOOL_NEW && entry->place != SPOOL_WAITING) ||
        spool_load(check->spool, entry->path, &mail, &why))
        return;
    for (size_t i = 0; i < mail.gather_count; i++) {
        char *id = spool_id(mail.gathers[i]);
        char *path = path_join(check->spool, mail.gathers[i]);
        early += is_early(check, id);
        there += file_is_plain(path);
        free(path);
        free(id);
    }
    if (early && there == mail.gather_count)
        drop(check, entry);
    else if (early)
        check->mixed++;
    outgoing_release(&mail);
}

static void check_mail(void *arg, const struct spool_entry *entry)
{
    struct check *check = arg;
    check->mails++;
    if (entry->place == SPOOL_FAILED || !is_early(check, entry->id))
        return;
    check->mails--;
    check->dropped++;
    drop(check, entry);
}

/* ---- what is in no backup ---- */

/* The rest of a path after the folder; NULL = it is not inside that. */
static const char *within(const struct check *check, const char *path)
{
    size_t len = strlen(check->part);
    return strncmp(path, check->part, len) == 0 && path[len] == '/' ? path + len + 1 : NULL;
}

static int make_mailbox(const struct check *check, const char *maildir, struct err *err)
{
    char *new = path_join(maildir, "new");
    bool there = file_exists(new);
    free(new);
    if (within(check, maildir))
        return maildir_create(maildir, err);
    if (!there)
        log_warn("%s is no Maildir on this host: make it, or set [incoming] maildir in %s/league.ini, before "
                 "the first run",
                 maildir, check->target);
    return 0;
}

static void look_for_password(const struct check *check, const char *section, const char *path)
{
    const char *own = within(check, path);
    if (*path && !file_exists(path))
        log_warn(
            "%s%s%s is missing: no backup holds passwords; write the one of [%s] there (chmod 600) before "
            "the first run",
            own ? check->target : "", own ? "/" : "", own ? own : path, section);
}

/* Makes sure that the next run finds what it needs, or that the operator knows what is missing. */
static int make_ready(const struct check *check, const struct config *config, struct err *err)
{
    look_for_password(check, "incoming",
                      config->incoming.type == IN_IMAP ? config->incoming.server.password_file : "");
    look_for_password(check, "outgoing",
                      config->outgoing.type == SINK_SMTP ? config->outgoing.server.password_file : "");
    return config->incoming.type == IN_MAILDIR ? make_mailbox(check, config->incoming.maildir, err) : 0;
}

/* A registry's journal that is gone, or older than players and keys: what it does not have is lost like all that came after
 * a copy. */
static int registry_behind(struct check *check, const struct league *league, struct registry_log *log,
                           bool *opened, struct err *why, struct err *err)
{
    struct err still = ERR_INIT;
    char *applied = league_path(league, "registry/applied");
    int rc = why->code == ERR_BROKEN && file_exists(applied) ? file_remove(applied, err) : 0;
    free(applied);
    if (rc || why->code != ERR_BROKEN)
        return rc;
    *opened = registry_log_open(log, league->dir, &still) == 0;
    if (!*opened) {
        *why = still;
        return 0;
    }
    leave(check, why->text);
    err_clear(why);
    return 0;
}

/* What players hold proofs of stays in the log, or the log is another one. */
static int follow_log(struct check *check, const struct league *league, struct err *err)
{
    check->logged = log_copy_has(league);
    if (check->whole && *league->config.site.folder) {
        char *shown = path_join(league->config.site.folder, LEAGUE_LOG_FOLDER);
        const int rc = log_copy_compare(league, shown, err);
        free(shown);
        return rc;
    }
    if (check->whole || !check->logged)
        return 0;
    return check->log ? log_copy_take(league, check->log, &check->more, err)
                      : log_copy_begin(league, check->losses, clock_system(), err);
}

/* The first run holds all journals against the log, and fills the catalog from them. */
static int look_at_all(const struct check *check, struct err *err)
{
    struct catalog *catalog = NULL;
    bool fresh;
    char *path = path_join(check->part, "catalog.sqlite");
    int rc = 0;
    if (file_exists(path))
        rc = catalog_open(path, &catalog, &fresh, err) || catalog_working(catalog, true, err) ? -1 : 0;
    catalog_close(catalog);
    free(path);
    return rc;
}

static int check_league(struct check *check, struct err *err)
{
    struct league league;
    struct registry_log log;
    if (league_open_copy(check->part, &league, err))
        return -1;
    if (league.config.store.type == STORE_POSTGRES && cluster_apart(check->part, err)) {
        league_close(&league);
        return -1;
    }
    if (league.config.store.type == STORE_POSTGRES)
        log_warn("league.ini says [store] type = postgres: no host works here until what was restored is in "
                 "the database (turnpost store copy files postgres --instead), or type = files");
    char *games = league_path(&league, "games");
    char *spool = league_path(&league, "spool");
    check->spool = spool;
    check->master = league.master;
    check->key = league.key.point;
    bool lacking;
    struct err why = ERR_INIT;
    int rc = file_mkdirs(games, 0700, err); /* which a league always has */
    check->store = league_games(&league);
    bool opened = rc == 0 && registry_log_open(&log, league.dir, &why) == 0;
    if (rc == 0 && !opened && registry_behind(check, &league, &log, &opened, &why, err)) {
        rc = -1;
    } else if (rc == 0 && !opened) {
        (void)err_prefix(&why, "nobody works on this league until this is mended");
        leave(check, why.text);
    } else if (rc == 0) {
        registry_log_close(&log);
        rc = own_secrets_check(&league, &lacking, err);
        if (rc == 0 && registry_check(check->part, &why))
            leave(check, why.text);
    }
    if (rc == 0)
        rc = people_check(check->part, leave, check, err);
    if (rc == 0)
        rc = check_games(check, err);
    if (rc == 0)
        rc = check_competitions(check, err);
    if (rc == 0)
        rc = spool_each(spool, check_digest, check, err);
    if (rc == 0)
        rc = spool_each(spool, check_mail, check, err);
    if (rc == 0 && check->err.code)
        rc = err_pass(err, &check->err);
    if (rc == 0)
        rc = make_ready(check, &league.config, err);
    if (rc == 0)
        rc = follow_log(check, &league, err);
    if (rc == 0 && !check->whole)
        rc = look_at_all(check, err);
    if (rc == 0 && !check->whole)
        rc = league_new_life(check->part, err);
    store_close(check->store);
    store_close(check->competitions);
    check->master = check->key = NULL; /* they were the league's */
    league_close(&league);
    free(games);
    free(spool);
    return rc;
}

/* Likewise; a backup may be on a disk that is only read. */
static void note_tried(const char *backup)
{
    struct err why = ERR_INIT;
    if (backup_log_tried(backup, clock_system(), &why))
        log_debug("%s", why.text);
}

static void tell_restored(const struct check *check)
{
    char last[CLOCK_TEXT] = "never";
    if (check->last)
        clock_utc(last, check->last);
    if (check->compete)
        printf("%zu competition%s checked.\n", check->compete, PLURAL(check->compete));
    printf("%zu games checked and %zu mails taken over; the last record is of %s.\n"
           "Orders that came since then are in the mailbox's Processed folder: `turnpost mail again "
           "--since 2d`\n"
           "moves those of two days back into the mailbox, and the next run takes them up again.\n",
           check->games, check->mails, last);
    if (!check->whole && check->games)
        printf("Each game says in its journal, and to its players, that what came after the copy is "
               "lost.\n");
    if (check->logged && check->log)
        printf("The league's log goes on from %s, which has %lld entries more than the backup.\n", check->log,
               (long long)check->more);
    else if (check->logged && !check->whole)
        printf("A new log begins, as the old one may have had more than the backup. If the folder log of the "
               "lost "
               "league\nis still there, remove %s and restore again with --log FOLDER. Publish the new "
               "league.policy.\n",
               check->target);
    if (check->damaged)
        printf("%zu %s damaged, as named above: it is as it is there, and a game that cannot be read stands "
               "still "
               "until it is mended; all else is whole.\n",
               check->damaged, check->damaged == 1 ? "part of it is" : "parts of it are");
    if (check->cut)
        printf("%zu games were caught in the middle of a commit and were cut back to its beginning; they "
               "are named above.\n",
               check->cut);
    if (check->dropped)
        printf("%zu mails of turns that the backup does not hold were left out.\n", check->dropped);
    if (check->mixed)
        printf("%zu digests hold such mails among others: they stay, and those turns are reported once "
               "more.\n",
               check->mixed);
}

int command_restore(int argc, char **argv)
{
    struct err err = ERR_INIT;
    struct check check = {.err = ERR_INIT, .losses = json_object()};
    char *part = NULL;
    const struct flag flags[] = {
        {"nothing-lost", FLAG_SWITCH, &check.whole, NULL,
         "the league did nothing after the backup, for example because it moves to another host"},
        {"log", FLAG_TEXT, &check.log, "FOLDER", "the folder log of the league that was lost"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 2, 2, details);
    if (code >= 0) {
        json_decref(check.losses);
        return code;
    }
    int rc = queue_refuse(argv[1], &err) || queue_refuse(argv[2], &err) ? -1 : 0;
    if (rc == 0)
        rc = target_begin(argv[2], 0700, &part, &err);
    if (rc == 0)
        rc = league_copy(argv[1], part, &err);
    check.part = part;
    check.target = argv[2];
    if (rc == 0)
        rc = check_league(&check, &err);
    if (rc == 0)
        rc = target_end(part, argv[2], &err);
    if (rc == 0) {
        note_tried(argv[1]);
        tell_restored(&check);
    } else if (part) {
        log_error("%s is left as it is, for a look", part);
    }
    json_decref(check.losses);
    free(part);
    return rc ? command_fail(&err) : check.damaged ? 65 : 0;
}
