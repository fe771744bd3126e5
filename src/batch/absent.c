#include "batch/absent.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "batch/batch_parts.h"
#include "batch/stuck.h"
#include "league/elapsed.h"
#include "league/registry_documents.h"

#define LABEL "turnpost/absent"

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
    if (found && !stuck.next)
        return 0;
    int64_t first = found ? stuck.first : batch->now;
    stuck = (struct catalog_stuck){.state = STUCK_PLAYER, .first = first};
    memcpy(stuck.digest, digest, sizeof digest);
    (void)snprintf(stuck.player, sizeof stuck.player, "%s", player);
    (void)snprintf(stuck.words, sizeof stuck.words, "%.200s", why);
    return catalog_put_stuck(batch->catalog, &stuck, err) || catalog_wake(batch->catalog, player, err) ? -1
                                                                                                       : 0;
}

/* A no could not be heard, so what was asked for in their name (a key, an address, their leaving) waits for as long as was
 * left of it. */
int absent_spare_asked(struct batch *batch, const struct catalog_stuck *stuck, struct err *err)
{
    const struct player *known = registry_find(&batch->registry, stuck->player);
    struct player player;
    if (!known)
        return 0;
    player = *known;
    const struct {
        const char *what;
        int64_t since, *until;
    } asked[] = {
        {"rekey-asked", player.rekey.asked, &player.rekey.time},
        {"move-asked", player.move.asked, &player.move.time},
        {"leave-asked", player.leave_asked, &player.leaves},
    };
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        int64_t wait = *asked[i].until - asked[i].since;
        if (!*asked[i].until || wait <= 0)
            continue;
        int64_t end = elapsed_end(&batch->outside, asked[i].since, *asked[i].until);
        int64_t left = end - stuck->first;
        int64_t until = batch->now + elapsed_left(&batch->outside, left < wait ? left : wait, wait);
        if (until <= end)
            continue;
        while (end < until) { /* so that it ends then together with what outages add */
            *asked[i].until += until - end;
            end = elapsed_end(&batch->outside, asked[i].since, *asked[i].until);
        }
        json_t *evidence = json_pack("{s:s}", "why", "the player could not be heard meanwhile");
        struct registry_change change = {.what = asked[i].what, .player = &player, .evidence = evidence};
        int rc = batch_change(batch, &change, err);
        json_decref(evidence);
        if (rc)
            return -1;
    }
    return 0;
}

/* Their games are looked at in the next round; this is remembered until done. */
static int end_absence(struct batch *batch, struct catalog_stuck *stuck, struct err *err)
{
    stuck->next = batch->now;
    return absent_spare_asked(batch, stuck, err) || catalog_put_stuck(batch->catalog, stuck, err) ? -1 : 0;
}

static int mended(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    struct batch *batch = arg;
    struct catalog_stuck back = *stuck;
    if (stuck->state != STUCK_PLAYER || stuck->next || player_absent(&batch->outside, stuck->player))
        return 0;
    return end_absence(batch, &back, err) || batch_commit(batch, err) ||
                   catalog_wake(batch->catalog, stuck->player, err)
               ? -1
               : 0;
}

static int ended(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    struct batch *batch = arg;
    struct catalog_stuck back = *stuck;
    if (stuck->state != STUCK_PLAYER || stuck->next || player_absent(&batch->outside, stuck->player))
        return 0;
    batch_player_wakes(batch, stuck->player);
    return end_absence(batch, &back, err);
}

int absent_changed(struct batch *batch, struct err *err)
{
    return catalog_each_stuck(batch->catalog, ended, batch, err) || stuck_read(batch, err) ? -1 : 0;
}

static int looked_at(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    struct batch *batch = arg;
    struct catalog_stuck given = *stuck;
    if (stuck->state == STUCK_GIVEN && stuck->next) { /* it is kept until somebody puts the mail back */
        given.next = 0;
        return catalog_put_stuck(batch->catalog, &given, err);
    }
    if (stuck->state != STUCK_PLAYER || !stuck->next || player_absent(&batch->outside, stuck->player))
        return 0;
    return catalog_drop_stuck(batch->catalog, stuck->digest, err);
}

int absent_round_done(struct batch *batch, struct err *err)
{
    return batch->outside.returned_count ? catalog_each_stuck(batch->catalog, looked_at, batch, err) : 0;
}

/* ---- their keys ---- */

/* Is it in keys/NAME.pub as the journal has it? What cannot be read there belongs to nobody. */
static bool in_journal(const json_t *past_keys, const char *player, const struct pubkey *key)
{
    const char *text = json_string_value(json_object_get(past_keys, player));
    struct pubkey keys[KEYS_PER_PLAYER];
    struct err why = ERR_INIT;
    size_t count = 0;
    bool found = false;
    if (!text || keys_parse(slice_of(text), player, keys, &count, &why))
        return false;
    for (size_t i = 0; i < count; i++)
        found |= pubkey_compare_names(&keys[i], key) == 0;
    return found;
}

/* In any form: one file may have the point as an SSH key, another as minisign's. */
static bool is_shared(const struct batch *batch, const struct pubkey *key)
{
    const struct keyring *ring = &batch->keyring;
    for (size_t i = 0; i < ring->count; i++)
        for (size_t k = 0; ring->entries[i].shared && pubkey_compare_names(&ring->entries[i].key, key) == 0 &&
                           k < ring->count;
             k++)
            if (pubkey_compare_points(&ring->entries[k].key, &ring->entries[i].key) == 0 &&
                player_absent(&batch->outside, ring->entries[k].player))
                return true;
    return false;
}

/* Absent players are recognised by the keys that they had: being mistaken for one of them only keeps a mail
 * waiting.
 */
static int read_past_keys(struct batch *batch, struct err *err)
{
    if (batch->unheard.past_keys || !(batch->registry.fault_count + batch->keyring.damaged_count))
        return 0;
    return registry_document_keys(batch->league->dir, &batch->unheard.past_keys, err);
}

int absent_key(struct batch *batch, const struct pubkey *key, bool *found, struct err *err)
{
    const struct keyring *ring = &batch->keyring;
    const struct registry *registry = &batch->registry;
    if (read_past_keys(batch, err))
        return -1;
    *found = is_shared(batch, key);
    for (size_t i = 0; i < registry->fault_count && !*found; i++)
        *found =
            *registry->faults[i].name && in_journal(batch->unheard.past_keys, registry->faults[i].name, key);
    for (size_t i = 0; i < ring->damaged_count && !*found; i++)
        *found = player_absent(&batch->outside, ring->damaged[i].player) &&
                 in_journal(batch->unheard.past_keys, ring->damaged[i].player, key);
    return 0;
}

/* ---- when the league is opened ---- */

static void warn(void *arg, const char *player, const char *game)
{
    (void)arg;
    log_warn(
        "%s was taken out and has a seat in game %s, which is running: no report reaches them, and "
        "nobody waits for their orders; somebody else can have the seat: turnpost moderate %s replace %s "
        "by NAME",
        player, game, game, player);
}

/* What can be read again from the registry's journal may be restored; what a newer Turnpost has written may
 * not. */
static void tell_left_out(const char *player, const char *why, enum err_code code)
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
}

/* `mended` is the player whose damage is repaired by the command that opens the league, or NULL. */
static int leave_out(struct batch *batch, const char *mended, const char *player, const struct err *why,
                     struct err *err)
{
    if (!mended || strcmp(mended, player) != 0)
        tell_left_out(player, why->text, why->code);
    batch->unheard.damaged++;
    return note(batch, player, why->text, err);
}

static int leave_out_keys(struct batch *batch, struct err *err)
{
    for (size_t i = 0; i < batch->keyring.damaged_count; i++) {
        const struct keyring_damage *damage = &batch->keyring.damaged[i];
        if (!registry_damaged(&batch->registry, damage->player) &&
            player_absent(&batch->outside, damage->player) &&
            leave_out(batch, batch->league->mends_keys, damage->player, &damage->why, err))
            return -1;
    }
    return 0;
}

int absent_read(struct batch *batch, struct err *err)
{
    if (absent_expect(batch->league->dir, batch->catalog, &batch->registry, err))
        return -1;
    /* An address that cannot be read in their file any more stands in the registry's journal: being mistaken for one of them
     * only keeps a mail waiting. */
    for (size_t i = 0; i < batch->registry.fault_count; i++) {
        struct registry_fault *fault = &batch->registry.faults[i];
        struct registry_found found = {.document = NULL};
        struct err why = ERR_INIT; /* then it is not known */
        struct str path = STR_INIT;
        str_addf(&path, "players/%s.json", fault->name);
        if (*fault->name && registry_document(batch->league->dir, path.p, &found, &why))
            log_debug("%s", why.text);
        if (found.document) {
            str_addc(&fault->bytes, '\n');
            json_write(&fault->bytes, found.document);
        }
        json_decref(found.document);
        str_release(&path);
    }
    return 0;
}

int absent_open(struct batch *batch, struct err *err)
{
    const struct registry *registry = &batch->registry;
    if (absent_read(batch, err))
        return -1;
    keyring_tell(&batch->keyring, batch->league->mends_keys);
    for (size_t i = 0; i < registry->fault_count; i++) {
        const struct registry_fault *fault = &registry->faults[i];
        if (!*fault->name) {
            log_warn("%s; take it away", fault->why);
            continue;
        }
        struct err why = {.code = fault->code};
        (void)snprintf(why.text, sizeof why.text, "%s", fault->why);
        if (leave_out(batch, batch->league->mends_file, fault->name, &why, err))
            return -1;
    }
    if (leave_out_keys(batch, err))
        return -1;
    if (catalog_each_stuck(batch->catalog, mended, batch, err))
        return -1;
    return absent_each(batch->catalog, registry, warn, NULL, err);
}
