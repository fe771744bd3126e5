#include "journal/seal.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"

static const char salt_prefix[] = "turnpost/v1/salt"; /* all with their NUL */
static const char seal_prefix[] = "turnpost/v1/seal";
static const char mark_prefix[] = "turnpost/v2/mark";
static const char dkim_prefix[] = "turnpost/v2/dkim";
static const char made_prefix[] = "turnpost/v2/made";
static const char kseal_prefix[] = "turnpost/v1/kseal";
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

void seal_salt(unsigned char salt[32], const unsigned char key[32], int64_t seq, int seat, int item)
{
    unsigned char input[sizeof salt_prefix + 12];
    memcpy(input, salt_prefix, sizeof salt_prefix);
    put_le32(input + sizeof salt_prefix, (uint32_t)seq);
    put_le32(input + sizeof salt_prefix + 4, (uint32_t)seat);
    put_le32(input + sizeof salt_prefix + 8, (uint32_t)item);
    crypto_generichash(salt, 32, input, sizeof input, key, 32);
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

static void put_line(struct str *out, const struct sealed *sealed)
{
    str_addf(out, "{\"item\":%d,\"payload\":", sealed->item);
    json_write_text(out, slice_str(&sealed->payload));
    if (sealed->salted) {
        str_adds(out, ",\"salt\":\"");
        hex_encode(out, sealed->salt, sizeof sealed->salt);
        str_addc(out, '"');
    }
    str_addf(out, ",\"seat\":%d,\"seq\":", sealed->seat);
    str_addn(out, sealed->seq);
    str_adds(out, "}\n");
}

/* Writes the line and gives it to the set, or drops it. */
static void write_line(const struct sealed_out *out, struct sealed *sealed, struct slice payload)
{
    struct sealed_set *set = out->set;
    str_addslice(&sealed->payload, payload);
    put_line(out->lines, sealed);
    if (set) {
        set->list = mem_grow(set->list, set->count, &set->cap, sizeof *set->list);
        set->list[set->count++] = *sealed;
    } else {
        sealed_release(sealed);
    }
}

void sealed_write(const struct sealed_out *out, const unsigned char key[32], const struct sealed_place *place,
                  struct slice payload, unsigned char seal[SEAL_BYTES])
{
    struct sealed sealed = {
        .seq = place->seq, .seat = place->seat, .item = place->item, .salted = true, .payload = STR_INIT};
    seal_salt(sealed.salt, key, place->seq, place->seat, place->item);
    seal_of(seal, sealed.salt, payload);
    write_line(out, &sealed, payload);
}

void sealed_write_mark(const struct sealed_out *out, int64_t seq, int seat, struct slice payload)
{
    struct sealed sealed = {.seq = seq, .seat = seat, .item = SEAL_ORDERS, .payload = STR_INIT};
    write_line(out, &sealed, payload);
}

void sealed_line(struct str *out, const struct sealed *sealed)
{
    put_line(out, sealed);
}

int64_t sealed_line_seq(struct slice line)
{
    static const char mark[] = "\"seq\":";
    struct slice tail =
        slice_sub(line, line.len > SEALED_SEQ_TAIL ? line.len - SEALED_SEQ_TAIL : 0, line.len);
    size_t at = slice_find(tail, mark);
    int64_t seq = 0;
    for (at = at == (size_t)-1 ? tail.len : at + sizeof mark - 1; at < tail.len; at++) {
        if (tail.p[at] < '0' || tail.p[at] > '9' || seq > INT64_MAX / 16)
            break;
        seq = seq * 10 + (tail.p[at] - '0');
    }
    return seq;
}

int sealed_parse(struct slice line, struct sealed *sealed, struct err *err)
{
    int64_t seat = 0, item = 0;
    const char *salt = NULL;
    memset(sealed, 0, sizeof *sealed);
    str_init(&sealed->payload);
    json_t *json = json_read(line, "sealed line", err);
    if (!json)
        return -1;
    int rc = -1;
    const json_t *payload = json_object_get(json, "payload");
    if (json_need_int(json, "seq", 1, INT64_MAX / 2, &sealed->seq, "sealed line", err) ||
        json_need_int(json, "seat", 0, 64, &seat, "sealed line", err) ||
        json_need_int(json, "item", 0, SEAL_EVIDENCE, &item, "sealed line", err))
        goto out;
    sealed->salted = item != SEAL_ORDERS || json_object_get(json, "salt");
    if (sealed->salted && json_need_string(json, "salt", &salt, "sealed line", err))
        goto out;
    if (!json_is_string(payload) ||
        (salt && !hex_decode(sealed->salt, sizeof sealed->salt, slice_of(salt)))) {
        err_set(err, ERR_BROKEN, "sealed line of record %lld: bad \"payload\" or \"salt\"",
                (long long)sealed->seq);
        goto out;
    }
    str_add(&sealed->payload, json_string_value(payload), json_string_length(payload));
    sealed->seat = (int)seat;
    sealed->item = (int)item;
    rc = 0;
out:
    json_decref(json);
    return rc;
}

void sealed_release(struct sealed *sealed)
{
    str_release(&sealed->payload);
    json_decref(sealed->document);
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

bool sealed_may_open(const struct sealed *sealed, struct slice record, const unsigned char create[32])
{
    return !seal_is_private(sealed->item) && sealed_is_covered(sealed, record, create);
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

void sealed_set_read(struct sealed_set *set, struct slice text)
{
    struct slice line;
    while (slice_line(&text, &line)) {
        struct err err = ERR_INIT;
        set->list = mem_grow(set->list, set->count, &set->cap, sizeof *set->list);
        if (sealed_parse(line, &set->list[set->count], &err) == 0)
            set->count++;
        else
            sealed_release(&set->list[set->count]);
    }
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

void sealed_set_release(struct sealed_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        sealed_release(&set->list[i]);
    free(set->list);
    *set = (struct sealed_set){NULL, 0, 0};
}
