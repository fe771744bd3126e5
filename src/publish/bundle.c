/* The files of a published game. */

#include "base/mem.h"
#include "publish/publish_signed.h"

struct str *bundle_add(struct bundle *bundle, const char *name)
{
    bundle->file = mem_grow(bundle->file, bundle->count, &bundle->cap, sizeof *bundle->file);
    struct bundle_file *file = &bundle->file[bundle->count++];
    file->name = mem_strdup(name);
    str_init(&file->bytes);
    return &file->bytes;
}
