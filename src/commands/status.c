#include "commands/believed.h"
#include "commands/commands.h"
#include "commands/status_parts.h"
#include "commands/look.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "batch/absent.h"
#include "batch/batch.h"
#include "batch/rounds.h"
#include "league/usual.h"
#include "compete/results.h"
#include "league/own_secrets.h"
#include "league/registry_log.h"
#include "league/roster.h"

static const char details[] =
    "Shows games and deadlines, the mails in the spool, and what happened to each player's mails. PLAYER "
    "adds their last mails, with the server's words. Every problem is one line.\n"
    "Exit codes: 0 all is well; 1 mails came back, were given up or wait for another try; 2 turns are "
    "overdue, nothing was done for too long, the mailbox is out of reach, mails wait that nobody tried to "
    "send, or something stands still because a file is gone or damaged. [status] in league.ini says what is "
    "too long.\n";

#define OVERDUE       ((int64_t)30 * 60) /* seconds after a deadline, or with unsent mails, without a run */
#define MAILS_SHOWN   20
#define TROUBLE_MAILS 1
#define TROUBLE_STILL 2

static void trouble(struct status *status, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void trouble(struct status *status, int code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    json_array_append_new(status->troubles, json_vtext(fmt, args));
    va_end(args);
    if (code > status->code)
        status->code = code;
}

static struct person *person_of(struct status *status, const char *name)
{
    const struct player *player = registry_find(&status->registry, name);
    return player ? &status->people[player - status->registry.players] : NULL;
}

/* ---- is anybody at work? ---- */

/* Is the last round further back than rounds are from one another here? */
static bool is_late(const struct status *status, const struct rounds_known *rounds)
{
    const struct config *config = &status->league->config;
    const struct pause pause = {status->round, status->now, false};
    struct zones zones = {.list = NULL};
    struct err ignored = ERR_INIT; /* league.ini names the zone, and is checked */
    int64_t rhythm = rounds->clock.rhythm ? rounds->clock.rhythm : DAY_SECONDS;
    if (config->status.round)
        return pause.to - pause.from > config->status.round;
    if (pause.to - pause.from <= rhythm + rhythm / 4 + OVERDUE)
        return false;
    const struct zone *zone = zones_find(&zones, config->league.timezone, &ignored);
    bool late = !pause_explained(config, zone, rounds->pauses, rounds->count, &pause);
    zones_release(&zones);
    return late;
}

/* The last rounds. What they had no time for yet is not overdue. */
static int gather_rounds(struct status *status, struct err *err)
{
    struct rounds_known rounds;
    bool known;
    int rc = rounds_read(status->league->dir, &rounds, &known, err);
    if (rc == 0 && !known)
        rc = catalog_clock(status->catalog, &rounds.clock, err);
    const struct catalog_clock *clock = &rounds.clock;
    status->clock = *clock;
    status->round = clock->tried > clock->done ? clock->tried : clock->done;
    status->late = status->round && is_late(status, &rounds);
    status->looked = status->late || clock->deaf || !status->round ? status->now : clock->done;
    rounds_release(&rounds);
    return rc;
}

static int64_t older(int64_t a, int64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* Whether what was last done, and the oldest that waits, are too old. After everything else is known. */
static void weigh(struct status *status)
{
    const struct config_status *bounds = &status->league->config.status;
    const struct catalog_clock *clock = &status->clock;
    const struct status_waiting *waiting = &status->waiting;
    int64_t now = status->now;
    char when[CLOCK_TEXT], read[CLOCK_TEXT];
    clock_utc(read, clock->done);
    if (status->late) {
        clock_utc(when, status->round);
        trouble(status, TROUBLE_STILL, "nothing has been done since %s: is turnpost running?", when);
    }
    if (clock->deaf && now - clock->deaf > bounds->mailbox) {
        clock_utc(when, clock->deaf);
        trouble(status, TROUBLE_STILL, "the mailbox was last read %s%s; since %s no round could read it: %s",
                clock->done ? "at " : "never", clock->done ? read : "", when, clock->why);
    }
    if (waiting->mailbox && now - waiting->mailbox > bounds->waiting) {
        clock_utc(when, waiting->mailbox);
        trouble(status, TROUBLE_MAILS, "a mail that came at %s is still in the mailbox (turnpost mail)",
                when);
    }
    bool held = status->retrying || status->pause.until; /* a mail may wait for one before it */
    if (!held && waiting->untried &&
        (now - waiting->untried > bounds->waiting || waiting->untried + OVERDUE < status->round)) {
        clock_utc(when, waiting->untried);
        trouble(status, TROUBLE_STILL,
                "a mail has been in the spool since %s, and nobody has tried to send it", when);
    } else if (waiting->spool && now - waiting->spool > bounds->waiting) {
        clock_utc(when, waiting->spool);
        trouble(status, TROUBLE_MAILS, "a mail has been in the spool since %s", when);
    }
    if (bounds->sent && status->sent && now - status->sent > bounds->sent) {
        clock_utc(when, status->sent);
        trouble(status, TROUBLE_MAILS, "no mail has been sent since %s", when);
    }
}

/* ---- gathering ---- */

static int add_game(void *arg, const struct catalog_game *row, const struct game *game, struct err *err)
{
    (void)game;
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
    if (row->deadline > 0 && row->deadline + OVERDUE <= status->looked) {
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
    trouble(status, TROUBLE_MAILS, "mail to %s came back%s%s%s: %s %s", bounce->player,
            *bounce->mail ? " (" : "", bounce->mail, *bounce->mail ? ")" : "", bounce->status, bounce->words);
    return 0;
}

/* By the address that it goes to. */
static struct person *owner_of(struct status *status, const struct spool_entry *entry)
{
    char *to = spool_recipient(status->spool, entry);
    const struct player *player = to ? registry_by_address(&status->registry, to) : NULL;
    free(to);
    return player ? &status->people[player - status->registry.players] : NULL;
}

/* An unsent mail is among its reader's last ones. */
static void list_spooled(struct person *person, const struct spool_entry *entry)
{
    bool waits = entry->place == SPOOL_DIGEST;
    if (!person || person->mail_count == MAILS_SHOWN)
        return;
    struct fate *fate = &person->mails[person->mail_count++];
    *fate = (struct fate){.state = waits ? "digest" : "spooled",
                          .said = waits ? "waits for the digest" : "in the spool"};
    fate->what.when = entry->due;
    (void)snprintf(fate->what.mail, sizeof fate->what.mail, "%s", entry->id);
    (void)snprintf(fate->what.player, sizeof fate->what.player, "%s", person->player->name);
}

/* The player that a spooled mail is for; NULL for a stranger's. */
static struct person *reader_of(struct status *status, const struct spool_entry *entry)
{
    struct mail_id about;
    struct err ignored = ERR_INIT;
    bool found = true;
    if (*entry->player)
        return person_of(status, entry->player);
    if (mail_id_is(&about, entry->id, MAIL_ID_GATHERS))
        return person_of(status, about.name);
    if (about.kind != MAIL_ID_RECORD || about.number < 1 || about.number > SEATS_MAX)
        return owner_of(status, entry);
    if (strcmp(status->game.id, about.name) != 0 &&
        (catalog_get_game(status->catalog, about.name, &status->game, &found, &ignored) || !found))
        status->game = (struct catalog_game){.turn = 0};
    return found ? person_of(status, status->game.player[about.number]) : NULL;
}

static void add_spooled(void *arg, const struct spool_entry *entry)
{
    struct status *status = arg;
    struct person *person = reader_of(status, entry);
    switch (entry->place) {
    case SPOOL_NEW:
        status->unsent++;
        status->waiting.untried = older(status->waiting.untried, entry->since);
        status->waiting.spool = older(status->waiting.spool, entry->since);
        list_spooled(person, entry);
        if (person)
            person->unsent++;
        break;
    case SPOOL_DIGEST:
        status->digest++;
        list_spooled(person, entry);
        if (person)
            person->digest++;
        if (entry->due + OVERDUE <= status->looked)
            trouble(status, TROUBLE_STILL,
                    "mail %s was to leave with a digest that is overdue: is turnpost running?", entry->id);
        break;
    case SPOOL_WAITING:
        status->retrying++;
        status->waiting.spool = older(status->waiting.spool, entry->since);
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

/* After those in the spool, what happened to the others. */
static int list_sent(struct status *status, struct person *person, struct err *err)
{
    struct catalog_delivery sent[MAILS_SHOWN];
    struct catalog_deliveries mails = {.list = sent, .max = MAILS_SHOWN};
    if (catalog_deliveries(status->catalog, person->player->name, &mails, err))
        return -1;
    for (size_t i = 0; i < mails.count && person->mail_count < MAILS_SHOWN; i++)
        person->mails[person->mail_count++] = fate_of(&sent[i]);
    return 0;
}

static int gather_mails(struct status *status, struct err *err)
{
    status->spool = league_path(status->league, "spool");
    int rc = spool_each(status->spool, add_spooled, status, err);
    if (rc == 0 && spool_paused(status->spool, &status->pause)) {
        struct str words = STR_INIT;
        fate_pause(&words, &status->pause, status->unsent + status->retrying);
        trouble(status, TROUBLE_MAILS, "%s", words.p);
        str_release(&words);
    }
    if (rc == 0 && status->retrying)
        trouble(status, TROUBLE_MAILS, "%zu mail%s could not be sent yet and will be tried again",
                status->retrying, PLURAL(status->retrying));
    for (size_t i = 0; rc == 0 && i < status->registry.count; i++)
        rc = list_sent(status, &status->people[i], err);
    return rc;
}

static void add_missing(void *arg, const char *player, const char *game)
{
    trouble(arg, TROUBLE_MAILS, "%s was taken out and has a seat in game %s, which is running", player, game);
}

static int add_stuck(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    (void)err;
    struct status *status = arg;
    char name[17];
    if (stuck->state == STUCK_PLAYER)
        return 0; /* the registry has the current value */
    if (stuck->state == STUCK_WAITS)
        status->waiting.mailbox = older(status->waiting.mailbox, stuck->first);
    hex_to(name, stuck->digest, 8);
    if (stuck->state == STUCK_GAME && roster_gone(status->league->dir, ROSTER_GAME, stuck->game))
        return 0; /* told apart from this */
    if (stuck->state == STUCK_GAME && strcmp(stuck->game, RESULTS_NAME) == 0)
        trouble(arg, TROUBLE_STILL, "no ratings are kept: %s", stuck->words);
    else if (stuck->state == STUCK_GAME)
        trouble(arg, TROUBLE_STILL, "game %s stands still: %s", stuck->game, stuck->words);
    else
        trouble(arg, TROUBLE_STILL, "mail %s%s%s %s: %s", name, *stuck->player ? " of " : "", stuck->player,
                stuck->state == STUCK_GIVEN ? "has failed permanently (turnpost mail)"
                                            : "cannot be processed",
                stuck->words);
    return 0;
}

/* Players whose file or keys cannot be read. */
static int add_damaged(struct status *status, struct err *err)
{
    const struct registry *registry = &status->registry;
    struct keyring ring;
    if (absent_expect(status->league->dir, status->catalog, &status->registry, err))
        return -1;
    for (size_t i = 0; i < registry->fault_count; i++)
        if (*registry->faults[i].name) /* what belongs to no player stops nothing */
            trouble(status, TROUBLE_STILL, "%s (turnpost doctor says more)", registry->faults[i].why);
    if (absent_keys(status->league->dir, registry, &ring, err))
        return -1;
    keyring_tell(&ring, NULL);
    for (size_t i = 0; i < registry->count; i++) {
        const struct keyring_damage *damage = keyring_damaged(&ring, registry->players[i].name);
        if (damage)
            trouble(status, TROUBLE_STILL, "%s (turnpost doctor says more)", damage->why.text);
    }
    keyring_release(&ring);
    return 0;
}

static void add_trouble(void *arg, const char *words, bool broken)
{
    (void)broken;
    trouble(arg, TROUBLE_STILL, "%s", words);
}

static void look_at_clock(struct status *status)
{
    struct believed believed;
    struct err why = ERR_INIT;
    believed_look(status->league, &believed);
    struct str ahead = STR_INIT;
    if (believed_check(&believed, &why))
        trouble(status, TROUBLE_STILL, "%s", why.text);
    else if (league_log_ahead(status->league, status->now, &ahead))
        trouble(status, TROUBLE_STILL, "%s", ahead.p);
    str_release(&ahead);
}

static void add_gone(void *arg, const char *words)
{
    trouble(arg, TROUBLE_STILL, "%s", words);
}

/* With what is wrong here nobody works on the league. Another user, who only watches, may not read the secrets. */
static void add_unfit(struct status *status)
{
    struct err why = ERR_INIT;
    struct stat st;
    bool lacking;
    char *secret = league_path(status->league, "keys/secret");
    bool ours = stat(secret, &st) || st.st_uid == geteuid();
    free(secret);
    if (ours && (league_keys(status->league, &why) || registry_log_look(status->league->dir, &why) ||
                 own_secrets_check(status->league, &lacking, &why)))
        trouble(status, TROUBLE_STILL, "the league stands still: %s", why.text);
}

static int gather(struct status *status, struct err *err)
{
    bool fresh = false;
    int rc = look_catalog(status->league, &status->catalog, &fresh, err);
    if (rc == 0)
        rc = registry_load(status->league->dir, &status->registry, err);
    if (rc)
        return rc;
    status->people = mem_array(status->registry.count + 1, sizeof *status->people);
    for (size_t i = 0; i < status->registry.count; i++) {
        status->people[i].player = &status->registry.players[i];
        status->people[i].mails = mem_array(MAILS_SHOWN, sizeof(struct fate));
    }
    if (gather_rounds(status, err) || catalog_last_sent(status->catalog, &status->sent, err))
        return -1;
    status->waiting.mailbox = status->clock.waits;
    if (look_games(status->league, fresh ? NULL : status->catalog, add_game, status, err) ||
        catalog_each_bounce(status->catalog, add_bounce, status, err) ||
        catalog_each_stuck(status->catalog, add_stuck, status, err))
        return -1;
    add_unfit(status);
    if (add_damaged(status, err) ||
        roster_tell_gone(status->league->dir, ROSTER_GAME, add_gone, status, err) ||
        roster_tell_gone(status->league->dir, ROSTER_COMPETITION, add_gone, status, err) ||
        compete_troubles(status->league, status->looked, &status->competitions, add_trouble, status, err))
        return -1;
    if (absent_each(status->catalog, &status->registry, add_missing, status, err))
        return -1;
    if (status->overdue > 10)
        trouble(status, TROUBLE_STILL, "%zu games in all are overdue", status->overdue);
    if (gather_mails(status, err))
        return -1;
    weigh(status);
    return 0;
}

static void status_release(struct status *status)
{
    for (size_t i = 0; status->people && i < status->registry.count; i++)
        free(status->people[i].mails);
    free(status->people);
    free(status->spool);
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
        {"mail", FLAG_TEXT, &mail, "ID",
         "what happened to one mail; ID is the part of its Message-ID before the @"},
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
    if (rc == 0 && !now)
        look_at_clock(&status);
    if (rc == 0 && argc > 1) {
        only = person_of(&status, argv[1]);
        rc = only ? 0 : err_set(&err, ERR_MISSING, "there is no player \"%s\"", argv[1]);
    }
    if (rc == 0 && mail)
        rc = status_print_mail(&status, mail, json, &err);
    else if (rc == 0 && json)
        status_print_json(&status, only);
    else if (rc == 0)
        status_print(&status, only);
    code = mail ? 0 : status.code;
    status_release(&status);
    league_close(&league);
    return rc ? command_fail(&err) : code;
}
