/* The luck of a suite: its keys, nonces and random games follow from SEED, a number, 1 where none is given. So a suite fails by
 * what has changed and not by chance, and fails again when it is run again. SEED=random is another luck each time, told on
 * stderr; `make luck` runs all suites that way. */
#ifndef TESTS_LUCK_H
#define TESTS_LUCK_H

#include <sodium.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t luck_number;
static atomic_uint_fast64_t luck_drawn;

static inline const char *luck_name(void)
{
    return "luck";
}

static inline void luck_bytes(void *out, size_t size)
{
    unsigned char key[crypto_stream_KEYBYTES] = {0}, nonce[crypto_stream_NONCEBYTES] = {0};
    const uint64_t drawn = atomic_fetch_add(&luck_drawn, 1);
    memcpy(key, &luck_number, sizeof luck_number);
    memcpy(nonce, &drawn, sizeof drawn);
    (void)crypto_stream(out, size, nonce, key);
}

static inline uint32_t luck_word(void)
{
    uint32_t word;
    luck_bytes(&word, sizeof word);
    return word;
}

/* Once, at the start of a suite, after sodium_init. */
static inline void luck_open(void)
{
    static struct randombytes_implementation luck = {
        .implementation_name = luck_name, .random = luck_word, .buf = luck_bytes};
    const char *given = getenv("SEED");
    luck_number = 1;
    if (given && strcmp(given, "random") == 0) {
        luck_number = randombytes_random();
        (void)fprintf(stderr, "SEED=%llu\n", (unsigned long long)luck_number);
    } else if (given) {
        luck_number = strtoull(given, NULL, 10);
    }
    (void)randombytes_set_implementation(&luck);
}

/* Where the random games of case `i` begin; what failed is named by SEED=luck_number. */
static inline uint64_t luck_seed(int i)
{
    return luck_number * 1000003U + (unsigned)i;
}

#endif
