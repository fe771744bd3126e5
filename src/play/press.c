#include "play/press.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/utf8.h"
#include "game/told.h"
#include "league/name_list.h"
#include "game/vouched.h"
#include "play/step_parts.h"
#include "trust/signature.h"

#define PRESS_COLUMNS 70

/* ---- records ---- */

static void keyed(unsigned char out[32], const unsigned char key[32], const char *what, struct slice first,
                  struct slice second)
{
    crypto_generichash_state st;
    crypto_generichash_init(&st, key, 32, 32);
    crypto_generichash_update(&st, (const unsigned char *)what, strlen(what) + 1);
    crypto_generichash_update(&st, (const unsigned char *)first.p, first.len);
    crypto_generichash_update(&st, (const unsigned char *)"", 1);
    crypto_generichash_update(&st, (const unsigned char *)second.p, second.len);
    crypto_generichash_final(&st, out, 32);
}

void press_marks(const unsigned char master[32], const struct game *game, const struct press_mark *of,
                 unsigned char text[32], unsigned char mail[32])
{
    unsigned char key[32];
    game_press_key(key, master, game);
    keyed(text, key, "turnpost/text", slice_of(of->player), of->canonical);
    keyed(mail, key, "turnpost/mail", (struct slice){(const char *)of->digest, 32},
          (struct slice){(const char *)text, 32});
    sodium_memzero(key, sizeof key);
}

/* "from: nobody", however it is typed. */
static bool is_nobody(struct slice line)
{
    size_t colon = slice_find(line, ":");
    return colon < line.len && slice_caseeq(slice_trim(slice_sub(line, 0, colon)), "from") &&
           slice_caseeq(slice_trim(slice_sub(line, colon + 1, line.len)), "nobody");
}

bool press_hides(struct slice text)
{
    struct slice line, word;
    bool press = false, hides = false;
    while (!hides && slice_line(&text, &line)) {
        line = slice_trim(line);
        struct slice rest = line;
        if (slice_word(&rest, &word) && slice_caseeq(word, "#turnpost"))
            press = slice_word(&rest, &word) && slice_caseeq(word, "press");
        else if (slice_caseeq(line, "#end"))
            press = false;
        hides = press && is_nobody(line);
    }
    return hides;
}

/* Of a grey message nothing shows, not even its length, whether a key or a domain has signed it, and how long a name is. */
#define GREY_ROUND 4096

void press_box(struct step *step, const struct game *game, const struct press *press, json_t *into)
{
    json_t *signature = press->proof ? step_domain_signature(press->proof)
                                     : json_incref((json_t *)(uintptr_t)press->signature);
    json_t *json =
        json_pack("{s:s,s:i,s:o,s:o,s:o}", "player", press->player, "seat", press->seat, "signature",
                  signature, "text", json_text(press->exact), "words", json_text(press->words));
    if (press->proof)
        json_object_set_new(json, "vouched",
                            step_vouched(step, game, 0, press->proof, press->grey ? 0 : VOUCHED_PRESS_KEPT));
    step_box_json(
        step, game,
        &(struct step_boxed){.item = SEAL_PRESS, .private = true, .round = press->grey ? GREY_ROUND : 1},
        json, into);
}

int press_record(struct step *step, struct game *game, const struct press *press, json_t *marks,
                 struct err *err)
{
    json_t *fields = json_pack("{s:s,s:i,s:o}", "kind", "press", "turn", game->turn, "to",
                               press_to_json(press->to, game->seats));
    press_box(step, game, press, fields);
    if (press->grey)
        json_object_set_new(fields, "grey", json_true());
    else if (press->seat)
        json_object_set_new(fields, "seat", json_integer(press->seat));
    else
        json_object_set_new(fields, "by", json_string(press->player));
    json_object_update(fields, marks);
    json_decref(marks);
    return step_record(step, game, "note", fields, NULL, err);
}

/* ---- lines ---- */

/* How much of the line fits into the width: broken after a space, or inside a longer word where it must
 * be. */
static size_t fitting(struct slice line, size_t width)
{
    size_t at = 0, blank = 0, columns = 0;
    while (at < line.len) {
        size_t len;
        (void)utf8_next(slice_sub(line, at, line.len), &len);
        columns += utf8_width(slice_sub(line, at, len));
        if (columns > width && line.p[at] == ' ')
            return at;
        if (columns > width)
            return blank ? blank : at ? at : len;
        at += len;
        if (line.p[at - 1] == ' ')
            blank = at;
    }
    return at;
}

json_t *press_lines(struct slice words, size_t width)
{
    json_t *lines = json_array();
    struct slice line;
    while (slice_line(&words, &line)) {
        struct str safe = STR_INIT;
        utf8_safe(&safe, line, false);
        struct slice rest = slice_trim(slice_str(&safe));
        do {
            size_t len = fitting(rest, width);
            json_array_append_new(lines,
                                  json_pack("{s:o}", "line", json_text(slice_trim(slice_sub(rest, 0, len)))));
            rest = slice_sub(rest, len, rest.len);
        } while (rest.len);
        str_release(&safe);
    }
    return lines;
}

/* ---- facts ---- */

/* A message as its readers see it. */
struct shown {
    uint32_t to;
    const char *sender; /* "" = unknown */
    bool grey, moderators;
    int64_t record, re; /* as in struct press */
    struct slice words;
};

static json_t *message_facts(const struct game *game, const struct shown *shown, int reader)
{
    uint32_t to = shown->to;
    bool grey = shown->grey, moderators = shown->moderators;
    json_t *seats = json_array();
    for (int seat = 1; to != EVENT_PUBLIC && seat <= game->seats; seat++)
        if (to & SEAT_BIT(seat))
            json_array_append_new(seats, json_pack("{s:b,s:b,s:s}", "more", json_array_size(seats) > 0, "you",
                                                   seat == reader, "who", game->seat[seat].player));
    json_t *facts =
        json_pack("{s:s,s:b,s:b,s:b,s:b,s:b,s:o,s:o}", "sender", shown->sender, "white", !grey && !moderators,
                  "grey", grey, "moderators", moderators, "to_all", to == EVENT_PUBLIC, "to_moderators",
                  to != EVENT_PUBLIC && (to & PRESS_MODERATORS), "to_seats", seats, "lines",
                  press_lines(shown->words, PRESS_COLUMNS));
    if (shown->record)
        json_object_set_new(facts, "record", json_integer(shown->record));
    if (shown->re)
        json_object_set_new(facts, "re", json_integer(shown->re));
    return facts;
}

json_t *press_facts(const struct game *game, const struct press *press, int reader)
{
    const struct shown shown = {.to = press->to,
                                .sender = press->grey ? "" : press->player,
                                .grey = press->grey,
                                .moderators = !press->grey && !press->seat,
                                .record = press->record,
                                .re = press->re,
                                .words = press->words};
    json_t *facts = message_facts(game, &shown, reader);
    json_t *lines = press_signed_text(press, game);
    if (lines)
        json_object_set_new(facts, "signed", lines);
    return facts;
}

void press_facts_put(json_t *facts, json_t *messages)
{
    if (json_array_size(messages) > 0)
        json_object_set_new(facts, "press", json_pack("{s:O}", "messages", messages));
}

static void add_messages(json_t *list, const struct game *game, int seat, const json_t *messages)
{
    size_t i;
    json_t *item;
    json_array_foreach (messages, i, item) {
        uint32_t to;
        const char *sender = json_string_value(json_object_get(item, "sender"));
        const char *words = json_string_value(json_object_get(item, "words"));
        if (!press_to_read(json_object_get(item, "to"), game->seats, &to) || !(to & SEAT_BIT(seat)) ||
            !words || (to != EVENT_PUBLIC && told_hides(game, seat, item)))
            continue;
        const struct shown shown = {.to = to,
                                    .sender = sender ? sender : "",
                                    .grey = json_is_true(json_object_get(item, "grey")),
                                    .record = json_integer_value(json_object_get(item, "record")),
                                    .re = json_integer_value(json_object_get(item, "re")),
                                    .words = slice_of(words)};
        json_t *facts_one = message_facts(game, &shown, seat);
        if (json_object_get(item, "signed"))
            json_object_set(facts_one, "signed", json_object_get(item, "signed"));
        json_array_append_new(list, facts_one);
    }
}

json_t *press_facts_report(const struct game *game, int seat, const json_t *since)
{
    json_t *list = json_array();
    size_t i;
    json_t *turn;
    json_array_foreach (since, i, turn)
        add_messages(list, game, seat, json_object_get(turn, "press"));
    return list;
}

static bool is_muted(const char *mutes, const char *game, const char *sender)
{
    struct str one = STR_INIT;
    bool muted = false;
    for (int any = 0; any <= 1 && !muted; any++) {
        str_clear(&one);
        str_addf(&one, "%s/%s", any ? "any" : game, sender);
        muted = names_hold(mutes, one.p);
    }
    str_release(&one);
    return muted;
}

bool press_mute(json_t *messages, const char *game, const char *mutes)
{
    size_t count = json_array_size(messages);
    for (size_t i = count; i-- > 0;) {
        const json_t *message = json_array_get(messages, i);
        const char *sender = json_string_value(json_object_get(message, "sender"));
        bool grey = json_is_true(json_object_get(message, "grey"));
        if (!json_is_true(json_object_get(message, "moderators")) && sender &&
            is_muted(mutes, game, grey ? "nobody" : sender))
            json_array_remove(messages, i);
    }
    return !count || json_array_size(messages) > 0;
}

json_t *press_attached(const json_t *messages)
{
    struct str text = STR_INIT;
    size_t i;
    json_t *message;
    json_array_foreach (messages, i, message) {
        const char *lines = json_string_value(json_object_get(message, "signed"));
        if (lines)
            str_addf(&text, "%s%s", text.len ? "\n" : "", lines);
    }
    json_t *file = text.len ? json_pack("{s:s,s:s,s:o}", "name", "signed.txt", "type", "text/plain", "text",
                                        json_text(slice_str(&text)))
                            : NULL;
    str_release(&text);
    return file;
}
