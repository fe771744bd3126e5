#include "trust/secret.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/private.h"
#include "trust/wire.h"

#define MAGIC      "openssh-key-v1"
#define BEGIN      "-----BEGIN OPENSSH PRIVATE KEY-----"
#define END        "-----END OPENSSH PRIVATE KEY-----"
#define ARMOR_LINE 70
#define BLOCK      8 /* of the cipher "none" */

void secret_new(struct secret *secret)
{
    if (sodium_init() < 0)
        abort();
    private_process();
    crypto_sign_keypair(secret->point, secret->key);
}

void secret_wipe(struct secret *secret)
{
    sodium_memzero(secret, sizeof *secret);
}

void secret_public(const struct secret *secret, struct pubkey *key)
{
    pubkey_of_league(key, secret->point);
}

/* The base64 between BEGIN and END, decoded. Space is reserved first, so that growing leaves no copy in
 * memory. */
static int unarmor(struct slice text, const char *path, struct str *blob, struct err *err)
{
    struct str base64 = STR_INIT;
    struct slice line;
    bool inside = false;
    bool whole = false;
    int rc = -1;
    str_reserve(&base64, text.len);
    str_reserve(blob, text.len);
    while (!whole && slice_line(&text, &line)) {
        line = slice_trim(line);
        if (!inside)
            inside = slice_eq(line, BEGIN);
        else if (slice_eq(line, END))
            whole = true;
        else
            str_addslice(&base64, line);
    }
    if (whole && base64.len && base64_decode(blob, slice_str(&base64)))
        rc = 0;
    else
        err_set(err, ERR_CONFIG,
                "%s is no secret key in OpenSSH's format; make one with ssh-keygen -t ed25519", path);
    private_wipe(&base64);
    return rc;
}

static bool padding_good(struct slice pad)
{
    for (size_t i = 0; i < pad.len; i++)
        if ((unsigned char)pad.p[i] != i + 1)
            return false;
    return pad.len < BLOCK;
}

/* PROTOCOL.key, section 3: the list of secret keys (of one). */
static int take_private(struct slice bytes, const char *path, struct secret *secret, struct err *err)
{
    struct wire wire = wire_of(bytes);
    unsigned char seed[crypto_sign_SEEDBYTES];
    bool same = wire_u32(&wire) == wire_u32(&wire);
    struct slice kind = wire_string(&wire);
    if (!wire.bad && same && !slice_eq(kind, "ssh-ed25519"))
        return err_set(err, ERR_CONFIG, "%s is not an Ed25519 key; make one with ssh-keygen -t ed25519",
                       path);
    struct slice point = wire_string(&wire);
    struct slice both = wire_string(&wire);
    (void)wire_string(&wire); /* comment */
    if (wire.bad || !same || point.len != sizeof secret->point || both.len != sizeof secret->key ||
        !padding_good(wire.rest))
        return err_set(err, ERR_CONFIG, "the secret key %s is damaged", path);
    memcpy(seed, both.p, sizeof seed);
    crypto_sign_seed_keypair(secret->point, secret->key, seed);
    sodium_memzero(seed, sizeof seed);
    if (memcmp(secret->key, both.p, both.len) != 0 || memcmp(secret->point, point.p, point.len) != 0) {
        secret_wipe(secret);
        return err_set(err, ERR_CONFIG, "the secret key %s is damaged: its public half does not belong to it",
                       path);
    }
    return 0;
}

static int take_blob(struct slice blob, const char *path, struct secret *secret, struct err *err)
{
    struct wire wire = wire_of(blob);
    struct slice magic = wire_bytes(&wire, sizeof MAGIC);
    struct slice cipher = wire_string(&wire);
    struct slice kdf = wire_string(&wire);
    (void)wire_string(&wire); /* options of the key derivation */
    uint32_t count = wire_u32(&wire);
    (void)wire_string(&wire); /* the public key, which is repeated inside */
    if (wire.bad || memcmp(magic.p, MAGIC, sizeof MAGIC) != 0)
        return err_set(err, ERR_CONFIG, "the secret key %s is damaged", path);
    if (!slice_eq(cipher, "none") || !slice_eq(kdf, "none"))
        return err_set(err, ERR_CONFIG,
                       "the secret key %s has a passphrase; sign with ssh-keygen -Y sign instead, or use a "
                       "key without one",
                       path);
    struct slice list = wire_string(&wire);
    if (count != 1 || !wire_end(&wire))
        return err_set(err, ERR_CONFIG, "the secret key %s is damaged", path);
    return take_private(list, path, secret, err);
}

int secret_load(const char *path, struct secret *secret, struct err *err)
{
    struct str text = STR_INIT;
    struct str blob = STR_INIT;
    int rc = -1;
    memset(secret, 0, sizeof *secret);
    if (private_read(path, "the secret key", &text, err))
        goto out;
    if (unarmor(slice_str(&text), path, &blob, err))
        goto out;
    rc = take_blob(slice_str(&blob), path, secret, err);
out:
    private_wipe(&blob);
    private_wipe(&text);
    return rc;
}

static void put_private(struct str *out, const struct secret *secret, const char *comment)
{
    uint32_t check = randombytes_random();
    wire_put_u32(out, check);
    wire_put_u32(out, check);
    wire_put_text(out, "ssh-ed25519");
    wire_put_string(out, secret->point, sizeof secret->point);
    wire_put_string(out, secret->key, sizeof secret->key);
    wire_put_text(out, comment);
    for (char pad = 1; out->len % BLOCK; pad++)
        str_addc(out, pad);
}

static void put_file(struct str *out, const struct secret *secret, const char *comment)
{
    struct str list = STR_INIT;
    struct str blob = STR_INIT;
    struct str base64 = STR_INIT;
    struct pubkey key;
    size_t room = 1024 + 2 * strlen(comment);
    str_reserve(out, 2 * room);
    str_reserve(&list, room);
    str_reserve(&blob, room);
    str_reserve(&base64, 2 * room);
    secret_public(secret, &key);
    str_add(&blob, MAGIC, sizeof MAGIC);
    wire_put_text(&blob, "none");
    wire_put_text(&blob, "none");
    wire_put_text(&blob, "");
    wire_put_u32(&blob, 1);
    pubkey_blob(&list, &key);
    wire_put_string(&blob, list.p, list.len);
    str_clear(&list);
    put_private(&list, secret, comment);
    wire_put_string(&blob, list.p, list.len);
    base64_encode(&base64, blob.p, blob.len);
    str_adds(out, BEGIN "\n");
    for (size_t at = 0; at < base64.len; at += ARMOR_LINE) {
        str_addslice(out, slice_sub(slice_str(&base64), at, ARMOR_LINE));
        str_addc(out, '\n');
    }
    str_adds(out, END "\n");
    private_wipe(&base64);
    private_wipe(&blob);
    private_wipe(&list);
}

static int save_public(const char *path, const struct secret *secret, const char *comment, struct err *err)
{
    struct str line = STR_INIT;
    struct pubkey key;
    secret_public(secret, &key);
    pubkey_format(&line, &key);
    if (*comment)
        str_addf(&line, " %s", comment);
    str_addc(&line, '\n');
    int rc = file_create(path, slice_str(&line), 0644, err);
    str_release(&line);
    return rc;
}

int secret_save(const char *path, const struct secret *secret, const char *comment, bool public,
                struct err *err)
{
    struct str text = STR_INIT;
    struct str beside = STR_INIT;
    struct err ignored = ERR_INIT;
    int rc = -1;
    str_addf(&beside, "%s.pub", path);
    if (strpbrk(comment, "\r\n")) {
        err_set(err, ERR_INPUT, "the comment of a key is one line");
        goto out;
    }
    if (public && file_exists(beside.p)) {
        err_set(err, ERR_CONFIG, "%s exists already; remove or rename it first", beside.p);
        goto out;
    }
    put_file(&text, secret, comment);
    if (file_create(path, slice_str(&text), 0600, err))
        goto out;
    if (public && save_public(beside.p, secret, comment, err)) {
        if (file_remove(path, &ignored))
            err_prefix(err, "%s remains", path);
        goto out;
    }
    rc = file_sync_all(path, err);
out:
    private_wipe(&text);
    str_release(&beside);
    return rc;
}
