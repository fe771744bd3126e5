/* What a moderator's records do to a game (petitions/moderate.h). Deadlines are facts here; whether the
 * action was wise was settled when the record was made. */
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/file.h"
#include "game/apply_parts.h"
#include "game/record_kinds.h"
#include "game/seat_keys.h"
#include "league/name_list.h"
#include "game/told.h"

/* A deadline of which nobody has been reminded yet. "" = unchanged. */
static int take_deadline(struct applying *a, bool needed, struct err *err)
{
    struct game *game = a->game;
    const char *text = apply_text(a, "deadline");
    int64_t deadline;
    if (!*text)
        return needed ? apply_broken(a, err, "it names no deadline") : 0;
    if (!clock_parse(slice_of(text), &deadline) || deadline <= game->clock.deadline)
        return apply_broken(a, err, "the deadline cannot move like that");
    game->clock.deadline = deadline;
    game->clock.dated = a->record->time;
    game->clock.reminded = 0;
    return 0;
}

int apply_pause(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (game->clock.paused)
        return apply_broken(a, err, "the game is paused already");
    game->clock.paused = true;
    game->clock.paused_from = a->record->time;
    game->clock.held = game->clock.held &&
                       !game->clock.hold_until; /* the valve's hold is over: a moderator has taken charge */
    game->clock.hold_until = 0;
    return 0;
}

int apply_resume(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (!game->clock.paused && !game->clock.held)
        return apply_broken(a, err, "the game is neither paused nor held");
    if (take_deadline(a, false, err))
        return -1;
    game->clock.paused = game->clock.held = false;
    game->clock.paused_from = game->clock.hold_until = 0;
    return 0;
}

int apply_extend(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (take_deadline(a, true, err))
        return -1;
    game->clock.held = game->clock.held && !game->clock.hold_until;
    game->clock.hold_until = 0;
    return 0;
}

int apply_hold(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (game->clock.paused || (game->clock.held && !game->clock.hold_until))
        return apply_broken(a, err, "the game is paused or held already");
    game->clock.held = true;
    game->clock.hold_until = 0;
    return 0;
}

int apply_resolve(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (game->clock.paused)
        return apply_broken(a, err, "the game is paused");
    game->clock.held = false;
    game->clock.hold_until = 0;
    return 0;
}

/* ---- seats ---- */

/* A robot plays for the seat's player; standing orders stay with the seat, as when somebody stands in. */
static int robot_sits(struct applying *a, struct game_seat *seat, struct err *err)
{
    struct game *game = a->game;
    const char *name = apply_text(a, "robot");
    if (seat->robot || strcmp(name, seat->player) != 0)
        return apply_broken(a, err, "the robot plays on under the player's name");
    seat->late = game->closed;
    seat->robot = true;
    seat->resigned = false;
    seat->key_count = 0;
    seat->owner[0] = seat->offered[0] = '\0';
    str_clear(&seat->asked);
    str_clear(&seat->said); /* his own words */
    seat->missed = seat->late ? seat->missed : 0;
    seat_keys_since(seat, a->record->time);
    seat->vote = 0;
    if (!game->closed) /* then the draws already depend on them */
        apply_no_orders(seat);
    told_sits(game, seat);
    names_drop(&game->attendance.standby, name);
    names_drop(&game->observers.names, name);
    return 0;
}

/* The seat is kept for somebody: it is theirs when they say so ("take"), and until then a robot's. */
static int seat_waits_for(struct applying *a, struct game_seat *seat, struct err *err)
{
    const char *to = apply_text(a, "to");
    int64_t until;
    if (!name_valid(slice_of(to)) || game_seat_of(a->game, to))
        return apply_broken(a, err, "they cannot have the seat");
    if (!clock_parse(slice_of(apply_text(a, "until")), &until) || until <= a->record->time)
        return apply_broken(a, err, "an offer for no time");
    (void)snprintf(seat->offered, sizeof seat->offered, "%s", to);
    seat->offered_until = until;
    seat->offered_turn = a->game->turn;
    seat->offered_more = false;
    seat->resigned = true; /* others may be asked when that time is over */
    if (!names_hold(seat->asked.p, to))
        names_add(&seat->asked, to);
    return 0;
}

int apply_replace(struct applying *a, struct err *err)
{
    struct game_seat *seat = apply_seat_of(a, err);
    if (!seat)
        return -1;
    const bool robot = *apply_text(a, "robot"), to = json_object_get(a->record->json, "to");
    if (!robot && !(to && seat->robot))
        return apply_broken(a, err, "it gives the seat to nobody");
    if (robot && robot_sits(a, seat, err))
        return -1;
    return to ? seat_waits_for(a, seat, err) : 0;
}

/* As if the player had resigned: a robot plays, and the seat is offered to those who would stand in. */
int apply_ban(struct applying *a, struct err *err)
{
    if (a->game->turn == 0 && json_is_true(json_object_get(a->record->json, "leave")))
        return apply_wait(a, err); /* their place on the waiting list, as if they had left it */
    if (a->game->turn == 0 && a->game->closed)
        return apply_broken(a, err, "the deal is closed: nobody comes or goes");
    if (a->game->turn == 0)
        return *apply_text(a, "left") ? apply_seat(a, err) : apply_broken(a, err, "nobody leaves");
    struct game_seat *seat = apply_seat_of(a, err);
    if (!seat || robot_sits(a, seat, err))
        return -1;
    seat->resigned = true;
    apply_tally(a->game, seat->player)->resigned++;
    return 0;
}

int apply_set_orders(struct applying *a, struct err *err)
{
    struct game_seat *seat = apply_seat_of(a, err);
    const struct frame frame = {.turn = a->game->turn};
    unsigned char seal[SEAL_BYTES];
    int64_t turn;
    if (!seat || json_need_int(a->record->json, "turn", 1, 9999, &turn, "moderate", err))
        return -1;
    if (turn != a->game->turn || seat->robot)
        return apply_broken(a, err, "orders for a turn that is not open, or for a robot");
    const struct sealed *sealed =
        apply_payload(a, (int)(seat - a->game->seat), SEAL_ORDERS, apply_text(a, "seal"), seal);
    json_t *payload = sealed ? json_read(slice_str(&sealed->payload), "orders", err) : NULL;
    const char *lines = json_string_value(json_object_get(payload, "lines"));
    if (lines)
        apply_lines(a, seat, &frame, slice_of(lines), seal);
    seat->orders.set = seat->orders.set || seat->orders.record == a->record->seq;
    json_decref(payload);
    return lines ? 0
                 : apply_broken(a, err, "what its seal covers is not in its box, or there is no key to it");
}

int apply_resend(struct applying *a, struct err *err)
{
    struct game_seat *seat = apply_seat_of(a, err);
    if (!seat)
        return -1;
    told_again(a->game, seat);
    return 0;
}

int apply_moderate(struct applying *a, const struct record_kind *kind, struct err *err)
{
    struct game *game = a->game;
    if (!*apply_text(a, "by") || !*apply_text(a, "reason"))
        return apply_broken(a, err, "it does not say who did it, or why");
    if ((game->over && !(kind->place & PLACE_OPENED)) || (game->turn == 0 && !(kind->place & PLACE_DEAL)) ||
        (game->closed && !game->over && !(kind->place & PLACE_CLOSED)))
        return apply_broken(a, err, "the game has not begun, or is over, or its turn is closed");
    if (kind->apply(a, err))
        return -1;
    memcpy(game->journal.last_do, kind->word, strlen(kind->word) + 1);
    return 0;
}
