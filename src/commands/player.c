#include "commands/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "commands/change.h"
#include "commands/commands.h"
#include "journal/catalog.h"
#include "batch/name_trace.h"
#include "league/registry_documents.h"
#include "trust/keyring.h"

#define KEY_FILE_MAX 65536

static const char details[] =
    "  player add NAME ADDRESS KEYFILE   enter a player; KEYFILE holds up to four public keys\n"
    "  player list                       who plays here\n"
    "  player show NAME                  one player: address, keys, games, mail that came back\n"
    "  player key NAME KEYFILE           replace the player's keys\n"
    "  player address NAME ADDRESS [TWO] replace the mail address, and the second one\n"
    "  player remove NAME                remove a player who has no seat in a running game\n"
    "  player restore NAME               write a player's file or keys again, where damaged or gone, as the\n"
    "                                    registry's journal has them; what was there is kept\n"
    "\n"
    "A key file (- is standard input) is what the player's tool made: id_ed25519.pub of ssh-keygen\n"
    "-t ed25519, minisign.pub, or signify's .pub. Names have small letters, digits, '.', '_', '-'.\n";

/* ---- keys ---- */

/* A secret key given by mistake is refused before it is copied anywhere. */
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

struct own_keys {
    struct pubkey list[KEYS_PER_PLAYER];
    size_t count;
};

/* Reads and checks a key file that the operator names. */
static int read_keys(const struct player_call *call, const char *name, const char *file,
                     struct own_keys *keys, struct err *err)
{
    struct str text = STR_INIT;
    const char *what = strcmp(file, "-") == 0 ? "standard input" : file;
    int rc = command_read(file, KEY_FILE_MAX, &text, err);
    if (rc == 0)
        rc = refuse_secret(slice_str(&text), what, err);
    if (rc == 0)
        rc = keys_parse(slice_str(&text), what, keys->list, &keys->count, err);
    if (rc == 0 && keys->count == 0)
        rc = err_set(err, ERR_INPUT, "%s holds no key", what);
    if (rc == 0)
        rc = player_refuse_shared(call, name, keys->list, keys->count, err);
    str_release(&text);
    return rc;
}

static void say_keys(const struct pubkey *keys, size_t count)
{
    char print[KEY_SHOWN];
    for (size_t i = 0; i < count; i++) {
        pubkey_show(print, &keys[i]);
        (void)printf("  key %s\n", print);
    }
}

/* ---- subcommands ---- */

/* Bounces count for an address: a new one begins without. A missing catalog has none. */
static void forget_bounces(const struct player_call *call, const char *name)
{
    struct catalog *catalog = NULL;
    struct err err = ERR_INIT;
    bool fresh;
    char *path = path_join(call->dir, "catalog.sqlite");
    if (file_exists(path) &&
        (catalog_open(path, &catalog, &fresh, &err) != 0 || catalog_bounce_clear(catalog, name, &err) != 0))
        log_warn("%s", err.text);
    catalog_close(catalog);
    free(path);
}

static int take_address(const struct player_call *call, const struct player *player, char out[PLAYER_ADDRESS],
                        const char *address, struct err *err)
{
    struct registry registry;
    if (strlen(address) >= PLAYER_ADDRESS)
        return err_set(err, ERR_INPUT, "the address is longer than 254 bytes");
    memcpy(out, address, strlen(address) + 1);
    if (address_check(out, err) != 0 || registry_load(call->dir, &registry, err) != 0)
        return -1;
    const struct player *other = registry_by_address(&registry, out);
    if (other && strcmp(other->name, player->name) != 0)
        log_warn("%s has the same address", other->name);
    registry_release(&registry);
    return 0;
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

static int add(const struct player_call *call, char **args, struct err *err)
{
    struct player player;
    struct own_keys keys = {.count = 0};
    player_init(&player);
    player.html = !call->no_html;
    player.json = call->json;
    player.since = call->now;
    if (player_name_new(args[0], err) != 0)
        return -1;
    memcpy(player.name, args[0], strlen(args[0]) + 1);
    if (refuse_known(call, args[0], err) != 0 ||
        take_address(call, &player, player.address, args[1], err) != 0 ||
        read_keys(call, args[0], args[2], &keys, err) != 0)
        return -1;
    struct registry_change change = {.what = "register",
                                     .player = &player,
                                     .key_owner = player.name,
                                     .keys = keys.list,
                                     .key_count = keys.count};
    struct newcomer new = {call->dir, player.name};
    const struct change_check check = {refuse_traces, &new};
    bool waits = false;
    if (change_make_checked(call->dir, call->now, &(struct checked_change){&change, &check}, &waits, err) !=
        0)
        return -1;
    (void)printf("Entered %s <%s>\n", player.name, player.address);
    say_keys(keys.list, keys.count);
    change_say(waits);
    return 0;
}

static int replace_keys(const struct player_call *call, char **args, struct err *err)
{
    struct player player;
    struct own_keys keys = {.count = 0};
    if (player_load(call->dir, args[0], &player, err) != 0 ||
        read_keys(call, args[0], args[1], &keys, err) != 0)
        return -1;
    struct registry_change change = {
        .what = "key", .key_owner = player.name, .keys = keys.list, .key_count = keys.count};
    bool waits = false;
    if (change_make(call->dir, call->now, &change, &waits, err) != 0)
        return -1;
    (void)printf("Replaced the keys of %s:\n", player.name);
    say_keys(keys.list, keys.count);
    (void)printf("Running games take them up with the next mail.\n");
    change_say(waits);
    return 0;
}

static int replace_address(const struct player_call *call, char **args, struct err *err)
{
    struct player player;
    struct registry_change change = {.what = "address", .player = &player};
    bool waits = false;
    if (player_load(call->dir, args[0], &player, err) != 0 ||
        take_address(call, &player, player.address, args[1], err) != 0 ||
        (args[2] && take_address(call, &player, player.address2, args[2], err) != 0) ||
        change_make(call->dir, call->now, &change, &waits, err) != 0)
        return -1;
    forget_bounces(call, player.name);
    (void)printf("%s has the address %s now%s%s.\n", player.name, player.address,
                 *player.address2 ? ", and for the second one " : "", player.address2);
    change_say(waits);
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
    bool waits = false;
    if (player_load(call->dir, args[0], &player, err) != 0)
        return -1;
    struct registry_change change = {.what = "remove", .removed = player.name};
    const struct change_check check = {refuse_seated, player.name};
    if (change_make_checked(call->dir, call->now, &(struct checked_change){&change, &check}, &waits, err) !=
        0)
        return -1;
    (void)printf("%s is no player any more.\n", player.name);
    change_say(waits);
    return 0;
}

static const struct {
    const char *name;
    int args, most;
    int (*run)(const struct player_call *call, char **args, struct err *err);
    const char *usage;
} subcommands[] = {
    {"add", 3, 3, add, "NAME ADDRESS KEYFILE"},
    {"list", 0, 0, player_list, ""},
    {"show", 1, 1, player_show, "NAME"},
    {"key", 2, 2, replace_keys, "NAME KEYFILE"},
    {"address", 2, 3, replace_address, "NAME ADDRESS [SECOND]"},
    {"remove", 1, 1, remove_player, "NAME"},
    {"restore", 1, 1, player_restore, "NAME"},
};

static int run_subcommand(const struct player_call *call, int argc, char **argv)
{
    struct league league;
    struct err err = ERR_INIT;
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
        if (strcmp(argv[1], subcommands[i].name) != 0)
            continue;
        if (argc - 2 < subcommands[i].args || argc - 2 > subcommands[i].most) {
            log_error("usage: turnpost player %s %s", argv[1], subcommands[i].usage);
            return EXIT_USAGE;
        }
        if (league_open(call->dir, false, &league, &err) != 0)
            return command_fail(&err);
        int rc = subcommands[i].run(call, argv + 2, &err);
        league_close(&league);
        return rc ? command_fail(&err) : 0;
    }
    log_error(
        "player: there is no \"%s\": add, list, show, key, address, remove and restore are (turnpost help "
        "player)",
        argv[1]);
    return EXIT_USAGE;
}

int command_player(int argc, char **argv)
{
    struct player_call call = {0};
    const char *dir = NULL;
    int64_t now = 0;
    const struct flag flags[] = {
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {"no-html", FLAG_SWITCH, &call.no_html, NULL, "add: reports are plain text only"},
        {"json", FLAG_SWITCH, &call.json, NULL, "add: attach view.json to reports; list, show: print JSON"},
        {"now", FLAG_TIME, &now, "TIME", "add: when the player came (default: now)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 4, details);
    if (code >= 0)
        return code;
    call.dir = flag_league(dir);
    call.now = flag_now(now);
    return run_subcommand(&call, argc, argv);
}
