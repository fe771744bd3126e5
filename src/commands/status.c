#include "commands/commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "engine/batch.h"

static const char details[] =
    "How the league is: games and deadlines, the mails in the spool, and for each player what became of his\n"
    "mails; of one player the last mails, each with the server's words; or of one mail (its id is the part "
    "of\n"
    "its Message-ID before the @). Made for monitoring: what is wrong is said line by line, and exit code 0\n"
    "means that all is well; 1 that mails came back, were given up or wait for another try; 2 that turns "
    "are\n"
    "overdue or mails wait that nobody tried to send.\n";

#define OVERDUE       ((int64_t)30 * 60) /* seconds after a deadline, or with unsent mails and no run */
#define MAILS_SHOWN   20
#define TROUBLE_MAILS 1
#define TROUBLE_STILL 2

/* What is counted for one player. */
struct person {
    const struct player *player;
    int games, awaited;
    int64_t deadline; /* the next one that waits for him */
    size_t unsent, retrying, given_up;
    struct catalog_bounce bounce; /* player "" = none */
    struct catalog_delivery *mails;
    size_t mail_count;
};

struct status {
    const struct league *league;
    struct catalog *catalog;
    struct registry registry;
    struct person *people; /* as registry.players */
    int64_t now;
    size_t running, over, overdue, paused, held;
    int64_t next;
    size_t unsent, retrying, given_up;
    struct catalog_game game; /* the last one looked up */
    json_t *troubles;
    int code;
};

static void trouble(struct status *status, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void trouble(struct status *status, int code, const char *fmt, ...)
{
    struct str text = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&text, fmt, args);
    va_end(args);
    json_array_append_new(status->troubles, json_text(slice_str(&text)));
    str_release(&text);
    if (code > status->code)
        status->code = code;
}

static struct person *person_of(struct status *status, const char *name)
{
    const struct player *player = registry_find(&status->registry, name);
    return player ? &status->people[player - status->registry.players] : NULL;
}

/* ---- gathering ---- */

static int add_game(void *arg, const struct catalog_game *row, struct err *err)
{
    (void)err;
    struct status *status = arg;
    if (row->over) {
        status->over++;
        return 0;
    }
    status->running++;
    status->paused += row->deadline == CATALOG_PAUSED;
    status->held += row->deadline == CATALOG_HELD;
    if (row->deadline > 0 && (!status->next || row->deadline < status->next))
        status->next = row->deadline;
    if (row->deadline > 0 && row->deadline + OVERDUE <= status->now) {
        char when[CLOCK_TEXT];
        clock_utc(when, row->deadline);
        status->overdue++;
        if (status->overdue <= 10)
            trouble(status, TROUBLE_STILL,
                    "game %s was due at %s and has not been played: is turnpost running?", row->id, when);
    }
    for (int seat = 1; seat <= row->seats && seat <= SEATS_MAX; seat++) {
        struct person *person = person_of(status, row->player[seat]);
        if (!person)
            continue;
        bool awaited = (row->awaited & SEAT_BIT(seat)) != 0;
        person->games++;
        person->awaited += awaited;
        if (awaited && row->deadline > 0 && (!person->deadline || row->deadline < person->deadline))
            person->deadline = row->deadline;
    }
    return 0;
}

static int add_bounce(void *arg, const struct catalog_bounce *bounce, struct err *err)
{
    (void)err;
    struct status *status = arg;
    struct person *person = person_of(status, bounce->player);
    if (!person)
        return 0;
    person->bounce = *bounce;
    trouble(status, TROUBLE_MAILS, "mail to %s came back (%s): %s %s", bounce->player, bounce->mail,
            bounce->status, bounce->words);
    return 0;
}

/* Whose a spooled mail is; NULL for answers, which carry no name. */
static struct person *reader_of(struct status *status, const char *id)
{
    char game[GAME_NAME];
    struct err ignored = ERR_INIT;
    int64_t seq;
    int seat;
    bool found = true;
    if (!letters_parse_id(id, game, &seq, &seat) || seat < 1 || seat > SEATS_MAX)
        return NULL;
    if (strcmp(status->game.id, game) != 0 &&
        (catalog_get_game(status->catalog, game, &status->game, &found, &ignored) || !found))
        status->game = (struct catalog_game){.turn = 0};
    return found ? person_of(status, status->game.player[seat]) : NULL;
}

static void add_spooled(void *arg, const struct spool_entry *entry)
{
    struct status *status = arg;
    struct person *person = reader_of(status, entry->id);
    switch (entry->place) {
    case SPOOL_NEW:
        status->unsent++;
        if (person)
            person->unsent++;
        break;
    case SPOOL_WAITING:
        status->retrying++;
        if (person)
            person->retrying++;
        break;
    case SPOOL_FAILED:
        status->given_up++;
        if (person)
            person->given_up++;
        if (status->given_up <= 10)
            trouble(status, TROUBLE_MAILS, "mail %s%s%s was given up: %s", entry->id, person ? " to " : "",
                    person ? person->player->name : "", entry->words);
        break;
    }
}

static int gather_mails(struct status *status, struct err *err)
{
    char *spool = league_path(status->league, "spool");
    int rc = spool_each(spool, add_spooled, status, err);
    free(spool);
    if (rc == 0 && status->retrying)
        trouble(status, TROUBLE_MAILS, "%zu mail%s could not be sent yet and will be tried again",
                status->retrying, status->retrying == 1 ? "" : "s");
    for (size_t i = 0; rc == 0 && i < status->registry.count; i++) {
        struct person *person = &status->people[i];
        person->mails = mem_array(MAILS_SHOWN, sizeof *person->mails);
        rc = catalog_deliveries(status->catalog, person->player->name, MAILS_SHOWN, person->mails,
                                &person->mail_count, err);
    }
    return rc;
}

static int gather(struct status *status, struct err *err)
{
    bool fresh = false;
    char *path = league_path(status->league, "catalog.sqlite");
    int rc = 0;
    if (!file_exists(path))
        rc = err_set(err, ERR_MISSING, "nothing has been done in this league yet: run `turnpost run` first");
    if (rc == 0)
        rc = catalog_open(path, &status->catalog, &fresh, err);
    free(path);
    if (rc == 0)
        rc = registry_load(status->league->dir, &status->registry, err);
    if (rc)
        return rc;
    status->people = mem_array(status->registry.count + 1, sizeof *status->people);
    for (size_t i = 0; i < status->registry.count; i++)
        status->people[i].player = &status->registry.players[i];
    if (catalog_each_game(status->catalog, NULL, false, add_game, status, err) ||
        catalog_each_bounce(status->catalog, add_bounce, status, err))
        return -1;
    if (status->overdue > 10)
        trouble(status, TROUBLE_STILL, "%zu games in all are overdue", status->overdue);
    return gather_mails(status, err);
}

/* ---- showing ---- */

static const char *state_word(enum catalog_delivery_state state)
{
    switch (state) {
    case DELIVERY_SENT: return "sent";
    case DELIVERY_LATER: return "to be tried again";
    case DELIVERY_GIVEN_UP: return "given up";
    case DELIVERY_BOUNCED: return "came back";
    }
    return "";
}

static json_t *time_json(int64_t time)
{
    char text[CLOCK_TEXT] = "";
    if (time)
        clock_utc(text, time);
    return json_string(text);
}

static json_t *delivery_json(const struct catalog_delivery *mail)
{
    return json_pack("{s:s,s:s,s:s,s:o,s:s}", "mail", mail->mail, "player", mail->player, "state",
                     state_word(mail->state), "time", time_json(mail->when), "words", mail->words);
}

static json_t *person_json(const struct person *person)
{
    json_t *mails = json_array();
    for (size_t i = 0; i < person->mail_count; i++)
        json_array_append_new(mails, delivery_json(&person->mails[i]));
    return json_pack("{s:s,s:i,s:i,s:o,s:i,s:i,s:i,s:b,s:o}", "player", person->player->name, "games",
                     person->games, "awaited", person->awaited, "deadline", time_json(person->deadline),
                     "unsent", (int)person->unsent, "retrying", (int)person->retrying, "given_up",
                     (int)person->given_up, "bounces", *person->bounce.player != '\0', "mails", mails);
}

static void print_json(const struct status *status, const struct person *only)
{
    struct str text = STR_INIT;
    json_t *people = json_array();
    for (size_t i = 0; i < status->registry.count; i++)
        if (!only || only == &status->people[i])
            json_array_append_new(people, person_json(&status->people[i]));
    json_t *all = json_pack("{s:s,s:o,s:{s:i,s:i,s:i,s:i,s:i,s:o},s:{s:i,s:i,s:i},s:o,s:O,s:i}", "league",
                            status->league->config.name, "time", time_json(status->now), "games", "running",
                            (int)status->running, "over", (int)status->over, "overdue", (int)status->overdue,
                            "paused", (int)status->paused, "held", (int)status->held, "next",
                            time_json(status->next), "spool", "unsent", (int)status->unsent, "retrying",
                            (int)status->retrying, "given_up", (int)status->given_up, "players", people,
                            "troubles", status->troubles, "code", status->code);
    json_write_pretty(&text, all);
    (void)fputs(text.p, stdout);
    json_decref(all);
    str_release(&text);
}

static void print_person(const struct person *person)
{
    char deadline[CLOCK_TEXT] = "-";
    if (person->deadline)
        clock_utc(deadline, person->deadline);
    printf("%-16s %5d %7d  %-20s %6zu %8zu %8zu%s\n", person->player->name, person->games, person->awaited,
           deadline, person->unsent, person->retrying, person->given_up,
           *person->bounce.player ? "  mail came back" : "");
}

static void print_mail(const struct catalog_delivery *mail)
{
    char when[CLOCK_TEXT];
    clock_utc(when, mail->when);
    printf("%s  %-28s %s%s%s\n", when, mail->mail, state_word(mail->state), *mail->words ? ": " : "",
           mail->words);
}

static void print_lines(const struct status *status, const struct person *only)
{
    char next[CLOCK_TEXT] = "none";
    size_t i;
    json_t *line;
    if (status->next)
        clock_utc(next, status->next);
    printf("%s: %zu games running, %zu over; next deadline %s\n", status->league->config.name,
           status->running, status->over, next);
    if (status->paused || status->held)
        printf("Waiting for a moderator: %zu paused, %zu held\n", status->paused, status->held);
    printf("Mails: %zu to be sent, %zu to be tried again, %zu given up\n", status->unsent, status->retrying,
           status->given_up);
    if (status->registry.count)
        printf("\n%-16s %5s %7s  %-20s %6s %8s %8s\n", "player", "games", "awaited", "deadline", "unsent",
               "retrying", "given up");
    for (i = 0; i < status->registry.count; i++)
        if (!only || only == &status->people[i])
            print_person(&status->people[i]);
    for (i = 0; only && i < only->mail_count; i++)
        print_mail(&only->mails[i]);
    if (json_array_size(status->troubles))
        printf("\n");
    json_array_foreach (status->troubles, i, line)
        printf("! %s\n", json_string_value(line));
}

/* ---- one mail ---- */

struct search {
    const char *id;
    bool found;
};

static void search_spool(void *arg, const struct spool_entry *entry)
{
    struct search *search = arg;
    char due[CLOCK_TEXT];
    if (strcmp(entry->id, search->id) != 0)
        return;
    search->found = true;
    clock_utc(due, entry->due);
    switch (entry->place) {
    case SPOOL_NEW: printf("%s  is in the spool and leaves with the next run\n", entry->id); break;
    case SPOOL_WAITING:
        printf("%s  was tried %d time%s; the next try is due at %s\n", entry->id, entry->tries,
               entry->tries == 1 ? "" : "s", due);
        break;
    case SPOOL_FAILED: printf("%s  was given up: %s\n", entry->id, entry->words); break;
    }
}

static int show_mail(struct status *status, const char *id, struct err *err)
{
    struct catalog_delivery mail;
    struct search search = {.id = id};
    bool known = false;
    char *spool = league_path(status->league, "spool");
    char *name = mem_strndup(id + (*id == '<'), strcspn(id + (*id == '<'), "@>"));
    search.id = name;
    int rc = spool_each(spool, search_spool, &search, err);
    if (rc == 0)
        rc = catalog_get_delivery(status->catalog, name, &mail, &known, err);
    if (rc == 0 && known)
        print_mail(&mail);
    else if (rc == 0 && !search.found)
        rc = err_set(err, ERR_MISSING,
                     "nothing is known of a mail \"%.80s\"; mails are remembered for 60 days", name);
    free(spool);
    free(name);
    return rc;
}

static void status_release(struct status *status)
{
    for (size_t i = 0; status->people && i < status->registry.count; i++)
        free(status->people[i].mails);
    free(status->people);
    registry_release(&status->registry);
    catalog_close(status->catalog);
    json_decref(status->troubles);
}

int command_status(int argc, char **argv)
{
    const char *dir = NULL, *mail = NULL;
    bool json = false;
    int64_t now = 0;
    struct league league;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
        {"mail", FLAG_TEXT, &mail, "ID", "what became of one mail"},
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &now, "TIME", "as if it were then (default: the system's time)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 1, details);
    if (code >= 0)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    struct status status = {.league = &league, .now = flag_now(now), .troubles = json_array()};
    const struct person *only = NULL;
    int rc = gather(&status, &err);
    if (rc == 0 && argc > 1) {
        only = person_of(&status, argv[1]);
        rc = only ? 0 : err_set(&err, ERR_MISSING, "there is no player \"%s\"", argv[1]);
    }
    if (rc == 0 && mail)
        rc = show_mail(&status, mail, &err);
    else if (rc == 0 && json)
        print_json(&status, only);
    else if (rc == 0)
        print_lines(&status, only);
    code = mail ? 0 : status.code;
    status_release(&status);
    league_close(&league);
    return rc ? command_fail(&err) : code;
}
