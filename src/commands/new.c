#include "commands/deed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "batch/making.h"
#include "play/press.h"
#include "game/seating.h"

static const char details[] =
    "GAME is a short name (letters, digits, - . _). RULESET is one of those below. --seats names the players "
    "in the order of the seats; a robot is \"robot\" or \"robot:name\". --open N adds N seats that players "
    "take by mail.\n"
    "The league asks the players by mail to join: nobody is seated without a word of their own. When the "
    "last "
    "seat is taken, the cards are dealt by what the players sent, and the first reports go out. A game of "
    "robots alone begins at once.\n";

struct wishes {
    const char *game, *ruleset, *seats, *cards, *press, *press_delivery;
    struct flag_list options;
    int64_t deadline, grace, minimum, starts, second_thoughts;
    const char *schedule, *holidays, *witness, *trust, *lockstep;
    int64_t open;   /* seats that are free */
    int64_t quorum; /* witnesses who have to answer, 0 = the usual number */
    int64_t answer; /* how long seats are kept, 0 = as league.ini says */
    bool no_deadline, no_early, no_typo_wait, weekends_off, solo18, no_observers;
};

/* Those named; or league.ini's, of whom nobody plays. */
static int read_witnesses(const struct batch *batch, const struct wishes *wishes, struct new_game *how,
                          struct err *err)
{
    const char *usual = wishes->lockstep ? "none" : batch->league->config.witness.defaults;
    int rc = wishes->witness ? making_witnesses(batch, &how->witnesses, wishes->witness, NULL, err)
                             : making_witnesses(batch, &how->witnesses, usual, how, err);
    if (rc)
        return err_prefix(err, "--witness");
    return making_quorum(batch, &how->witnesses, (int)wishes->quorum, err) ? err_prefix(err, "--quorum") : 0;
}

static int read_manners(const struct wishes *wishes, struct new_game *how, struct err *err)
{
    const char *delivery = wishes->press_delivery ? wishes->press_delivery : "now";
    how->press_signed = wishes->press && strcmp(wishes->press, "signed") == 0;
    if (wishes->press && !how->press_signed && !press_kind_read(wishes->press, &how->press))
        return err_set(err, ERR_INPUT, "--press takes white, grey, signed or none");
    how->press_report = strcmp(delivery, "report") == 0;
    if (!how->press_report && strcmp(delivery, "now") != 0)
        return err_set(err, ERR_INPUT, "--press-delivery takes now or report");
    how->private = wishes->no_observers;
    return 0;
}

/* The clock: league.ini's, overridden by the flags. */
static int read_clock(const struct league *league, const struct wishes *wishes, struct schedule *clock,
                      struct err *err)
{
    if (league_clock(league, clock, err))
        return -1;
    if (!!wishes->deadline + wishes->no_deadline + !!wishes->schedule > 1)
        return err_set(err, ERR_INPUT, "only one of --deadline, --no-deadline and --schedule is possible");
    if (wishes->deadline || wishes->no_deadline) {
        clock->length = wishes->deadline;
        clock->slot_count = 0;
    } else if (wishes->schedule &&
               schedule_parse(slice_of(wishes->schedule), league->config.league.timezone, clock, err)) {
        return err_prefix(err, "--schedule");
    }
    if (wishes->grace)
        clock->grace = wishes->grace;
    if (wishes->minimum)
        clock->minimum = wishes->minimum;
    clock->starts = wishes->starts;
    clock->early &= !wishes->no_early;
    clock->weekends_off |= wishes->weekends_off;
    if (wishes->holidays && schedule_holidays(slice_of(wishes->holidays), clock, err))
        return err_prefix(err, "--holidays");
    return schedule_check(clock, err);
}

/* Nothing else says when turns end. */
static int alone_with_lockstep(const struct wishes *wishes, struct err *err)
{
    const struct {
        const char *flag;
        bool set;
    } others[] = {{"deadline", wishes->deadline != 0},
                  {"no-deadline", wishes->no_deadline},
                  {"schedule", wishes->schedule != NULL},
                  {"grace", wishes->grace != 0},
                  {"minimum", wishes->minimum != 0},
                  {"starts", wishes->starts != 0},
                  {"second-thoughts", wishes->second_thoughts != 0},
                  {"no-early", wishes->no_early},
                  {"weekends-off", wishes->weekends_off},
                  {"holidays", wishes->holidays != NULL}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].set)
            return err_set(err, ERR_INPUT,
                           "--%s does not go with --lockstep, which says when each turn opens",
                           others[i].flag);
    return 0;
}

/* "2026-12-01T08:00:00Z,24,2026-12-08T08:00:00Z" */
static int read_lockstep(const struct batch *batch, const struct wishes *wishes, struct lockstep *lockstep,
                         struct err *err)
{
    struct slice part[3], rest = slice_of(wishes->lockstep);
    int64_t hours;
    for (int i = 0; i < 3; i++) {
        size_t len = 0;
        while (len < rest.len && rest.p[len] != ',')
            len++;
        part[i] = slice_sub(rest, 0, i < 2 ? len : rest.len);
        rest = slice_sub(rest, len < rest.len ? len + 1 : len, rest.len);
    }
    *lockstep = (struct lockstep){.on = true};
    if (!clock_parse(part[0], &lockstep->opens) || !slice_number(&part[1], &hours) ||
        !clock_parse(part[2], &lockstep->closes))
        return err_set(err, ERR_INPUT,
                       "--lockstep takes when turn 1 opens, the hours of a turn, and when the deal closes: "
                       "2026-12-01T08:00:00Z,24,2026-12-08T08:00:00Z");
    lockstep->hours = hours <= LOCKSTEP_HOURS_MOST ? (int)hours : 0;
    if (lockstep->closes <= batch->now)
        return err_set(err, ERR_INPUT, "--lockstep: the deal would be closed already");
    return alone_with_lockstep(wishes, err);
}

/* How long orders keep their turn open, where the command says so. */
static int read_patience(const struct wishes *wishes, struct new_game *how, struct err *err)
{
    if (wishes->no_typo_wait)
        how->typo_wait = false;
    if (wishes->second_thoughts)
        how->second_thoughts = wishes->second_thoughts;
    if (how->second_thoughts > SECOND_THOUGHTS_MOST)
        return err_set(err, ERR_INPUT, "--second-thoughts takes at most a day");
    return 0;
}

static int read_trust(const struct batch *batch, const char *word, struct new_game *how, struct err *err)
{
    if (making_trust(batch, how, slice_of(word)))
        return 0;
    if (how->by_mail)
        return err_set(
            err, ERR_INPUT,
            "--trust mail: this league believes keys only; league.ini would need [league] trust = mail");
    return err_set(err, ERR_INPUT, "--trust takes signed or mail");
}

static int read_seats(const struct batch *batch, const char *list, struct new_game *how, struct str *names,
                      struct err *err)
{
    if (making_seats(list, how, names, err))
        return -1;
    int without = making_lacks(batch, how);
    if (!without)
        return 0;
    const char *player = how->seat[without].player;
    if (registry_find(&batch->registry, player))
        return err_set(err, ERR_INPUT, "player %s has no key: see `turnpost player key`", player);
    return err_set(
        err, ERR_INPUT,
        "there is no player \"%s\" yet: wait until they answer your invitation (`turnpost invite`), "
        "or add them with `turnpost player add`",
        player);
}

static int prepare(const struct batch *batch, const struct wishes *wishes, struct new_game *how,
                   struct str *names, struct err *err)
{
    how->id = wishes->game;
    how->ruleset = ruleset_newest(wishes->ruleset);
    if (!how->ruleset)
        return err_set(err, ERR_INPUT, "there is no ruleset \"%s\"; `turnpost new --help` lists them",
                       wishes->ruleset);
    if (making_name(batch, how->id, err))
        return -1;
    if (!wishes->seats && !wishes->open)
        return err_set(err, ERR_INPUT, "say who plays: --seats alice,bob,robot, or --open 2");
    making_begin(batch, how);
    if (wishes->trust && read_trust(batch, wishes->trust, how, err))
        return -1;
    for (int i = 0; i < wishes->options.count; i++)
        if (making_option(how, wishes->options.item[i], err))
            return -1;
    if (wishes->solo18 && making_option(how, "solo18", err))
        return -1;
    if (wishes->seats && read_seats(batch, wishes->seats, how, names, err))
        return err_prefix(err, "--seats");
    if (making_free(how, wishes->open, err))
        return -1;
    if (read_manners(wishes, how, err) || read_witnesses(batch, wishes, how, err) ||
        read_patience(wishes, how, err))
        return -1;
    making_keep(how, batch->now + (wishes->answer ? wishes->answer : batch->league->config.clock.answer));
    return 0;
}

static void say_waiting(struct deed *deed, const struct game *game)
{
    uint32_t asked = seating_unanswered(game);
    int free = game_free_seats(game);
    deed_say(deed, "Game %s (%s) begins when all have joined.\n", game->id, game->ruleset->title);
    if (asked)
        deed_say(deed, "Asked by mail to join:");
    for (int seat = 1; seat <= game->seats && asked; seat++)
        if (asked & SEAT_BIT(seat)) {
            deed_say(deed, " %s%s", seating_keeps(game, seat), (asked >> (seat + 1)) ? "," : ".\n");
            free--;
        }
    if (asked) {
        char until[CLOCK_TEXT];
        clock_utc(until, game->table.answer_by);
        deed_say(deed, "If one of them does not join by %s, the game ends.\n", until);
    }
    if (free)
        deed_say(deed, "%d of %d seats %s free for players who join.\n", free, game->seats,
                 free == 1 ? "is" : "are");
}

static void say_opening(struct deed *deed, const struct game *game)
{
    char opens[CLOCK_TEXT];
    clock_utc(opens, game->clock.lockstep.opens);
    deed_say(deed, "Game %s (%s) is dealt when its turn 1 opens, %s.\n", game->id, game->ruleset->title,
             opens);
}

/* Options that are in force, also those that nobody asked for: the operator may not know of them. */
static void say_options(struct deed *deed, const struct game *game)
{
    const struct game_option *option = game->ruleset->options;
    for (int i = 0; i < GAME_OPTIONS && option[i].name; i++)
        if (game->options[i])
            deed_say(deed, "Option %s=%d: %s.\n", option[i].name, game->options[i], option[i].help);
}

static void say_made(struct deed *deed, const struct game *game)
{
    if (game->table.by_mail)
        deed_say(deed, "Players without a key play by reply.\n");
    if (game->turn)
        deed_say(deed, "Game %s (%s) has begun with %d seat%s; the first reports are in the spool.\n",
                 game->id, game->ruleset->title, game->seats, PLURAL(game->seats));
    else if (game->closed)
        deed_say(deed, "Game %s (%s) has %d seat%s; it begins when its witnesses have answered.\n", game->id,
                 game->ruleset->title, game->seats, PLURAL(game->seats));
    else if (game->clock.lockstep.on && game_ready(game))
        say_opening(deed, game);
    else
        say_waiting(deed, game);
    say_options(deed, game);
    for (int seat = 1; seat <= game->seats; seat++) {
        const char *player = game->seat[seat].player;
        if (!*player)
            player = seating_keeps(game, seat);
        if (turn_name_taken(game->ruleset, game->cards, player))
            deed_say(deed, "\"%s\" is a word of this game, too: in orders this player is P%d.\n", player,
                     seat);
    }
}

static int make_game(struct deed *deed, struct new_game *how, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    struct batch_game *entry;
    int rc = making_take(deed->batch, how, &(struct making_asked){NULL, NULL}, &entry, err);
    if (rc && wishes->cards)
        err_prefix(err, "%s", wishes->cards);
    return rc;
}

static int act(struct deed *deed, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    struct new_game how = {.request = deed->batch->cause.request};
    struct schedule clock;
    struct lockstep lockstep;
    struct str names = STR_INIT;
    json_t *cards = NULL;
    int rc = prepare(deed->batch, wishes, &how, &names, err);
    if (rc == 0 && wishes->lockstep) {
        rc = read_lockstep(deed->batch, wishes, &lockstep, err);
        rc = rc ? rc : making_lockstep(&how, &lockstep, err);
    } else if (rc == 0) {
        rc = read_clock(deed->batch->league, wishes, &clock, err);
        how.clock = &clock;
    }
    if (rc == 0 && wishes->cards) {
        cards = json_read(slice_str(&deed->text), wishes->cards, err);
        rc = cards ? 0 : -1;
        how.cards = cards;
    }
    if (rc == 0)
        rc = make_game(deed, &how, err);
    json_decref(cards);
    str_release(&names);
    return rc;
}

static void say(struct deed *deed)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    if (batch_game(deed->batch, deed->game, &entry, &why) == 0)
        say_made(deed, &entry->game);
}

static char *help_text(void)
{
    struct str text = STR_INIT;
    str_adds(&text, details);
    for (int i = 0; rulesets[i]; i++) {
        const struct ruleset *ruleset = rulesets[i];
        str_addf(&text, "\n%s (%s), %d to %d seats\n", ruleset->name, ruleset->title, ruleset->seats_min,
                 ruleset->seats_max);
        for (const struct game_option *option = ruleset->options; option->name; option++)
            str_addf(&text, "\t\t--option %s=%d..%d\t%s (default: %d)\n", option->name, option->min,
                     option->max, option->help, option->initial);
    }
    return str_detach(&text);
}

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    const struct flag flags[] = {
        {"seats", FLAG_TEXT, &wishes->seats, "LIST", "who plays, in order of the seats: alice,bob,robot:hal"},
        {"open", FLAG_NUMBER, &wishes->open, "N", "this many more seats, which players take by mail"},
        {"answer", FLAG_DURATION, &wishes->answer, "14d",
         "how long players have to join (default: league.ini)"},
        {"deadline", FLAG_DURATION, &wishes->deadline, "3d", "length of a turn (default: league.ini)"},
        {"no-deadline", FLAG_SWITCH, &wishes->no_deadline, NULL, "turns wait until all orders are in"},
        {"schedule", FLAG_TEXT, &wishes->schedule, "TEXT",
         "days and hours instead: \"mon wed fri 20:00 Europe/Berlin\""},
        {"grace", FLAG_DURATION, &wishes->grace, "12h",
         "how long after its deadline a turn still waits for missing orders"},
        {"minimum", FLAG_DURATION, &wishes->minimum, "1d", "the shortest turn, also when all orders are in"},
        {"second-thoughts", FLAG_DURATION, &wishes->second_thoughts, "30m",
         "how long a turn waits after a player's first orders, so that they can change them"},
        {"no-typo-wait", FLAG_SWITCH, &wishes->no_typo_wait, NULL,
         "a turn does not wait for orders with a line that is wrong"},
        {"no-early", FLAG_SWITCH, &wishes->no_early, NULL, "turns are played at their deadline only"},
        {"weekends-off", FLAG_SWITCH, &wishes->weekends_off, NULL, "no turn is due on Saturday or Sunday"},
        {"holidays", FLAG_TEXT, &wishes->holidays, "DAYS", "nor on these days: \"12-25 2027-03-26\""},
        {"starts", FLAG_TIME, &wishes->starts, "TIME", "no turn is played before this: 2026-11-20T08:00:00Z"},
        {"lockstep", FLAG_TEXT, &wishes->lockstep, "TIMES",
         "turns open at fixed times, whatever comes in: FIRST,HOURS,CLOSES, as "
         "2026-12-01T08:00:00Z,24,2026-12-08T08:00:00Z"},
        {"option", FLAG_LIST, &wishes->options, "NAME=N", "an option of the ruleset, as listed above"},
        {"solo18", FLAG_SWITCH, &wishes->solo18, NULL,
         "Galaxy Command's solitaire with the original 18 cards"},
        {"press", FLAG_TEXT, &wishes->press, "KIND",
         "messages between players: white (with the sender's name, the default), grey (also without), signed "
         "(with the sender's signature, which nobody can deny), none"},
        {"press-delivery", FLAG_TEXT, &wishes->press_delivery, "WHEN",
         "when messages are delivered: now (the default) or report (with the next one)"},
        {"no-observers", FLAG_SWITCH, &wishes->no_observers, NULL,
         "only players get reports; nobody may watch"},
        {"trust", FLAG_TEXT, &wishes->trust, "LEVEL",
         "how orders count: mail (by reply or with a key) or signed (with a key only) (default: league.ini)"},
        {"witness", FLAG_TEXT, &wishes->witness, "LIST",
         "witnesses, who cosign each turn and whose dice are mixed in: carol,dave; or none (default: "
         "league.ini); see "
         "turnpost-witness(1)"},
        {"quorum", FLAG_NUMBER, &wishes->quorum, "N",
         "how many of them have to answer, a majority (default: all, of four three)"},
        {"cards", FLAG_TEXT, &wishes->cards, "FILE", "card values to use instead of the built-in ones"},
        {"league", FLAG_TEXT, &deed->dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &deed->now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    char *help = help_text();
    int code = deed_flags(deed, &argc, argv, flags, (const int[]){2, 2}, help);
    free(help);
    if (code >= 0)
        return code;
    wishes->game = argv[1];
    wishes->ruleset = argv[2];
    deed->file = wishes->cards;
    deed->most = DEED_TEXT_MOST;
    deed_about(deed, slice_of(argv[1]));
    return -1;
}

const struct deed_kind deed_new = {
    .name = "new", .size = sizeof(struct wishes), .read = read, .act = act, .say = say};

int command_new(int argc, char **argv)
{
    return deed_run(&deed_new, argc, argv);
}
