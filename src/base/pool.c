#include "base/pool.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"

#define STEP        16 /* sizes are multiples of it */
#define SIZES       17 /* 0: larger than the rest, from malloc */
#define CHUNK_BYTES 65536

/* In front of every block. While it is free, the next free one of its size stands behind it. */
struct block {
    size_t size; /* index of its list */
    struct block *next;
};
#define HEAD offsetof(struct block, next)

/* jansson's hooks carry no argument, so the lists are the process's own. */
static struct {
    struct block *free[SIZES];
    char *chunk;
    size_t left;
} pool;

/* The pool is the thread's that began it; the threads that send mail, which read little JSON, use malloc. */
static _Thread_local bool mine;

static struct block *take(size_t size)
{
    const size_t bytes = HEAD + size * STEP;
    struct block *block = pool.free[size];
    if (block) {
        pool.free[size] = block->next;
        return block;
    }
    if (pool.left < bytes) {
        pool.chunk = mem_alloc(CHUNK_BYTES);
        pool.left = CHUNK_BYTES;
    }
    block = (void *)pool.chunk;
    block->size = size;
    pool.chunk += bytes;
    pool.left -= bytes;
    return block;
}

static void *pool_alloc(size_t bytes)
{
    struct block *block;
    size_t size = bytes ? (bytes + STEP - 1) / STEP : 1;
    if (size < SIZES && mine) {
        block = take(size);
    } else {
        block = mem_resize(NULL, HEAD + bytes, 1);
        block->size = 0;
    }
    return (char *)block + HEAD;
}

static void pool_free(void *bytes)
{
    if (!bytes)
        return;
    struct block *block = (void *)((char *)bytes - HEAD);
    if (block->size == 0) {
        free(block);
        return;
    }
    if (mine) { /* another thread may not touch the lists: what it gives back is lost */
        block->next = pool.free[block->size];
        pool.free[block->size] = block;
    }
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif

void pool_begin(void)
{
#ifdef SANITIZED
    mine = false;
    (void)pool_alloc;
    (void)pool_free;
#else
    mine = true;
    json_set_alloc_funcs(pool_alloc, pool_free);
#endif
}
