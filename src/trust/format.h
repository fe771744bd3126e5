/* Signature formats: what a tool's keys and signatures are. One file per format (trust/format_*.c), one row
 * in key_formats. Those of OpenSSH share sshsig.c, minisign and signify share numbered.c. Other rooms ask
 * trust/key.h and trust/signature.h and name no format. */
#ifndef TRUST_FORMAT_H
#define TRUST_FORMAT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/signature.h"
#include "trust/wire.h"

/* What the keys and signatures of a curve are on OpenSSH's wire. */
struct ssh_curve {
    bool (*take_point)(struct wire *wire, struct pubkey *key); /* after the word; false: damaged */
    void (*put_point)(struct str *out, const struct pubkey *key);
    bool (*take_bytes)(struct slice bytes, struct signature *sig);   /* the 64 bytes, in their normal form */
    void (*put_bytes)(struct str *out, const struct signature *sig); /* with their length before them */
    bool (*is_normal)(const struct signature *sig);                  /* NULL: `holds` accepts no other form */
    bool (*holds)(const struct signature *sig, const struct pubkey *key, const struct str *data);
};
extern const struct ssh_curve ssh_ed25519; /* trust/sshsig.c */
extern const struct ssh_curve ssh_p256;    /* trust/ecdsa.c */

/* What an OpenSSH format adds to that; each but the curve may be NULL. Formats that share one sign alike. */
struct ssh_parts {
    const struct ssh_curve *curve;
    const char *word;                                        /* of a signature, where it is not the key's */
    bool (*take_key)(struct wire *wire, struct pubkey *key); /* after the point; false: damaged */
    void (*put_key)(struct str *out, const struct pubkey *key);
    int (*take_sig)(struct wire *wire, struct signature *sig, struct err *err); /* after the 64 bytes */
    void (*put_sig)(struct str *out, const struct signature *sig);
    /* What the tool really signed instead of `data`; false: something else. */
    bool (*wrap)(struct str *out, const struct signature *sig, const struct pubkey *key,
                 const struct str *data);
};

struct key_format {
    const char *tool;     /* for people */
    const char *word;     /* in front of a key's base64, as we write it */
    const char *form;     /* after it, where keys of the same word sign in several ways; NULL: nothing */
    const char *commands; /* the section of templates/common/sign.txt that signs with such a key */
    bool offered;         /* to whoever has no key */
    /* Of OpenSSH; its signatures hold the whole key and a namespace. NULL: a key's number alone. */
    const struct ssh_parts *ssh;
    bool prehashed; /* of numbered keys: they sign BLAKE2b of the text */
    bool (*point_good)(const struct pubkey *key);
    /* The key in the base64 after its word, not including that check. */
    int (*parse_key)(enum key_kind kind, struct slice base64, struct pubkey *key, struct err *err);
    void (*put_key)(struct str *out, const struct pubkey *key); /* the bytes under that base64 */
    void (*fingerprint)(struct str *out, const struct pubkey *key);
    /* Everything but the text; ERR_INPUT. */
    int (*fits)(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err);
    bool (*holds)(const struct signature *sig, const struct pubkey *key, struct slice text);
    /* Members of signature_json beside "key" and "sig"; reading is strict. */
    void (*put_json)(json_t *json, const struct signature *sig);
    bool (*read_json)(const json_t *json, struct signature *sig);
};

extern const struct key_format format_openssh, format_fido, format_minisign, format_signify, format_ecdsa,
    format_fido_ecdsa, format_webauthn, format_webauthn_verified;

/* The formats by their kinds. */
const struct key_format *key_format(enum key_kind kind);
/* The kind whose lines begin with this word and have no form; false: none. */
bool key_kind_of(struct slice word, enum key_kind *kind);
/* The kind of a line of that kind that goes on with this form, or with a comment. */
enum key_kind key_kind_formed(enum key_kind kind, struct slice form);
/* The kind of such keys whose signatures have this word; false: none. */
bool key_kind_signing(enum key_kind kind, struct slice word, enum key_kind *signing);
bool ed25519_point_good(const struct pubkey *key); /* trust/key.c */
bool ecdsa_point_good(const struct pubkey *key);   /* trust/ecdsa.c */

/* ---- OpenSSH (trust/sshsig.c) ---- */

#define HOW_TO_MAKE "Turnpost takes Ed25519 and P-256 keys: make one with ssh-keygen -t ed25519"

/* Does a key of another kind begin with this word? Then the error says which ("this is an RSA key"). */
bool ssh_refuse(struct slice word, struct err *err);
/* SSHSIG: the decoded base64 of the armor (OpenSSH PROTOCOL.sshsig). */
int sshsig_parse(struct slice blob, struct signature *sig, struct err *err)
    __attribute__((warn_unused_result));
int ssh_parse_key(enum key_kind kind, struct slice base64, struct pubkey *key, struct err *err)
    __attribute__((warn_unused_result));
void ssh_fingerprint(struct str *out, const struct pubkey *key);
int sshsig_fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
    __attribute__((warn_unused_result));
bool sshsig_holds(const struct signature *sig, const struct pubkey *key, struct slice text)
    __attribute__((warn_unused_result));
void sshsig_put_json(json_t *json, const struct signature *sig);
bool sshsig_read_json(const json_t *json, struct signature *sig) __attribute__((warn_unused_result));

/* ---- security tokens: OpenSSH PROTOCOL.u2f (trust/fido.c) ---- */

/* In `flags`. */
#define FIDO_PRESENT    0x01 /* somebody touched it */
#define FIDO_VERIFIED   0x04 /* and it knows who: by a PIN, a finger, a face */
#define FIDO_ATTESTED   0x40 /* data about a new key follows: never in a signature */
#define FIDO_EXTENSIONS 0x80

bool fido_take_key(struct wire *wire, struct pubkey *key);
void fido_put_key(struct str *out, const struct pubkey *key);
int fido_take_sig(struct wire *wire, struct signature *sig, struct err *err);
void fido_put_sig(struct str *out, const struct signature *sig);
/* SHA-256 of the application, flags, counter, and SHA-256 of what the token was given. */
void fido_wrap(struct str *out, const struct signature *sig, const struct pubkey *key, struct slice given);
bool fido_wrap_data(struct str *out, const struct signature *sig, const struct pubkey *key,
                    const struct str *data);
/* sshsig_fits, and was it touched? */
int fido_fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
    __attribute__((warn_unused_result));
void fido_put_json(json_t *json, const struct signature *sig);
bool fido_read_json(const json_t *json, struct signature *sig) __attribute__((warn_unused_result));

/* ---- minisign and signify (trust/numbered.c) ---- */

/* The 74 decoded bytes of the signature line. `trusted`: a "trusted comment:" line follows. */
int numbered_parse(struct slice raw, bool trusted, struct signature *sig, struct err *err)
    __attribute__((warn_unused_result));
int numbered_parse_key(enum key_kind kind, struct slice base64, struct pubkey *key, struct err *err)
    __attribute__((warn_unused_result));
void numbered_put_key(struct str *out, const struct pubkey *key);
unsigned long long numbered_number(const struct pubkey *key);
/* ERR_INPUT: the number of another key. */
int numbered_fits(const struct signature *sig, const struct pubkey *key, struct err *err)
    __attribute__((warn_unused_result));
bool numbered_holds(const struct signature *sig, const struct pubkey *key, struct slice text)
    __attribute__((warn_unused_result));
void numbered_put_json(json_t *json, const struct signature *sig);
bool numbered_read_json(const json_t *json, struct signature *sig) __attribute__((warn_unused_result));

#endif
