/* The mark and the sync of a commit. */
#include "base/file.h"
#include "batch/batch_parts.h"

int batch_durable(struct batch *batch, struct err *err)
{
    const char *folders[4] = {batch->spool, batch->league->dir};
    const struct store *const stores[] = {batch->store, batch->competitions.store};
    size_t count = 2;
    for (size_t i = 0; i < 2; i++)
        if (store_folder(stores[i]))
            folders[count++] = store_folder(stores[i]);
    return file_sync_each(folders, count, err);
}

int batch_mark(struct batch *batch, struct err *err)
{
    if (catalog_keep(batch->catalog, err)) /* budgets used up by answers */
        return -1;
    if (!batch->mark.set && catalog_working(batch->catalog, true, err))
        return -1;
    batch->mark.set = true;
    return 0;
}
