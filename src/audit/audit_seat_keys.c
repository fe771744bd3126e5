/* Another key of a seat: a text of its player says so, or it took seven days in which the table knew (game/apply_key.c). */
#include <string.h>

#include "audit/audit_parts.h"
#include "base/json.h"
#include "game/seat_keys.h"

/* The last of the record's keys, which a text that adds one has put there. */
static bool last_key(const json_t *keys, struct pubkey *key)
{
    const char *line = json_string_value(json_array_get(keys, json_array_size(keys) - 1));
    struct slice rest = slice_of(line ? line : "");
    struct err ignored = ERR_INIT;
    bool found = false;
    return pubkey_next(&rest, key, &found, &ignored) == 0 && found;
}

static bool are(const json_t *list, const struct seat_keys *keys)
{
    bool same = json_array_size(list) == keys->count;
    for (size_t i = 0; same && i < keys->count; i++) {
        struct str line = STR_INIT;
        const char *is = json_string_value(json_array_get(list, i));
        pubkey_format(&line, &keys->list[i]);
        same = is && strcmp(is, line.p) == 0;
        str_release(&line);
    }
    return same;
}

int audit_seat_keys_text(struct auditing *a, const struct audit_signed *text)
{
    const int seat = audit_seat(a);
    const struct game_seat *who = &a->game.seat[seat];
    const json_t *list = json_object_get(a->record->json, "keys");
    const bool own = strcmp(audit_text(a, "by"), who->player) == 0;
    struct slice name = {"", 0}, add;
    struct pubkey added;
    struct seat_keys keys;
    struct err why = ERR_INIT;
    const bool named = frame_line(text->frame.body, "player", &name);
    if (named ? !slice_caseeq(name, who->player) : !own)
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text is about another player's keys");
    if (!own && frame_line(text->frame.body, "add", &add))
        return audit_broken(a, AUDIT_TEXT, seat, "only their player adds keys to a seat");
    const bool last = last_key(list, &added);
    if (seat_keys_change(
            &(struct seat_keys_text){text->frame.body, last ? &added : NULL, own, a->game.table.by_mail}, who,
            &keys, &why))
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text makes no other keys: %s", why.text);
    return are(list, &keys) ? 0
                            : audit_broken(a, AUDIT_KEYS, seat, "its keys are not what the signed text says");
}

void audit_seat_keys_after(struct auditing *a)
{
    const int seat = audit_seat(a);
    const char *player = a->game.seat[seat].player, *by = audit_text(a, "by");
    if (audit_is(a, "key") && audit_has(a, "signed") && strcmp(by, player) != 0 && game_seat_of(&a->game, by))
        audit_word(
            a, AUDIT_SIGNATURE, seat,
            "seat %d (%s) has fewer keys from here on: that %s, who plays too, is a moderator rests on the "
            "operator's word",
            seat, player, by);
    if (audit_is(a, "key") && audit_has(a, "asked"))
        audit_word(a, AUDIT_KEYS, seat,
                   "seat %d (%s) has another key from here on, which was asked for in record %lld%s", seat,
                   player, (long long)audit_number(a, "asked"), a->closed ? "; the turn is closed" : "");
    if (audit_kind_is(a, RECORD_MAILBOX))
        audit_word(a, AUDIT_MAILBOX, seat, "seat %d (%s) has another mailbox from here on, by %s", seat,
                   player, audit_text(a, "by"));
}
