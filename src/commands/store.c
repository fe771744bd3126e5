#include "commands/commands.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "game/entry.h"
#include "game/game_load.h"
#include "journal/catalog.h"
#include "journal/catalog_changes.h"
#include "league/log_copy.h"
#include "league/shared.h"

static const char details[] =
    "\t\tstore status\twho decides, for how long, and how far behind this host's copy is\n"
    "\t\tstore copy files postgres\tbring this folder's league into the database; no host may be at work. "
    "--instead: in place of the one that is there\n"
    "\t\tstore copy postgres files\tbring this folder up to date, compare every file, and move the league "
    "out: no host decides from the database any more\n"
    "\t\tstore agree\tmake this host's league.ini, templates, keys and program those that all hosts must "
    "have\n"
    "\t\tstore accept\tgo on with a database that has lost commits that this host has seen: each game's "
    "journal says so, and its players are told\n"
    "\t\tstore intact\tgo on after a failover of the database that lost nothing, or with a league that moved "
    "out and was not played in files\n"
    "\n"
    "turnpost-store(1) says when each is needed.\n";

struct call {
    struct league league;
    struct shared_way way;
    bool json, instead;
};

/* ---- copy ---- */

/* What the catalog has in no journal goes along. */
static int export_catalog(const struct league *league, struct err *err)
{
    char *path = league_path(league, "catalog.sqlite"), *folder = league_path(league, CLUSTER_FOLDER);
    int rc = file_mkdirs(folder, 0700, err) || catalog_export(path, league->dir, err) ? -1 : 0;
    free(path);
    free(folder);
    return rc;
}

static int copy_in(struct call *call, struct err *err)
{
    size_t count = 0;
    call->way.way.instead = call->instead;
    if (league_lock(&call->league, err) || export_catalog(&call->league, err) ||
        cluster_copy_in(&call->way.way, &count, err))
        return -1;
    (void)printf("%zu files are in the database, each compared with this folder's\n", count);
    return 0;
}

/* Takes the lease, so that no host goes on meanwhile. */
static int copy_out(struct call *call, struct err *err)
{
    struct cluster *cluster = NULL;
    size_t count = 0;
    bool fresh;
    int rc = league_lock(&call->league, err) || cluster_open(&call->way.way, &cluster, err) ||
                     cluster_take(cluster, &fresh, err)
                 ? -1
                 : 0;
    if (rc == 0)
        rc = cluster_copy_out(cluster, &count, err);
    if (rc == 0)
        rc = shared_catalog(&call->league, err);
    if (rc == 0)
        rc = cluster_move_out(cluster, err);
    cluster_close(cluster);
    if (rc == 0)
        (void)printf(
            "%zu files are as the database has them, and from there no host decides any more; set [store] "
            "type = files to go on with them\n",
            count);
    return rc;
}

/* ---- accept ---- */

/* From which record on each game may have lost some, by the name that the log has for it. */
static int last_records(const struct league *league, json_t *losses, struct err *err)
{
    struct file_names names = {NULL, 0};
    struct store *store = league_games(league);
    int rc = store_games(store, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct game game;
        char name[GAME_NAME];
        struct err why = ERR_INIT;
        if (game_load(store, names.name[i], NULL, &game, &why)) {
            log_warn("%s; it will not say what it has lost", why.text);
            continue;
        }
        game_log_name(name, &game);
        json_object_set_new(losses, name, json_integer(game.seq + 1));
        game_release(&game);
    }
    file_names_free(&names);
    store_close(store);
    return rc;
}

static int accept(struct call *call, struct err *err)
{
    struct cluster *cluster = NULL;
    json_t *losses = json_object();
    bool fresh;
    call->way.way.accept = true;
    int rc = league_lock(&call->league, err) || cluster_open(&call->way.way, &cluster, err) ||
                     cluster_take(cluster, &fresh, err) || last_records(&call->league, losses, err) ||
                     league_keys(&call->league, err) || league_new_life(call->league.dir, err) ||
                     log_copy_lost(&call->league, losses, clock_system(), err)
                 ? -1
                 : 0;
    if (rc == 0)
        rc = shared_catalog(&call->league, err);
    cluster_close(cluster);
    if (rc == 0)
        (void)printf("%zu games will say that records of theirs are lost; the next run tells their players\n",
                     json_object_size(losses));
    json_decref(losses);
    return rc;
}

/* ---- status ---- */

static void print_state(const struct cluster_state *state)
{
    if (state->held)
        (void)printf("%s decides%s; its lease ends in %lld seconds unless it is renewed\n", state->host,
                     state->mine ? " (this host)" : "", (long long)state->left);
    else
        (void)printf("no host decides%s%s\n", *state->host ? "; the last one was " : "", state->host);
    if (*state->closed)
        (void)printf("no host may decide: %s %s\n",
                     strcmp(state->closed, "moved") == 0
                         ? "the league has moved into the files of"
                         : "the database has lost commits, which were seen by",
                     state->closer);
    if (!state->ready)
        (void)printf("the copy into the database was interrupted: run turnpost store copy again\n");
    (void)printf("commits:  %lld", (long long)state->commits);
    if (state->behind < 0)
        (void)printf("; this host has no copy yet\n");
    else
        (void)printf("; this host's copy lacks %lld\n", (long long)state->behind);
    (void)printf("files:    %lld, %lld bytes\n", (long long)state->files, (long long)state->bytes);
    (void)printf("database: PostgreSQL %d.%d, %lld microseconds away, its clock %lld seconds from this "
                 "host's; commits wait for %s\n",
                 state->version / 10000, state->version % 10000, (long long)state->latency,
                 (long long)state->clock, *state->names ? state->names : "no server");
}

static void print_json(const struct cluster_state *state)
{
    struct str text = STR_INIT;
    json_t *all = json_pack("{s:s,s:b,s:b,s:b,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:i,s:s,s:s,s:s}", "host",
                            state->host, "held", state->held, "mine", state->mine, "ready", state->ready,
                            "left", (json_int_t)state->left, "commits", (json_int_t)state->commits, "behind",
                            (json_int_t)state->behind, "files", (json_int_t)state->files, "bytes",
                            (json_int_t)state->bytes, "clock", (json_int_t)state->clock, "latency",
                            (json_int_t)state->latency, "version", state->version, "standbys", state->names,
                            "closed", state->closed, "closer", state->closer);
    json_write_pretty(&text, all);
    (void)fputs(text.p, stdout);
    json_decref(all);
    str_release(&text);
}

static int show_status(struct call *call, struct err *err)
{
    struct cluster *cluster = NULL;
    struct cluster_state state;
    int rc = cluster_open(&call->way.way, &cluster, err) || cluster_state(cluster, &state, err) ? -1 : 0;
    cluster_close(cluster);
    if (rc)
        return -1;
    if (call->json)
        print_json(&state);
    else
        print_state(&state);
    return 0;
}

static int agree(struct call *call, struct err *err)
{
    if (cluster_agree(&call->way.way, err))
        return -1;
    (void)printf("all hosts must have this host's league.ini, templates, keys and program from now on\n");
    return 0;
}

static int intact(struct call *call, struct err *err)
{
    if (cluster_intact(&call->way.way, err))
        return -1;
    (void)printf("the hosts go on with the server that is the database now\n");
    return 0;
}

/* ---- the command ---- */

static const struct task {
    const char *words[3];
    int (*act)(struct call *call, struct err *err);
} tasks[] = {{{"status"}, show_status},
             {{"copy", "files", "postgres"}, copy_in},
             {{"copy", "postgres", "files"}, copy_out},
             {{"accept"}, accept},
             {{"agree"}, agree},
             {{"intact"}, intact}};

static const struct task *find_task(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        const struct task *task = &tasks[i];
        int count = 0;
        while (count < 3 && task->words[count])
            count++;
        bool fits = argc - 1 == count;
        for (int k = 0; k < count && fits; k++)
            fits = strcmp(argv[k + 1], task->words[k]) == 0;
        if (fits)
            return task;
    }
    return NULL;
}

int command_store(int argc, char **argv)
{
    const char *dir = NULL;
    struct call call = {.json = false};
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {"instead", FLAG_SWITCH, &call.instead, NULL, "copy files postgres: remove the league that is there"},
        {"json", FLAG_SWITCH, &call.json, NULL, "status: print JSON"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 3, details);
    if (code >= 0)
        return code;
    const struct task *task = find_task(argc, argv);
    if (!task) {
        log_error("store: say status, copy files postgres, copy postgres files, accept, agree or intact");
        return EXIT_USAGE;
    }
    if (league_open(flag_league(dir), false, &call.league, &err))
        return command_fail(&err);
    int rc = shared_way(&call.league, &call.way, &err);
    if (rc == 0)
        rc = task->act(&call, &err);
    shared_way_release(&call.way);
    league_close(&call.league);
    return rc ? command_fail(&err) : 0;
}
