/* `turnpost announce`: the operator's words to players. It belongs to no game and no competition, so no journal has
 * it. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "batch/competing.h"
#include "batch/tell.h"
#include "commands/deed.h"

#define WORDS_MOST ((size_t)16 * 1024) /* bytes */
#define TITLE_MOST 100

static const char details[] =
    "Sends the text of FILE (\"-\" is standard input; at most 16 KB) to all players, or to those of a game "
    "or a competition. Players who want one mail a day get it with that mail.\n";

struct wishes {
    const char *game, *competition, *title;
};

static json_t *lines_of(struct slice text)
{
    json_t *list = json_array();
    struct slice line;
    while (text.len) {
        (void)slice_line(&text, &line);
        json_t *words = json_text(line);
        json_array_append_new(list, json_pack("{s:o}", "line", words));
    }
    return list;
}

static json_t *facts_of(const struct deed *deed)
{
    const struct wishes *wishes = deed->wishes;
    json_t *facts = json_pack(
        "{s:s,s:b,s:o}", "heading", wishes->title ? wishes->title : "A word from the operator", "everybody",
        !wishes->game && !wishes->competition, "lines", lines_of(slice_trim(slice_str(&deed->text))));
    if (wishes->game)
        json_object_set_new(facts, "game", json_string(wishes->game));
    if (wishes->competition)
        json_object_set_new(facts, "competition", json_string(wishes->competition));
    return facts;
}

/* ---- to whom ---- */

static void add(json_t *names, const char *player)
{
    if (*player)
        json_object_set_new(names, player, json_true());
}

static int add_game(const struct deed *deed, const char *id, json_t *names, struct err *err)
{
    struct batch_game *entry;
    if (batch_game(deed->batch, id, &entry, err))
        return -1;
    for (int seat = 1; seat <= entry->game.seats; seat++)
        if (!entry->game.seat[seat].robot)
            add(names, entry->game.seat[seat].player);
    return 0;
}

static int add_competition(const struct deed *deed, const char *name, json_t *names, struct err *err)
{
    struct batch_competition *entry;
    if (competing_find(deed->batch, name, &entry, err))
        return -1;
    for (size_t i = 0; i < entry->c.entrant_count; i++)
        if (entry->c.entrants[i].in)
            add(names, entry->c.entrants[i].name);
    return 0;
}

static int gather(const struct deed *deed, json_t *names, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    const struct registry *registry = &deed->batch->registry;
    if (wishes->game)
        return add_game(deed, wishes->game, names, err);
    if (wishes->competition)
        return add_competition(deed, wishes->competition, names, err);
    for (size_t i = 0; i < registry->count; i++)
        if (!registry->players[i].banned)
            add(names, registry->players[i].name);
    return 0;
}

/* ---- the command ---- */

/* What makes the mail another one than those before: the words, and when they were said. */
static void write_about(const struct deed *deed, const char *player, struct str *about)
{
    const struct wishes *wishes = deed->wishes;
    str_addf(about, "announce %lld %s %s %s\n", (long long)deed->batch->now, player,
             wishes->title ? wishes->title : "", wishes->game ? wishes->game : "");
    str_addslice(about, slice_str(&deed->text));
}

static int send(struct deed *deed, json_t *names, json_t *facts, struct err *err)
{
    const char *player;
    json_t *item;
    int rc = 0;
    json_object_foreach (names, player, item) {
        struct str about = STR_INIT;
        write_about(deed, player, &about);
        const struct tell what = {.words = "announce", .facts = facts, .about = about.p, .news = true};
        rc = tell_player(deed->batch, &what, player, err);
        str_release(&about);
        if (rc)
            break;
    }
    return rc;
}

static int act(struct deed *deed, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    json_t *names = json_object(), *facts = facts_of(deed);
    int rc = 0;
    if (!json_array_size(json_object_get(facts, "lines")))
        rc = err_set(err, ERR_INPUT, "there is nothing to announce: the text is empty");
    else if (wishes->title && strlen(wishes->title) > TITLE_MOST)
        rc = err_set(err, ERR_INPUT, "--title takes at most %d bytes", TITLE_MOST);
    else if (wishes->game && wishes->competition)
        rc = err_set(err, ERR_INPUT, "only one of --game and --competition is possible");
    if (rc == 0)
        rc = gather(deed, names, err);
    if (rc == 0 && !json_object_size(names))
        rc = err_set(err, ERR_INPUT, "there is nobody to write to");
    if (rc == 0)
        rc = send(deed, names, facts, err);
    size_t count = json_object_size(names);
    if (rc == 0)
        log_info("an announcement to %zu player%s", count, PLURAL(count));
    if (rc == 0)
        deed_say(deed, "To be sent to %zu player%s.\n", count, PLURAL(count));
    json_decref(names);
    json_decref(facts);
    return rc;
}

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    const struct flag flags[] = {
        {"game", FLAG_TEXT, &wishes->game, "GAME", "to the players of this game alone"},
        {"competition", FLAG_TEXT, &wishes->competition, "NAME",
         "to those who are in this competition alone"},
        {"title", FLAG_TEXT, &wishes->title, "TEXT", "the mail's subject"},
        {"league", FLAG_TEXT, &deed->dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &deed->now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = deed_flags(deed, &argc, argv, flags, (const int[]){1, 1}, details);
    if (code >= 0)
        return code;
    deed->file = argv[1];
    deed->most = WORDS_MOST;
    return -1;
}

const struct deed_kind deed_announce = {
    .name = "announce", .size = sizeof(struct wishes), .read = read, .act = act};

int command_announce(int argc, char **argv)
{
    return deed_run(&deed_announce, argc, argv);
}
