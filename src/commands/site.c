#include "site/site.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/log.h"
#include "commands/commands.h"
#include "commands/look.h"

static const char details[] =
    "Writes static pages that any web server can serve: home, a page for each game with the public table, "
    "results, competitions, rules, feeds, and the players who allow it (prefs: public). No page has anything "
    "sealed, or an address of a player. Only files that changed are written.\n"
    "DIR is by default the folder of league.ini's [site]. If that is set, run and daemon write the site "
    "after each round of work. What the web server should send with it: cron/turnpost-site.nginx, .caddy, "
    ".apache.\n";

static int write_site(struct league *league, const char *folder, int64_t now, struct site_sum *sum,
                      struct err *err)
{
    struct site site = {.league = league, .folder = folder, .now = now};
    struct registry registry;
    struct catalog *catalog = NULL;
    struct store *store = NULL;
    bool fresh = false;
    char *own = league_path(league, "templates");
    struct templates *templates = NULL;
    int rc = registry_load(league->dir, &registry, err);
    if (rc == 0)
        rc = look_catalog(league, &catalog, &fresh, err);
    if (rc == 0)
        rc = league_log_look(&site.log, league, err);
    if (rc == 0 && fresh)
        rc = err_set(err, ERR_TEMP, "the catalog is new and empty: run `turnpost run` first, which fills it");
    if (rc == 0) {
        store = league_games(league);
        templates_open(own, &templates);
        site.store = store;
        site.catalog = catalog;
        site.registry = &registry;
        site.templates = templates;
        rc = site_write(&site, sum, err);
    }
    templates_close(templates);
    store_close(store);
    league_log_close(site.log);
    catalog_close(catalog);
    registry_release(&registry);
    free(own);
    return rc;
}

static void say(const struct site_sum *sum, const char *folder)
{
    (void)printf("%s: %zu file%s written, %zu removed", folder, sum->written, PLURAL(sum->written),
                 sum->removed);
    if (sum->broken)
        (void)printf("; %zu game%s cannot be read", sum->broken, PLURAL(sum->broken));
    (void)printf("\n");
}

int command_site(int argc, char **argv)
{
    const char *dir = NULL;
    int64_t now = 0;
    struct league league;
    struct site_sum sum;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &now, "TIME", "as if it were then (default: the system's time)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 1, details);
    if (code >= 0)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    const char *folder = argc > 1 ? argv[1] : league.config.site.folder;
    int rc = *folder ? league_keys(&league, &err)
                     : err_set(&err, ERR_INPUT,
                               "name the folder of the site, here or as [site] folder in league.ini");
    if (rc == 0)
        rc = write_site(&league, folder, flag_now(now), &sum, &err);
    if (rc == 0)
        say(&sum, folder);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
