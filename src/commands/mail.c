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
    "Shows the mails of the last day, one a line, in and out: when, who, the subject, and what was\n"
    "decided: taken; refused or ignored, with the reason; waits; given up. \"->\" names the mail that\n"
    "answers it, with what became of that. Where a player may wait for an answer that does not come, the\n"
    "line says so at its end; --unanswered shows these alone. --player, --id and --since choose others.\n"
    "The log goes back as far as [limits] mail_log says; of grey press it does not have the sender.\n"
    "`mail list` shows the mails that this program could not process, and the games whose clock could\n"
    "not be run: since when, whose, the next try, and what went wrong. After three days such a mail\n"
    "moves to the folder Failed. `mail retry` moves all mails there back into the mailbox, and has the\n"
    "next run try those that still wait. With a word after it, the next run also tries mails of ours\n"
    "that were given up, or wait for their next try: `mail retry all`; `mail retry 2d`, or a time: those\n"
    "whose last try was since then, and of the mailbox those that arrived since then; `mail retry\n"
    "anna@example.org`: those to that address, and none of the mailbox. `mail again --since 2d` moves\n"
    "the mails that arrived in the last two days and were processed back into the mailbox, for a league\n"
    "that was restored from a backup: what it has done already it knows, and answers once. Nothing is\n"
    "ever deleted.\n";

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
        {"player", FLAG_TEXT, &wish.player, "NAME", "only mails from and to them"},
        {"id", FLAG_TEXT, &wish.id, "ID",
         "only this one: its Message-ID, the 16 digits that a line begins with, or "
         "the id of a mail of ours"},
        {"since", FLAG_DURATION, &wish.since, "1d",
         "those of the last 1d, 12h, 2w; with again: that arrived then"},
        {"unanswered", FLAG_SWITCH, &wish.unanswered, NULL,
         "only mails of players who may wait for an answer and get none"},
        {"now", FLAG_TIME, &wish.now, "TIME", "counted from then (default: the system's time)"},
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
