
#include "base/mem.h"

#include <string.h>

#include "game/apply_parts.h"
#include "game/game_seats.h"
#include "game/seat_keys.h"
#include "game/seating.h"
#include "game/told.h"
#include "trust/canon.h"

/* The text that asks for a seat: its mark, its wishes, and the keys that its player names. */
static int take_text(struct applying *a, struct game_waiting *who, struct err *err)
{
    const json_t *json = a->record->json, *with = json_object_get(json, "signed");
    struct str text = STR_INIT;
    struct frame frame;
    struct err why = ERR_INIT;
    const char *exact =
        json_string_value(with ? json_object_get(with, "text") : json_object_get(json, "said"));
    canon_text(&text, slice_of(exact ? exact : ""));
    bool good = exact && frame_parse(slice_str(&text), &frame, &why) == 0 &&
                strcmp(frame.verb, "join") == 0 && strcmp(frame.game, a->game->id) == 0;
    int rc = good ? 0 : apply_broken(a, err, "the text that asked for the seat is missing or another");
    if (rc == 0 && !seat_mark(json, a->game->journal.create_head, who->seal))
        rc = apply_broken(a, err, "its \"mark\" is not that of its text");
    if (rc == 0 && seat_keys(with, who->keys, &who->key_count, &why))
        rc = apply_broken(a, err, why.text);
    if (rc == 0 && !wish_agrees(a->game->ruleset, a->game->cards, frame.body,
                                json_string_value(json_object_get(json, "wish")), &who->wishes))
        rc = apply_broken(a, err, "its \"wish\" is not what the text wishes for");
    str_release(&text);
    return rc;
}

static void waiting_drop(struct game *game, size_t at)
{
    memmove(game->table.waiting + at, game->table.waiting + at + 1,
            (game->table.waiting_count - at - 1) * sizeof *game->table.waiting);
    game->table.waiting_count--;
}

static bool waiting_find(const struct game *game, const char *name, size_t *at)
{
    for (*at = 0; *at < game->table.waiting_count; (*at)++)
        if (strcmp(game->table.waiting[*at].player, name) == 0)
            return true;
    return false;
}

static void seat_clear(struct game_seat *seat)
{
    struct game_orders *orders = &seat->orders;
    str_clear(&orders->text);
    str_clear(&orders->later);
    *orders = (struct game_orders){.text = orders->text, .later = orders->later};
    seat->player[0] = '\0';
    seat->robot = seat->drawn = false;
    seat->wishes = (struct wish_list){{0}};
    seat->key_count = 0;
    seat->rekey = (struct seat_rekey){.record = 0};
    seat->missed = 0;
}

/* Is the seat kept for this player, or open to others? */
static bool may_have(const struct applying *a, int seat, const char *name)
{
    const struct game *game = a->game;
    int kept = seating_kept_seat(game, name);
    return kept ? kept == seat : !*game->table.entry[seat];
}

static int apply_entered(struct applying *a, const struct game_seat *seat, const char *name, struct err *err)
{
    const struct game *game = a->game;
    char entry[GAME_TABLE];
    if (game->turn > 0)
        return 0;
    seating_entry(entry, name, *apply_text(a, "robot") != '\0', false);
    return strcmp(game->table.entry[seat - game->seat], entry) == 0
               ? 0
               : apply_broken(a, err, "the table in \"create\" does not give the seat to that name");
}

static int apply_join(struct applying *a, struct game_seat *seat, const char *name, struct err *err)
{
    struct game *game = a->game;
    struct game_waiting who = {.key_count = 0};
    unsigned char mark[SEAL_BYTES];
    size_t at = 0;
    int number = (int)(seat - game->seat);
    if (game->turn != 0 || game->over)
        return apply_broken(a, err, "seats are joined before the game begins");
    const char *left = apply_text(a, "left");
    if (strcmp(seat->player, left) != 0 && (*left || !seating_yield(game, number)))
        return apply_broken(a, err, "the seat is taken");
    if (*left)
        seating_left(game, number);
    if (!may_have(a, number, name))
        return apply_broken(a, err, "the seat is kept for somebody else");
    if (game_seat_of(game, name))
        return apply_broken(a, err, "the player has a seat already");
    bool waited = waiting_find(game, name, &at);
    if (waited && json_is_true(json_object_get(a->record->json, "waited"))) {
        who = game->table.waiting[at];
        if (!apply_hex(a, "mark", mark, SEAL_BYTES) || memcmp(mark, who.seal, SEAL_BYTES) != 0)
            return apply_broken(a, err, "the mark is not that of the text that waited");
    } else if (take_text(a, &who, err)) {
        return -1;
    }
    if (waited)
        waiting_drop(game, at);
    seat_clear(seat);
    seat->wishes = who.wishes;
    memcpy(seat->keys, who.keys, sizeof seat->keys);
    seat->key_count = who.key_count;
    seat->drawn = json_is_true(json_object_get(a->record->json, "drawn"));
    seat->orders.in = true;
    seat->orders.record = a->record->seq;
    memcpy(seat->orders.seal, who.seal, SEAL_BYTES);
    return 0;
}

static int apply_leave(struct applying *a, struct game_seat *seat, struct err *err)
{
    if (a->game->turn != 0 || a->game->over)
        return apply_broken(a, err, "seats are given up before the game begins");
    if (!*seat->player || seat->robot || strcmp(seat->player, apply_text(a, "left")) != 0)
        return apply_broken(a, err, "the seat is not that player's");
    seating_left(a->game, (int)(seat - a->game->seat));
    seat_clear(seat);
    return 0;
}

int apply_wait(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    const char *name = apply_text(a, "player");
    size_t at = 0;
    bool waits = waiting_find(game, name, &at);
    if (!name_valid(slice_of(name)))
        return apply_broken(a, err, "bad name");
    if (json_is_true(json_object_get(a->record->json, "leave"))) {
        if (!waits)
            return apply_broken(a, err, "the player is not on the waiting list");
        waiting_drop(game, at);
        return 0;
    }
    struct game_waiting who = {.key_count = 0};
    if (waits || game->over || game->table.waiting_count >= WAITING_MOST)
        return apply_broken(a, err, "there is no place for the player on the waiting list");
    if (take_text(a, &who, err))
        return -1;
    memcpy(who.player, name, strlen(name) + 1);
    game->table.waiting = mem_grow(game->table.waiting, game->table.waiting_count, &game->table.waiting_cap,
                                   sizeof *game->table.waiting);
    game->table.waiting[game->table.waiting_count++] = who;
    return 0;
}

int apply_seat(struct applying *a, struct err *err)
{
    const struct game_seat *seat = apply_seat_of(a, err);
    if (!seat)
        return -1;
    if (strcmp(apply_text(a, "why"), "standby") == 0 && !seat_vacant(a->game, (int)(seat - a->game->seat)))
        return apply_broken(a, err, "the seat is not vacant");
    return apply_seated(a, err);
}

int apply_seated(struct applying *a, struct err *err)
{
    struct game_seat *seat = apply_seat_of(a, err);
    if (!seat)
        return -1;
    if (json_is_true(json_object_get(a->record->json, "free")))
        return apply_leave(a, seat, err);
    const char *robot = apply_text(a, "robot");
    const char *name = *robot ? robot : apply_text(a, "player");
    if (!name_valid(slice_of(name)))
        return apply_broken(a, err, "bad name");
    const bool joins = *apply_text(a, "mark") != '\0';
    if (joins ? apply_join(a, seat, name, err) : apply_entered(a, seat, name, err))
        return -1;
    if (apply_sits(a, seat, err))
        return -1;
    told_hands_over(a->game, seat, name);
    memcpy(seat->player, name, strlen(name) + 1);
    seat->robot = *robot != '\0';
    if (strcmp(apply_text(a, "why"), "resigned") == 0)
        told_resigns(a->game, (int)(seat - a->game->seat));
    seat_keys_since(seat, a->record->time);
    seat->orders.question = 0;
    if (joins)
        return 0;
    return apply_signers(a, seat, err);
}
