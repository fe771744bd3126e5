#include "journal/seal.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"

static const char salt_prefix[] = "turnpost/salt"; /* all with their NUL */
static const char box_prefix[] = "turnpost/box";
static const char seal_prefix[] = "turnpost/seal";
static const char mark_prefix[] = "turnpost/mark";
static const char dkim_prefix[] = "turnpost/dkim";
static const char made_prefix[] = "turnpost/made";
static const char kseal_prefix[] = "turnpost/kseal";
static const char kdf_context[crypto_kdf_CONTEXTBYTES] = {'t', 'p', '-', 's', 'e', 'a', 'l', '1'};
static const char kdf_press[crypto_kdf_CONTEXTBYTES] = {'t', 'p', '-', 'p', 'r', 'e', 's', 's'};

static void game_key(unsigned char key[32], const unsigned char master[32],
                     const char context[crypto_kdf_CONTEXTBYTES], const char *game,
                     const unsigned char nonce[SEAL_NONCE])
{
    unsigned char name[16];
    uint64_t id = 0;
    unsigned char derived[32];
    crypto_generichash(name, sizeof name, (const unsigned char *)game, strlen(game), NULL, 0);
    for (int i = 7; i >= 0; i--)
        id = id << 8 | name[i];
    crypto_kdf_derive_from_key(derived, sizeof derived, id, context, master);
    /* The 64-bit number of the derivation could collide; the whole name cannot. */
    crypto_generichash(key, 32, (const unsigned char *)game, strlen(game), derived, sizeof derived);
    memcpy(derived, key, sizeof derived);
    crypto_generichash(key, 32, nonce, SEAL_NONCE, derived, sizeof derived);
    sodium_memzero(derived, sizeof derived);
}

void seal_key(unsigned char key[32], const unsigned char master[32], const char *game,
              const unsigned char nonce[SEAL_NONCE])
{
    game_key(key, master, kdf_context, game, nonce);
}

void seal_press_key(unsigned char key[32], const unsigned char master[32], const char *game,
                    const unsigned char nonce[SEAL_NONCE])
{
    game_key(key, master, kdf_press, game, nonce);
}

void seal_key_commitment(unsigned char out[32], const unsigned char key[32])
{
    crypto_generichash_state st;
    crypto_generichash_init(&st, NULL, 0, 32);
    crypto_generichash_update(&st, (const unsigned char *)kseal_prefix, sizeof kseal_prefix);
    crypto_generichash_update(&st, key, 32);
    crypto_generichash_final(&st, out, 32);
}

void seal_salt(unsigned char salt[32], const unsigned char key[32], const struct sealed_place *place,
               struct slice payload)
{
    unsigned char input[sizeof salt_prefix + 12 + 32];
    memcpy(input, salt_prefix, sizeof salt_prefix);
    put_le32(input + sizeof salt_prefix, (uint32_t)place->seq);
    put_le32(input + sizeof salt_prefix + 4, (uint32_t)place->seat);
    put_le32(input + sizeof salt_prefix + 8, (uint32_t)place->item);
    crypto_generichash(input + sizeof salt_prefix + 12, 32, (const unsigned char *)payload.p, payload.len,
                       NULL, 0);
    crypto_generichash(salt, 32, input, sizeof input, key, 32);
}

/* The key of the box of what has this seal, mark or `made`. */
static void box_key(unsigned char box[32], const unsigned char key[32], const unsigned char of[SEAL_BYTES])
{
    unsigned char input[sizeof box_prefix + SEAL_BYTES];
    memcpy(input, box_prefix, sizeof box_prefix);
    memcpy(input + sizeof box_prefix, of, SEAL_BYTES);
    crypto_generichash(box, 32, input, sizeof input, key, 32);
}

/* In either direction, in place. */
static void box_turn(struct str *bytes, const unsigned char box[32])
{
    static const unsigned char nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
    unsigned char *p = (unsigned char *)bytes->p;
    if (bytes->len)
        (void)crypto_stream_chacha20_ietf_xor_ic(p, p, bytes->len, nonce, 0, box);
}

void seal_of(unsigned char seal[SEAL_BYTES], const unsigned char salt[32], struct slice payload)
{
    crypto_generichash_state st;
    crypto_generichash_init(&st, NULL, 0, SEAL_BYTES);
    crypto_generichash_update(&st, (const unsigned char *)seal_prefix, sizeof seal_prefix);
    crypto_generichash_update(&st, salt, 32);
    crypto_generichash_update(&st, (const unsigned char *)payload.p, payload.len);
    crypto_generichash_final(&st, seal, SEAL_BYTES);
}

static const char *text_in(const json_t *json, const char *name)
{
    return json_string_value(json_object_get(json, name));
}

/* What stands for the signature of a domain, whose length is its key's. */
static bool domain_bytes(unsigned char out[crypto_sign_BYTES], const json_t *signature)
{
    unsigned char content[32];
    const char *hex = text_in(signature, "content"), *dkim = text_in(signature, "dkim");
    struct str sig = STR_INIT;
    crypto_generichash_state st;
    bool good = hex && dkim && json_object_size(signature) == 2 &&
                hex_decode(content, sizeof content, slice_of(hex)) && base64_decode(&sig, slice_of(dkim)) &&
                sig.len;
    if (good) {
        crypto_generichash_init(&st, NULL, 0, crypto_sign_BYTES);
        crypto_generichash_update(&st, (const unsigned char *)dkim_prefix, sizeof dkim_prefix);
        crypto_generichash_update(&st, content, sizeof content);
        crypto_generichash_update(&st, (const unsigned char *)sig.p, sig.len);
        crypto_generichash_final(&st, out, crypto_sign_BYTES);
    }
    str_release(&sig);
    return good;
}

static bool is_domains(const json_t *signature)
{
    return json_object_get(signature, "dkim") != NULL;
}

/* The bytes of the signature that the mark is of. */
static bool signature_bytes(unsigned char out[crypto_sign_BYTES], const json_t *signature)
{
    const char *text = text_in(signature, "sig");
    struct str sig = STR_INIT;
    if (is_domains(signature))
        return domain_bytes(out, signature);
    bool good = text && base64_decode(&sig, slice_of(text)) && sig.len == crypto_sign_BYTES;
    if (good)
        memcpy(out, sig.p, crypto_sign_BYTES);
    str_release(&sig);
    return good;
}

bool seal_mark(unsigned char mark[SEAL_BYTES], const unsigned char create[32], int seat,
               const json_t *payload)
{
    const json_t *text = json_object_get(payload, "text"), *signature = json_object_get(payload, "signature");
    unsigned char number[4], bytes[crypto_sign_BYTES];
    crypto_generichash_state st;
    bool good = json_is_string(text) && signature_bytes(bytes, signature);
    if (good) {
        put_le32(number, (uint32_t)seat);
        crypto_generichash_init(&st, NULL, 0, SEAL_BYTES);
        crypto_generichash_update(&st, (const unsigned char *)mark_prefix, sizeof mark_prefix);
        crypto_generichash_update(&st, create, 32);
        crypto_generichash_update(&st, number, sizeof number);
        crypto_generichash_update(&st, bytes, sizeof bytes);
        if (!is_domains(signature))
            crypto_generichash_update(&st, (const unsigned char *)json_string_value(text),
                                      json_string_length(text));
        crypto_generichash_final(&st, mark, SEAL_BYTES);
    }
    return good;
}

bool seal_made(unsigned char made[SEAL_BYTES], const json_t *payload)
{
    const json_t *text = json_object_get(payload, "text"), *signature = json_object_get(payload, "signature");
    unsigned char bytes[crypto_sign_BYTES];
    crypto_generichash_state st;
    bool good = json_is_string(text) && is_domains(signature) && domain_bytes(bytes, signature);
    if (good) {
        crypto_generichash_init(&st, NULL, 0, SEAL_BYTES);
        crypto_generichash_update(&st, (const unsigned char *)made_prefix, sizeof made_prefix);
        crypto_generichash_update(&st, bytes, sizeof bytes);
        crypto_generichash_update(&st, (const unsigned char *)json_string_value(text),
                                  json_string_length(text));
        crypto_generichash_final(&st, made, SEAL_BYTES);
    }
    return good;
}

void sealed_release(struct sealed *sealed)
{
    str_release(&sealed->payload);
    json_decref(sealed->document);
}

static struct sealed *add(struct sealed_set *set, const struct sealed_place *place, bool salted)
{
    set->list = mem_grow(set->list, set->count, &set->cap, sizeof *set->list);
    struct sealed *sealed = &set->list[set->count++];
    *sealed = (struct sealed){
        .seq = place->seq, .seat = place->seat, .item = place->item, .salted = salted, .payload = STR_INIT};
    return sealed;
}

/* ---- sealing ---- */

static void put_box(struct sealed *sealed, const unsigned char key[32], const unsigned char of[SEAL_BYTES],
                    struct str *box)
{
    struct str bytes = STR_INIT;
    str_addslice(&bytes, slice_str(&sealed->payload));
    box_key(sealed->box, key, of);
    box_turn(&bytes, sealed->box);
    base64_encode_long(box, bytes.p, bytes.len);
    str_release(&bytes);
}

void seal_put(struct sealed_set *set, const unsigned char key[32], const struct sealed_place *place,
              struct slice payload, unsigned char seal[SEAL_BYTES], struct str *box)
{
    struct sealed *sealed = add(set, place, true);
    str_addslice(&sealed->payload, payload);
    seal_salt(sealed->salt, key, place, payload);
    seal_of(seal, sealed->salt, payload);
    if (box)
        put_box(sealed, key, seal, box);
}

void seal_put_text(struct sealed_set *set, const unsigned char key[32], const struct sealed_place *place,
                   struct slice payload, const unsigned char of[SEAL_BYTES], struct str *box)
{
    struct sealed *sealed = add(set, place, false);
    str_addslice(&sealed->payload, payload);
    put_box(sealed, key, of, box);
}

/* ---- single items ---- */

void seal_openings_read(struct seal_openings *openings, const char *game, struct slice text)
{
    struct slice line, word[6];
    while (slice_line(&text, &line)) {
        struct seal_opening one = {.seq = 0};
        int64_t item;
        size_t count = 0;
        while (count < 6 && slice_word(&line, &word[count]))
            count++;
        if (count < 5 || count > 6 || line.len || !slice_eq(word[0], "open") || !slice_eq(word[1], game) ||
            !slice_number(&word[2], &one.seq) || !slice_number(&word[3], &item) || item > SEAL_EVIDENCE ||
            !hex_decode(one.box, sizeof one.box, word[4]))
            continue;
        one.item = (int)item;
        one.salted = count == 6;
        if (one.salted && !hex_decode(one.salt, sizeof one.salt, word[5]))
            continue;
        openings->list = mem_grow(openings->list, openings->count, &openings->cap, sizeof *openings->list);
        openings->list[openings->count++] = one;
    }
}

void seal_openings_release(struct seal_openings *openings)
{
    free(openings->list);
    *openings = (struct seal_openings){NULL, 0, 0};
}

void seal_opening_write(struct str *out, const char *game, const struct sealed *sealed)
{
    str_addf(out, "open %s %lld %d ", game, (long long)sealed->seq, sealed->item);
    hex_encode(out, sealed->box, sizeof sealed->box);
    if (sealed->salted) {
        str_addc(out, ' ');
        hex_encode(out, sealed->salt, sizeof sealed->salt);
    }
    str_adds(out, "\n# ");
    for (size_t i = 0; i < sealed->payload.len; i++)
        str_addc(out, sealed->payload.p[i] == '\n' ? ' ' : sealed->payload.p[i]);
    str_addc(out, '\n');
}

static const struct seal_opening *opening_of(const struct seal_keys *keys, int64_t seq, int item)
{
    for (size_t i = 0; keys->only && i < keys->only->count; i++)
        if (keys->only->list[i].seq == seq && keys->only->list[i].item == item)
            return &keys->only->list[i];
    return NULL;
}

/* ---- keys ---- */

void seal_keys_of(struct seal_keys *keys, const unsigned char master[32], const struct seal_promise *promise)
{
    unsigned char key[32], got[32];
    seal_key(key, master, promise->game, promise->nonce);
    seal_key_commitment(got, key);
    if (memcmp(got, promise->commitment, sizeof got) == 0) {
        memcpy(keys->seal, key, sizeof key);
        seal_press_key(keys->press, master, promise->game, promise->nonce);
        keys->seals = keys->presses = true;
    }
    sodium_memzero(key, sizeof key);
}

bool seal_promise_read(struct seal_promise *promise, const char *game, const json_t *create)
{
    const char *nonce = text_in(create, "nonce"), *commitment = text_in(create, "seal_key");
    promise->game = game;
    return nonce && commitment && hex_decode(promise->nonce, sizeof promise->nonce, slice_of(nonce)) &&
           hex_decode(promise->commitment, sizeof promise->commitment, slice_of(commitment));
}

#define RECORD_FRONT 250 /* bytes at the beginning of a line that its type is among */

void seal_keys_published(struct seal_keys *keys, struct slice journal)
{
    struct slice line;
    while (!keys->seals && slice_line(&journal, &line)) {
        struct err ignored = ERR_INIT;
        if (slice_find(slice_sub(line, 0, RECORD_FRONT), "\"type\":\"open\"") == (size_t)-1)
            continue;
        json_t *json = json_read(line, "record", &ignored);
        const char *hex = text_in(json, "seal_key");
        keys->seals = hex && hex_decode(keys->seal, sizeof keys->seal, slice_of(hex));
        json_decref(json);
    }
}

bool seal_keys_open(const struct seal_keys *keys, int64_t seq, int item)
{
    return (seal_is_private(item) ? keys->presses : keys->seals) || opening_of(keys, seq, item);
}

/* ---- a record's boxes ---- */

/* A box of a record: what it is of, and the seal beside it. */
struct boxed {
    struct sealed_place place;
    bool salted;
    const char *of, *box; /* hex, base64 */
};

static void open_box(struct sealed_set *set, const struct seal_keys *keys, const struct boxed *boxed)
{
    const struct seal_opening *only = opening_of(keys, boxed->place.seq, boxed->place.item);
    const bool private = seal_is_private(boxed->place.item);
    const unsigned char *key = private ? keys->press : keys->seal;
    unsigned char of[SEAL_BYTES];
    struct str bytes = STR_INIT;
    bool known = private ? keys->presses : keys->seals;
    if ((!known && !only) || !boxed->of || !boxed->box || !hex_decode(of, sizeof of, slice_of(boxed->of)) ||
        !base64_decode(&bytes, slice_of(boxed->box))) {
        str_release(&bytes);
        return;
    }
    struct sealed *sealed = add(set, &boxed->place, boxed->salted);
    if (known)
        box_key(sealed->box, key, of);
    else
        memcpy(sealed->box, only->box, sizeof sealed->box);
    box_turn(&bytes, sealed->box);
    sealed->payload = bytes;
    if (boxed->salted && known)
        seal_salt(sealed->salt, key, &boxed->place, slice_str(&bytes));
    else if (boxed->salted)
        memcpy(sealed->salt, only->salt, sizeof sealed->salt);
}

/* The mail that vouches for a text. */
static void open_evidence(struct sealed_set *set, const struct seal_keys *keys, const struct sealed_place *of,
                          const json_t *vouched)
{
    const struct boxed mail = {
        {of->seq, of->seat, SEAL_EVIDENCE}, true, text_in(vouched, "evidence"), text_in(vouched, "box")};
    open_box(set, keys, &mail);
}

/* Of press that names such a mail in its words. */
static void open_words(struct sealed_set *set, const struct seal_keys *keys)
{
    struct err ignored = ERR_INIT;
    const struct sealed *words = set->count ? &set->list[set->count - 1] : NULL;
    if (!words || words->item != SEAL_PRESS)
        return;
    json_t *payload = json_read(slice_str(&words->payload), "press", &ignored);
    const struct sealed_place place = {words->seq, 0, SEAL_PRESS};
    open_evidence(set, keys, &place, json_object_get(payload, "vouched"));
    json_decref(payload);
}

void sealed_open(struct sealed_set *set, const struct seal_keys *keys, const json_t *record)
{
    const char *type = text_in(record, "type"), *what = text_in(record, "do"),
               *made = text_in(record, "made");
    const bool orders = type && strcmp(type, "orders") == 0,
               moderates = type && strcmp(type, "moderate") == 0;
    const bool sets = moderates && what && strcmp(what, "orders") == 0;
    struct boxed boxed = {.place.seq = json_integer_value(json_object_get(record, "seq")),
                          .salted = !orders,
                          .of = made ? made : text_in(record, "seal"),
                          .box = text_in(record, "box")};
    size_t i;
    json_t *draw;
    if (orders || sets)
        boxed.place.seat = (int)json_integer_value(json_object_get(record, "seat"));
    boxed.place.item = orders || sets ? SEAL_ORDERS : moderates ? SEAL_HIDDEN : SEAL_PRESS;
    open_box(set, keys, &boxed);
    if (boxed.place.item == SEAL_PRESS)
        open_words(set, keys);
    json_array_foreach (json_object_get(record, "hidden"), i, draw) {
        const struct boxed hidden = {
            {boxed.place.seq, 0, SEAL_HIDDEN + (int)i}, true, text_in(draw, "seal"), text_in(draw, "box")};
        open_box(set, keys, &hidden);
    }
    boxed.place.seat = orders ? boxed.place.seat : 0;
    open_evidence(set, keys, &boxed.place, json_object_get(record, "vouched"));
}

static const char *box_in(const struct sealed *sealed, const json_t *record, const json_t *words)
{
    if (sealed->item == SEAL_EVIDENCE)
        return text_in(json_object_get(words ? words : record, "vouched"), "box");
    if (sealed->item >= SEAL_HIDDEN && sealed->item < SEAL_PRESS && json_object_get(record, "hidden"))
        return text_in(json_array_get(json_object_get(record, "hidden"), (size_t)sealed->item - SEAL_HIDDEN),
                       "box");
    return sealed->item == SEAL_REPORT ? NULL : text_in(record, "box");
}

bool sealed_is_boxed(const struct sealed *sealed, const json_t *record, const json_t *words)
{
    struct str bytes = STR_INIT;
    const char *box = box_in(sealed, record, words);
    const bool keyed = !sodium_is_zero(sealed->box, sizeof sealed->box);
    bool same = keyed == (box != NULL) && (!box || base64_decode(&bytes, slice_of(box)));
    if (same && box) {
        box_turn(&bytes, sealed->box);
        same = bytes.len == sealed->payload.len &&
               (!bytes.len || sodium_memcmp(bytes.p, sealed->payload.p, bytes.len) == 0);
    }
    str_release(&bytes);
    return same;
}

/* Does the record hold this seal? */
static bool record_holds(struct slice record, const unsigned char seal[SEAL_BYTES])
{
    struct str text = STR_INIT;
    str_addc(&text, '"');
    hex_encode(&text, seal, SEAL_BYTES);
    str_addc(&text, '"');
    bool holds = slice_find(record, text.p) != (size_t)-1;
    str_release(&text);
    return holds;
}

bool sealed_is_covered(const struct sealed *sealed, struct slice record, const unsigned char create[32])
{
    struct err ignored = ERR_INIT;
    unsigned char seal[SEAL_BYTES];
    if (sealed->salted) {
        seal_of(seal, sealed->salt, slice_str(&sealed->payload));
        return record_holds(record, seal);
    }
    json_t *payload = json_read(slice_str(&sealed->payload), "payload", &ignored);
    bool holds = (seal_mark(seal, create, sealed->seat, payload) && record_holds(record, seal)) ||
                 (seal_mark(seal, create, 0, payload) && record_holds(record, seal));
    json_decref(payload);
    return holds;
}

const struct sealed *sealed_set_find(const struct sealed_set *set, int64_t seq, int seat, int item,
                                     const unsigned char seal[SEAL_BYTES])
{
    for (size_t i = set->count; i-- > 0;) {
        const struct sealed *one = &set->list[i];
        unsigned char got[SEAL_BYTES];
        if (one->seq != seq || one->seat != seat || one->item != item || !one->salted)
            continue;
        seal_of(got, one->salt, slice_str(&one->payload));
        if (sodium_memcmp(got, seal, SEAL_BYTES) == 0)
            return one;
    }
    return NULL;
}

static json_t *payload_of(const struct sealed *one)
{
    struct err ignored = ERR_INIT;
    return one->document ? json_incref(one->document)
                         : json_read(slice_str(&one->payload), "payload", &ignored);
}

/* Does the line belong to this mark? *payload becomes what it says. */
static bool is_marked(const struct sealed *one, const unsigned char *create, int signer,
                      const unsigned char seal[SEAL_BYTES], json_t **payload)
{
    unsigned char got[SEAL_BYTES];
    *payload = payload_of(one);
    if (seal_mark(got, create, signer, *payload) && sodium_memcmp(got, seal, SEAL_BYTES) == 0)
        return true;
    json_decref(*payload);
    *payload = NULL;
    return false;
}

const struct sealed *sealed_set_find_signed(const struct sealed_set *set, const struct sealed_text *text,
                                            json_t **payload)
{
    const struct sealed *found = NULL;
    json_t *says = NULL;
    for (size_t i = set->count; !found && i-- > 0;) {
        const struct sealed *one = &set->list[i];
        if (one->seq == text->seq && one->seat == text->seat && one->item == SEAL_ORDERS && !one->salted &&
            is_marked(one, text->create, text->signer, text->seal, &says))
            found = one;
    }
    if (payload)
        *payload = says;
    else
        json_decref(says);
    return found;
}

void sealed_set_clear(struct sealed_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        sealed_release(&set->list[i]);
    set->count = 0;
}

void sealed_set_release(struct sealed_set *set)
{
    sealed_set_clear(set);
    free(set->list);
    *set = (struct sealed_set){NULL, 0, 0};
}
