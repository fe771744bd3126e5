/* The reports of the turn that was resolved last, with all that was played since the reader's last one. */
#include <stdlib.h>

#include "play/step_parts.h"

#include "game/game_seats.h"
#include "game/told.h"
#include "game/view.h"
#include "league/outside.h"
#include "league/registry.h"
#include "orders/script.h"
#include "play/facts.h"
#include "play/headline.h"
#include "play/press.h"
#include "play/typos.h"

/* How the turn came about. */
struct told {
    json_t *since;                   /* what has been played since the reader's last report, owned */
    bool missed;                     /* without orders of the seat's player */
    const struct resolved *resolved; /* the turn that was played just now; NULL = the view is to be made */
    const json_t *away;              /* the vacations that the new deadline was moved for */
    json_t *files;                   /* that go with it, borrowed; NULL = none */
    bool begun;                      /* it is the reader's first one, and tells of the deal as well */
};

static bool is_own(const struct value *one)
{
    const struct value *event = value_first(one);
    return event && value_is_true(value_get(event, "you"));
}

/* Is it one of these events? */
static bool is_listed(const char *events, const struct value *one)
{
    const struct value *event = value_first(one);
    return events && event && word_listed(events, event->name.p);
}

/* Does it, or what belongs to it, concern the reader? */
static bool touches(const struct value *one, const char *belong)
{
    bool own = is_own(one);
    while (!own && (one = one->next) && is_listed(belong, one))
        own = is_own(one);
    return own;
}

/* Those that the reader is told of: nothing twice, and of the others' routine none. Who watches has no others. */
static const struct value *choose_news(const struct game *game, int seat, const struct value *news)
{
    const struct ruleset_shown *shown = &game->ruleset->shown;
    struct arena *arena = value_arena(news);
    struct value *own = value_list(arena), *others = shown->own_first ? value_list(arena) : own, *to = own;
    for (const struct value *one = value_first(news); one; one = one->next) {
        const struct value *event = value_first(one);
        const bool whole = !seat || is_own(one) || !event || !value_get(event, "seat");
        if (!is_listed(shown->belong, one))
            to = !seat || touches(one, shown->belong) ? own : others;
        if (!is_listed(shown->repeated, one) && (whole || !is_listed(shown->routine, one)))
            value_add(to, one);
    }
    for (const struct value *one = others != own ? value_first(others) : NULL; one; one = one->next)
        value_add(own, one);
    return own;
}

/* What is said of the turn in `own` (facts_own) where all was done; else NULL, as it stands apart. */
static const json_t *done_in(const json_t *own, const json_t *number)
{
    const json_t *turn;
    size_t i;
    json_array_foreach (json_object_get(own, "turns"), i, turn)
        if (json_is_true(json_object_get(own, "all_done")) &&
            json_equal(json_object_get(turn, "turn"), number))
            return turn;
    return NULL;
}

/* "turns": [{"turn","several","news","own_done"}], those with news or orders that were all done, and whether there are none. The view
 * keeps the events, whose names are borrowed. */
static void put_turns(struct value *facts, struct view *view, const struct game *game, int seat,
                      json_t *since, const json_t *own)
{
    struct value *turns = value_put_list(facts, "turns");
    size_t i;
    json_t *turn;
    json_array_append(view->events, since);
    json_array_foreach (since, i, turn) {
        const struct value *all = view_news(&view->arena, game, seat, json_object_get(turn, "events"));
        const struct value *news = choose_news(game, seat, all);
        const json_t *done = game->over ? NULL : done_in(own, json_object_get(turn, "turn"));
        if (!value_count(news) && !done)
            continue;
        struct value *one = value_add_object(turns);
        value_put_int(one, "turn", json_integer_value(json_object_get(turn, "turn")));
        value_put_flag(one, "several", json_array_size(since) > 1);
        value_put_flag(one, "deal", !json_integer_value(json_object_get(turn, "turn")));
        value_put(one, "news", news);
        value_put(one, "own_done", done ? value_of_json(&view->arena, done) : &value_false);
    }
    value_put_flag(facts, "nothing_new", !value_count(turns));
}

/* The last turn alone for whoever comes back to the end after more than a round of the table; they are told of the moments before it. */
static json_t *story(const struct game *game, json_t *since)
{
    const size_t turns = json_array_size(since);
    return game->over && turns > (size_t)game->seats ? json_pack("[O]", json_array_get(since, turns - 1))
                                                     : json_incref(since);
}

/* A robot played the turn that its player has missed. */
static bool robot_played(const struct game *game, int seat)
{
    struct str always = STR_INIT;
    standing_always(&always, slice_str(&game->seat[seat].standing), game->ruleset->language);
    const bool played = !always.len && game_robot_stands_in(game, seat);
    str_release(&always);
    return played;
}

/* The salt of the seat's seal in that record. */
static const struct sealed *find_seal(const struct step *step, int64_t seq, int seat)
{
    for (size_t i = step->opened.count; i-- > 0;) {
        const struct sealed *one = &step->opened.list[i];
        if (one->seq == seq && one->seat == seat && one->item == SEAL_REPORT)
            return one;
    }
    return NULL;
}

/* Before the view has names: what was sealed has none. */
static void open_report(const struct step *step, const struct game *game, int seat,
                        const struct resolved *resolved, struct str *out)
{
    const struct sealed *sealed = find_seal(step, step->proofs.turn, seat);
    const struct slice records = slice_str(&step->records);
    struct slice from = slice_sub(records, step->proofs.line, records.len), line;
    if (!sealed || !slice_line(&from, &line))
        return;
    json_t *names = json_array(), *robots = json_array();
    for (int other = 1; other <= game->seats; other++) {
        json_array_append_new(names, json_string(game->seat[other].player));
        if (game->seat[other].robot && game->seat[other].resigned)
            json_array_append_new(robots, json_integer(other));
    }
    json_t *how = json_pack("{s:o,s:o,s:o,s:i,s:b}", "names", names, "robots", robots, "salt",
                            json_hex(sealed->salt, sizeof sealed->salt), "seat", seat, "standing",
                            game->seat[seat].standing.len > 0);
    str_addf(out, "%.*s\n", (int)line.len, line.p);
    json_write(out, how);
    str_addc(out, '\n');
    turn_told(out, &resolved->result, seat);
    str_addc(out, '\n');
    json_decref(how);
}

static void report(struct step *step, const struct game *game, enum post_kind kind, int seat,
                   const struct told *told)
{
    json_t *since = told->since;
    json_t *facts = facts_game(game, seat), *shown = story(game, since);
    facts_own(facts, game, seat, shown);
    facts_standing(facts, game, seat);
    facts_ending(facts, game, seat);
    facts_vouched(facts, seat, since);
    if (game_unsettled(game) & SEAT_BIT(seat))
        typos_facts(facts, game, seat, NULL);
    if (!game->over)
        facts_away(facts, told->away, seat);
    json_object_set_new(facts, "missed", json_boolean(told->missed));
    json_object_set_new(facts, "missed_in_a_row",
                        game->seat[seat].missed > 1 ? json_integer(game->seat[seat].missed) : json_false());
    json_object_set_new(facts, "robot_after",
                        game->attendance.missed_robot ? json_integer(game->attendance.missed_robot)
                                                      : json_false());
    json_object_set_new(facts, "robot_played", json_boolean(told->missed && robot_played(game, seat)));
    json_object_set_new(facts, "journal_attached", json_boolean(told->files != NULL));
    json_object_set_new(facts, "stopped", json_false()); /* until step_resolve knows better */
    step_post(step, game, kind, seat, facts);
    struct post *post = &step->posts[step->post_count - 1];
    post->attach = json_incref(told->files);
    struct view *just = told->resolved ? told->resolved->result.view[seat] : NULL;
    post->view = just ? view_share(just) : view_of(game, seat);
    post->press = press_facts_report(game, seat, since);
    if (told->resolved && kind == POST_REPORT && !told->begun && !game->over)
        open_report(step, game, seat, told->resolved, &post->opens);
    post->told = view_tell(post->view, game, seat, NULL);
    put_turns(post->told, post->view, game, seat, shown, json_object_get(facts, "own"));
    headline_put(post->told, game, seat, told->missed, told->begun);
    post->welcome = told->begun;
    json_decref(shown);
    json_decref(since);
}

void step_report(struct step *step, const struct game *game, enum post_kind kind, int seat, bool missed)
{
    report(step, game, kind, seat,
           &(struct told){told_since(game, game->seat[seat].told_before), .missed = missed});
}

/* What the seat was not told of yet, in no report. */
static json_t *untold(const struct game *game, int seat)
{
    return game->seat[seat].told < game->turn ? told_since(game, game->seat[seat].told) : json_array();
}

int step_last_reports(struct step *step, const struct game *game, struct err *err)
{
    json_t *files = NULL;
    if (game->turn < 2 && !game_cut_short(game))
        return 0;
    int rc = step_files(step, game, &files, err);
    for (int seat = 1; rc == 0 && seat <= game->seats; seat++)
        if (seat_has_person(game, seat))
            report(step, game, POST_REPORT, seat, &(struct told){untold(game, seat), .files = files});
    json_decref(files);
    return rc;
}

json_t *step_observed(const struct game *game, int from)
{
    json_t *facts = facts_game(game, 0);
    json_t *since = told_since(game, from);
    struct view *view = view_of(game, 0);
    struct value *told = view_tell(view, game, 0, NULL);
    facts_own(facts, game, 0, since);
    put_turns(told, view, game, 0, since, NULL);
    headline_put(told, game, 0, false, false);
    json_object_update_new(facts, value_json(told));
    facts_ending(facts, game, 0);
    view_drop(view);
    json_decref(since);
    return facts;
}

static void tell_observer(struct step *step, const struct game *game, const char *name)
{
    const struct outside *outside = step->keys.outside;
    const struct player *player = outside ? registry_find(outside->players, name) : NULL;
    bool each_move = player && player->each_move;
    if (!each_move && game->told.watched != game->turn)
        return;
    step_tell(step, game, POST_TOLD, "observed", 0, name,
              step_observed(game, each_move ? game->turn - 1 : game->told.watched_before));
    step->posts[step->post_count - 1].optional = true;
}

/* Takes back the report of the deal, if it is still to leave: where robots move first, the next one comes at once, and tells of both. */
static bool drop_first(struct step *step, int seat)
{
    for (size_t i = 0; step->begun && i < step->post_count; i++) {
        if (step->posts[i].kind != POST_WELCOME || step->posts[i].seat != seat)
            continue;
        step_drop_post(step, i);
        return true;
    }
    return false;
}

static void report_turn(struct step *step, const struct game *game, enum post_kind kind, int seat,
                        uint32_t missed, const struct resolved *resolved)
{
    struct told told = {.missed = missed & SEAT_BIT(seat),
                        .resolved = resolved,
                        .away = resolved->away,
                        .files = resolved->files,
                        .begun = kind == POST_REPORT && drop_first(step, seat)};
    json_t *since = told_since(game, game->seat[seat].told_before);
    told.since = told.begun ? json_copy(step->begun) : json_incref(since);
    if (told.begun)
        json_array_extend(told.since, since);
    json_decref(since);
    report(step, game, kind, seat, &told);
}

void step_post_reports(struct step *step, const struct game *game, enum post_kind kind, uint32_t missed,
                       const struct resolved *resolved)
{
    struct slice rest = slice_str(&game->observers.names);
    struct slice name;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot && game->seat[seat].told == game->turn)
            report_turn(step, game, kind, seat, missed, resolved);
    while (slice_word(&rest, &name)) {
        char *observer = slice_dup(name);
        tell_observer(step, game, observer);
        free(observer);
    }
}
