/* Another key or address in place of those that a player has lost. Whoever has talked the operator into it could be a thief: so it is asked for
 * as a moderator does it (#turnpost rekey), the player is told everywhere, and has seven days to say no. At once only where no running
 * game depends on it: what plays in a game is not the operator's to decide, nor to decide unseen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "batch/season.h"
#include "batch/tell.h"
#include "commands/moderate.h"
#include "commands/player.h"
#include "petitions/registration.h"
#include "trust/keyring.h"

static int need_reason(const struct player_call *call, const char *name, struct err *err)
{
    if (call->at_once || call->reason)
        return 0;
    return err_set(
        err, ERR_INPUT,
        "say why (--reason TEXT): %s is told at all addresses, and it counts after seven days, unless "
        "they say no; or decide it (--at-once)",
        name);
}

/* "#turnpost rekey", with one line that says what is new. */
static int ask(const struct player_call *call, const char *name, const char *line, struct err *err)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost rekey\nplayer: %s\n%s\n", name, line);
    moderate_line(&text, "reason: ", call->reason);
    str_adds(&text, "#end\n");
    int rc = moderate_hear(call->deed->batch, slice_str(&text), err);
    const size_t mails = call->deed->batch->mails.count;
    str_release(&text);
    if (rc == 0)
        deed_say(call->deed,
                 "Asked for; %zu mail%s to be sent. It counts in seven days, unless %s says no.\n", mails,
                 PLURAL(mails), name);
    return rc;
}

static json_t *facts_of(const struct player_call *call, const char *name)
{
    json_t *facts = json_pack("{s:s,s:b}", "player", name, "operator", 1);
    if (call->reason)
        json_object_set_new(facts, "why", json_text(slice_of(call->reason)));
    return facts;
}

/* ---- keys ---- */

static int tell_keys(const struct player_call *call, const char *name, const struct own_keys *keys,
                     struct err *err)
{
    struct batch *batch = call->deed->batch;
    json_t *facts = facts_of(call, name);
    json_object_set_new(facts, "keys", registration_keys(batch->league, keys->list, keys->count));
    int rc = season_put_lacking(batch, name, facts, err) ||
                     tell_player(batch, &(struct tell){.words = "key_change", .facts = facts}, name, err)
                 ? -1
                 : 0;
    json_decref(facts);
    return rc;
}

static int refuse_running(void *arg, const struct catalog_game *game, struct err *err)
{
    return err_set(
        err, ERR_INPUT,
        "%s plays in game %s, and there nothing counts at once: the table reads of it, and has seven days "
        "to say no. Say why (--reason TEXT)",
        (const char *)arg, game->id);
}

/* Who plays for a seat is no secret between the operator and one player. */
static int refuse_seated(void *arg, struct catalog *catalog, struct err *err)
{
    return catalog_each_game(catalog, &(struct catalog_filter){arg, true}, refuse_running, arg, err);
}

static int keys_at_once(const struct player_call *call, const struct player *known,
                        const struct own_keys *keys, struct err *err)
{
    struct player player = *known;
    bool waits = player.rekey.time != 0, first = player.by_mail;
    struct registry_change change = {
        .what = "key", .key_owner = player.name, .keys = keys->list, .key_count = keys->count};
    player.rekey = (struct player_rekey){.time = 0}; /* another one that was asked for is void */
    if (first) {                                     /* and what they asked for by mail */
        player.by_mail = false;
        player_void_asked(&player);
    }
    if (first || waits)
        change.player = &player;
    const struct player_check check = {refuse_seated, player.name};
    if (player_change(call, &change, &check, err) != 0 || tell_keys(call, player.name, keys, err) != 0)
        return -1;
    deed_say(call->deed, "Replaced the keys of %s:\n", player.name);
    player_say_keys(call->deed, keys->list, keys->count);
    return 0;
}

int player_replace_keys(const struct player_call *call, char **args, struct err *err)
{
    struct player player;
    struct pubkey old[KEYS_PER_PLAYER];
    struct own_keys keys = {.count = 0};
    if (player_load(call->dir, args[0], &player, err) != 0 ||
        player_read_keys(call, args[0], &keys, err) != 0)
        return -1;
    bool anybody = player.by_mail || keyring_of(&call->deed->batch->keyring, player.name, old);
    if (call->at_once || !anybody) /* nobody could say no */
        return keys_at_once(call, &player, &keys, err);
    if (keys.count > 1)
        return err_set(err, ERR_INPUT, "%zu keys can be given only --at-once: one key is asked for",
                       keys.count);
    if (need_reason(call, player.name, err) != 0)
        return -1;
    struct str line = STR_INIT;
    str_adds(&line, "key: ");
    pubkey_format(&line, &keys.list[0]);
    int rc = ask(call, player.name, line.p, err);
    str_release(&line);
    return rc;
}

/* ---- addresses ---- */

static int tell_addresses(const struct player_call *call, const struct player *old,
                          const struct player *player, struct err *err)
{
    struct batch *batch = call->deed->batch;
    json_t *facts = facts_of(call, player->name);
    int rc = registration_tell_addresses(batch, old, player, facts, NULL, err);
    json_decref(facts);
    return rc;
}

static int address_at_once(const struct player_call *call, const struct player *known, char **args,
                           struct err *err)
{
    struct player player = *known;
    struct registry_change change = {.what = "address", .player = &player};
    player_void_asked(&player);
    bool none = args[2] && strcasecmp(args[2], "no") == 0;
    if (none)
        player.address2[0] = '\0';
    const struct player_check check = {refuse_seated, player.name};
    if (player_take_address(call, &player, player.address, args[1], err) != 0 ||
        (args[2] && !none && player_take_address(call, &player, player.address2, args[2], err) != 0) ||
        player_change(call, &change, player.by_mail ? &check : NULL, err) != 0 ||
        tell_addresses(call, known, &player, err) != 0)
        return -1;
    deed_say(call->deed, "%s has the address %s now%s%s.\n", player.name, player.address,
             *player.address2 ? ", and for the second one " : "", player.address2);
    return 0;
}

int player_replace_address(const struct player_call *call, char **args, struct err *err)
{
    struct player player;
    char address[PLAYER_ADDRESS];
    if (player_load(call->dir, args[0], &player, err) != 0)
        return -1;
    if (call->at_once)
        return address_at_once(call, &player, args, err);
    if (player_take_address(call, &player, address, args[1], err) != 0)
        return -1;
    if (args[2])
        return err_set(err, ERR_INPUT, "the second address is replaced only --at-once");
    if (!player.by_mail || call->deed->batch->league->config.league.trust != TRUST_MAIL)
        return err_set(
            err, ERR_INPUT,
            "%s has a key, which counts from any mailbox: they sign \"#turnpost prefs\" with the line "
            "\"address:\"; or decide it (--at-once)",
            player.name);
    if (need_reason(call, player.name, err) != 0)
        return -1;
    struct str line = STR_INIT;
    str_addf(&line, "address: %s", address);
    int rc = ask(call, player.name, line.p, err);
    str_release(&line);
    return rc;
}
