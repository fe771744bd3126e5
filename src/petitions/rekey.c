#include "petitions/rekey.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/log.h"
#include "petitions/keyless.h"
#include "petitions/moving.h"
#include "petitions/registration.h"
#include "batch/follow_keys.h"
#include "play/facts.h"
#include "batch/season.h"
#include "batch/tell.h"
#include "batch/pieces.h"

struct company {
    const char *player;
    json_t *names; /* a set */
};

static int add_company(void *arg, const struct catalog_game *row, struct err *err)
{
    (void)err;
    struct company *company = arg;
    for (int seat = 1; seat <= row->seats && seat <= SEATS_MAX; seat++)
        if (*row->player[seat] && strcmp(row->player[seat], company->player) != 0)
            json_object_set_new(company->names, row->player[seat], json_true());
    return 0;
}

int rekey_announce(struct batch *batch, const char *player, const char *words, json_t *facts,
                   const char *writer, const struct message *answered, struct err *err)
{
    bool own = strcmp(player, writer) == 0;
    struct company company = {player, json_object()};
    const char *name;
    json_t *value;
    json_object_set_new(facts, "you", json_true());
    const struct player *known = registry_find(&batch->registry, player);
    /* Whoever has lost a key may have their mailbox still, and the other way round. */
    bool may_stop = known && known->rekey.time && batch->league->config.league.trust == TRUST_MAIL;
    struct str reply_to = STR_INIT;
    if (may_stop)
        keyless_veto(&reply_to, batch->league, known, batch->now);
    json_object_set_new(facts, "may_stop", json_boolean(may_stop));
    json_object_set_new(facts, "may_sign", json_boolean(known && !known->by_mail));
    int rc = tell_player(
        batch,
        &(struct tell){
            .words = words, .facts = facts, .answered = own ? answered : NULL, .reply_to = reply_to.p},
        player, err);
    str_release(&reply_to);
    json_object_del(facts, "may_stop");
    json_object_del(facts, "you");
    if (rc == 0)
        rc = catalog_each_game(batch->catalog, &(struct catalog_filter){player, true}, add_company, &company,
                               err);
    json_object_foreach (company.names, name, value) {
        const struct player *who = registry_find(&batch->registry, name);
        if (rc == 0 && who && strcmp(name, writer) != 0)
            rc = tell_address(batch, &(struct tell){.words = words, .facts = facts}, who->address, who->name,
                              err);
    }
    json_decref(company.names);
    return rc;
}

int rekey_ask(struct batch *batch, const struct player *player, const json_t *evidence, struct err *err)
{
    const struct registry_change change = {.what = "rekey-asked", .player = player, .evidence = evidence};
    return batch_change(batch, &change, err) || follow_rekey(batch, player, err) ? -1 : 0;
}

int rekey_stop(struct batch *batch, const struct rekey_stop *stop, struct err *err)
{
    const struct player asked = *registry_find(&batch->registry, stop->player);
    struct player player = asked;
    char by[PLAYER_NAME], print[KEY_SHOWN];
    pubkey_show(print, &player.rekey.key);
    memcpy(by, player.rekey.by, sizeof by);
    player.rekey = (struct player_rekey){.time = 0};
    struct registry_change change = {.what = "veto", .player = &player, .evidence = stop->evidence};
    int rc = batch_change(batch, &change, err) || follow_veto(batch, &asked, stop->by, err) ? -1 : 0;
    json_t *facts = json_pack("{s:s,s:s,s:s,s:s,s:b}", "player", player.name, "key", print, "vetoed_by",
                              stop->by, "moderator", by, "own", strcmp(by, player.name) == 0);
    json_object_set_new(facts, "operator", json_boolean(strcmp(by, OPERATOR) == 0));
    if (rc == 0)
        rc = rekey_announce(batch, player.name, "veto", facts, stop->by, stop->answered, err);
    if (rc == 0 && strcmp(by, player.name) != 0 && strcmp(by, stop->by) != 0)
        rc = tell_player(batch, &(struct tell){.words = "veto", .facts = facts}, by, err);
    json_decref(facts);
    return rc;
}

/* A table of theirs has not heard of it for seven days: who sat down there meanwhile did so with an old key. All wait for that. */
static int put_off(struct batch *batch, const struct player *known, struct err *err)
{
    struct player player = *known;
    char print[KEY_SHOWN];
    pubkey_show(print, &player.rekey.key);
    player.rekey.asked = batch->now;
    player.rekey.time = batch->now + REKEY_WAIT;
    const struct registry_change change = {.what = "rekey-asked", .player = &player};
    int rc = batch_change(batch, &change, err);
    json_t *facts = json_pack("{s:s,s:s,s:s,s:b}", "player", player.name, "key", print, "moderator",
                              player.rekey.by, "put_off", 1);
    json_object_set_new(facts, "operator", json_boolean(strcmp(player.rekey.by, OPERATOR) == 0));
    facts_time(facts, "when", player.rekey.time);
    if (rc == 0)
        rc = rekey_announce(batch, player.name,
                            strcmp(player.rekey.by, player.name) == 0 ? "first_key" : "rekey", facts, "",
                            NULL, err);
    json_decref(facts);
    return rc;
}

/* The new key replaces all the old ones: a player who has lost a key does not know who has it. */
static int come_into_force(struct batch *batch, const struct player *asked, struct err *err)
{
    const struct player copy = *asked, *known = &copy; /* what the registry holds moves with it */
    struct player player = *known;
    char print[KEY_SHOWN];
    struct follow_came came = {false, STR_INIT};
    const char *owner = keyring_owner(&batch->keyring, &known->rekey.key);
    bool taken = owner && strcmp(owner, known->name) != 0;
    if (taken ? follow_veto(batch, known, known->rekey.by, err) : follow_rekeyed(batch, known, &came, err)) {
        str_release(&came.left_out);
        return -1;
    }
    if (came.later) {
        str_release(&came.left_out);
        return put_off(batch, known, err);
    }
    bool first = known->by_mail && !taken;
    player.rekey = (struct player_rekey){.time = 0};
    player.by_mail &= taken;
    if (first) /* their key signs that from now on */
        player_void_asked(&player);
    json_t *evidence = json_pack("{s:s}", "by", known->rekey.by);
    json_t *facts = json_pack("{s:s,s:s,s:b}", "player", player.name, "moderator", known->rekey.by, "own",
                              strcmp(player.name, known->rekey.by) == 0);
    json_object_set_new(facts, "operator", json_boolean(strcmp(known->rekey.by, OPERATOR) == 0));
    struct registry_change change = {.what = taken ? "rekey-void" : "rekey",
                                     .player = &player,
                                     .key_owner = taken ? NULL : player.name,
                                     .keys = &known->rekey.key,
                                     .key_count = taken ? 0 : 1,
                                     .evidence = evidence};
    pubkey_show(print, &known->rekey.key);
    json_object_set_new(facts, "key", json_string(print));
    json_object_set_new(facts, "taken", json_boolean(taken));
    if (came.left_out.len)
        json_object_set_new(facts, "left_out", json_text(slice_str(&came.left_out)));
    str_release(&came.left_out);
    const char *by = known->rekey.by;
    int rc = batch_change(batch, &change, err) || season_put_lacking(batch, player.name, facts, err) ? -1 : 0;
    if (rc == 0)
        rc = tell_player(batch, &(struct tell){.words = "rekeyed", .facts = facts}, player.name, err);
    if (rc == 0 && strcmp(by, player.name) != 0)
        rc = tell_player(batch, &(struct tell){.words = "rekeyed", .facts = facts}, by, err);
    json_decref(facts);
    json_decref(evidence);
    return rc;
}

/* A moderator says that their mailbox is lost. Until that is decided, nothing that was asked for from it happens: whoever has it
 * would have a key of their own, or have them erased, before the new mailbox is theirs. */
static bool is_lost(const struct batch *batch, const struct player *player)
{
    const struct player_move *move = &player->move;
    return move->time && strcmp(move->by, player->name) != 0 &&
           !elapsed_over(&batch->outside, move->asked, move->time, batch->now);
}

static bool key_is_due(const struct batch *batch, const struct player *player)
{
    const struct player_rekey *rekey = &player->rekey;
    bool own = strcmp(rekey->by, player->name) == 0;
    return rekey->time && !(own && is_lost(batch, player)) &&
           !player_unheard(&batch->outside, player->name) &&
           elapsed_over(&batch->outside, rekey->asked, rekey->time, batch->now);
}

/* An address, or that they leave; neither is due before the time of the first is over, where they are lost. */
static bool move_is_due(const struct batch *batch, const struct player *player)
{
    return !is_lost(batch, player) && moving_is_due(batch, player);
}

static bool is_due(const struct batch *batch, const struct player *player)
{
    return key_is_due(batch, player) || move_is_due(batch, player);
}

static size_t rekey_due(const struct batch *batch, char ***names)
{
    const struct registry *registry = &batch->registry;
    size_t count = 0, cap = 0;
    *names = NULL;
    for (size_t i = 0; i < registry->count; i++) {
        const struct player *player = &registry->players[i];
        if (!is_due(batch, player))
            continue;
        *names = mem_grow(*names, count, &cap, sizeof **names);
        (*names)[count++] = mem_strdup(player->name);
    }
    return count;
}

static int rekey_come(struct batch *batch, const char *name, struct err *err)
{
    const struct player *player = registry_find(&batch->registry, name);
    if (!player || !is_due(batch, player))
        return 0;
    return move_is_due(batch, player) ? moving_come(batch, player, err) : come_into_force(batch, player, err);
}

struct keywork {
    struct batch *batch;
    char **names;
};

/* Keys whose time has come, one player per piece. */
static int key_piece(void *arg, size_t i, struct err *err)
{
    struct keywork *work = arg;
    return rekey_come(work->batch, work->names[i], err);
}

static int key_fault(void *arg, size_t i, const struct err *why, struct err *err)
{
    (void)err;
    struct keywork *work = arg;
    work->batch->broken++;
    log_error("the lost key of %s could not be replaced: %s", work->names[i], why->text);
    return 0;
}

int rekey_clock(struct batch *batch, struct err *err)
{
    struct keywork work = {batch, NULL};
    size_t count = rekey_due(batch, &work.names);
    const struct pieces pieces = {key_piece, NULL, key_fault, &work};
    int rc = count ? pieces_work(batch, &pieces, count, err) : 0;
    for (size_t i = 0; i < count; i++)
        free(work.names[i]);
    free(work.names);
    return rc;
}
