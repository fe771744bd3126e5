/* `turnpost game restore`: one game comes back, from a backup or from its own journal. It is what `restore` does for a whole
 * league: audited first, and what the log has beyond it is lost, as it and the game say then. Nobody else works meanwhile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "commands/commands.h"
#include "commands/game.h"
#include "commands/game_check.h"
#include "game/entry.h"
#include "game/game_load.h"
#include "league/league_log.h"
#include "league/log_copy.h"
#include "league/own_secrets.h"
#include "league/shared.h"

#define FILE_MOST ((size_t)1 << 31)
#define ALL_READ  0644

struct bringing {
    struct league *league;
    struct store *store;
    const char *name, *backup; /* NULL: from what is there */
    struct str journal;
    bool early, lost;
    int64_t seq; /* of its last record */
};

static char *file_of(const char *dir, const char *game, const char *file)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/games/%s/%s", dir, game, file);
    return str_detach(&path);
}

/* Whole lines alone. */
static int read_lines(const struct bringing *b, struct str *lines, struct err *err)
{
    char *path = file_of(b->backup ? b->backup : b->league->dir, b->name, "journal.jsonl");
    int rc = file_read(path, FILE_MOST, lines, err);
    const char *last = lines->len ? memrchr(lines->p, '\n', lines->len) : NULL;
    str_cut(lines, last ? (size_t)(last - lines->p) + 1 : 0);
    free(path);
    return rc;
}

static int judge(struct bringing *b, struct err *err)
{
    if (read_lines(b, &b->journal, err))
        return -1;
    b->seq = store_after(STORE_BEGIN, slice_str(&b->journal)).seq;
    const struct game_files files = {b->name, slice_str(&b->journal), b->league->master,
                                     b->league->key.point};
    if (b->seq && game_check(&files, &b->early, err))
        return err_prefix(err, "nothing was changed: %s", b->backup ? b->backup : "the league");
    return b->seq ? 0
                  : err_set(err, ERR_BROKEN, "nothing was changed: there is no record of game %s", b->name);
}

/* Into FILE.before, or .before.2 and so on. */
static int keep(const char *path, struct err *err)
{
    struct str before = STR_INIT;
    if (!file_exists(path))
        return 0;
    str_addf(&before, "%s.before", path);
    for (int i = 2; file_exists(before.p); i++) {
        str_clear(&before);
        str_addf(&before, "%s.before.%d", path, i);
    }
    int rc = file_rename(path, before.p, err);
    str_release(&before);
    return rc;
}

static int put(const struct bringing *b, const struct str *lines, struct err *err)
{
    struct str was = STR_INIT;
    struct err none = ERR_INIT;
    char *path = file_of(b->league->dir, b->name, "journal.jsonl");
    bool same = file_read(path, FILE_MOST, &was, &none) == 0 && was.len == lines->len &&
                (!was.len || memcmp(was.p, lines->p, was.len) == 0);
    int rc = same ? 0 : keep(path, err);
    if (rc == 0 && !same && lines->len)
        rc = file_write(path, slice_str(lines), ALL_READ, err);
    free(path);
    str_release(&was);
    return rc;
}

/* What the log calls it, and its last record there; *last 0: there is none. */
static int ask_log(struct bringing *b, char name[GAME_NAME], int64_t *last, struct err *err)
{
    struct league_log *log;
    struct game game;
    json_t *ends = NULL;
    int rc = game_load(b->store, b->name, NULL, &game, err);
    if (rc)
        return -1;
    game_log_name(name, &game);
    game_release(&game);
    rc = league_log_open(&log, b->league, err) || league_log_ends(log, &ends, err) ? -1 : 0;
    *last = json_integer_value(json_object_get(ends, name));
    json_decref(ends);
    league_log_close(log);
    return rc;
}

/* A log that has more of it says that this is lost; so does one that has nothing, as it follows another one. */
static int bring(struct bringing *b, struct err *err)
{
    char name[GAME_NAME];
    int64_t last;
    char *folder = file_of(b->league->dir, b->name, "");
    int rc = file_mkdirs(folder, 0700, err);
    free(folder);
    if (rc || put(b, &b->journal, err) || store_drop_state(b->store, b->name, err) ||
        store_sync(b->store, err) || ask_log(b, name, &last, err))
        return -1;
    b->lost = last != b->seq;
    if (!b->lost)
        return 0;
    json_t *losses = json_pack("{s:I}", name, (json_int_t)b->seq + 1);
    rc = league_new_life(b->league->dir, err) || log_copy_lost(b->league, losses, clock_system(), err) ? -1
                                                                                                       : 0;
    json_decref(losses);
    return rc;
}

/* A game that can be played on is left alone. */
static int refuse_sound(const struct bringing *b, struct err *err)
{
    struct game game;
    struct err why = ERR_INIT;
    struct str journal = STR_INIT;
    const struct bringing own = {.league = b->league, .name = b->name};
    bool early;
    int rc = 0;
    if (game_load(b->store, b->name, b->league->master, &game, &why) == 0) {
        if (read_lines(&own, &journal, &why) == 0 &&
            game_check(
                &(struct game_files){b->name, slice_str(&journal), b->league->master, b->league->key.point},
                &early, &why) == 0)
            rc = err_set(err, ERR_INPUT, "nothing is wrong with game %s, and nothing was changed", b->name);
        game_release(&game);
    }
    str_release(&journal);
    return rc;
}

static int run(struct bringing *b, struct err *err)
{
    bool lacking;
    int rc = name_valid(slice_of(b->name))
                 ? 0
                 : err_set(err, ERR_MISSING, "\"%.40s\" is the name of no game", b->name);
    b->store = league_games(b->league);
    if (rc == 0)
        rc = own_secrets_check(b->league, &lacking, err);
    if (rc == 0)
        rc = refuse_sound(b, err);
    if (rc == 0)
        rc = judge(b, err);
    if (rc == 0)
        rc = bring(b, err);
    return rc;
}

static void say(const struct bringing *b)
{
    printf("Game %s is back, and goes on from record %lld.\n", b->name, (long long)b->seq);
    if (b->lost)
        printf("What came after that is lost: the next run says so in its journal and to its players. Orders "
               "that "
               "came since\nare in the mailbox's Processed folder: `turnpost mail again --since 2d` moves "
               "them back.\n");
    else
        printf("Nothing of it is lost.\n");
}

int game_restore(int argc, char **argv, const char *details)
{
    const char *dir = NULL;
    struct league league;
    struct err err = ERR_INIT;
    const struct flag flags[] = {{"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
                                 {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 2, 3, details);
    if (code >= 0)
        return code;
    struct bringing b = {
        .league = &league, .name = argv[2], .backup = argc > 3 ? argv[3] : NULL, .journal = STR_INIT};
    int rc = league_open(flag_league(dir), true, &league, &err);
    if (rc == 0 && shared_doubt(&league)) { /* what only this host lacks is in the database */
        league_close(&league);
        rc = league_open(flag_league(dir), true, &league, &err);
    }
    if (rc)
        return command_fail(&err);
    rc = run(&b, &err);
    if (rc == 0)
        say(&b);
    store_close(b.store);
    league_close(&league);
    str_release(&b.journal);
    return rc ? command_fail(&err) : 0;
}
