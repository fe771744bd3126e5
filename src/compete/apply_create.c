/* The first record of a competition: everything that is fixed before anybody enters. */
#include "compete/apply.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/version.h"
#include "compete/division.h"
#include "game/lockstep.h"

/* Times of the rounds: each draw after the end of the round before it, and a day after entries end. */
static int read_rounds(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *list = json_object_get(record->json, "rounds");
    int64_t before = c->terms.entries_until + DAY_SECONDS;
    size_t i;
    json_t *item;
    if (json_array_size(list) < 1 || json_array_size(list) > COMPETE_ROUNDS)
        return compete_broken(record, err, "it has no round, or too many");
    if (c->terms.confirm_until && c->terms.confirm_until < c->terms.entries_until)
        return compete_broken(record, err, "players would have to confirm before they have entered");
    if (c->terms.confirm_until)
        before = c->terms.confirm_until + DAY_SECONDS;
    json_array_foreach (list, i, item) {
        struct compete_round *round = &c->rounds[i];
        const char *draw = json_string_value(json_object_get(item, "draw"));
        const char *end = json_string_value(json_object_get(item, "end"));
        if (json_object_size(item) != 2 || !draw || !end || !clock_parse(slice_of(draw), &round->draw) ||
            !clock_parse(slice_of(end), &round->end) || round->draw < before || round->end <= round->draw)
            return compete_broken(
                record, err,
                "a round is drawn less than a day after entries end, or before the one before it ends");
        before = round->end;
    }
    c->round_count = (int)i;
    return 0;
}

static int read_ruleset(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *options = json_object_get(record->json, "options");
    int64_t version, seats;
    size_t known = 0;
    if (json_need_int(record->json, "version", 1, INT32_MAX, &version, "create", err))
        return -1;
    c->ruleset = ruleset_find(compete_text(record, "ruleset"), version);
    if (!c->ruleset)
        return version_newer(err, "ruleset %.40s, version %lld", compete_text(record, "ruleset"),
                             (long long)version);
    int least = c->kind == COMPETE_DUPLICATE || c->ruleset->seats_min > 2 ? c->ruleset->seats_min : 2;
    if (json_need_int(record->json, "seats", least, c->ruleset->seats_max, &seats, "create", err))
        return -1;
    c->seats = (int)seats;
    for (int i = 0; i < GAME_OPTIONS && c->ruleset->options[i].name; i++) {
        const struct game_option *option = &c->ruleset->options[i];
        const json_t *value = json_object_get(options, option->name);
        const json_int_t number = value ? json_integer_value(value) : option->initial;
        known += value != NULL;
        if (value && (!json_is_integer(value) || number < option->min || number > option->max))
            return compete_broken(record, err, "an option is out of its range");
        c->options[i] = (int)number;
    }
    return known == json_object_size(options)
               ? 0
               : version_newer(err, "one of its options of %s", c->ruleset->title);
}

static int read_numbers(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *json = record->json;
    int64_t bye, most = 0, pairing, next = 0;
    if (json_need_int(json, "pairing", 1, INT32_MAX, &pairing, "create", err) ||
        json_need_int(json, "protest", 0, 60 * DAY_SECONDS, &c->terms.protest, "create", err) ||
        json_need_int(json, "bye", 0, 100, &bye, "create", err) ||
        (json_object_get(json, "most") &&
         json_need_int(json, "most", 2, COMPETE_PLAYERS, &most, "create", err)) ||
        (json_object_get(json, "next") &&
         json_need_int(json, "next", DAY_SECONDS, 400 * DAY_SECONDS, &next, "create", err)))
        return -1;
    if (pairing > COMPETE_PAIRING)
        return version_newer(err, "pairing %lld", (long long)pairing);
    c->terms.bye = (int)bye;
    c->terms.most = (int)most;
    c->terms.next = next;
    return 0;
}

static int read_words(struct competition *c, const struct record *record, struct err *err)
{
    const char *adjudge = compete_text(record, "adjudge"), *trust = compete_text(record, "trust");
    const char *director = compete_text(record, "director");
    if (!compete_kind_read(compete_text(record, "kind"), &c->kind))
        return version_newer(err, "a competition of the kind \"%.40s\"", compete_text(record, "kind"));
    if (!compete_adjudge_read(adjudge, &c->terms.adjudge))
        return version_newer(err, "\"adjudge\": \"%.40s\"", adjudge);
    if (json_object_get(record->json, "trust") && strcmp(trust, "mail") != 0)
        return version_newer(err, "\"trust\": \"%.40s\"", trust);
    if (json_object_get(record->json, "director") &&
        (!name_valid(slice_of(director)) || strlen(director) >= PLAYER_NAME))
        return compete_broken(record, err, "\"director\" is no name");
    if (json_object_get(record->json, "previous") &&
        !compete_name_valid(slice_of(compete_text(record, "previous"))))
        return compete_broken(record, err, "\"previous\" names no competition");
    if (!json_object_get(record->json, "previous") != !json_object_get(record->json, "previous_head"))
        return compete_broken(record, err, "of the season before it has not both the name and the head");
    if (!*compete_text(record, "zone"))
        return compete_broken(record, err, "it has no zone");
    c->terms.by_mail = *trust != '\0';
    c->terms.rated = json_object_get(record->json, "rated") != NULL;
    memcpy(c->terms.director, director, strlen(director) + 1);
    return 0;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Who was in several of them would sit at more tables than there are players. */
static bool each_once(const json_t *divisions)
{
    size_t i, k, count = 0, most = 0;
    json_t *division, *one;
    bool once = true;
    json_array_foreach (divisions, i, division)
        most += json_array_size(division);
    const char **names = mem_array(most + 1, sizeof *names);
    json_array_foreach (divisions, i, division)
        json_array_foreach (division, k, one)
            names[count++] = json_string_value(json_object_get(one, "name"));
    qsort(names, count, sizeof *names, by_text);
    for (i = 1; i < count && once; i++)
        once = strcmp(names[i - 1], names[i]) != 0;
    free(names);
    return once;
}

static bool is_placed(const json_t *one)
{
    const char *name = json_string_value(json_object_get(one, "name"));
    const json_int_t place = json_integer_value(json_object_get(one, "place"));
    return json_object_size(one) == 2 && name && name_valid(slice_of(name)) && strlen(name) < PLAYER_NAME &&
           place >= 1 && place <= COMPETE_PLAYERS;
}

/* Divisions of the season before: lists of {"name","place"}. */
static int read_divisions(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *json = record->json;
    int64_t number, walkover;
    size_t i, k;
    json_t *division, *one;
    if (c->kind != COMPETE_DIVISIONS)
        return json_object_get(json, "divisions") || json_object_get(json, "promote") ||
                       json_object_get(json, "division_size") || json_object_get(json, "walkover")
                   ? compete_broken(record, err, "it has no divisions")
                   : 0;
    if (c->seats != 2)
        return compete_broken(record, err, "divisions are played by two at a table");
    if (json_need_int(json, "promote", 0, 4, &number, "create", err) ||
        json_need_int(json, "division_size", DIVISION_LEAST, DIVISION_MOST, &number, "create", err) ||
        json_need_int(json, "walkover", 0, 100, &walkover, "create", err))
        return -1;
    c->terms.walkover = (int)walkover;
    json_array_foreach (json_object_get(json, "divisions"), i, division) {
        json_array_foreach (division, k, one)
            if (!is_placed(one))
                return compete_broken(record, err, "its divisions cannot be read");
        if (k == 0)
            return compete_broken(record, err, "one of its divisions is empty");
    }
    return each_once(json_object_get(json, "divisions"))
               ? 0
               : compete_broken(record, err, "somebody is in its divisions twice");
}

/* Its games have the same, byte for byte, so it is written as they write it. */
static int read_clock(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *json = json_object_get(record->json, "clock");
    if (schedule_read(json, &c->clock, err))
        return -1;
    json_t *again = schedule_json(&c->clock);
    bool same = json_equal(json, again);
    json_decref(again);
    return same ? 0 : compete_broken(record, err, "its clock cannot be read");
}

/* The operator's own players: they may know the deal. */
static int read_outside(const struct record *record, struct err *err)
{
    const json_t *list = json_object_get(record->json, "outside");
    const char *before = "";
    size_t i;
    json_t *one;
    if (list && json_array_size(list) == 0)
        return compete_broken(record, err, "\"outside\" names nobody");
    json_array_foreach (list, i, one) {
        const char *name = json_string_value(one);
        if (!name || !name_valid(slice_of(name)) || strlen(name) >= PLAYER_NAME || strcmp(name, before) <= 0)
            return compete_broken(record, err, "\"outside\" is no list of names in their order");
        before = name;
    }
    return 0;
}

/* What the same deal for all needs. */
static int read_duplicate(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *json = record->json;
    int64_t robots;
    if (c->kind != COMPETE_DUPLICATE)
        return json_object_get(json, "field") || json_object_get(json, "outside")
                   ? compete_broken(record, err, "it has no duplicate deals")
                   : 0;
    if (!c->ruleset->draws_nothing)
        return err_set(
            err, ERR_BROKEN,
            "record %lld (%s): %s draws cards or dice after the deal, so its deals cannot be compared",
            (long long)record->seq, record->type, c->ruleset->title);
    if (c->seats != 1)
        return compete_broken(record, err, "a duplicate deal is played by each alone");
    if (c->terms.bye || c->terms.adjudge != ADJUDGE_TIE)
        return compete_broken(record, err, "duplicate deals have no byes, and nobody rules on them");
    if (c->clock.slot_count || c->clock.length < HOUR_SECONDS || c->clock.length % HOUR_SECONDS ||
        c->clock.length > LOCKSTEP_HOURS_MOST * HOUR_SECONDS)
        return compete_broken(record, err, "the turns of a duplicate deal last whole hours");
    if (json_need_int(json, "field", 0, COMPETE_FIELD, &robots, "create", err) || read_outside(record, err))
        return -1;
    c->terms.field = (int)robots;
    return 0;
}

/* Who cosigns its draws and gives dice for them, and how long a round waits for them. */
static int read_witnesses(struct competition *c, const struct record *record, struct err *err)
{
    const char *wrong = quorum_read(&c->witnesses, record->json, c->keys.league);
    if (wrong)
        return compete_broken(record, err, wrong);
    if (!json_object_get(record->json, "unwitnessed"))
        return 0;
    if (!c->witnesses.count)
        return compete_broken(record, err, "it has no witnesses to go on without");
    return json_need_int(record->json, "unwitnessed", WITNESS_LATE, 60 * DAY_SECONDS, &c->terms.unwitnessed,
                         "create", err);
}

int compete_apply_create(struct competition *c, const struct record *record, struct err *err)
{
    if (!compete_hex(record, "league_key", c->keys.league, 32) ||
        !compete_hex(record, "vrf_key", c->keys.vrf, VRF_PUBLIC) || !vrf_key_good(c->keys.vrf) ||
        !compete_hex(record, "nonce", c->keys.nonce, 32) ||
        !compete_time(record, "entries_until", &c->terms.entries_until))
        return compete_broken(record, err, "a key or a time cannot be read");
    if (json_object_get(record->json, "confirm_until") &&
        !compete_time(record, "confirm_until", &c->terms.confirm_until))
        return compete_broken(record, err, "a time cannot be read");
    if (read_words(c, record, err) || read_ruleset(c, record, err) || read_numbers(c, record, err) ||
        read_rounds(c, record, err) || read_divisions(c, record, err) || read_clock(c, record, err) ||
        read_duplicate(c, record, err) || read_witnesses(c, record, err) ||
        conditions_read(&c->conditions, json_object_get(record->json, "conditions"), record, err))
        return -1;
    c->create = json_incref(record->json);
    memcpy(c->create_head, record->head, HEAD_BYTES);
    return 0;
}
