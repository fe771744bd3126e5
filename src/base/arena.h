/* Memory for many small things that are dropped all at once. Zero-initialise; end with arena_release. Out of
 * memory ends the process (base/mem.h). */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
    max_align_t bytes[];
};
struct arena {
    struct arena_chunk *first, *now;
    size_t used; /* bytes of `now` */
};

void *arena_more(struct arena *arena, size_t size) __attribute__((returns_nonnull, warn_unused_result));
/* Not cleared; fit for any type; valid until the arena is cleared. */
static inline void *arena_take(struct arena *arena, size_t size)
{
    const size_t step = sizeof(max_align_t);
    size = (size + step - 1) / step * step;
    if (!arena->now || size > arena->now->size - arena->used)
        return arena_more(arena, size);
    char *from = (char *)arena->now->bytes + arena->used;
    arena->used += size;
    return from;
}
void arena_clear(struct arena *arena); /* drops everything, keeps the memory for the next things */
void arena_release(struct arena *arena);

#endif
