#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/zone.h"
#include "batch/budget.h"
#include "league/address.h"
#include "petitions/bound.h"
#include "play/deadline.h"
#include "petitions/moving.h"
#include "petitions/petition.h"
#include "petitions/registration.h"
#include "batch/tell.h"

extern const struct petition petition_prefs;

enum {
    HTML,
    PICTURES,
    JSON,
    REPORTS,
    OPTIONAL,
    DIGEST,
    REMINDER,
    ZONE,
    PUBLIC,
    DISPLAY,
    ADDRESS,
    ADDRESS2,
    CONFIRM
};

/* Digits of a number of at most two, taken from the text; -1 = there are none. */
static int take_two(struct slice *text)
{
    size_t digits = 0;
    int number = 0;
    while (digits < text->len && digits < 2 && text->p[digits] >= '0' && text->p[digits] <= '9')
        number = number * 10 + (text->p[digits++] - '0');
    *text = slice_sub(*text, digits, text->len);
    return digits ? number : -1;
}

/* "18" or "18:00". *minute: of a time between two hours, else 0. */
static bool read_hour(struct slice text, int *hour, int *minute)
{
    *minute = 0;
    *hour = take_two(&text);
    if (*hour < 0 || *hour > 23)
        return false;
    if (!text.len)
        return true;
    if (text.len != 3 || (text.p[0] != ':' && text.p[0] != '.'))
        return false;
    text = slice_sub(text, 1, text.len);
    *minute = take_two(&text);
    return !text.len && *minute >= 0 && *minute < 60;
}

/* When reports come: "each move", or "decisions": when the player has to decide. */
static bool take_reports(struct hearing *hearing, struct player *player)
{
    struct slice value = hearing->value[REPORTS];
    player->each_move = slice_caseeq(value, "each move");
    if (player->each_move || slice_caseeq(value, "decisions"))
        return true;
    (void)hearing_refuse(hearing, "reports_takes");
    return false;
}

/* "yes", "no", or the hour at which it comes. */
static bool take_digest(struct hearing *hearing, struct player *player)
{
    struct slice value = hearing->value[DIGEST];
    int hour, minute;
    if (slice_caseeq(value, "yes") || slice_caseeq(value, "no")) {
        player->digest = slice_caseeq(value, "yes");
        return true;
    }
    if (!read_hour(value, &hour, &minute)) {
        (void)hearing_refuse(hearing, "digest_takes");
        return false;
    }
    if (minute) {
        (void)hearing_refuse(hearing, "digest_hours hour=%d next=%d", hour, (hour + 1) % 24);
        return false;
    }
    player->digest = true;
    player->digest_hour = hour;
    return true;
}

/* What is kept is who does not want it. */
static bool take_refusal(struct hearing *hearing, int field, bool *refuses)
{
    bool wanted = true;
    bool good = hearing_bool(hearing, field, &wanted);
    *refuses = !wanted;
    return good;
}

static bool take_reminder(struct hearing *hearing, struct player *player)
{
    if (slice_caseeq(hearing->value[REMINDER], "no")) {
        player->reminder_hours = 0;
        return true;
    }
    if (hearing_number(hearing, REMINDER, 0, PLAYER_REMINDER, &player->reminder_hours))
        return true;
    reason_clear(&hearing->refusal);
    (void)hearing_refuse(hearing, "reminder_takes most=%d", PLAYER_REMINDER);
    return false;
}

static bool take_zone(struct hearing *hearing, struct player *player)
{
    struct zone *zone = NULL;
    struct err ignored = ERR_INIT;
    struct slice value = hearing->value[ZONE];
    if (slice_caseeq(value, "no")) {
        player->zone[0] = '\0';
        return true;
    }
    (void)snprintf(player->zone, sizeof player->zone, "%.*s", (int)value.len, value.p);
    const bool known = value.len < sizeof player->zone && zone_load(player->zone, &zone, &ignored) == 0;
    zone_free(zone);
    if (!known)
        (void)hearing_refuse(hearing, "zone_takes");
    return known;
}

static bool take_address(struct hearing *hearing, int field, char address[PLAYER_ADDRESS])
{
    struct err why = ERR_INIT;
    struct slice value = hearing->value[field];
    if (value.len >= PLAYER_ADDRESS) {
        (void)hearing_refuse(hearing, "address_long");
        return false;
    }
    memcpy(address, value.p, value.len);
    address[value.len] = '\0';
    if (address_check(address, &why) == 0)
        return true;
    reason_err(&hearing->refusal, &why);
    return false;
}

static bool take_plain(struct hearing *hearing, struct player *player)
{
    return (!hearing->value[HTML].p || hearing_bool(hearing, HTML, &player->html)) &&
           (!hearing->value[PICTURES].p || take_refusal(hearing, PICTURES, &player->no_pictures)) &&
           (!hearing->value[JSON].p || hearing_bool(hearing, JSON, &player->json)) &&
           (!hearing->value[REPORTS].p || take_reports(hearing, player)) &&
           (!hearing->value[OPTIONAL].p || take_refusal(hearing, OPTIONAL, &player->quiet)) &&
           (!hearing->value[DIGEST].p || take_digest(hearing, player)) &&
           (!hearing->value[REMINDER].p || take_reminder(hearing, player)) &&
           (!hearing->value[PUBLIC].p || hearing_bool(hearing, PUBLIC, &player->is_public)) &&
           (!hearing->value[DISPLAY].p || hearing_display(hearing, DISPLAY, player->display)) &&
           (!hearing->value[ZONE].p || take_zone(hearing, player));
}

/* Is it somebody else's? Then nothing is mailed to it, but the answer does not reveal that it is one. */
static bool is_taken(const struct hearing *hearing, const char *address)
{
    const struct player *other = registry_by_address(&hearing->batch->registry, address);
    return other && strcmp(other->name, hearing->player) != 0;
}

/* A new address counts when the text comes again with the word that is mailed to it. Call it after the record
 * of the text. */
static int ask(struct hearing *hearing, const struct confirm *what, struct err *err)
{
    struct batch *batch = hearing->batch;
    bool allowed = false;
    if (is_taken(hearing, what->address))
        return 0;
    if (budget_address(batch, what->address, &allowed, err))
        return -1;
    if (!allowed)
        return 0;
    json_t *facts = registration_asked_address(batch, what);
    int rc = tell_address(batch, &(struct tell){.words = "confirm", .facts = facts}, what->address, "", err);
    json_decref(facts);
    return rc;
}

/* The word came back. */
static enum outcome move(struct hearing *hearing, const struct confirm *what, struct player *player,
                         struct err *err)
{
    struct batch *batch = hearing->batch;
    if (!confirm_good(batch, what, hearing->value[CONFIRM]))
        return hearing_refuse(hearing, "confirm_address");
    if (is_taken(hearing, what->address))
        return hearing_refuse(hearing, "address_gone");
    (void)snprintf(what->use == CONFIRM_SECOND ? player->address2 : player->address, PLAYER_ADDRESS, "%s",
                   what->address);
    json_t *evidence = hearing_evidence(hearing);
    int rc = registration_move(batch, player, hearing->player, evidence, hearing->msg, err);
    json_decref(evidence);
    return rc;
}

static json_t *facts_of(const struct config *config, const struct player *player, const char *asked)
{
    int hours = (int)(player_reminder(player, config) / 3600);
    json_t *facts = json_pack("{s:b,s:b,s:b,s:b,s:b,s:i,s:s,s:s}", "html", player->html, "json", player->json,
                              "each_move", player->each_move, "digest", player->digest, "reminds", hours > 0,
                              "hours", hours, "address", player->address, "address2", player->address2);
    json_object_set_new(facts, "has_second", json_boolean(*player->address2 != '\0'));
    json_object_set_new(facts, "optional", json_boolean(!player->quiet));
    if (config->outgoing.pictures)
        json_object_set_new(facts, "league_pictures", json_pack("{s:b}", "pictures", !player->no_pictures));
    json_object_set_new(facts, "public", json_boolean(player->is_public));
    json_object_set_new(facts, "name", json_string(player->name));
    if (*player->display)
        json_object_set_new(facts, "called", json_pack("{s:s}", "display", player->display));
    if (*player->zone)
        json_object_set_new(facts, "zone", json_string(player->zone));
    char hour[8];
    (void)snprintf(hour, sizeof hour, "%02d:00", player->digest_hour);
    json_object_set_new(facts, "digest_hour", json_string(hour));
    if (*asked)
        json_object_set_new(facts, "asked", json_string(asked));
    return facts;
}

/* What the answer says first: "given": {"list": [{"name","value","more"}]}, the settings as they were typed; "mails", where it
 * is no more than which mails come, as after "stop". */
static void put_given(const struct hearing *hearing, json_t *facts)
{
    json_t *list = json_array(), *last = NULL;
    for (int i = HTML; i <= DISPLAY; i++) {
        if (!hearing->value[i].p)
            continue;
        if (last)
            json_object_set_new(last, "more", json_true());
        last =
            json_pack("{s:s,s:o}", "name", petition_prefs.fields[i], "value", json_text(hearing->value[i]));
        json_array_append_new(list, last);
    }
    const bool mails = json_array_size(list) == 1 && hearing->value[OPTIONAL].p;
    json_object_set_new(facts, "mails", json_boolean(mails));
    if (json_array_size(list) && !mails)
        json_object_set_new(facts, "given", json_pack("{s:O}", "list", list));
    json_decref(list);
}

static bool nothing_given(const struct hearing *hearing)
{
    for (int i = HTML; i <= ADDRESS2; i++)
        if (hearing->value[i].p)
            return false;
    return true;
}

static int record(struct hearing *hearing, const struct player *player, struct err *err)
{
    json_t *evidence = hearing_evidence(hearing);
    struct registry_change change = {.what = "prefs", .player = player, .evidence = evidence};
    int rc = batch_change(hearing->batch, &change, err);
    json_decref(evidence);
    return rc;
}

/* A text that only repeats the present settings changes nothing and leaves no record; an address to be proved
 * does leave one: its mail belongs to it. */
static int change(struct hearing *hearing, const struct player *player, const struct confirm *asked,
                  struct err *err)
{
    const struct player old = *registry_find(&hearing->batch->registry, hearing->player);
    json_t *before = player_document(&old, err);
    json_t *after = player_document(player, err);
    int rc = before && after ? 0 : -1;
    if (rc == 0 && (*asked->address || !json_equal(before, after)))
        rc = record(hearing, player, err);
    if (rc == 0)
        rc = registration_tell_lost(hearing->batch, &old, player, NULL, err);
    json_decref(before);
    json_decref(after);
    if (rc == 0 && *asked->address)
        rc = ask(hearing, asked, err);
    hearing->answer = "prefs";
    hearing->facts = facts_of(&hearing->batch->league->config, player, asked->address);
    put_given(hearing, hearing->facts);
    return rc;
}

/* By the word of a mail domain: both mailboxes have to agree, and what takes a second one away waits (petitions/moving.h). */
static enum outcome ask_by_mail(struct hearing *hearing, struct player *player, const struct confirm *what,
                                struct err *err)
{
    bool second = what->use == CONFIRM_SECOND, waits = second && *player->address2;
    if (!hearing->came.agreed)
        return hearing_refuse(hearing, "word_missing verb=%s", hearing->petition->verb);
    if (strcasecmp(hearing->msg->from, player->address) != 0)
        return hearing_refuse(hearing, "address_from address=%s", player->address);
    if (player->move.time &&
        strcmp(player->move.by, player->name) != 0) /* else nobody would be told that it ended */
        return hearing_refuse(hearing, "address_lost moderator=%s address=%s", player->move.by,
                              player->move.address);
    player->move =
        (struct player_move){.time = hearing->batch->now + (waits ? MOVE_WAIT : 0), .second = second};
    (void)snprintf(player->move.address, sizeof player->move.address, "%s", what->address);
    (void)snprintf(player->move.by, sizeof player->move.by, "%s", player->name);
    json_t *evidence = hearing_evidence(hearing);
    int rc = moving_ask(hearing->batch, player, evidence, hearing->msg, err);
    json_decref(evidence);
    return rc ? OUTCOME_FAILED : OUTCOME_DONE;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct player player = *registry_find(&hearing->batch->registry, hearing->player);
    char asked[PLAYER_ADDRESS] = "";
    bool second = hearing->value[ADDRESS2].p != NULL, allowed = true;
    int field = second ? ADDRESS2 : ADDRESS;
    struct confirm what = {second ? CONFIRM_SECOND : CONFIRM_ADDRESS, player.name, asked, NULL};
    if (nothing_given(hearing))
        return hearing_refuse(hearing, "prefs_nothing");
    if (second && hearing->value[ADDRESS].p)
        return hearing_refuse(hearing, "one_address");
    if (!take_plain(hearing, &player))
        return OUTCOME_REFUSED;
    bool dropped = second && slice_caseeq(hearing->value[ADDRESS2], "no");
    bool by_mail = hearing->proof && (*player.address2 || !dropped); /* else there is nothing to drop */
    if (dropped && !hearing->proof)
        player.address2[0] = '\0';
    if (!dropped && hearing->value[field].p && !take_address(hearing, field, asked))
        return OUTCOME_REFUSED;
    if (hearing->value[CONFIRM].p)
        return *asked ? move(hearing, &what, &player, err) : hearing_refuse(hearing, "confirm_alone");
    if (*asked && budget_move(hearing->batch, player.name, &allowed, err))
        return OUTCOME_FAILED;
    if (!allowed)
        return hearing_refuse(hearing, "enough_mail");
    return by_mail && hearing->value[field].p ? ask_by_mail(hearing, &player, &what, err)
                                              : change(hearing, &player, &what, err);
}

/* ---- the form ---- */

static void put_flag(json_t *lines, const char *name, bool value)
{
    bound_line(lines, "%s: %s", name, value ? "yes" : "no");
}

/* Settings as they are: the text as it stands changes nothing. What is not set, or would be asked for again,
 * is a comment. */
static void put_settings(json_t *lines, const struct player *player, const struct config *config)
{
    put_flag(lines, "html", player->html);
    if (config->outgoing.pictures)
        put_flag(lines, "pictures", !player->no_pictures);
    put_flag(lines, "json", player->json);
    bound_line(lines, "reports: %s", player->each_move ? "each move" : "decisions");
    put_flag(lines, "optional", !player->quiet);
    if (player->digest)
        bound_line(lines, "digest: %02d:00", player->digest_hour);
    else
        put_flag(lines, "digest", false);
    if (player->reminder_hours < 0)
        bound_line(lines, "# reminder: %d", (int)(config->clock.reminder / 3600));
    else
        bound_line(lines, "reminder: %d", player->reminder_hours);
    bound_line(lines, "zone: %s", *player->zone ? player->zone : "no");
    put_flag(lines, "public", player->is_public);
    bound_line(lines, "display: %s", *player->display ? player->display : "no");
    bound_line(lines, "# address: %s", player->address);
    bound_line(lines, "# second: %s", *player->address2 ? player->address2 : "anna@example.org");
}

static json_t *write(const struct hearing *hearing)
{
    const struct batch *batch = hearing->batch;
    const struct player *player = hearing->player ? registry_find(&batch->registry, hearing->player) : NULL;
    if (!player)
        return NULL;
    json_t *lines = json_array();
    bound_line(lines, "#turnpost prefs");
    bound_form(lines, hearing, &petition_prefs);
    put_settings(lines, player, &batch->league->config);
    bound_line(lines, "#end");
    return lines;
}

const struct petition petition_prefs = {
    .verb = "prefs",
    .needs = PETITION_MAIL,
    .fields = {[HTML] = "html",
               [PICTURES] = "pictures",
               [JSON] = "json",
               [REPORTS] = "reports",
               [OPTIONAL] = "optional",
               [DIGEST] = "digest",
               [REMINDER] = "reminder",
               [ZONE] = "zone",
               [PUBLIC] = "public",
               [DISPLAY] = "display",
               [ADDRESS] = "address",
               [ADDRESS2] = "second",
               [CONFIRM] = "confirm"},
    .keyed = PETITION_FIELD(CONFIRM),
    .write = write,
    .act = act,
};
