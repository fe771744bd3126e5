#include "game/lockstep.h"

#include "base/clock.h"
#include "base/json.h"
#include "game/game.h"
#include "game/record_kinds.h"

#define HOUR ((int64_t)3600)

int64_t lockstep_opens(const struct lockstep *lockstep, int turn)
{
    int64_t opens = lockstep->opens + (turn - 1) * lockstep_length(lockstep);
    return opens < lockstep->closes ? opens : lockstep->closes;
}

int64_t lockstep_length(const struct lockstep *lockstep)
{
    return lockstep->hours * HOUR;
}

json_t *lockstep_json(const struct lockstep *lockstep)
{
    return json_pack("{s:o,s:i,s:o}", "opens", json_time(lockstep->opens), "hours", lockstep->hours, "closes",
                     json_time(lockstep->closes));
}

int lockstep_read(const json_t *json, struct lockstep *lockstep, struct err *err)
{
    const char *opens, *closes;
    int64_t hours;
    if (json_object_size(json) != 3)
        return err_set(err, ERR_BROKEN, "\"lockstep\" has not three members");
    if (json_need_string(json, "opens", &opens, "lockstep", err) ||
        json_need_int(json, "hours", 1, LOCKSTEP_HOURS_MOST, &hours, "lockstep", err) ||
        json_need_string(json, "closes", &closes, "lockstep", err))
        return -1;
    *lockstep = (struct lockstep){.on = true, .hours = (int)hours};
    if (!clock_parse(slice_of(opens), &lockstep->opens) ||
        !clock_parse(slice_of(closes), &lockstep->closes) || lockstep->closes <= lockstep->opens)
        return err_set(err, ERR_BROKEN, "\"lockstep\" has no times that fit together");
    return 0;
}

int lockstep_fits(const struct lockstep *lockstep, const struct ruleset *ruleset, struct err *err)
{
    if (!ruleset->draws_nothing)
        return err_set(err, ERR_INPUT,
                       "%s draws dice or cards after the deal, so it cannot be played in lockstep",
                       ruleset->title);
    if (lockstep->hours < 1 || lockstep->hours > LOCKSTEP_HOURS_MOST || lockstep->closes <= lockstep->opens)
        return err_set(err, ERR_INPUT, "lockstep takes turns of 1 to %d hours, and closes after it opens",
                       LOCKSTEP_HOURS_MOST);
    return 0;
}

bool game_withheld(const struct game *game)
{
    return game->clock.lockstep.on && !game->clock.lockstep.shown;
}

bool game_shown_to(const struct game *game, int seat)
{
    bool open = game->turn == 0 && !game->over;
    return seat || open || !game_withheld(game);
}

/* The record that opens a turn names when it is closed, unless the game is over. */
static bool other_deadline(const struct game *game, const struct record *record)
{
    const char *text = json_string_value(json_object_get(record->json, "deadline"));
    int64_t deadline;
    return text && (!clock_parse(slice_of(text), &deadline) ||
                    deadline != lockstep_opens(&game->clock.lockstep, game->turn + 2));
}

const char *lockstep_fault(const struct game *game, const struct record *record,
                           const struct record_kind *kind)
{
    const struct lockstep *lockstep = &game->clock.lockstep;
    enum record_id id = record_id_of(kind);
    bool plays = id == RECORD_START || id == RECORD_TURN;
    int64_t least = game->turn ? lockstep_opens(lockstep, game->turn + 1) : lockstep->opens;
    if (!lockstep->on)
        return NULL;
    if (kind->bends)
        return "in a game in lockstep nothing moves its turns, changes its table or lets others watch";
    if (id == RECORD_APPEAL && !lockstep->shown)
        return "an appeal shows the game to moderators while others may still play the deal";
    if ((plays || id == RECORD_CLOSE) && record->time < least)
        return game->turn ? "the turn is played before the next one opens for all"
                          : "the deal comes before turn 1 opens";
    if (plays && json_object_get(record->json, "away"))
        return "in a game in lockstep nobody's vacation moves a turn";
    if (plays && other_deadline(game, record))
        return "its deadline is not when the next turn opens for all";
    if (id == RECORD_OPEN && record->time < lockstep->closes)
        return "the seals are opened while others may still play the deal";
    return NULL;
}

bool game_deal_due(const struct game *game, int64_t now)
{
    return game->clock.lockstep.on && now >= game->clock.lockstep.opens && game_ready(game);
}

bool game_deal_waits(const struct game *game, int64_t now)
{
    return game->clock.lockstep.on && now < game->clock.lockstep.opens && game_ready(game);
}
