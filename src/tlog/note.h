/* Signed notes (c2sp.org/signed-note) with Ed25519, and timestamped cosignatures (c2sp.org/tlog-cosignature, v1).
 *
 * A note is a text that ends in LF, an empty line, and one line a signature:
 *     — NAME base64(id, signature)                  VKEY_SIGNER: the signature is of the text
 *     — NAME base64(id, be64(time), signature)      VKEY_COSIGNER: of "cosignature/v1\ntime TIME\n" and the text
 * A key is told as a vkey: NAME+ID+base64(type, public), where id = SHA-256(NAME LF type public), first 4 bytes. */
#ifndef TLOG_NOTE_H
#define TLOG_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define VKEY_NAME   128 /* bytes, with NUL */
#define VKEY_PUBLIC 32
#define VKEY_SECRET 64 /* libsodium's form: seed and public key */
#define VKEY_ID     4
#define NOTE_DASH   "\xE2\x80\x94 " /* a signature line begins so */
#define NOTE_MOST   65536           /* bytes of a note */

enum vkey_type { VKEY_SIGNER = 1, VKEY_COSIGNER = 4 };

struct vkey {
    char name[VKEY_NAME]; /* of a log: its origin */
    enum vkey_type type;
    unsigned char id[VKEY_ID];
    unsigned char public[VKEY_PUBLIC];
};

/* UTF-8 without blanks, controls and '+', 1 to VKEY_NAME - 1 bytes. */
bool vkey_name_valid(struct slice name);
/* The name is a valid one. */
void vkey_make(struct vkey *key, struct slice name, enum vkey_type type,
               const unsigned char public[VKEY_PUBLIC]);
void vkey_write(struct str *out, const struct vkey *key);
/* ERR_INPUT: says what is wrong with it, no place. */
int vkey_parse(struct slice text, struct vkey *key, struct err *err) __attribute__((warn_unused_result));

/* A signature line with its LF, of `text`, which ends in LF. A whole note: text, LF, such lines. `secret` belongs to
 * `key`, whose type is the function's. `time` in seconds since 1970, >= 0. */
void note_sign(struct str *out, struct slice text, const struct vkey *key,
               const unsigned char secret[VKEY_SECRET]);
void note_cosign(struct str *out, struct slice text, const struct vkey *key,
                 const unsigned char secret[VKEY_SECRET], int64_t time);

/* Its text and its signature lines, borrowed. The form alone is checked. */
bool note_split(struct slice note, struct slice *text, struct slice *signatures)
    __attribute__((warn_unused_result));

/* Of these signature lines those of one key, as far as its name says. Appends. */
void note_own_lines(struct str *out, struct slice lines, const struct vkey *key);

/* What was found of one key. */
struct note_seen {
    bool good;
    int64_t time; /* of a cosignature, the earliest; else 0 */
};
/* Verifies the signatures of the keys given: `seen` has one of each. Signatures of other keys are passed over; one of
 * these keys that is wrong makes the note wrong. ERR_INPUT. Whether enough have signed is for the caller to see. */
int note_verify(struct slice note, const struct vkey *keys, size_t count, struct note_seen *seen,
                struct err *err) __attribute__((warn_unused_result));

#endif
