/* A set of digests. Whoever chooses the digests cannot make it slow: places are a keyed hash. */
#ifndef GAME_DIGESTS_H
#define GAME_DIGESTS_H

#include <stdbool.h>
#include <stddef.h>

#define DIGEST_BYTES 32

/* Start with zeros. */
struct digests {
    unsigned char (*slot)[DIGEST_BYTES];
    bool *used;
    size_t count, cap; /* cap: 0 or a power of two */
    unsigned char key[16];
};
/* false: it is there already. */
bool digests_add(struct digests *digests, const unsigned char digest[DIGEST_BYTES]);
void digests_release(struct digests *digests);

#endif
