/* What came before a step: the game's files, and what the batch adds to them. */

#include "audit/gate.h"
#include "batch/batch.h"
#include "game/game_load.h"

static int read_journal(void *arg, struct str *lines, struct err *err)
{
    const struct batch_game *entry = arg;
    return store_read_with(entry->store, entry->game.id, slice_str(&entry->records), lines, err);
}

static int replay(void *arg, int64_t seq, struct game *then, struct err *err)
{
    const struct batch_game *entry = arg;
    return game_load_until(entry->store, entry->game.id, seq, then, err);
}

struct step_before batch_before(struct batch_game *entry)
{
    return (struct step_before){entry, read_journal, replay};
}

struct step_gate batch_gate(struct batch *batch)
{
    if (!batch->judge.before) {
        batch->gate = gate_open();
        batch->judge = gate_of(batch->gate);
    }
    return batch->judge;
}

void batch_step(struct batch *batch, struct batch_game *entry, struct step *step)
{
    struct step_keys keys = batch_keys(batch);
    step_init(step, &keys, batch->now);
    step->before = batch_before(entry);
    step->gate = batch_gate(batch);
    step->patient = batch->cause.failed_before;
}

int batch_end_step(struct batch *batch, struct batch_game *entry, struct step *step, int rc, struct err *err)
{
    if (rc == 0)
        rc = step_finish(step, &entry->game, err);
    if (rc == 0)
        rc = batch_take(batch, entry, step, NULL, err);
    step_release(step);
    return rc;
}
