#include "rules/galaxy_farmer/cards.h"

#include <string.h>

#include "rules/cards.h"

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

static int load_place(const struct card_reader *place, int index, struct gf_cards *cards)
{
    static const char *const cells[] = {"NW", "N", "NE", "E", "SE", "S", "SW", "W"};
    static const char *const rings[] = {"outer", "inner", NULL};
    int position, ring;
    if (card_int(place, "position", index + 1, index + 1, &position) < 0 ||
        card_word(place, "ring", rings, &ring) < 0)
        return -1;
    cards->inner[position] = ring == 1;
    return card_exactly(place, "cell", cells[index]);
}

static int load_ring(const struct card_reader *file, struct gf_cards *cards)
{
    const json_t *list = card_list(file, "ring", GF_PLANETS, GF_PLANETS);
    int inner = 0;
    if (!list)
        return -1;
    for (int i = 0; i < GF_PLANETS; i++) {
        struct card_reader place =
            card_inside(file, json_array_get(list, (size_t)i), "place %d of the ring", i + 1);
        if (load_place(&place, i, cards) < 0)
            return -1;
        inner += cards->inner[i + 1];
    }
    return inner ? 0 : card_refuse(file, "the ring must have an inner place");
}

static int load_ship(const struct card_reader *from, int index, void *to)
{
    struct gf_cards *cards = to;
    struct gf_ship_card *ship = &cards->ship[index];
    if (card_name(from, "name", ship->name, GF_NAME) < 0 || card_int(from, "fuel", 1, 9, &ship->fuel) < 0 ||
        card_int(from, "cargo", 1, 20, &ship->cargo) < 0)
        return -1;
    return card_int(from, "bunks", cards->ship_workers, 20, &ship->bunks);
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

static int load_planet(const struct card_reader *from, int index, void *to)
{
    struct gf_cards *cards = to;
    struct gf_planet_card *planet = &cards->planet[index + 1];
    char colour[GF_NAME];
    if (card_name(from, "name", planet->name, GF_NAME) < 0 ||
        card_name(from, "resource", planet->resource, GF_NAME) < 0 ||
        card_name(from, "colour", colour, GF_NAME) < 0)
        return -1;
    planet->colour = colour_of(cards, colour);
    for (int i = 1; i <= index; i++) {
        if (strcmp(cards->planet[i].name, planet->name) == 0)
            return card_refuse(from, "\"name\" is that of planet %d", i);
        if (strcmp(cards->planet[i].resource, planet->resource) == 0)
            return card_refuse(from, "\"resource\" is that of planet %d", i);
    }
    return 0;
}

/* ---- orders ---- */

static int load_need(const struct card_reader *from, const struct gf_cards *cards, struct gf_need *need)
{
    static const char *const states[] = {"light", "dark", NULL};
    const char *words[GF_PLANETS + 1] = {NULL};
    int dark;
    for (int i = 0; i < GF_PLANETS; i++)
        words[i] = cards->planet[i + 1].resource;
    if (card_word(from, "resource", words, &need->resource) < 0 ||
        card_word(from, "state", states, &dark) < 0 ||
        card_int(from, "count", 1, cards->cubes, &need->count) < 0)
        return -1;
    need->dark = dark == 1;
    return 0;
}

static int load_needs(const struct card_reader *from, const struct gf_cards *cards,
                      struct gf_order_card *order)
{
    const json_t *needs = card_list(from, "requires", 1, GF_NEEDS);
    if (!needs)
        return -1;
    order->needs = (int)json_array_size(needs);
    for (int i = 0; i < order->needs; i++) {
        struct gf_need *need = &order->need[i];
        struct card_reader one = card_inside(from, json_array_get(needs, (size_t)i), "%s", from->what);
        if (load_need(&one, cards, need) < 0)
            return -1;
        int all = 0; /* of this resource in either state: this many cubes must exist */
        for (int j = 0; j <= i; j++) {
            bool same = order->need[j].resource == need->resource;
            if (j < i && same && order->need[j].dark == need->dark)
                return card_refuse(from, "\"requires\" names the same cubes twice");
            all += same ? order->need[j].count : 0;
        }
        if (all > cards->cubes)
            return card_refuse(from, "\"requires\" asks for more cubes than there are");
    }
    return 0;
}

static int load_order(const struct card_reader *from, int index, void *to)
{
    struct gf_cards *cards = to;
    struct gf_order_card *order = &cards->order[index + 1];
    if (card_name(from, "name", order->name, GF_NAME) < 0 ||
        card_int(from, "points", 1, 20, &order->points) < 0 ||
        card_int(from, "track", 1, 20, &order->track) < 0 || load_needs(from, cards, order) < 0)
        return -1;
    for (int i = 1; i <= index; i++) {
        if (strcmp(cards->order[i].name, order->name) == 0)
            return card_refuse(from, "\"name\" is that of order %d", i);
    }
    return 0;
}

/* ---- events ---- */

static int load_turns(const struct card_reader *from, struct gf_event_card *event,
                      const struct gf_cards *cards)
{
    static const char *const rings[] = {"outer", "inner", NULL};
    const char *colour;
    int ring;
    event->colour = GF_ANY;
    if (json_object_get(from->object, "ring")) {
        if (card_word(from, "ring", rings, &ring) < 0)
            return -1;
        event->inner = ring == 1;
        return 0;
    }
    if (card_text(from, "colour", &colour) < 0)
        return -1;
    event->colour = find_colour(cards, colour);
    return event->colour == GF_ANY ? card_refuse(from, "\"colour\" is that of no planet") : 0;
}

static int load_route(const struct card_reader *from, struct gf_event_card *event)
{
    static const char *const directions[] = {"anticlockwise", "clockwise", NULL};
    int direction;
    if (card_word(from, "direction", directions, &direction) < 0)
        return -1;
    event->clockwise = direction == 1;
    return card_int(from, "steps", 1, GF_PLANETS, &event->steps);
}

static int load_event(const struct card_reader *from, int index, void *to)
{
    static const char *const kinds[] = {"turn", "meteor", "patrol", "warp", "harvest", "fuel", NULL};
    struct gf_cards *cards = to;
    struct gf_event_card *event = &cards->event[index + 1];
    int kind;
    if (card_name(from, "name", event->name, GF_NAME) < 0 || card_word(from, "kind", kinds, &kind) < 0)
        return -1;
    event->happening = (enum gf_happening)kind;
    switch (event->happening) {
    case GF_TURNS: return load_turns(from, event, cards);
    case GF_METEOR:
        if (card_int(from, "turns", 1, 9, &event->turns) < 0)
            return -1;
        return card_int(from, "position", 1, GF_PLANETS, &event->position);
    case GF_PATROL:
    case GF_WARP: return load_route(from, event);
    case GF_HARVEST:
    case GF_FUEL: return card_int(from, "amount", 1, 9, &event->amount);
    }
    return 0;
}

/* ---- representatives ---- */

static int load_quest(const struct card_reader *from, const struct gf_cards *cards, struct gf_quest *quest)
{
    static const char *const kinds[] = {"visit", "grown", "lock", NULL};
    const char *colour;
    int kind;
    if (card_word(from, "kind", kinds, &kind) < 0)
        return -1;
    quest->kind = (enum gf_quest_kind)kind;
    if (quest->kind == GF_VISIT)
        return 0;
    int most = quest->kind == GF_GROWN ? cards->uncollected : cards->cubes;
    if (card_word(from, "state", state_words, &quest->state) < 0 ||
        card_int(from, "count", 1, most, &quest->count) < 0)
        return -1;
    quest->state = quest->state == 2 ? GF_ANY : quest->state;
    quest->colour = GF_ANY;
    if (quest->kind == GF_GROWN)
        return 0;
    if (card_text(from, "colour", &colour) < 0)
        return -1;
    quest->colour = find_colour(cards, colour);
    if (quest->colour == GF_ANY && strcmp(colour, "any") != 0)
        return card_refuse(from, "\"colour\" is that of no planet");
    return 0;
}

static int load_ability(const struct card_reader *from, struct gf_rep_card *rep)
{
    static const char *const ids[] = {"yield_light", "yield_dark", "fuel4", "fighters", "plots",
                                      "bunker",      "converter",  "timer", NULL};
    static const struct {
        int min, max;
    } range[GF_ABILITIES] = {{1, 4}, {1, 4}, {1, 4}, {2, 4}, {1, 4}, {1, 9}, {1, 2}, {1, 1}};
    struct card_reader ability;
    int id;
    if (card_object(from, "ability", &ability) < 0 || card_word(&ability, "id", ids, &id) < 0 ||
        card_int(&ability, "amount", range[id].min, range[id].max, &rep->amount) < 0)
        return -1;
    rep->ability = (enum gf_ability)id;
    return card_name(&ability, "text", rep->text, GF_TEXT);
}

static int load_rep(const struct card_reader *from, int index, void *to)
{
    struct gf_cards *cards = to;
    struct gf_rep_card *rep = &cards->rep[index + 1];
    if (card_name(from, "name", rep->name, GF_NAME) < 0 || load_ability(from, rep) < 0 ||
        card_int(from, "bonus", 0, 9, &rep->bonus) < 0)
        return -1;
    const json_t *quests = card_list(from, "quests", GF_QUESTS, GF_QUESTS);
    if (!quests)
        return -1;
    for (int i = 0; i < GF_QUESTS; i++) {
        struct card_reader quest =
            card_inside(from, json_array_get(quests, (size_t)i), "%s, quest %d", from->what, i + 1);
        if (load_quest(&quest, cards, &rep->quest[i]) < 0)
            return -1;
    }
    for (int i = 1; i <= index; i++) {
        if (strcmp(cards->rep[i].name, rep->name) == 0)
            return card_refuse(from, "\"name\" is that of representative %d", i);
    }
    return 0;
}

/* ---- numbers ---- */

static int load_numbers(const struct card_reader *file, struct gf_cards *c)
{
    int open,
        get; /* three orders lie open, and a conversion gives one cube: the file must agree */
    const struct card_number numbers[] = {
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
        {"lose", "failed_orders", 1, 99, &c->lose.failed},
        {"lose", "killed_standard", 1, 99, &c->lose.killed},
        {"lose", "killed_easy", 1, 99, &c->lose.killed_easy},
        {"lose", "troops", 1, GF_PLANETS, &c->lose.troops},
    };
    if (cards_numbers(file, numbers, sizeof(numbers) / sizeof(numbers[0])) < 0)
        return -1;
    if (c->home_workers + c->ship_workers != c->workers_total)
        return err_set(file->err, ERR_BROKEN,
                       "limits: \"workers_total\" must be the workers of \"start\" taken together");
    return 0;
}

int gf_cards_load(const json_t *json, int version, void *to, struct err *err)
{
    static const struct card_kind ships = {"ships", "ship", GF_SHIPS, GF_SHIPS, '\0', load_ship};
    static const struct card_kind planets = {"planets", "planet", GF_PLANETS, GF_PLANETS, 'P', load_planet};
    static const struct card_kind orders = {"orders", "order", GF_OPEN, GF_ORDERS, 'O', load_order};
    static const struct card_kind events = {"events", "event", 1, GF_EVENTS, 'E', load_event};
    static const struct card_kind reps = {"representatives", "representative", GF_PLANETS, GF_PLANETS, 'R',
                                          load_rep};
    struct gf_cards *cards = to;
    struct card_reader file;
    cards->version = version;
    if (cards_open(&file, json, "galaxy-farmer", err) < 0 || load_numbers(&file, cards) < 0 ||
        load_ring(&file, cards) < 0 || cards_each(&file, &ships, cards) < 0 ||
        cards_each(&file, &planets, cards) < 0)
        return -1;
    snprintf(cards->planet[0].name, GF_NAME, "HOME");
    cards->orders = cards_each(&file, &orders, cards);
    cards->events = cards->orders < 0 ? -1 : cards_each(&file, &events, cards);
    return cards->events < 0 || cards_each(&file, &reps, cards) < 0 ? -1 : 0;
}
