#include "commands/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "journal/catalog.h"
#include "batch/name_trace.h"
#include "league/address.h"
#include "league/registry_documents.h"
#include "trust/keyring.h"

#define KEY_FILE_MAX 65536

static const char details[] =
    "\t\tplayer add NAME ADDRESS [KEYFILE]\tenter a player. Without KEYFILE they play by reply ([league] "
    "trust = mail)\n"
    "\t\tplayer list\tlist the players\n"
    "\t\tplayer show NAME\tshow one: address, keys, games, mail that came back\n"
    "\t\tplayer key NAME KEYFILE\tanother key in place of a lost one\n"
    "\t\tplayer address NAME ADDRESS [TWO]\tanother address in place of a lost one; TWO, with --at-once: the "
    "second one, or no\n"
    "\t\tplayer remove NAME\tremove a player who has no seat in a running game\n"
    "\t\tplayer restore NAME\twrite a player's file or keys again from the registry's journal, where they "
    "are damaged or gone; the old ones are kept\n"
    "\n"
    "Another key or address is asked for with --reason TEXT: all addresses of the player are told (of a key, "
    "also everybody they play with). After seven days it counts, unless an old key or an answer from an old "
    "address has said no. With --at-once it counts now, and they are told that: only for somebody without a "
    "seat in a running game, or for the address of somebody with a key.\n"
    "\n"
    "NAME has small letters, digits, '.', '_' and '-'.\n"
    "KEYFILE holds up to four public keys, as the player's tool wrote them: id_ed25519.pub of ssh-keygen (-t "
    "ed25519, or -t ecdsa on P-256), minisign.pub, or signify's .pub. \"-\" is standard input.\n";

/* ---- keys ---- */

static int refuse_secret(struct slice text, const char *file, struct err *err)
{
    static const char *const marks[] = {"PRIVATE KEY-----", "secret key"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (slice_find(text, marks[i]) != (size_t)-1)
            return err_set(err, ERR_INPUT,
                           "%s is a secret key: it stays with the player; give the public one (.pub)", file);
    return 0;
}

static bool same_key(const struct pubkey *a, const struct pubkey *b)
{
    return memcmp(a->point, b->point, sizeof a->point) == 0;
}

int player_refuse_shared(const struct player_call *call, const char *name, const struct pubkey *keys,
                         size_t count, struct err *err)
{
    struct keyring ring;
    char *dir = path_join(call->dir, "keys");
    int rc = keyring_load(dir, NULL, &ring, err);
    for (size_t i = 0; rc == 0 && i < ring.count; i++) {
        if (strcmp(ring.entries[i].player, name) == 0)
            continue;
        for (size_t k = 0; k < count && rc == 0; k++)
            if (same_key(&keys[k], &ring.entries[i].key))
                rc = err_set(err, ERR_INPUT, "this key is %s's already; two players may not share a key",
                             ring.entries[i].player);
    }
    keyring_release(&ring);
    free(dir);
    return rc;
}

static const char *name_of_file(const struct deed *deed)
{
    return !deed->file || strcmp(deed->file, "-") == 0 ? "standard input" : deed->file;
}

int player_read_keys(const struct player_call *call, const char *name, struct own_keys *keys, struct err *err)
{
    struct slice text = slice_str(&call->deed->text);
    const char *what = name_of_file(call->deed);
    if (keys_parse(text, what, keys->list, &keys->count, err))
        return -1;
    if (keys->count == 0)
        return err_set(err, ERR_INPUT, "%s holds no key", what);
    return player_refuse_shared(call, name, keys->list, keys->count, err);
}

void player_say_keys(struct deed *deed, const struct pubkey *keys, size_t count)
{
    char print[KEY_SHOWN];
    for (size_t i = 0; i < count; i++) {
        pubkey_show(print, &keys[i]);
        deed_say(deed, "  key %s\n", print);
    }
}

/* ---- changes ---- */

int player_change(const struct player_call *call, const struct registry_change *change,
                  const struct player_check *check, struct err *err)
{
    struct batch *batch = call->deed->batch;
    if (check && batch->mark.stays)
        return err_set(err, ERR_BROKEN,
                       "there are games that cannot be read, and who has a seat in them nobody knows; mend "
                       "them, or take them out of games, and run this again");
    if (check && check->ask(check->arg, batch->catalog, err))
        return -1;
    return batch_change(batch, change, err);
}

/* ---- subcommands ---- */

int player_take_address(const struct player_call *call, const struct player *player, char out[PLAYER_ADDRESS],
                        const char *address, struct err *err)
{
    struct registry registry;
    if (strlen(address) >= PLAYER_ADDRESS)
        return err_set(err, ERR_INPUT, "the address is longer than 254 bytes");
    memcpy(out, address, strlen(address) + 1);
    if (address_check(out, err) != 0 || registry_load(call->dir, &registry, err) != 0)
        return -1;
    const struct player *other = registry_by_address(&registry, out);
    bool theirs = other && strcmp(other->name, player->name) != 0;
    /* The case of an address is nobody's sign: mails of the two could not be told apart. */
    bool alike = theirs && strcmp(other->address, out) != 0 && strcmp(other->address2, out) != 0;
    int rc = alike ? err_set(err, ERR_INPUT, "%s has that address, written in another case", other->name) : 0;
    if (theirs && !alike)
        deed_warn(call->deed, "%s has the same address", other->name);
    registry_release(&registry);
    return rc;
}

/* Somebody with this name existed and their file is gone: restoring them is a different command. */
static int refuse_lost(const struct name_trace *trace, const char *name, struct err *err)
{
    if (strcmp(trace->player, name) != 0)
        return 0;
    if (trace->kind == TRACE_SEAT)
        return err_set(
            err, ERR_INPUT,
            "%s has a seat in game %s, which is running, and players/%s.json is gone; to have them "
            "back, run: turnpost player restore %s",
            name, trace->game, name, name);
    if (trace->kind == TRACE_KEYS)
        return err_set(err, ERR_INPUT,
                       "keys/%s.pub is there, but there is no player %s; to have them back, run: turnpost "
                       "player restore %s; else remove the file first",
                       name, name, name);
    return err_set(err, ERR_INPUT,
                   "the registry's journal has a player %s, whose files are gone; to have them back, run: "
                   "turnpost player restore %s; and for somebody else by that name, after that: turnpost "
                   "player remove %s",
                   name, name, name);
}

static int look_for_traces(struct name_places *places, const char *name, struct name_trace *trace,
                           struct err *err)
{
    json_t *documents = NULL;
    int rc = registry_document_names(places->dir, &documents, err);
    places->documents = documents;
    if (rc == 0)
        rc = name_trace_find(places, name, trace, err);
    json_decref(documents);
    return rc;
}

/* The player to be added. */
struct newcomer {
    const char *dir, *name;
};

static int refuse_traces(void *arg, struct catalog *catalog, struct err *err)
{
    const struct newcomer *new = arg;
    struct registry registry;
    struct keyring ring;
    struct name_places places = {
        .dir = new->dir, .registry = &registry, .keyring = &ring, .catalog = catalog};
    struct name_trace trace = {.kind = TRACE_NONE};
    char *keys = path_join(new->dir, "keys");
    int rc = registry_load(new->dir, &registry, err);
    if (rc == 0) {
        rc = keyring_load(keys, NULL, &ring, err);
        if (rc == 0)
            rc = look_for_traces(&places, new->name, &trace, err);
        if (rc == 0 && trace.kind != TRACE_NONE)
            rc = refuse_lost(&trace, new->name, err);
        keyring_release(&ring);
        registry_release(&registry);
    }
    free(keys);
    return rc;
}

static int refuse_known(const struct player_call *call, const char *name, struct err *err)
{
    struct player known;
    struct err missing = ERR_INIT;
    if (player_load(call->dir, name, &known, &missing) == 0)
        return err_set(err, ERR_INPUT, "there is a player %s already (turnpost player show %s)", name, name);
    return missing.code == ERR_MISSING ? 0 : err_pass(err, &missing);
}

/* May there be a player without a key? */
static int refuse_keyless(const struct player_call *call, const char *name, struct err *err)
{
    const struct config *config = &call->deed->batch->league->config;
    if (config->league.trust != TRUST_MAIL)
        return err_set(
            err, ERR_INPUT,
            "name %s's key file: only in a league with \"[league] trust = mail\" can somebody play "
            "without a key",
            name);
    if (config_moderator(config, name))
        return err_set(err, ERR_INPUT, "%s is a moderator, and moderators need a key: name their key file",
                       name);
    return 0;
}

static int add(const struct player_call *call, char **args, struct err *err)
{
    struct player player;
    struct own_keys keys = {.count = 0};
    player_init(&player);
    player.html = !call->no_html;
    player.json = call->json;
    player.since = call->deed->batch->now;
    if (player_name_new(args[0], err) != 0)
        return -1;
    memcpy(player.name, args[0], strlen(args[0]) + 1);
    player.by_mail = !call->deed->file;
    if (refuse_known(call, args[0], err) != 0 ||
        player_take_address(call, &player, player.address, args[1], err) != 0 ||
        (player.by_mail ? refuse_keyless(call, args[0], err) : player_read_keys(call, args[0], &keys, err)) !=
            0)
        return -1;
    struct registry_change change = {.what = "register",
                                     .player = &player,
                                     .key_owner = player.by_mail ? NULL : player.name,
                                     .keys = keys.list,
                                     .key_count = keys.count};
    struct newcomer new = {call->dir, player.name};
    const struct player_check check = {refuse_traces, &new};
    if (player_change(call, &change, &check, err) != 0)
        return -1;
    deed_say(call->deed, "Entered %s <%s>\n", player.name, player.address);
    player_say_keys(call->deed, keys.list, keys.count);
    if (player.by_mail)
        deed_say(call->deed, "  plays by reply: their mail provider vouches for them\n");
    return 0;
}

static int refuse_running(void *arg, const struct catalog_game *game, struct err *err)
{
    return err_set(err, ERR_INPUT, "%s has a seat in game %s, which is running", (const char *)arg, game->id);
}

static int refuse_seated(void *arg, struct catalog *catalog, struct err *err)
{
    return catalog_each_game(catalog, &(struct catalog_filter){arg, true}, refuse_running, arg, err);
}

static int remove_player(const struct player_call *call, char **args, struct err *err)
{
    struct player player;
    if (player_load(call->dir, args[0], &player, err) != 0)
        return -1;
    struct registry_change change = {.what = "remove", .removed = player.name};
    const struct player_check check = {refuse_seated, player.name};
    if (player_change(call, &change, &check, err) != 0)
        return -1;
    deed_say(call->deed, "%s is no player any more.\n", player.name);
    return 0;
}

/* What of a player's files it mends, so that nobody is told of their damage meanwhile. */
enum { MENDS_FILE = 1, MENDS_KEYS = 2 };

static const struct subcommand {
    const char *name;
    int args, most;
    int key_file; /* which of its arguments names one; 0 = none */
    unsigned mends;
    bool looks; /* changes nothing */
    int (*run)(const struct player_call *call, char **args, struct err *err);
    const char *usage;
} subcommands[] = {
    {"add", 2, 3, 3, MENDS_FILE | MENDS_KEYS, false, add, "NAME ADDRESS [KEYFILE]"},
    {"list", 0, 0, 0, 0, true, player_list, ""},
    {"show", 1, 1, 0, 0, true, player_show, "NAME"},
    {"key", 2, 2, 2, MENDS_KEYS, false, player_replace_keys, "NAME KEYFILE"},
    {"address", 2, 3, 0, MENDS_FILE, false, player_replace_address, "NAME ADDRESS [SECOND]"},
    {"remove", 1, 1, 0, 0, false, remove_player, "NAME"},
    {"restore", 1, 1, 0, MENDS_FILE | MENDS_KEYS, false, player_restore, "NAME"},
};

/* ---- the command ---- */

struct wishes {
    bool json, no_html, at_once;
    const char *reason;
    const struct subcommand *subcommand;
    char **args; /* of it */
};

/* NULL when it has said what is wrong. */
static const struct subcommand *find_subcommand(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
        if (strcmp(argv[1], subcommands[i].name) != 0)
            continue;
        if (argc - 2 >= subcommands[i].args && argc - 2 <= subcommands[i].most)
            return &subcommands[i];
        log_error("usage: turnpost player %s %s", argv[1], subcommands[i].usage);
        return NULL;
    }
    log_error(
        "player: there is no \"%s\": add, list, show, key, address, remove and restore are (turnpost help "
        "player)",
        argv[1]);
    return NULL;
}

static int look(const struct deed *deed, const struct wishes *wishes)
{
    struct league league;
    struct err err = ERR_INIT;
    const struct player_call call = {.dir = flag_league(deed->dir), .json = wishes->json};
    if (league_open(call.dir, false, &league, &err) != 0)
        return command_fail(&err);
    int rc = wishes->subcommand->run(&call, wishes->args, &err);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    const struct flag flags[] = {
        {"league", FLAG_TEXT, &deed->dir, "DIR", FLAG_LEAGUE_HELP},
        {"no-html", FLAG_SWITCH, &wishes->no_html, NULL, "add: reports are plain text only"},
        {"json", FLAG_SWITCH, &wishes->json, NULL,
         "add: attach view.json to reports; list, show: print JSON"},
        {"reason", FLAG_TEXT, &wishes->reason, "TEXT",
         "key, address: why another one is asked for; they are told"},
        {"at-once", FLAG_SWITCH, &wishes->at_once, NULL,
         "key, address: it counts now, and nobody can say no"},
        {"now", FLAG_TIME, &deed->now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = deed_flags(deed, &argc, argv, flags, (const int[]){1, 4}, details);
    if (code >= 0)
        return code;
    const struct subcommand *subcommand = wishes->subcommand = find_subcommand(argc, argv);
    if (!subcommand)
        return EXIT_USAGE;
    wishes->args = argv + 2;
    if (subcommand->looks)
        return deed->checked ? EXIT_USAGE : look(deed, wishes);
    deed->file = subcommand->key_file ? argv[1 + subcommand->key_file] : NULL;
    deed->most = KEY_FILE_MAX;
    deed->mends_file = subcommand->mends & MENDS_FILE ? argv[2] : NULL;
    deed->mends_keys = subcommand->mends & MENDS_KEYS ? argv[2] : NULL;
    return -1;
}

/* A secret key given by mistake is refused before it is copied anywhere. */
static int bring(struct deed *deed, struct err *err)
{
    return deed->file ? refuse_secret(slice_str(&deed->text), name_of_file(deed), err) : 0;
}

static int act(struct deed *deed, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    const struct player_call call = {.dir = deed->batch->league->dir,
                                     .json = wishes->json,
                                     .no_html = wishes->no_html,
                                     .at_once = wishes->at_once,
                                     .reason = wishes->reason,
                                     .deed = deed};
    return wishes->subcommand->run(&call, wishes->args, err);
}

const struct deed_kind deed_player = {
    .name = "player", .size = sizeof(struct wishes), .read = read, .bring = bring, .act = act};

int command_player(int argc, char **argv)
{
    return deed_run(&deed_player, argc, argv);
}
