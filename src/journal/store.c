/* What holds for all stores. */
#include "journal/store_ops.h"

#include <sodium.h>
#include <string.h>

struct store_pos store_after(struct store_pos pos, struct slice lines)
{
    struct slice line;
    pos.hint += (int64_t)lines.len;
    while (slice_line(&lines, &line))
        pos.seq++;
    return pos;
}

int store_read_with(struct store *store, const char *game, struct slice pending, struct str *lines,
                    struct err *err)
{
    if (store_has(store, game) && store_read(store, game, STORE_BEGIN, lines, err))
        return -1;
    str_addslice(lines, pending);
    return 0;
}

void store_give_master(struct store *store, const unsigned char master[32])
{
    memcpy(store->master, master, sizeof store->master);
    store->keyed = true;
}

const unsigned char *store_master(const struct store *store)
{
    return store->keyed ? store->master : NULL;
}

int store_sync(struct store *store, struct err *err)
{
    const char *folder = store_folder(store);
    return folder ? file_sync_all(folder, err) : 0;
}

/* ---- each store has its own way ---- */

void store_close(struct store *store)
{
    if (!store)
        return;
    sodium_memzero(store->master, sizeof store->master);
    store->ops->close(store);
}

int store_games(struct store *store, struct file_names *names, struct err *err)
{
    return store->ops->games(store, names, err);
}

int store_stamp(struct store *store, int64_t *stamp, struct err *err)
{
    return store->ops->stamp(store, stamp, err);
}

bool store_has(struct store *store, const char *game)
{
    return store->ops->has(store, game);
}

int store_read(struct store *store, const char *game, struct store_pos from, struct str *lines,
               struct err *err)
{
    return store->ops->read(store, game, from, lines, err);
}

int store_read_mending(struct store *store, const char *game, struct store_pos from, struct str *lines,
                       struct err *err)
{
    return store->ops->read_mending(store, game, from, lines, err);
}

int store_line(struct store *store, const char *game, struct store_pos from, struct str *line,
               struct err *err)
{
    return store->ops->line(store, game, from, line, err);
}

int store_line_before(struct store *store, const char *game, struct store_pos end, struct str *line,
                      struct err *err)
{
    return store->ops->line_before(store, game, end, line, err);
}

bool store_ends(struct store *store, const char *game, struct store_pos end)
{
    return store->ops->ends(store, game, end);
}

int store_read_state(struct store *store, const char *game, struct str *state, struct err *err)
{
    return store->ops->read_state(store, game, state, err);
}

int store_write_state(struct store *store, const char *game, struct slice state, struct err *err)
{
    return store->ops->write_state(store, game, state, err);
}

int store_drop_state(struct store *store, const char *game, struct err *err)
{
    return store->ops->drop_state(store, game, err);
}

int store_append(struct store *store, const struct store_append *part, struct err *err)
{
    return store->ops->append(store, part, err);
}

int store_unappend(struct store *store, const struct store_append *part, struct err *err)
{
    return store->ops->unappend(store, part, err);
}

int store_mend(struct store *store, const char *game, struct store_pos end, bool *cut, struct err *err)
{
    return store->ops->mend(store, game, end, cut, err);
}

const char *store_folder(const struct store *store)
{
    return store->ops->folder(store);
}
