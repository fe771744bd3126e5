/* Moderators and one seat of a game: another player for it, orders for it, its last report again. */
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "play/facts.h"
#include "petitions/moderate.h"
#include "game/seating.h"
#include "play/step_parts.h"
#include "play/standby.h"
#include "play/trial.h"
#include "game/game_seats.h"

/* ---- words ---- */

/* Is the last word read a code of a seat other than the one it was resolved to? That only happens if an old
 * player is named "p3". The audit of old records reads that as a name, so a different guess here would not
 * do, and that one may hit the wrong seat. */
static bool two_meanings(const struct game *game, struct slice taken, int seat)
{
    struct slice word = taken;
    struct slice next;
    while (slice_word(&taken, &next))
        word = next;
    int code = seating_named(word);
    return code && code <= game->seats && code != seat;
}

/* The seat; 0 with a refusal. */
static int read_seat(struct ruling *ruling, struct slice *rest)
{
    const struct game *game = ruling->game;
    struct slice from = *rest;
    int seat = seat_named(game, rest);
    if (seat && two_meanings(game, slice_sub(from, 0, from.len - rest->len), seat)) {
        (void)hearing_refuse(ruling->hearing, "name_of_two name=%s seat_player=%s seat=%d",
                             game->seat[seat].player, game->seat[seat].player, seat);
        return 0;
    }
    if (!seat)
        (void)hearing_refuse(ruling->hearing, "do_takes_seat do=%s game=%s seats=%d", ruling->action->word,
                             game->id, game->seats);
    return seat;
}

static json_t *seat_facts(const struct ruling *ruling, int seat)
{
    return json_pack("{s:i,s:s}", "about_seat", seat, "about_player", ruling->game->seat[seat].player);
}

/* ---- replace ---- */

static bool may_sit(struct ruling *ruling, const char *name)
{
    const struct registry *registry = &ruling->batch->registry;
    const struct player *player = registry_find(registry, name);
    if (!player)
        (void)hearing_refuse(ruling->hearing, "unknown_player name=%s", name);
    else if (player->banned)
        (void)hearing_refuse(ruling->hearing, "player_banned player=%s", name);
    else if (game_seat_of(ruling->game, name))
        (void)hearing_refuse(ruling->hearing, "has_seat player=%s game=%s", name, ruling->game->id);
    return !ruling->hearing->refusal;
}

struct replaced {
    int seat;
    char before[PLAYER_NAME];
    char to[PLAYER_NAME]; /* for whom the seat is kept; "" = a robot plays on */
};

static json_t *replaced_facts(const struct ruling *ruling, const struct replaced *how, int reader)
{
    json_t *what = seat_facts(ruling, how->seat);
    json_object_set_new(what, "before", json_string(how->before));
    json_object_set_new(what, "is_you", json_boolean(reader == how->seat));
    if (*how->to)
        json_object_set_new(what, "to", json_string(how->to));
    json_t *facts = ruling_facts(ruling, reader, what);
    json_decref(what);
    return facts;
}

static void tell_replaced(struct ruling *ruling, const char *player, void *how)
{
    const struct replaced *replaced = how;
    if (strcmp(player, replaced->before) != 0 && strcmp(player, replaced->to) != 0)
        ruling_tell(ruling, 0, player, replaced_facts(ruling, replaced, 0));
}

static void announce_replaced(struct ruling *ruling, struct replaced *how, bool person_before)
{
    const struct game *game = ruling->game;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot)
            ruling_tell(ruling, seat, "", replaced_facts(ruling, how, seat));
    if (person_before)
        ruling_tell(ruling, 0, how->before, replaced_facts(ruling, how, 0));
    if (*how->to)
        standby_chosen(ruling->step, game, how->seat);
    ruling_moderators(ruling, tell_replaced, how);
}

/* "bob by dora", "2 robot". A robot plays at once; somebody else has the seat when they say so themselves. */
enum outcome moderate_replace(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    struct slice rest = ruling->words;
    char name[PLAYER_NAME] = "";
    struct replaced how = {.seat = read_seat(ruling, &rest)};
    if (!how.seat)
        return OUTCOME_REFUSED;
    bool found = name_word(&rest, name);
    if (found && (strcmp(name, "by") == 0 || strcmp(name, "with") == 0))
        found = name_word(&rest, name);
    if (!found || slice_trim(rest).len)
        return hearing_refuse(ruling->hearing, "replace_takes");
    const bool robot = strcmp(name, "robot") == 0, robot_before = game->seat[how.seat].robot;
    if (robot && robot_before)
        return hearing_refuse(ruling->hearing, "robot_already seat=%d", how.seat);
    if (!robot && !may_sit(ruling, name))
        return OUTCOME_REFUSED;
    memcpy(how.before, game->seat[how.seat].player, sizeof how.before);
    json_t *fields = json_pack("{s:i}", "seat", how.seat);
    if (!robot_before)
        json_object_set_new(fields, "robot", json_string(how.before));
    if (!robot) {
        char until[CLOCK_TEXT];
        memcpy(how.to, name, sizeof how.to);
        clock_utc(until, ruling->step->now + ruling->batch->league->config.league.standby_time);
        json_object_set_new(fields, "to", json_string(name));
        json_object_set_new(fields, "until", json_string(until));
    }
    if (ruling_record(ruling, fields, err))
        return OUTCOME_FAILED;
    announce_replaced(ruling, &how, !robot_before);
    return ruling_go_on(ruling, err);
}

/* ---- orders ---- */

static bool asks_for(const struct script *script, const char *word)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (line->kind == LINE_COMMON && strcmp(line->verb, word) == 0)
            return true;
    }
    return false;
}

/* Every line must be understood: nobody checks it again before it counts. */
static bool good_orders(struct ruling *ruling, const struct script *script, bool later)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (line->kind == LINE_BAD) {
            (void)hearing_refuse(ruling->hearing, "bad_line number=%d", line->number);
            json_object_set(json_object_get(ruling->hearing->refusal, "bad_line"), "unread", line->why);
            return false;
        }
    }
    if (later)
        (void)hearing_refuse(ruling->hearing, "only_turn turn=%d", ruling->game->turn);
    else if (asks_for(script, "try") || asks_for(script, "resign"))
        (void)hearing_refuse(ruling->hearing, "not_for_others");
    else if (turn_content(script) == CONTENT_NOTHING)
        (void)hearing_refuse(ruling->hearing, "no_order");
    return !ruling->hearing->refusal;
}

/* Everybody is told of it; only the player of the seat is told what the orders are and would do. */
static void announce_orders(struct ruling *ruling, int seat, const struct script *script, json_t *told)
{
    const struct game *game = ruling->game;
    struct replaced how = {.seat = seat};
    memcpy(how.before, game->seat[seat].player, sizeof how.before);
    for (int reader = 1; reader <= game->seats; reader++) {
        if (game->seat[reader].robot)
            continue;
        json_t *facts = replaced_facts(ruling, &how, reader);
        if (reader == seat) {
            trial_add(facts, game, seat, script, told);
            if (told)
                facts_news(facts, game, seat, told);
            facts_standing(facts, game, seat);
            json_object_set_new(facts, "with_lines", json_true());
        }
        ruling_tell(ruling, reader, "", facts);
    }
    ruling_moderators(ruling, tell_replaced, &how);
}

/* Makes the record, carries out what takes effect at once, sends the mails. */
static int set_orders(struct ruling *ruling, int seat, const struct script *script, struct err *err)
{
    struct game *game = ruling->game;
    json_t *told = NULL;
    ruling->secret = true;
    json_t *fields = json_pack("{s:i,s:i}", "turn", game->turn, "seat", seat);
    ruling_box(ruling, seat, SEAL_ORDERS, json_pack("{s:o}", "lines", json_text(ruling->text)), fields);
    if (ruling_record(ruling, fields, err))
        return -1;
    if (game->ruleset->instant && script_has_instant(script) &&
        step_instant(ruling->step, game, seat, &told, err))
        return -1;
    announce_orders(ruling, seat, script, told);
    json_decref(told);
    return ruling_go_on(ruling, err);
}

enum outcome moderate_orders(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    struct slice rest = ruling->words;
    struct slice later;
    struct str named = STR_INIT;
    int seat = read_seat(ruling, &rest);
    if (!seat)
        return OUTCOME_REFUSED;
    if (slice_trim(rest).len)
        return hearing_refuse(ruling->hearing, "orders_takes");
    if (ruling->seat && ruling->seat != seat)
        return hearing_refuse(ruling->hearing, "you_play game=%s", game->id);
    if (game->seat[seat].robot)
        return hearing_refuse(ruling->hearing, "robot_plays seat=%d", seat);
    if (!game_may_order(game, seat))
        return hearing_refuse(ruling->hearing, "not_wanted seat=%d turn=%d", seat, game->turn);
    turn_names(&named, game, ruling->text);
    struct slice now = turn_block(slice_str(&named), game->turn, &later);
    struct script *script = script_parse(now, game->ruleset->language);
    enum outcome outcome =
        good_orders(ruling, script, later.len > 0) ? set_orders(ruling, seat, script, err) : OUTCOME_REFUSED;
    script_free(script);
    str_release(&named);
    return outcome;
}

/* ---- resend ---- */

enum outcome moderate_resend(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    struct slice rest = ruling->words;
    int seat = read_seat(ruling, &rest);
    if (!seat)
        return OUTCOME_REFUSED;
    if (slice_trim(rest).len)
        return hearing_refuse(ruling->hearing, "resend_takes");
    if (game->seat[seat].robot)
        return hearing_refuse(ruling->hearing, "robot_unread seat=%d", seat);
    if (ruling_record(ruling, json_pack("{s:i}", "seat", seat), err))
        return OUTCOME_FAILED;
    step_report(ruling->step, game, game->turn == 1 ? POST_WELCOME : POST_REPORT, seat, false);
    if (ruling->seat != seat) {
        json_t *what = seat_facts(ruling, seat);
        ruling_tell(ruling, ruling->seat, ruling->by, ruling_facts(ruling, ruling->seat, what));
        json_decref(what);
    }
    return OUTCOME_DONE;
}
