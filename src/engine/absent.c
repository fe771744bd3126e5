#include "engine/absent.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

#define LABEL "turnpost/v1/absent"

/* ---- damaged ones, as the catalog knows them ---- */

static void digest_of(unsigned char digest[32], const char *player)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, 32);
    crypto_generichash_update(&state, (const unsigned char *)LABEL, sizeof LABEL);
    crypto_generichash_update(&state, (const unsigned char *)player, strlen(player));
    crypto_generichash_final(&state, digest, 32);
}

static int note(struct batch *batch, const char *player, const char *why, struct err *err)
{
    struct catalog_stuck stuck;
    unsigned char digest[32];
    bool found = false;
    digest_of(digest, player);
    if (catalog_get_stuck(batch->catalog, digest, &stuck, &found, err))
        return -1;
    if (found)
        return 0;
    stuck = (struct catalog_stuck){.state = STUCK_PLAYER, .first = batch->now};
    memcpy(stuck.digest, digest, sizeof digest);
    (void)snprintf(stuck.player, sizeof stuck.player, "%s", player);
    (void)snprintf(stuck.words, sizeof stuck.words, "%.200s", why);
    return catalog_put_stuck(batch->catalog, &stuck, err) || catalog_wake(batch->catalog, player, err) ? -1
                                                                                                       : 0;
}

static int mended(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    struct batch *batch = arg;
    if (stuck->state != STUCK_PLAYER || player_absent(&batch->outside, stuck->player))
        return 0;
    return catalog_drop_stuck(batch->catalog, stuck->digest, err) ||
                   catalog_wake(batch->catalog, stuck->player, err)
               ? -1
               : 0;
}

/* ---- missing ones ---- */

struct search {
    const char *player;
    void (*each)(void *arg, const char *player, const char *game);
    void *arg;
    bool found;
};

static int in_game(void *arg, const struct catalog_game *game, struct err *err)
{
    (void)err;
    struct search *search = arg;
    if (!search->found)
        search->each(search->arg, search->player, game->id);
    search->found = true;
    return 0;
}

int absent_each(struct catalog *catalog, const struct registry *registry,
                void (*each)(void *arg, const char *player, const char *game), void *arg, struct err *err)
{
    char name[CATALOG_NAME] = "";
    for (;;) {
        bool found = false;
        if (catalog_next_player(catalog, name, &found, err))
            return -1;
        if (!found)
            return 0;
        struct search search = {name, each, arg, false};
        if (strcmp(name, CATALOG_FREE) != 0 && !registry_find(registry, name) &&
            !registry_damaged(registry, name) &&
            catalog_each_game(catalog, name, true, in_game, &search, err))
            return -1;
    }
}

static void warn(void *arg, const char *player, const char *game)
{
    (void)arg;
    log_warn("%s has a seat in game %s, which is running, and there is no players/%s.json: no report reaches "
             "them; run: "
             "turnpost player restore %s",
             player, game, player, player);
}

static int leave_out(struct batch *batch, const char *player, const char *why, const char *next,
                     struct err *err)
{
    log_error("%s; %s is left out, their mails and turns wait, the others go on. %s", why, player, next);
    batch->damaged++;
    return note(batch, player, why, err);
}

/* What can be read again from the registry's journal may be; what a newer Turnpost has written may not. */
static int leave_out_file(struct batch *batch, const struct registry_fault *fault, struct err *err)
{
    struct str next = STR_INIT;
    if (fault->code == ERR_IO)
        str_addf(&next, "See to it that it can be read, or put it aside and run: turnpost player restore %s",
                 fault->name);
    else if (fault->code == ERR_NEWER)
        str_adds(&next, "The file stays as it is");
    else
        str_addf(&next, "Mend the file, or run: turnpost player restore %s", fault->name);
    int rc = leave_out(batch, fault->name, fault->why, next.p, err);
    str_release(&next);
    return rc;
}

/* The faults of keys were told when they were read; whose game that concerns was not. */
static int leave_out_keys(struct batch *batch, struct err *err)
{
    for (size_t i = 0; i < batch->keyring.damaged_count; i++) {
        const struct keyring_damage *damage = &batch->keyring.damaged[i];
        struct str next = STR_INIT;
        if (registry_damaged(&batch->registry, damage->player) ||
            !player_absent(&batch->outside, damage->player))
            continue;
        str_addf(&next, "Mend the file, or run: turnpost player restore %s", damage->player);
        int rc = leave_out(batch, damage->player, damage->why, next.p, err);
        str_release(&next);
        if (rc)
            return -1;
    }
    return 0;
}

int absent_open(struct batch *batch, struct err *err)
{
    const struct registry *registry = &batch->registry;
    for (size_t i = 0; i < registry->fault_count; i++) {
        const struct registry_fault *fault = &registry->faults[i];
        if (!*fault->name) {
            log_warn("%s", fault->why);
            continue;
        }
        if (leave_out_file(batch, fault, err))
            return -1;
    }
    if (leave_out_keys(batch, err))
        return -1;
    if (catalog_each_stuck(batch->catalog, mended, batch, err))
        return -1;
    return absent_each(batch->catalog, registry, warn, NULL, err);
}
