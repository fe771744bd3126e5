#include "play/standby.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "play/deadline.h"
#include "play/facts.h"
#include "league/name_list.h"
#include "play/step_parts.h"
#include "game/game_seats.h"

/* ---- offers ---- */

/* May this seat be offered to this player? Not to anybody who is or was at the table, and to nobody twice. */
static bool may_ask(const struct game *game, int seat, const char *name)
{
    if (names_hold(game->seat[seat].asked.p, name))
        return false;
    for (int i = 1; i <= game->seats; i++)
        if (strcmp(game->seat[i].player, name) == 0 || strcmp(game->seat[i].owner, name) == 0 ||
            strcmp(game->seat[i].offered, name) == 0)
            return false;
    return true;
}

/* Who comes next; "" = nobody is left. */
static void next_to_ask(const struct game *game, int seat, const struct registry *registry,
                        char out[PLAYER_NAME])
{
    const struct player *best = NULL;
    struct slice rest = slice_str(&game->attendance.standby);
    struct slice word;
    out[0] = '\0';
    while (slice_word(&rest, &word)) {
        char name[PLAYER_NAME];
        (void)snprintf(name, sizeof name, "%.*s", (int)word.len, word.p);
        const struct player *player = registry_find(registry, name);
        if (player && !player->banned && may_ask(game, seat, name)) {
            memcpy(out, name, sizeof name);
            return;
        }
    }
    for (size_t i = 0; i < registry->count; i++) { /* sorted by name */
        const struct player *player = &registry->players[i];
        if (player->standby && (!best || player->standby < best->standby) &&
            may_ask(game, seat, player->name))
            best = player;
    }
    if (best)
        memcpy(out, best->name, sizeof best->name);
}

static json_t *seat_facts(const struct game *game, int reader, int seat, const char *player)
{
    json_t *facts = facts_game(game, reader);
    json_object_set_new(facts, "about_seat", json_integer(seat));
    json_object_set_new(facts, "about_player", json_string(game->seat[seat].player));
    json_object_set_new(facts, "newcomer", json_string(player));
    return facts;
}

struct offer {
    int seat;
    const char *to; /* "" = nobody is left */
    int64_t until;
};

static int record_offer(struct step *step, struct game *game, const struct offer *offer, struct err *err)
{
    char text[CLOCK_TEXT];
    json_t *fields = json_pack("{s:s,s:i,s:i}", "kind", "offer", "turn", game->turn, "seat", offer->seat);
    clock_utc(text, offer->until);
    if (*offer->to) {
        json_object_set_new(fields, "to", json_string(offer->to));
        json_object_set_new(fields, "until", json_string(text));
    }
    return step_record(step, game, "note", fields, NULL, err);
}

static void tell_offer(struct step *step, const struct game *game, int seat, bool chosen)
{
    const struct game_seat *who = &game->seat[seat];
    json_t *facts = seat_facts(game, 0, seat, who->offered);
    facts_time(facts, "until", who->offered_until);
    json_object_set_new(facts, "resigned", json_boolean(who->robot));
    json_object_set_new(facts, "chosen", json_boolean(chosen));
    step_tell(step, game, POST_TOLD, "offer", 0, who->offered, facts);
    step_urgent(step, who->offered_until);
}

void standby_chosen(struct step *step, const struct game *game, int seat)
{
    tell_offer(step, game, seat, true);
}

static int make_offer(struct step *step, struct game *game, const struct offer *offer, struct err *err)
{
    int seat = offer->seat;
    bool first = !game->seat[seat].asked.len;
    if (record_offer(step, game, offer, err))
        return -1;
    if (*offer->to)
        tell_offer(step, game, seat, false);
    if (*offer->to && first && !game->seat[seat].robot) {
        json_t *facts = seat_facts(game, seat, seat, "");
        json_object_set_new(facts, "missed_in_a_row", json_integer(game->seat[seat].missed));
        step_tell(step, game, POST_TOLD, "offered", seat, "", facts);
        step_urgent(step, 1);
    }
    return 0;
}

/* The new end of an offer that expired while the service stood still; 0 = it did not, or was put off
 * before. */
static int64_t spared(const struct step *step, const struct game_seat *who, int64_t now, int64_t patience)
{
    const struct outside *outside = step->keys.outside;
    const struct pause *pause = elapsed_outage(outside, who->offered_until);
    if (!pause || !*who->offered || who->offered_more || who->offered_until > now)
        return 0;
    return now + elapsed_left(outside, who->offered_until - pause->from, patience);
}

static int64_t now_of(const struct step *step, const struct game *game)
{
    return step->now > game->time ? step->now : game->time;
}

int standby_spare(struct step *step, struct game *game, int seat, int64_t patience, struct err *err)
{
    char to[PLAYER_NAME];
    int64_t until = spared(step, &game->seat[seat], now_of(step, game), patience);
    memcpy(to, game->seat[seat].offered, sizeof to);
    return until && seat_vacant(game, seat) ? record_offer(step, game, &(struct offer){seat, to, until}, err)
                                            : 0;
}

int standby_step(struct step *step, struct game *game, struct err *err)
{
    const struct outside *outside = step->keys.outside;
    if (!outside || game->over || game->clock.paused || game->closed)
        return 0;
    int64_t now = now_of(step, game), patience = outside->config->league.standby_time;
    for (int seat = 1; seat <= game->seats; seat++) {
        const struct game_seat *who = &game->seat[seat];
        char next[PLAYER_NAME];
        int64_t until = who->offered_until;
        if (!outside->deaf && standby_spare(step, game, seat, patience, err))
            return -1;
        if (who->offered_until != until)
            tell_offer(step, game, seat, false);
        bool lasts = outside->deaf || who->offered_until > now; /* there may be an answer in the mailbox */
        if (!seat_vacant(game, seat) || (*who->offered && lasts))
            continue;
        next[0] = '\0';
        if (game->attendance.missed_standby) /* else only whom a moderator chooses is asked */
            next_to_ask(game, seat, outside->players, next);
        if ((*next || *who->offered) &&
            make_offer(step, game, &(struct offer){seat, next, now + patience}, err))
            return -1;
    }
    return 0;
}

int step_finish(struct step *step, struct game *game, struct err *err)
{
    return standby_step(step, game, err);
}

/* ---- sitting down ---- */

/* Tells the one who loses the seat, and the others at the table. */
static void tell_table(struct step *step, const struct game *game, const struct sitting *sitting,
                       const char *before, bool robot)
{
    int seat = sitting->seat;
    bool back = sitting->back;
    const struct game_seat *who = &game->seat[seat];
    for (int reader = 1; reader <= game->seats; reader++) {
        if (reader == seat || game->seat[reader].robot)
            continue;
        json_t *facts = seat_facts(game, reader, seat, who->player);
        json_object_set_new(facts, "before", json_string(before));
        json_object_set_new(facts, "back", json_boolean(back));
        json_object_set_new(facts, "robot", json_boolean(robot));
        step_tell(step, game, POST_TOLD, "seat_changed", reader, "", facts);
    }
    if (robot)
        return;
    json_t *facts = seat_facts(game, 0, seat, who->player);
    json_object_set_new(facts, "back", json_boolean(back));
    json_object_set_new(facts, "may_return", json_boolean(strcmp(who->owner, before) == 0));
    step_tell(step, game, POST_TOLD, "seat_lost", 0, before, facts);
    step_urgent(step, 1);
}

/* The lines of the turns before are those of whoever sat there. */
static void forget_own(json_t *facts)
{
    json_object_del(facts, "own");
    json_object_del(facts, "refused_first");
}

int standby_sit(struct step *step, struct game *game, const struct sitting *sitting, json_t *evidence,
                struct err *err)
{
    int seat = sitting->seat;
    const char *player = sitting->player;
    bool back = sitting->back;
    char before[PLAYER_NAME];
    bool robot = game->seat[seat].robot;
    memcpy(before, game->seat[seat].player, sizeof before);
    json_object_set_new(evidence, "seat", json_integer(seat));
    json_object_set_new(evidence, "player", json_string(player));
    json_object_set_new(evidence, "why", json_string(back ? "back" : "standby"));
    if (step_record(step, game, "seat", evidence, NULL, err))
        return -1;
    json_t *facts = seat_facts(game, seat, seat, player);
    json_object_set_new(facts, "back", json_boolean(back));
    step_tell(step, game, POST_ANSWER, "seat_taken", 0, player, facts);
    step_report(step, game, game->turn == 1 ? POST_WELCOME : POST_REPORT, seat, false);
    forget_own(step->posts[step->post_count - 1].facts);
    tell_table(step, game, sitting, before, robot);
    return 0;
}
