/* What the applications of all kinds of records share: reading members, keys and payloads. */
#include "game/apply_parts.h"
#include "game/seat_keys.h"

#include <stdarg.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "base/version.h"
#include "game/turn.h"

int apply_broken(const struct applying *a, struct err *err, const char *why)
{
    return err_set(err, ERR_BROKEN, "record %lld (%s): %s", (long long)a->record->seq, a->record->type, why);
}

int apply_newer(const struct applying *a, struct err *err, const char *fmt, ...)
{
    struct str what = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&what, fmt, args);
    va_end(args);
    int rc = version_newer(err, "record %lld (%s): %s", (long long)a->record->seq, a->record->type, what.p);
    str_release(&what);
    return rc;
}

const char *apply_text(const struct applying *a, const char *key)
{
    const char *text = json_string_value(json_object_get(a->record->json, key));
    return text ? text : "";
}

bool apply_hex(const struct applying *a, const char *key, void *out, size_t len)
{
    return hex_decode(out, len, slice_of(apply_text(a, key)));
}

bool apply_draw(const struct applying *a, const unsigned char key[VRF_PUBLIC], const struct str *alpha,
                unsigned char output[VRF_OUTPUT])
{
    unsigned char proof[VRF_PROOF];
    if (!apply_hex(a, "pi", proof, VRF_PROOF))
        return false;
    return a->proved ? vrf_output(output, proof) : vrf_verify(output, key, proof, slice_str(alpha));
}

void apply_mark(struct game_marks *marks, int turn, const unsigned char digest[32])
{
    marks->list = mem_grow(marks->list, marks->count, &marks->cap, sizeof *marks->list);
    struct game_mark *mark = &marks->list[marks->count++];
    *mark = (struct game_mark){.turn = turn};
    memcpy(mark->digest, digest, 32);
}

struct game_seat *apply_seat_of(struct applying *a, struct err *err)
{
    int64_t seat;
    if (json_need_int(a->record->json, "seat", 1, a->game->seats, &seat, a->record->type, err))
        return NULL;
    return &a->game->seat[seat];
}

int apply_key_list(struct applying *a, const json_t *list, struct pubkey keys[KEYS_PER_PLAYER], size_t *count,
                   struct err *err)
{
    size_t i;
    json_t *line;
    *count = 0;
    json_array_foreach (list, i, line) {
        bool found = false;
        struct slice rest = slice_of(json_is_string(line) ? json_string_value(line) : "");
        if (i >= KEYS_PER_PLAYER || pubkey_next(&rest, &keys[i], &found, err) || !found)
            return apply_broken(a, err, "a key cannot be read");
        *count = i + 1;
    }
    return 0;
}

int apply_signers(struct applying *a, struct game_seat *seat, struct err *err)
{
    struct err why = ERR_INIT;
    const json_t *with = *apply_text(a, "robot") ? NULL : json_object_get(a->record->json, "signed");
    return seat_keys(with, seat->keys, &seat->key_count, &why) ? apply_broken(a, err, why.text) : 0;
}

json_t *apply_signed(struct applying *a, int seat, int signer, unsigned char seal[SEAL_BYTES])
{
    json_t *payload = NULL;
    if (!apply_hex(a, "seal", seal, SEAL_BYTES))
        return NULL;
    (void)sealed_set_find_signed(
        a->sealed, &(struct sealed_text){a->game->journal.create_head, a->record->seq, seat, signer, seal},
        &payload);
    return payload;
}

const struct sealed *apply_payload(struct applying *a, int seat, int item, const char *hex,
                                   unsigned char seal[SEAL_BYTES])
{
    if (!hex || !hex_decode(seal, SEAL_BYTES, slice_of(hex)))
        return NULL;
    return sealed_set_find(a->sealed, a->record->seq, seat, item, seal);
}

static void replace(struct str *text, struct slice by)
{
    str_clear(text);
    str_addslice(text, by);
}

/* The lines of a text, for the open turn and for later ones. */
struct lines_in {
    struct slice now, later;
    const unsigned char *seal;
};

/* Do the player's orders keep the turn open, and since when? What a moderator sets does not. */
static void take_patience(const struct applying *a, struct game_orders *orders)
{
    int64_t *since;
    orders->waits = json_is_true(json_object_get(a->record->json, "waits"));
    if (strcmp(a->record->type, "orders") != 0)
        return;
    since = orders->waits ? &orders->waits_since : &orders->complete;
    *since = *since ? *since : a->record->time;
}

/* Orders for the open turn replace what the seat has sent for it; a text with nothing but standing orders and
 * deals does not. */
static void take_orders(struct applying *a, struct game_seat *seat, const struct frame *frame,
                        const struct lines_in *lines)
{
    struct game_orders *orders = &seat->orders;
    replace(&orders->text, lines->now);
    replace(&orders->later, lines->later);
    orders->seq = frame->seq;
    orders->wait = frame->wait;
    orders->final = frame->final;
    orders->json = frame->json;
    take_patience(a, orders);
    orders->in = true;
    orders->set = orders->by_mail = false;
    orders->written = 0;
    json_decref(orders->vouched);
    orders->vouched = NULL;
    orders->record = a->record->seq;
    seat->offered[0] = '\0'; /* its player is back */
    memcpy(orders->seal, lines->seal, SEAL_BYTES);
}

void apply_lines(struct applying *a, struct game_seat *seat, const struct frame *frame, struct slice body,
                 const unsigned char seal[SEAL_BYTES])
{
    struct game *game = a->game;
    struct slice later;
    struct str named = STR_INIT;
    seat->orders.question = 0;
    turn_names(&named, game, body);
    struct slice now = turn_block(slice_str(&named), game->turn, &later);
    struct script *script = script_parse(now, game->ruleset->language);
    if (strcmp(a->record->type, "orders") == 0)
        replace(&game->journal.led_lines, now);
    if (turn_content(script) == CONTENT_ORDERS)
        take_orders(a, seat, frame, &(struct lines_in){now, later, seal});
    else
        turn_said(&seat->said, script);
    if (script_has_instant(script))
        replace(&seat->instant, now);
    standing_update(&seat->standing, script, game->ruleset->language);
    script_free(script);
    str_release(&named);
}

struct game_tally *apply_tally(struct game *game, const char *player)
{
    for (size_t i = 0; i < game->attendance.tally_count; i++)
        if (strcmp(game->attendance.tallies[i].player, player) == 0)
            return &game->attendance.tallies[i];
    game->attendance.tallies = mem_grow(game->attendance.tallies, game->attendance.tally_count,
                                        &game->attendance.tally_cap, sizeof *game->attendance.tallies);
    struct game_tally *tally = &game->attendance.tallies[game->attendance.tally_count++];
    *tally = (struct game_tally){.player = ""};
    memcpy(tally->player, player, strlen(player) + 1);
    return tally;
}

void apply_no_orders(struct game_seat *seat)
{
    struct game_orders *orders = &seat->orders;
    str_clear(&orders->text);
    str_clear(&orders->later);
    json_decref(orders->vouched);
    *orders = (struct game_orders){.text = orders->text, .later = orders->later};
}
