/* Which members a record has, and of what kind each is. The table is src/journal/README.md's, as code: a
 * record with a member that does not stand here is not one of this version. */
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "engine/audit_parts.h"

/* "name:kind", with a '?' when it may be missing. Kinds: i number, s text, h 32 bytes in hex, v a key of
 * draws, p a proof in hex, t time, b true or false, T true, k keys, n list of seats in rising order, e list
 * of 32 bytes in hex or
 * "", d hidden draws, w vacations, W witnesses, l list, o object, x anything. */
#define TYPED    " for:s? typed:s?" /* in place of mail, text and signed */
#define EVIDENCE " mail:h? text:h? by:s signed:o?" TYPED
#define RULING   " do:s reason:s by:s turn:i mail:h? text:h? signed:o?"
static const struct shape {
    const char *type, *kind; /* of a note its "kind", of a moderator's record what it does */
    const char *members;
} shapes[] = {
    {"create", NULL,
     "ruleset:s version:i cards:h card_data:o? options:o seats:i league_key:h vrf_key:v seal_key:h "
     "turn_length:i clock:o? missed_robot:i missed_standby:i? press:s? press_delivery:s? observers:b? "
     "views:i? witnesses:W? format:i? nonce:h? table:l? answer_by:t?"},
    {"seat", NULL,
     "seat:i player:s? robot:s? keys:k? why:s? seal:h? left:s? waited:T? free:T? drawn:T? mail:h? text:h? "
     "by:s? "
     "signed:o?" TYPED},
    {"key", NULL, "seat:i keys:k"},
    {"start", NULL, "turn:i pi:p hidden:d state:h events:h reports:e drawn:l? deadline:t? away:w?"},
    {"turn", NULL, "turn:i pi:p hidden:d state:h events:h reports:e deadline:t? away:w?"},
    {"orders", NULL, "turn:i seat:i mail:h seal:h"},
    {"close", NULL, "turn:i seals:e set:n? missed:n"},
    {"end", NULL, "turns:i reason:s scores:l"},
    {"open", NULL, "seal_key:h"},
    {"note", "instant", "turn:i seat:i state:h events:h"},
    {"note", "wait", "player:s keys:k? seal:h? leave:T? mail:h? text:h? by:s? signed:o?" TYPED},
    {"note", "press", "turn:i to:x seal:h mail:h text:h seat:i? grey:T? by:s?"},
    {"note", "appeal", "turn:i about:i seat:i seal:h mail:h text:h"},
    {"note", "ruling", "turn:i about:i appeal:i" EVIDENCE},
    {"note", "observe", "turn:i player:s stop:b" EVIDENCE},
    {"note", "standby", "turn:i player:s stop:b" EVIDENCE},
    {"note", "offer", "turn:i seat:i to:s? until:t?"},
    {"note", "reminder", "turn:i seats:n deadline:t"},
    {"note", "shift", "turn:i why:s from:t deadline:t away:w? seconds:i?"},
    {"note", "hold", "turn:i missing:n? awaited:n? until:t? released:T?"},
    {"note", "witness", "turn:i witness:s pi:p last:h?" EVIDENCE},
    {"note", "asked", "turn:i"},
    {"excuse", NULL, "turn:i witness:s reason:s" EVIDENCE},
    {"moderate", "pause", RULING},
    {"moderate", "resume", "deadline:t?" RULING},
    {"moderate", "extend", "deadline:t" RULING},
    {"moderate", "hold", RULING},
    {"moderate", "resolve", RULING},
    {"moderate", "replace", "seat:i player:s? keys:k? robot:s?" RULING},
    {"moderate", "orders", "seat:i seal:h" RULING},
    {"moderate", "resend", "seat:i" RULING},
    {"moderate", "rollback", "record:i from:i state:h deadline:t?" RULING},
    {"moderate", "correct", "changes:l state:h seal:h?" RULING},
    {"moderate", "void", RULING},
    {"moderate", "ban",
     "seat:i? robot:s? player:s? keys:k? seal:h? left:s? waited:T? free:T? drawn:T? leave:T?" RULING},
    {"note", "vote", "turn:i seat:i seconds:i deadline:t?" EVIDENCE},
};

/* Of every record; record_parse has looked at them. */
#define COMMON " v game seq prev type time sig "

static bool is_hex(const json_t *value, size_t digits)
{
    const char *text = json_string_value(value);
    return text && json_string_length(value) == digits && strspn(text, "0123456789abcdef") == digits;
}

static bool is_time(const json_t *value)
{
    int64_t time;
    return json_is_string(value) && clock_parse(slice_of(json_string_value(value)), &time);
}

/* Each as we write it, at most KEYS_PER_PLAYER. */
static bool are_keys(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        struct pubkey key;
        struct err ignored = ERR_INIT;
        struct str again = STR_INIT;
        bool found = false;
        struct slice rest = slice_of(json_is_string(item) ? json_string_value(item) : "");
        bool good = pubkey_next(&rest, &key, &found, &ignored) == 0 && found;
        if (good)
            pubkey_format(&again, &key);
        good = good && strcmp(again.p, json_string_value(item)) == 0;
        str_release(&again);
        if (!good)
            return false;
    }
    return json_is_array(list) && json_array_size(list) <= KEYS_PER_PLAYER;
}

static bool are_seats(const json_t *list)
{
    int64_t last = 0;
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        if (!json_is_integer(item) || json_integer_value(item) <= last ||
            json_integer_value(item) > SEATS_MAX)
            return false;
        last = json_integer_value(item);
    }
    return json_is_array(list);
}

static bool are_digests(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (!is_hex(item, 64) && !is_hex(item, 0))
            return false;
    return json_is_array(list);
}

static bool are_draws(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (json_object_size(item) != 1 || !is_hex(json_object_get(item, "seal"), 64))
            return false;
    return json_is_array(list) && json_array_size(list) <= CHANCE_HIDDEN;
}

/* What is in them is looked at when they are applied. */
static bool are_vacations(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (json_object_size(item) != (json_object_get(item, "before") ? 5 : 4))
            return false;
    return json_is_array(list);
}

static bool is_vrf_key(const json_t *value)
{
    unsigned char key[VRF_PUBLIC];
    return is_hex(value, (size_t)2 * VRF_PUBLIC) &&
           hex_decode(key, sizeof key, slice_of(json_string_value(value))) && vrf_key_good(key);
}

static bool are_witnesses(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (json_object_size(item) != 3 || !json_is_string(json_object_get(item, "player")) ||
            !is_vrf_key(json_object_get(item, "vrf")) || !are_keys(json_object_get(item, "keys")))
            return false;
    return json_array_size(list) > 0;
}

static bool fits(const json_t *value, char kind)
{
    switch (kind) {
    case 'i': return json_is_integer(value);
    case 's': return json_is_string(value) && strlen(json_string_value(value)) == json_string_length(value);
    case 'h': return is_hex(value, 64);
    case 'v': return is_vrf_key(value);
    case 'p': return is_hex(value, (size_t)2 * VRF_PROOF);
    case 't': return is_time(value);
    case 'b': return json_is_boolean(value);
    case 'T': return json_is_true(value);
    case 'k': return are_keys(value);
    case 'n': return are_seats(value);
    case 'e': return are_digests(value);
    case 'd': return are_draws(value);
    case 'W': return are_witnesses(value);
    case 'w': return are_vacations(value);
    case 'l': return json_is_array(value);
    case 'o': return json_is_object(value);
    default: return value != NULL;
    }
}

static const struct shape *shape_of(const struct auditing *a)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (audit_is(a, shapes[i].type) &&
            (!shapes[i].kind ||
             strcmp(audit_text(a, audit_is(a, "moderate") ? "do" : "kind"), shapes[i].kind) == 0))
            return &shapes[i];
    return NULL;
}

/* Of `members` the one of this name: its kind, and whether it may be missing. 0 = none. */
static char kind_of(const char *members, const char *name)
{
    struct slice rest = slice_of(members);
    struct slice word;
    size_t len = strlen(name);
    while (slice_word(&rest, &word))
        if (word.len > len + 1 && word.p[len] == ':' && memcmp(word.p, name, len) == 0)
            return word.p[len + 1];
    return 0;
}

static int check_present(struct auditing *a, const struct shape *shape)
{
    struct slice rest = slice_of(shape->members);
    struct slice word;
    while (slice_word(&rest, &word)) {
        char name[24];
        size_t len = (size_t)((const char *)memchr(word.p, ':', word.len) - word.p);
        memcpy(name, word.p, len);
        name[len] = '\0';
        if (word.p[word.len - 1] != '?' && !audit_has(a, name))
            return audit_broken(a, AUDIT_FORM, 0, "its member \"%s\" is missing", name);
    }
    return 0;
}

int audit_fields(struct auditing *a)
{
    const struct shape *shape = shape_of(a);
    bool note = audit_is(a, "note");
    const char *name;
    json_t *value;
    a->known = shape != NULL;
    if (!shape)
        return 0;
    json_object_foreach (a->record->json, name, value) {
        char common[24];
        (void)snprintf(common, sizeof common, " %s ", name);
        if (strstr(COMMON, common) || (note && strcmp(name, "kind") == 0))
            continue;
        char kind = kind_of(shape->members, name);
        if (!kind)
            return audit_broken(
                a, AUDIT_FORM, 0,
                "it has a member \"%.40s\", which such records do not have: edited, or made by a "
                "newer Turnpost",
                name);
        if (!fits(value, kind))
            return audit_broken(a, AUDIT_FORM, 0, "its member \"%s\" is not of the right kind", name);
    }
    return check_present(a, shape);
}
