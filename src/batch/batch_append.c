/* The journals of a commit, group by group. */
#include <stddef.h>
#include <string.h>

#include "base/log.h"
#include "batch/batch_parts.h"
#include "batch/competing.h"
#include "batch/groups.h"
#include "batch/mail_log.h"

struct store_append batch_append_of(const struct batch_game *game)
{
    return (struct store_append){game->game.id, game->end, slice_str(&game->records)};
}

static void unappend(struct batch *batch, const struct batch_game *game)
{
    struct err why = ERR_INIT;
    struct store_append part = batch_append_of(game);
    if (store_unappend(batch->store, &part, &why) == 0)
        return;
    log_error("%s: %s", game->game.id, why.text);
    batch->torn = true;
}

void batch_unappend(struct batch *batch)
{
    for (size_t i = 0; i < batch->games.count; i++)
        if (batch->games.list[i]->records.len && !batch->games.list[i]->broken)
            unappend(batch, batch->games.list[i]);
}

/* How many could not be appended to; `failed`: their names, `why` is the first one's. */
static size_t append_each(struct batch *batch, json_t *failed, struct err *why)
{
    for (size_t i = 0; i < batch->games.count; i++) {
        struct batch_game *game = batch->games.list[i];
        struct store_append part = batch_append_of(game);
        struct err own = ERR_INIT;
        if (!part.records.len || game->broken || store_append(batch->store, &part, &own) == 0)
            continue;
        log_error("%s: %s; its orders stay in the mailbox", game->game.id, own.text);
        game->broken = true;
        json_object_set_new(failed, game->game.id, json_true());
        (void)err_pass(why, &own);
    }
    return json_object_size(failed);
}

/* ---- which are left out ---- */

/* Finds some of the games and pieces that belong to what is left out already. A game that is only read connects
 * nothing. */
static bool spread(struct batch *batch)
{
    bool more = false;
    for (size_t i = 0; i < batch->groups.touch_count; i++) {
        struct batch_game *game = batch->groups.touches[i].game;
        struct batch_piece *piece = &batch->groups.pieces[batch->groups.touches[i].piece];
        if (!game->records.len || game->broken == piece->left_out)
            continue;
        if (!game->broken)
            unappend(batch, game);
        game->broken = piece->left_out = more = true;
    }
    return more;
}

/* Has a piece that is left out changed what all pieces use? */
static bool concerns_all(const struct batch *batch)
{
    const struct batch_groups *groups = &batch->groups;
    bool does = competing_records(batch);
    for (size_t i = 0; i < groups->count && !does; i++) {
        int64_t end = i + 1 < groups->count ? groups->pieces[i + 1].registry : batch->log.seq;
        does = groups->pieces[i].left_out && end != groups->pieces[i].registry;
    }
    return does;
}

/* ---- what they have made ---- */

/* A list to which pieces add, and the member that says where each begins in it. */
struct column {
    void *list;
    size_t *count;
    size_t size, member;
};

static size_t begins(const struct batch *batch, const struct column *column, size_t piece)
{
    const struct batch_groups *groups = &batch->groups;
    size_t from = *column->count;
    if (piece < groups->count)
        memcpy(&from, (const char *)&groups->pieces[piece] + column->member, sizeof from);
    return from;
}

/* Takes out of a list what the pieces that are left out have added. */
static void drop(struct batch *batch, const struct column *column)
{
    char *list = column->list;
    size_t kept = begins(batch, column, 0);
    for (size_t i = 0; i < batch->groups.count; i++) {
        size_t from = begins(batch, column, i), count = begins(batch, column, i + 1) - from;
        if (batch->groups.pieces[i].left_out || !count)
            continue;
        memmove(list + kept * column->size, list + from * column->size, count * column->size);
        kept += count;
    }
    *column->count = kept;
}

/* One of its games that is not written. */
static const char *game_of(const struct batch *batch, size_t piece)
{
    for (size_t i = 0; i < batch->groups.touch_count; i++) {
        const struct batch_touch *touch = &batch->groups.touches[i];
        if (touch->piece == piece && touch->game->broken && touch->game->records.len)
            return touch->game->game.id;
    }
    return "";
}

/* Nobody is told, and the log of mails says that it waits. */
static int leave_out(struct batch *batch, size_t i, const struct batch_piece *next, struct err *err)
{
    const struct batch_piece *piece = &batch->groups.pieces[i];
    int rc = 0;
    for (size_t k = piece->mails; k < next->mails; k++) {
        if (spool_unstage(batch->spool, batch->mails.list[k], err))
            rc = -1;
        letters_free(batch->mails.list[k]);
    }
    for (size_t k = piece->logged; k < next->logged; k++)
        mail_log_left_out(&batch->news.logged[k], game_of(batch, i));
    return rc;
}

static int leave_all_out(struct batch *batch, struct err *err)
{
    struct batch_groups *groups = &batch->groups;
    struct batch_news *news = &batch->news;
    const struct batch_piece end = groups_here(batch);
    const struct column columns[] = {
        {batch->mails.list, &batch->mails.count, sizeof(struct outgoing *),
         offsetof(struct batch_piece, mails)},
        {news->seen, &news->seen_count, sizeof *news->seen, offsetof(struct batch_piece, seen)},
        {news->paths, &news->path_count, sizeof *news->paths, offsetof(struct batch_piece, paths)},
        {news->bounces, &news->bounce_count, sizeof *news->bounces, offsetof(struct batch_piece, bounces)},
        {news->leavers, &news->leaver_count, sizeof *news->leavers, offsetof(struct batch_piece, leavers)}};
    int rc = 0;
    for (size_t i = 0; i < groups->count; i++) {
        const struct batch_piece *next = i + 1 < groups->count ? &groups->pieces[i + 1] : &end;
        if (!groups->pieces[i].left_out)
            continue;
        if (leave_out(batch, i, next, err))
            rc = -1;
        batch->done.turns -= next->done.turns - groups->pieces[i].done.turns;
        batch->done.orders -= next->done.orders - groups->pieces[i].done.orders;
    }
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        drop(batch, &columns[i]);
    return rc;
}

static size_t count_left_out(const struct batch *batch)
{
    size_t count = 0;
    for (size_t i = 0; i < batch->games.count; i++)
        count += batch->games.list[i]->broken && batch->games.list[i]->records.len;
    return count;
}

/* Did one of them not rest yet? */
static bool let_rest(struct batch *batch, json_t *failed)
{
    size_t before = json_object_size(batch->groups.resting);
    batch->broken += json_object_size(failed);
    if (!batch->groups.resting)
        batch->groups.resting = json_object();
    json_object_update(batch->groups.resting, failed);
    return json_object_size(batch->groups.resting) > before;
}

/* Without pieces: is one among them that was to begin? Who makes a game is to hear of it. */
static bool lacks_new_one(const struct batch *batch, const json_t *failed)
{
    bool lacks = false;
    for (size_t i = 0; batch->groups.count <= 1 && i < batch->games.count; i++) {
        const struct batch_game *game = batch->games.list[i];
        lacks |= game->end.hint == 0 && json_object_get(failed, game->game.id);
    }
    return lacks;
}

static int leave_group_out(struct batch *batch, json_t *failed, const struct err *why, struct err *err)
{
    while (spread(batch)) {
    }
    if (batch->torn)
        return err_pass(err, why);
    bool all = concerns_all(batch) || lacks_new_one(batch, failed);
    bool others = batch->groups.count > 1 && count_left_out(batch) > json_object_size(failed);
    batch->groups.again = !all && let_rest(batch, failed) && others;
    if (all || batch->groups.again) {
        batch_unappend(batch);
        return err_pass(err, why);
    }
    batch->torn = leave_all_out(batch, err) != 0;
    return batch->torn ? -1 : 0;
}

int batch_append(struct batch *batch, struct err *err)
{
    struct err why = ERR_INIT;
    json_t *failed = json_object();
    int rc = append_each(batch, failed, &why) ? leave_group_out(batch, failed, &why, err) : 0;
    json_decref(failed);
    return rc;
}
