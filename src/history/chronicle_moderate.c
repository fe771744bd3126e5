/* What is shown of the records of moderators. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "game/record_kinds.h"
#include "history/chronicle_parts.h"
#include "play/press.h"

static void add_value(json_t *item, const char *key, const json_t *value)
{
    struct str text = STR_INIT;
    if (json_is_string(value))
        str_adds(&text, json_string_value(value));
    else if (value)
        json_write(&text, value);
    json_object_set_new(item, key, json_text(slice_of(text.len ? text.p : "none")));
    str_release(&text);
}

/* What was corrected: the public changes, and under the seal those that not everybody may know. */
static void put_changes(struct telling *t)
{
    json_t *payload =
        chronicle_payload(t->chronicle, t->record, 0, SEAL_HIDDEN, telling_text(t->json, "seal"));
    const json_t *parts[] = {json_object_get(t->json, "changes"), json_object_get(payload, "changes")};
    json_t *list = json_array();
    size_t i;
    json_t *change;
    for (int part = 0; part < 2; part++) {
        json_array_foreach (parts[part], i, change) {
            json_t *item = json_object();
            add_value(item, "path", json_object_get(change, "path"));
            add_value(item, "was", json_object_get(change, "before"));
            add_value(item, "is", json_object_get(change, "after"));
            json_array_append_new(list, item);
        }
    }
    json_object_set_new(t->facts, "changes", list);
    json_object_set_new(t->facts, "closed", json_boolean(*telling_text(t->json, "seal") && !payload));
    json_decref(payload);
}

/* The lines that the moderator set for a seat. */
static void put_lines(struct telling *t)
{
    json_t *payload = chronicle_payload(t->chronicle, t->record, telling_number(t->json, "seat"), SEAL_ORDERS,
                                        telling_text(t->json, "seal"));
    const json_t *lines = json_object_get(payload, "lines");
    if (json_is_string(lines)) {
        struct slice text = {json_string_value(lines), json_string_length(lines)};
        json_object_set_new(t->facts, "text",
                            json_pack("{s:o}", "lines", press_lines(text, CHRONICLE_COLUMNS)));
    } else {
        json_object_set_new(t->facts, "closed", json_true());
    }
    json_decref(payload);
}

/* Somebody else has the seat now, or a robot. */
static void seat_changes(struct telling *t)
{
    struct chronicle *chronicle = t->chronicle;
    int seat = telling_number(t->json, "seat");
    const char *robot = telling_text(t->json, "robot");
    if (json_is_true(json_object_get(t->json, "free"))) { /* banned before the start */
        telling_put(t->facts, "before", telling_name(chronicle, seat));
        if (seat >= 1 && seat <= chronicle->seats)
            chronicle->name[seat][0] = '\0';
        return;
    }
    const char *name = *robot ? robot : telling_text(t->json, "player");
    if (*telling_text(t->json, "to")) {
        telling_put(t->facts, "to", telling_text(t->json, "to"));
        telling_time(t->facts, "until", telling_text(t->json, "until"));
        telling_put(t->facts, "before", telling_name(chronicle, seat));
    }
    if (!*name || seat < 1 || seat > chronicle->seats)
        return;
    telling_put(t->facts, "before", telling_name(chronicle, seat));
    (void)snprintf(chronicle->name[seat], PLAYER_NAME, "%s", name);
    chronicle->robot[seat] = *robot;
    json_object_set_new(t->facts, "by_robot", json_boolean(*robot != '\0'));
}

void tell_moderate(struct telling *t)
{
    struct str flag = STR_INIT;
    const char *action = telling_text(t->json, "do");
    if (json_object_get(t->json, "seat")) {
        seat_changes(t);
        telling_seat(t);
    }
    if (json_is_true(json_object_get(t->json, "leave")))
        telling_put(t->facts, "before", telling_text(t->json, "player"));
    if (json_is_true(json_object_get(t->json, "waited")))
        telling_put(t->facts, "follows", telling_text(t->json, "player"));
    if (strcmp(action, "correct") == 0)
        put_changes(t);
    else if (strcmp(action, "orders") == 0)
        put_lines(t);
    else if (strcmp(action, "rollback") == 0)
        t->chronicle->turn = telling_number(t->json, "turn");
    str_addf(&flag, "do_%s", record_kind_of(t->record) ? action : "other");
    json_object_set_new(t->facts, flag.p, json_true());
    telling_put(t->facts, "do", action);
    telling_put(t->facts, "reason", telling_text(t->json, "reason"));
    telling_put(t->facts, "moderator", telling_text(t->json, "by"));
    json_object_set_new(t->facts, "operator",
                        json_boolean(strcmp(telling_text(t->json, "by"), "operator") == 0));
    json_object_set_new(t->facts, "record", json_integer(telling_number(t->json, "record")));
    telling_time(t->facts, "deadline", telling_text(t->json, "deadline"));
    str_release(&flag);
}
