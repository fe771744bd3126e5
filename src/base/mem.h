/* Memory. Out of memory ends the process with exit code 111: nothing is half written, because everything
 * that is written goes through the commit protocol (src/batch/README.md), and the next run goes on. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

#define EXIT_NO_MEMORY 111

void *mem_alloc(size_t size) __attribute__((malloc, returns_nonnull, warn_unused_result)); /* zeroed */
void *mem_array(size_t count, size_t size)
    __attribute__((malloc, returns_nonnull, warn_unused_result)); /* zeroed */
void *mem_resize(void *old, size_t count, size_t size) __attribute__((returns_nonnull, warn_unused_result));
void *mem_copy(const void *bytes, size_t size) __attribute__((malloc, returns_nonnull, warn_unused_result));
char *mem_strdup(const char *text) __attribute__((malloc, returns_nonnull, warn_unused_result));
char *mem_strndup(const char *text, size_t len) __attribute__((malloc, returns_nonnull, warn_unused_result));

/* Makes room for one more element in a growing array: `*cap` is the number of elements allocated. */
void *mem_grow(void *old, size_t count, size_t *cap, size_t size)
    __attribute__((returns_nonnull, warn_unused_result));

#endif
