/* Public keys of players, in the formats of the tools they own: Ed25519, and of OpenSSH also ECDSA on P-256. RSA, DSA and
 * other ECDSA keys get a clear refusal that says which command makes a suitable key. Sources: OpenSSH PROTOCOL.key,
 * PROTOCOL.u2f; RFC 5656; minisign(1); signify(1). A key serves one format only. */
#ifndef TRUST_KEY_H
#define TRUST_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

/* A row of the table of formats (trust/format.h); the names are for trust/ alone. */
enum key_kind {
    KEY_SSH,
    KEY_SSH_SK, /* FIDO */
    KEY_MINISIGN,
    KEY_SIGNIFY,
    KEY_ECDSA,
    KEY_FIDO_ECDSA,
    /* A FIDO key on P-256 that signs in a browser, for the page at https://<application>; of the second kind each signature
     * says that the token has also verified whose hand it was in (PIN, finger, face). */
    KEY_WEBAUTHN,
    KEY_WEBAUTHN_VERIFIED
};
bool key_kind_known(int kind);

#define KEYS_PER_PLAYER 4
#define KEY_APPLICATION 64
#define KEY_FINGERPRINT 64
#define KEY_SHOWN       80

struct pubkey {
    enum key_kind kind;
    unsigned char point[32]; /* Ed25519 public key, never of small order; of P-256: x. On the curve */
    unsigned char y[32];     /* P-256; else zeros */
    unsigned char id[8];     /* minisign, signify: the key number; else zeros */
    char application[KEY_APPLICATION]; /* of a FIDO key: "ssh:", of a passkey the page's host; else "" */
};

/* Parses one key: an OpenSSH line ("ssh-ed25519 AAAA... comment", also with allowed_signers principals or
 * options in front refused with a reason), or minisign/signify text (an "untrusted comment:" line and a
 * base64 line, or the base64 line alone: "minisign RW..." / "signify RW..." as we write them, also with a
 * colon; a bare base64 line is taken as minisign). The two tools' keys differ in nothing but the comment:
 * one that ends with "public key" without naming minisign is signify's. Blank lines and '#' lines are
 * skipped. Advances *rest past what was read, on an error past the faulty line. ERR_INPUT with the
 * line's fault. At the end of the text: returns 0 with *found false. */
int pubkey_next(struct slice *rest, struct pubkey *key, bool *found, struct err *err)
    __attribute__((warn_unused_result));
/* Does a public key begin with this line, as people paste them, whole or cut? Also one of a kind that is not taken. */
bool pubkey_begins(struct slice line);
/* Writes the key as one line without LF: "ssh-ed25519 AAAA...", "sk-ssh-ed25519@openssh.com AAAA...",
 * "ecdsa-sha2-nistp256 AAAA...", "sk-ecdsa-sha2-nistp256@openssh.com AAAA...", the same with " webauthn" or
 * " webauthn-verified" after it, "minisign RW...", "signify RW..." (pubkey_next reads all of them back). */
void pubkey_format(struct str *out, const struct pubkey *key);
/* "SHA256:..." as ssh-keygen -l prints it; "minisign:" or "signify:" and the key number in hex,
 * as minisign prints it (without leading zeros). The maker of a key chooses its number: it distinguishes keys
 * for people who trust each other, and proves nothing. */
void pubkey_fingerprint(char out[KEY_FINGERPRINT], const struct pubkey *key);
/* What distinguishes this key from every other one: the fingerprint, or, where that is a number, the key as
 * pubkey_format writes it. KEY_WEBAUTHN_VERIFIED: the fingerprint and " verified". */
void pubkey_show(char out[KEY_SHOWN], const struct pubkey *key);
/* Whose key it is for people: "OpenSSH", "minisign". */
const char *pubkey_tool(const struct pubkey *key);
/* The section of templates/common/sign.txt with the commands that sign with such keys. */
const char *key_commands(enum key_kind kind);
/* Are such keys offered to whoever has none? The others are for those who have them already. */
bool key_offered(enum key_kind kind);
/* Is the word a tool that is offered, as people call it: "minisign", "OpenSSH", "ssh"? Case does not matter. */
bool key_tool_named(struct slice word, enum key_kind *kind);
/* Do its signatures name it by its number alone (minisign, signify)? Else they hold the whole key, and a
 * namespace. */
bool pubkey_is_numbered(const struct pubkey *key);
/* Compares by what signatures name, the number or the point; 0: a signature may be from either. */
int pubkey_compare_names(const struct pubkey *a, const struct pubkey *b);
/* The key of a league, with which it signs heads and records: OpenSSH's. */
void pubkey_of_league(struct pubkey *key, const unsigned char point[32]);
bool pubkey_may_be_of_league(const struct pubkey *key);
/* The OpenSSH key blob (what the base64 of such a line holds); not of a numbered key. */
void pubkey_blob(struct str *out, const struct pubkey *key);
bool pubkey_equal(const struct pubkey *a, const struct pubkey *b);
/* 0: the same point of the same curve, in whatever format; one point belongs to one key. */
int pubkey_compare_points(const struct pubkey *a, const struct pubkey *b);
/* May a signature that names this key as `named` be from `key`? They are equal; or the bytes of the two on the wire are, which
 * say neither whether a FIDO key signs in a browser nor what is demanded of it: a signature shows the first only, so
 * that the registered key decides, and signature_fits judges. */
bool pubkey_names(const struct pubkey *named, const struct pubkey *key);
/* Do its signatures not say all of it (numbered keys, KEY_WEBAUTHN_VERIFIED), so that a text to register has to? */
bool pubkey_needs_line(const struct pubkey *key);
/* The host of the page that a passkey was made in, borrowed from the key; NULL of other keys. */
const char *pubkey_page(const struct pubkey *key);
/* A host as a browser names it in an origin: no port, no capitals, no dot at an end. */
bool key_host_good(struct slice name);
/* Changes a passkey as a signature names it to the key of which each signature must be verified; false: it is none. */
bool pubkey_demand_verified(struct pubkey *key);

#endif
