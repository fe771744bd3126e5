/* A change of a player, with what hangs on it: bounces, games that waited. */
#include "batch/batch_parts.h"

#include "batch/absent.h"
#include "batch/bounced.h"
#include "batch/mail_log.h"

int batch_change(struct batch *batch, const struct registry_change *change, struct err *err)
{
    if (change->player) {
        batch_player_changes(batch, change->player);
        if (bounced_address(batch, change->player, err))
            return -1;
    }
    if (change->removed)
        mail_log_leaves(batch, change->removed);
    bool damaged = batch->registry.fault_count + batch->keyring.damaged_count > 0;
    if (registry_log_add(&batch->log, &batch->registry, &batch->keyring, change, batch->now, err))
        return -1;
    return damaged ? absent_changed(batch, err) : 0;
}
