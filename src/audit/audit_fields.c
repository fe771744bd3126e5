/* Are a record's members those of the table (game/members.h), and each of its kind? */
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "audit/audit_parts.h"
#include "game/members.h"

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
        if (!members_hex(item, 64) && !members_hex(item, 0))
            return false;
    return json_is_array(list);
}

static bool are_draws(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (json_object_size(item) != 2 || !members_hex(json_object_get(item, "seal"), 64) ||
            !members_box(json_object_get(item, "box")))
            return false;
    return json_is_array(list) && json_array_size(list) <= CHANCE_HIDDEN;
}

/* The rest of their contents is checked when they are applied. */
static bool are_vacations(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (json_object_size(item) != 5 || !members_time(json_object_get(item, "before")))
            return false;
    return json_is_array(list);
}

static bool is_vrf_key(const json_t *value)
{
    unsigned char key[VRF_PUBLIC];
    return members_hex(value, (size_t)2 * VRF_PUBLIC) &&
           hex_decode(key, sizeof key, slice_of(json_string_value(value))) && vrf_key_good(key);
}

static bool are_witnesses(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (json_object_size(item) != 3 || !json_is_string(json_object_get(item, "name")) ||
            !is_vrf_key(json_object_get(item, "vrf")) || !json_is_string(json_object_get(item, "vkey")))
            return false;
    return json_array_size(list) > 0;
}

static bool fits(const json_t *value, char kind)
{
    switch (kind) {
    case 'v': return is_vrf_key(value);
    case 'k': return are_keys(value);
    case 'n': return are_seats(value);
    case 'e': return are_digests(value);
    case 'd': return are_draws(value);
    case 'V': return vouched_read(value, &(struct vouched){.cutter = 0});
    case 'W': return are_witnesses(value);
    case 'w': return are_vacations(value);
    default: return members_fit(value, kind);
    }
}

/* Commands of the operator's have requests. */
static bool may_be_requested(const struct auditing *a)
{
    if (audit_is(a, "create"))
        return true;
    return strcmp(audit_text(a, "by"), "operator") == 0;
}

int audit_fields(struct auditing *a)
{
    const char *name;
    json_t *value;
    if (!a->kind && !*record_word(a->record))
        return audit_broken(a, AUDIT_FORM, 0, "it does not say of what kind it is");
    if (!a->kind)
        return audit_newer(a, "its \"%s\": \"%.40s\" is not known to this Turnpost",
                           audit_is(a, "note") ? "kind" : "do", record_word(a->record));
    if (audit_is(a, "create") && audit_number(a, "format") > GAME_FORMAT) /* which may have other members */
        return audit_newer(a, "its \"format\" is %lld", (long long)audit_number(a, "format"));
    const char *stranger = members_stranger(a->record);
    if (stranger && !members_known(stranger))
        return audit_newer(a, "it has a member \"%.40s\", which this Turnpost does not know", stranger);
    if (stranger)
        return audit_broken(a, AUDIT_FORM, 0,
                            "it has a member \"%.40s\", which such records do not have: edited, or made by a "
                            "newer Turnpost",
                            stranger);
    json_object_foreach (a->record->json, name, value) {
        if (members_common(a->record, name))
            continue;
        char kind = members_kind(a->kind->members, name);
        if (!fits(value, kind))
            return audit_broken(a, AUDIT_FORM, 0, "its member \"%s\" is not of the right kind", name);
    }
    struct vouched vouched;
    if (vouched_read(json_object_get(a->record->json, "vouched"), &vouched) &&
        audit_arrived(a, audit_seat(a), &vouched, 0))
        return -1;
    if (audit_has(a, "request") && !may_be_requested(a))
        return audit_broken(a, AUDIT_FORM, audit_seat(a),
                            "it names a request of the operator's, and is no record of such a one");
    char missing[MEMBER_NAME];
    if (members_missing(a->kind->members, a->record, missing))
        return audit_broken(a, AUDIT_FORM, 0, "its member \"%s\" is missing", missing);
    return 0;
}
