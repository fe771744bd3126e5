/* The first record of a game: everything that is fixed before anybody plays. */
#include "game/apply_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/press_note.h"

/* Press and standby settings. */
static int apply_manners(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    const json_t *json = a->record->json;
    int64_t missed;
    if (json_need_int(json, "missed_standby", 0, 1000, &missed, "create", err))
        return -1;
    if (!press_kind_read(apply_text(a, "press"), &game->press.kind))
        return apply_newer(a, err, "its \"press\": \"%.40s\"", apply_text(a, "press"));
    game->attendance.missed_standby = (int)missed;
    const char *delivery = apply_text(a, "press_delivery");
    game->press.by_report = strcmp(delivery, "report") == 0;
    if (!game->press.by_report && strcmp(delivery, "now") != 0)
        return apply_newer(a, err, "its \"press_delivery\": \"%.40s\"", delivery);
    game->press.proved = json_object_get(json, "press_signed") != NULL;
    if (game->press.proved &&
        (!json_is_true(json_object_get(json, "press_signed")) || game->press.kind != PRESS_WHITE))
        return apply_broken(a, err, "\"press_signed\" is for white press");
    game->observers.barred = json_is_false(json_object_get(json, "observers"));
    return 0;
}

/* The table, one entry per seat. */
static int apply_table(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    size_t i;
    json_t *item;
    const json_t *table = json_object_get(a->record->json, "table");
    const bool drawn = json_object_get(a->record->json, "compete") != NULL;
    if (json_array_size(table) != (size_t)game->seats)
        return apply_broken(a, err, "its table has not an entry for each seat");
    json_array_foreach (table, i, item) {
        const char *entry = json_string_value(item);
        const char *colon = entry ? strchr(entry, ':') : NULL;
        if (!entry || strlen(entry) >= GAME_TABLE ||
            (*entry && !name_valid(slice_of(colon ? colon + 1 : entry))) ||
            (colon && !str_starts(entry, "robot:") && !str_starts(entry, "for:")))
            return apply_broken(a, err, "its table cannot be read");
        if (*entry && !colon && !drawn)
            return apply_broken(a, err, "its table seats a player who has not joined");
        memcpy(game->table.entry[i + 1], entry, strlen(entry) + 1);
    }
    return 0;
}

/* Nothing was released before the versions that this program reads. */
static int apply_older(const struct applying *a, struct err *err, const char *name, int64_t number, int known)
{
    return err_set(err, ERR_BROKEN, "record %lld (create): its \"%s\" is %lld, and this Turnpost reads %d",
                   (long long)a->record->seq, name, (long long)number, known);
}

/* A number by which programs tell versions apart. */
static int apply_version(struct applying *a, const char *name, int known, struct err *err)
{
    int64_t number;
    if (json_need_int(a->record->json, name, 1, INT32_MAX, &number, "create", err))
        return -1;
    if (number > known)
        return apply_newer(a, err, "its \"%s\": %lld", name, (long long)number);
    return number < known ? apply_older(a, err, name, number, known) : 0;
}

static int apply_format(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (apply_version(a, "format", GAME_FORMAT, err) ||
        apply_version(a, "views", game->ruleset->views, err) ||
        apply_version(a, "language", ORDER_LANGUAGE, err))
        return -1;
    if (!apply_hex(a, "nonce", game->draws.nonce, SEAL_NONCE))
        return apply_broken(a, err, "its nonce is not 64 hex digits");
    if (*apply_text(a, "answer_by") &&
        !clock_parse(slice_of(apply_text(a, "answer_by")), &game->table.answer_by))
        return apply_broken(a, err, "its \"answer_by\" is no time");
    return apply_table(a, err);
}

/* Games that say nothing of it know keys only. */
static int apply_trust(struct applying *a, struct err *err)
{
    const json_t *trust = json_object_get(a->record->json, "trust");
    if (trust && strcmp(apply_text(a, "trust"), "mail") != 0)
        return apply_newer(a, err, "its \"trust\": \"%.40s\"", apply_text(a, "trust"));
    a->game->table.by_mail = trust != NULL;
    return 0;
}

/* After which game its players wanted another one. */
static int apply_rematch(struct applying *a, struct err *err)
{
    const json_t *json = a->record->json;
    unsigned char head[HEAD_BYTES];
    bool named = json_object_get(json, "rematch") != NULL;
    if (named != (json_object_get(json, "rematch_head") != NULL))
        return apply_broken(a, err, "\"rematch\" and \"rematch_head\" go together");
    if (named &&
        (!name_valid(slice_of(apply_text(a, "rematch"))) || !apply_hex(a, "rematch_head", head, sizeof head)))
        return apply_broken(a, err, "\"rematch\" is no game with a head");
    return 0;
}

/* Its place in a competition, whose draw gave its table and its nonce. */
static int apply_place(struct applying *a, struct err *err)
{
    struct game_place *place = &a->game->table.place;
    const json_t *json = json_object_get(a->record->json, "compete");
    const char *name, *head;
    int64_t round, table, attempt;
    if (!json)
        return 0;
    const json_t *until = json_object_get(json, "until");
    if (json_object_size(json) != (until ? 6 : 5))
        return apply_broken(a, err, "\"compete\" has five members, and perhaps \"until\"");
    if (until && (!json_is_string(until) || !clock_parse(slice_of(json_string_value(until)), &place->until) ||
                  place->until <= 0))
        return apply_broken(a, err, "\"until\" is no time");
    if (json_need_string(json, "name", &name, "compete", err) ||
        json_need_string(json, "head", &head, "compete", err) ||
        json_need_int(json, "round", 1, 1000, &round, "compete", err) ||
        json_need_int(json, "table", 1, 100000, &table, "compete", err) ||
        json_need_int(json, "attempt", 1, 1000, &attempt, "compete", err))
        return -1;
    if (!name_valid(slice_of(name)) || strlen(name) >= GAME_NAME ||
        !hex_decode(place->head, HEAD_BYTES, slice_of(head)))
        return apply_broken(a, err, "\"compete\" is no table of a competition");
    memcpy(place->name, name, strlen(name) + 1);
    place->round = (int)round;
    place->table = (int)table;
    place->attempt = (int)attempt;
    return 0;
}

/* Each turn opens at a time of its own, for all games of the deal. */
static int apply_lockstep(struct applying *a, struct err *err)
{
    const struct game *game = a->game;
    const json_t *json = json_object_get(a->record->json, "lockstep");
    struct lockstep *lockstep = &a->game->clock.lockstep;
    if (!json)
        return 0;
    if (lockstep_read(json, lockstep, err) || lockstep_fits(lockstep, game->ruleset, err))
        return -1;
    if (json_object_get(a->record->json, "clock") || game->witnesses.count ||
        game->attendance.missed_standby || game->clock.typo_wait || game->clock.second_thoughts)
        return apply_broken(a, err, "it has \"lockstep\", and nothing else says when turns end");
    if (game->clock.turn_length != lockstep_length(lockstep))
        return apply_broken(a, err, "its turns have not the length that \"lockstep\" says");
    return 0;
}

/* How long orders keep their turn open. */
static int apply_patience(struct applying *a, struct err *err)
{
    struct game_clock *clock = &a->game->clock;
    const json_t *json = a->record->json;
    const json_t *typo_wait = json_object_get(json, "typo_wait");
    const json_t *thoughts = json_object_get(json, "second_thoughts");
    if (typo_wait && !json_is_true(typo_wait))
        return apply_broken(a, err, "its \"typo_wait\" is not true");
    if (thoughts && json_need_int(json, "second_thoughts", 1, SECOND_THOUGHTS_MOST, &clock->second_thoughts,
                                  "create", err))
        return -1;
    clock->typo_wait = typo_wait != NULL;
    return 0;
}

/* Every option of a game has to be known. */
static int known_options(struct applying *a, const json_t *options, struct err *err)
{
    const struct game_option *known = a->game->ruleset->options;
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)options, name, value) {
        int i = 0;
        while (i < GAME_OPTIONS && known[i].name && strcmp(known[i].name, name) != 0)
            i++;
        if (i == GAME_OPTIONS || !known[i].name)
            return apply_newer(a, err, "its option \"%.40s\"", name);
    }
    return 0;
}

/* The rules of the version that the game was made with. All versions from 1 on are in the table; a higher one
 * was made by a newer program. */
static int find_rules(struct applying *a, struct err *err)
{
    const char *name = apply_text(a, "ruleset");
    int64_t version;
    if (!ruleset_newest(name))
        return apply_newer(a, err, "its ruleset \"%.40s\"", name);
    if (json_need_int(a->record->json, "version", 1, 10000, &version, "create", err))
        return -1;
    const struct ruleset *known = ruleset_newest(name);
    a->game->ruleset = ruleset_find(name, version);
    if (!known || version > known->version)
        return apply_newer(a, err, "version %lld of its ruleset \"%s\"", (long long)version, name);
    return a->game->ruleset ? 0 : apply_older(a, err, "version", version, known->version);
}

int apply_create(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    const json_t *json = a->record->json;
    int64_t seats, turn_length, missed_robot;
    unsigned char cards[32];
    if (game->seq != 0)
        return apply_broken(a, err, "only the first record creates a game");
    if (find_rules(a, err) ||
        json_need_int(json, "seats", game->ruleset->seats_min, game->ruleset->seats_max, &seats, "create",
                      err) ||
        json_need_int(json, "turn_length", 0, INT32_MAX, &turn_length, "create", err) ||
        json_need_int(json, "missed_robot", 0, 1000, &missed_robot, "create", err))
        return -1;
    if (!apply_hex(a, "league_key", game->journal.league_key, 32) ||
        !apply_hex(a, "vrf_key", game->draws.key, 32) ||
        !apply_hex(a, "seal_key", game->journal.seal_commitment, 32) || !apply_hex(a, "cards", cards, 32))
        return apply_broken(a, err, "a key or digest is not 64 hex digits");
    if (game_set_cards(game, json_object_get(json, "card_data"), err))
        return -1;
    if (memcmp(cards, game->cards_digest, 32) != 0)
        return apply_broken(a, err, "the cards are not the ones whose digest it names");
    const json_t *options = json_object_get(json, "options");
    if (known_options(a, options, err))
        return -1;
    for (int i = 0; i < GAME_OPTIONS && game->ruleset->options[i].name; i++) {
        const json_t *value = json_object_get(options, game->ruleset->options[i].name);
        game->options[i] = value ? (int)json_integer_value(value) : game->ruleset->options[i].initial;
    }
    game->seats = (int)seats;
    game->clock.turn_length = turn_length;
    schedule_init(&game->clock.schedule);
    game->clock.schedule.length = turn_length;
    const json_t *clock = json_object_get(json, "clock");
    if (clock &&
        (schedule_read(clock, &game->clock.schedule, err) || game->clock.schedule.length != turn_length))
        return apply_broken(a, err, "its clock cannot be read");
    game->attendance.missed_robot = (int)missed_robot;
    if (apply_manners(a, err) || apply_witnesses(a, err) || apply_format(a, err) || apply_patience(a, err) ||
        apply_trust(a, err) || apply_rematch(a, err) || apply_place(a, err) || apply_lockstep(a, err))
        return -1;
    free(game->state);
    game->state = mem_alloc(game->ruleset->state_size);
    memcpy(game->journal.create_head, a->record->head, HEAD_BYTES);
    game->journal.create_time = a->record->time;
    game->clock.dated = a->record->time;
    return game->ruleset->init(game->cards, game->seats, game->options, game->state, err);
}
