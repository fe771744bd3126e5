/* Counted work: what our own code does, in basic blocks, and what the C library and libsodium do for it, by
 * the bytes that they go over. No clock: the same in every run, on every host. */
#ifndef TESTS_GROWTH_COUNT_H
#define TESTS_GROWTH_COUNT_H

#include <stdint.h>

/* Since the start of the program. Of one thread. */
extern uint64_t counted;

#endif
