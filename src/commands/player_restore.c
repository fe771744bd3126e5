/* `turnpost player restore`: restores damaged or missing files from the registry's journal. Existing contents
 * are kept beside the journal (registry/NAME.json.before, then .before.2 and so on); files that a newer
 * Turnpost wrote, or that are unreadable, are left alone. */
#include "commands/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "batch/absent.h"
#include "league/address.h"
#include "league/registry_applied.h"
#include "league/registry_documents.h"
#include "trust/keyring.h"

/* What is wrong with the files, and what the journal has instead. */
struct past_player {
    bool file_lost, keys_lost;
    char file[PLAYER_NAME + 16], keys_file[PLAYER_NAME + 16]; /* players/NAME.json, keys/NAME.pub */
    struct player player;                                     /* as the journal has it, or as it is */
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count;
};

/* ---- what is lost ---- */

/* Must not be overwritten: its contents may be right. */
static int leave_alone(const struct err *why, struct err *err)
{
    if (why->code != ERR_IO)
        return err_pass(err, why);
    return err_set(err, ERR_IO, "%s; see to it that it can be read, or put it aside, and run this again",
                   why->text);
}

static int judge_file(const char *dir, const char *name, struct past_player *past, struct err *err)
{
    struct err why = ERR_INIT;
    past->file_lost = player_load(dir, name, &past->player, &why) != 0;
    return why.code == ERR_NEWER || why.code == ERR_IO ? leave_alone(&why, err) : 0;
}

/* A file that also holds another player's key is not as the league wrote it. */
static int judge_keys(const char *dir, const char *name, struct past_player *past, struct err *err)
{
    struct registry registry;
    struct keyring ring;
    if (registry_load(dir, &registry, err))
        return -1;
    int rc = absent_keys(dir, &registry, &ring, err);
    if (rc == 0) {
        char *keys = path_join(dir, "keys");
        if (past->file_lost || !past->player.by_mail)
            keyring_expect(&ring, keys, name); /* they may have no file */
        free(keys);
        const struct keyring_damage *damage = keyring_damaged(&ring, name);
        past->keys_lost = damage || keyring_shares(&ring, name);
        if (damage && damage->why.code == ERR_IO)
            rc = leave_alone(&damage->why, err);
        keyring_release(&ring);
    }
    registry_release(&registry);
    return rc;
}

/* ---- what the journal has ---- */

/* As it was written last; "" when the journal does not have it. */
static int take_document(const struct league *league, const char *path, struct str *text, struct err *err)
{
    struct registry_found found;
    if (registry_document(league->dir, path, &found, err))
        return -1;
    if (json_is_string(found.document))
        str_adds(text, json_string_value(found.document));
    else if (found.document)
        json_write(text, found.document);
    json_decref(found.document);
    return 0;
}

static int take_player(const struct league *league, const char *name, struct past_player *past,
                       struct err *err)
{
    struct str text = STR_INIT;
    int rc = take_document(league, past->file, &text, err);
    if (rc == 0 && !text.len)
        rc = err_set(err, ERR_MISSING, "the registry's journal does not have %s; take it from a backup",
                     past->file);
    if (rc == 0)
        rc = player_read(slice_str(&text), name, past->file, &past->player, err);
    str_release(&text);
    return rc;
}

/* A player is restored even without keys, when the journal has none. */
static int take_keys(const struct player_call *call, const char *name, struct past_player *past,
                     struct err *err)
{
    const struct league *league = call->deed->batch->league;
    struct str text = STR_INIT;
    int rc = take_document(league, past->keys_file, &text, err);
    if (rc == 0 && text.len)
        rc = keys_parse(slice_str(&text), past->keys_file, past->keys, &past->count, err);
    if (rc == 0 && !past->count && !past->file_lost)
        rc =
            err_set(err, ERR_MISSING,
                    "the registry's journal does not have %s; take it from a backup, or run: turnpost player "
                    "key %s KEYFILE",
                    past->keys_file, name);
    else if (rc == 0 && !past->count)
        deed_warn(call->deed,
                  "the registry's journal does not have %s; take it from a backup, or run: turnpost player "
                  "key %s KEYFILE",
                  past->keys_file, name);
    str_release(&text);
    return rc;
}

static int read_past(const struct player_call *call, const char *name, struct past_player *past,
                     struct err *err)
{
    if (past->file_lost && take_player(call->deed->batch->league, name, past, err))
        return -1;
    past->keys_lost &= !past->player.by_mail;
    return past->keys_lost ? take_keys(call, name, past, err) : 0;
}

/* ---- what was there ---- */

/* The address may have been changed by hand since, and then mail must not go to the old one. */
static int compare_addresses(const struct player_call *call, const struct past_player *past, struct err *err)
{
    struct registry registry;
    const char *own[] = {past->player.address, past->player.address2};
    if (registry_load(call->dir, &registry, err))
        return -1;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const struct player *other = *own[i] ? registry_by_address(&registry, own[i]) : NULL;
        if (other && strcmp(other->name, past->player.name) != 0)
            deed_warn(call->deed, "%s has the same address", other->name);
    }
    const struct registry_fault *fault = registry_damaged(&registry, past->player.name);
    if (fault && fault->bytes.len && !address_stands(slice_str(&fault->bytes), own[0]))
        deed_warn(call->deed,
                  "the file did not hold the address %s; if it was changed by hand since: turnpost player "
                  "address %s ADDRESS",
                  own[0], past->player.name);
    registry_release(&registry);
    return 0;
}

static int keep(const struct player_call *call, const struct past_player *past, struct err *err)
{
    const char *dir = call->dir;
    if (past->file_lost &&
        (compare_addresses(call, past, err) || registry_applied_keep(dir, past->file, NULL, err)))
        return -1;
    return past->count ? registry_applied_keep(dir, past->keys_file, NULL, err) : 0;
}

static int write_past(const struct player_call *call, const struct past_player *past, struct err *err)
{
    struct registry_change change = {.what = "restore",
                                     .player = past->file_lost ? &past->player : NULL,
                                     .key_owner = past->count ? past->player.name : NULL,
                                     .keys = past->keys,
                                     .key_count = past->count};
    if (player_change(call, &change, NULL, err))
        return -1;
    if (past->file_lost)
        deed_say(call->deed, "%s <%s>%s as the registry's journal has %s.", past->player.name,
                 past->player.address, past->count ? " and their keys are" : " is",
                 past->count ? "them" : "it");
    else
        deed_say(call->deed, "the keys of %s are as the registry's journal has them.", past->player.name);
    deed_say(call->deed, " What was edited by hand since is not in it.\n");
    return 0;
}

/* The other file is the wrong one, as far as the journal knows. */
static int refuse_shared(const struct player_call *call, const struct past_player *past, struct err *err)
{
    if (player_refuse_shared(call, past->player.name, past->keys, past->count, err) == 0)
        return 0;
    struct err why = *err;
    if (why.code != ERR_INPUT)
        return -1;
    err_clear(err);
    return err_set(err, ERR_INPUT,
                   "%s; if it is in their file by mistake, take it out there, or run turnpost player "
                   "restore with their name",
                   why.text);
}

int player_restore(const struct player_call *call, char **args, struct err *err)
{
    const char *name = args[0];
    struct past_player past = {.count = 0};
    if (player_name_check(name, err))
        return -1;
    (void)snprintf(past.file, sizeof past.file, "players/%s.json", name);
    (void)snprintf(past.keys_file, sizeof past.keys_file, "keys/%s.pub", name);
    if (judge_file(call->dir, name, &past, err) || judge_keys(call->dir, name, &past, err))
        return -1;
    if (!past.file_lost && !past.keys_lost)
        return err_set(err, ERR_INPUT, "%s is there and can be read, and so is %s; nothing was changed",
                       past.file, past.keys_file);
    if (read_past(call, name, &past, err) || (past.count && refuse_shared(call, &past, err)) ||
        keep(call, &past, err))
        return -1;
    return write_past(call, &past, err);
}
