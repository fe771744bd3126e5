/* Memory for many small things that are dropped all at once. Zero-initialise; end with arena_release. Out of
 * memory ends the process (base/mem.h). */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;
struct arena {
    struct arena_chunk *first, *now;
    size_t used; /* bytes of `now` */
};

/* Not cleared; fit for any type; valid until the arena is cleared. */
void *arena_take(struct arena *arena, size_t size) __attribute__((returns_nonnull, warn_unused_result));
void arena_clear(struct arena *arena); /* drops everything, keeps the memory for the next things */
void arena_release(struct arena *arena);

#endif
