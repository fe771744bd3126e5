#include "batch/groups.h"

#include "base/mem.h"

struct batch_piece groups_here(const struct batch *batch)
{
    const struct batch_news *news = &batch->news;
    return (struct batch_piece){.mails = batch->mails.count,
                                .seen = news->seen_count,
                                .paths = news->path_count,
                                .bounces = news->bounce_count,
                                .logged = news->logged_count,
                                .leavers = news->leaver_count,
                                .done = batch->done,
                                .registry = batch->log.seq};
}

void groups_piece(struct batch *batch)
{
    struct batch_groups *groups = &batch->groups;
    groups->pieces = mem_grow(groups->pieces, groups->count, &groups->cap, sizeof *groups->pieces);
    groups->pieces[groups->count++] = groups_here(batch);
}

void groups_clear(struct batch *batch)
{
    batch->groups.count = batch->groups.touch_count = 0;
    for (size_t i = 0; i < batch->games.count; i++)
        batch->games.list[i]->piece = 0;
    groups_piece(batch);
}

void groups_touch(struct batch *batch, struct batch_game *game)
{
    struct batch_groups *groups = &batch->groups;
    if (!groups->count)
        groups_clear(batch);
    if (game->piece == groups->count)
        return;
    game->piece = groups->count;
    groups->touches =
        mem_grow(groups->touches, groups->touch_count, &groups->touch_cap, sizeof *groups->touches);
    groups->touches[groups->touch_count++] = (struct batch_touch){groups->count - 1, game};
}

void groups_wake(struct batch *batch)
{
    json_decref(batch->groups.resting);
    batch->groups.resting = NULL;
}

bool groups_rests(const struct batch *batch, const char *game)
{
    return json_object_get(batch->groups.resting, game) != NULL;
}

bool groups_left_out(const struct batch *batch, size_t piece)
{
    return piece < batch->groups.count && batch->groups.pieces[piece].left_out;
}
