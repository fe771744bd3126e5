#include "tlog/entries.h"

#include <stdlib.h>

#include "base/file.h"
#include "tlog/entry.h"
#include "tlog/tiles.h"

int entries_open(struct entries *entries, const char *dir, int64_t size, struct err *err)
{
    char *path = path_join(dir, "entries");
    *entries = (struct entries){.dir = dir, .size = size, .bundle = STR_INIT};
    entries->whole = file_exists(path);
    const int rc = entries->whole ? lines_open(path, ENTRY_MOST + 1, &entries->lines, err) : 0;
    entries->whole &= rc == 0;
    free(path);
    return rc;
}

void entries_close(struct entries *entries)
{
    if (entries->whole)
        lines_close(&entries->lines);
    str_release(&entries->bundle);
}

int entries_next(struct entries *entries, struct slice *line, struct err *err)
{
    *line = (struct slice){NULL, 0};
    if (entries->whole)
        return lines_next(&entries->lines, line, err);
    const int64_t index = entries->count / TILE_WIDTH, left = entries->size - entries->count;
    if (left <= 0)
        return 0;
    if (entries->count % TILE_WIDTH == 0) {
        if (tile_file(entries->dir, TILE_ENTRIES, index, left < TILE_WIDTH ? (int)left : TILE_WIDTH,
                      &entries->bundle, err) < 0)
            return -1;
        entries->rest = slice_str(&entries->bundle);
    }
    entries->count += bundle_next(&entries->rest, line);
    return 0;
}
