#include "base/embed.h"

#include <string.h>

struct slice embed_find(const char *path)
{
    for (const struct embed *e = embed_table; e->path; e++)
        if (strcmp(e->path, path) == 0)
            return (struct slice){(const char *)e->bytes, (size_t)(e->end - e->bytes)};
    return (struct slice){NULL, 0};
}
