#include "engine/budget.h"

#define ALL_STRANGERS "*"

static int take_verified(struct batch *batch, const char *address, bool *allowed, struct err *err)
{
    struct str name = STR_INIT;
    str_addf(&name, "signed %s", address);
    int rc = catalog_budget(batch->catalog, name.p, batch->now, batch->league->config.replies_per_day,
                            allowed, err);
    str_release(&name);
    return rc;
}

/* He may have two addresses. */
static int take_banned(struct batch *batch, const char *player, bool *allowed, struct err *err)
{
    struct str name = STR_INIT;
    str_addf(&name, "banned %s", player);
    int rc = catalog_budget(batch->catalog, name.p, batch->now, 1, allowed, err);
    str_release(&name);
    return rc;
}

int budget_take(struct batch *batch, const char *address, bool verified, bool *allowed, struct err *err)
{
    const struct config *config = &batch->league->config;
    const struct player *player = registry_by_address(&batch->registry, address);
    if (player && player->banned)
        return take_banned(batch, player->name, allowed, err);
    if (verified)
        return take_verified(batch, address, allowed, err);
    if (player)
        return catalog_budget(batch->catalog, address, batch->now, config->replies_per_day, allowed, err);
    if (catalog_budget(batch->catalog, address, batch->now, config->stranger_replies, allowed, err))
        return -1;
    return *allowed ? catalog_budget(batch->catalog, ALL_STRANGERS, batch->now, config->strangers_per_day,
                                     allowed, err)
                    : 0;
}
