#include "batch/absent.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "league/elapsed.h"
#include "league/registry_documents.h"

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

/* A veto could not be heard: the key that was asked for in their name waits for as long as was left. */
static int spare_rekey(struct batch *batch, const struct catalog_stuck *stuck, struct err *err)
{
    const struct player *known = registry_find(&batch->registry, stuck->player);
    if (!known || !known->rekey.time)
        return 0;
    int64_t left = known->rekey.time - stuck->first;
    left = batch->now + elapsed_left(&batch->outside, left < REKEY_WAIT ? left : REKEY_WAIT, REKEY_WAIT);
    if (left <= known->rekey.time)
        return 0;
    struct player player = *known;
    player.rekey.time = left;
    json_t *evidence = json_pack("{s:s}", "why", "the player's files could not be read meanwhile");
    struct registry_change change = {.what = "rekey-asked", .player = &player, .evidence = evidence};
    int rc = batch_change(batch, &change, err) || batch_commit(batch, err) ? -1 : 0;
    json_decref(evidence);
    return rc;
}

static int mended(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    struct batch *batch = arg;
    if (stuck->state != STUCK_PLAYER || player_absent(&batch->outside, stuck->player))
        return 0;
    return spare_rekey(batch, stuck, err) || catalog_drop_stuck(batch->catalog, stuck->digest, err) ||
                   catalog_wake(batch->catalog, stuck->player, err)
               ? -1
               : 0;
}

/* ---- their keys ---- */

/* keys/NAME.pub as the journal has it; what is not to be read there is nobody's. */
static int in_journal(const struct batch *batch, const char *player, const struct pubkey *key, bool *found,
                      struct err *err)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    struct err why = ERR_INIT;
    struct str path = STR_INIT;
    struct registry_found last;
    size_t count = 0;
    str_addf(&path, "keys/%s.pub", player);
    int rc = registry_document(batch->league->dir, path.p, batch->league->key.point, &last, err);
    if (rc == 0 && json_is_string(last.document) &&
        keys_parse(slice_of(json_string_value(last.document)), path.p, keys, &count, &why) == 0)
        for (size_t i = 0; i < count; i++)
            *found |= pubkey_compare_names(&keys[i], key) == 0;
    json_decref(last.document);
    str_release(&path);
    return rc;
}

/* In whichever form: one file may have the point as an SSH key, another as minisign's. */
static bool is_shared(const struct batch *batch, const struct pubkey *key)
{
    const struct keyring *ring = &batch->keyring;
    for (size_t i = 0; i < ring->count; i++)
        for (size_t k = 0; ring->entries[i].shared && pubkey_compare_names(&ring->entries[i].key, key) == 0 &&
                           k < ring->count;
             k++)
            if (memcmp(ring->entries[k].key.point, ring->entries[i].key.point, sizeof key->point) == 0 &&
                player_absent(&batch->outside, ring->entries[k].player))
                return true;
    return false;
}

int absent_key(const struct batch *batch, const struct pubkey *key, bool *found, struct err *err)
{
    const struct keyring *ring = &batch->keyring;
    const struct registry *registry = &batch->registry;
    int rc = 0;
    *found = is_shared(batch, key);
    for (size_t i = 0; rc == 0 && i < registry->fault_count && !*found; i++)
        if (*registry->faults[i].name)
            rc = in_journal(batch, registry->faults[i].name, key, found, err);
    for (size_t i = 0; rc == 0 && i < ring->damaged_count && !*found; i++)
        if (player_absent(&batch->outside, ring->damaged[i].player))
            rc = in_journal(batch, ring->damaged[i].player, key, found, err);
    return rc;
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
            catalog_each_game(catalog, &(struct catalog_filter){name, true}, in_game, &search, err))
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

/* What can be read again from the registry's journal may be; what a newer Turnpost has written may not. */
static int leave_out(struct batch *batch, const char *player, const char *why, enum err_code code,
                     struct err *err)
{
    struct str next = STR_INIT;
    if (code == ERR_NEWER)
        str_adds(&next, "The file stays as it is");
    else
        str_addf(&next, "%s: turnpost player restore %s",
                 code == ERR_IO        ? "See to it that the file can be read, or put it aside and run"
                 : code == ERR_MISSING ? "Put it back, or run"
                                       : "Mend the file, or run",
                 player);
    log_error("%s; %s is left out, their mails and turns wait, the others go on. %s", why, player, next.p);
    str_release(&next);
    batch->damaged++;
    return note(batch, player, why, err);
}

static int leave_out_keys(struct batch *batch, struct err *err)
{
    for (size_t i = 0; i < batch->keyring.damaged_count; i++) {
        const struct keyring_damage *damage = &batch->keyring.damaged[i];
        if (!registry_damaged(&batch->registry, damage->player) &&
            player_absent(&batch->outside, damage->player) &&
            leave_out(batch, damage->player, damage->why.text, damage->why.code, err))
            return -1;
    }
    return 0;
}

int absent_open(struct batch *batch, struct err *err)
{
    const struct registry *registry = &batch->registry;
    keyring_tell(&batch->keyring);
    for (size_t i = 0; i < registry->fault_count; i++) {
        const struct registry_fault *fault = &registry->faults[i];
        if (!*fault->name) {
            log_warn("%s", fault->why);
            continue;
        }
        if (leave_out(batch, fault->name, fault->why, fault->code, err))
            return -1;
    }
    if (leave_out_keys(batch, err))
        return -1;
    if (catalog_each_stuck(batch->catalog, mended, batch, err))
        return -1;
    return absent_each(batch->catalog, registry, warn, NULL, err);
}
