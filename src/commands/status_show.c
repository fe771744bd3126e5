#include "commands/status_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"

/* ---- showing ---- */

static json_t *time_json(int64_t time)
{
    char text[CLOCK_TEXT] = "";
    if (time)
        clock_utc(text, time);
    return json_string(text);
}

static json_t *fate_json(const struct fate *fate)
{
    return json_pack("{s:s,s:s,s:s,s:o,s:s}", "mail", fate->what.mail, "player", fate->what.player, "state",
                     fate->state, "time", time_json(fate->what.when), "words", fate->what.words);
}

static json_t *person_json(const struct person *person)
{
    json_t *mails = json_array();
    for (size_t i = 0; i < person->mail_count; i++)
        json_array_append_new(mails, fate_json(&person->mails[i]));
    return json_pack("{s:s,s:i,s:i,s:o,s:i,s:i,s:i,s:i,s:b,s:o}", "player", person->player->name, "games",
                     person->games, "awaited", person->awaited, "deadline", time_json(person->deadline),
                     "unsent", (int)person->unsent, "digest", (int)person->digest, "retrying",
                     (int)person->retrying, "given_up", (int)person->given_up, "bounces",
                     *person->bounce.player != '\0', "mails", mails);
}

static json_t *pause_json(const struct spool_pause *pause)
{
    return pause->until ? json_pack("{s:o,s:o,s:s}", "since", time_json(pause->since), "next",
                                    time_json(pause->until), "words", pause->words)
                        : json_null();
}

static json_t *last_json(const struct status *status)
{
    return json_pack("{s:o,s:b,s:{s:o,s:o,s:s,s:o},s:o,s:o}", "round", time_json(status->round), "late",
                     status->late, "mailbox", "read", time_json(status->clock.done), "failing",
                     time_json(status->clock.deaf), "words", status->clock.why, "oldest",
                     time_json(status->waiting.mailbox), "sent", time_json(status->sent), "oldest_unsent",
                     time_json(status->waiting.spool));
}

void status_print_json(const struct status *status, const struct person *only)
{
    struct str text = STR_INIT;
    json_t *people = json_array();
    for (size_t i = 0; i < status->registry.count; i++)
        if (!only || only == &status->people[i])
            json_array_append_new(people, person_json(&status->people[i]));
    json_t *all = json_pack(
        "{s:s,s:o,s:o,s:{s:i,s:i,s:i,s:i,s:i,s:o},s:{s:i,s:i},s:{s:i,s:i,s:i,s:i,s:o},s:o,s:O,s:i}", "league",
        status->league->config.league.name, "time", time_json(status->now), "last", last_json(status),
        "games", "running", (int)status->running, "over", (int)status->over, "overdue", (int)status->overdue,
        "paused", (int)status->paused, "held", (int)status->held, "next", time_json(status->next),
        "competitions", "running", (int)(status->competitions.all - status->competitions.over), "over",
        (int)status->competitions.over, "spool", "unsent", (int)status->unsent, "digest", (int)status->digest,
        "retrying", (int)status->retrying, "given_up", (int)status->given_up, "pause",
        pause_json(&status->pause), "players", people, "troubles", status->troubles, "code", status->code);
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
    printf("%-16s %5d %7d  %-20s %6zu %6zu %8zu %8zu%s\n", person->player->name, person->games,
           person->awaited, deadline, person->unsent, person->digest, person->retrying, person->given_up,
           *person->bounce.player ? "  mail came back" : "");
}

static void print_fate(const struct fate *fate)
{
    char when[CLOCK_TEXT] = "-";
    if (fate->what.when)
        clock_utc(when, fate->what.when);
    printf("%-20s  %-28s %s%s%s\n", when, fate->what.mail, fate->said, *fate->what.words ? ": " : "",
           fate->what.words);
}

static void print_time(const char *what, int64_t time, const char *none)
{
    char when[CLOCK_TEXT];
    if (time)
        clock_utc(when, time);
    if (time || none)
        printf("%s%s", what, time ? when : none);
}

static void print_last(const struct status *status)
{
    print_time("Last round ", status->round, "unknown");
    print_time(", mailbox read ", status->clock.done, "never");
    print_time(", mail sent ", status->sent, "never");
    print_time("; waiting in the mailbox since ", status->waiting.mailbox, NULL);
    print_time("; waiting in the spool since ", status->waiting.spool, NULL);
    printf("\n");
}

void status_print(const struct status *status, const struct person *only)
{
    char next[CLOCK_TEXT] = "none";
    size_t i;
    json_t *line;
    if (status->next)
        clock_utc(next, status->next);
    printf("%s: %zu %s running, %zu over; next deadline %s\n", status->league->config.league.name,
           status->running, status->running == 1 ? "game" : "games", status->over, next);
    if (status->paused || status->held)
        printf("Waiting for a moderator: %zu paused, %zu held\n", status->paused, status->held);
    if (status->competitions.all)
        printf("Competitions: %zu running, %zu over\n", status->competitions.all - status->competitions.over,
               status->competitions.over);
    printf("Mails: %zu to be sent, %zu waiting for a digest, %zu to be tried again, %zu given up\n",
           status->unsent, status->digest, status->retrying, status->given_up);
    print_last(status);
    if (status->registry.count)
        printf("\n%-16s %5s %7s  %-20s %6s %6s %8s %8s\n", "player", "games", "awaited", "deadline", "unsent",
               "digest", "retrying", "given up");
    for (i = 0; i < status->registry.count; i++)
        if (!only || only == &status->people[i])
            print_person(&status->people[i]);
    for (i = 0; only && i < only->mail_count; i++)
        print_fate(&only->mails[i]);
    if (json_array_size(status->troubles))
        printf("\n");
    json_array_foreach (status->troubles, i, line)
        printf("! %s\n", json_string_value(line));
}

/* ---- one mail ---- */

/* Where it is in the spool, and what became of it. */
struct found {
    const char *id;
    bool in_spool;
    enum spool_place place;
    int tries;
    int64_t due;
    char *player, *words;
    bool known;
    struct fate fate;
};

static void search_spool(void *arg, const struct spool_entry *entry)
{
    struct found *found = arg;
    if (found->in_spool || strcmp(entry->id, found->id) != 0)
        return;
    found->in_spool = true;
    found->place = entry->place;
    found->tries = entry->tries;
    found->due = entry->due;
    found->player = mem_strdup(entry->player);
    found->words = mem_strdup(entry->words);
}

static void print_spooled(const struct found *found)
{
    char due[CLOCK_TEXT];
    clock_utc(due, found->due);
    switch (found->place) {
    case SPOOL_DIGEST:
        printf("%s  waits for the digest of %s, due at %s\n", found->id, found->player, due);
        break;
    case SPOOL_NEW: printf("%s  is in the spool and leaves with the next run\n", found->id); break;
    case SPOOL_WAITING:
        printf("%s  was tried %d time%s; the next try is due at %s\n", found->id, found->tries,
               PLURAL(found->tries), due);
        break;
    case SPOOL_FAILED: printf("%s  was given up: %s\n", found->id, found->words); break;
    }
}

static json_t *spooled_json(const struct found *found)
{
    static const char *const places[] = {[SPOOL_NEW] = "new",
                                         [SPOOL_DIGEST] = "digest",
                                         [SPOOL_WAITING] = "retrying",
                                         [SPOOL_FAILED] = "given_up"};
    if (!found->in_spool)
        return json_null();
    return json_pack("{s:s,s:o,s:i,s:s}", "place", places[found->place], "due", time_json(found->due),
                     "tries", found->tries, "words", found->words);
}

static void print_found(const struct found *found)
{
    if (found->in_spool)
        print_spooled(found);
    if (found->known)
        print_fate(&found->fate);
}

static void print_found_json(const struct found *found)
{
    struct str text = STR_INIT;
    json_t *all = json_pack("{s:s,s:o,s:o}", "mail", found->id, "spool", spooled_json(found), "delivery",
                            found->known ? fate_json(&found->fate) : json_null());
    json_write_pretty(&text, all);
    (void)fputs(text.p, stdout);
    json_decref(all);
    str_release(&text);
}

int status_print_mail(struct status *status, const char *id, bool json, struct err *err)
{
    struct catalog_delivery mail = {.state = DELIVERY_SENT};
    char *name = mem_strndup(id + (*id == '<'), strcspn(id + (*id == '<'), "@>"));
    struct found found = {.id = name};
    int rc = spool_each(status->spool, search_spool, &found, err);
    if (rc == 0)
        rc = catalog_get_delivery(status->catalog, name, &mail, &found.known, err);
    found.fate = fate_of(&mail);
    if (rc == 0 && !found.known && !found.in_spool)
        rc = err_set(err, ERR_MISSING,
                     "nothing is known of a mail \"%.80s\"; mails are remembered for 60 days", name);
    if (rc == 0)
        (json ? print_found_json : print_found)(&found);
    free(found.player);
    free(found.words);
    free(name);
    return rc;
}
