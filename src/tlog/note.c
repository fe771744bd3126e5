#include "tlog/note.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/encode.h"
#include "base/utf8.h"
#include "tlog/strict.h"

#define TIME_BYTES 8
#define TIME_MOST  253402300799 /* 9999-12-31T23:59:59Z */

/* ---- keys ---- */

static bool is_blank(uint32_t cp)
{
    return cp <= 0x20 || (cp >= 0x7F && cp <= 0xA0) || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) ||
           cp == 0x2028 || cp == 0x2029 || cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

bool vkey_name_valid(struct slice name)
{
    if (!name.len || name.len >= VKEY_NAME)
        return false;
    while (name.len) {
        size_t len;
        uint32_t cp = utf8_next(name, &len);
        if (cp == UTF8_BAD || cp == '+' || is_blank(cp))
            return false;
        name = slice_sub(name, len, name.len);
    }
    return true;
}

void vkey_make(struct vkey *key, struct slice name, enum vkey_type type,
               const unsigned char public[VKEY_PUBLIC])
{
    unsigned char hash[crypto_hash_sha256_BYTES], mark[2] = {'\n', (unsigned char)type};
    crypto_hash_sha256_state st;
    memset(key, 0, sizeof *key);
    memcpy(key->name, name.p, name.len);
    key->type = type;
    memcpy(key->public, public, VKEY_PUBLIC);
    crypto_hash_sha256_init(&st);
    crypto_hash_sha256_update(&st, (const unsigned char *)name.p, name.len);
    crypto_hash_sha256_update(&st, mark, sizeof mark);
    crypto_hash_sha256_update(&st, public, VKEY_PUBLIC);
    crypto_hash_sha256_final(&st, hash);
    memcpy(key->id, hash, VKEY_ID);
}

void vkey_write(struct str *out, const struct vkey *key)
{
    unsigned char bytes[1 + VKEY_PUBLIC] = {(unsigned char)key->type};
    memcpy(bytes + 1, key->public, VKEY_PUBLIC);
    str_addf(out, "%s+", key->name);
    hex_encode(out, key->id, VKEY_ID);
    str_addc(out, '+');
    base64_encode(out, bytes, sizeof bytes);
}

int vkey_parse(struct slice text, struct vkey *key, struct err *err)
{
    struct slice name, id;
    unsigned char named[VKEY_ID], bytes[1 + VKEY_PUBLIC];
    if (!strict_before(&text, '+', &name) || !strict_before(&text, '+', &id) || !vkey_name_valid(name) ||
        !hex_decode(named, sizeof named, id))
        return err_set(err, ERR_INPUT, "a key is written NAME+ID+KEY, as the log or the witness shows it");
    if (!base64_decode_to(bytes, sizeof bytes, text) ||
        (bytes[0] != VKEY_SIGNER && bytes[0] != VKEY_COSIGNER))
        return err_set(err, ERR_INPUT, "the key of %.*s is no Ed25519 key of a log or a witness",
                       (int)name.len, name.p);
    vkey_make(key, name, bytes[0] == VKEY_SIGNER ? VKEY_SIGNER : VKEY_COSIGNER, bytes + 1);
    if (memcmp(key->id, named, VKEY_ID) != 0)
        return err_set(err, ERR_INPUT, "the key of %s has been changed: its ID is another one", key->name);
    return 0;
}

/* ---- signing ---- */

static void add_line(struct str *out, const struct vkey *key, const unsigned char *bytes, size_t len)
{
    str_addf(out, NOTE_DASH "%s ", key->name);
    base64_encode(out, bytes, len);
    str_addc(out, '\n');
}

void note_sign(struct str *out, struct slice text, const struct vkey *key,
               const unsigned char secret[VKEY_SECRET])
{
    unsigned char bytes[VKEY_ID + crypto_sign_BYTES];
    memcpy(bytes, key->id, VKEY_ID);
    crypto_sign_detached(bytes + VKEY_ID, NULL, (const unsigned char *)text.p, text.len, secret);
    add_line(out, key, bytes, sizeof bytes);
}

static void cosigned_text(struct str *out, struct slice text, int64_t time)
{
    str_addf(out, "cosignature/v1\ntime %lld\n", (long long)time);
    str_addslice(out, text);
}

void note_cosign(struct str *out, struct slice text, const struct vkey *key,
                 const unsigned char secret[VKEY_SECRET], int64_t time)
{
    unsigned char bytes[VKEY_ID + TIME_BYTES + crypto_sign_BYTES];
    struct str said = STR_INIT;
    memcpy(bytes, key->id, VKEY_ID);
    put_be32(bytes + VKEY_ID, (uint32_t)((uint64_t)time >> 32));
    put_be32(bytes + VKEY_ID + 4, (uint32_t)time);
    cosigned_text(&said, text, time);
    crypto_sign_detached(bytes + VKEY_ID + TIME_BYTES, NULL, (const unsigned char *)said.p, said.len, secret);
    add_line(out, key, bytes, sizeof bytes);
    str_release(&said);
}

/* ---- reading ---- */

struct signature {
    struct slice name;
    const unsigned char *bytes; /* in `buffer` */
    size_t len;
};

/* The next signature line; bytes are what the line has after its base64 is read, id first. */
static bool next_signature(struct slice *lines, struct str *buffer, struct signature *signature)
{
    struct slice line;
    str_clear(buffer);
    if (!strict_line(lines, &line) || !strict_prefix(&line, NOTE_DASH) ||
        !strict_before(&line, ' ', &signature->name) || !vkey_name_valid(signature->name) ||
        !base64_decode(buffer, line) || buffer->len <= VKEY_ID)
        return false;
    signature->bytes = (const unsigned char *)buffer->p;
    signature->len = buffer->len;
    return true;
}

static bool is_text(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.p[i] < 0x20 && s.p[i] != '\n')
            return false;
    return utf8_valid(s);
}

bool note_split(struct slice note, struct slice *text, struct slice *signatures)
{
    if (note.len > NOTE_MOST || !is_text(note))
        return false;
    for (size_t at = note.len; at >= 2; at--) {
        if (note.p[at - 1] != '\n' || note.p[at - 2] != '\n')
            continue;
        *text = slice_sub(note, 0, at - 1);
        *signatures = slice_sub(note, at, note.len);
        struct str buffer = STR_INIT;
        struct signature signature;
        struct slice lines = *signatures;
        bool good = lines.len > 0 && text->len > 0;
        while (good && lines.len)
            good = next_signature(&lines, &buffer, &signature);
        str_release(&buffer);
        return good;
    }
    return false;
}

/* Is it a signature of this key of the text? When, goes into `time`. */
static bool signature_good(const struct signature *signature, const struct vkey *key, struct slice text,
                           int64_t *time)
{
    const unsigned char *at = signature->bytes + VKEY_ID;
    *time = 0;
    if (key->type == VKEY_SIGNER)
        return signature->len == VKEY_ID + crypto_sign_BYTES &&
               crypto_sign_verify_detached(at, (const unsigned char *)text.p, text.len, key->public) == 0;
    if (signature->len != VKEY_ID + TIME_BYTES + crypto_sign_BYTES)
        return false;
    uint64_t when = (uint64_t)get_be32(at) << 32 | get_be32(at + 4);
    if (when == 0 || when > TIME_MOST)
        return false;
    *time = (int64_t)when;
    struct str said = STR_INIT;
    cosigned_text(&said, text, *time);
    bool good = crypto_sign_verify_detached(at + TIME_BYTES, (const unsigned char *)said.p, said.len,
                                            key->public) == 0;
    str_release(&said);
    return good;
}

int note_verify(struct slice note, const struct vkey *keys, size_t count, struct note_seen *seen,
                struct err *err)
{
    struct slice text, lines;
    struct str buffer = STR_INIT;
    struct signature signature;
    int rc = 0;
    memset(seen, 0, count * sizeof *seen);
    if (!note_split(note, &text, &lines))
        return err_set(err, ERR_INPUT,
                       "this is no signed note: a text, an empty line, and lines of signatures");
    while (!rc && lines.len && next_signature(&lines, &buffer, &signature))
        for (size_t i = 0; i < count && !rc; i++) {
            int64_t time;
            if (!slice_eq(signature.name, keys[i].name) || memcmp(signature.bytes, keys[i].id, VKEY_ID) != 0)
                continue;
            if (!signature_good(&signature, &keys[i], text, &time))
                rc = err_set(err, ERR_INPUT, "the signature of %s is wrong", keys[i].name);
            else if (!seen[i].good || time < seen[i].time)
                seen[i] = (struct note_seen){true, time};
        }
    str_release(&buffer);
    return rc;
}

void note_own_lines(struct str *out, struct slice lines, const struct vkey *key)
{
    struct slice line, rest = lines;
    struct str begin = STR_INIT;
    str_addf(&begin, NOTE_DASH "%s ", key->name);
    while (slice_whole_line(&rest, &line))
        if (slice_starts(line, begin.p))
            str_addslice(out, line);
    str_release(&begin);
}
