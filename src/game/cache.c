#include "game/cache.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/game_rows.h"
#include "game/members.h"

#define CACHE_FORM "turnpost state 17 "
#define CACHE_MAC  ((size_t)32)

static void cache_mac(unsigned char mac[CACHE_MAC], const unsigned char master[32], struct slice body)
{
    crypto_generichash_state state;
    unsigned char key[32];
    crypto_kdf_derive_from_key(key, sizeof key, 2, "tp-cache", master);
    crypto_generichash_init(&state, key, sizeof key, CACHE_MAC);
    crypto_generichash_update(&state, (const unsigned char *)body.p, body.len);
    crypto_generichash_final(&state, mac, CACHE_MAC);
    sodium_memzero(key, sizeof key);
}

/* A game by its table, and its state by that of its ruleset. */
static json_t *game_json(const struct game *game)
{
    json_t *json = keep_json(game_rows, game, game->seats);
    json_object_set_new(json, "state", fields_json(game->ruleset->fields, game->state));
    return json;
}

static int game_read(const json_t *json, struct game *game, struct err *err)
{
    if (keep_read(game_rows, game, json, err))
        return -1;
    if (game->seats < 1 || game->seats > SEATS_MAX)
        return err_set(err, ERR_BROKEN, "there are no games of %d seats", game->seats);
    game->state = mem_alloc(game->ruleset->state_size);
    return fields_read(game->ruleset->fields, game->state, json_object_get(json, "state"), 1, err);
}

/* What the program knew of records: the cache of a newer one, or of one that knew less, would hide some. */
static json_t *known_json(void)
{
    unsigned char print[32];
    char hex[2 * sizeof print + 1];
    members_print(print);
    hex_to(hex, print, sizeof print);
    return json_string(hex);
}

static bool knew_as_much(const json_t *json)
{
    json_t *known = known_json();
    bool same = json_equal(json_object_get(json, "knows"), known);
    json_decref(known);
    return same;
}

int game_save(struct store *store, const struct game *game, const unsigned char master[32], struct err *err)
{
    unsigned char mac[CACHE_MAC];
    struct str body = STR_INIT;
    struct str text = STR_INIT;
    json_t *json = game_json(game);
    json_object_set_new(json, "knows", known_json());
    json_write(&body, json);
    cache_mac(mac, master, slice_str(&body));
    str_adds(&text, CACHE_FORM);
    hex_encode(&text, mac, sizeof mac);
    str_addc(&text, '\n');
    str_addslice(&text, slice_str(&body));
    str_addc(&text, '\n');
    int rc = store_write_state(store, game->id, slice_str(&text), err);
    json_decref(json);
    str_release(&body);
    str_release(&text);
    return rc;
}

int game_copy(const struct game *from, struct game *to, struct err *err)
{
    game_init(to);
    json_t *json = game_json(from);
    int rc = game_read(json, to, err) ? err_prefix(err, "%s cannot be copied", from->id) : 0;
    json_decref(json);
    memcpy(to->journal.last_type, from->journal.last_type, sizeof to->journal.last_type);
    to->cards = from->cards;
    if (rc == 0 && from->own_cards) {
        to->own_cards = mem_copy(from->own_cards, from->ruleset->cards_size);
        to->cards = to->own_cards;
    }
    if (rc)
        game_release(to);
    return rc;
}

/* The journal must still hold, at its place, the record that the cache was made from. */
static bool holds_last(struct store *store, const struct game *game)
{
    struct err err = ERR_INIT;
    struct str line = STR_INIT;
    unsigned char head[HEAD_BYTES];
    bool holds = store_line_before(store, game->id, game_end(game), &line, &err) == 0 && line.len;
    if (holds) {
        record_head(head, slice_str(&line));
        holds = memcmp(head, game->head, HEAD_BYTES) == 0;
    }
    str_release(&line);
    return holds;
}

enum cache_fit cache_read(const struct cache_of *of, struct game *game, struct str *tail, struct err *why)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    unsigned char mac[CACHE_MAC], want[CACHE_MAC];
    unsigned char digest[32];
    json_t *json = NULL;
    enum cache_fit fit = CACHE_NONE;
    if (store_read_state(of->store, of->id, &text, &err))
        goto out;
    const size_t front = strlen(CACHE_FORM) + 2 * CACHE_MAC + 1;
    struct slice body = slice_sub(slice_str(&text), front, text.len);
    if (text.len <= front || !slice_starts(slice_str(&text), CACHE_FORM) ||
        !hex_decode(mac, CACHE_MAC, slice_sub(slice_str(&text), strlen(CACHE_FORM), 2 * CACHE_MAC)) ||
        !body.len)
        goto out;
    body.len--; /* its LF */
    cache_mac(want, of->master, body);
    if (sodium_memcmp(mac, want, CACHE_MAC) != 0 || !(json = json_read(body, "state.json", &err)) ||
        !knew_as_much(json) || game_read(json, game, &err) || strcmp(game->id, of->id) != 0 ||
        game->seq < 1 || game->journal.last_from < 0 || game->journal.length <= game->journal.last_from)
        goto out;
    memcpy(digest, game->cards_digest, 32);
    if (!holds_last(of->store, game)) {
        fit = CACHE_LOST;
        err_set(why, ERR_BROKEN,
                "%s: record %lld, which was committed, is not in the journal: it was cut, replaced or "
                "restored; put the right one back, or go on from this one, which the game then tells its "
                "players: "
                "turnpost game restore %s",
                of->id, (long long)game->seq, of->id);
        goto out;
    }
    /* Cards other than the built-in ones are in the first record only: such a game is replayed. */
    if (game_set_cards(game, NULL, &err) || memcmp(digest, game->cards_digest, 32) != 0 ||
        (of->mend ? store_read_mending : store_read)(of->store, of->id, game_end(game), tail, &err))
        goto out;
    fit = CACHE_GOOD;
out:
    json_decref(json);
    str_release(&text);
    return fit;
}
