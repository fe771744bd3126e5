#include "game/view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "game/turn.h"
#include "rules/put.h"
#include "game/told.h"

struct view *view_make(const struct ruleset *ruleset, const void *cards, const void *state, int seat)
{
    struct view *view = mem_alloc(sizeof *view);
    view->users = 1;
    view->events = json_array();
    view->root = ruleset->view(cards, state, seat, &view->arena);
    return view;
}

json_t *view_json(const struct ruleset *ruleset, const void *cards, const void *state, int seat)
{
    struct view *view = view_make(ruleset, cards, state, seat);
    json_t *json = value_json(view->root);
    view_drop(view);
    return json;
}

struct view *view_share(struct view *view)
{
    if (view)
        view->users++;
    return view;
}

void view_drop(struct view *view)
{
    if (!view || --view->users)
        return;
    arena_release(&view->arena);
    json_decref(view->events);
    free(view);
}

struct view *view_of(const struct game *game, int seat)
{
    return view_make(game->ruleset, game->cards, game->state, seat);
}

/* ---- names of seats ---- */

#define SEAT_KEYS 32 /* members of an object that name seats */

static bool names_seat(const struct value *member)
{
    const struct value_name *name = &member->name;
    return member->kind == VALUE_INTEGER && name->len >= 4 &&
           memcmp(name->p + name->len - 4, "seat", 4) == 0 &&
           (name->len == 4 || name->p[name->len - 5] == '_');
}

/* "to_seat" -> "to_name", in the arena; "seat" -> `plain`. */
static const char *beside(struct arena *arena, const struct value_name *name, const char *word,
                          const char *plain)
{
    if (name->len == 4)
        return plain;
    size_t front = name->len - 4;
    char *text = arena_take(arena, front + strlen(word) + 1);
    memcpy(text, name->p, front);
    memcpy(text + front, word, strlen(word) + 1);
    return text;
}

/* Members that name a seat ("to_seat", "seat") get a name beside them ("to_name" and "to_you", "who" and
 * "you", and "by_robot", where a robot plays for who has resigned): those of the present, or of when the event happened (NULL: no event). What somebody else did on the
 * seat was not "you". */
static void add_names(struct value *object, const struct game *game, int seat, const json_t *event)
{
    const struct value *keys[SEAT_KEYS];
    struct arena *arena = value_arena(object);
    size_t count = 0;
    bool you = false;
    for (const struct value *member = value_first(object); member; member = member->next) {
        if (!names_seat(member) || member->number < 1 || member->number > game->seats)
            continue;
        assert(count < SEAT_KEYS);
        keys[count++] = member;
    }
    for (size_t i = 0; i < count; i++) {
        int number = (int)keys[i]->number;
        const char *player = told_player(game, number, event);
        bool here = strcmp(player, game->seat[number].player) == 0;
        value_put_text(object, beside(arena, &keys[i]->name, "name", "who"), player);
        value_put_flag(object, beside(arena, &keys[i]->name, "you", "you"), number == seat && here);
        if (keys[i]->name.len == 4 && !event)
            value_put_flag(object, "by_robot", game->seat[number].robot && game->seat[number].resigned);
        you = you || keys[i]->name.len == 4;
    }
    if (!you) /* otherwise templates would find an outer one */
        value_put_flag(object, "you", false);
}

#define VIEW_DEPTH 12

/* Views number the seats; templates want names. NOLINTNEXTLINE(misc-no-recursion): the depth is bounded. */
static void name_seats(struct value *value, const struct game *game, int seat, int depth)
{
    if (depth > VIEW_DEPTH)
        return;
    for (struct value *part = value_first(value); part; part = part->next)
        if (part->kind == VALUE_OBJECT || part->kind == VALUE_LIST)
            name_seats(part, game, seat, depth + 1);
    if (value->kind == VALUE_OBJECT && value_get(value, "seat"))
        add_names(value, game, seat, NULL);
}

void view_names(struct value *value, const struct game *game, int seat)
{
    name_seats(value, game, seat, 0);
}

struct value *view_revealed(struct arena *arena, const struct game *game, int seat)
{
    struct value *revealed =
        game->ruleset->end.reveal ? game->ruleset->end.reveal(game->cards, game->state, arena) : NULL;
    if (revealed)
        view_names(revealed, game, seat);
    return revealed;
}

/* ---- news ---- */

static bool visible_to(const json_t *event, int seat)
{
    uint32_t visible = (uint32_t)json_integer_value(json_object_get(event, "visible"));
    return visible == EVENT_PUBLIC || (visible & SEAT_BIT(seat));
}

/* "after": the event of the same seat, or of none as this one, that was told directly before: for sentences that would repeat it, or go on. */
static void add_after(struct value *object, const json_t *event, const json_t *before)
{
    const json_t *seat = json_object_get(event, "seat");
    const json_t *type = json_object_get(before, "type");
    const json_t *other = json_object_get(before, "seat");
    if (before && (seat == other || json_equal(seat, other))) /* both may be missing */
        value_put_flag(value_put_object(object, "after"), json_string_value(type), true);
}

/* The name of a rank gives way to what has its words in a template. */
static void add_rank(struct value *told, const struct ruleset *ruleset)
{
    const struct value *rank = value_get(told, "rank");
    if (!ruleset->end.ranks || !rank || rank->kind != VALUE_TEXT)
        return;
    const struct slice name = rank->text; /* the member is replaced */
    rank_words(value_put_object(told, "rank"), ruleset->end.ranks, name);
}

/* An event as templates have it. */
static void put_event(struct value *told, const json_t *event)
{
    json_t *whole = (json_t *)(uintptr_t)event;
    for (void *at = json_object_iter(whole); at; at = json_object_iter_next(whole, at))
        if (strcmp(json_object_iter_key(at), "visible") != 0 && strcmp(json_object_iter_key(at), "then") != 0)
            value_put(told, json_object_iter_key(at),
                      value_of_json(value_arena(told), json_object_iter_value(at)));
}

/* What somebody has said to one other player, or to nobody who is there. */
static bool is_letter(const json_t *event, const char *type)
{
    bool said = strcmp(type, "said") == 0 || strcmp(type, "unheard") == 0;
    return said && (uint32_t)json_integer_value(json_object_get(event, "visible")) != EVENT_PUBLIC;
}

struct value *view_news(struct arena *arena, const struct game *game, int seat, const json_t *events)
{
    struct value *news = value_list(arena);
    const json_t *before = NULL; /* the event told last */
    enum order_result fate;
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const char *type = json_string_value(json_object_get(event, "type"));
        if (!type || !visible_to(event, seat) || event_fate(slice_of(type), &fate) ||
            (is_letter(event, type) && told_hides(game, seat, event)))
            continue;
        struct value *told = value_put_object(value_add_object(news), type);
        put_event(told, event);
        add_names(told, game, seat, event);
        add_rank(told, game->ruleset);
        if (!seat) /* seen by no seat: sentences without a name say "the ship", not "your ship" */
            value_put_flag(told, "stranger", true);
        add_after(told, event, before);
        before = event;
    }
    return news;
}

/* ---- for mails ---- */

/* What is in force already needs no suggestion. */
static bool in_force(const struct game *game, int seat, const struct value *suggestion)
{
    const struct value *proposed = value_get(suggestion, "line");
    struct slice rest = slice_str(&game->seat[seat].standing), line;
    while (proposed && slice_line(&rest, &line))
        if (slice_caseeq(line, proposed->text.p))
            return true;
    return false;
}

static struct slice line_of(const struct value *suggestion)
{
    const struct value *line = value_get(suggestion, "line");
    return line ? line->text : (struct slice){"", 0}; /* suggest() gives each one */
}

/* A suggestion as players type it: "attack anna s1" for "attack p3 s1". */
static struct value *spelled(const struct value *suggestion, const struct game *game)
{
    struct value *own = value_copy(value_arena(suggestion), suggestion);
    struct str line = STR_INIT;
    turn_spell(&line, game, line_of(suggestion));
    value_put_text(own, "line", line.p);
    str_release(&line);
    return own;
}

/* Whether its turn is open, and not only that of others. */
static bool awaits(const struct game *game, int seat)
{
    return (game->ruleset->awaits(game->state) & SEAT_BIT(seat)) != 0;
}

/* A suggestion that does nothing by its own words (ruleset_shown.idle). */
static bool is_idle(const struct game *game, const struct value *suggestion)
{
    const struct value *why = value_get(suggestion, "why");
    const char *idle = game->ruleset->shown.idle;
    return idle && why && value_first(why) && word_listed(idle, value_first(why)->name.p);
}

/* "build fleet" of "if credits >= 10 build fleet". */
static struct slice past_condition(struct slice order)
{
    struct slice rest = order, word;
    if (!slice_word(&rest, &word) || !slice_caseeq(word, "if"))
        return order;
    while (slice_word(&rest, &word))
        if (word.len && word.p[0] >= '0' && word.p[0] <= '9')
            return slice_trim(rest);
    return order;
}

/* Does one of them begin with all words of the other? */
static bool same_order(struct slice one, struct slice other)
{
    struct slice word, other_word;
    bool same = slice_word(&one, &word) && slice_word(&other, &other_word);
    while (same && (same = word.len == other_word.len && strncasecmp(word.p, other_word.p, word.len) == 0))
        if (!slice_word(&one, &word) || !slice_word(&other, &other_word))
            break;
    return same;
}

/* The suggestion that is nearest to what the game's robot would do first in this position; NULL when none of its orders is among
 * them. */
static const struct value *robot_choice(const struct value *form, const struct game *game, int seat)
{
    struct str orders = STR_INIT;
    struct slice rest, line;
    const struct value *best = NULL;
    if (!game->ruleset->robot || game->ruleset->shown.auto_first || !awaits(game, seat))
        return NULL;
    game->ruleset->robot(game->cards, game->state, seat, &orders);
    rest = slice_str(&orders);
    while (!best && slice_line(&rest, &line))
        for (const struct value *one = value_first(form); one; one = one->next)
            if (same_order(past_condition(slice_trim(line)), line_of(one)) && !value_get(one, "poor") &&
                !value_get(one, "gone") && (!best || line_of(one).len > line_of(best).len))
                best = one;
    str_release(&orders);
    return best;
}

/* The suggestions as they are shown, of those that the rules make ("form" of a view): first what the robot would do, where it is
 * there; none that is in force or gone; the poor ones late, and last what does nothing, which is not shown while it is not the
 * seat's turn. */
static struct value *chosen(const struct value *form, const struct game *game, int seat)
{
    struct value *list = value_list(value_arena(form));
    const struct value *first = robot_choice(form, game, seat);
    const bool waits = !awaits(game, seat), sorted = first || waits;
    if (game->ruleset->shown.auto_first && value_first(form))
        suggest(list, "auto", "auto");
    if (first)
        value_add(list, spelled(first, game));
    for (int late = 0; late < 3; late++)
        for (const struct value *one = value_first(form); one; one = one->next) {
            const bool idle = sorted && is_idle(game, one);
            const int when = idle ? 2 : value_get(one, "poor") ? 1 : 0;
            if (one != first && when == late && !(idle && waits) && !value_get(one, "gone") &&
                !in_force(game, seat, one))
                value_add(list, spelled(one, game));
        }
    return list;
}

#define ROBOT_SHOWN 46 /* bytes of what it would order; then how many orders more */

/* What AUTO stands for now, where it is the first suggestion: "pick all; move Verdane", "more". */
static void put_robot(struct value *form, const struct game *game, int seat)
{
    struct str orders = STR_INIT;
    const int more =
        turn_robot(&orders, game->ruleset, &(struct turn_at){game->cards, game->state, seat}, ROBOT_SHOWN);
    struct value *robot = value_put_object(form, "robot");
    value_put_text(robot, "orders", orders.p);
    value_put_int(robot, "more_orders", more);
    value_put_flag(robot, "has_more", more > 0);
    str_release(&orders);
}

/* The suggestions; the first one is in the form uncommented. Where players may answer by number, each has its
 * own. */
static void put_form(struct value *facts, const struct value *root, const struct game *game, int seat)
{
    const struct value *form = value_get(root, "form");
    struct value *list = form ? chosen(form, game, seat) : NULL;
    int64_t number = 0;
    for (struct value *line = list ? value_first(list) : NULL; line; line = line->next) {
        const struct value *why = value_get(line, "why");
        if (why && value_first(why))
            add_names(value_first(why), game, seat, NULL);
        if (game->table.by_mail)
            value_put_int(line, "number", number + 1);
        if (!number++ && awaits(game, seat))
            value_put_flag(line, "first", true);
    }
    if (!number)
        return;
    struct value *shown = value_put_object(facts, "form");
    value_put(shown, "lines", list);
    if (game->ruleset->shown.auto_first)
        put_robot(shown, game, seat);
}

void view_form(const struct game *game, int seat, struct str *lines)
{
    struct arena arena = {NULL, NULL, 0};
    if (!seat || game->over)
        return;
    const struct value *form = ruleset_form(game->ruleset, game->cards, game->state, seat, &arena);
    const struct value *list = form ? chosen(form, game, seat) : NULL;
    for (const struct value *one = list ? value_first(list) : NULL; one; one = one->next) {
        str_addslice(lines, line_of(one));
        str_addc(lines, '\n');
    }
    arena_release(&arena);
}

/* "by_place": the players of the view with the "place" of each, as they came in; those without one last. */
static void put_by_place(struct value *facts, const struct value *root, const struct game *game)
{
    struct score scores[SEATS_MAX + 1];
    const struct value *players = value_get(root, "players"), *seat;
    struct value *list = value_put_list(facts, "by_place");
    game_scores(game, scores);
    for (int i = 1; i <= game->seats + 1; i++)
        for (const struct value *one = players ? value_first(players) : NULL; one; one = one->next) {
            if (!(seat = value_get(one, "seat")) || scores[seat->number].place != i % (game->seats + 1))
                continue;
            struct value *own = value_copy(value_arena(facts), one);
            value_put_amount(own, "place", scores[seat->number].place);
            value_add(list, own);
        }
}

struct value *view_tell(struct view *view, const struct game *game, int seat, json_t *events)
{
    struct value *facts = value_object(&view->arena);
    view_names(view->root, game, seat);
    value_put(facts, "view", view->root);
    if (game->over)
        put_by_place(facts, view->root, game);
    else
        put_form(facts, view->root, game, seat);
    if (events) {
        json_array_append(view->events, events);
        value_put(facts, "news", view_news(&view->arena, game, seat, events));
    }
    return facts;
}
