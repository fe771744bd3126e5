#include "game/cache.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/members.h"

#define CACHE_FORM "turnpost state 12 "
#define CACHE_MAC  ((size_t)32)

static void cache_mac(unsigned char mac[CACHE_MAC], const unsigned char master[32], struct slice body)
{
    crypto_generichash_state state;
    unsigned char key[32];
    crypto_kdf_derive_from_key(key, sizeof key, 2, "tp-cache", master);
    crypto_generichash_init(&state, key, sizeof key, CACHE_MAC);
    crypto_generichash_update(&state, (const unsigned char *)body.p, body.len);
    crypto_generichash_final(&state, mac, CACHE_MAC);
    sodium_memzero(key, sizeof key);
}

static json_t *hex_json(const void *bytes, size_t len)
{
    struct str text = STR_INIT;
    hex_encode(&text, bytes, len);
    json_t *value = json_stringn(text.p, text.len);
    str_release(&text);
    return value;
}

static bool json_hex(const json_t *object, const char *key, void *out, size_t len)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && hex_decode(out, len, slice_of(text));
}

static const char *text_member(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static json_t *marks_json(const struct game_mark *marks, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("[i,o]", marks[i].turn, hex_json(marks[i].digest, 32)));
    return list;
}

static int marks_read(const json_t *list, struct game_mark **marks, size_t *count, size_t *cap)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        const char *hex = json_string_value(json_array_get(item, 1));
        *marks = mem_grow(*marks, *count, cap, sizeof **marks);
        struct game_mark *mark = &(*marks)[*count];
        mark->turn = (int)json_integer_value(json_array_get(item, 0));
        if (!hex || !hex_decode(mark->digest, 32, slice_of(hex)))
            return -1;
        (*count)++;
    }
    return 0;
}

/* Keys were checked when they came; the document is authenticated, so they are not checked again. */
static json_t *key_json(const struct pubkey *key)
{
    return json_pack("[i,o,o,s]", (int)key->kind, hex_json(key->point, sizeof key->point),
                     hex_json(key->id, sizeof key->id), key->application);
}

static int key_read(json_t *json, struct pubkey *key)
{
    int kind;
    const char *point, *id, *application;
    if (json_unpack(json, "[i,s,s,s]", &kind, &point, &id, &application) != 0 || !key_kind_known(kind) ||
        !hex_decode(key->point, sizeof key->point, slice_of(point)) ||
        !hex_decode(key->id, sizeof key->id, slice_of(id)) || strlen(application) >= sizeof key->application)
        return -1;
    key->kind = (enum key_kind)kind;
    memcpy(key->application, application, strlen(application) + 1);
    return 0;
}

static json_t *keys_json(const struct pubkey *keys, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, key_json(&keys[i]));
    return list;
}

static int keys_read(const json_t *list, struct pubkey keys[KEYS_PER_PLAYER], size_t *count)
{
    size_t i;
    json_t *key;
    json_array_foreach (list, i, key) {
        if (i >= KEYS_PER_PLAYER || key_read(key, &keys[i]))
            return -1;
        *count = i + 1;
    }
    return 0;
}

static json_t *seat_json(const struct game_seat *seat)
{
    json_t *keys = keys_json(seat->keys, seat->key_count);
    const struct game_orders *orders = &seat->orders;
    json_t *json = json_pack(
        "{s:s,s:b,s:o,s:i,s:s,s:b,s:I,s:i,s:b,s:b,s:o,s:s,s:s}", "player", seat->player, "robot", seat->robot,
        "keys", keys, "missed", seat->missed, "standing", seat->standing.p, "in", orders->in, "record",
        (json_int_t)orders->record, "oseq", orders->seq, "wait", orders->wait, "json", orders->json, "seal",
        hex_json(orders->seal, SEAL_BYTES), "text", orders->text.p, "later", orders->later.p);
    json_object_set_new(json, "said", json_string(seat->said.p));
    json_object_set_new(json, "set", json_boolean(orders->set));
    json_object_set_new(json, "answers", json_integer(orders->answers));
    json_object_set_new(json, "texts", json_integer(seat->texts));
    json_object_set_new(json, "text_bytes", json_integer(seat->text_bytes));
    json_object_set_new(json, "drawn", json_boolean(seat->drawn));
    if (seat->late)
        json_object_set_new(json, "late", json_true());
    json_object_set_new(json, "people",
                        json_pack("[b,i,s,I,b,s,s,s]", seat->resigned, seat->press, seat->offered,
                                  (json_int_t)seat->offered_until, seat->offered_more, seat->asked.p,
                                  seat->owner, seat->took_back));
    return json;
}

static bool name_read(char out[PLAYER_NAME], const char *name)
{
    size_t len = strlen(name);
    if (len < PLAYER_NAME)
        memcpy(out, name, len + 1);
    return len < PLAYER_NAME;
}

static int seat_people_read(json_t *json, struct game_seat *seat)
{
    const char *offered, *asked, *owner, *took_back;
    json_int_t until;
    int resigned, more;
    if (json_unpack(json, "[b,i,s,I,b,s,s,s]", &resigned, &seat->press, &offered, &until, &more, &asked,
                    &owner, &took_back) != 0 ||
        !name_read(seat->offered, offered) || !name_read(seat->owner, owner) ||
        !name_read(seat->took_back, took_back))
        return -1;
    seat->resigned = resigned;
    seat->offered_until = until;
    seat->offered_more = more;
    str_adds(&seat->asked, asked);
    return 0;
}

static int seat_read(const json_t *json, struct game_seat *seat)
{
    const char *player, *standing, *text, *later, *said;
    json_t *keys;
    json_int_t record;
    int robot, in, wait, want_json;
    if (json_unpack((json_t *)(uintptr_t)json, "{s:s,s:b,s:o,s:i,s:s,s:b,s:I,s:i,s:b,s:b,s:s,s:s,s:s}",
                    "player", &player, "robot", &robot, "keys", &keys, "missed", &seat->missed, "standing",
                    &standing, "in", &in, "record", &record, "oseq", &seat->orders.seq, "wait", &wait, "json",
                    &want_json, "text", &text, "later", &later, "said", &said) != 0 ||
        strlen(player) >= sizeof seat->player || !json_hex(json, "seal", seat->orders.seal, SEAL_BYTES))
        return -1;
    memcpy(seat->player, player, strlen(player) + 1);
    seat->robot = robot;
    seat->drawn = json_is_true(json_object_get(json, "drawn"));
    seat->late = json_is_true(json_object_get(json, "late"));
    seat->orders.set = json_is_true(json_object_get(json, "set"));
    seat->orders.answers = json_integer_value(json_object_get(json, "answers"));
    seat->orders.in = in;
    seat->texts = (int)json_integer_value(json_object_get(json, "texts"));
    seat->text_bytes = json_integer_value(json_object_get(json, "text_bytes"));
    seat->orders.wait = wait;
    seat->orders.json = want_json;
    seat->orders.record = record;
    str_adds(&seat->standing, standing);
    str_adds(&seat->said, said);
    str_adds(&seat->orders.text, text);
    str_adds(&seat->orders.later, later);
    if (keys_read(keys, seat->keys, &seat->key_count))
        return -1;
    return seat_people_read(json_object_get(json, "people"), seat);
}

static json_t *people_json(const struct game *game)
{
    json_t *tallies = json_array();
    for (size_t i = 0; i < game->tally_count; i++)
        json_array_append_new(tallies,
                              json_pack("[s,i,i,i]", game->tallies[i].player, game->tallies[i].awaited,
                                        game->tallies[i].missed, game->tallies[i].resigned));
    json_t *answered = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        json_array_append_new(answered, json_integer(game->answered[seat]));
    return json_pack("{s:i,s:i,s:b,s:b,s:b,s:s,s:s,s:o*,s:o*,s:o,s:o}", "missed_standby",
                     game->missed_standby, "press", (int)game->press, "press_report", game->press_report,
                     "press_signed", game->press_signed, "private", game->private, "standby", game->standby.p,
                     "observers", game->observers.p, "press_wait", json_incref(game->press_wait),
                     "press_last", json_incref(game->press_last), "tallies", tallies, "answered", answered);
}

static int people_read(json_t *json, struct game *game)
{
    const char *standby, *observers;
    int press, report, private;
    json_t *tallies, *item;
    size_t i;
    if (json_unpack(json, "{s:i,s:i,s:b,s:b,s:s,s:s,s:o}", "missed_standby", &game->missed_standby, "press",
                    &press, "press_report", &report, "private", &private, "standby", &standby, "observers",
                    &observers, "tallies", &tallies) != 0)
        return -1;
    game->press = (enum press_kind)press;
    game->press_report = report;
    game->press_signed = json_is_true(json_object_get(json, "press_signed"));
    game->private = private;
    str_adds(&game->standby, standby);
    str_adds(&game->observers, observers);
    game->press_wait = json_incref(json_object_get(json, "press_wait"));
    game->press_last = json_incref(json_object_get(json, "press_last"));
    json_array_foreach (json_object_get(json, "answered"), i, item)
        if (i < SEATS_MAX)
            game->answered[i + 1] = json_integer_value(item);
    json_array_foreach (tallies, i, item) {
        struct game_tally tally;
        const char *name;
        if (json_unpack(item, "[s,i,i,i]", &name, &tally.awaited, &tally.missed, &tally.resigned) != 0 ||
            !name_read(tally.player, name))
            return -1;
        game->tallies = mem_grow(game->tallies, game->tally_count, &game->tally_cap, sizeof tally);
        game->tallies[game->tally_count++] = tally;
    }
    return 0;
}

static json_t *waiting_json(const struct game *game)
{
    json_t *list = json_array();
    for (size_t i = 0; i < game->waiting_count; i++) {
        const struct game_waiting *who = &game->waiting[i];
        json_array_append_new(list, json_pack("{s:s,s:o,s:o}", "player", who->player, "keys",
                                              keys_json(who->keys, who->key_count), "seal",
                                              hex_json(who->seal, SEAL_BYTES)));
    }
    return list;
}

static int waiting_read(const json_t *list, struct game *game)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        const char *player = text_member(item, "player");
        game->waiting =
            mem_grow(game->waiting, game->waiting_count, &game->waiting_cap, sizeof *game->waiting);
        struct game_waiting *who = &game->waiting[game->waiting_count];
        *who = (struct game_waiting){.key_count = 0};
        if (strlen(player) >= sizeof who->player || !json_hex(item, "seal", who->seal, SEAL_BYTES))
            return -1;
        memcpy(who->player, player, strlen(player) + 1);
        if (keys_read(json_object_get(item, "keys"), who->keys, &who->key_count))
            return -1;
        game->waiting_count++;
    }
    return 0;
}

static json_t *away_json(const struct game *game)
{
    json_t *list = json_array();
    for (size_t i = 0; i < game->away_count; i++) {
        const struct game_away *away = &game->away[i];
        json_array_append_new(list, json_pack("[s,i,i,I,I,I,i]", away->player, away->year, away->days,
                                              (json_int_t)away->until, (json_int_t)away->before,
                                              (json_int_t)away->until_before, away->open_days));
    }
    return list;
}

static int away_read(const json_t *list, struct game *game)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        const char *player;
        json_int_t until, before, until_before;
        game->away = mem_grow(game->away, game->away_count, &game->away_cap, sizeof *game->away);
        struct game_away *away = &game->away[game->away_count++];
        if (json_unpack(item, "[s,i,i,I,I,I,i]", &player, &away->year, &away->days, &until, &before,
                        &until_before, &away->open_days) != 0 ||
            strlen(player) >= sizeof away->player)
            return -1;
        memcpy(away->player, player, strlen(player) + 1);
        away->until = until;
        away->before = before;
        away->until_before = until_before;
    }
    return 0;
}

/* What the clock knows of the game. */
static json_t *clock_json(const struct game *game)
{
    json_t *votes = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        json_array_append_new(votes, json_integer(game->seat[seat].vote));
    return json_pack("{s:o,s:I,s:I,s:b,s:i,s:I,s:o,s:o,s:I}", "schedule", schedule_json(&game->clock),
                     "dated", (json_int_t)game->dated, "reminded", (json_int_t)game->reminded, "extended",
                     game->extended, "hold_turn", game->hold_turn, "hold_until", (json_int_t)game->hold_until,
                     "away", away_json(game), "votes", votes, "spared", (json_int_t)game->spared);
}

static int clock_read(const json_t *json, struct game *game, struct err *err)
{
    json_t *schedule, *away, *votes;
    json_int_t dated, reminded, until, spared;
    int extended;
    if (json_unpack((json_t *)(uintptr_t)json, "{s:o,s:I,s:I,s:b,s:i,s:I,s:o,s:o,s:I}", "schedule", &schedule,
                    "dated", &dated, "reminded", &reminded, "extended", &extended, "hold_turn",
                    &game->hold_turn, "hold_until", &until, "away", &away, "votes", &votes, "spared",
                    &spared) != 0)
        return -1;
    game->dated = dated;
    game->reminded = (uint32_t)reminded;
    game->extended = extended;
    game->hold_until = until;
    game->spared = spared;
    for (int seat = 1; seat <= game->seats; seat++)
        game->seat[seat].vote = json_integer_value(json_array_get(votes, (size_t)seat - 1));
    return schedule_read(schedule, &game->clock, err) || away_read(away, game) ? -1 : 0;
}

/* The witnesses, and the turn that waits for them. */
static json_t *witnesses_json(const struct game *game)
{
    json_t *list = json_array();
    for (int i = 0; i < game->witness_count; i++) {
        const struct game_witness *who = &game->witness[i];
        json_array_append_new(list,
                              json_pack("{s:s,s:o,s:o,s:b,s:b,s:o,s:b,s:o}", "player", who->player, "keys",
                                        keys_json(who->keys, who->key_count), "vrf",
                                        hex_json(who->vrf, VRF_PUBLIC), "answered", who->answered, "excused",
                                        who->excused, "beta", hex_json(who->beta, VRF_OUTPUT), "ever",
                                        who->ever, "last", hex_json(who->last, HEAD_BYTES)));
    }
    return json_pack("{s:o,s:b,s:o,s:I,s:I,s:I}", "list", list, "closed", game->closed, "head",
                     hex_json(game->closed_head, HEAD_BYTES), "from", (json_int_t)game->closed_from, "at",
                     (json_int_t)game->closed_at, "asked", (json_int_t)game->witness_asked);
}

static int witness_read(const json_t *json, struct game_witness *who)
{
    int answered, excused, ever;
    json_t *keys;
    if (json_unpack((json_t *)(uintptr_t)json, "{s:o,s:b,s:b,s:b}", "keys", &keys, "answered", &answered,
                    "excused", &excused, "ever", &ever) != 0 ||
        !name_read(who->player, text_member(json, "player")) ||
        !json_hex(json, "vrf", who->vrf, VRF_PUBLIC) || !json_hex(json, "beta", who->beta, VRF_OUTPUT) ||
        !json_hex(json, "last", who->last, HEAD_BYTES))
        return -1;
    who->answered = answered;
    who->excused = excused;
    who->ever = ever;
    return keys_read(keys, who->keys, &who->key_count);
}

static int witnesses_read(const json_t *json, struct game *game)
{
    size_t i;
    json_t *item;
    if (!json)
        return 0;
    if (!json_hex(json, "head", game->closed_head, HEAD_BYTES))
        return -1;
    game->closed = json_is_true(json_object_get(json, "closed"));
    game->closed_from = json_integer_value(json_object_get(json, "from"));
    game->closed_at = json_integer_value(json_object_get(json, "at"));
    game->witness_asked = json_integer_value(json_object_get(json, "asked"));
    json_array_foreach (json_object_get(json, "list"), i, item) {
        if (i >= WITNESSES_MAX || witness_read(item, &game->witness[i]))
            return -1;
        game->witness_count = (int)i + 1;
    }
    return 0;
}

/* What format 2 has more. */
static json_t *format_json(const struct game *game)
{
    json_t *table = json_array(), *marks = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        json_array_append_new(table, json_string(game->table[seat]));
    for (int seat = 1; seat <= game->seats; seat++)
        json_array_append_new(marks, hex_json(game->marks[seat], SEAL_BYTES));
    return json_pack("{s:i,s:i,s:o,s:o,s:I,s:o,s:o,s:i}", "number", game->format, "language", game->language,
                     "nonce", hex_json(game->nonce, SEAL_NONCE), "table", table, "answer_by",
                     (json_int_t)game->answer_by, "marks", marks, "deal", hex_json(game->deal, GAME_DEAL),
                     "rollbacks", game->rollbacks);
}

static int format_read(const json_t *json, struct game *game)
{
    size_t i;
    json_t *item;
    game->format = json ? (int)json_integer_value(json_object_get(json, "number")) : 1;
    game->language = json ? (int)json_integer_value(json_object_get(json, "language")) : 1;
    if (!json)
        return 0;
    game->answer_by = json_integer_value(json_object_get(json, "answer_by"));
    json_array_foreach (json_object_get(json, "table"), i, item) {
        const char *entry = json_string_value(item);
        if (i >= SEATS_MAX || !entry || strlen(entry) >= GAME_TABLE)
            return -1;
        memcpy(game->table[i + 1], entry, strlen(entry) + 1);
    }
    json_array_foreach (json_object_get(json, "marks"), i, item)
        if (i >= SEATS_MAX || !hex_decode(game->marks[i + 1], SEAL_BYTES, slice_of(json_string_value(item))))
            return -1;
    game->rollbacks = (int)json_integer_value(json_object_get(json, "rollbacks"));
    return json_hex(json, "nonce", game->nonce, SEAL_NONCE) && json_hex(json, "deal", game->deal, GAME_DEAL)
               ? 0
               : -1;
}

static json_t *game_json(const struct game *game)
{
    json_t *seats = json_array();
    json_t *options = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        json_array_append_new(seats, seat_json(&game->seat[seat]));
    for (int i = 0; i < GAME_OPTIONS; i++)
        json_array_append_new(options, json_integer(game->options[i]));
    json_t *json = json_pack(
        "{s:s,s:s,s:i,s:o,s:o,s:o, s:I,s:o,s:I,s:I,s:o,s:o,s:o,s:o, s:i,s:b,s:I,s:I,s:i,s:I,s:I,s:o,s:I,"
        "s:o,s:o,s:o,s:o*,s:o*,s:o}",
        "id", game->id, "ruleset", game->ruleset->name, "version", game->ruleset->version, "cards",
        hex_json(game->cards_digest, 32), "options", options, "seats", seats, "seq", (json_int_t)game->seq,
        "head", hex_json(game->head, HEAD_BYTES), "length", (json_int_t)game->length, "last_from",
        (json_int_t)game->last_from, "create_head", hex_json(game->create_head, HEAD_BYTES), "league_key",
        hex_json(game->league_key, 32), "vrf_key", hex_json(game->vrf_key, 32), "seal_commitment",
        hex_json(game->seal_commitment, 32), "turn", game->turn, "over", game->over, "deadline",
        (json_int_t)game->deadline, "turn_length", (json_int_t)game->turn_length, "missed_robot",
        game->missed_robot, "opened", (json_int_t)game->opened, "opened_seq", (json_int_t)game->opened_seq,
        "opened_head", hex_json(game->opened_head, HEAD_BYTES), "time", (json_int_t)game->time, "mails",
        marks_json(game->mails, game->mail_count), "heads", marks_json(game->heads, game->head_count),
        "texts", marks_json(game->texts, game->text_count), "events", json_incref(game->last_events),
        "instant", json_incref(game->instant_events), "state",
        fields_json(game->ruleset->fields, game->state));
    if (game->format >= 2)
        json_object_set_new(json, "format", format_json(game));
    json_object_set_new(json, "paused", json_boolean(game->paused));
    json_object_set_new(json, "paused_from", json_integer(game->paused_from));
    json_object_set_new(json, "undone", json_integer(game->undone));
    json_object_set_new(json, "voided", json_boolean(game->voided));
    json_object_set_new(json, "held", json_boolean(game->held));
    if (game->waiting_count)
        json_object_set_new(json, "waiting", waiting_json(game));
    json_object_set_new(json, "people", people_json(game));
    json_object_set_new(json, "clock", clock_json(game));
    if (game->witness_count)
        json_object_set_new(json, "witnesses", witnesses_json(game));
    if (game->skipped_count)
        json_object_set_new(json, "skipped", marks_json(game->skipped, game->skipped_count));
    return json;
}

/* What the program knew of records: the cache of a newer one, or of one that knew less, would hide some. */
static json_t *known_json(void)
{
    unsigned char print[32];
    members_print(print);
    return hex_json(print, sizeof print);
}

static bool knew_as_much(const json_t *json)
{
    json_t *known = known_json();
    bool same = json_equal(json_object_get(json, "knows"), known);
    json_decref(known);
    return same;
}

int game_save(struct store *store, const struct game *game, const unsigned char master[32], struct err *err)
{
    unsigned char mac[CACHE_MAC];
    struct str body = STR_INIT;
    struct str text = STR_INIT;
    json_t *json = game_json(game);
    json_object_set_new(json, "knows", known_json());
    json_write(&body, json);
    cache_mac(mac, master, slice_str(&body));
    str_adds(&text, CACHE_FORM);
    hex_encode(&text, mac, sizeof mac);
    str_addc(&text, '\n');
    str_addslice(&text, slice_str(&body));
    str_addc(&text, '\n');
    int rc = store_write_state(store, game->id, slice_str(&text), err);
    json_decref(json);
    str_release(&body);
    str_release(&text);
    return rc;
}

static int cache_fields(const json_t *json, struct game *game, struct err *err)
{
    const char *ruleset;
    json_int_t seq, length, last_from, deadline, turn_length, opened, opened_seq, when;
    int version, over;
    json_t *options, *seats, *state, *mails, *heads, *texts;
    size_t i;
    json_t *item;
    if (json_unpack((json_t *)(uintptr_t)json,
                    "{s:s,s:i,s:o,s:o,s:I,s:I,s:I,s:i,s:b,s:I,s:I,s:i,s:I,s:I,s:I,s:o,s:o,s:o,s:o}",
                    "ruleset", &ruleset, "version", &version, "options", &options, "seats", &seats, "seq",
                    &seq, "length", &length, "last_from", &last_from, "turn", &game->turn, "over", &over,
                    "deadline", &deadline, "turn_length", &turn_length, "missed_robot", &game->missed_robot,
                    "opened", &opened, "opened_seq", &opened_seq, "time", &when, "state", &state, "mails",
                    &mails, "heads", &heads, "texts", &texts) != 0)
        return -1;
    game->ruleset = ruleset_find(ruleset, version);
    if (!game->ruleset || json_array_size(seats) > SEATS_MAX ||
        !json_hex(json, "head", game->head, HEAD_BYTES) || !json_hex(json, "cards", game->cards_digest, 32) ||
        !json_hex(json, "create_head", game->create_head, HEAD_BYTES) ||
        !json_hex(json, "league_key", game->league_key, 32) ||
        !json_hex(json, "vrf_key", game->vrf_key, 32) ||
        !json_hex(json, "seal_commitment", game->seal_commitment, 32) ||
        !json_hex(json, "opened_head", game->opened_head, HEAD_BYTES))
        return -1;
    game->seq = seq;
    game->length = length;
    game->last_from = last_from;
    game->deadline = deadline;
    game->turn_length = turn_length;
    game->opened = opened;
    game->opened_seq = opened_seq;
    game->time = when;
    game->over = over;
    game->paused = json_is_true(json_object_get(json, "paused"));
    game->paused_from = json_integer_value(json_object_get(json, "paused_from"));
    game->undone = (int)json_integer_value(json_object_get(json, "undone"));
    game->voided = json_is_true(json_object_get(json, "voided"));
    game->held = json_is_true(json_object_get(json, "held"));
    if (people_read(json_object_get(json, "people"), game) ||
        format_read(json_object_get(json, "format"), game))
        return -1;
    json_array_foreach (options, i, item)
        if (i < GAME_OPTIONS)
            game->options[i] = (int)json_integer_value(item);
    json_array_foreach (seats, i, item)
        if (seat_read(item, &game->seat[i + 1]))
            return -1;
    game->seats = (int)json_array_size(seats);
    if (clock_read(json_object_get(json, "clock"), game, err) ||
        witnesses_read(json_object_get(json, "witnesses"), game))
        return -1;
    game->last_events = json_incref(json_object_get(json, "events"));
    game->instant_events = json_incref(json_object_get(json, "instant"));
    game->state = mem_alloc(game->ruleset->state_size);
    return waiting_read(json_object_get(json, "waiting"), game) ||
                   marks_read(json_object_get(json, "skipped"), &game->skipped, &game->skipped_count,
                              &game->skipped_cap) ||
                   marks_read(mails, &game->mails, &game->mail_count, &game->mail_cap) ||
                   marks_read(heads, &game->heads, &game->head_count, &game->head_cap) ||
                   marks_read(texts, &game->texts, &game->text_count, &game->text_cap) ||
                   fields_read(game->ruleset->fields, game->state, state, 1, err)
               ? -1
               : 0;
}

int game_copy(const struct game *from, struct game *to, struct err *err)
{
    game_init(to);
    memcpy(to->id, from->id, sizeof to->id);
    json_t *json = game_json(from);
    int rc = cache_fields(json, to, err) ? err_set(err, ERR_BROKEN, "%s: cannot be copied", from->id) : 0;
    json_decref(json);
    memcpy(to->last_type, from->last_type, sizeof to->last_type);
    to->cards = from->cards;
    if (rc == 0 && from->own_cards) {
        to->own_cards = mem_copy(from->own_cards, from->ruleset->cards_size);
        to->cards = to->own_cards;
    }
    if (rc)
        game_release(to);
    return rc;
}

/* The journal must still hold, at its place, the record that the cache was made from. */
static bool holds_last(struct store *store, const struct game *game)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    unsigned char head[HEAD_BYTES];
    size_t last = (size_t)(game->length - game->last_from);
    bool holds = store_read(store, game->id, game->last_from, &lines, &err) == 0 && lines.len >= last;
    if (holds) {
        record_head(head, slice_sub(slice_str(&lines), 0, last));
        holds = memcmp(head, game->head, HEAD_BYTES) == 0;
    }
    str_release(&lines);
    return holds;
}

enum cache_fit cache_read(struct store *store, const char *id, const unsigned char master[32], bool mend,
                          struct game *game, struct str *tail, struct err *why)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    unsigned char mac[CACHE_MAC], want[CACHE_MAC];
    unsigned char digest[32];
    json_t *json = NULL;
    enum cache_fit fit = CACHE_NONE;
    if (store_read_state(store, id, &text, &err))
        goto out;
    const size_t front = strlen(CACHE_FORM) + 2 * CACHE_MAC + 1;
    struct slice body = slice_sub(slice_str(&text), front, text.len);
    if (text.len <= front || !slice_starts(slice_str(&text), CACHE_FORM) ||
        !hex_decode(mac, CACHE_MAC, slice_sub(slice_str(&text), strlen(CACHE_FORM), 2 * CACHE_MAC)) ||
        !body.len)
        goto out;
    body.len--; /* its LF */
    cache_mac(want, master, body);
    if (sodium_memcmp(mac, want, CACHE_MAC) != 0 || !(json = json_read(body, "state.json", &err)) ||
        strcmp(text_member(json, "id"), id) != 0 || !knew_as_much(json) || cache_fields(json, game, &err) ||
        game->seq < 1 || game->last_from < 0 || game->length <= game->last_from)
        goto out;
    memcpy(game->id, id, strlen(id) + 1);
    memcpy(digest, game->cards_digest, 32);
    if (!holds_last(store, game)) {
        fit = CACHE_LOST;
        err_set(why, ERR_BROKEN,
                "%s: record %lld, which was committed, is not in the journal: it was cut, replaced or "
                "restored; put "
                "the right one back, or remove its state.json to go on from this one",
                id, (long long)game->seq);
        goto out;
    }
    /* Cards that are not the built-in ones stand in the first record only: such a game is replayed. */
    if (game_set_cards(game, NULL, &err) || memcmp(digest, game->cards_digest, 32) != 0 ||
        (mend ? store_read_mending : store_read)(store, id, game->length, tail, &err))
        goto out;
    fit = CACHE_GOOD;
out:
    json_decref(json);
    str_release(&text);
    return fit;
}
