/* Secret Ed25519 keys on disk, in OpenSSH's own format ("openssh-key-v1", PROTOCOL.key) without a
 * passphrase, so that ssh-keygen reads what we write and we read what it writes. A passphrase-protected
 * key gets a clear refusal (use ssh-keygen -Y sign instead). Files must be mode 0600 or stricter, else
 * ERR_CONFIG. Buffers are wiped. */
#ifndef TRUST_SECRET_H
#define TRUST_SECRET_H

#include "base/err.h"
#include "base/str.h"
#include "trust/key.h"

struct secret {
    unsigned char key[64];   /* libsodium's form: seed and public key */
    unsigned char point[32]; /* the public key */
};

void secret_new(struct secret *secret);
int secret_load(const char *path, struct secret *secret, struct err *err) __attribute__((warn_unused_result));
/* Writes `path` with mode 0600 (must not exist) and `path`.pub when `public` is true. */
int secret_save(const char *path, const struct secret *secret, const char *comment, bool public,
                struct err *err) __attribute__((warn_unused_result));
void secret_public(const struct secret *secret, struct pubkey *key);
void secret_wipe(struct secret *secret);

#endif
