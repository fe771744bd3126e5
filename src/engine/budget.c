#include "engine/budget.h"

#include <string.h>

#include "base/encode.h"

#define ALL_STRANGERS "*"
#define ALL_DOMAINS   "* vouched"
#define DOMAINS       10 /* times what one domain may have */

/* Addresses hold no blanks, so none of these names is one. */
static int take(struct batch *batch, const char *what, const char *who, int limit, bool *allowed,
                struct err *err)
{
    struct str name = STR_INIT;
    str_addf(&name, "%s %s", what, who);
    int rc = catalog_budget(batch->catalog, name.p, batch->now, limit, allowed, err);
    str_release(&name);
    return rc;
}

/* Once a day a text may pass for new: whoever sends what a player has signed pays with repeats. */
static int look_at_text(struct batch *batch, struct budget_claim *claim, struct err *err)
{
    char hex[2 * sizeof claim->text + 1];
    bool fresh = false;
    if (claim->proof != PROOF_TEXT || claim->fresh)
        return 0;
    hex_to(hex, claim->text, sizeof claim->text);
    if (take(batch, "text", hex, 1, &fresh, err))
        return -1;
    claim->fresh = fresh;
    if (!fresh)
        claim->proof = PROOF_KEY;
    return 0;
}

static int take_vouched(struct batch *batch, const char *address, bool *allowed, struct err *err)
{
    const struct config *config = &batch->league->config;
    const char *at = strrchr(address, '@');
    if (take(batch, "vouched", address, config->stranger_replies, allowed, err))
        return -1;
    if (*allowed && take(batch, "domain", at ? at + 1 : "", config->strangers_per_day, allowed, err))
        return -1;
    return *allowed ? catalog_budget(batch->catalog, ALL_DOMAINS, batch->now,
                                     DOMAINS * config->strangers_per_day, allowed, err)
                    : 0;
}

static int take_stranger(struct batch *batch, const char *address, bool *allowed, struct err *err)
{
    const struct config *config = &batch->league->config;
    if (catalog_budget(batch->catalog, address, batch->now, config->stranger_replies, allowed, err))
        return -1;
    return *allowed ? catalog_budget(batch->catalog, ALL_STRANGERS, batch->now, config->strangers_per_day,
                                     allowed, err)
                    : 0;
}

int budget_take(struct batch *batch, const char *address, struct budget_claim *claim, bool *allowed,
                struct err *err)
{
    const struct config *config = &batch->league->config;
    const struct player *player = registry_by_address(&batch->registry, address);
    if (player && player->banned) /* they may have two addresses */
        return take(batch, "banned", player->name, 1, allowed, err);
    if (look_at_text(batch, claim, err))
        return -1;
    switch (claim->proof) {
    case PROOF_TEXT: return take(batch, "signed", claim->player, config->replies_per_day, allowed, err);
    case PROOF_KEY:
        return take(batch, "again", claim->player,
                    config->replies_per_day < BUDGET_FEW ? config->replies_per_day : BUDGET_FEW, allowed,
                    err);
    case PROOF_INVITE: return take(batch, "invited", claim->invite, BUDGET_FEW, allowed, err);
    case PROOF_SERVER:
        return player ? take(batch, "vouched", address, config->replies_per_day, allowed, err)
                      : take_vouched(batch, address, allowed, err);
    case PROOF_NONE: break;
    }
    return player ? catalog_budget(batch->catalog, address, batch->now, config->replies_per_day, allowed, err)
                  : take_stranger(batch, address, allowed, err);
}

int budget_move(struct batch *batch, const char *player, bool *allowed, struct err *err)
{
    return take(batch, "moves", player, BUDGET_FEW, allowed, err);
}

int budget_address(struct batch *batch, const char *address, bool *allowed, struct err *err)
{
    return take(batch, "asked", address, BUDGET_FEW, allowed, err);
}
