#include "commands/commands.h"
#include "commands/mail_log.h"
#include "commands/mail_retry.h"
#include "commands/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "league/league.h"
#include "batch/stuck.h"

static const char details[] =
    "\t\tmail\tshow the mails of the last day, in and out\n"
    "\t\tmail list\tlist mails that could not be processed, and games that stand still: since when, whose, "
    "the next try, what went wrong\n"
    "\t\tmail retry\ttry those again: mails in the folder Failed go back into the mailbox\n"
    "\t\tmail retry WHAT\ttry mails of ours again, too, that were given up or wait. WHAT is \"all\", a time "
    "since their last try (2d, or 2026-11-28T12:00:00Z), or an address\n"
    "\t\tmail again --since 2d\tafter a restore: mails that arrived in the last two days go back into the "
    "mailbox. What the league has done already is not done again\n"
    "\n"
    "A line of the log has the time, who, the subject, and what was decided: taken, refused or ignored (with "
    "the reason), waits, or given up. \"->\" names the mail that answers it, and what became of that. Where "
    "a player may wait for an answer that does not come, the end of the line says so. The log goes back as "
    "far as [limits] mail_log says. For grey press it has no sender.\n"
    "Mails that could not be processed move to Failed after three days. Nothing is ever deleted.\n";

static const char *state_word(const struct catalog_stuck *stuck)
{
    switch (stuck->state) {
    case STUCK_WAITS: return "waits";
    case STUCK_OVER:
    case STUCK_UNTOLD: return "is given up";
    case STUCK_GIVEN: return "failed";
    case STUCK_GAME: return "stands still";
    case STUCK_PLAYER: return "is left out";
    }
    return "";
}

static void mail_name(char name[17], const struct catalog_stuck *stuck)
{
    hex_to(name, stuck->digest, 8);
}

static int print_one(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    (void)err;
    size_t *count = arg;
    if (stuck->state == STUCK_PLAYER)
        return 0; /* `status` and `doctor` tell of them */
    char name[17], first[CLOCK_TEXT];
    bool game = stuck->state == STUCK_GAME;
    mail_name(name, stuck);
    clock_utc(first, stuck->first);
    printf("%s %s%s%s%s%s, %s since %s, %d %s: %s\n", game ? "game" : "mail", game ? stuck->game : name,
           *stuck->player ? " of " : "", stuck->player, !game && *stuck->game ? " for " : "",
           game ? "" : stuck->game, state_word(stuck), first, stuck->tries,
           stuck->tries == 1 ? "try" : "tries", stuck->words);
    ++*count;
    return 0;
}

static int list_one(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    (void)err;
    if (stuck->state == STUCK_PLAYER)
        return 0;
    char name[17], first[CLOCK_TEXT], next[CLOCK_TEXT];
    mail_name(name, stuck);
    clock_utc(first, stuck->first);
    clock_utc(next, stuck->next);
    json_array_append_new(arg, json_pack("{s:s,s:s,s:s,s:s,s:i,s:s,s:s,s:i,s:s}", "mail",
                                         stuck->state == STUCK_GAME ? "" : name, "state", state_word(stuck),
                                         "player", stuck->player, "game", stuck->game, "turn", stuck->turn,
                                         "since", first, "next", next, "tries", stuck->tries, "words",
                                         stuck->words));
    return 0;
}

static int list(struct catalog *catalog, bool json, struct err *err)
{
    struct str text = STR_INIT;
    json_t *all = json_array();
    size_t count = 0;
    int rc = json ? catalog_each_stuck(catalog, list_one, all, err)
                  : catalog_each_stuck(catalog, print_one, &count, err);
    if (rc == 0 && json)
        json_write_pretty(&text, all);
    else if (rc == 0 && count == 0)
        printf("No mail has failed, and no game stands still.\n");
    (void)fputs(text.p ? text.p : "", stdout);
    str_release(&text);
    json_decref(all);
    return rc;
}

/* Those of the mailbox; whoever asks for those to an address means none of these. */
static int retry(const struct league *league, struct catalog *catalog, const char *word, int64_t now,
                 struct err *err)
{
    size_t count = 0;
    struct mail_retry what;
    if (mail_retry_read(word ? word : "all", &what, err))
        return -1;
    if (what.address)
        return 0;
    if (what.ago)
        what.since = now - what.ago;
    if (league_take_back(league, &(struct take_back){MAIL_FAILED, what.since}, &count, err) ||
        stuck_retry(catalog, err))
        return -1;
    printf("%zu mail%s moved back; the next run tries all of them.\n", count, PLURAL(count));
    return 0;
}

static int again(const struct league *league, const struct mail_log_wish *wish, struct err *err)
{
    size_t count = 0;
    const struct take_back what = {MAIL_PROCESSED, flag_now(wish->now) - wish->since};
    if (league_take_back(league, &what, &count, err))
        return -1;
    printf("%zu mail%s moved back; the next run does what of %s is not done yet.\n", count, PLURAL(count),
           count == 1 ? "it" : "them");
    return 0;
}

/* ERR_INPUT: what does not go together. */
static int check_verb(const char *verb, const char *word, const struct mail_log_wish *wish, struct err *err)
{
    struct mail_retry ignored;
    bool log = !*verb, agains = strcmp(verb, "again") == 0;
    if (!log && !agains && strcmp(verb, "list") != 0 && strcmp(verb, "retry") != 0)
        return err_set(err, ERR_INPUT,
                       "turnpost mail takes \"list\", \"retry\", \"again\" or nothing, not \"%.40s\"", verb);
    if (word && strcmp(verb, "retry") != 0)
        return err_set(err, ERR_INPUT, "turnpost mail %s takes no \"%.40s\"", verb, word);
    if (word && mail_retry_read(word, &ignored, err))
        return -1;
    if (agains && !wish->since)
        return err_set(err, ERR_INPUT, "turnpost mail again needs --since, as in --since 2d");
    if (!log && (wish->player || wish->id || wish->unanswered || (wish->since && !agains)))
        return err_set(err, ERR_INPUT,
                       "turnpost mail takes --player, --id, --unanswered and --since without \"%.40s\"%s",
                       verb, agains ? ", which takes --since alone" : "");
    return 0;
}

int command_mail(int argc, char **argv)
{
    const char *dir = NULL, *request = NULL; /* mail_retry reads it again */
    bool json = false;
    struct mail_log_wish wish = {.now = 0};
    struct league league;
    bool fresh = false;
    struct catalog *catalog = NULL;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"player", FLAG_TEXT, &wish.player, "NAME", "only mails from and to this player"},
        {"id", FLAG_TEXT, &wish.id, "ID",
         "only this mail: its Message-ID, its 16 digits in the log, or the id of a mail of ours"},
        {"since", FLAG_DURATION, &wish.since, "1d",
         "only mails of the last 1d, 12h, 2w; again: those that arrived then"},
        {"unanswered", FLAG_SWITCH, &wish.unanswered, NULL,
         "only mails of players who may wait for an answer and get none"},
        {"now", FLAG_TIME, &wish.now, "TIME", "count --since from then (default: the system's time)"},
        {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
        {"request", FLAG_TEXT, &request, "ID", "retry: " FLAG_REQUEST_HELP},
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int typed_count = argc;
    char **typed = mem_copy(argv, ((size_t)argc + 1) * sizeof *argv); /* reading moves them */
    int code = flags_parse(&argc, argv, flags, 0, 2, details);
    if (code >= 0) {
        free(typed);
        return code;
    }
    const char *verb = argc > 1 ? argv[1] : "", *word = argc > 2 ? argv[2] : NULL;
    bool log = !*verb, lists = strcmp(verb, "list") == 0, agains = strcmp(verb, "again") == 0;
    if (request && !word)
        (void)err_set(&err, ERR_INPUT,
                      "turnpost mail takes --request with \"retry\" and what is to be tried again");
    if (err.code || check_verb(verb, word, &wish, &err)) {
        (void)command_fail(&err);
        code = EXIT_USAGE;
    } else {
        code = word ? mail_retry(typed_count, typed) : 0;
    }
    free(typed);
    if (code)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    int rc = agains ? again(&league, &wish, &err) : look_catalog(&league, &catalog, &fresh, &err);
    if (rc == 0 && !agains)
        rc = log     ? mail_log_show(&league, catalog, &wish, json, &err)
             : lists ? list(catalog, json, &err)
                     : retry(&league, catalog, word, flag_now(wish.now), &err);
    catalog_close(catalog);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
