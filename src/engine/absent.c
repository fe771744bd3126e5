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

static int note(struct batch *batch, const struct registry_fault *fault, struct err *err)
{
    struct catalog_stuck stuck;
    unsigned char digest[32];
    bool found = false;
    digest_of(digest, fault->name);
    if (catalog_get_stuck(batch->catalog, digest, &stuck, &found, err))
        return -1;
    if (found)
        return 0;
    stuck = (struct catalog_stuck){.state = STUCK_PLAYER, .first = batch->now};
    memcpy(stuck.digest, digest, sizeof digest);
    (void)snprintf(stuck.player, sizeof stuck.player, "%s", fault->name);
    (void)snprintf(stuck.words, sizeof stuck.words, "%.200s", fault->why);
    return catalog_put_stuck(batch->catalog, &stuck, err) || catalog_wake(batch->catalog, fault->name, err)
               ? -1
               : 0;
}

static int mended(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    struct batch *batch = arg;
    if (stuck->state != STUCK_PLAYER || registry_damaged(&batch->registry, stuck->player))
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

int absent_open(struct batch *batch, struct err *err)
{
    const struct registry *registry = &batch->registry;
    for (size_t i = 0; i < registry->fault_count; i++) {
        const struct registry_fault *fault = &registry->faults[i];
        if (!*fault->name) {
            log_warn("%s", fault->why);
            continue;
        }
        log_error("%s; %s is left out, their mails and turns wait, the others go on. Mend the file, or run: "
                  "turnpost player restore %s",
                  fault->why, fault->name, fault->name);
        batch->damaged++;
        if (note(batch, fault, err))
            return -1;
    }
    if (catalog_each_stuck(batch->catalog, mended, batch, err))
        return -1;
    return absent_each(batch->catalog, registry, warn, NULL, err);
}
