#include "commands/mail_log.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/commands.h"
#include "commands/fate.h"
#include "league/registry.h"
#include "mail/mail_id.h"
#include "mail/spool.h"

#define DAY ((int64_t)86400)

/* One mail. Those of the same second stay in the order in which they were found: what came in first. */
struct entry {
    int64_t time;
    size_t order;
    json_t *json;
};
struct show {
    const struct league *league;
    struct catalog *catalog;
    struct registry registry;
    struct catalog_wanted wanted;
    char *spool;
    int64_t now;
    json_t *unsent; /* ids of the mails in the spool: their state */
    struct entry *list;
    size_t count, cap;
    bool unanswered; /* only what players wait for in vain */
};

static void add(struct show *show, int64_t time, json_t *json)
{
    show->list = mem_grow(show->list, show->count, &show->cap, sizeof *show->list);
    show->list[show->count] = (struct entry){time, show->count, json};
    show->count++;
}

static json_t *time_text(int64_t time)
{
    char text[CLOCK_TEXT];
    clock_utc(text, time);
    return json_string(text);
}

static const char *verdict_word(enum catalog_verdict verdict)
{
    switch (verdict) {
    case VERDICT_TAKEN: return "taken";
    case VERDICT_REFUSED: return "refused";
    case VERDICT_IGNORED: return "ignored";
    case VERDICT_WAITS: return "waits";
    case VERDICT_GIVEN_UP: return "given up";
    }
    return "";
}

/* What became of the answer. */
static int answer_state(struct show *show, const char *id, const char **state, struct err *err)
{
    struct catalog_delivery sent;
    bool found = false;
    *state = json_string_value(json_object_get(show->unsent, id));
    if (*state)
        return 0;
    if (catalog_get_delivery(show->catalog, id, &sent, &found, err))
        return -1;
    *state = found ? fate_of(&sent).state : "not known";
    return 0;
}

static int add_in(void *arg, const struct catalog_mail *mail, struct err *err)
{
    struct show *show = arg;
    char name[17];
    const char *state = "";
    if (show->unanswered && !mail->unanswered)
        return 0;
    hex_to(name, mail->digest, 8);
    if (*mail->answer && answer_state(show, mail->answer, &state, err))
        return -1;
    add(show, mail->time,
        json_pack("{s:s,s:s,s:o,s:o,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:b,s:b}", "direction", "in", "mail",
                  name, "arrived", time_text(mail->arrived), "time", time_text(mail->time), "from",
                  mail->sender, "player", mail->player, "subject", mail->subject, "message_id",
                  mail->message_id, "verdict", verdict_word(mail->verdict), "why", mail->words, "answer",
                  mail->answer, "answer_state", state, "sender_hidden", mail->of_player && !*mail->player,
                  "unanswered", mail->unanswered));
    return 0;
}

static void add_mail_out(struct show *show, const struct fate *fate)
{
    add(show, fate->what.when,
        json_pack("{s:s,s:s,s:o,s:s,s:s,s:s}", "direction", "out", "mail", fate->what.mail, "time",
                  time_text(fate->what.when), "player", fate->what.player, "state", fate->state, "words",
                  fate->what.words));
}

static int add_out(void *arg, const struct catalog_delivery *delivery, struct err *err)
{
    (void)err;
    struct show *show = arg;
    const struct fate fate = fate_of(delivery);
    if (!json_object_get(show->unsent, delivery->mail))
        add_mail_out(show, &fate);
    return 0;
}

/* What was not sent yet: it comes last. Of the others the catalog tells. */
static void add_spooled(void *arg, const struct spool_entry *entry)
{
    struct show *show = arg;
    const struct catalog_wanted *wanted = &show->wanted;
    if (show->unanswered)
        return;
    if (entry->place != SPOOL_NEW && entry->place != SPOOL_DIGEST)
        return;
    char *to = spool_recipient(show->spool, entry);
    const struct player *player = to ? registry_by_address(&show->registry, to) : NULL;
    struct fate fate = {.state = entry->place == SPOOL_DIGEST ? "digest" : "spooled"};
    fate.what.when = show->now;
    (void)snprintf(fate.what.mail, sizeof fate.what.mail, "%s", entry->id);
    (void)snprintf(fate.what.player, sizeof fate.what.player, "%s", player ? player->name : "");
    json_object_set_new(show->unsent, entry->id, json_string(fate.state));
    free(to);
    if ((!wanted->player || strcmp(wanted->player, fate.what.player) == 0) &&
        (!wanted->id || strcmp(wanted->id, entry->id) == 0))
        add_mail_out(show, &fate);
}

static int by_time(const void *a, const void *b)
{
    const struct entry *first = a, *second = b;
    if (first->time != second->time)
        return first->time < second->time ? -1 : 1;
    return first->order < second->order ? -1 : 1;
}

static const char *text(const json_t *json, const char *member)
{
    const char *value = json_string_value(json_object_get(json, member));
    return value ? value : "";
}

static void print_in(const json_t *mail)
{
    const char *player = text(mail, "player"), *from = text(mail, "from");
    bool hidden = json_is_true(json_object_get(mail, "sender_hidden"));
    printf("%s in  %s %-8s", text(mail, "time"), text(mail, "mail"), text(mail, "verdict"));
    if (hidden)
        printf(" (grey press: its sender is not kept)");
    else
        printf(" %s%s<%s> \"%s\"", player, *player ? " " : "", from, text(mail, "subject"));
    printf(" %s", text(mail, "why"));
    if (*text(mail, "answer"))
        printf(" -> %s (%s)", text(mail, "answer"), text(mail, "answer_state"));
    if (json_is_true(json_object_get(mail, "unanswered")))
        printf(" [a player may wait for an answer: look at it]");
    printf("\n");
}

static void print_out(const json_t *mail)
{
    const char *words = text(mail, "words"), *player = text(mail, "player");
    printf("%s out %s %-8s %s%s%s\n", text(mail, "time"), text(mail, "mail"), text(mail, "state"),
           *player ? player : "(no player)", *words ? ": " : "", words);
}

static void print_all(const struct show *show, bool json)
{
    struct str out = STR_INIT;
    json_t *list = json_array();
    for (size_t i = 0; i < show->count; i++) {
        const json_t *mail = show->list[i].json;
        if (json)
            json_array_append(list, show->list[i].json);
        else if (strcmp(text(mail, "direction"), "in") == 0)
            print_in(mail);
        else
            print_out(mail);
    }
    if (json)
        json_write_pretty(&out, list);
    (void)fputs(out.p ? out.p : "", stdout);
    str_release(&out);
    json_decref(list);
}

/* "<A.B@Example.org>" as it is kept; of our own ids what stands before the "@". The caller frees. */
static char *id_of(const struct league *league, const char *typed)
{
    struct mail_id own;
    char *id = mem_strndup(typed + (*typed == '<'), strcspn(typed + (*typed == '<'), ">"));
    const char *host = strrchr(league->config.league.address, '@');
    char *at = strrchr(id, '@');
    if (at && strcasecmp(at, host) == 0) {
        *at = '\0';
        if (!mail_id_read(&own, slice_of(id)))
            *at = '@';
    }
    return id;
}

static int gather(struct show *show, struct err *err)
{
    if (registry_load(show->league->dir, &show->registry, err) ||
        spool_each(show->spool, add_spooled, show, err) ||
        catalog_each_mail(show->catalog, &show->wanted, add_in, show, err) ||
        (!show->unanswered && catalog_each_delivery(show->catalog, &show->wanted, add_out, show, err)))
        return -1;
    qsort(show->list, show->count, sizeof *show->list, by_time);
    return 0;
}

static void show_release(struct show *show)
{
    for (size_t i = 0; i < show->count; i++)
        json_decref(show->list[i].json);
    free(show->list);
    free(show->spool);
    json_decref(show->unsent);
    registry_release(&show->registry);
}

int mail_log_show(const struct league *league, struct catalog *catalog, const struct mail_log_wish *wish,
                  bool json, struct err *err)
{
    char *id = wish->id ? id_of(league, wish->id) : NULL;
    bool chosen = (wish->player || id) && !wish->unanswered;
    int64_t since = wish->since ? wish->since : DAY, now = flag_now(wish->now);
    struct show show = {
        .league = league,
        .catalog = catalog,
        .spool = league_path(league, "spool"),
        .now = now,
        .unsent = json_object(),
        .unanswered = wish->unanswered,
        .wanted = {.since = chosen && !wish->since ? 0 : now - since, .player = wish->player, .id = id}};
    int rc = gather(&show, err);
    if (rc == 0 && show.count == 0 && chosen)
        rc = err_set(err, ERR_MISSING, "nothing is known of %s \"%.80s\"; mails are remembered for %lld days",
                     id ? "a mail" : "mails of", id ? id : wish->player,
                     (long long)(league->config.limits.mail_log / DAY));
    if (rc == 0)
        print_all(&show, json);
    show_release(&show);
    free(id);
    return rc;
}
