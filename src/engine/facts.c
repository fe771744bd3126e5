#include "engine/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "engine/witness.h"
#include "engine/view.h"

#define TIME_ENDING "_at"

static void put_time(json_t *facts, const char *key, int64_t time, const struct zone *own)
{
    struct str text = STR_INIT;
    clock_three(&text, time, own);
    json_object_set_new(facts, key, json_string(text.p));
    str_release(&text);
}

void facts_time(json_t *facts, const char *key, int64_t time)
{
    struct str at = STR_INIT;
    put_time(facts, key, time, NULL);
    str_addf(&at, "%s" TIME_ENDING, key);
    json_object_set_new(facts, at.p, json_integer(time));
    str_release(&at);
}

void facts_zone(json_t *facts, const struct zone *zone)
{
    const char *key;
    json_t *value;
    json_t *copy = json_copy(facts); /* changed while it is walked */
    json_object_foreach (copy, key, value) {
        size_t len = strlen(key);
        char *name = len > strlen(TIME_ENDING) && str_ends(key, TIME_ENDING)
                         ? mem_strndup(key, len - strlen(TIME_ENDING))
                         : NULL;
        if (name && json_is_integer(value) && json_is_string(json_object_get(copy, name)))
            put_time(facts, name, json_integer_value(value), zone);
        free(name);
    }
    json_decref(copy);
}

json_t *facts_open(const struct game *game)
{
    json_t *list = json_array();
    for (size_t i = 0; i < game->waiting_count; i++)
        json_array_append_new(list, json_pack("{s:s}", "name", game->waiting[i].player));
    int free_seats = game_free_seats(game);
    json_t *open = json_pack("{s:i,s:i,s:b,s:b}", "free", free_seats, "of", game->seats, "room",
                             free_seats > 0, "last_seat", free_seats == 1);
    if (json_array_size(list))
        json_object_set_new(open, "list", json_pack("{s:O}", "names", list));
    json_decref(list);
    return open;
}

json_t *facts_missing(const struct game *game)
{
    uint32_t missing = game_missing(game);
    json_t *list = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        if (missing & SEAT_BIT(seat))
            json_array_append_new(list, json_pack("{s:s}", "name", game->seat[seat].player));
    return list;
}

/* The seats as templates want them; `*waiting` becomes the names of the others who are awaited, with commas
 * to come between them. */
static json_t *seats_json(const struct game *game, int seat, json_t **waiting)
{
    uint32_t missing = game_missing(game);
    struct score scores[SEATS_MAX + 1];
    json_t *seats = json_array();
    *waiting = json_array();
    memset(scores, 0, sizeof scores);
    if (game->turn) /* an undealt state says nothing */
        game->ruleset->scores(game->cards, game->state, scores);
    for (int i = 1; i <= game->seats; i++) {
        const struct game_seat *who = &game->seat[i];
        json_array_append_new(seats,
                              json_pack("{s:i,s:s,s:b,s:b,s:b,s:b,s:b,s:b,s:b}", "seat", i, "name",
                                        *who->player ? who->player : "(free)", "free", !*who->player, "robot",
                                        who->robot, "you", i == seat, "awaited", (missing & SEAT_BIT(i)) != 0,
                                        "out", !game->over && scores[i].fate == SEAT_LOST, "by_number",
                                        turn_name_taken(game->ruleset, game->cards, who->player), "more",
                                        i < game->seats));
        if ((missing & SEAT_BIT(i)) && i != seat)
            json_array_append_new(*waiting, json_pack("{s:s,s:b}", "name", who->player, "more", 1));
    }
    if (json_array_size(*waiting) > 0)
        json_object_set_new(json_array_get(*waiting, json_array_size(*waiting) - 1), "more", json_false());
    return seats;
}

/* What stands between the game and its next turn. */
static void facts_obstacles(json_t *facts, const struct game *game)
{
    if (game->voided)
        json_object_set_new(facts, "voided", json_true());
    if (game->turn == 0 && !game->over)
        json_object_set_new(facts, "open", facts_open(game));
    if (game->paused && !game->over)
        json_object_set_new(facts, "game_paused", json_true());
    else if (game->held && !game->over)
        json_object_set_new(facts, "game_held", json_true());
    if (game->witness_count)
        json_object_set_new(facts, "witnesses", json_pack("{s:o}", "names", witness_names(game, false)));
    if (witness_waits(game))
        json_object_set_new(facts, "closed", json_pack("{s:o}", "names", witness_names(game, true)));
}

static void facts_deadline(json_t *facts, const struct game *game)
{
    if (!game->deadline || game->over)
        return;
    int64_t earliest = game->opened + game->clock.minimum;
    facts_time(facts, "deadline", game->deadline);
    if (!game->clock.early)
        json_object_set_new(facts, "at_deadline", json_true());
    else if (game->clock.minimum && earliest < game->deadline)
        facts_time(facts, "not_before", earliest);
}

json_t *facts_game(const struct game *game, int seat)
{
    uint32_t wanted = game->over || game->turn == 0 ? 0 : game->ruleset->awaits(game->state);
    bool wanted_now = seat && (wanted & SEAT_BIT(seat));
    char head[2 * HEAD_BYTES + 1];
    json_t *waiting;
    json_t *seats = seats_json(game, seat, &waiting);
    hex_to(head, game->opened_head, HEAD_BYTES);
    head[16] = '\0';
    json_t *facts = json_pack("{s:s,s:s,s:s,s:i,s:i,s:b,s:o,s:i,s:s,s:s}", "game", game->id, "title",
                              game->ruleset->title, "folder", game->ruleset->folder, "turn", game->turn,
                              "last_turn", game->turn - 1, "over", game->over, "seats", seats, "seat", seat,
                              "player", seat ? game->seat[seat].player : "", "answer_head", head);
    json_object_set_new(facts, "your_turn", json_boolean(wanted_now));
    json_object_set_new(facts, "can_order",
                        json_boolean(wanted_now || (wanted && game_may_order(game, seat))));
    json_object_set_new(facts, "several_seats", json_boolean(game->seats > 1));
    if (json_array_size(waiting) > 0)
        json_object_set_new(facts, "waiting", json_pack("{s:O}", "names", waiting));
    json_decref(waiting);
    facts_obstacles(facts, game);
    facts_deadline(facts, game);
    return facts;
}

/* ---- events ---- */

/* The reason of a refusal in template form: {"not_explored": {parameters}}, or {"error": "sentence"}. */
static void add_reason(json_t *line, const json_t *event)
{
    const char *reason = json_string_value(json_object_get(event, "reason"));
    json_t *error = json_object_get(event, "error");
    if (reason) {
        json_t *why = json_object();
        json_object_set_new(why, reason, json_deep_copy(event));
        json_object_set_new(line, "why", why);
    }
    if (error)
        json_object_set(line, "error", error);
}

static json_t *line_facts(const json_t *event)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    json_t *line = json_pack("{s:O?,s:O?,s:b}", "number", json_object_get(event, "line"), "order",
                             json_object_get(event, "order"), type, 1);
    if (strcmp(type, "refused") == 0)
        add_reason(line, event);
    return line;
}

/* In the order of the lines, whatever phase they ran in; a line's own pieces as they ran. */
static void place_line(json_t *lines, json_t *line)
{
    json_int_t number = json_integer_value(json_object_get(line, "number"));
    size_t at = json_array_size(lines);
    while (at && json_integer_value(json_object_get(json_array_get(lines, at - 1), "number")) > number)
        at--;
    json_array_insert_new(lines, at, line);
}

void facts_lines(json_t *facts, int seat, const json_t *events)
{
    json_t *lines = json_array();
    enum order_result fate;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const char *type = json_string_value(json_object_get(event, "type"));
        bool own = json_integer_value(json_object_get(event, "seat")) == seat;
        if (own && type && event_fate(type, &fate))
            place_line(lines, line_facts(event));
    }
    if (json_array_size(lines) > 0)
        json_object_set_new(facts, "orders", json_pack("{s:O}", "lines", lines));
    json_decref(lines);
}

void facts_events(json_t *facts, const struct game *game, int seat)
{
    facts_news(facts, game, seat, game->last_events);
}

void facts_news(json_t *facts, const struct game *game, int seat, const json_t *events)
{
    struct arena arena = {NULL, NULL, 0};
    facts_lines(facts, seat, events);
    json_object_set_new(facts, "news", value_json(view_news(&arena, game, seat, events)));
    arena_release(&arena);
}

/* ---- view and scores ---- */

json_t *facts_scores(const struct game *game, int seat)
{
    struct score scores[SEATS_MAX + 1];
    json_t *list = json_array();
    memset(scores, 0, sizeof scores);
    game->ruleset->scores(game->cards, game->state, scores);
    for (int place = 0; place <= game->seats; place++) {
        /* places 1.. first, those without a place last */
        int wanted = place < game->seats ? place + 1 : 0;
        for (int i = 1; i <= game->seats; i++) {
            const struct score *score = &scores[i];
            if (score->place != wanted)
                continue;
            json_array_append_new(list,
                                  json_pack("{s:i,s:s,s:i,s:b,s:b,s:i,s:s,s:b}", "seat", i, "name",
                                            game->seat[i].player, "points", score->points, "won", score->won,
                                            "lost", score->fate == SEAT_LOST, "place", score->place, "rank",
                                            score->rank ? score->rank : "", "you", i == seat));
        }
    }
    return list;
}

void facts_standing(json_t *facts, const struct game *game, int seat)
{
    struct slice rest = slice_str(&game->seat[seat].standing);
    struct slice line;
    json_t *list = json_array();
    while (slice_line(&rest, &line))
        json_array_append_new(list, json_text(line));
    if (json_array_size(list) > 0)
        json_object_set_new(facts, "standing", json_pack("{s:O}", "lines", list));
    json_decref(list);
}

void facts_later(json_t *facts, struct slice later)
{
    json_t *list = json_array();
    struct slice line;
    while (later.len) {
        int number = turn_line(later);
        if (number)
            json_array_append_new(list, json_pack("{s:i,s:b}", "number", number, "more", 1));
        (void)slice_line(&later, &line);
    }
    size_t count = json_array_size(list);
    if (count > 0) {
        json_object_set_new(json_array_get(list, count - 1), "more", json_false());
        json_object_set_new(facts, "later_turns",
                            json_pack("{s:O,s:b}", "numbers", list, "several", count > 1));
    }
    json_decref(list);
}

void facts_language(json_t *facts, const struct ruleset *ruleset)
{
    json_t *verbs = json_array();
    json_t *counters = json_array();
    for (const struct verb *v = ruleset->language->verbs; v->name; v++)
        json_array_append_new(verbs,
                              json_pack("{s:s,s:s,s:s}", "name", v->name, "args", v->args, "help", v->help));
    for (const struct counter *c = ruleset->language->counters; c->name; c++)
        json_array_append_new(counters,
                              json_pack("{s:s,s:s,s:s}", "name", c->name, "args", c->args, "help", c->help));
    json_object_set_new(facts, "verbs", verbs);
    json_object_set_new(facts, "counters", counters);
}

void facts_ending(json_t *facts, const struct game *game, int seat)
{
    if (!game->over)
        return;
    const char *ending = game->ruleset->ending(game->state);
    json_t *reason = json_object();
    json_object_set_new(reason, *ending ? ending : "ended", json_true());
    json_object_set_new(facts, "ending", reason);
    json_object_set_new(facts, "scores", facts_scores(game, seat));
}

void facts_view(json_t *facts, const struct game *game, int seat)
{
    if (game->turn == 0)
        return;
    struct view *view = view_of(game, seat);
    json_object_update_new(facts, value_json(view_tell(view, game, seat, NULL)));
    view_drop(view);
    facts_ending(facts, game, seat);
}

/* ---- preview ---- */

#define TRIALS 24

/* The fates of one order line (script_line.part) over the trial plays. */
struct tally {
    int result[4];   /* by enum order_result */
    json_t *refusal; /* the first one */
};

static void count_line(struct tally *tally, const struct event *event, int times)
{
    enum order_result fate;
    if (event->part >= 1 && event->part <= SCRIPT_LINES && event_fate(event->type, &fate))
        tally[event->part].result[fate] += times;
}

/* Keeps the first refusal of each line, as JSON, for its words. */
static void keep_refusals(struct tally *tally, const struct events *events, int seat)
{
    size_t seen = 0;
    json_t *all = events_json(events, seat);
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        if (!(event->visible & SEAT_BIT(seat)))
            continue;
        json_t *json = json_array_get(all, seen++);
        if (event->part >= 1 && event->part <= SCRIPT_LINES && strcmp(event->type, "refused") == 0 &&
            !tally[event->part].refusal)
            tally[event->part].refusal = json_incref(json);
    }
    json_decref(all);
}

/* A line was refused whose reason is not kept yet. */
static bool lacks_refusal(const struct tally *tally)
{
    for (int i = 1; i <= SCRIPT_LINES; i++)
        if (tally[i].result[ORDER_REFUSED] && !tally[i].refusal)
            return true;
    return false;
}

static void count_events(struct tally *tally, const struct events *events, int seat, int times)
{
    bool refused = false;
    for (size_t i = 0; i < events->count; i++) {
        if (events->list[i].seat != seat)
            continue;
        count_line(tally, &events->list[i], times);
        refused |= strcmp(events->list[i].type, "refused") == 0;
    }
    if (refused && lacks_refusal(tally))
        keep_refusals(tally, events, seat);
}

/* What is tried: the lines that are carried out at once, those of the turn, or both. */
struct trial {
    bool deals, turn;
};

/* One play of the orders on a copy of the state whose hidden parts are shuffled anew, so that nothing leaks.
 * How much luck was in it. */
static size_t try_once(const struct game *game, int seat, const struct seat_orders *orders, struct trial what,
                       int number, void *state, struct events *events)
{
    const struct ruleset *ruleset = game->ruleset;
    unsigned char seed[HEAD_BYTES + 4];
    struct chance chance;
    memcpy(seed, game->opened_head, HEAD_BYTES);
    put_le32(seed + HEAD_BYTES, (uint32_t)number);
    chance_seeded(&chance, seed, sizeof seed);
    memcpy(state, game->state, ruleset->state_size);
    ruleset->conceal(game->cards, state, seat, &chance);
    chance.luck = what.deals; /* what others hold may be against a deal */
    if (what.deals)
        turn_try_instant(game, seat, orders[seat].script, state, events);
    if (what.turn)
        ruleset->play(game->cards, state, orders, game->turn, &chance, events);
    return chance.luck;
}

/* Counts what becomes of the lines in TRIALS plays. When there is no luck in the first, all are like it. */
static void try_orders(const struct game *game, int seat, const struct script *script, struct trial what,
                       struct tally *tally)
{
    void *state = mem_alloc(game->ruleset->state_size);
    struct script *standing = turn_standing(game, seat);
    struct seat_orders orders[SEATS_MAX + 1] = {{NULL, false, NULL}};
    struct events events;
    bool differ = true;
    orders[seat].script = script;
    orders[seat].standing = standing;
    events_init(&events);
    events.fates_only = true;
    for (int number = 0; number < TRIALS && differ; number++) {
        events_clear(&events);
        differ = try_once(game, seat, orders, what, number, state, &events) > 0 || number > 0;
        count_events(tally, &events, seat, differ ? 1 : TRIALS);
    }
    events_release(&events);
    script_free(standing);
    free(state);
}

/* The last line before *end that is carried out at once and has this number; 0 if there is none. */
static int instant_part(const struct script *script, int64_t number, size_t *end)
{
    for (size_t i = *end; i > 0; i--) {
        if (!script_line_instant(script, i - 1) || script_line(script, i - 1)->number != number)
            continue;
        *end = i - 1;
        return script_line(script, i - 1)->part;
    }
    return 0;
}

/* Lines that were carried out at once have their fate already: one event each, in written order. */
static void count_instant(const json_t *told, int seat, const struct script *script, struct tally *tally)
{
    size_t end = script_line_count(script);
    for (size_t i = json_array_size(told); i > 0; i--) {
        json_t *event = json_array_get(told, i - 1);
        const char *type = json_string_value(json_object_get(event, "type"));
        enum order_result fate;
        if (!type || !event_fate(type, &fate) || json_integer_value(json_object_get(event, "seat")) != seat)
            continue;
        int part = instant_part(script, json_integer_value(json_object_get(event, "line")), &end);
        if (!part)
            break;
        tally[part].result[fate]++;
        if (fate == ORDER_REFUSED && !tally[part].refusal)
            tally[part].refusal = json_incref(event);
    }
}

static void judge_line(json_t *line, const struct tally *tally, bool awaited)
{
    int done = tally->result[ORDER_DONE];
    int failed = tally->result[ORDER_FAILED];
    int refused = tally->result[ORDER_REFUSED];
    int skipped = tally->result[ORDER_SKIPPED];
    int all = done + failed + refused + skipped;
    if (all == 0 && !awaited) {
        json_object_set_new(line, "waits", json_true());
    } else if (all == 0 || done == all) {
        json_object_set_new(line, "will", json_true());
    } else if (refused == all) {
        json_object_set_new(line, "refused", json_true());
        add_reason(line, tally->refusal);
    } else if (skipped == all) {
        json_object_set_new(line, "skipped", json_true());
    } else if (done + failed == 0) {
        json_object_set_new(line, "unlikely", json_pack("{s:i,s:i}", "refusals", refused, "of", all));
        add_reason(line, tally->refusal);
    } else {
        json_object_set_new(line, "depends",
                            json_pack("{s:i,s:i,s:b}", "done", done, "of", all, "die", failed > 0));
    }
}

/* A deal: it has been made, or would be made as soon as the mail is read. What another seat holds may be
 * against it. */
static void judge_instant(json_t *line, const struct tally *tally, bool tried)
{
    int done = tally->result[ORDER_DONE];
    int skipped = tally->result[ORDER_SKIPPED];
    if (tried && done)
        json_object_set_new(line, "at_once",
                            json_pack("{s:b}", "maybe", tally->result[ORDER_REFUSED] + skipped > 0));
    else if (done)
        json_object_set_new(line, "done", json_true());
    else
        judge_line(line, tally, true);
}

/* SAY to nobody: the name is no player's. */
static bool unheard(const struct game *game, const struct script_line *line)
{
    struct slice rest = line->rest;
    struct slice whom;
    if (!line->verb || strcmp(line->verb, "say") != 0 || !slice_word(&rest, &whom) ||
        slice_caseeq(whom, "all"))
        return false;
    for (int seat = 1; seat <= game->seats; seat++)
        if (slice_caseeq(whom, game->seat[seat].player))
            return false;
    return true;
}

void facts_preview(json_t *facts, const struct game *game, int seat, const struct script *script,
                   const json_t *told)
{
    struct tally tally[SCRIPT_LINES + 1];
    json_t *lines = json_array();
    memset(tally, 0, sizeof tally);
    bool awaited = (game_awaited(game) & SEAT_BIT(seat)) != 0;
    struct trial what = {!told && game->ruleset->instant && script_has_instant(script), awaited};
    if (what.deals || what.turn)
        try_orders(game, seat, script, what, tally);
    json_object_set_new(facts, "early", json_boolean(!awaited));
    count_instant(told, seat, script, tally);
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *part = script_line(script, i);
        json_t *line = json_pack("{s:i,s:o}", "number", part->number, "text", json_text(part->text));
        if (part->kind == LINE_BAD) {
            json_object_set_new(line, "refused", json_true());
            json_object_set_new(line, "error", json_string(part->error));
        } else if (part->kind == LINE_WHEN || part->kind == LINE_ALWAYS) {
            json_object_set_new(line, "in_force", json_true());
        } else if (part->kind == LINE_ORDERS && script_line_instant(script, i)) {
            judge_instant(line, &tally[part->part], !told);
        } else if (part->kind == LINE_ORDERS) {
            judge_line(line, &tally[part->part], awaited);
        } else if (part->kind == LINE_COMMON && unheard(game, part)) {
            json_object_set_new(line, "unheard", json_true());
        } else {
            json_object_set_new(line, "noted", json_true());
        }
        json_array_append_new(lines, line);
    }
    for (int i = 0; i <= SCRIPT_LINES; i++)
        json_decref(tally[i].refusal);
    json_object_set_new(facts, "no_lines", json_boolean(json_array_size(lines) == 0));
    json_object_set_new(facts, "lines", lines);
}
