#include "game/past.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A record's members are sorted and without spaces between them; quotation marks within texts are escaped. */
#define ROLLBACK "\"do\":\"rollback\""
#define RECORD   "\"record\":"
#define SEQ      "\"seq\":"

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

/* The number after a name in a line; 0: none. */
static int64_t number_of(struct slice line, const char *name)
{
    size_t at = slice_find(line, name);
    char *text = slice_dup(slice_sub(line, at == (size_t)-1 ? line.len : at + strlen(name), line.len));
    int64_t number = strtoll(text, NULL, 10);
    free(text);
    return number;
}

bool past_want(struct past *past, struct slice lines)
{
    bool any = false;
    struct slice line;
    while (slice_find_line(&lines, ROLLBACK, &line)) {
        int64_t record = number_of(line, RECORD);
        if (record)
            want(past, record);
        any |= record != 0;
    }
    return any;
}

/* The game as it is now consists of what came after the last rollback, before that of what led to the record
 * that it went back to, and so on. */
bool past_undone(struct slice journal, int64_t seq)
{
    struct past back = {0};
    struct slice line;
    int64_t last = INT64_MAX;
    bool found = false;
    while (slice_find_line(&journal, ROLLBACK, &line)) {
        want(&back, number_of(line, SEQ));
        want(&back, number_of(line, RECORD));
    }
    for (size_t i = back.wanted_count; i > 0 && !found; i -= 2) {
        int64_t at = back.wanted[i - 2];
        if (at > last)
            continue;
        found = seq >= at;
        if (!found)
            last = back.wanted[i - 1];
    }
    past_release(&back);
    return seq > last;
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
           (strcmp(game->journal.last_type, "turn") == 0 || strcmp(game->journal.last_type, "start") == 0);
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
