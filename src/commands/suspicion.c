#include "commands/commands.h"
#include "commands/look.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "batch/batch.h"
#include "league/league.h"
#include "publish/suspicion.h"

static const char details[] =
    "Shows for each two players of GAME, or of all games: mails from one network or in the same minutes, "
    "turns missed together, orders that spare or favour the other. The numbers prove nothing by themselves: "
    "people share houses, trains and habits. turnpost(1) says what is counted.\n";

static json_int_t number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static const char *text(const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

static void say_network(const json_t *pair)
{
    const json_t *network = json_object_get(pair, "network");
    const json_t *a = json_object_get(network, "a"), *b = json_object_get(network, "b");
    if (!number(a, "shared") && !number(b, "shared"))
        return;
    (void)printf("  networks  %lld of %s's %lld mails and %lld of %s's %lld came from a network that both "
                 "used; so did %lld other player%s\n",
                 number(a, "shared"), text(pair, "a"), number(a, "mails"), number(b, "shared"),
                 text(pair, "b"), number(b, "mails"), number(network, "others"),
                 PLURAL(number(network, "others")));
}

static void say_minutes(const json_t *pair)
{
    static const char *const sides[] = {"a", "b"};
    const json_t *minutes = json_object_get(pair, "minutes");
    for (int i = 0; i < 2; i++) {
        const json_t *side = json_object_get(minutes, sides[i]);
        if (number(side, "near"))
            (void)printf("  minutes   %lld of %s's %lld mails came within 5 minutes of one of %s's; of other "
                         "players' of the games %lld.%lld on average\n",
                         number(side, "near"), text(pair, sides[i]), number(side, "mails"),
                         text(pair, sides[1 - i]), number(side, "others_tenths") / 10,
                         number(side, "others_tenths") % 10);
    }
}

static void say_misses(const json_t *pair)
{
    const json_t *misses = json_object_get(pair, "misses");
    if (number(misses, "a") || number(misses, "b"))
        (void)printf(
            "  misses    of %lld turns that awaited both %s missed %lld and %s %lld; both missed %lld, "
            "by chance it would be %lld.%lld\n",
            number(misses, "turns"), text(pair, "a"), number(misses, "a"), text(pair, "b"),
            number(misses, "b"), number(misses, "both"), number(misses, "chance_tenths") / 10,
            number(misses, "chance_tenths") % 10);
}

/* What happened rarely is only shown with --all. */
static void say_orders(const json_t *pair, bool all)
{
    size_t i;
    json_t *row;
    json_array_foreach (json_object_get(pair, "orders"), i, row)
        if (all || number(row, "share_tenths") >= 10)
            (void)printf("  orders    %s by %s: %lld of %lld concern %s, an even share is %lld.%lld\n",
                         text(row, "type"), text(row, "by"), number(row, "count"), number(row, "of"),
                         text(row, "at"), number(row, "share_tenths") / 10, number(row, "share_tenths") % 10);
    json_array_foreach (json_object_get(pair, "trades"), i, row)
        if (number(row, "gave") || number(row, "got"))
            (void)printf("  trades    %s gave %s %lld %s and got %lld\n", text(row, "by"), text(row, "at"),
                         number(row, "gave"), text(row, "what"), number(row, "got"));
}

static void say_domain(const json_t *pair)
{
    const json_t *domain = json_object_get(pair, "domain");
    if (json_is_true(json_object_get(domain, "mailbox")))
        (void)printf("  mailbox   their addresses are one mailbox of %s, but for plus signs and dots\n",
                     text(domain, "name"));
    else if (domain)
        (void)printf("  domain    neither has a key, and the administrator of %s can sign for both\n",
                     text(domain, "name"));
}

static void say_pair(const json_t *pair, bool all)
{
    size_t i;
    json_t *game;
    (void)printf("\n%s and %s (", text(pair, "a"), text(pair, "b"));
    json_array_foreach (json_object_get(pair, "games"), i, game)
        (void)printf("%s%s", i ? ", " : "", json_string_value(game));
    (void)printf(")\n");
    say_domain(pair);
    say_network(pair);
    say_minutes(pair);
    say_misses(pair);
    say_orders(pair, all);
}

static void say(const json_t *report, bool all)
{
    size_t i, shown = 0;
    json_t *item;
    struct str since = STR_INIT;
    clock_both(&since, number(report, "since"));
    (void)printf("%lld game%s, %lld of them running (of these only what everybody was told is counted).\n",
                 number(report, "games"), PLURAL(number(report, "games")), number(report, "running"));
    (void)printf("Mails: %s%s.\n", number(report, "since") ? "since " : "nothing is known",
                 number(report, "since") ? since.p : "");
    str_release(&since);
    json_array_foreach (json_object_get(report, "broken"), i, item)
        (void)printf("Left out, because its journal cannot be replayed: %s\n", json_string_value(item));
    json_array_foreach (json_object_get(report, "pairs"), i, item) {
        if (!all && !json_is_true(json_object_get(item, "notable")))
            continue;
        say_pair(item, all);
        shown++;
    }
    if (!shown)
        (void)printf("Nothing notable.\n");
}

int command_suspicion(int argc, char **argv)
{
    const char *dir = NULL;
    bool json = false;
    bool all = false;
    bool fresh = false;
    struct league league;
    struct catalog *catalog = NULL;
    struct err err = ERR_INIT;
    const struct flag flags[] = {{"all", FLAG_SWITCH, &all, NULL, "list also pairs with nothing notable"},
                                 {"json", FLAG_SWITCH, &json, NULL, "print JSON, of all pairs"},
                                 {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
                                 {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 1, details);
    if (code >= 0)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    json_t *report = NULL;
    struct store *store = league_games(&league);
    if (look_catalog(&league, &catalog, &fresh, &err) == 0)
        report = suspicion_report(store, catalog, argc > 1 ? argv[1] : NULL, &err);
    struct registry registry = {0};
    if (report && registry_load(league.dir, &registry, &err) == 0) {
        suspicion_domains(report, &registry, &league.config);
    } else {
        json_decref(report);
        report = NULL;
    }
    if (report && json) {
        struct str out = STR_INIT;
        json_write_pretty(&out, report);
        (void)fputs(out.p, stdout);
        str_release(&out);
    } else if (report) {
        say(report, all);
    }
    code = report ? 0 : command_fail(&err);
    json_decref(report);
    registry_release(&registry);
    catalog_close(catalog);
    store_close(store);
    league_close(&league);
    return code;
}
