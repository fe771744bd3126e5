#include "game/members.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "game/game.h"

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
     "turn_length:i clock:o? missed_robot:i missed_standby:i? press:s? press_delivery:s? press_signed:T? "
     "observers:b? "
     "views:i? language:i? witnesses:W? format:i? nonce:h? table:l? answer_by:t?"},
    {"seat", NULL,
     "seat:i player:s? robot:s? keys:k? why:s? seal:h? left:s? waited:T? free:T? drawn:T? mail:h? text:h? "
     "by:s? "
     "signed:o?" TYPED},
    {"key", NULL, "seat:i keys:k"},
    {"start", NULL, "turn:i pi:p hidden:d state:h events:h reports:e drawn:l? deadline:t? away:w?"},
    {"turn", NULL, "turn:i pi:p hidden:d state:h events:h reports:e deadline:t? away:w?"},
    {"orders", NULL, "turn:i seat:i mail:h seal:h"},
    {"close", NULL, "turn:i seals:e set:n? deal:h? rollbacks:i? missed:n"},
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
/* Of `clock` in `create` (league/schedule.h). */
#define CLOCK \
    " schedule:s zone:s grace:i minimum:i early:T? vote:i extension:i weekends_off:T? holidays:l? starts:i?"

static const char *text_of(const struct record *record, const char *name)
{
    const char *text = json_string_value(json_object_get(record->json, name));
    return text ? text : "";
}

const char *members_of(const struct record *record)
{
    const char *word = text_of(record, strcmp(record->type, "moderate") == 0 ? "do" : "kind");
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(record->type, shapes[i].type) == 0 &&
            (!shapes[i].kind || strcmp(word, shapes[i].kind) == 0))
            return shapes[i].members;
    return NULL;
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
    char word[24];
    (void)snprintf(word, sizeof word, " %s ", name);
    return strstr(COMMON, word) || (strcmp(record->type, "note") == 0 && strcmp(name, "kind") == 0);
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

/* Of what stands in members: signatures, witnesses, vacations, scores, changes. */
#define INSIDE                                                                                         \
    " signature:x key:x sig:x hash:x namespace:x flags:x counter:x prehashed:x vrf:x before:x name:x " \
    "points:x "                                                                                        \
    "won:x lost:x place:x rank:x you:x path:x after:x"

bool members_known(const char *name)
{
    char word[24];
    if (snprintf(word, sizeof word, " %s ", name) < (int)sizeof word && strstr(COMMON " kind ", word))
        return true;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (members_kind(shapes[i].members, name))
            return true;
    return members_kind(CLOCK, name) || members_kind(INSIDE, name);
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
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        add_text(&all, shapes[i].type);
        add_text(&all, shapes[i].kind);
        add_text(&all, shapes[i].members);
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
