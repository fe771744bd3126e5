/* Moderators and one player in all games: ban, unban. The registry's journal says so (players/<name>.json,
 * "banned"), and each game in which they have a seat gets a record of its own: their seats are handled as if
 * they had resigned. The records of games are committed before the registry's, so after a crash in between
 * the mail is obeyed again and the rest is finished. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "game/seat_keys.h"
#include "play/facts.h"
#include "petitions/moderate.h"
#include "play/step_parts.h"
#include "batch/tell.h"

/* ---- the player's games ---- */

struct names {
    char (*name)[GAME_NAME];
    size_t count, cap;
};

static void add_name(struct names *names, const char *id)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->name[i], id) == 0)
            return;
    names->name = mem_grow(names->name, names->count, &names->cap, sizeof *names->name);
    (void)snprintf(names->name[names->count++], GAME_NAME, "%s", id);
}

/* Those in which the player has a seat, and those that have not begun: they may be on a waiting list. */
static int add_row(void *arg, const struct catalog_game *row, struct err *err)
{
    (void)err;
    if (row->turn == 0)
        add_name(arg, row->id);
    return 0;
}

static int add_own(void *arg, const struct catalog_game *row, struct err *err)
{
    (void)err;
    add_name(arg, row->id);
    return 0;
}

static int games_of(const struct batch *batch, const char *player, struct names *names, struct err *err)
{
    if (catalog_each_game(batch->catalog, &(struct catalog_filter){player, true}, add_own, names, err) ||
        catalog_each_game(batch->catalog, &(struct catalog_filter){NULL, true}, add_row, names, err))
        return -1;
    for (size_t i = 0; i < batch->games.count; i++) /* they may have got a seat in this very batch */
        if (game_seat_of(&batch->games.list[i]->game, player) && !batch->games.list[i]->game.over)
            add_name(names, batch->games.list[i]->game.id);
    return 0;
}

/* ---- out of one game ---- */

/* Before the start: their seat, or their place on the waiting list. */
static int out_of_open(struct ruling *ruling, const char *player, struct err *err)
{
    struct game *game = ruling->game;
    int seat = game_seat_of(game, player);
    if (ruling_record(ruling, step_leave_fields(ruling->step, game, player), err))
        return -1;
    if (seat && *game->seat[seat].player) {
        json_t *facts = facts_game(game, seat);
        json_object_set_new(facts, "moved_up", json_true());
        json_object_set_new(facts, "drawn", json_true());
        step_tell(ruling->step, game, POST_TOLD, "joined", seat, "", facts);
    }
    return step_begin(ruling->step, game, err);
}

static int out_of_seat(struct ruling *ruling, const char *player, int seat, struct err *err)
{
    if (ruling_record(ruling, json_pack("{s:i,s:s}", "seat", seat, "robot", player), err))
        return -1;
    ruling_announce(ruling, json_pack("{s:i,s:s}", "about_seat", seat, "about_player", player));
    return ruling_go_on(ruling, err);
}

static int out_of_game(const struct ruling *ruling, const char *player, const char *id, struct err *err)
{
    struct ruling here = *ruling;
    struct batch *batch = ruling->batch;
    struct batch_game *entry;
    struct step step;
    struct err why = ERR_INIT;
    if (batch_game(batch, id, &entry, &why)) {
        log_error("%s; %s, who is banned, may still have a seat there", why.text, player);
        return 0;
    }
    here.game = &entry->game;
    here.step = &step;
    here.aside = true;
    int seat = game_seat_of(here.game, player);
    int rc = 0;
    if (here.game->over)
        return 0; /* of a deal that others still play: nobody else is to see that it is over, but it is */
    if (here.game->turn == 0 && here.game->closed) {
        if (seat)
            log_warn("game %s: its deal waits for its witnesses; %s, who is banned, has a seat there: ban "
                     "them once more when it has begun",
                     id, player);
        return 0;
    }
    batch_step(batch, entry, &step);
    if (seat && here.game->turn > 0)
        rc = out_of_seat(&here, player, seat, err);
    else if (here.game->turn == 0 && (seat || game_waits(here.game, player)))
        rc = out_of_open(&here, player, err);
    return batch_end_step(batch, entry, &step, rc, err);
}

static int out_of_all(const struct ruling *ruling, const char *player, struct err *err)
{
    struct names names = {NULL, 0, 0};
    int rc = games_of(ruling->batch, player, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        rc = out_of_game(ruling, player, names.name[i], err);
    free(names.name);
    return rc;
}

/* The moderator who has signed it may have a seat in one of these games, whose journal holds the text as well: then it is signed by a
 * key of that seat. */
static int judge_key(const struct ruling *ruling, const char *player, struct err *err)
{
    const struct pubkey *key = ruling->hearing->key;
    struct names names = {NULL, 0, 0};
    int rc = key ? games_of(ruling->batch, player, &names, err) : 0;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct batch_game *entry;
        struct err why = ERR_INIT;
        if (batch_game(ruling->batch, names.name[i], &entry, &why))
            continue; /* it is said when it comes to that */
        const struct game *game = &entry->game;
        const int own = game_seat_of(game, ruling->by);
        if (own && (game_seat_of(game, player) || game_waits(game, player)) &&
            !seat_has_key(&game->seat[own], key))
            (void)hearing_refuse(ruling->hearing, "key_elsewhere game=%s", game->id);
    }
    free(names.name);
    return rc;
}

/* ---- the actions ---- */

static const struct player *read_player(struct ruling *ruling)
{
    struct slice rest = ruling->words;
    struct slice word;
    if (!slice_word(&rest, &word) || slice_trim(rest).len || word.len >= PLAYER_NAME) {
        (void)hearing_refuse(ruling->hearing, "do_takes_player do=%s", ruling->action->word);
        return NULL;
    }
    char *name = slice_dup(word);
    const struct player *player = registry_find(&ruling->batch->registry, name);
    free(name);
    if (!player)
        (void)hearing_refuse(ruling->hearing, "no_such_player");
    return player;
}

/* Tells the player, the moderators, and the one who did it. */
static int tell_all(struct ruling *ruling, const char *player, struct err *err)
{
    struct slice rest = slice_of(ruling->batch->league->config.league.moderators);
    struct slice word;
    json_t *facts = json_pack("{s:s,s:s,s:b,s:o,s:b}", "player", player, "by", ruling->by, "by_operator",
                              strcmp(ruling->by, OPERATOR) == 0, "reason", json_text(ruling->reason),
                              ruling->action->word, 1);
    json_object_set_new(facts, "is_you", json_true());
    int rc = tell_player(ruling->batch, &(struct tell){.words = "banned", .facts = facts}, player, err);
    json_object_set_new(facts, "is_you", json_false());
    while (rc == 0 && slice_word(&rest, &word)) {
        char *name = slice_dup(word);
        if (strcmp(name, ruling->by) != 0 && strcmp(name, player) != 0)
            rc = tell_player(ruling->batch, &(struct tell){.words = "banned", .facts = facts}, name, err);
        free(name);
    }
    ruling->hearing->answer = "banned";
    ruling->hearing->facts = facts;
    return rc;
}

static int change(struct ruling *ruling, const struct player *player, struct err *err)
{
    json_t *evidence = hearing_evidence(ruling->hearing);
    json_object_set_new(evidence, "reason", json_text(ruling->reason));
    struct registry_change what = {.what = ruling->action->word, .player = player, .evidence = evidence};
    int rc = batch_change(ruling->batch, &what, err);
    json_decref(evidence);
    return rc ? rc : tell_all(ruling, player->name, err);
}

enum outcome moderate_ban(struct ruling *ruling, struct err *err)
{
    const struct player *known = read_player(ruling);
    if (!known)
        return OUTCOME_REFUSED;
    if (known->banned)
        return hearing_refuse(ruling->hearing, "banned_already player=%s", known->name);
    if (petition_moderator(ruling->batch->league, known->name))
        return hearing_refuse(ruling->hearing, "is_moderator player=%s", known->name);
    struct player player = *known;
    if (judge_key(ruling, player.name, err))
        return OUTCOME_FAILED;
    if (ruling->hearing->refusal)
        return OUTCOME_REFUSED;
    player.banned = ruling->batch->now;
    player.standby = 0;
    player.rekey = (struct player_rekey){.time = 0};
    player_void_asked(&player); /* who has left could come again as somebody new */
    /* First the player, so that no list brings them back. */
    return change(ruling, &player, err) || out_of_all(ruling, player.name, err) ? OUTCOME_FAILED
                                                                                : OUTCOME_DONE;
}

enum outcome moderate_unban(struct ruling *ruling, struct err *err)
{
    const struct player *known = read_player(ruling);
    if (!known)
        return OUTCOME_REFUSED;
    if (!known->banned)
        return hearing_refuse(ruling->hearing, "not_banned player=%s", known->name);
    struct player player = *known;
    player.banned = 0;
    return change(ruling, &player, err);
}
