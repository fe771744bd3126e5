/* What a moderator's records do to a game (engine/moderate.h). Deadlines are facts here; whether the action
 * was wise was settled when the record was made. */
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "engine/apply_parts.h"

/* A deadline of which nobody has been reminded. "" = it stays. */
static int take_deadline(struct applying *a, bool needed, struct err *err)
{
    struct game *game = a->game;
    const char *text = apply_text(a, "deadline");
    int64_t deadline;
    if (!*text)
        return needed ? apply_broken(a, err, "it names no deadline") : 0;
    if (!clock_parse(slice_of(text), &deadline) || deadline <= game->deadline)
        return apply_broken(a, err, "the deadline cannot move like that");
    game->deadline = deadline;
    game->dated = a->record->time;
    game->reminded = 0;
    return 0;
}

static int apply_pause(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (game->paused)
        return apply_broken(a, err, "the game is paused already");
    game->paused = true;
    game->paused_from = a->record->time;
    game->held = game->held && !game->hold_until; /* the valve's hold is over: a moderator has taken charge */
    game->hold_until = 0;
    return 0;
}

static int apply_resume(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (!game->paused && !game->held)
        return apply_broken(a, err, "the game is neither paused nor held");
    if (take_deadline(a, false, err))
        return -1;
    game->paused = game->held = false;
    game->paused_from = game->hold_until = 0;
    return 0;
}

static int apply_extend(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (take_deadline(a, true, err))
        return -1;
    game->held = game->held && !game->hold_until;
    game->hold_until = 0;
    return 0;
}

static int apply_hold(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (game->paused || (game->held && !game->hold_until))
        return apply_broken(a, err, "the game is paused or held already");
    game->held = true;
    game->hold_until = 0;
    return 0;
}

static int apply_resolve(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (game->paused)
        return apply_broken(a, err, "the game is paused");
    game->held = false;
    game->hold_until = 0;
    return 0;
}

static const struct {
    const char *word;
    int (*apply)(struct applying *a, struct err *err);
    bool begun, over; /* only of a game that has begun; also of one that is over */
} actions[] = {
    {"pause", apply_pause, false, false},    {"resume", apply_resume, false, false},
    {"extend", apply_extend, true, false},   {"hold", apply_hold, false, false},
    {"resolve", apply_resolve, true, false}, {NULL, NULL, false, false},
};

int apply_moderate(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    const char *word = apply_text(a, "do");
    int i = 0;
    while (actions[i].word && strcmp(actions[i].word, word) != 0)
        i++;
    if (!actions[i].word)
        return apply_broken(a, err, "this version does not know what it does");
    if (!*apply_text(a, "by") || !*apply_text(a, "reason"))
        return apply_broken(a, err, "it does not say who did it, or why");
    if ((game->over && !actions[i].over) || (game->turn == 0 && actions[i].begun))
        return apply_broken(a, err, "the game has not begun, or is over");
    if (actions[i].apply(a, err))
        return -1;
    memcpy(game->last_do, actions[i].word, strlen(actions[i].word) + 1);
    return 0;
}
