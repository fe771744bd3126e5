#include "batch/budget.h"

#include <string.h>

#include "base/encode.h"
#include "batch/stopped.h"

#define ALL_STRANGERS "*"
#define ALL_DOMAINS   "* vouched"
#define DOMAINS       10 /* all domains together, as a multiple of one domain's share */

/* Counters of one budget per day. Addresses hold no spaces, so none of these names is one. */
struct share {
    const char *what, *who;
    int limit;
};

static int take(struct batch *batch, const struct share *share, bool *allowed, struct err *err)
{
    struct str name = STR_INIT;
    str_addf(&name, "%s %s", share->what, share->who);
    int rc = catalog_budget(batch->catalog, &(struct catalog_reply){name.p, batch->now, share->limit},
                            allowed, err);
    str_release(&name);
    return rc;
}

/* A text counts as new once a day: anybody who resends what a player has signed is charged for repeats. */
static int look_at_text(struct batch *batch, struct budget_claim *claim, struct err *err)
{
    char hex[2 * sizeof claim->text + 1];
    bool fresh = false;
    if (claim->proof != PROOF_TEXT || claim->fresh)
        return 0;
    hex_to(hex, claim->text, sizeof claim->text);
    if (take(batch, &(struct share){"text", hex, 1}, &fresh, err))
        return -1;
    claim->fresh = fresh;
    if (!fresh)
        claim->proof = PROOF_KEY;
    return 0;
}

/* name+tag@example.org is the mailbox of name@example.org with most servers. */
static void mailbox(char out[PLAYER_ADDRESS], const char *address)
{
    const char *at = strrchr(address, '@');
    size_t name = strcspn(address, "+@");
    (void)snprintf(out, PLAYER_ADDRESS, "%.*s%s", (int)name, address, at ? at : "");
}

static int take_stranger(struct batch *batch, const char *address, bool *allowed, struct err *err)
{
    const struct config *config = &batch->league->config;
    char box[PLAYER_ADDRESS];
    mailbox(box, address);
    if (catalog_budget(batch->catalog,
                       &(struct catalog_reply){box, batch->now, config->limits.stranger_replies}, allowed,
                       err))
        return -1;
    return *allowed ? catalog_budget(batch->catalog,
                                     &(struct catalog_reply){ALL_STRANGERS, batch->now,
                                                             config->limits.strangers_per_day},
                                     allowed, err)
                    : 0;
}

/* Charged to the domain that was vouched for, however many names there are below it. When all domains have
 * used theirs, being vouched for is no worse than not. */
static int take_vouched(struct batch *batch, const char *address, const char *domain, bool *allowed,
                        struct err *err)
{
    const struct config *config = &batch->league->config;
    bool left = true;
    char box[PLAYER_ADDRESS];
    mailbox(box, address);
    if (take(batch, &(struct share){"vouched", box, config->limits.stranger_replies}, allowed, err))
        return -1;
    if (*allowed &&
        take(batch, &(struct share){"domain", domain, config->limits.strangers_per_day}, allowed, err))
        return -1;
    if (*allowed && catalog_budget(batch->catalog,
                                   &(struct catalog_reply){ALL_DOMAINS, batch->now,
                                                           DOMAINS * config->limits.strangers_per_day},
                                   &left, err))
        return -1;
    return *allowed && !left ? take_stranger(batch, address, allowed, err) : 0;
}

/* A forger may have invitations answered to many people, but not often to one of them. */
static int take_invited(struct batch *batch, const char *address, const char *invite, bool *allowed,
                        struct err *err)
{
    char box[PLAYER_ADDRESS];
    mailbox(box, address);
    if (take(batch, &(struct share){"invited", invite, BUDGET_FEW}, allowed, err))
        return -1;
    return *allowed ? take(batch, &(struct share){"invited to", box, BUDGET_FEW}, allowed, err) : 0;
}

int budget_take(struct batch *batch, const char *address, struct budget_claim *claim, bool *allowed,
                struct err *err)
{
    const struct config *config = &batch->league->config;
    const struct player *player = registry_by_address(&batch->registry, address);
    if (player && player->banned) /* they may have two addresses */
        return take(batch, &(struct share){"banned", player->name, 1}, allowed, err);
    bool stopped = false;
    if (!player && !claim->asked && stopped_is(batch, address, &stopped, err))
        return -1;
    *allowed = false;
    if (stopped)
        return 0;
    if (look_at_text(batch, claim, err))
        return -1;
    switch (claim->proof) {
    case PROOF_TEXT:
        return take(batch, &(struct share){"signed", claim->player, config->limits.replies_per_day}, allowed,
                    err);
    case PROOF_KEY:
        return take(batch,
                    &(struct share){"again", claim->player,
                                    config->limits.replies_per_day < BUDGET_FEW
                                        ? config->limits.replies_per_day
                                        : BUDGET_FEW},
                    allowed, err);
    case PROOF_INVITE: return take_invited(batch, address, claim->invite, allowed, err);
    case PROOF_SERVER:
        return player ? take(batch, &(struct share){"vouched", address, config->limits.replies_per_day},
                             allowed, err)
                      : take_vouched(batch, address, claim->domain, allowed, err);
    case PROOF_NONE: break;
    }
    return player
               ? catalog_budget(batch->catalog,
                                &(struct catalog_reply){address, batch->now, config->limits.replies_per_day},
                                allowed, err)
               : take_stranger(batch, address, allowed, err);
}

int budget_move(struct batch *batch, const char *player, bool *allowed, struct err *err)
{
    return take(batch, &(struct share){"moves", player, BUDGET_FEW}, allowed, err);
}

int budget_address(struct batch *batch, const char *address, bool *allowed, struct err *err)
{
    return take(batch, &(struct share){"asked", address, BUDGET_FEW}, allowed, err);
}

int budget_join(struct batch *batch, const char *address, bool *allowed, struct err *err)
{
    char box[PLAYER_ADDRESS];
    mailbox(box, address);
    return take(batch, &(struct share){"join", box, 1}, allowed, err);
}

int budget_stop(struct batch *batch, const char *domain, bool *allowed, struct err *err)
{
    return take(batch, &(struct share){"stop", domain, *domain ? BUDGET_FEW : 10 * BUDGET_FEW}, allowed, err);
}
