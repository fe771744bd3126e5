#include "engine/chronicle.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "engine/press.h"

#define TEXT_COLUMNS 64

/* One record on its way into facts. */
struct telling {
    struct chronicle *chronicle;
    const struct record *record;
    const json_t *json; /* the record's members */
    json_t *facts;      /* of its kind */
};

static const char *text_of(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text ? text : "";
}

static int number_of(const json_t *json, const char *key)
{
    return (int)json_integer_value(json_object_get(json, key));
}

static void put_text(json_t *facts, const char *key, const char *text)
{
    if (*text)
        json_object_set_new(facts, key, json_text(slice_of(text)));
}

static void put_time(json_t *facts, const char *key, const char *utc)
{
    struct str text = STR_INIT;
    int64_t time;
    if (clock_parse(slice_of(utc), &time)) {
        clock_both(&text, time);
        put_text(facts, key, text.p);
    }
    str_release(&text);
}

static const char *name_of(const struct chronicle *chronicle, int seat)
{
    return seat >= 1 && seat <= chronicle->seats ? chronicle->name[seat] : "";
}

/* "seat" and "who" */
static void put_seat(struct telling *t)
{
    int seat = number_of(t->json, "seat");
    json_object_set_new(t->facts, "seat", json_integer(seat));
    put_text(t->facts, "who", name_of(t->chronicle, seat));
}

/* Lists for "a, b, c": [{"name","more"}]. */
static void add_name(json_t *list, const char *name)
{
    size_t size = json_array_size(list);
    if (size)
        json_object_set_new(json_array_get(list, size - 1), "more", json_true());
    json_t *item = json_pack("{s:o,s:b}", "name", json_text(slice_of(name)), "more", 0);
    json_array_append_new(list, item);
}

static void put_names(struct telling *t, const char *key, const json_t *seats)
{
    json_t *list = json_array();
    size_t i;
    json_t *item;
    json_array_foreach (seats, i, item) {
        int seat = (int)json_integer_value(item);
        add_name(list, seat ? name_of(t->chronicle, seat) : "the moderators");
    }
    if (json_array_size(list))
        json_object_set(t->facts, key, json_pack("{s:O}", "names", list));
    json_decref(list);
}

json_t *chronicle_lines(struct slice text)
{
    json_t *list = json_array();
    struct slice line;
    while (slice_line(&text, &line))
        json_array_append_new(list, json_pack("{s:o}", "line", json_text(line)));
    return list;
}

void chronicle_fingerprint(char out[KEY_FINGERPRINT], const char *key)
{
    struct err err = ERR_INIT;
    struct slice rest = slice_of(key);
    struct pubkey pubkey;
    bool found = false;
    out[0] = '\0';
    if (pubkey_next(&rest, &pubkey, &found, &err) == 0 && found)
        pubkey_fingerprint(out, &pubkey);
}

static void put_keys(struct telling *t)
{
    json_t *list = json_array();
    size_t i;
    json_t *key;
    json_array_foreach (json_object_get(t->json, "keys"), i, key) {
        char print[KEY_FINGERPRINT];
        chronicle_fingerprint(print, json_is_string(key) ? json_string_value(key) : "");
        add_name(list, print);
    }
    if (json_array_size(list))
        json_object_set(t->facts, "keys", json_pack("{s:O}", "names", list));
    json_decref(list);
}

/* ---- payloads ---- */

json_t *chronicle_payload(const struct chronicle *chronicle, const struct record *record, int seat, int item,
                          const char *seal)
{
    struct err err = ERR_INIT;
    unsigned char bytes[SEAL_BYTES];
    if ((item != SEAL_PRESS && !casefile_open_to(chronicle->file, &chronicle->reader, seat)) ||
        !hex_decode(bytes, sizeof bytes, slice_of(seal)))
        return NULL;
    const struct sealed *sealed = sealed_set_find(&chronicle->file->sealed, record->seq, seat, item, bytes);
    return sealed ? json_read(slice_str(&sealed->payload), "sealed line", &err) : NULL;
}

static void put_signed(json_t *facts, const json_t *payload)
{
    char print[KEY_FINGERPRINT];
    const json_t *signature = json_object_get(payload, "signature");
    const json_t *text = json_object_get(payload, "text");
    if (!json_is_string(text))
        return;
    struct slice exact = {json_string_value(text), json_string_length(text)};
    json_object_set_new(facts, "text", json_pack("{s:o}", "lines", press_lines(exact, TEXT_COLUMNS)));
    chronicle_fingerprint(print, text_of(signature, "key"));
    put_text(facts, "key", print);
}

/* The signed text behind the record's seal, or that it is sealed. */
static void put_payload(struct telling *t)
{
    json_t *payload = chronicle_payload(t->chronicle, t->record, number_of(t->json, "seat"), SEAL_ORDERS,
                                        text_of(t->json, "seal"));
    if (payload)
        put_signed(t->facts, payload);
    else
        json_object_set_new(t->facts, "closed", json_true());
    json_decref(payload);
}

/* ---- kinds of records ---- */

static void tell_create(struct telling *t)
{
    struct chronicle *chronicle = t->chronicle;
    const char *name;
    json_t *value;
    json_t *options = json_array();
    chronicle->ruleset = ruleset_find(text_of(t->json, "ruleset"));
    chronicle->seats = number_of(t->json, "seats");
    if (chronicle->seats < 0 || chronicle->seats > SEATS_MAX)
        chronicle->seats = 0;
    json_object_foreach (json_object_get(t->json, "options"), name, value)
        json_array_append_new(options, json_pack("{s:s,s:O,s:b}", "name", name, "value", value, "more", 1));
    json_object_set_new(json_array_get(options, json_array_size(options) - 1), "more", json_false());
    if (json_array_size(options))
        json_object_set(t->facts, "options", json_pack("{s:O}", "list", options));
    json_decref(options);
    put_text(t->facts, "ruleset", text_of(t->json, "ruleset"));
    json_object_set_new(t->facts, "version", json_integer(number_of(t->json, "version")));
    json_object_set_new(t->facts, "seats", json_integer(chronicle->seats));
    json_object_set_new(t->facts, "one", json_boolean(chronicle->seats == 1));
    json_object_set_new(t->facts, "own_cards", json_boolean(json_object_get(t->json, "card_data") != NULL));
    put_text(t->facts, "cards", text_of(t->json, "cards"));
}

static void tell_seat(struct telling *t)
{
    struct chronicle *chronicle = t->chronicle;
    const char *robot = text_of(t->json, "robot");
    const char *player = *robot ? robot : text_of(t->json, "player");
    const char *why = text_of(t->json, "why");
    int seat = number_of(t->json, "seat");
    put_text(t->facts, "before", name_of(chronicle, seat));
    if (seat >= 1 && seat <= chronicle->seats) {
        (void)snprintf(chronicle->name[seat], PLAYER_NAME, "%s", player);
        chronicle->robot[seat] = *robot;
    }
    put_seat(t);
    put_text(t->facts, "left", text_of(t->json, "left"));
    put_keys(t);
    if (*why)
        json_object_set_new(t->facts, why, json_true());
    else if (json_is_true(json_object_get(t->json, "free")))
        json_object_set_new(t->facts, "given_up", json_true());
    else if (*robot)
        json_object_set_new(t->facts, "robot", json_true());
    else if (*text_of(t->json, "seal"))
        json_object_set_new(t->facts, "joins", json_true());
    else
        json_object_set_new(t->facts, "entered", json_true());
}

static void tell_key(struct telling *t)
{
    put_seat(t);
    put_keys(t);
}

static void tell_orders(struct telling *t)
{
    put_seat(t);
    put_text(t->facts, "mail", text_of(t->json, "mail"));
    put_text(t->facts, "seal", text_of(t->json, "seal"));
    put_payload(t);
}

static void tell_close(struct telling *t)
{
    put_names(t, "missed", json_object_get(t->json, "missed"));
}

static void tell_turn(struct telling *t)
{
    bool deal = strcmp(t->record->type, "start") == 0;
    size_t hidden = json_array_size(json_object_get(t->json, "hidden"));
    if (deal)
        t->chronicle->start = t->record->time;
    put_time(t->facts, "deadline", text_of(t->json, "deadline"));
    put_text(t->facts, "state", text_of(t->json, "state"));
    put_text(t->facts, "events", text_of(t->json, "events"));
    put_text(t->facts, "pi", text_of(t->json, "pi"));
    json_object_set_new(t->facts, "next", json_integer(t->chronicle->turn + 1));
    if (hidden)
        json_object_set_new(t->facts, "hidden",
                            json_pack("{s:i,s:b}", "count", (int)hidden, "one", hidden == 1));
}

static void tell_scores(struct telling *t)
{
    json_t *list = json_array();
    size_t i;
    json_t *score;
    json_array_foreach (json_object_get(t->json, "scores"), i, score) {
        if (i)
            json_object_set_new(json_array_get(list, i - 1), "more", json_true());
        json_t *copy = json_deep_copy(score);
        if (!*text_of(copy, "rank"))
            json_object_del(copy, "rank");
        json_object_set_new(copy, "more", json_false());
        json_array_append_new(list, copy);
    }
    json_object_set_new(t->facts, "scores", list);
    json_object_set_new(t->facts, "turns", json_integer(number_of(t->json, "turns")));
    put_text(t->facts, "reason", text_of(t->json, "reason"));
}

static void tell_open(struct telling *t)
{
    put_text(t->facts, "seal_key", text_of(t->json, "seal_key"));
}

/* ---- notes ---- */

/* Who may read a message: moderators, its seats, and who wrote it under his name. */
static bool reads_press(const struct telling *t)
{
    const struct reader *reader = &t->chronicle->reader;
    uint32_t to = 0;
    if (reader->kind == READER_MODERATOR)
        return true;
    if (reader->kind != READER_SEAT ||
        !press_to_read(json_object_get(t->json, "to"), t->chronicle->seats, &to))
        return false;
    return (to & SEAT_BIT(reader->seat)) || number_of(t->json, "seat") == reader->seat;
}

static void note_press(struct telling *t)
{
    const json_t *to = json_object_get(t->json, "to");
    bool grey = json_is_true(json_object_get(t->json, "grey"));
    json_t *payload =
        reads_press(t) ? chronicle_payload(t->chronicle, t->record, 0, SEAL_PRESS, text_of(t->json, "seal"))
                       : NULL;
    put_seat(t);
    if (json_is_string(to))
        json_object_set_new(t->facts, "all", json_true());
    else
        put_names(t, "to", to);
    json_object_set_new(t->facts, "grey", json_boolean(grey));
    const json_t *words = json_object_get(payload, "words");
    if (json_is_string(words)) {
        struct slice text = {json_string_value(words), json_string_length(words)};
        json_object_set_new(t->facts, "words", json_pack("{s:o}", "lines", press_lines(text, TEXT_COLUMNS)));
    } else {
        json_object_set_new(t->facts, "closed", json_true());
    }
    json_decref(payload);
}

static void note_player(struct telling *t)
{
    put_text(t->facts, "player", text_of(t->json, "player"));
    json_object_set_new(t->facts, "stop",
                        json_boolean(json_is_true(json_object_get(t->json, "stop")) ||
                                     json_is_true(json_object_get(t->json, "leave"))));
}

static void note_offer(struct telling *t)
{
    put_seat(t);
    put_text(t->facts, "to", text_of(t->json, "to"));
    put_time(t->facts, "until", text_of(t->json, "until"));
}

static void note_reminder(struct telling *t)
{
    put_names(t, "reminded", json_object_get(t->json, "seats"));
    put_time(t->facts, "deadline", text_of(t->json, "deadline"));
}

static void note_shift(struct telling *t)
{
    const char *why = text_of(t->json, "why");
    json_t *away = json_array();
    size_t i;
    json_t *item;
    if (*why)
        json_object_set_new(t->facts, why, json_true());
    put_time(t->facts, "before", text_of(t->json, "from"));
    put_time(t->facts, "deadline", text_of(t->json, "deadline"));
    json_array_foreach (json_object_get(t->json, "away"), i, item)
        add_name(away, text_of(item, "player"));
    if (json_array_size(away))
        json_object_set(t->facts, "away", json_pack("{s:O}", "names", away));
    json_decref(away);
}

static void note_hold(struct telling *t)
{
    put_names(t, "silent", json_object_get(t->json, "missing"));
    put_time(t->facts, "until", text_of(t->json, "until"));
    json_object_set_new(t->facts, "released",
                        json_boolean(json_is_true(json_object_get(t->json, "released"))));
}

static void note_vote(struct telling *t)
{
    struct str length = STR_INIT;
    int seconds = number_of(t->json, "seconds");
    put_seat(t);
    if (seconds) {
        duration_add(&length, seconds);
        put_text(t->facts, "length", length.p);
    }
    put_time(t->facts, "deadline", text_of(t->json, "deadline"));
    str_release(&length);
}

static void note_instant(struct telling *t)
{
    put_seat(t);
}

/* ---- the table ---- */

static const struct {
    const char *name; /* of the record, or of the note */
    void (*tell)(struct telling *t);
} kinds[] = {
    {"create", tell_create},
    {"seat", tell_seat},
    {"key", tell_key},
    {"orders", tell_orders},
    {"close", tell_close},
    {"start", tell_turn},
    {"turn", tell_turn},
    {"end", tell_scores},
    {"open", tell_open},
    {"note_press", note_press},
    {"note_observe", note_player},
    {"note_standby", note_player},
    {"note_wait", note_player},
    {"note_offer", note_offer},
    {"note_reminder", note_reminder},
    {"note_shift", note_shift},
    {"note_hold", note_hold},
    {"note_vote", note_vote},
    {"note_instant", note_instant},
    {NULL, NULL},
};

static bool is_common(const char *name)
{
    static const char *const common[] = {"v",    "game", "seq",    "prev", "type",
                                         "time", "sig",  "signed", "by",   NULL};
    for (int i = 0; common[i]; i++)
        if (strcmp(common[i], name) == 0)
            return true;
    return false;
}

/* A record that this version has no words for: its members, one by one. */
static void tell_other(struct telling *t)
{
    json_t *list = json_array();
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)t->json, name, value) {
        struct str text = STR_INIT;
        if (is_common(name))
            continue;
        if (json_is_string(value))
            str_adds(&text, json_string_value(value));
        else
            json_write(&text, value);
        json_array_append_new(list,
                              json_pack("{s:s,s:o}", "name", name, "value", json_text(slice_str(&text))));
        str_release(&text);
    }
    put_text(t->facts, "type", t->record->type);
    json_object_set_new(t->facts, "members", list);
}

/* Texts that a person signed and that stand in the record itself. */
static void put_petition(json_t *facts, const json_t *json)
{
    const json_t *text = json_object_get(json_object_get(json, "signed"), "text");
    put_text(facts, "by", text_of(json, "by"));
    if (!json_is_string(text))
        return;
    struct slice exact = {json_string_value(text), json_string_length(text)};
    json_object_set_new(facts, "signed", json_pack("{s:o}", "lines", press_lines(exact, TEXT_COLUMNS)));
}

/* What every turn has: orders, close, the turn. */
static bool is_turn(const char *type)
{
    return strcmp(type, "orders") == 0 || strcmp(type, "close") == 0 || strcmp(type, "turn") == 0 ||
           strcmp(type, "start") == 0;
}

void chronicle_init(struct chronicle *chronicle, const struct casefile *file, const struct reader *reader)
{
    memset(chronicle, 0, sizeof *chronicle);
    chronicle->file = file;
    chronicle->reader = *reader;
}

json_t *chronicle_take(struct chronicle *chronicle, const struct record *record)
{
    struct telling t = {chronicle, record, record->json, json_object()};
    struct str time = STR_INIT;
    struct str kind = STR_INIT;
    char head[2 * HEAD_BYTES + 1], utc[CLOCK_TEXT];
    bool played = strcmp(record->type, "start") == 0 || strcmp(record->type, "turn") == 0;
    int turn = json_object_get(record->json, "turn") ? number_of(record->json, "turn") : chronicle->turn;
    size_t i = 0;
    str_addf(&kind, "%s%s%s", record->type, strcmp(record->type, "note") == 0 ? "_" : "",
             strcmp(record->type, "note") == 0 ? text_of(record->json, "kind") : "");
    if (played)
        chronicle->turn = turn;
    while (kinds[i].name && strcmp(kinds[i].name, kind.p) != 0)
        i++;
    if (kinds[i].name)
        kinds[i].tell(&t);
    else
        tell_other(&t);
    if (played)
        chronicle->turn = turn + 1;
    json_object_set_new(t.facts, "turn", json_integer(turn));
    clock_both(&time, record->time);
    clock_utc(utc, record->time);
    hex_to(head, record->head, HEAD_BYTES);
    json_t *facts = json_pack("{s:I,s:s,s:s,s:s,s:s,s:i}", "seq", (json_int_t)record->seq, "time", time.p,
                              "utc", utc, "type", record->type, "head", head, "turn", turn);
    put_petition(facts, record->json);
    /* "turn" is the number of the turn. */
    const char *name = !kinds[i].name ? "other" : strcmp(kind.p, "turn") == 0 ? "played" : kind.p;
    json_object_set_new(facts, name, t.facts);
    json_object_set_new(facts, "aside", json_boolean(!is_turn(record->type)));
    str_release(&time);
    str_release(&kind);
    return facts;
}

json_t *chronicle_heading(const struct chronicle *chronicle)
{
    const struct casefile *file = chronicle->file;
    const struct reader *reader = &chronicle->reader;
    json_t *seats = json_array();
    for (int seat = 1; seat <= chronicle->seats; seat++)
        json_array_append_new(seats, json_pack("{s:i,s:s,s:b}", "seat", seat, "name", chronicle->name[seat],
                                               "robot", chronicle->robot[seat]));
    json_t *who = json_object();
    if (reader->kind == READER_SEAT)
        json_object_set_new(
            who, "seat",
            json_pack("{s:i,s:s}", "number", reader->seat, "name", name_of(chronicle, reader->seat)));
    else
        json_object_set_new(who, reader->kind == READER_MODERATOR ? "moderator" : "public", json_true());
    return json_pack("{s:s,s:s,s:s,s:o,s:b,s:b,s:b,s:o,s:I}", "folder",
                     chronicle->ruleset ? chronicle->ruleset->folder : "", "title",
                     chronicle->ruleset ? chronicle->ruleset->title : "a game unknown to this program",
                     "game", file->id, "reader", who, "opened", file->opened, "has_sealed", file->has_sealed,
                     "torn", file->torn, "seats", seats, "seq", (json_int_t)file->seq);
}
