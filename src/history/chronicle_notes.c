/* What is shown of notes. */
#include <string.h>

#include "base/moment.h"
#include "base/json.h"
#include "history/chronicle_parts.h"
#include "play/press.h"

/* Who may read a message: moderators, its seats, and its author if signed by name. */
static bool reads_press(const struct telling *t)
{
    const struct reader *reader = &t->chronicle->reader;
    uint32_t to = 0;
    if (reader->kind == READER_MODERATOR)
        return true;
    if (reader->kind != READER_SEAT ||
        !press_to_read(json_object_get(t->json, "to"), t->chronicle->seats, &to))
        return false;
    return (to & SEAT_BIT(reader->seat)) || telling_number(t->json, "seat") == reader->seat;
}

void tell_note_press(struct telling *t)
{
    const json_t *to = json_object_get(t->json, "to");
    bool grey = json_is_true(json_object_get(t->json, "grey"));
    json_t *payload = reads_press(t) ? chronicle_payload(t->chronicle, t->record, 0, SEAL_PRESS,
                                                         telling_text(t->json, "seal"))
                                     : NULL;
    telling_seat(t);
    if (json_is_string(to))
        json_object_set_new(t->facts, "all", json_true());
    else
        telling_names(t, "to", to);
    json_object_set_new(t->facts, "grey", json_boolean(grey));
    const json_t *words = json_object_get(payload, "words");
    if (json_is_string(words)) {
        struct slice text = {json_string_value(words), json_string_length(words)};
        json_object_set_new(t->facts, "words",
                            json_pack("{s:o}", "lines", press_lines(text, CHRONICLE_COLUMNS)));
    } else {
        json_object_set_new(t->facts, "closed", json_true());
    }
    json_decref(payload);
}

/* The moderators and the appellant may read the words. */
void tell_note_appeal(struct telling *t)
{
    const struct reader *reader = &t->chronicle->reader;
    bool reads = reader->kind == READER_MODERATOR ||
                 (reader->kind == READER_SEAT && reader->seat == telling_number(t->json, "seat"));
    json_t *payload =
        reads ? chronicle_payload(t->chronicle, t->record, 0, SEAL_PRESS, telling_text(t->json, "seal"))
              : NULL;
    const json_t *words = json_object_get(payload, "words");
    telling_seat(t);
    json_object_set_new(t->facts, "about", json_integer(telling_number(t->json, "about")));
    if (json_is_string(words)) {
        struct slice text = {json_string_value(words), json_string_length(words)};
        json_object_set_new(t->facts, "words",
                            json_pack("{s:o}", "lines", press_lines(text, CHRONICLE_COLUMNS)));
    }
    json_decref(payload);
}

void tell_note_ruling(struct telling *t)
{
    json_object_set_new(t->facts, "about", json_integer(telling_number(t->json, "about")));
    json_object_set_new(t->facts, "appeal", json_integer(telling_number(t->json, "appeal")));
}

void tell_note_player(struct telling *t)
{
    telling_put(t->facts, "player", telling_text(t->json, "player"));
    telling_put(t->facts, "wish", telling_text(t->json, "wish"));
    json_object_set_new(t->facts, "stop",
                        json_boolean(json_is_true(json_object_get(t->json, "stop")) ||
                                     json_is_true(json_object_get(t->json, "leave"))));
}

void tell_note_offer(struct telling *t)
{
    telling_seat(t);
    telling_put(t->facts, "to", telling_text(t->json, "to"));
    telling_time(t->facts, "until", telling_text(t->json, "until"));
}

void tell_note_reminder(struct telling *t)
{
    telling_names(t, "reminded", json_object_get(t->json, "seats"));
    telling_time(t->facts, "deadline", telling_text(t->json, "deadline"));
}

void tell_note_shift(struct telling *t)
{
    const char *why = telling_text(t->json, "why");
    json_t *away = json_array();
    size_t i;
    json_t *item;
    if (*why)
        json_object_set_new(t->facts, why, json_true());
    telling_time(t->facts, "before", telling_text(t->json, "from"));
    telling_time(t->facts, "deadline", telling_text(t->json, "deadline"));
    json_array_foreach (json_object_get(t->json, "away"), i, item)
        telling_add(away, telling_text(item, "player"));
    if (json_array_size(away))
        json_object_set_new(t->facts, "away", json_pack("{s:O}", "names", away));
    json_decref(away);
}

void tell_note_hold(struct telling *t)
{
    telling_names(t, "silent", json_object_get(t->json, "missing"));
    telling_time(t->facts, "until", telling_text(t->json, "until"));
    json_object_set_new(t->facts, "released",
                        json_boolean(json_is_true(json_object_get(t->json, "released"))));
}

void tell_note_vote(struct telling *t)
{
    int seconds = telling_number(t->json, "seconds");
    telling_seat(t);
    if (seconds)
        json_object_set_new(t->facts, "length", duration_json(seconds));
    telling_time(t->facts, "deadline", telling_text(t->json, "deadline"));
}

void tell_note_witness(struct telling *t)
{
    telling_put(t->facts, "witness", telling_text(t->json, "witness"));
}

void tell_note_unwitness(struct telling *t)
{
    telling_seat(t);
    telling_time(t->facts, "deadline", telling_text(t->json, "deadline"));
}

void tell_note_instant(struct telling *t)
{
    telling_seat(t);
}
