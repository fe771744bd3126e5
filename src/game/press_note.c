#include "game/press_note.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "trust/signature.h"

static const char *const kind_names[] = {
    [PRESS_WHITE] = "white", [PRESS_GREY] = "grey", [PRESS_NONE] = "none"};

bool press_kind_read(const char *word, enum press_kind *kind)
{
    for (int i = PRESS_WHITE; i <= PRESS_NONE; i++) {
        if (strcmp(word, kind_names[i]) == 0) {
            *kind = (enum press_kind)i;
            return true;
        }
    }
    return false;
}

const char *press_kind_name(enum press_kind kind)
{
    return kind_names[kind];
}

json_t *press_to_json(uint32_t to, int seats)
{
    if (to == EVENT_PUBLIC)
        return json_string("all");
    json_t *list = json_array();
    for (int seat = 0; seat <= seats; seat++)
        if (to & SEAT_BIT(seat))
            json_array_append_new(list, json_integer(seat));
    return list;
}

bool press_to_read(const json_t *json, int seats, uint32_t *to)
{
    int64_t last = -1;
    size_t i;
    json_t *item;
    *to = 0;
    if (json_is_string(json)) {
        *to = EVENT_PUBLIC;
        return strcmp(json_string_value(json), "all") == 0;
    }
    json_array_foreach (json, i, item) {
        int64_t seat = json_is_integer(item) ? json_integer_value(item) : -1;
        if (seat < 0 || seat <= last || seat > seats)
            return false;
        *to |= SEAT_BIT(seat);
        last = seat;
    }
    return *to != 0;
}

int64_t press_re(struct slice exact, struct slice words)
{
    struct slice line, first = {"", 0};
    (void)slice_line(&words, &first);
    first = slice_trim(first);
    while (slice_line(&exact, &line)) {
        line = slice_trim(line);
        size_t colon = slice_find(line, ":");
        char number[8] = "";
        if (first.len && line.len == first.len && memcmp(line.p, first.p, first.len) == 0)
            return 0;
        if (colon >= line.len || !slice_caseeq(slice_trim(slice_sub(line, 0, colon)), "re"))
            continue;
        struct slice value = slice_trim(slice_sub(line, colon + 1, line.len));
        memcpy(number, value.p, value.len < sizeof number ? value.len : 0);
        return strtoll(number, NULL, 10);
    }
    return 0;
}

json_t *press_signed_text(const struct press *press, const struct game *game)
{
    struct signature sig;
    struct pubkey key;
    struct err ignored = ERR_INIT;
    struct str out = STR_INIT;
    if (!game->press.proved || !press->signature)
        return NULL;
    if (signature_read_json(press->signature, &sig, &key, &ignored))
        return NULL;
    str_addslice(&out, press->exact);
    if (!out.len || out.p[out.len - 1] != '\n')
        str_addc(&out, '\n');
    if (!pubkey_is_numbered(&key)) {
        sshsig_armor(&out, &sig);
    } else {
        unsigned char raw[2 + sizeof key.id + sizeof sig.sig] = {'E', sig.prehashed ? 'D' : 'd'};
        memcpy(raw + 2, key.id, sizeof key.id);
        memcpy(raw + 2 + sizeof key.id, sig.sig, sizeof sig.sig);
        str_adds(&out, "untrusted comment: signature of the text above\n");
        base64_encode(&out, raw, sizeof raw);
        str_addc(&out, '\n');
    }
    json_t *text = json_text(slice_str(&out));
    str_release(&out);
    return text;
}

json_t *press_waiting(const struct press *press, const struct game *game)
{
    json_t *lines = press_signed_text(press, game);
    return json_pack("{s:o,s:s,s:b,s:o,s:o*,s:I,s:I}", "to", press_to_json(press->to, game->seats), "sender",
                     press->grey ? "" : press->player, "grey", press->grey, "words", json_text(press->words),
                     "signed", lines, "record", (json_int_t)press->record, "re", (json_int_t)press->re);
}
