#include "base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

#define CHUNK_BYTES 16384

/* The slow path: moves on to a chunk with enough room. */
void *arena_more(struct arena *arena, size_t size)
{
    struct arena_chunk **next = arena->now ? &arena->now->next : &arena->first;
    assert(size < SIZE_MAX / 2);
    if (!*next || (*next)->size < size) {
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        struct arena_chunk *chunk = mem_resize(NULL, 1, sizeof *chunk + room);
        chunk->next = *next;
        chunk->size = room;
        *next = chunk;
    }
    arena->now = *next;
    arena->used = size;
    return arena->now->bytes;
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
