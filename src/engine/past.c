#include "engine/past.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A record's members are sorted and hold no blanks; quotation marks within texts are escaped. */
#define ROLLBACK "\"do\":\"rollback\""
#define RECORD   "\"record\":"

void past_release(struct past *past)
{
    for (size_t i = 0; i < past->count; i++)
        game_release(&past->list[i].game);
    free(past->list);
    free(past->wanted);
    memset(past, 0, sizeof *past);
}

static void want(struct past *past, int64_t seq)
{
    past->wanted = mem_grow(past->wanted, past->wanted_count, &past->wanted_cap, sizeof *past->wanted);
    past->wanted[past->wanted_count++] = seq;
}

bool past_want(struct past *past, struct slice lines)
{
    bool any = false;
    struct slice line;
    while (slice_find(lines, ROLLBACK) != (size_t)-1 && slice_line(&lines, &line)) {
        size_t at = slice_find(line, RECORD);
        if (slice_find(line, ROLLBACK) == (size_t)-1 || at == (size_t)-1)
            continue;
        char *number = slice_dup(slice_sub(line, at + strlen(RECORD), line.len));
        want(past, strtoll(number, NULL, 10));
        free(number);
        any = true;
    }
    return any;
}

static bool is_wanted(const struct past *past, int64_t seq)
{
    for (size_t i = 0; i < past->wanted_count; i++)
        if (past->wanted[i] == seq)
            return true;
    return false;
}

static bool opens(const struct past *past, const struct game *game)
{
    return past->turn && game->turn == past->turn &&
           (strcmp(game->last_type, "turn") == 0 || strcmp(game->last_type, "start") == 0);
}

int past_keep(struct past *past, const struct game *game, struct err *err)
{
    bool opened = opens(past, game);
    if ((!opened && !is_wanted(past, game->seq)) || past_find(past, game->seq))
        return 0;
    past->list = mem_grow(past->list, past->count, &past->cap, sizeof *past->list);
    struct past_game *kept = &past->list[past->count];
    if (game_copy(game, &kept->game, err))
        return -1;
    kept->seq = game->seq;
    past->count++;
    if (opened)
        past->opened = game->seq;
    return 0;
}

const struct game *past_find(const struct past *past, int64_t seq)
{
    for (size_t i = 0; past && i < past->count; i++)
        if (past->list[i].seq == seq)
            return &past->list[i].game;
    return NULL;
}
