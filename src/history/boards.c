#include "history/boards.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "game/apply.h"
#include "history/explain_parts.h"

struct showing {
    struct casefile *file;
    struct game game;
    struct past past;
    struct explain_plays plays;
    bool *wanted; /* by seq */
    int64_t last; /* the last one that is */
    const struct boards_seen *seen;
};

static bool want(struct showing *showing, int64_t turn, struct err *err)
{
    const struct explain_point at = {false, turn};
    int64_t seq = explain_plays_find(&showing->plays, showing->file->id, &at, err);
    if (!seq)
        return false;
    showing->wanted[seq] = true;
    showing->last = seq > showing->last ? seq : showing->last;
    return true;
}

static int want_turns(struct showing *showing, int turn, struct err *err)
{
    if (explain_plays_read(&showing->plays, showing->file, err))
        return -1;
    showing->wanted = mem_array(showing->plays.count + 1, sizeof *showing->wanted);
    if (turn != BOARDS_ALL)
        return want(showing, turn == BOARDS_LAST ? EXPLAIN_LAST : turn, err) ? 0 : -1;
    if (!want(showing, EXPLAIN_LAST, err))
        return -1;
    for (int played = 0; played < showing->plays.list[showing->last - 1].turn; played++)
        if (!want(showing, played, err))
            return -1;
    return 0;
}

static int step(struct showing *showing, const struct record *record, struct err *err)
{
    struct game *game = &showing->game;
    struct err why = ERR_INIT;
    struct apply_input input = {record,         (int64_t)showing->file->at, &showing->file->sealed, NULL,
                                &showing->past, showing->file->known};
    if (casefile_lacks(showing->file, record))
        return err_set(err, ERR_INPUT, "%s: what was played is still sealed, so there is no board of it yet",
                       game->id);
    if (game_apply(game, &input, &why) || past_keep(&showing->past, game, &why))
        return err_set(err, why.code, "%s: %s", showing->file->id, why.text);
    if (!showing->wanted[record->seq])
        return 0;
    const struct board board = board_of(game);
    return showing->seen->show(showing->seen->arg, &board, showing->plays.list[record->seq - 1].turn, err);
}

static int walk(struct showing *showing, struct err *err)
{
    struct record record;
    int rc = 0;
    while (rc == 0 && showing->last && casefile_next(showing->file, &record, NULL, err) > 0) {
        rc = step(showing, &record, err);
        if (record.seq == showing->last)
            showing->last = 0;
        record_release(&record);
    }
    return rc || err->code ? -1 : 0;
}

int boards_show(struct casefile *file, int turn, const struct boards_seen *seen, struct err *err)
{
    struct showing showing = {.file = file, .seen = seen};
    game_init(&showing.game);
    memcpy(showing.game.id, file->id, sizeof showing.game.id);
    (void)past_want(&showing.past, slice_str(&file->lines));
    int rc = want_turns(&showing, turn, err);
    if (rc == 0)
        rc = walk(&showing, err);
    casefile_rewind(file);
    explain_plays_release(&showing.plays);
    past_release(&showing.past);
    game_release(&showing.game);
    free(showing.wanted);
    return rc;
}
