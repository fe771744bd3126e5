/* What the proofs say to CBMC: a value is any value until it is assumed to be less; what must hold, holds for all of them. */
#ifndef TESTS_PROVE_PROVE_H
#define TESTS_PROVE_PROVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int nondet_int(void);
size_t nondet_size(void);
void __CPROVER_assume(_Bool holds);
void __CPROVER_assert(_Bool holds, const char *what);

#define ASSUME(holds) __CPROVER_assume(holds)
#define HOLDS(holds)  __CPROVER_assert(holds, #holds)

/* Out of memory ends the process (base/mem.c). */
void _exit(int code)
{
    (void)code;
    ASSUME(false);
}

static inline int any_int(int least, int most)
{
    int n = nondet_int();
    ASSUME(n >= least && n <= most);
    return n;
}

static inline size_t any_size(size_t most)
{
    size_t n = nondet_size();
    ASSUME(n <= most);
    return n;
}

#endif
