/* A game says that records of it are lost, before it goes on. */
#include "batch/log_mend.h"

#include "batch/batch_parts.h"
#include "game/entry.h"
#include "game/lockstep.h"
#include "league/league_log.h"

bool log_mend_waits(const struct batch *batch, const struct batch_game *entry)
{
    char name[GAME_NAME];
    game_log_name(name, &entry->game);
    return json_integer_value(json_object_get(batch->losses, name)) == entry->end.seq + 1;
}

/* Of a deal that is still withheld nothing may come before the key. */
int log_mend_say(struct batch *batch, struct batch_game *entry, struct err *err)
{
    struct step step;
    char name[GAME_NAME];
    int most;
    if (!log_mend_waits(batch, entry) || game_withheld(&entry->game))
        return 0;
    game_log_name(name, &entry->game);
    if (league_log_rollbacks(batch->tlog, name, &most, err))
        return -1;
    batch_step(batch, entry, &step);
    int rc = step_lost(&step, &entry->game, most + 1, err);
    return batch_end_step(batch, entry, &step, rc, err);
}
