/* The curve P-256 (FIPS 186-4, D.1.2.3): which bytes are a point of it, and the normal form of its ECDSA signatures.
 * Verifying is GnuTLS's (trust/p256_verify.c). Numbers have 32 bytes, the most significant first. Nothing here is secret. */
#ifndef TRUST_P256_H
#define TRUST_P256_H

#include <stdbool.h>

#include "base/str.h"

#define P256_NUMBER 32
#define P256_SEC1   65 /* 0x04 ‖ x ‖ y */

/* Are both below the prime, and do they fulfil the curve's equation? The point at infinity has no such form. */
bool p256_on_curve(const unsigned char x[P256_NUMBER], const unsigned char y[P256_NUMBER]);
/* A point as SEC 1, 2.3.3 writes it uncompressed, the only form that OpenSSH has. False: another form, or not on the curve. */
bool p256_point_read(struct slice sec1, unsigned char x[P256_NUMBER], unsigned char y[P256_NUMBER])
    __attribute__((warn_unused_result));
void p256_point_put(struct str *out, const unsigned char x[P256_NUMBER], const unsigned char y[P256_NUMBER]);

/* A signature is r ‖ s. Who has one can make another of it, with n - s for s; so what is kept, compared or hashed is
 * always the one whose s is the lower. */
/* Are r and s in 1 .. n-1? */
bool p256_signature_in_range(const unsigned char sig[2 * P256_NUMBER]);
/* Also in its normal form? */
bool p256_signature_is_normal(const unsigned char sig[2 * P256_NUMBER]);
/* Brings one that is in range to its normal form. */
void p256_signature_normalise(unsigned char sig[2 * P256_NUMBER]);

/* Is it the ECDSA signature of this SHA-256 by the key at this point? Both are checked as above; either of the two forms holds. */
bool p256_verify(const unsigned char x[P256_NUMBER], const unsigned char y[P256_NUMBER],
                 const unsigned char sig[2 * P256_NUMBER], const unsigned char digest[32])
    __attribute__((warn_unused_result));

#endif
