#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void out_of_memory(void)
{
    static const char words[] = "turnpost: out of memory; nothing was half written, run again\n";
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) {
        /* nothing more can be reported */
    }
    _exit(EXIT_NO_MEMORY);
}

void *mem_alloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *mem_array(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        out_of_memory();
    size_t bytes = count * size;
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *mem_grow(void *old, size_t count, size_t *cap, size_t size)
{
    if (count < *cap && old)
        return old;
    size_t want = *cap < 8 ? 8 : *cap * 2;
    void *p = mem_resize(old, want, size);
    *cap = want;
    return p;
}

void *mem_copy(const void *bytes, size_t size)
{
    return memcpy(mem_resize(NULL, size, 1), bytes, size);
}

char *mem_strdup(const char *text)
{
    return mem_strndup(text, strlen(text));
}

char *mem_strndup(const char *text, size_t len)
{
    char *p = mem_resize(NULL, len + 1, 1);
    memcpy(p, text, len);
    p[len] = '\0';
    return p;
}
