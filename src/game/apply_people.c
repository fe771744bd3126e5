
#include "base/clock.h"

#include <string.h>

#include "game/apply_parts.h"
#include "league/name_list.h"
#include "game/told.h"
#include "game/press_note.h"
#include "game/game_seats.h"

void apply_people_turn(struct game *game)
{
    for (int seat = 1; seat <= game->seats; seat++) {
        game->seat[seat].press = 0;
        game->seat[seat].owner[0] = '\0';
    }
    json_decref(game->press.last);
    game->press.last = game->press.wait;
    game->press.wait = NULL;
}

/* Notes belong to the open turn; after the end there is nothing but the key. */
static int in_turn(struct applying *a, struct err *err)
{
    int64_t turn;
    if (json_need_int(a->record->json, "turn", 1, 9999, &turn, "note", err))
        return -1;
    return turn == a->game->turn && !a->game->over ? 0 : apply_broken(a, err, "not the open turn");
}

/* The record's "player", a valid name. */
static const char *player_of(struct applying *a, const char *key, struct err *err)
{
    const char *name = apply_text(a, key);
    if (name_valid(slice_of(name)))
        return name;
    (void)apply_broken(a, err, "bad name");
    return NULL;
}

/* ---- press ---- */

/* What only the league knows: the sender and the words. Without the key both stay unknown, and nothing
 * that is public depends on them. */
static int take_payload(struct applying *a, struct press *press, const struct sealed *sealed, struct err *err)
{
    struct game *game = a->game;
    int64_t seat;
    json_t *payload = json_read(slice_str(&sealed->payload), "press", err);
    if (!payload)
        return -1;
    const char *words = json_string_value(json_object_get(payload, "words"));
    const char *player = json_string_value(json_object_get(payload, "player"));
    const char *exact = json_string_value(json_object_get(payload, "text"));
    int rc = -1;
    if (json_need_int(payload, "seat", 0, game->seats, &seat, "press", err))
        goto out;
    if (!words || !player || (!press->grey && seat != press->seat)) {
        (void)apply_broken(a, err, "what its seal covers does not fit");
        goto out;
    }
    bool moderator = seat == 0;
    press->seat = (int)seat;
    press->player = player;
    press->words = slice_of(words);
    press->signature = json_object_get(payload, "signature");
    press->exact = slice_of(exact ? exact : "");
    press->record = a->record->seq;
    press->re = press_re(press->exact, press->words);
    game->seat[seat].press += !moderator;
    if (game->press.by_report && !moderator && (press->to & ~PRESS_MODERATORS)) {
        if (!game->press.wait)
            game->press.wait = json_array();
        json_array_append_new(game->press.wait, press_waiting(press, game));
    }
    rc = 0;
out:
    json_decref(payload);
    return rc;
}

int apply_press(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct press press = {.grey = json_is_true(json_object_get(a->record->json, "grey"))};
    bool moderator = *apply_text(a, "by") != '\0';
    unsigned char seal[SEAL_BYTES];
    if (in_turn(a, err))
        return -1;
    if (!press.grey && !moderator) {
        const struct game_seat *seat = apply_seat_of(a, err);
        if (!seat)
            return -1;
        press.seat = (int)(seat - game->seat);
    }
    if (!press_to_read(json_object_get(a->record->json, "to"), game->seats, &press.to))
        return apply_broken(a, err, "to nobody");
    bool closed = game->press.kind == PRESS_NONE && !moderator && press.to != PRESS_MODERATORS;
    if (closed || (press.grey && (moderator || game->press.kind != PRESS_GREY)))
        return apply_broken(a, err, "press of a kind that this game does not have");
    if (!apply_hex(a, "seal", seal, SEAL_BYTES) || !*apply_text(a, "text"))
        return apply_broken(a, err, "it has no seal or no mark");
    const struct sealed *sealed = sealed_set_find(a->sealed, a->record->seq, 0, SEAL_PRESS, seal);
    return sealed ? take_payload(a, &press, sealed, err) : 0;
}

/* ---- observers, the standby list ---- */

/* Puts the record's player on a list or, with "stop", removes them from it. */
static int list_change(struct applying *a, struct str *list, size_t most, struct err *err)
{
    const char *player = player_of(a, "player", err);
    bool stop = json_is_true(json_object_get(a->record->json, "stop"));
    if (!player || in_turn(a, err))
        return -1;
    if (names_hold(list->p, player) != stop)
        return apply_broken(a, err, stop ? "is not on the list" : "is on the list already");
    if (!stop && (names_count(list->p) >= most || game_seat_of(a->game, player)))
        return apply_broken(a, err, "there is no place for them on the list");
    if (stop)
        names_drop(list, player);
    else
        names_add(list, player);
    return 0;
}

int apply_observe(struct applying *a, struct err *err)
{
    if (a->game->observers.barred && !json_is_true(json_object_get(a->record->json, "stop")))
        return apply_broken(a, err, "this game has no observers");
    return list_change(a, &a->game->observers.names, GAME_OBSERVERS, err);
}

/* Players who leave the list do not want what they were offered; players who join it again may be asked
 * again. */
int apply_standby(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (list_change(a, &game->attendance.standby, GAME_STANDBY, err))
        return -1;
    const char *player = apply_text(a, "player");
    bool stop = json_is_true(json_object_get(a->record->json, "stop"));
    for (int seat = 1; seat <= game->seats; seat++) {
        struct game_seat *who = &game->seat[seat];
        if (stop && strcmp(who->offered, player) == 0)
            who->offered[0] = '\0';
        else if (!stop && strcmp(who->offered, player) != 0)
            names_drop(&who->asked, player);
    }
    return 0;
}

/* ---- seats ---- */

int apply_offer(struct applying *a, struct err *err)
{
    const struct game_seat *seat = apply_seat_of(a, err);
    if (!seat)
        return -1;
    if (*apply_text(a, "to") && !seat_vacant(a->game, (int)(seat - a->game->seat)))
        return apply_broken(a, err, "the seat is not vacant");
    return apply_offered(a, err);
}

int apply_offered(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct game_seat *seat = apply_seat_of(a, err);
    int64_t until;
    if (!seat || in_turn(a, err))
        return -1;
    if (!json_object_get(a->record->json, "to")) {
        if (!*seat->offered || *apply_text(a, "until"))
            return apply_broken(a, err, "nobody has an offer");
        seat->offered[0] = '\0';
        return 0;
    }
    const char *to = player_of(a, "to", err);
    if (!to)
        return -1;
    if (!clock_parse(slice_of(apply_text(a, "until")), &until) || until <= a->record->time)
        return apply_broken(a, err, "an offer for no time");
    bool more = strcmp(seat->offered, to) == 0; /* the same offer is extended, once */
    if (more ? seat->offered_more || until <= seat->offered_until : names_hold(seat->asked.p, to))
        return apply_broken(a, err, "they were asked before");
    seat->offered_more = more;
    memcpy(seat->offered, to, strlen(to) + 1);
    seat->offered_until = until;
    seat->offered_turn = more ? seat->offered_turn : game->turn;
    if (!more)
        names_add(&seat->asked, to);
    return 0;
}

/* A stand-in takes the seat. Its owner may take it back, if they are only late and have not done that
 * before. */
static int sit_in(struct applying *a, struct game_seat *seat, const char *player, struct err *err)
{
    struct game *game = a->game;
    if (strcmp(seat->offered, player) != 0 || a->record->time > seat->offered_until)
        return apply_broken(a, err, "the seat is not offered to them");
    bool back = !seat->robot && !names_hold(seat->took_back.p, seat->player);
    memcpy(seat->owner, back ? seat->player : "", back ? sizeof seat->owner : 1);
    memcpy(seat->owner_keys, seat->keys, sizeof seat->owner_keys);
    seat->owner_key_count = seat->key_count;
    names_drop(&game->attendance.standby, player);
    names_drop(&game->observers.names, player);
    return 0;
}

/* Their own seat again: they neither watch nor stand in any more. */
static int sit_back(struct applying *a, struct game_seat *seat, const char *player, struct err *err)
{
    if (!*seat->owner || strcmp(seat->owner, player) != 0)
        return apply_broken(a, err, "the seat was not theirs, or it is too late to take it back");
    names_add(&seat->took_back, seat->owner);
    names_drop(&a->game->attendance.standby, player);
    names_drop(&a->game->observers.names, player);
    return 0;
}

int apply_sits(struct applying *a, struct game_seat *seat, struct err *err)
{
    const char *why = apply_text(a, "why");
    const char *player = apply_text(a, "player");
    seat->vote = 0;
    if (strcmp(why, "resigned") == 0) {
        apply_tally(a->game, seat->player)->resigned++;
        seat->offered[0] = '\0';
        seat->resigned = true;
        return 0;
    }
    bool in = strcmp(why, "standby") == 0;
    bool back = strcmp(why, "back") == 0;
    if ((in || back) && (a->game->over || !*player || game_seat_of(a->game, player)))
        return apply_broken(a, err, "they have a seat, or nobody can sit down any more");
    if ((in && sit_in(a, seat, player, err)) || (back && sit_back(a, seat, player, err)))
        return -1;
    if (!in)
        seat->owner[0] = '\0';
    if (in || back) {
        apply_no_orders(seat);
        seat->texts = 0;
        seat->text_bytes = 0;
        seat->missed = 0;
        told_sits(a->game, seat);
    }
    seat->offered[0] = '\0';
    seat->resigned = false;
    str_clear(&seat->asked);
    return 0;
}
