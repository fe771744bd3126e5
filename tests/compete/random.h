/* Numbers for random cases: the same from a seed on every machine. */
#ifndef TESTS_COMPETE_RANDOM_H
#define TESTS_COMPETE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t below(uint64_t *seed, size_t n)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)((*seed >> 33) % n);
}

static inline void shuffle(uint64_t *seed, uint32_t *list, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = below(seed, i);
        const uint32_t saved = list[i - 1];
        list[i - 1] = list[j];
        list[j] = saved;
    }
}

#endif
