/* Remembers whether a signature, a proof or a key holds, for programs that check the same ones again and again: of thousands of
 * journals that differ in one record, most of each has been checked before. All three functions say the same of the same bytes
 * always. Linked in their place (--wrap). Each thread has a memory of its own. */
#include <sodium.h>
#include <stdbool.h>
#include <string.h>

#include "chance/vrf.h"

#define PLACES (1U << 13)

struct memory {
    unsigned char of[32]; /* the hash of all that was given */
    unsigned char output[VRF_OUTPUT];
    bool known, holds;
};

static _Thread_local struct memory memories[PLACES];

int __real_crypto_sign_verify_detached(const unsigned char *sig, const unsigned char *text,
                                       unsigned long long len, const unsigned char *key);
int __wrap_crypto_sign_verify_detached(const unsigned char *sig, const unsigned char *text,
                                       unsigned long long len, const unsigned char *key);
int __real_crypto_core_ed25519_is_valid_point(const unsigned char *point);
int __wrap_crypto_core_ed25519_is_valid_point(const unsigned char *point);
bool __real_vrf_verify(unsigned char output[VRF_OUTPUT], const unsigned char public[VRF_PUBLIC],
                       const unsigned char proof[VRF_PROOF], struct slice alpha);
bool __wrap_vrf_verify(unsigned char output[VRF_OUTPUT], const unsigned char public[VRF_PUBLIC],
                       const unsigned char proof[VRF_PROOF], struct slice alpha);

/* The place for these bytes; not yet known, if others or none were there. */
static struct memory *place_for(const unsigned char *key, const unsigned char *proof, size_t size,
                                struct slice text)
{
    crypto_generichash_state state;
    unsigned char of[32];
    unsigned at;
    crypto_generichash_init(&state, NULL, 0, sizeof of);
    crypto_generichash_update(&state, (const unsigned char *)&size,
                              sizeof size); /* tells the functions apart */
    crypto_generichash_update(&state, key, 32);
    crypto_generichash_update(&state, proof, size);
    crypto_generichash_update(&state, (const unsigned char *)text.p, text.len);
    crypto_generichash_final(&state, of, sizeof of);
    memcpy(&at, of, sizeof at);
    struct memory *memory = &memories[at % PLACES];
    if (memcmp(memory->of, of, sizeof of) != 0) {
        memset(memory, 0, sizeof *memory);
        memcpy(memory->of, of, sizeof of);
    }
    return memory;
}

int __wrap_crypto_sign_verify_detached(const unsigned char *sig, const unsigned char *text,
                                       unsigned long long len, const unsigned char *key)
{
    struct memory *memory =
        place_for(key, sig, crypto_sign_BYTES, (struct slice){(const char *)text, (size_t)len});
    if (!memory->known) {
        memory->holds = __real_crypto_sign_verify_detached(sig, text, len, key) == 0;
        memory->known = true;
    }
    return memory->holds ? 0 : -1;
}

int __wrap_crypto_core_ed25519_is_valid_point(const unsigned char *point)
{
    struct memory *memory = place_for(point, point, 0, (struct slice){0});
    if (!memory->known) {
        memory->holds = __real_crypto_core_ed25519_is_valid_point(point) == 1;
        memory->known = true;
    }
    return memory->holds ? 1 : 0;
}

bool __wrap_vrf_verify(unsigned char output[VRF_OUTPUT], const unsigned char public[VRF_PUBLIC],
                       const unsigned char proof[VRF_PROOF], struct slice alpha)
{
    struct memory *memory = place_for(public, proof, VRF_PROOF, alpha);
    if (!memory->known) {
        memory->holds = __real_vrf_verify(memory->output, public, proof, alpha);
        memory->known = true;
    }
    if (memory->holds)
        memcpy(output, memory->output, VRF_OUTPUT);
    return memory->holds;
}
