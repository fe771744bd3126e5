#include "history/chronicle_parts.h"

#include <string.h>

#include "base/clock.h"
#include "base/moment.h"
#include "base/encode.h"
#include "game/record_kinds.h"
#include "play/press.h"

/* ---- payloads ---- */

static bool is_common(const char *name)
{
    static const char *const common[] = {"game", "seq",  "prev",    "type",   "time",
                                         "by",   "said", "vouched", "signed", NULL};
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
    telling_put(t->facts, "type", t->record->type);
    json_object_set_new(t->facts, "members", list);
}

static void put_text(json_t *facts, const char *name, const json_t *text)
{
    struct slice exact = {json_string_value(text), json_string_length(text)};
    if (json_is_string(text))
        json_object_set_new(facts, name, json_pack("{s:o}", "lines", press_lines(exact, CHRONICLE_COLUMNS)));
}

/* Texts that are in the record itself: a person signed them, or their mail domain vouches for them. */
static void put_petition(json_t *facts, const struct record *record)
{
    const json_t *json = record->json;
    json_t *mailed = strcmp(record->type, "orders") == 0 ? NULL : chronicle_vouched(json);
    telling_put(facts, "by", telling_text(json, "by"));
    put_text(facts, "signed", json_object_get(json_object_get(json, "signed"), "text"));
    if (!mailed)
        return;
    put_text(mailed, "text", json_object_get(json, "said"));
    json_object_set_new(facts, "mailed", mailed);
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
    struct str kind = STR_INIT;
    char head[2 * HEAD_BYTES + 1], utc[CLOCK_TEXT];
    bool played = strcmp(record->type, "start") == 0 || strcmp(record->type, "turn") == 0;
    int turn = json_object_get(record->json, "turn") ? telling_number(record->json, "turn") : chronicle->turn;
    bool note = strcmp(record->type, "note") == 0;
    void (*tell)(struct telling *) = chronicle_teller(record);
    str_addf(&kind, "%s%s%s", record->type, note ? "_" : "", note ? record_word(record) : "");
    if (played)
        chronicle->turn = turn;
    if (tell)
        tell(&t);
    else
        tell_other(&t);
    if (played)
        chronicle->turn = turn + 1;
    json_object_set_new(t.facts, "turn", json_integer(turn));
    clock_utc(utc, record->time);
    hex_to(head, record->head, HEAD_BYTES);
    json_t *facts = json_pack("{s:I,s:o,s:s,s:s,s:s,s:i}", "seq", (json_int_t)record->seq, "time",
                              moment_dated_json(record->time), "utc", utc, "type", record->type, "head", head,
                              "turn", turn);
    put_petition(facts, record);
    /* "turn" is the number of the turn. */
    const char *name = !tell ? "other" : strcmp(kind.p, "turn") == 0 ? "played" : kind.p;
    json_object_set_new(facts, name, t.facts);
    json_object_set_new(facts, "aside", json_boolean(!is_turn(record->type)));
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
            json_pack("{s:i,s:s}", "number", reader->seat, "name", telling_name(chronicle, reader->seat)));
    else
        json_object_set_new(who, reader->kind == READER_MODERATOR ? "moderator" : "public", json_true());
    return json_pack("{s:s,s:s,s:s,s:o,s:b,s:b,s:b,s:o,s:I}", "folder",
                     chronicle->ruleset ? chronicle->ruleset->folder : "", "title",
                     chronicle->ruleset ? chronicle->ruleset->title : "a game unknown to this program",
                     "game", file->id, "reader", who, "opened", file->opened, "keyed", file->keyed, "torn",
                     file->torn, "seats", seats, "seq", (json_int_t)file->seq);
}
