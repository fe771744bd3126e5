#include "batch/follow_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "game/game_seats.h"
#include "game/seat_keys.h"

/* Names of games: the catalog is written while they are gone through. */
struct names {
    char **list;
    size_t count, cap;
};

static int add_name(void *arg, const struct catalog_game *row, struct err *err)
{
    struct names *names = arg;
    (void)err;
    names->list = mem_grow(names->list, names->count, &names->cap, sizeof *names->list);
    names->list[names->count++] = mem_strdup(row->id);
    return 0;
}

static void names_release(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

static int running_games(struct batch *batch, const char *player, struct names *names, struct err *err)
{
    return catalog_each_game(batch->catalog, &(struct catalog_filter){player, true}, add_name, names, err);
}

/* One kind of change, in each of a player's running games. */
struct follow {
    struct batch *batch;
    const char *player, *by;
    const struct pubkey *key;
    const struct follow_text *text;
    struct str *left_out; /* names of games that do not learn of it */
    struct str *tomorrow; /* the same, where the key was taken away on that day */
    struct str *shut;     /* the same, where none of their keys counts */
    bool later, lacks;
    size_t learned; /* games with a record of it */
};

static void name_game(struct str *names, const char *game)
{
    if (names)
        str_addf(names, "%s%s", names->len ? ", " : "", game);
}

static void leave_out(struct follow *follow, const char *game, const char *why)
{
    log_warn("game %s: it does not learn what became of the keys and mailbox of %s: %s", game, follow->player,
             why);
    name_game(follow->left_out, game);
}

/* Has the player, as they are now, none of the keys that the seat knows? */
static bool is_shut(const struct follow *follow, const struct game_seat *seat)
{
    bool shut = seat->key_count > 0;
    for (size_t i = 0; i < seat->key_count && shut; i++)
        shut = !keyring_has(&follow->batch->keyring, follow->player, &seat->keys[i]);
    return shut;
}

static int by_text(struct follow *follow, struct step *step, struct game *game, int seat, struct err *err)
{
    const struct follow_text *text = follow->text;
    const struct game_seat *who = &game->seat[seat];
    const bool own = strcmp(text->by, follow->player) == 0;
    const struct seat_keys_text what = {text->body, text->added, own, game->table.by_mail};
    struct seat_keys keys;
    struct err why = ERR_INIT;
    if (is_shut(follow, who) && !(own && seat_has_key(who, text->signer)))
        name_game(follow->shut, game->id);
    else if (own && !seat_has_key(who, text->signer))
        leave_out(follow, game->id, "the key that signed is none of the seat's");
    else if (seat_keys_gone(&what, who))
        name_game(follow->tomorrow, game->id);
    else if (seat_keys_change(&what, who, &keys, &why))
        leave_out(follow, game->id, why.text);
    else
        return step_key(step, game, seat, &keys, text->evidence, err);
    return 0;
}

static bool awaits(const struct game_seat *seat, const struct pubkey *key)
{
    return seat->rekey.record && pubkey_equal(&seat->rekey.key, key);
}

static int by_asking(struct follow *follow, struct step *step, struct game *game, int seat, struct err *err)
{
    const struct game_seat *who = &game->seat[seat];
    /* What was asked for before must not lapse before this is due. */
    return awaits(who, follow->key) && step->now - who->rekey.time + SEAT_REKEY_WAIT <= SEAT_REKEY_LASTS
               ? 0
               : step_rekey(step, game, seat, follow->key, follow->by, err);
}

static int by_veto(struct follow *follow, struct step *step, struct game *game, int seat, struct err *err)
{
    return game->seat[seat].rekey.record ? step_veto(step, game, seat, follow->by, err) : 0;
}

static bool has_only(const struct game_seat *seat, const struct pubkey *key)
{
    return seat->key_count == 1 && pubkey_equal(&seat->keys[0], key);
}

/* A game whose table has not known of it for seven days, as its player sat down meanwhile, has to hear of it first. */
static int by_waiting(struct follow *follow, struct step *step, struct game *game, int seat, struct err *err)
{
    const struct game_seat *who = &game->seat[seat];
    if (has_only(who, follow->key))
        return 0;
    const bool asked = awaits(who, follow->key) && step->now - who->rekey.time <= SEAT_REKEY_LASTS;
    follow->later |= !asked || step->now - who->rekey.time < SEAT_REKEY_WAIT;
    return asked ? 0 : step_rekey(step, game, seat, follow->key, follow->by, err);
}

static int by_lack(struct follow *follow, struct step *step, struct game *game, int seat, struct err *err)
{
    (void)step;
    (void)err;
    follow->lacks |= !seat_has_key(&game->seat[seat], follow->key);
    return 0;
}

static int by_time(struct follow *follow, struct step *step, struct game *game, int seat, struct err *err)
{
    return awaits(&game->seat[seat], follow->key) ? step_rekeyed(step, game, seat, err) : 0;
}

static int by_moving(struct follow *follow, struct step *step, struct game *game, int seat, struct err *err)
{
    return game_takes_mail(game, seat) ? step_mailbox(step, game, seat, follow->by, err) : 0;
}

typedef int follow_how(struct follow *follow, struct step *step, struct game *game, int seat,
                       struct err *err);

static int follow_one(struct follow *follow, follow_how *how, const char *id, struct err *err)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    struct step step;
    if (batch_game(follow->batch, id, &entry, &why)) {
        leave_out(follow, id, why.text);
        return 0;
    }
    const int seat = game_seat_of(&entry->game, follow->player);
    if (!seat || entry->game.over)
        return 0;
    batch_step(follow->batch, entry, &step);
    int rc = how(follow, &step, &entry->game, seat, err);
    follow->learned += step.records.len > 0;
    if (rc == 0 && step.records.len &&
        (step_finish(&step, &entry->game, err) || batch_take(follow->batch, entry, &step, NULL, err)))
        rc = -1;
    step_release(&step);
    return rc;
}

static int follow_all(struct follow *follow, follow_how *how, struct err *err)
{
    struct names names = {.list = NULL};
    int rc = running_games(follow->batch, follow->player, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        rc = follow_one(follow, how, names.list[i], err);
    names_release(&names);
    return rc;
}

int follow_key_text(struct batch *batch, const char *player, const struct follow_text *text,
                    struct follow_learned *learned, struct err *err)
{
    struct follow follow = {.batch = batch,
                            .player = player,
                            .by = text->by,
                            .text = text,
                            .left_out = &learned->left_out,
                            .tomorrow = &learned->tomorrow,
                            .shut = &learned->shut};
    int rc = follow_all(&follow, by_text, err);
    learned->games = follow.learned;
    return rc;
}

static int follow_plain(struct batch *batch, const struct player *player, const char *by, follow_how *how,
                        struct err *err)
{
    struct follow follow = {.batch = batch, .player = player->name, .by = by, .key = &player->rekey.key};
    return follow_all(&follow, how, err);
}

int follow_rekey(struct batch *batch, const struct player *player, struct err *err)
{
    return follow_plain(batch, player, player->rekey.by, by_asking, err);
}

int follow_stale(struct batch *batch, struct step *step, struct game *game, struct err *err)
{
    int rc = 0;
    for (int seat = 1; rc == 0 && seat <= game->seats && !game->over; seat++) {
        const struct game_seat *who = &game->seat[seat];
        const struct player *player = who->rekey.record ? registry_find(&batch->registry, who->player) : NULL;
        if (player && !player->rekey.time)
            rc = step_veto(step, game, seat, OPERATOR, err);
    }
    return rc;
}

int follow_veto(struct batch *batch, const struct player *player, const char *by, struct err *err)
{
    return follow_plain(batch, player, by, by_veto, err);
}

int follow_rekeyed(struct batch *batch, const struct player *player, struct follow_came *came,
                   struct err *err)
{
    struct follow follow = {.batch = batch,
                            .player = player->name,
                            .by = player->rekey.by,
                            .key = &player->rekey.key,
                            .left_out = &came->left_out};
    int rc = follow_all(&follow, by_waiting, err);
    came->later = follow.later;
    follow.left_out = NULL; /* they are named already */
    return rc || follow.later ? rc : follow_all(&follow, by_time, err);
}

int follow_key_lacks(struct batch *batch, const char *player, const struct pubkey *key, bool *lacks,
                     struct err *err)
{
    struct follow follow = {.batch = batch, .player = player, .key = key};
    int rc = follow_all(&follow, by_lack, err);
    *lacks = follow.lacks;
    return rc;
}

int follow_mailbox(struct batch *batch, const struct player *player, const char *by, struct err *err)
{
    return follow_plain(batch, player, by, by_moving, err);
}

int follow_keys_needed(struct batch *batch, const char *player, char game[GAME_NAME], struct err *err)
{
    struct names names = {.list = NULL};
    int rc = running_games(batch, player, &names, err);
    *game = '\0';
    for (size_t i = 0; rc == 0 && !*game && i < names.count; i++) {
        struct batch_game *entry;
        struct err why = ERR_INIT;
        /* One that cannot be read may be such a game. */
        if (batch_game(batch, names.list[i], &entry, &why) || !entry->game.table.by_mail)
            (void)snprintf(game, GAME_NAME, "%s", names.list[i]);
    }
    names_release(&names);
    return rc;
}
