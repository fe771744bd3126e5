#include "game/digests.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FIRST_CAP 64

/* Where the digest is, or would be put. */
static size_t place_of(const struct digests *digests, const unsigned char digest[DIGEST_BYTES])
{
    unsigned char hash[crypto_shorthash_BYTES];
    size_t at;
    crypto_shorthash(hash, digest, DIGEST_BYTES, digests->key);
    memcpy(&at, hash, sizeof at);
    at &= digests->cap - 1;
    while (digests->used[at] && memcmp(digests->slot[at], digest, DIGEST_BYTES) != 0)
        at = (at + 1) & (digests->cap - 1);
    return at;
}

static void put(struct digests *digests, const unsigned char digest[DIGEST_BYTES])
{
    size_t at = place_of(digests, digest);
    memcpy(digests->slot[at], digest, DIGEST_BYTES);
    digests->used[at] = true;
    digests->count++;
}

static void grow(struct digests *digests)
{
    struct digests old = *digests;
    digests->cap = old.cap ? 2 * old.cap : FIRST_CAP;
    digests->count = 0;
    digests->slot = mem_alloc(digests->cap * sizeof *digests->slot);
    digests->used = mem_alloc(digests->cap * sizeof *digests->used);
    if (!old.cap)
        crypto_shorthash_keygen(digests->key);
    for (size_t i = 0; i < old.cap; i++)
        if (old.used[i])
            put(digests, old.slot[i]);
    free(old.slot);
    free(old.used);
}

bool digests_add(struct digests *digests, const unsigned char digest[DIGEST_BYTES])
{
    if (2 * digests->count >= digests->cap)
        grow(digests);
    if (digests->used[place_of(digests, digest)])
        return false;
    put(digests, digest);
    return true;
}

void digests_release(struct digests *digests)
{
    free(digests->slot);
    free(digests->used);
    *digests = (struct digests){0};
}
