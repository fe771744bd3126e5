/* `turnpost player restore`: a file that is damaged or gone, as the registry's journal has it. */
#include "commands/player.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "commands/change.h"
#include "engine/registry_documents.h"
#include "trust/keyring.h"

/* What the journal has of one player. */
struct past_player {
    struct player player;
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count; /* 0: the file of keys stays as it is */
};

/* As it was written last; "" when the journal does not have it. */
static int take_document(const struct league *league, const char *path, struct str *text, struct err *err)
{
    json_t *document = NULL;
    int64_t time;
    if (registry_document(league->dir, path, league->key.point, &document, &time, err))
        return -1;
    if (json_is_string(document))
        str_adds(text, json_string_value(document));
    else if (document)
        json_write(text, document);
    json_decref(document);
    return 0;
}

static int take_player(const struct league *league, const char *name, struct player *player, struct err *err)
{
    struct str path = STR_INIT, text = STR_INIT;
    str_addf(&path, "players/%s.json", name);
    int rc = take_document(league, path.p, &text, err);
    if (rc == 0 && !text.len)
        rc = err_set(err, ERR_MISSING, "the registry's journal does not have %s; take it from a backup",
                     path.p);
    if (rc == 0)
        rc = player_read(slice_str(&text), name, path.p, player, err);
    str_release(&path);
    str_release(&text);
    return rc;
}

/* Only where their file is gone, too. */
static int take_keys(const struct league *league, const char *name, struct past_player *past, struct err *err)
{
    struct str path = STR_INIT, text = STR_INIT;
    str_addf(&path, "keys/%s.pub", name);
    char *file = league_path(league, path.p);
    int rc = file_exists(file) ? 0 : take_document(league, path.p, &text, err);
    if (rc == 0 && text.len)
        rc = keys_parse(slice_str(&text), path.p, past->keys, &past->count, err);
    free(file);
    str_release(&path);
    str_release(&text);
    return rc;
}

static int read_past(const char *dir, const char *name, struct past_player *past, struct err *err)
{
    struct league league;
    if (league_open(dir, false, &league, err))
        return -1;
    int rc = league_keys(&league, err);
    if (rc == 0)
        rc = take_player(&league, name, &past->player, err);
    if (rc == 0)
        rc = take_keys(&league, name, past, err);
    league_close(&league);
    return rc;
}

int player_restore(const struct player_call *call, char **args, struct err *err)
{
    struct past_player past = {.count = 0};
    struct err why = ERR_INIT;
    bool waits = false;
    if (player_name_check(args[0], err))
        return -1;
    if (player_load(call->dir, args[0], &past.player, &why) == 0)
        return err_set(err, ERR_INPUT, "players/%s.json is there and can be read; nothing was changed",
                       args[0]);
    if (read_past(call->dir, args[0], &past, err))
        return -1;
    struct registry_change change = {.what = "restore",
                                     .player = &past.player,
                                     .key_owner = past.count ? past.player.name : NULL,
                                     .keys = past.keys,
                                     .key_count = past.count};
    if (change_make(call->dir, call->now, &change, &waits, err))
        return -1;
    (void)printf(
        "%s <%s> is as the registry's journal has it%s. What was edited by hand since is not in it.\n",
        past.player.name, past.player.address, past.count ? ", the keys too" : "");
    change_say(waits);
    return 0;
}
