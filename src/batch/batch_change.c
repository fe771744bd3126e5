/* A change of a player, with what hangs on it: bounces, games that waited. */
#include "batch/batch_parts.h"

#include "base/encode.h"
#include "batch/absent.h"
#include "batch/bounced.h"
#include "batch/mail_log.h"
#include "batch/season.h"

/* With the request that the change was asked for by. New reference, or NULL. */
static json_t *evidence_of(const struct batch *batch, const struct registry_change *change)
{
    char hex[65];
    json_t *given = (json_t *)(uintptr_t)change->evidence;
    if (!batch->cause.request)
        return json_incref(given);
    json_t *evidence = given ? json_copy(given) : json_object();
    hex_to(hex, batch->cause.request, 32);
    json_object_set_new(evidence, "request", json_string(hex));
    return evidence;
}

int batch_change(struct batch *batch, const struct registry_change *change, struct err *err)
{
    if (change->player) {
        batch_player_changes(batch, change->player);
        if (bounced_address(batch, change->player, err))
            return -1;
    }
    if (change->removed &&
        (mail_log_leaves(batch, change->removed, err) || season_leaves(batch, change->removed, err)))
        return -1;
    json_t *evidence = evidence_of(batch, change);
    struct registry_change marked = *change;
    marked.evidence = evidence;
    bool damaged = batch->registry.fault_count + batch->keyring.damaged_count > 0;
    int rc = registry_log_add(&batch->log, &batch->registry, &batch->keyring, &marked, batch->now, err);
    json_decref(evidence);
    if (rc)
        return -1;
    return damaged ? absent_changed(batch, err) : 0;
}
