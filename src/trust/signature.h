/* Signatures over texts: SSHSIG (OpenSSH PROTOCOL.sshsig), minisign, signify. Ed25519 is verified with libsodium,
 * which refuses small-order keys and R, non-canonical keys and S >= L; ECDSA as trust/p256.h says. */
#ifndef TRUST_SIGNATURE_H
#define TRUST_SIGNATURE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/key.h"

#define NS_ORDERS "orders@turnpost"
#define NS_KEY    "key@turnpost"

#define CLIENT_DATA_MAX 1024 /* bytes; what browsers make has 100 to 300 */

enum sig_hash { SIG_SHA512, SIG_SHA256 };

struct signature {
    /* For numbered keys only a guess by appearance: `prehashed` and the registered key decide
     * (signature_kind). */
    enum key_kind kind;
    struct pubkey
        key;     /* not numbered: the key inside, compared and never trusted; else only `id` is filled */
    char ns[64]; /* not numbered: the namespace */
    enum sig_hash hash;    /* not numbered */
    bool prehashed;        /* minisign "ED" (true) or legacy/signify "Ed" */
    unsigned char sig[64]; /* of ECDSA: r ‖ s, s being the lower of the two that hold */
    unsigned char flags;   /* FIDO: user presence is bit 0 and must be set */
    uint32_t counter;      /* FIDO */
    /* What the browser had a passkey sign (trust/client_data.h), with a NUL; else "". */
    char client_data[CLIENT_DATA_MAX + 1];
};

/* Does it name its key by a number alone (pubkey_is_numbered)? */
bool signature_is_numbered(const struct signature *sig);
/* The kind of the keys that make such signatures. */
enum key_kind signature_kind(const struct signature *sig);

/* Reads an armored signature, tolerant of what mail does to it (wrapped lines, CRLF, spaces, quoting
 * prefixes, a lost comment line). ERR_INPUT for anything else, with one sentence; signatures of RSA and of other
 * curves are named as such. */
int signature_parse(struct slice text, struct signature *sig, struct err *err)
    __attribute__((warn_unused_result));

/* May this key have made the signature: is it the key named there, is the namespace right, was somebody
 * present? ERR_INPUT.
 */
int signature_fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
    __attribute__((warn_unused_result));
/* Verifies over exactly these bytes with this registered key. ERR_INPUT: wrong key, wrong namespace, not
 * the signature of this text, no user presence. */
int signature_verify(const struct signature *sig, const struct pubkey *key, const char *ns, struct slice text,
                     struct err *err) __attribute__((warn_unused_result));

/* An SSH signature as ssh-keygen writes it: the armor (70-column lines, LF). */
void sshsig_armor(struct str *out, const struct signature *sig);
/* Makes an armored SSHSIG (sha512, 70-column lines, LF) with an Ed25519 secret key (libsodium's 64 bytes). */
void sshsig_sign(struct str *out, const unsigned char secret[64], const char *ns, struct slice text);

/* A signature and the registered key that verified it, as journals and sealed payloads hold them:
 * {"key":"ssh-ed25519 AAAA...","sig":"<base64 of 64 bytes>","hash":"sha512","namespace":"..."}, for FIDO keys
 * also "flags" and "counter", for passkeys "client_data" as well, for minisign and signify "prehashed" instead of hash and namespace.
 * New reference. */
json_t *signature_json(const struct signature *sig, const struct pubkey *key);
/* Reads it back. ERR_BROKEN: an unknown member, or written in another way. */
int signature_read_json(const json_t *json, struct signature *sig, struct pubkey *key, struct err *err)
    __attribute__((warn_unused_result));
/* The key that a signature claims, with every check of a key; only SSH signatures hold one. */
bool signature_key(const struct signature *sig, struct pubkey *key);

#endif
