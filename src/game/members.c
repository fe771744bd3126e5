#include "game/members.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "game/game.h"
#include "game/record_kinds.h"

/* Of every record; record_parse has checked them. */
#define COMMON " game seq prev type time "
/* Of `clock` in `create` (league/schedule.h). */
#define CLOCK                                                                                \
    " schedule:s zone:s offset:i? changes:l? grace:i minimum:i early:T? vote:i extension:i " \
    "weekends_off:T? holidays:l? starts:i?"

const char *members_of(const struct record *record)
{
    const struct record_kind *kind = record_kind_of(record);
    return kind ? kind->members : NULL;
}

char members_kind(const char *members, const char *name)
{
    struct slice rest = slice_of(members);
    struct slice word;
    size_t len = strlen(name);
    while (slice_word(&rest, &word))
        if (word.len > len + 1 && word.p[len] == ':' && memcmp(word.p, name, len) == 0)
            return word.p[len + 1];
    return 0;
}

bool members_common(const struct record *record, const char *name)
{
    return word_listed(COMMON, name) || (strcmp(record->type, "note") == 0 && strcmp(name, "kind") == 0);
}

bool members_missing(const char *members, const struct record *record, char name[MEMBER_NAME])
{
    struct slice rest = slice_of(members), word;
    while (slice_word(&rest, &word)) {
        size_t colon = slice_find(word, ":");
        (void)snprintf(name, MEMBER_NAME, "%.*s", (int)(colon == (size_t)-1 ? word.len : colon), word.p);
        if (word.p[word.len - 1] != '?' && !json_object_get(record->json, name))
            return true;
    }
    return false;
}

bool members_hex(const json_t *value, size_t digits)
{
    const char *text = json_string_value(value);
    return text && json_string_length(value) == digits && strspn(text, "0123456789abcdef") == digits;
}

bool members_box(const json_t *value)
{
    struct str bytes = STR_INIT;
    bool box = json_is_string(value) &&
               base64_decode(&bytes, (struct slice){json_string_value(value), json_string_length(value)});
    str_release(&bytes);
    return box;
}

bool members_time(const json_t *value)
{
    int64_t time;
    return json_is_string(value) && clock_parse(slice_of(json_string_value(value)), &time) &&
           time > 0; /* 0 is none */
}

bool members_fit(const json_t *value, char kind)
{
    switch (kind) {
    case 'i':
    case 'S':
    case 'P': return json_is_integer(value);
    case 's': return json_is_string(value) && strlen(json_string_value(value)) == json_string_length(value);
    case 'h': return members_hex(value, 64);
    case 'p': return members_hex(value, (size_t)2 * VRF_PROOF);
    case 't': return members_time(value);
    case 'b': return json_is_boolean(value);
    case 'T': return json_is_true(value);
    case 'l': return json_is_array(value);
    case 'o': return json_is_object(value);
    case 'B': return members_box(value);
    default: return value != NULL;
    }
}

const char *members_stranger(const struct record *record)
{
    const char *members = members_of(record);
    const char *name;
    json_t *value;
    json_object_foreach (record->json, name, value)
        if (members && !members_common(record, name) && !members_kind(members, name))
            return name;
    if (strcmp(record->type, "create") == 0)
        json_object_foreach (json_object_get(record->json, "clock"), name, value)
            if (!members_kind(CLOCK, name))
                return name;
    return NULL;
}

bool members_known(const char *name)
{
    if (word_listed(COMMON " kind ", name))
        return true;
    for (size_t i = 0; i < RECORD_IDS; i++)
        if (members_kind(record_kinds[i].members, name))
            return true;
    return members_kind(CLOCK, name) != 0;
}

static void add_text(crypto_generichash_state *all, const char *text)
{
    crypto_generichash_update(all, (const unsigned char *)(text ? text : ""), text ? strlen(text) + 1 : 1);
}

void members_print(unsigned char print[32])
{
    crypto_generichash_state all;
    int numbers[2] = {GAME_FORMAT, ORDER_LANGUAGE};
    crypto_generichash_init(&all, NULL, 0, 32);
    add_text(&all, RECORD_TYPES COMMON CLOCK);
    for (size_t i = 0; i < RECORD_IDS; i++) {
        add_text(&all, record_kinds[i].type);
        add_text(&all, record_kinds[i].word);
        add_text(&all, record_kinds[i].members);
    }
    crypto_generichash_update(&all, (const unsigned char *)numbers, sizeof numbers);
    for (size_t i = 0; rulesets[i]; i++) {
        numbers[0] = rulesets[i]->version;
        numbers[1] = rulesets[i]->views;
        add_text(&all, rulesets[i]->name);
        crypto_generichash_update(&all, (const unsigned char *)numbers, sizeof numbers);
    }
    crypto_generichash_final(&all, print, 32);
}
