#include "rules/galaxy_farmer/cards.h"

#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "rules/galaxy_farmer/cards_read.h"

static const char *const state_words[] = {"light", "dark", "any", NULL};

const char *gf_state_word(int state)
{
    return state_words[state == GF_ANY ? 2 : state != 0];
}

void gf_code(char out[GF_CODE], char letter, int number)
{
    code_write(out, letter, number);
}

/* ---- the map, ships, planets ---- */

static int load_ring(const json_t *json, struct gf_cards *cards, struct err *err)
{
    static const char *const cells[] = {"NW", "N", "NE", "E", "SE", "S", "SW", "W"};
    static const char *const rings[] = {"outer", "inner", NULL};
    const json_t *list;
    int inner = 0;
    if (gf_need_list(json, "ring", GF_PLANETS, GF_PLANETS, &list, "the cards", err) < 0)
        return -1;
    for (int i = 0; i < GF_PLANETS; i++) {
        const json_t *place = json_array_get(list, (size_t)i);
        char what[GF_WHAT];
        const char *cell;
        int position, ring;
        snprintf(what, sizeof(what), "place %d of the ring", i + 1);
        if (gf_need_int(place, "position", i + 1, i + 1, &position, what, err) < 0 ||
            gf_need_word(place, "ring", rings, &ring, what, err) < 0 ||
            json_need_string(place, "cell", &cell, what, err) < 0)
            return -1;
        if (strcmp(cell, cells[i]) != 0)
            return err_set(err, ERR_BROKEN, "%s: \"cell\" must be %s", what, cells[i]);
        cards->inner[position] = ring == 1;
        inner += ring;
    }
    if (!inner)
        return err_set(err, ERR_BROKEN, "the cards: the ring must have an inner place");
    return 0;
}

static int load_ships(const json_t *json, struct gf_cards *cards, struct err *err)
{
    const json_t *list;
    if (gf_need_list(json, "ships", GF_SHIPS, GF_SHIPS, &list, "the cards", err) < 0)
        return -1;
    for (int i = 0; i < GF_SHIPS; i++) {
        const json_t *card = json_array_get(list, (size_t)i);
        struct gf_ship_card *ship = &cards->ship[i];
        char what[GF_WHAT];
        snprintf(what, sizeof(what), "ship %d", i + 1);
        if (gf_need_text(card, "name", ship->name, GF_NAME, what, err) < 0 ||
            gf_need_int(card, "fuel", 1, 9, &ship->fuel, what, err) < 0 ||
            gf_need_int(card, "cargo", 1, 20, &ship->cargo, what, err) < 0 ||
            gf_need_int(card, "bunks", cards->ship_workers, 20, &ship->bunks, what, err) < 0 ||
            gf_need_source(card, what, err) < 0)
            return -1;
    }
    return 0;
}

/* The number of a colour, a new one if the name is new. */
static int colour_of(struct gf_cards *cards, const char *name)
{
    int i = 0;
    while (i < cards->colours && strcmp(cards->colour[i], name) != 0)
        i++;
    if (i == cards->colours && i < GF_PLANETS) {
        snprintf(cards->colour[i], GF_NAME, "%s", name);
        cards->colours++;
    }
    return i;
}

static int find_colour(const struct gf_cards *cards, const char *name)
{
    for (int i = 0; i < cards->colours; i++) {
        if (strcmp(cards->colour[i], name) == 0)
            return i;
    }
    return GF_ANY;
}

static int load_planets(const json_t *json, struct gf_cards *cards, struct err *err)
{
    const json_t *list;
    if (gf_need_list(json, "planets", GF_PLANETS, GF_PLANETS, &list, "the cards", err) < 0)
        return -1;
    for (int n = 1; n <= GF_PLANETS; n++) {
        const json_t *card = json_array_get(list, (size_t)n - 1);
        struct gf_planet_card *planet = &cards->planet[n];
        char what[GF_WHAT], colour[GF_NAME];
        snprintf(what, sizeof(what), "planet %d", n);
        if (gf_need_id(card, 'P', n, what, err) < 0 ||
            gf_need_text(card, "name", planet->name, GF_NAME, what, err) < 0 ||
            gf_need_text(card, "resource", planet->resource, GF_NAME, what, err) < 0 ||
            gf_need_text(card, "colour", colour, GF_NAME, what, err) < 0 ||
            gf_need_source(card, what, err) < 0)
            return -1;
        planet->colour = colour_of(cards, colour);
        for (int i = 1; i < n; i++) {
            if (strcmp(cards->planet[i].name, planet->name) == 0)
                return err_set(err, ERR_BROKEN, "%s: \"name\" is that of planet %d", what, i);
            if (strcmp(cards->planet[i].resource, planet->resource) == 0)
                return err_set(err, ERR_BROKEN, "%s: \"resource\" is that of planet %d", what, i);
        }
    }
    snprintf(cards->planet[0].name, GF_NAME, "HOME");
    return 0;
}

/* ---- orders ---- */

static int load_need(const json_t *json, const struct gf_cards *cards, struct gf_need *need, const char *what,
                     struct err *err)
{
    static const char *const states[] = {"light", "dark", NULL};
    const char *words[GF_PLANETS + 1] = {NULL};
    int dark;
    for (int i = 0; i < GF_PLANETS; i++)
        words[i] = cards->planet[i + 1].resource;
    if (gf_need_word(json, "resource", words, &need->resource, what, err) < 0 ||
        gf_need_word(json, "state", states, &dark, what, err) < 0 ||
        gf_need_int(json, "count", 1, cards->cubes, &need->count, what, err) < 0)
        return -1;
    need->dark = dark == 1;
    return 0;
}

static int load_order(const json_t *json, int number, struct gf_cards *cards, struct err *err)
{
    struct gf_order_card *order = &cards->order[number];
    char what[GF_WHAT];
    const json_t *needs;
    snprintf(what, sizeof(what), "order %d", number);
    if (gf_need_id(json, 'O', number, what, err) < 0 ||
        gf_need_text(json, "name", order->name, GF_NAME, what, err) < 0 ||
        gf_need_int(json, "points", 1, 20, &order->points, what, err) < 0 ||
        gf_need_int(json, "track", 1, 20, &order->track, what, err) < 0 ||
        gf_need_list(json, "requires", 1, GF_NEEDS, &needs, what, err) < 0 ||
        gf_need_source(json, what, err) < 0)
        return -1;
    order->needs = (int)json_array_size(needs);
    for (int i = 0; i < order->needs; i++) {
        struct gf_need *need = &order->need[i];
        if (load_need(json_array_get(needs, (size_t)i), cards, need, what, err) < 0)
            return -1;
        int all = 0; /* of this resource in either state: there must be so many cubes */
        for (int j = 0; j <= i; j++) {
            bool same = order->need[j].resource == need->resource;
            if (j < i && same && order->need[j].dark == need->dark)
                return err_set(err, ERR_BROKEN, "%s: \"requires\" names the same cubes twice", what);
            all += same ? order->need[j].count : 0;
        }
        if (all > cards->cubes)
            return err_set(err, ERR_BROKEN, "%s: \"requires\" asks for more cubes than there are", what);
    }
    for (int i = 1; i < number; i++) {
        if (strcmp(cards->order[i].name, order->name) == 0)
            return err_set(err, ERR_BROKEN, "%s: \"name\" is that of order %d", what, i);
    }
    return 0;
}

static int load_orders(const json_t *json, struct gf_cards *cards, struct err *err)
{
    const json_t *list;
    if (gf_need_list(json, "orders", GF_OPEN, GF_ORDERS, &list, "the cards", err) < 0)
        return -1;
    cards->orders = (int)json_array_size(list);
    for (int n = 1; n <= cards->orders; n++) {
        if (load_order(json_array_get(list, (size_t)n - 1), n, cards, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- events ---- */

static int load_turns(const json_t *json, struct gf_event_card *event, const struct gf_cards *cards,
                      const char *what, struct err *err)
{
    static const char *const rings[] = {"outer", "inner", NULL};
    const char *colour;
    int ring;
    event->colour = GF_ANY;
    if (json_object_get(json, "ring")) {
        if (gf_need_word(json, "ring", rings, &ring, what, err) < 0)
            return -1;
        event->inner = ring == 1;
        return 0;
    }
    if (json_need_string(json, "colour", &colour, what, err) < 0)
        return -1;
    event->colour = find_colour(cards, colour);
    if (event->colour == GF_ANY)
        return err_set(err, ERR_BROKEN, "%s: \"colour\" is that of no planet", what);
    return 0;
}

static int load_route(const json_t *json, struct gf_event_card *event, const char *what, struct err *err)
{
    static const char *const directions[] = {"anticlockwise", "clockwise", NULL};
    int direction;
    if (gf_need_word(json, "direction", directions, &direction, what, err) < 0)
        return -1;
    event->clockwise = direction == 1;
    return gf_need_int(json, "steps", 1, GF_PLANETS, &event->steps, what, err);
}

static int load_event(const json_t *json, int number, struct gf_cards *cards, struct err *err)
{
    static const char *const kinds[] = {"turn", "meteor", "patrol", "warp", "harvest", "fuel", NULL};
    struct gf_event_card *event = &cards->event[number];
    char what[GF_WHAT];
    int kind;
    snprintf(what, sizeof(what), "event %d", number);
    if (gf_need_id(json, 'E', number, what, err) < 0 ||
        gf_need_text(json, "name", event->name, GF_NAME, what, err) < 0 ||
        gf_need_word(json, "kind", kinds, &kind, what, err) < 0 || gf_need_source(json, what, err) < 0)
        return -1;
    event->happening = (enum gf_happening)kind;
    switch (event->happening) {
    case GF_TURNS: return load_turns(json, event, cards, what, err);
    case GF_METEOR:
        if (gf_need_int(json, "turns", 1, 9, &event->turns, what, err) < 0)
            return -1;
        return gf_need_int(json, "position", 1, GF_PLANETS, &event->position, what, err);
    case GF_PATROL:
    case GF_WARP: return load_route(json, event, what, err);
    case GF_HARVEST:
    case GF_FUEL: return gf_need_int(json, "amount", 1, 9, &event->amount, what, err);
    }
    return 0;
}

static int load_events(const json_t *json, struct gf_cards *cards, struct err *err)
{
    const json_t *list;
    if (gf_need_list(json, "events", 1, GF_EVENTS, &list, "the cards", err) < 0)
        return -1;
    cards->events = (int)json_array_size(list);
    for (int n = 1; n <= cards->events; n++) {
        if (load_event(json_array_get(list, (size_t)n - 1), n, cards, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- representatives ---- */

static int load_quest(const json_t *json, const struct gf_cards *cards, struct gf_quest *quest,
                      const char *what, struct err *err)
{
    static const char *const kinds[] = {"visit", "grown", "lock", NULL};
    const char *colour;
    int kind;
    if (gf_need_word(json, "kind", kinds, &kind, what, err) < 0)
        return -1;
    quest->kind = (enum gf_quest_kind)kind;
    if (quest->kind == GF_VISIT)
        return 0;
    if (gf_need_word(json, "state", state_words, &quest->state, what, err) < 0 ||
        gf_need_int(json, "count", 1, quest->kind == GF_GROWN ? cards->uncollected : cards->cubes,
                    &quest->count, what, err) < 0)
        return -1;
    quest->state = quest->state == 2 ? GF_ANY : quest->state;
    quest->colour = GF_ANY;
    if (quest->kind == GF_GROWN)
        return 0;
    if (json_need_string(json, "colour", &colour, what, err) < 0)
        return -1;
    quest->colour = find_colour(cards, colour);
    if (quest->colour == GF_ANY && strcmp(colour, "any") != 0)
        return err_set(err, ERR_BROKEN, "%s: \"colour\" is that of no planet", what);
    return 0;
}

static int load_ability(const json_t *json, struct gf_rep_card *rep, const char *what, struct err *err)
{
    static const char *const ids[] = {"yield_light", "yield_dark", "fuel4", "fighters", "plots",
                                      "bunker",      "converter",  "timer", NULL};
    static const struct {
        int min, max;
    } range[GF_ABILITIES] = {{1, 4}, {1, 4}, {1, 4}, {2, 4}, {1, 4}, {1, 9}, {1, 2}, {1, 1}};
    const json_t *ability;
    char where[GF_WHAT + 12];
    int id;
    snprintf(where, sizeof(where), "%s, ability", what);
    if (gf_need_object(json, "ability", &ability, what, err) < 0 ||
        gf_need_word(ability, "id", ids, &id, where, err) < 0 ||
        gf_need_int(ability, "amount", range[id].min, range[id].max, &rep->amount, where, err) < 0)
        return -1;
    rep->ability = (enum gf_ability)id;
    return gf_need_text(ability, "text", rep->text, GF_TEXT, where, err);
}

static int load_rep(const json_t *json, int number, struct gf_cards *cards, struct err *err)
{
    struct gf_rep_card *rep = &cards->rep[number];
    char what[GF_WHAT];
    const json_t *quests;
    snprintf(what, sizeof(what), "representative %d", number);
    if (gf_need_id(json, 'R', number, what, err) < 0 ||
        gf_need_text(json, "name", rep->name, GF_NAME, what, err) < 0 ||
        load_ability(json, rep, what, err) < 0 ||
        gf_need_int(json, "bonus", 0, 9, &rep->bonus, what, err) < 0 ||
        gf_need_list(json, "quests", GF_QUESTS, GF_QUESTS, &quests, what, err) < 0 ||
        gf_need_source(json, what, err) < 0)
        return -1;
    for (int i = 0; i < GF_QUESTS; i++) {
        char where[GF_WHAT + 12];
        snprintf(where, sizeof(where), "%s, quest %d", what, i + 1);
        if (load_quest(json_array_get(quests, (size_t)i), cards, &rep->quest[i], where, err) < 0)
            return -1;
    }
    for (int i = 1; i < number; i++) {
        if (strcmp(cards->rep[i].name, rep->name) == 0)
            return err_set(err, ERR_BROKEN, "%s: \"name\" is that of representative %d", what, i);
    }
    return 0;
}

static int load_reps(const json_t *json, struct gf_cards *cards, struct err *err)
{
    const json_t *list;
    if (gf_need_list(json, "representatives", GF_PLANETS, GF_PLANETS, &list, "the cards", err) < 0)
        return -1;
    for (int n = 1; n <= GF_PLANETS; n++) {
        if (load_rep(json_array_get(list, (size_t)n - 1), n, cards, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- numbers ---- */

static int load_numbers(const json_t *json, struct gf_cards *c, struct err *err)
{
    int open,
        get; /* three orders lie open, and a conversion gives one cube: the file may not say otherwise */
    const struct {
        const char *section, *key;
        int min, max;
        int *to;
    } number[] = {
        {"start", "home_workers", 0, 20, &c->home_workers},
        {"start", "ship_workers", 0, 20, &c->ship_workers},
        {"start", "fuel", 0, 9, &c->fuel},
        {"start", "orders_open", GF_OPEN, GF_OPEN, &open},
        {"start", "enemy_position", 1, GF_PLANETS, &c->enemy_position},
        {"limits", "workers_total", 1, 40, &c->workers_total},
        {"limits", "cubes_per_resource", 1, 99, &c->cubes},
        {"limits", "planet_workers", 1, 20, &c->planet_workers},
        {"limits", "uncollected_per_planet", 1, 99, &c->uncollected},
        {"limits", "home_store", 0, 99, &c->home_store},
        {"limits", "farm_plots", 0, 4, &c->plots},
        {"limits", "crop_per_plot", 1, 9, &c->crops},
        {"growth", "per_worker", 1, 9, &c->growth},
        {"converter", "give", 1, 9, &c->convert_give},
        {"converter", "get", 1, 1, &get},
        {"force", "ship", 1, 20, &c->force_ship},
        {"force", "troop", 1, 20, &c->force_troop},
        {"win", "normal", 1, 999, &c->win_normal},
        {"win", "hard", 1, 999, &c->win_hard},
        {"lose", "failed_orders", 1, 99, &c->lose_failed},
        {"lose", "killed_standard", 1, 99, &c->lose_killed},
        {"lose", "killed_easy", 1, 99, &c->lose_killed_easy},
        {"lose", "troops", 1, GF_PLANETS, &c->lose_troops},
    };
    for (size_t i = 0; i < sizeof(number) / sizeof(number[0]); i++) {
        const json_t *section;
        if (gf_need_object(json, number[i].section, &section, "the cards", err) < 0 ||
            gf_need_int(section, number[i].key, number[i].min, number[i].max, number[i].to, number[i].section,
                        err) < 0 ||
            gf_need_source(section, number[i].section, err) < 0)
            return -1;
    }
    if (c->home_workers + c->ship_workers != c->workers_total)
        return err_set(err, ERR_BROKEN,
                       "limits: \"workers_total\" must be the workers of \"start\" taken together");
    return 0;
}

int gf_cards_load(const json_t *json, int version, void *to, struct err *err)
{
    struct gf_cards *cards = to;
    const char *game;
    cards->version = version;
    if (json_need_string(json, "game", &game, "the cards", err) < 0)
        return -1;
    if (strcmp(game, "galaxy-farmer") != 0)
        return err_set(err, ERR_BROKEN, "the cards: \"game\" must be galaxy-farmer");
    if (load_numbers(json, cards, err) < 0 || load_ring(json, cards, err) < 0 ||
        load_ships(json, cards, err) < 0 || load_planets(json, cards, err) < 0 ||
        load_orders(json, cards, err) < 0 || load_events(json, cards, err) < 0)
        return -1;
    return load_reps(json, cards, err);
}
