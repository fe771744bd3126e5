#include "petitions/moving.h"

#include <stdio.h>
#include <string.h>

#include "batch/budget.h"
#include "batch/tell.h"
#include "petitions/keyless.h"
#include "petitions/registration.h"
#include "play/facts.h"

/* ---- a new address ---- */

static bool is_own(const struct player *player)
{
    return strcmp(player->move.by, player->name) == 0;
}

static json_t *facts_of(const struct player *player)
{
    const struct player_move *move = &player->move;
    json_t *facts =
        json_pack("{s:s,s:s,s:b,s:b,s:b,s:b,s:s}", "player", player->name, "address", move->address, "second",
                  move->second, "dropped", !*move->address, "own", is_own(player), "operator",
                  strcmp(move->by, OPERATOR) == 0, "moderator", move->by);
    if (move->time > move->asked)
        facts_time(facts, "when", move->time);
    return facts;
}

/* The mailbox says whether it is theirs. One that is another player's gets nothing, and the answer does not show that. */
static int ask_mailbox(struct batch *batch, const struct player *player, struct err *err)
{
    bool allowed = false;
    struct str reply_to = STR_INIT;
    const struct player *other = registry_by_address(&batch->registry, player->move.address);
    if (!*player->move.address || (other && strcmp(other->name, player->name) != 0))
        return 0;
    if (budget_address(batch, player->move.address, &allowed, err))
        return -1;
    if (!allowed)
        return 0;
    keyless_move(&reply_to, batch->league, player, batch->now);
    json_t *facts = facts_of(player);
    int rc = tell_address(batch, &(struct tell){.words = "move_ok", .facts = facts, .reply_to = reply_to.p},
                          player->move.address, "", err);
    json_decref(facts);
    str_release(&reply_to);
    return rc;
}

int moving_ask(struct batch *batch, struct player *player, const json_t *evidence,
               const struct message *answered, struct err *err)
{
    struct str reply_to = STR_INIT;
    player->move.asked = batch->now;
    player->move.agreed = !*player->move.address;
    struct registry_change change = {.what = "move-asked", .player = player, .evidence = evidence};
    if (batch_change(batch, &change, err))
        return -1;
    keyless_veto_move(&reply_to, batch->league, player, batch->now);
    json_t *facts = facts_of(player);
    int rc = tell_player(
        batch,
        &(struct tell){.words = "moving", .facts = facts, .answered = answered, .reply_to = reply_to.p},
        player->name, err);
    json_decref(facts);
    str_release(&reply_to);
    return rc ? rc : ask_mailbox(batch, player, err);
}

static bool move_is_due(const struct batch *batch, const struct player *player)
{
    const struct player_move *move = &player->move;
    return move->time && move->agreed && !player_unheard(&batch->outside, player->name) &&
           (move->time <= move->asked || elapsed_over(&batch->outside, move->asked, move->time, batch->now));
}

/* It is theirs now; another player may have come meanwhile. */
static int move(struct batch *batch, const struct player *known, const json_t *evidence,
                const struct message *answered, struct err *err)
{
    const struct player asked = *known;
    struct player player = asked;
    const struct player *other = registry_by_address(&batch->registry, asked.move.address);
    bool taken = *asked.move.address && other && strcmp(other->name, asked.name) != 0;
    char *at = asked.move.second ? player.address2 : player.address;
    player.move = (struct player_move){.time = 0};
    if (!taken) {
        (void)snprintf(at, PLAYER_ADDRESS, "%s", asked.move.address);
        if (!asked.move.second)
            player_void_asked(&player);
        return registration_move(batch, &player, asked.move.by, evidence, answered, err);
    }
    struct registry_change change = {.what = "veto", .player = &player, .evidence = evidence};
    json_t *facts = facts_of(&asked);
    json_object_set_new(facts, "taken", json_true());
    int rc = batch_change(batch, &change, err);
    if (rc == 0)
        rc = tell_player(batch, &(struct tell){.words = "stays", .facts = facts}, player.name, err);
    if (rc == 0 && !is_own(&asked))
        rc = tell_player(batch, &(struct tell){.words = "stays", .facts = facts}, asked.move.by, err);
    json_decref(facts);
    return rc;
}

int moving_agree(struct batch *batch, const char *name, const json_t *evidence,
                 const struct message *answered, struct err *err)
{
    struct player player = *registry_find(&batch->registry, name);
    player.move.agreed = true;
    if (move_is_due(batch, &player))
        return move(batch, &player, evidence, answered, err);
    struct registry_change change = {.what = "move-agreed", .player = &player, .evidence = evidence};
    if (batch_change(batch, &change, err))
        return -1;
    json_t *facts = facts_of(&player);
    int rc = tell_address(batch, &(struct tell){.words = "move_agreed", .facts = facts, .answered = answered},
                          player.move.address, "", err);
    json_decref(facts);
    return rc;
}

/* ---- leaving ---- */

static int note_game(void *arg, const struct catalog_game *game, struct err *err)
{
    (void)err;
    (void)snprintf(arg, GAME_NAME, "%s", game->id);
    return 0;
}

int moving_seated(struct batch *batch, const char *player, char game[GAME_NAME], struct err *err)
{
    game[0] = '\0';
    return catalog_each_game(batch->catalog, &(struct catalog_filter){player, true}, note_game, game, err);
}

int moving_erase(struct batch *batch, const char *name, const json_t *evidence,
                 const struct message *answered, struct err *err)
{
    const struct player gone = *registry_find(&batch->registry, name); /* the registry's goes with them */
    const struct registry_change change = {.what = "remove", .removed = gone.name, .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_t *facts = json_pack("{s:s}", "player", gone.name);
    if (rc == 0)
        rc = tell_address(batch, &(struct tell){.words = "erased", .facts = facts, .answered = answered},
                          gone.address, "", err);
    if (rc == 0 && *gone.address2)
        rc = tell_address(batch, &(struct tell){.words = "erased", .facts = facts}, gone.address2, "", err);
    json_decref(facts);
    return rc;
}

int moving_leave(struct batch *batch, const char *name, const json_t *evidence,
                 const struct message *answered, struct err *err)
{
    struct player player = *registry_find(&batch->registry, name);
    struct str reply_to = STR_INIT;
    player.leave_asked = batch->now;
    player.leaves = batch->now + LEAVE_WAIT;
    struct registry_change change = {.what = "leave-asked", .player = &player, .evidence = evidence};
    if (batch_change(batch, &change, err))
        return -1;
    keyless_veto_leave(&reply_to, batch->league, &player, batch->now);
    json_t *facts = json_pack("{s:s}", "player", player.name);
    facts_time(facts, "when", player.leaves);
    int rc = tell_player(
        batch,
        &(struct tell){.words = "leaves", .facts = facts, .answered = answered, .reply_to = reply_to.p},
        player.name, err);
    json_decref(facts);
    str_release(&reply_to);
    return rc;
}

/* ---- what stops it, and when it happens ---- */

int moving_stop(struct batch *batch, const struct rekey_stop *stop, bool leaves, struct err *err)
{
    struct player player = *registry_find(&batch->registry, stop->player);
    char by[PLAYER_NAME];
    json_t *facts = facts_of(&player);
    bool own = leaves || is_own(&player), theirs = strcmp(stop->by, stop->player) == 0;
    (void)snprintf(by, sizeof by, "%s", player.move.by);
    json_object_set_new(facts, "leaves", json_boolean(leaves));
    json_object_set_new(facts, "refused", json_boolean(!leaves));
    if (leaves)
        player.leaves = player.leave_asked = 0;
    else
        player.move = (struct player_move){.time = 0};
    struct registry_change change = {.what = "veto", .player = &player, .evidence = stop->evidence};
    int rc = batch_change(batch, &change, err);
    if (rc == 0)
        rc = tell_player(
            batch,
            &(struct tell){.words = "stays", .facts = facts, .answered = theirs ? stop->answered : NULL},
            player.name, err);
    if (rc == 0 && !theirs)
        rc = tell_player(batch, &(struct tell){.words = "stays", .facts = facts, .answered = stop->answered},
                         stop->by, err);
    if (rc == 0 && !own && strcmp(by, stop->by) != 0)
        rc = tell_player(batch, &(struct tell){.words = "stays", .facts = facts}, by, err);
    json_decref(facts);
    return rc;
}

bool moving_is_due(const struct batch *batch, const struct player *player)
{
    return move_is_due(batch, player) ||
           (player->leaves && !player_unheard(&batch->outside, player->name) &&
            elapsed_over(&batch->outside, player->leave_asked, player->leaves, batch->now));
}

/* A seat that they have taken meanwhile shows that they stay. */
static int leave(struct batch *batch, const struct player *player, const json_t *evidence, struct err *err)
{
    char game[GAME_NAME], name[PLAYER_NAME];
    (void)snprintf(name, sizeof name, "%s", player->name);
    if (moving_seated(batch, name, game, err))
        return -1;
    const struct rekey_stop stop = {name, name, evidence, NULL};
    return *game ? moving_stop(batch, &stop, true, err) : moving_erase(batch, name, evidence, NULL, err);
}

int moving_come(struct batch *batch, const struct player *player, struct err *err)
{
    bool moves = move_is_due(batch, player);
    json_t *evidence = json_pack("{s:s}", "by", moves ? player->move.by : player->name);
    int rc = moves ? move(batch, player, evidence, NULL, err) : leave(batch, player, evidence, err);
    json_decref(evidence);
    return rc;
}
