#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

#define CHUNK_BYTES 16384

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
    max_align_t bytes[];
};

/* Goes on to a chunk with so much room. */
static void advance(struct arena *arena, size_t size)
{
    struct arena_chunk **next = arena->now ? &arena->now->next : &arena->first;
    if (!*next || (*next)->size < size) {
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        struct arena_chunk *chunk = mem_resize(NULL, 1, sizeof *chunk + room);
        *chunk = (struct arena_chunk){.next = *next, .size = room};
        *next = chunk;
    }
    arena->now = *next;
    arena->used = 0;
}

void *arena_take(struct arena *arena, size_t size)
{
    assert(size < SIZE_MAX / 2);
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!arena->now || size > arena->now->size - arena->used)
        advance(arena, size);
    char *from = (char *)arena->now->bytes + arena->used;
    arena->used += size;
    return from;
}

void arena_clear(struct arena *arena)
{
    arena->now = arena->first;
    arena->used = 0;
}

void arena_release(struct arena *arena)
{
    while (arena->first) {
        struct arena_chunk *next = arena->first->next;
        free(arena->first);
        arena->first = next;
    }
    *arena = (struct arena){NULL, NULL, 0};
}
