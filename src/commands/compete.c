#include "commands/compete.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"

static const char details[] =
    "\t\tcompete new NAME --kind KIND --ruleset R ...\topen a competition. From then on everything runs by "
    "itself: rounds, games, results, mails\n"
    "\t\tcompete list\tlist the competitions\n"
    "\t\tcompete show NAME\tshow one: calendar, players, table, games, what comes next\n"
    "\t\tcompete invite NAME PLAYER\tmail a player how to enter: nobody else enters them\n"
    "\t\tcompete withdraw NAME PLAYER\ttake their entry back\n"
    "\t\tcompete remove NAME PLAYER\ttake a player out for good (--reason)\n"
    "\t\tcompete points NAME PLAYER N\tgive or take points, such as 1 or -0.5 (--reason)\n"
    "\t\tcompete rank NAME ROUND TABLE 1,2,2\trule how a table ended, by seats: 1 is best, equal numbers tie "
    "(--reason). For a table that waits for a ruling, or whose result is not final yet\n"
    "\t\tcompete forget NAME\ta competition whose folder is gone for good is no longer missed\n"
    "\n"
    "NAME has up to 16 letters, digits, - and _. Its games are called NAME.ROUND.TABLE.\n"
    "KIND \"tables\": players with equal scores meet, and nobody meets the same opponent twice while that "
    "can be avoided. With two at a table this is a Swiss tournament.\n"
    "KIND \"divisions\": everyone in a division of 4 to 8 meets everyone. The best go up in the next season, "
    "the last go down.\n"
    "KIND \"duplicate\": each plays the same deal alone, and a turn opens for all at one time. When the "
    "round is over, matchpoints compare the scores. For games that draw nothing after the deal "
    "(galaxy-farmer).\n";

struct wishes {
    struct compete_new_wishes new;
    struct compete_condition_wishes conditions;
    const char *reason, *by;
    bool json;
    const struct subcommand *subcommand;
    char **args;
};

static const struct subcommand {
    const char *name;
    int args;
    bool looks, reasons; /* changes nothing; needs a reason */
    int (*run)(const struct compete_call *call, struct err *err);
    const char *usage;
} subcommands[] = {
    {"new", 1, false, false, compete_command_new, "NAME --kind tables|divisions|duplicate --ruleset R ..."},
    {"list", 0, true, false, NULL, ""},
    {"show", 1, true, false, NULL, "NAME"},
    {"invite", 2, false, false, compete_command_invite, "NAME PLAYER"},
    {"withdraw", 2, false, false, compete_command_withdraw, "NAME PLAYER"},
    {"remove", 2, false, true, compete_command_remove, "NAME PLAYER --reason TEXT"},
    {"points", 3, false, true, compete_command_points, "NAME PLAYER N --reason TEXT"},
    {"forget", 1, false, false, compete_command_forget, "NAME"},
    {"rank", 4, false, true, compete_command_rank, "NAME ROUND TABLE 1,2,2 --reason TEXT"},
};

/* NULL when it has said what is wrong. */
static const struct subcommand *find_subcommand(int argc, char **argv, const char *reason)
{
    for (size_t i = 0; i < sizeof subcommands / sizeof *subcommands; i++) {
        const struct subcommand *one = &subcommands[i];
        if (strcmp(argv[1], one->name) != 0)
            continue;
        if (argc - 2 == one->args && (!one->reasons || (reason && *reason)))
            return one;
        log_error("usage: turnpost compete %s %s", one->name, one->usage);
        return NULL;
    }
    log_error("compete: there is no \"%s\": new, list, show, invite, withdraw, remove, points, rank and "
              "forget "
              "are (turnpost help compete)",
              argv[1]);
    return NULL;
}

static int look(const struct deed *deed, const struct wishes *wishes)
{
    struct league league;
    struct err err = ERR_INIT;
    if (league_open(flag_league(deed->dir), false, &league, &err) != 0)
        return command_fail(&err);
    int rc = compete_print(&league, wishes->subcommand->args ? wishes->args[0] : NULL, wishes->json,
                           flag_now(deed->now), &err);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}

#define FLAGS_MOST 60 /* of all subjects; the last one has no name */

/* What is played, by how many and when. */
static size_t competition_flags(struct wishes *wishes, struct flag *out)
{
    struct compete_new_wishes *new = &wishes->new;
    const struct flag flags[] = {
        {"kind", FLAG_TEXT, &new->kind, "KIND", "new: tables, divisions or duplicate"},
        {"ruleset", FLAG_TEXT, &new->ruleset, "R",
         "new: which game is played (turnpost help new lists them)"},
        {"option", FLAG_LIST, &new->options, "NAME=N", "new: an option of the ruleset"},
        {"seats", FLAG_NUMBER, &new->seats, "N", "new: players at a table (default: 2)"},
        {"entries", FLAG_TEXT, &new->entries, "14d",
         "new: how long players can enter, or until what time (default: 14d)"},
        {"confirm", FLAG_DURATION, &new->confirm, "7d",
         "new: players must confirm within this time after entries close (default: nobody must)"},
        {"starts", FLAG_TIME, &new->starts, "TIME",
         "new: when the first round is drawn (default: a day after entries close)"},
        {"rounds", FLAG_NUMBER, &new->rounds, "N",
         "new: how many rounds (default: 5; divisions: as many as it takes)"},
        {"round-length", FLAG_DURATION, &new->round_length, "30d",
         "new: from a draw to the end of its games (duplicate: default 6d)"},
        {"break", FLAG_DURATION, &new->pause, "7d",
         "new: from a round's end to the next draw (default: 1d; duplicate: at least 2h)"},
        {"protest", FLAG_DURATION, &new->protest, "7d",
         "new: how long after a round its results can be changed (default: 7d)"},
        {"bye", FLAG_TEXT, &new->bye, "N",
         "new: points for a round without a game (default: 1 at tables of two, else half of what can be won; "
         "divisions: 0)"},
        {"walkover", FLAG_TEXT, &new->walkover, "N",
         "new: divisions: points for a round whose opponent has left (default: 1, as a win)"},
        {"most", FLAG_NUMBER, &new->most, "N", "new: how many players can enter (default: 10000)"},
        {"adjudge", FLAG_TEXT, &new->adjudge, "HOW",
         "new: what decides a game that outlasts its round: scores (the default), tie or moderator"},
        {"trust", FLAG_TEXT, &new->trust, "LEVEL",
         "new: how entries and orders count: mail (by reply or with a key) or signed (with a key only) "
         "(default: league.ini)"}};
    memcpy(out, flags, sizeof flags);
    return sizeof flags / sizeof *flags;
}

/* Who may enter. */
static size_t condition_flags(struct wishes *wishes, struct flag *out)
{
    struct compete_condition_wishes *conditions = &wishes->conditions;
    const struct flag flags[] = {
        {"least-rating", FLAG_TEXT, &conditions->rating, "N",
         "new: only players with a rating of at least N in this ruleset"},
        {"least-games", FLAG_NUMBER, &conditions->games, "N",
         "new: only players who have finished at least N games of it"},
        {"least-prompt", FLAG_NUMBER, &conditions->prompt, "N",
         "new: only players who sent orders in time for at least N percent of their turns"},
        {"most-running", FLAG_NUMBER, &conditions->running, "N",
         "new: only players in at most N running games"},
        {"key-only", FLAG_SWITCH, &conditions->key_only, NULL, "new: only players who enter with a key"},
        {"invited", FLAG_TEXT, &conditions->invited, "LIST", "new: only these players: alice,bob"},
        {"open", FLAG_SWITCH, &conditions->open, NULL,
         "new: drop the conditions of the season before (--after)"}};
    memcpy(out, flags, sizeof flags);
    return sizeof flags / sizeof *flags;
}

/* What only some kinds have. */
static size_t kinds_flags(struct wishes *wishes, struct flag *out)
{
    struct compete_new_wishes *new = &wishes->new;
    const struct flag flags[] = {
        {"director", FLAG_TEXT, &new->director, "PLAYER",
         "new: who leads it and may play in it; someone else rules on their own table"},
        {"rated", FLAG_SWITCH, &new->rated, NULL, "new: its games count for ratings"},
        {"division-size", FLAG_NUMBER, &new->division_size, "N",
         "new: players of a division, 4 to 8 (default: 6)"},
        {"promote", FLAG_NUMBER, &new->promote, "N",
         "new: how many go up and down in each division, 0 to 4 (default: 1)"},
        {"field", FLAG_NUMBER, &new->field, "N",
         "new: duplicate: robots that play each deal when it is over, 0 to 1000 (default: 200)"},
        {"outside", FLAG_TEXT, &new->outside, "LIST",
         "new: duplicate: players who could know a deal, such as the operator, and are not ranked: "
         "alice,bob"},
        {"after", FLAG_TEXT, &new->after, "SEASON",
         "new: continue a season that is closed; what is not given is as it was there"},
        {"again", FLAG_DURATION, &new->again, "30d",
         "new: when it closes, make the next season; its first draw comes this long after the last round"},
        {"invite", FLAG_TEXT, &new->invite, "LIST", "new: mail these players how to enter: alice,bob"},
        {"witness", FLAG_TEXT, &new->witness, "LIST",
         "new: witnesses, whose dice are mixed into each draw: carol,dave; or none (default: league.ini); "
         "see "
         "turnpost-witness(1)"},
        {"quorum", FLAG_NUMBER, &new->quorum, "N", "new: how many of them have to answer, a majority"},
        {"unwitnessed", FLAG_DURATION, &new->unwitnessed, "7d",
         "new: when too few have answered for so long, a round is drawn without them, 3d to 60d (default: "
         "7d)"},
        {"always-witnessed", FLAG_SWITCH, &new->always_witnessed, NULL,
         "new: no round is ever drawn without them"}};
    memcpy(out, flags, sizeof flags);
    return sizeof flags / sizeof *flags;
}

/* The clock of its games. */
static size_t clock_flags(struct wishes *wishes, struct flag *out)
{
    struct compete_new_wishes *new = &wishes->new;
    const struct flag flags[] = {
        {"deadline", FLAG_DURATION, &new->clock.deadline, "3d",
         "new: length of a turn (default: league.ini; duplicate: 6h)"},
        {"schedule", FLAG_TEXT, &new->clock.schedule, "TEXT",
         "new: days and hours instead: \"mon wed fri 20:00 Europe/Berlin\""},
        {"grace", FLAG_DURATION, &new->clock.grace, "12h",
         "new: how long after its deadline a turn still waits for missing orders"},
        {"minimum", FLAG_DURATION, &new->clock.minimum, "1d",
         "new: the shortest turn, also when all orders are in"},
        {"no-early", FLAG_SWITCH, &new->clock.no_early, NULL, "new: turns are played at their deadline only"},
        {"weekends-off", FLAG_SWITCH, &new->clock.weekends_off, NULL,
         "new: no turn is due on Saturday or Sunday"},
        {"holidays", FLAG_TEXT, &new->clock.holidays, "DAYS", "new: nor on these days: \"12-25 2027-03-26\""},
        {"cut-short", FLAG_SWITCH, &new->cut_short, NULL,
         "new: allow games that can outlast their round (see --adjudge)"}};
    memcpy(out, flags, sizeof flags);
    return sizeof flags / sizeof *flags;
}

/* Also of the other subcommands. */
static size_t all_flags(struct deed *deed, struct flag *out)
{
    struct wishes *wishes = deed->wishes;
    const struct flag flags[] = {
        {"reason", FLAG_TEXT, &wishes->reason, "TEXT",
         "remove, points, rank: why (required; public, in the competition's journal)"},
        {"by", FLAG_TEXT, &wishes->by, "NAME",
         "remove, points, rank: the moderator who decided (default: the operator)"},
        {"json", FLAG_SWITCH, &wishes->json, NULL, "list, show: print JSON"},
        {"league", FLAG_TEXT, &deed->dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &deed->now, "TIME", "the time to work at (default: the system's)"}};
    memcpy(out, flags, sizeof flags);
    return sizeof flags / sizeof *flags;
}

static int read_flags(struct deed *deed, int *argc, char **argv)
{
    struct flag flags[FLAGS_MOST] = {{0}};
    size_t count = competition_flags(deed->wishes, flags);
    count += condition_flags(deed->wishes, flags + count);
    count += kinds_flags(deed->wishes, flags + count);
    count += clock_flags(deed->wishes, flags + count);
    (void)all_flags(deed, flags + count);
    return deed_flags(deed, argc, argv, flags, (const int[]){1, 5}, details);
}

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    wishes->new.promote = wishes->new.field = -1; /* not said */
    int code = read_flags(deed, &argc, argv);
    if (code >= 0)
        return code;
    wishes->subcommand = find_subcommand(argc, argv, wishes->reason);
    if (!wishes->subcommand)
        return EXIT_USAGE;
    wishes->args = argv + 2;
    if (wishes->subcommand->looks)
        return deed->checked ? EXIT_USAGE : look(deed, wishes);
    deed_compete(deed, slice_of(argv[2]));
    return -1;
}

static int act(struct deed *deed, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    const struct compete_call call = {deed,           &wishes->new, &wishes->conditions,
                                      wishes->reason, wishes->by,   wishes->args};
    return wishes->subcommand->run(&call, err);
}

const struct deed_kind deed_compete_any = {
    .name = "compete", .size = sizeof(struct wishes), .read = read, .act = act};

int command_compete(int argc, char **argv)
{
    return deed_run(&deed_compete_any, argc, argv);
}
