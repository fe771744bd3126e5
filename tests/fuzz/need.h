/* What a fuzz target promises: a broken promise is a crash that names the line. */
#ifndef TESTS_FUZZ_NEED_H
#define TESTS_FUZZ_NEED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define need(promise)                                                                   \
    do {                                                                                \
        if (!(promise)) {                                                               \
            (void)fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise); \
            abort();                                                                    \
        }                                                                               \
    } while (0)

#endif
