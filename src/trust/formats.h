/* The two families of signature formats behind signature.h. The *_fits functions check everything but the
 * text. */
#ifndef TRUST_FORMATS_H
#define TRUST_FORMATS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/signature.h"

/* SSHSIG: the decoded base64 of the armor (OpenSSH PROTOCOL.sshsig). */
int sshsig_parse(struct slice blob, struct signature *sig, struct err *err)
    __attribute__((warn_unused_result));
int sshsig_fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
    __attribute__((warn_unused_result));
bool sshsig_holds(const struct signature *sig, const struct pubkey *key, struct slice text)
    __attribute__((warn_unused_result));

/* minisign and signify: the 74 decoded bytes of the signature line. `trusted`: a "trusted comment:" line
 * follows. */
int minisign_parse(struct slice raw, bool trusted, struct signature *sig, struct err *err)
    __attribute__((warn_unused_result));
int minisign_fits(const struct signature *sig, const struct pubkey *key, struct err *err)
    __attribute__((warn_unused_result));
bool minisign_holds(const struct signature *sig, const struct pubkey *key, struct slice text)
    __attribute__((warn_unused_result));

#endif
