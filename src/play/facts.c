#include "play/facts.h"
#include "game/seating.h"
#include "game/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/moment.h"
#include "base/utf8.h"
#include "base/mem.h"
#include "game/witness.h"
#include "play/deadline.h"
#include "game/told.h"
#include "game/turn.h"
#include "game/view.h"

#define TIME_ENDING "_at"
#define QUOTE_MOST  120 /* bytes of a line that is quoted */

void facts_time(json_t *facts, const char *key, int64_t time)
{
    struct str at = STR_INIT;
    json_object_set_new(facts, key, moment_json(time, NULL));
    str_addf(&at, "%s" TIME_ENDING, key);
    json_object_set_new(facts, at.p, json_integer(time));
    str_release(&at);
}

void facts_limit(json_t *facts, const char *whom, int64_t until)
{
    json_object_del(facts, "goes_silent"); /* of another reader */
    if (!until)
        return;
    json_object_set_new(facts, "goes_silent", json_pack("{s:b}", whom, 1));
    facts_time(facts, "silent_until", until);
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
        if (name && json_is_integer(value) && json_is_object(json_object_get(copy, name)))
            json_object_set_new(facts, name, moment_json(json_integer_value(value), zone));
        free(name);
    }
    json_decref(copy);
}

json_t *facts_final(const struct game *game)
{
    bool ends = !game->voided && (game->over || game_cut_short(game));
    return ends ? facts_scores(game, 0) : json_array();
}

json_t *facts_pace(const struct game *game)
{
    const int64_t seconds = game->clock.schedule.length;
    const bool days = seconds % DAY_SECONDS == 0;
    const int64_t count = days ? seconds / DAY_SECONDS : (seconds + 3599) / 3600;
    return seconds ? json_pack("{s:o,s:o,s:b}", "days", days ? json_integer(count) : json_false(), "hours",
                               days ? json_false() : json_integer(count), "one", count == 1)
                   : json_false();
}

json_t *facts_open(const struct game *game)
{
    json_t *list = json_array();
    for (size_t i = 0; i < game->table.waiting_count; i++)
        json_array_append_new(list, json_pack("{s:s}", "name", game->table.waiting[i].player));
    int free_seats = game_free_seats(game);
    for (uint32_t kept = seating_unanswered(game); kept; kept &= kept - 1)
        free_seats--;
    json_t *open = json_pack("{s:i,s:i,s:b,s:b}", "free", free_seats, "of", game->seats, "room",
                             free_seats > 0, "last_seat", free_seats == 1);
    json_object_set_new(open, "pace", facts_pace(game));
    if (json_array_size(list))
        json_object_set_new(open, "list", json_pack("{s:O}", "names", list));
    json_decref(list);
    if (game->clock.lockstep.on)
        facts_time(open, "dealt_at", game->clock.lockstep.opens);
    return open;
}

/* A day of a record, 2026-11-20, in words. */
static json_t *named_day(const json_t *text)
{
    int64_t number;
    return date_parse(slice_of(json_string_value(text)), &number) ? day_json(number) : json_null();
}

void facts_away(json_t *facts, const json_t *away, int seat)
{
    json_t *list = json_array();
    size_t i;
    json_t *one;
    json_array_foreach (away, i, one)
        json_array_append_new(list, json_pack("{s:O,s:o,s:o,s:b}", "player", json_object_get(one, "player"),
                                              "from", named_day(json_object_get(one, "from")), "to",
                                              named_day(json_object_get(one, "to")), "you",
                                              json_integer_value(json_object_get(one, "seat")) == seat));
    if (json_array_size(list))
        json_object_set_new(facts, "moved", json_pack("{s:O}", "away", list));
    json_decref(list);
}

json_t *facts_seats(const struct game *game, uint32_t seats)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        if (seats & SEAT_BIT(seat))
            json_array_append_new(list, json_pack("{s:s}", "name", game->seat[seat].player));
    return list;
}

/* The same with commas to come between them. */
static json_t *listed_seats(const struct game *game, uint32_t seats)
{
    json_t *list = facts_seats(game, seats);
    for (size_t i = 0; i < json_array_size(list); i++)
        json_object_set_new(json_array_get(list, i), "more", json_boolean(i + 1 < json_array_size(list)));
    return list;
}

/* The seats as templates want them. */
static json_t *seats_json(const struct game *game, int seat)
{
    bool shown = game_shown_to(game, seat);
    uint32_t missing = shown ? game_missing(game) : 0;
    struct score scores[SEATS_MAX + 1];
    json_t *seats = json_array();
    memset(scores, 0, sizeof scores);
    if (game->turn && shown) /* an undealt state has nothing to say */
        game->ruleset->end.scores(game->cards, game->state, scores);
    for (int i = 1; i <= game->seats; i++) {
        const struct game_seat *who = &game->seat[i];
        const char *kept = game->turn ? "" : seating_keeps(game, i);
        json_array_append_new(
            seats, json_pack("{s:i,s:s,s:b,s:b,s:b,s:b,s:b,s:b,s:b,s:b}", "seat", i, "name",
                             *who->player ? who->player : kept, "free", !*who->player && !*kept, "unanswered",
                             !*who->player && *kept, "robot", who->robot, "you", i == seat, "awaited",
                             (missing & SEAT_BIT(i)) != 0, "out", !game->over && scores[i].fate == SEAT_LOST,
                             "by_number", turn_name_taken(game->ruleset, game->cards, who->player), "more",
                             i < game->seats));
    }
    return seats;
}

static void facts_lockstep(json_t *facts, const struct game *game)
{
    if (!game->clock.lockstep.on)
        return;
    json_t *own = json_object();
    facts_time(own, "closes", game->clock.lockstep.closes);
    json_object_set_new(facts, "lockstep", own);
}

void facts_opening(json_t *facts, const struct game *game, int named)
{
    const struct lockstep *lockstep = &game->clock.lockstep;
    int turn = named > game->turn ? named : game->turn + 1;
    if (!lockstep->on)
        return;
    json_object_set_new(facts, "named_turn", json_integer(turn));
    if (lockstep_opens(lockstep, turn) < lockstep->closes)
        facts_time(facts, "opens", lockstep_opens(lockstep, turn));
}

/* What keeps the game from its next turn. */
static void facts_obstacles(json_t *facts, const struct game *game)
{
    if (game->voided)
        json_object_set_new(facts, "voided", json_true());
    if (game->turn == 0 && !game->over)
        json_object_set_new(facts, "open", facts_open(game));
    if (game->clock.paused && !game->over)
        json_object_set_new(facts, "game_paused", json_true());
    else if (game->clock.held && !game->over)
        json_object_set_new(facts, "game_held", json_true());
    if (game->witnesses.count)
        json_object_set_new(facts, "witnesses",
                            json_pack("{s:o}", "names", quorum_names(&game->witnesses, false)));
    if (game->witnesses.count && witness_waits(game, game->time))
        json_object_set_new(facts, "closed",
                            json_pack("{s:o}", "names", quorum_names(&game->witnesses, true)));
}

/* "due_in": {"days": 3} or {"hours": 20}, from the last record on, in round numbers. */
static void put_time_left(json_t *facts, int64_t left)
{
    const int64_t hours = (left + 1800) / 3600, days = (left + DAY_SECONDS / 2) / DAY_SECONDS;
    if (hours > 0)
        json_object_set_new(
            facts, "due_in",
            hours < 48 ? json_pack("{s:I,s:b,s:b}", "hours", (json_int_t)hours, "one", hours == 1, "days", 0)
                       : json_pack("{s:I,s:b}", "days", (json_int_t)days, "hours", 0));
}

static void facts_deadline(json_t *facts, const struct game *game)
{
    if (!game->clock.deadline || game->over)
        return;
    int64_t earliest = game->opened.at + game->clock.schedule.minimum;
    facts_time(facts, "deadline", game->clock.deadline);
    put_time_left(facts, game->clock.deadline - game->time);
    if (!game->clock.schedule.early || game->clock.lockstep.on)
        json_object_set_new(facts, "at_deadline", json_true());
    else if (game->clock.schedule.minimum && earliest < game->clock.deadline)
        facts_time(facts, "not_before", earliest);
}

/* What keeps the open turn open although orders are in. */
static void facts_delays(json_t *facts, const struct game *game, int seat)
{
    const struct game_orders *orders = &game->seat[seat].orders;
    const struct game_delay own = game_delay(game, seat);
    uint32_t unsettled = game_unsettled(game), others = unsettled & ~SEAT_BIT(seat);
    bool in_turn = (game_awaited(game) & SEAT_BIT(seat)) != 0;
    bool waits_now = (unsettled & SEAT_BIT(seat)) != 0;
    int64_t plays_at = game_plays_at(game);
    for (int i = 1; i <= game->seats; i++) /* they have asked to wait */
        if (i != seat && game->seat[i].orders.in && game->seat[i].orders.wait)
            others |= SEAT_BIT(i);
    if (orders->waits && own.until)
        json_object_set_new(facts, waits_now ? "correction" : "correction_later", json_true());
    if (orders->question)
        facts_time(facts, "question", orders->question);
    json_object_set_new(facts, "unsettled", json_boolean(waits_now));
    if (waits_now && own.until != DELAY_NO_END)
        facts_time(facts, "correct_by", own.until);
    if (others)
        json_object_set_new(facts, "unsettled_others",
                            json_pack("{s:o}", "names", listed_seats(game, others)));
    if (plays_at)
        facts_time(facts, "plays_at", plays_at);
    else if (in_turn && !waits_now && own.until > game->time)
        facts_time(facts, "thinks_until", own.until);
    if (game->clock.second_thoughts && game->clock.schedule.early)
        json_object_set_new(facts, "second_thoughts", duration_json(game->clock.second_thoughts));
}

void facts_named(json_t *facts, const struct game *game, bool first)
{
    char head[2 * HEAD_BYTES + 1];
    first |= !game->turn;
    hex_to(head, first ? game->journal.create_head : game->opened.head, HEAD_BYTES);
    char name[GAME_NAME];
    game_log_name(name, game);
    json_object_set_new(facts, "named",
                        json_pack("{s:s,s:I,s:I,s:s}", "log_name", name, "seq",
                                  first ? (json_int_t)1 : (json_int_t)game->opened.seq, "time",
                                  (json_int_t)(first ? game->journal.create_time : game->opened.at), "head",
                                  head));
    json_object_set_new(facts, "pastes", json_true());
}

void facts_answer(json_t *facts, const struct game *game, int seat)
{
    const struct game_orders *orders = &game->seat[seat].orders;
    char head[2 * HEAD_BYTES + 1];
    game_answer_head(head, game);
    json_object_set_new(facts, "answer_head", json_string(head));
    json_object_set_new(facts, "text_head", json_string(head));
    facts_named(facts, game, false);
    json_object_set_new(facts, "head_digits", json_integer((json_int_t)strlen(head)));
    json_object_set_new(facts, "orders_texts", json_integer(ORDERS_TEXTS));
    json_object_set_new(facts, "orders_kb", json_integer(ORDERS_BYTES / 1024));
    json_object_set_new(facts, "next_seq", json_integer(orders->in ? orders->seq + 1 : 1));
}

bool facts_may_wish(const struct game *game, int seat)
{
    const struct ruleset_wish *wish = &game->ruleset->words.wish;
    bool alone = game->seats == 1;
    return game->turn == 0 && !game->over && wish->line &&
           !((seat || alone) && wish->chosen(game->options, seat ? seat : 1));
}

void facts_wish(json_t *facts, const struct game *game, int seat)
{
    struct str names = STR_INIT;
    if (!facts_may_wish(game, seat))
        return;
    wish_names(&names, game->ruleset, game->cards);
    json_object_set_new(facts, "may_wish",
                        json_pack("{s:s,s:s,s:s}", "wished", game->ruleset->words.wish.line, "names", names.p,
                                  "value", WISH_ANY));
    str_release(&names);
}

static void put_place(json_t *facts, const struct game *game)
{
    facts_lockstep(facts, game);
    if (*game->table.place.name)
        json_object_set_new(facts, "compete",
                            json_pack("{s:s,s:i,s:i}", "competition", game->table.place.name, "round",
                                      game->table.place.round, "table", game->table.place.table));
}

/* What all may know of a game that is withheld, and until when it is. */
static json_t *withheld_game(const struct game *game)
{
    json_t *facts =
        json_pack("{s:s,s:s,s:s,s:o,s:i,s:b,s:b,s:b}", "game", game->id, "title", game->ruleset->title,
                  "folder", game->ruleset->folder, "seats", seats_json(game, 0), "seat", 0, "several_seats",
                  game->seats > 1, "press_signed", game->press.proved, "takes_mail", game->table.by_mail);
    put_place(facts, game);
    facts_time(facts, "withheld", game->clock.lockstep.closes);
    return facts;
}

json_t *facts_game(const struct game *game, int seat)
{
    if (!game_shown_to(game, seat))
        return withheld_game(game);
    uint32_t wanted = game->over || game->turn == 0 ? 0 : game->ruleset->awaits(game->state);
    bool wanted_now = seat && (wanted & SEAT_BIT(seat));
    uint32_t others = game_missing(game) & ~SEAT_BIT(seat);
    json_t *facts = json_pack(
        "{s:s,s:s,s:s,s:i,s:i,s:b,s:o,s:i,s:s*}", "game", game->id, "title", game->ruleset->title, "folder",
        game->ruleset->folder, "turn", game->turn, "last_turn", game->turn - 1, "over", game->over, "seats",
        seats_json(game, seat), "seat", seat, "player", seat ? game->seat[seat].player : NULL);
    facts_answer(facts, game, seat);
    facts_wish(facts, game, seat);
    json_object_set_new(facts, "your_turn", json_boolean(wanted_now));
    json_object_set_new(facts, "can_order",
                        json_boolean(wanted_now || (wanted && game_may_order(game, seat))));
    json_object_set_new(facts, "own_awaited", json_boolean(seat && (game_missing(game) & SEAT_BIT(seat))));
    json_object_set_new(facts, "several_seats", json_boolean(game->seats > 1));
    json_object_set_new(facts, "press_signed", json_boolean(game->press.proved));
    json_object_set_new(facts, "takes_mail", json_boolean(game->table.by_mail));
    if (others)
        json_object_set_new(facts, "waiting", json_pack("{s:o}", "names", listed_seats(game, others)));
    put_place(facts, game);
    facts_obstacles(facts, game);
    facts_deadline(facts, game);
    if (game->turn && !game->over && !game->closed)
        facts_delays(facts, game, seat);
    return facts;
}

/* ---- events ---- */

void facts_reason(json_t *line, const json_t *event)
{
    const char *reason = json_string_value(json_object_get(event, "reason"));
    if (reason) {
        json_t *why = json_object();
        json_object_set_new(why, reason, json_deep_copy(event));
        json_object_set_new(line, "why", why);
    }
    if (json_object_get(event, "unread"))
        json_object_set(line, "unread", json_object_get(event, "unread"));
}

/* With players' names, as they are typed. */
static json_t *spelled(const struct game *game, struct slice order)
{
    struct str names = STR_INIT;
    turn_spell(&names, game, order);
    json_t *text = json_text(slice_str(&names));
    str_release(&names);
    return text;
}

static json_t *line_facts(const struct game *game, const json_t *event)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    const char *order = json_string_value(json_object_get(event, "order"));
    json_t *line = json_pack("{s:O?,s:b}", "number", json_object_get(event, "line"), type, 1);
    if (order)
        json_object_set_new(line, "order", spelled(game, slice_of(order)));
    if (strcmp(type, "refused") == 0)
        facts_reason(line, event);
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

void facts_lines(json_t *facts, const struct game *game, int seat, const json_t *events)
{
    json_t *lines = json_array();
    enum order_result fate;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const char *type = json_string_value(json_object_get(event, "type"));
        bool own =
            json_integer_value(json_object_get(event, "seat")) == seat && !told_hides(game, seat, event);
        if (own && type && event_fate(slice_of(type), &fate))
            place_line(lines, line_facts(game, event));
    }
    if (json_array_size(lines) > 0)
        json_object_set_new(facts, "orders", json_pack("{s:O}", "lines", lines));
    json_decref(lines);
}

void facts_events(json_t *facts, const struct game *game, int seat)
{
    facts_news(facts, game, seat, game->told.events);
}

void facts_news(json_t *facts, const struct game *game, int seat, const json_t *events)
{
    struct arena arena = {NULL, NULL, 0};
    facts_lines(facts, game, seat, events);
    json_object_set_new(facts, "news", value_json(view_news(&arena, game, seat, events)));
    arena_release(&arena);
}

/* ---- view and scores ---- */

json_t *facts_scores(const struct game *game, int seat)
{
    struct score scores[SEATS_MAX + 1];
    json_t *list = json_array();
    game_scores(game, scores);
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

json_t *facts_quote(struct slice line)
{
    struct slice start = utf8_start(line, QUOTE_MOST);
    if (start.len == line.len)
        return json_text(line);
    struct str text = STR_INIT;
    str_addslice(&text, start);
    str_adds(&text, "\xE2\x80\xA6");
    json_t *value = json_text(slice_str(&text));
    str_release(&text);
    return value;
}

void facts_standing(json_t *facts, const struct game *game, int seat)
{
    struct slice rest = slice_str(&game->seat[seat].standing);
    struct slice line;
    json_t *list = json_array();
    int more = 0;
    while (slice_line(&rest, &line)) {
        if (json_array_size(list) < FACTS_QUOTED)
            json_array_append_new(list, facts_quote(line));
        else
            more++;
    }
    if (json_array_size(list) > 0)
        json_object_set_new(
            facts, "standing",
            json_pack("{s:O,s:i,s:b}", "lines", list, "more_lines", more, "has_more", more > 0));
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

static json_t *word_facts(const char *name, const char *args, const char *help)
{
    return json_pack("{s:s,s:s,s:s}", "name", name, "args", args, "help", help);
}

void facts_language(json_t *facts, const struct ruleset *ruleset)
{
    json_t *verbs = json_array();
    json_t *counters = json_array();
    for (const struct verb *v = ruleset->language->verbs; v->name; v++)
        json_array_append_new(verbs, word_facts(v->name, v->args, v->help));
    for (const struct counter *c = ruleset->language->counters; c && c->name; c++)
        json_array_append_new(counters, word_facts(c->name, c->args, c->help));
    json_object_set_new(facts, "verbs", verbs);
    json_object_set_new(facts, "counters", counters);
}

/* Those of the list that are called so, or begin so. */
static void put_called(json_t *facts, const char *key, json_t *list, const char *name)
{
    size_t i = 0;
    json_t *word;
    while ((word = json_array_get(list, i)) != NULL)
        if (strncasecmp(json_string_value(json_object_get(word, "name")), name, strlen(name)) == 0)
            i++;
        else
            json_array_remove(list, i);
    if (i)
        json_object_set_new(facts, key, json_pack("{s:O}", "list", list));
}

void facts_word(json_t *facts, const struct ruleset *ruleset, struct slice word)
{
    char *name = slice_dup(word);
    json_t *all = json_object(), *found = json_object();
    facts_language(all, ruleset);
    put_called(found, "orders", json_object_get(all, "verbs"), name);
    put_called(found, "asks", json_object_get(all, "counters"), name);
    if (json_object_size(found))
        json_object_set(facts, "help_of", found);
    json_decref(all);
    json_decref(found);
    free(name);
}

void facts_not_read(json_t *facts, const json_t *lines, bool waits)
{
    size_t count = json_array_size(lines), i;
    json_t *line, *list = json_deep_copy(lines);
    json_array_foreach (list, i, line)
        json_object_set_new(line, "more", json_boolean(i + 1 < count));
    json_object_set_new(facts, "not_read",
                        json_pack("{s:o,s:b,s:b,s:b,s:b}", "lines", list, "none", count == 0, "one",
                                  count == 1, "several", count > 1, "waits", waits));
    json_object_set_new(facts, "told_waits", json_boolean(waits));
}
