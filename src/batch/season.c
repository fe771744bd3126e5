#include "batch/season.h"

#include <ctype.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/log.h"
#include "batch/competing_mails.h"
#include "compete/ranking.h"
#include "game/seat_keys.h"
#include "league/roster.h"

/* ---- names ---- */

bool season_owns(const struct batch *batch, const char *game)
{
    char name[COMPETE_NAME];
    size_t len = strcspn(game, ".");
    if (len >= sizeof name)
        return false;
    memcpy(name, game, len);
    name[len] = '\0';
    return competing_has(batch, name);
}

/* Games that a competition of this name would have to make may be there already. */
static int refuse_games(const struct batch *batch, const char *name, struct err *err)
{
    struct file_names names;
    size_t len = strlen(name);
    int rc = store_games(batch->store, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        if (strncmp(names.name[i], name, len) == 0 && (!names.name[i][len] || names.name[i][len] == '.'))
            rc = err_set(err, ERR_INPUT, "there is a game \"%s\" already", names.name[i]);
    file_names_free(&names);
    return rc;
}

int season_name(const struct batch *batch, const char *name, struct err *err)
{
    static const char *const reserved[] = {"mail", "any", "results", REGISTRY_GAME};
    bool free = compete_name_valid(slice_of(name));
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        free &= strcmp(name, reserved[i]) != 0;
    if (!free)
        return err_set(err, ERR_INPUT, "\"%s\" cannot name a competition: use up to %d of a-z 0-9 - _", name,
                       COMPETE_NAME - 1);
    if (competing_has(batch, name) || roster_had(batch->league->dir, name))
        return err_set(err, ERR_INPUT, "there is a competition \"%s\" already", name);
    return refuse_games(batch, name, err);
}

void season_count_up(char out[COMPETE_NAME], const char *name)
{
    char number[16];
    size_t stem = strlen(name);
    while (stem && isdigit((unsigned char)name[stem - 1]) && strlen(name) - stem < 6)
        stem--;
    bool counted = stem && name[stem];
    if (!counted)
        stem = strlen(name);
    int len = counted ? snprintf(number, sizeof number, "%ld", strtol(name + stem, NULL, 10) + 1)
                      : snprintf(number, sizeof number, "-2");
    size_t room = COMPETE_NAME - 1 - (size_t)len;
    (void)snprintf(out, COMPETE_NAME, "%.*s%s", (int)(stem < room ? stem : room), name, number);
}

/* ---- times ---- */

int64_t season_later(const struct zone *zone, int64_t time, int64_t seconds)
{
    int64_t day;
    int second;
    zone_local(zone, time, &day, &second);
    return zone_time(zone, day + seconds / DAY_SECONDS, second) + seconds % DAY_SECONDS;
}

/* The same calendar, as many whole days later as it takes. */
struct shifted {
    const struct zone *zone;
    int64_t days;
    int64_t rounds[COMPETE_ROUNDS][2];
};
static int64_t shift(const struct shifted *by, int64_t time)
{
    return season_later(by->zone, time, by->days * DAY_SECONDS);
}

static void shift_rounds(struct shifted *by, const struct competition *c, int64_t now)
{
    int64_t over = c->rounds[c->round_count - 1].end, first = c->rounds[0].draw;
    if (over < now - c->terms.protest)
        over = now - c->terms.protest; /* a ruling came late: people have their time to enter all the same */
    by->days = (over + c->terms.next - first + DAY_SECONDS - 1) / DAY_SECONDS;
    if (by->days < 1)
        by->days = 1;
    while (shift(by, c->terms.entries_until) < now + SEASON_ROOM)
        by->days++;
    for (int i = 0; i < c->round_count; i++) {
        by->rounds[i][0] = shift(by, c->rounds[i].draw);
        by->rounds[i][1] = shift(by, compete_planned_end(&c->rounds[i]));
    }
}

/* ---- what stays from season to season ---- */

void season_follow(const struct batch *batch, struct new_competition *how, const struct competition *previous)
{
    const json_t *old = previous->create;
    how->kind = previous->kind;
    how->ruleset = previous->ruleset; /* also its version: the same rules */
    memcpy(how->options, previous->options, sizeof how->options);
    how->seats = previous->seats;
    how->protest = previous->terms.protest;
    how->bye = previous->terms.bye;
    how->walkover = previous->terms.walkover;
    how->most = previous->terms.most;
    how->adjudge = previous->terms.adjudge;
    how->by_mail = previous->terms.by_mail && batch->league->config.league.trust == TRUST_MAIL;
    how->field = previous->terms.field;
    how->outside = json_object_get(old, "outside");
    how->rated = previous->terms.rated;
    how->conditions = &previous->conditions;
    how->zone = json_string_value(json_object_get(old, "zone"));
    how->director = *previous->terms.director ? previous->terms.director : NULL;
    how->clock = &previous->clock;
    how->promote = (int)json_integer_value(json_object_get(old, "promote"));
    how->division_size = (int)json_integer_value(json_object_get(old, "division_size"));
    how->next = previous->terms.next;
    how->unwitnessed = previous->terms.unwitnessed;
    if (quorum_read(&how->witnesses, old, previous->keys.league)) /* never: it was good there */
        quorum_release(&how->witnesses);
    how->previous = previous;
}

/* ---- making ---- */

int season_make(struct batch *batch, struct new_competition *how, struct batch_competition **out,
                struct err *err)
{
    struct competition c;
    struct compete_step step;
    randombytes_buf(how->nonce, sizeof how->nonce);
    competition_init(&c);
    competing_step(batch, &step);
    int rc = compete_create(&step, &c, how, err);
    if (rc == 0) {
        *out = competing_add(batch, &c);
        competing_take(*out, &step);
    } else {
        competition_release(&c);
    }
    compete_step_release(&step);
    return rc;
}

bool season_takes(const struct batch *batch, const struct competition *c, const char *name)
{
    const struct player *player = registry_find(&batch->registry, name);
    struct pubkey keys[KEYS_PER_PLAYER];
    return player && !player->banned &&
           (keyring_of(&batch->keyring, name, keys) > 0 || (c->terms.by_mail && player->by_mail));
}

bool season_counts(const struct batch *batch, const struct entrant *entrant)
{
    const struct player *player = registry_find(&batch->registry, entrant->name);
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = 0;
    struct err ignored = ERR_INIT;
    bool counts = seat_keys(json_object_get(entrant->entry, "signed"), keys, &count, &ignored) == 0 &&
                  count == 0 && player && player->by_mail;
    for (size_t i = 0; i < count && !counts; i++)
        counts = keyring_has(&batch->keyring, entrant->name, &keys[i]);
    return counts;
}

int season_put_lacking(struct batch *batch, const char *name, json_t *facts, struct err *err)
{
    json_t *entries = json_array();
    int rc = competing_all(batch, err);
    for (size_t i = 0; rc == 0 && i < batch->competitions.count; i++) {
        const struct batch_competition *entry = batch->competitions.list[i];
        const struct entrant *entrant = entry->broken ? NULL : competition_entrant(&entry->c, name);
        if (entrant && entrant->in && !entry->c.closed && !season_counts(batch, entrant))
            json_array_append_new(entries, json_pack("{s:s}", "competition", entry->c.name));
    }
    json_object_set_new(facts, "has_entries", json_boolean(json_array_size(entries) > 0));
    json_object_set_new(facts, "entries", entries);
    return rc;
}

static int withdraw(struct batch *batch, struct batch_competition *entry, const char *name, struct err *err)
{
    struct compete_step step;
    json_t *evidence = json_pack("{s:s}", "by", "league");
    competing_step(batch, &step);
    int rc = compete_entry(&step, &entry->c, "withdraw", name, evidence, err);
    competing_take(entry, &step);
    compete_step_release(&step);
    json_decref(evidence);
    return rc;
}

int season_leaves(struct batch *batch, const char *name, struct err *err)
{
    int rc = competing_all(batch, err);
    for (size_t i = 0; rc == 0 && i < batch->competitions.count; i++) {
        struct batch_competition *entry = batch->competitions.list[i];
        const struct entrant *entrant = competition_entrant(&entry->c, name);
        if (!entry->broken && !entry->c.closed && entrant && entrant->in)
            rc = withdraw(batch, entry, name, err);
    }
    return rc;
}

/* ---- the next one by itself ---- */

static bool follows(const struct competition *c, const struct competition *previous)
{
    const char *name = json_string_value(json_object_get(c->create, "previous"));
    return name && strcmp(name, previous->name) == 0;
}

static int find_next(struct batch *batch, const struct competition *previous, bool *found, struct err *err)
{
    *found = false;
    if (competing_all(batch, err))
        return -1;
    for (size_t i = 0; i < batch->competitions.count && !*found; i++) {
        const struct batch_competition *entry = batch->competitions.list[i];
        if (entry->broken)
            return err_set(err, ERR_BROKEN, "competition %s cannot be read, and may be the season after %s",
                           entry->c.name, previous->name);
        *found = follows(&entry->c, previous);
    }
    return 0;
}

/* Who played to the end, and may play again. */
static int ask_all(struct batch *batch, const struct batch_competition *next,
                   const struct competition *previous, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < previous->entrant_count; i++)
        if (previous->entrants[i].in && season_takes(batch, &next->c, previous->entrants[i].name))
            rc = competing_tell_invitation(batch, next, previous->entrants[i].name, true, err);
    return rc;
}

static int make_next(struct batch *batch, const struct competition *previous, struct batch_competition **out,
                     struct err *err)
{
    struct shifted by = {.zone = NULL};
    struct new_competition how = {.name = NULL};
    struct schedule clock = previous->clock;
    struct err why = ERR_INIT;
    char name[COMPETE_NAME];
    season_follow(batch, &how, previous);
    how.clock = &clock;
    by.zone = zones_find(&batch->zones, how.zone, err);
    if (err->code || schedule_take_zone(&clock, &batch->zones, batch->now, err))
        return -1;
    shift_rounds(&by, previous, batch->now);
    season_count_up(name, previous->name);
    for (int i = 0; i < 1000 && season_name(batch, name, &why); i++) {
        char before[COMPETE_NAME];
        memcpy(before, name, sizeof before);
        season_count_up(name, before);
        err_clear(&why);
    }
    json_t *divisions = ranking_divisions(previous);
    how.name = name;
    how.divisions = divisions;
    how.entries_until = shift(&by, previous->terms.entries_until);
    how.confirm_until = previous->terms.confirm_until ? shift(&by, previous->terms.confirm_until) : 0;
    how.rounds = (const int64_t(*)[2])by.rounds;
    how.round_count = previous->round_count;
    int rc = season_make(batch, &how, out, err);
    json_decref(divisions);
    return rc;
}

bool season_ends(const struct competition *c)
{
    return c->closed && c->terms.next &&
           c->round > 0; /* for a season in which nobody played there is no other one */
}

int season_go_on(struct batch *batch, struct batch_competition *entry, bool *made, struct err *err)
{
    struct batch_competition *next;
    bool found;
    *made = false;
    if (!season_ends(&entry->c))
        return 0;
    if (find_next(batch, &entry->c, &found, err))
        return -1;
    if (found)
        return 0;
    *made = true;
    return make_next(batch, &entry->c, &next, err) || ask_all(batch, next, &entry->c, err) ? -1 : 0;
}
