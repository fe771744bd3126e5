/* What is shown of records; for notes see chronicle_notes.c. */
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "game/vouched.h"
#include "base/moment.h"
#include "base/json.h"
#include "game/members.h"
#include "game/record_kinds.h"
#include "game/seat_keys.h"
#include "history/chronicle_parts.h"
#include "play/press.h"

static void put_keys(struct telling *t)
{
    json_t *list = json_array();
    size_t i;
    json_t *key, *keys = seat_keys_json(t->json);
    json_array_foreach (keys, i, key) {
        char print[KEY_FINGERPRINT];
        const char *line = json_is_string(key) ? json_string_value(key) : "";
        chronicle_fingerprint(print, line);
        telling_add(list, print);
        chronicle_page(json_array_get(list, json_array_size(list) - 1), line);
    }
    if (json_array_size(list))
        json_object_set_new(t->facts, "keys", json_pack("{s:O}", "names", list));
    json_decref(keys);
    json_decref(list);
}

static void put_signed(json_t *facts, const json_t *payload)
{
    char print[KEY_FINGERPRINT];
    const json_t *signature = json_object_get(payload, "signature");
    const json_t *text = json_object_get(payload, "text");
    if (!json_is_string(text))
        return;
    struct slice exact = {json_string_value(text), json_string_length(text)};
    json_object_set_new(facts, "text", json_pack("{s:o}", "lines", press_lines(exact, CHRONICLE_COLUMNS)));
    chronicle_fingerprint(print, telling_text(signature, "key"));
    telling_put(facts, "key", print);
    chronicle_page(facts, telling_text(signature, "key"));
}

/* The signed text under the record's seal, or that it is sealed. */
static void put_payload(struct telling *t)
{
    json_t *payload = chronicle_payload(t->chronicle, t->record, telling_number(t->json, "seat"), SEAL_ORDERS,
                                        telling_text(t->json, "seal"));
    if (payload)
        put_signed(t->facts, payload);
    else
        json_object_set_new(t->facts, "closed", json_true());
    json_decref(payload);
}

/* ---- kinds of records ---- */

static void put_witnesses(struct telling *t)
{
    json_t *list = json_array();
    size_t i;
    json_t *witness;
    json_array_foreach (json_object_get(t->json, "witnesses"), i, witness)
        telling_add(list, telling_text(witness, "name"));
    if (json_array_size(list))
        json_object_set_new(t->facts, "witnesses", json_pack("{s:O}", "names", list));
    json_decref(list);
}

static void tell_create(struct telling *t)
{
    struct chronicle *chronicle = t->chronicle;
    const char *name;
    json_t *value;
    json_t *options = json_array();
    chronicle->ruleset = ruleset_find(telling_text(t->json, "ruleset"), telling_number(t->json, "version"));
    chronicle->seats = telling_number(t->json, "seats");
    if (chronicle->seats < 0 || chronicle->seats > SEATS_MAX)
        chronicle->seats = 0;
    json_object_foreach (json_object_get(t->json, "options"), name, value)
        json_array_append_new(options, json_pack("{s:s,s:O,s:b}", "name", name, "value", value, "more", 1));
    json_object_set_new(json_array_get(options, json_array_size(options) - 1), "more", json_false());
    if (json_array_size(options))
        json_object_set_new(t->facts, "options", json_pack("{s:O}", "list", options));
    json_decref(options);
    telling_put(t->facts, "ruleset", telling_text(t->json, "ruleset"));
    json_object_set_new(t->facts, "version", json_integer(telling_number(t->json, "version")));
    json_object_set_new(t->facts, "seats", json_integer(chronicle->seats));
    json_object_set_new(t->facts, "one", json_boolean(chronicle->seats == 1));
    json_object_set_new(t->facts, "own_cards", json_boolean(json_object_get(t->json, "card_data") != NULL));
    telling_put(t->facts, "cards", telling_text(t->json, "cards"));
    json_object_set_new(t->facts, "trust", json_boolean(json_object_get(t->json, "trust") != NULL));
    json_object_set_new(t->facts, "typo_wait",
                        json_boolean(json_is_true(json_object_get(t->json, "typo_wait"))));
    if (telling_number(t->json, "second_thoughts") > 0)
        json_object_set_new(t->facts, "second_thoughts",
                            duration_json(telling_number(t->json, "second_thoughts")));
    telling_put(t->facts, "rematch", telling_text(t->json, "rematch"));
    put_witnesses(t);
}

static void tell_seat(struct telling *t)
{
    struct chronicle *chronicle = t->chronicle;
    const char *robot = telling_text(t->json, "robot");
    const char *player = *robot ? robot : telling_text(t->json, "player");
    const char *why = telling_text(t->json, "why");
    int seat = telling_number(t->json, "seat");
    telling_put(t->facts, "before", telling_name(chronicle, seat));
    if (seat >= 1 && seat <= chronicle->seats) {
        (void)snprintf(chronicle->name[seat], PLAYER_NAME, "%s", player);
        chronicle->robot[seat] = *robot;
    }
    telling_seat(t);
    telling_put(t->facts, "left", telling_text(t->json, "left"));
    telling_put(t->facts, "wish", telling_text(t->json, "wish"));
    json_object_set_new(t->facts, "drawn", json_boolean(json_is_true(json_object_get(t->json, "drawn"))));
    put_keys(t);
    if (*why)
        json_object_set_new(t->facts, why, json_true());
    else if (json_is_true(json_object_get(t->json, "free")))
        json_object_set_new(t->facts, "given_up", json_true());
    else if (*robot)
        json_object_set_new(t->facts, "robot", json_true());
    else
        json_object_set_new(t->facts, "joins", json_true());
}

/* `key`, and the notes about keys and mailbox. */
static void tell_key(struct telling *t)
{
    const char *by = telling_text(t->json, "by");
    const json_t *asked = json_object_get(t->json, "asked");
    telling_seat(t);
    put_keys(t);
    if (asked)
        json_object_set_new(t->facts, "asked", json_incref((json_t *)(uintptr_t)asked));
    json_object_set_new(t->facts, "operator", json_boolean(strcmp(by, OPERATOR) == 0));
    telling_put(t->facts, "by", by);
}

static void put_waits(struct telling *t)
{
    json_object_set_new(t->facts, "waits", json_boolean(json_is_true(json_object_get(t->json, "waits"))));
}

json_t *chronicle_vouched(const json_t *record)
{
    struct vouched vouched;
    const json_t *json = json_object_get(record, "vouched");
    return vouched_read(json, &vouched) ? vouched_facts(json) : NULL;
}

static void put_vouched(struct telling *t)
{
    json_t *vouched = chronicle_vouched(t->json);
    if (vouched)
        json_object_set_new(t->facts, "vouched", vouched);
}

static void tell_orders(struct telling *t)
{
    telling_seat(t);
    put_vouched(t);
    put_waits(t);
    telling_put(t->facts, "mail", telling_text(t->json, "mail"));
    telling_put(t->facts, "seal", telling_text(t->json, "seal"));
    put_payload(t);
}

static void tell_close(struct telling *t)
{
    telling_names(t, "missed", json_object_get(t->json, "missed"));
}

static void tell_turn(struct telling *t)
{
    size_t hidden = json_array_size(json_object_get(t->json, "hidden"));
    put_waits(t);
    telling_time(t->facts, "deadline", telling_text(t->json, "deadline"));
    telling_put(t->facts, "state", telling_text(t->json, "state"));
    telling_put(t->facts, "events", telling_text(t->json, "events"));
    telling_put(t->facts, "pi", telling_text(t->json, "pi"));
    json_object_set_new(t->facts, "next", json_integer(t->chronicle->turn + 1));
    if (hidden)
        json_object_set_new(t->facts, "hidden",
                            json_pack("{s:i,s:b}", "count", (int)hidden, "one", hidden == 1));
}

/* The deal says who got which of the seats that were drawn. */
static void tell_start(struct telling *t)
{
    struct chronicle *chronicle = t->chronicle;
    json_t *list = json_array();
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(t->json, "drawn"), i, item) {
        int seat = telling_number(item, "seat");
        if (seat < 1 || seat > chronicle->seats)
            continue;
        (void)snprintf(chronicle->name[seat], PLAYER_NAME, "%s", telling_text(item, "player"));
        if (json_array_size(list))
            json_object_set_new(json_array_get(list, json_array_size(list) - 1), "more", json_true());
        json_array_append_new(
            list, json_pack("{s:i,s:s,s:b}", "seat", seat, "name", chronicle->name[seat], "more", 0));
    }
    if (json_array_size(list))
        json_object_set_new(t->facts, "drawn", json_pack("{s:O}", "seats", list));
    json_decref(list);
    tell_turn(t);
}

static void tell_scores(struct telling *t)
{
    const struct ruleset *ruleset = t->chronicle->ruleset;
    json_t *list = json_array();
    size_t i;
    json_t *score;
    json_array_foreach (json_object_get(t->json, "scores"), i, score) {
        if (i)
            json_object_set_new(json_array_get(list, i - 1), "more", json_true());
        json_t *copy = json_deep_copy(score);
        if (!*telling_text(copy, "rank"))
            json_object_del(copy, "rank");
        else if (ruleset)
            json_object_set_new(copy, "rank",
                                rank_json(ruleset->end.ranks, slice_of(telling_text(score, "rank"))));
        json_object_set_new(copy, "more", json_false());
        json_array_append_new(list, copy);
    }
    json_object_set_new(t->facts, "scores", list);
    json_object_set_new(t->facts, "turns", json_integer(telling_number(t->json, "turns")));
    telling_put(t->facts, "reason", telling_text(t->json, "reason"));
}

static void tell_open(struct telling *t)
{
    telling_put(t->facts, "seal_key", telling_text(t->json, "seal_key"));
}

/* ---- the table ---- */

/* For kinds that are not below: who has the seat, and the members as they are. */
static void tell_members(struct telling *t)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)t->json, name, value)
        if (!members_common(t->record, name) && !json_is_array(value) && !json_is_object(value))
            json_object_set(t->facts, name, value);
    if (json_object_get(t->json, "seat"))
        telling_seat(t);
}

static void (*const tellers[RECORD_IDS])(struct telling *t) = {
    [RECORD_CREATE] = tell_create,
    [RECORD_SEAT] = tell_seat,
    [RECORD_KEY] = tell_key,
    [RECORD_START] = tell_start,
    [RECORD_TURN] = tell_turn,
    [RECORD_ORDERS] = tell_orders,
    [RECORD_CLOSE] = tell_close,
    [RECORD_END] = tell_scores,
    [RECORD_OPEN] = tell_open,
    [RECORD_INSTANT] = tell_note_instant,
    [RECORD_WAIT] = tell_note_player,
    [RECORD_PRESS] = tell_note_press,
    [RECORD_APPEAL] = tell_note_appeal,
    [RECORD_RULING] = tell_note_ruling,
    [RECORD_OBSERVE] = tell_note_player,
    [RECORD_STANDBY] = tell_note_player,
    [RECORD_OFFER] = tell_note_offer,
    [RECORD_REMINDER] = tell_note_reminder,
    [RECORD_SHIFT] = tell_note_shift,
    [RECORD_HOLD] = tell_note_hold,
    [RECORD_VOTE] = tell_note_vote,
    [RECORD_REKEY] = tell_key,
    [RECORD_VETO] = tell_key,
    [RECORD_MAILBOX] = tell_key,
    [RECORD_WITNESS] = tell_note_witness,
    [RECORD_UNWITNESS] = tell_note_unwitness,
};

void (*chronicle_teller(const struct record *record))(struct telling *t)
{
    const struct record_kind *kind = record_kind_of(record);
    if (strcmp(record->type, "moderate") == 0) /* including what this version does not know */
        return tell_moderate;
    if (!kind)
        return NULL;
    return tellers[record_id_of(kind)] ? tellers[record_id_of(kind)] : tell_members;
}
