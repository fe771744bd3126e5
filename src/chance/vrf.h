/* ECVRF-RISTRETTO255-SHA512 (c2sp.org/vrf-r255, after RFC 9381 section 5) on libsodium's ristretto255.
 * The holder of the secret can compute one `beta` for an `alpha`, and prove it; nobody else can foresee it,
 * and the holder cannot choose it. */
#ifndef CHANCE_VRF_H
#define CHANCE_VRF_H

#include <stdbool.h>

#include "base/str.h"

#define VRF_SECRET 32
#define VRF_PUBLIC 32
#define VRF_PROOF  80
#define VRF_OUTPUT 64

void vrf_keygen(unsigned char secret[VRF_SECRET], unsigned char public[VRF_PUBLIC]);
/* False when `secret` is not a canonical non-zero scalar. */
bool vrf_public(unsigned char public[VRF_PUBLIC], const unsigned char secret[VRF_SECRET])
    __attribute__((warn_unused_result));
/* `public` is the one that belongs to `secret` (vrf_public); with another one the proof is worthless. False
 * only when the hash is the identity (never, in practice) or the secret is not a scalar. */
bool vrf_prove(unsigned char proof[VRF_PROOF], unsigned char output[VRF_OUTPUT],
               const unsigned char secret[VRF_SECRET], const unsigned char public[VRF_PUBLIC],
               struct slice alpha) __attribute__((warn_unused_result));
/* Is it a key at all: an element, and not the neutral one? */
bool vrf_key_good(const unsigned char public[VRF_PUBLIC]) __attribute__((warn_unused_result));
/* Checks the proof and gives the output. */
bool vrf_verify(unsigned char output[VRF_OUTPUT], const unsigned char public[VRF_PUBLIC],
                const unsigned char proof[VRF_PROOF], struct slice alpha) __attribute__((warn_unused_result));
/* The output of a proof that holds: of one that was made, or checked, before. */
void vrf_output(unsigned char output[VRF_OUTPUT], const unsigned char proof[VRF_PROOF]);

#endif
