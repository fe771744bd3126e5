/* Once more: a player of a game that is over makes another one with the same rules, options, manners and seats.
 * Those who had a seat to the end are asked to join, robots play again, and seats that were given up are free.
 * `create` of the new game names the old one and its head. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/encode.h"
#include "game/seating.h"
#include "petitions/opening.h"

enum { NAME };

#define ROUNDS_MOST 99

/* ---- its name ---- */

/* "gc-1" for "gc-1-r2" */
static struct slice first_name(const char *name)
{
    struct slice first = slice_of(name);
    while (first.len && first.p[first.len - 1] >= '0' && first.p[first.len - 1] <= '9')
        first.len--;
    bool round = first.len > 2 && first.len < strlen(name) && memcmp(first.p + first.len - 2, "-r", 2) == 0;
    return round ? slice_sub(first, 0, first.len - 2) : slice_of(name);
}

/* How it stands with the one that was made. */
static void refuse_made(struct hearing *hearing, const char *name)
{
    struct batch_game *entry;
    struct err unread = ERR_INIT;
    struct str names = STR_INIT;
    const struct game *game = batch_game(hearing->batch, name, &entry, &unread) ? NULL : &entry->game;
    if (game)
        seating_awaited(&names, game, hearing->player);
    (void)hearing_refuse(hearing, "rematch_made name=%s begun?=%d in?=%d waits?=%d names=%s", name,
                         game && game->turn > 0, game && game_seat_of(game, hearing->player), names.len > 0,
                         names.len ? names.p : "");
    str_release(&names);
}

/* Is it a rematch of the same game? Then somebody has asked for it before. */
static bool is_made(struct hearing *hearing, const char *name)
{
    struct err ignored = ERR_INIT; /* a game that cannot be read has its name all the same */
    json_t *create = opening_create(hearing, name, &ignored);
    const char *of = json_string_value(json_object_get(create, "rematch"));
    bool made = of && strcmp(of, hearing->entry->game.id) == 0;
    if (made && !opening_obeyed(hearing, create))
        refuse_made(hearing, name);
    json_decref(create);
    return made;
}

/* The name that the text gives, or the first one of "gc-1-r2", "gc-1-r3" that is not taken. */
static enum outcome choose_name(struct hearing *hearing, char name[GAME_NAME])
{
    struct slice first = first_name(hearing->entry->game.id);
    int most = GAME_NAME - (int)sizeof "-r99";
    struct slice given = hearing->value[NAME];
    if (given.p) {
        (void)snprintf(name, GAME_NAME, "%.*s", given.len < GAME_NAME ? (int)given.len : 0, given.p);
        return OUTCOME_DONE;
    }
    for (int round = 2; round <= ROUNDS_MOST; round++) {
        (void)snprintf(name, GAME_NAME, "%.*s-r%d", first.len < (size_t)most ? (int)first.len : most, first.p,
                       round);
        if (!opening_taken(hearing->batch, name))
            return OUTCOME_DONE;
        if (is_made(hearing, name))
            return OUTCOME_REFUSED;
    }
    return OUTCOME_DONE; /* and it will be refused */
}

/* ---- what it is like ---- */

static void take_options(const struct game *old, struct new_game *how)
{
    const struct game_option *before = old->ruleset->options, *now = how->ruleset->options;
    for (int i = 0; i < GAME_OPTIONS && now[i].name; i++)
        for (int k = 0; k < GAME_OPTIONS && before[k].name; k++)
            if (strcmp(now[i].name, before[k].name) == 0 && old->options[k] >= now[i].min &&
                old->options[k] <= now[i].max)
                how->options[i] = old->options[k];
}

static void take_manners(const struct game *old, struct new_game *how)
{
    how->missed_robot = old->attendance.missed_robot;
    how->missed_standby = old->attendance.missed_standby;
    how->typo_wait = old->clock.typo_wait;
    how->second_thoughts = old->clock.second_thoughts;
    how->press = old->press.kind;
    how->press_report = old->press.by_report;
    how->press_signed = old->press.proved;
    how->private = old->observers.barred;
    how->by_mail &= old->table.by_mail; /* as far as the league still allows it */
}

static void take_seats(const struct batch *batch, const struct game *old, struct new_game *how)
{
    how->seats = old->seats;
    for (int i = 1; i <= old->seats; i++) {
        const struct player *player = registry_find(&batch->registry, old->seat[i].player);
        struct new_seat *seat = &how->seat[i];
        seat->robot = old->seat[i].robot && !player;
        struct pubkey keys[KEYS_PER_PLAYER];
        const bool plays = player && !player->banned && !old->seat[i].robot &&
                           (how->by_mail || keyring_of(&batch->keyring, player->name, keys));
        seat->player = seat->robot || plays ? old->seat[i].player : NULL;
    }
}

/* Those whom the league still knows. A game that was played without them to its end is not made with them again. */
static int take_witnesses(const struct batch *batch, const struct game *old, struct new_game *how,
                          struct err *err)
{
    struct league_witnesses *known = mem_alloc(sizeof *known);
    int rc = witnesses_read(batch->league->dir, known, err);
    for (int i = 0; rc == 0 && i < old->witnesses.count; i++)
        if (witnesses_find(known, old->witnesses.list[i].name))
            rc = making_witness(&how->witnesses, known, old->witnesses.list[i].name, err);
    free(known);
    return rc ? rc
              : making_quorum(batch, &how->witnesses,
                              how->witnesses.count == old->witnesses.count ? old->witnesses.need : 0, err);
}

/* ---- doing it ---- */

static enum outcome make(struct hearing *hearing, const char *name, struct err *err)
{
    const struct game *old = &hearing->entry->game;
    struct schedule clock = old->clock.schedule;
    struct new_game how = {.id = name,
                           .ruleset = ruleset_newest(old->ruleset->name),
                           .clock = &clock,
                           .rematch = old->id,
                           .rematch_head = old->head};
    struct batch_game *made;
    json_t *create = opening_create(hearing, old->id, err);
    if (!create)
        return OUTCOME_FAILED;
    clock.starts = 0;
    how.cards = json_object_get(create, "card_data");
    making_begin(hearing->batch, &how);
    take_options(old, &how);
    take_manners(old, &how);
    take_seats(hearing->batch, old, &how);
    enum outcome done = take_witnesses(hearing->batch, old, &how, err)
                            ? OUTCOME_FAILED
                            : opening_make(hearing, &how, &made, err);
    json_decref(create);
    return done;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    char name[GAME_NAME];
    if (!hearing->entry->game.over)
        return hearing_refuse(hearing, "rematch_running game=%s", hearing->entry->game.id);
    enum outcome done = choose_name(hearing, name);
    if (done == OUTCOME_DONE)
        done = opening_judge(hearing, name, err);
    return done == OUTCOME_DONE ? make(hearing, name, err) : done;
}

const struct petition petition_rematch = {
    .verb = "rematch",
    .needs = PETITION_GAME | PETITION_SEAT | PETITION_ANY_TURN | PETITION_MAIL,
    .fields = {[NAME] = "name"},
    .wishes = true,
    .act = act,
};
