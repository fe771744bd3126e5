/* The members of the state: what they are called in documents, and in words where players read them. */
#include "rules/galaxy_farmer/turn.h"

static void place(struct str *out, const void *cards, const void *state, int64_t number)
{
    const struct gf_cards *all = cards;
    (void)state;
    str_adds(out, number > 0 && number <= GF_PLANETS ? all->planet[number].name : "HOME");
}

/* The enemy ship counts places round the ring. */
static void position(struct str *out, const void *cards, const void *state, int64_t number)
{
    place(out, cards, state, gf_planet_at(state, (int)number));
}

/* Resource i grows on planet i. */
static void resource(struct str *out, const void *cards, const void *state, int64_t number)
{
    const struct gf_cards *all = cards;
    (void)state;
    str_adds(out, number > 0 && number <= GF_PLANETS ? all->planet[number].resource : "nothing");
}

static void order(struct str *out, const void *cards, const void *state, int64_t number)
{
    const struct gf_cards *all = cards;
    (void)state;
    str_adds(out, number > 0 && number <= GF_ORDERS ? all->order[number].name : "none");
}

static void event(struct str *out, const void *cards, const void *state, int64_t number)
{
    const struct gf_cards *all = cards;
    (void)state;
    str_adds(out, number > 0 && number <= GF_EVENTS ? all->event[number].name : "none");
}

static void representative(struct str *out, const void *cards, const void *state, int64_t number)
{
    const struct gf_cards *all = cards;
    (void)state;
    str_adds(out, number > 0 && number <= GF_PLANETS ? all->rep[number].name : "none");
}

static const struct field planet_fields[] = {
    {FIELD(struct gf_planet, dark), .words = "dark"},
    {FIELD(struct gf_planet, working), .words = "workers on the top half"},
    {FIELD(struct gf_planet, idle), .words = "workers on the bottom half"},
    {FIELD(struct gf_planet, cubes), .words = "cubes"},
    {FIELD(struct gf_planet, troop), .words = "enemy troop"},
    {FIELD(struct gf_planet, meteor), .words = "turns of the meteor left"},
    {FIELD(struct gf_planet, rep), .words = "representative", .value = representative},
    FIELD_END,
};

static const struct field order_fields[] = {
    {FIELD(struct gf_order, card), .words = "card", .value = order},
    {FIELD(struct gf_order, timer)},
    {FIELD_LIST(struct gf_order, locked, NULL), .words = "locked for need #"},
    FIELD_END,
};

static const struct field plot_fields[] = {
    {FIELD(struct gf_plot, planted), .words = "planted", .value = resource},
    {FIELD(struct gf_plot, crop), .words = "crops"},
    FIELD_END,
};

static const struct field rep_fields[] = {
    {FIELD(struct gf_rep, cubes), .words = "cubes"},
    {FIELD_LIST(struct gf_rep, locked, NULL), .words = "given, #", .index = resource},
    FIELD_END,
};

const struct field gf_fields[] = {
    {FIELD(struct gf_state, turn)},
    {FIELD(struct gf_state, difficulty)},
    {FIELD(struct gf_state, ship)},
    {FIELD(struct gf_state, lenient)},
    {FIELD_OF(struct gf_state, tally.score, score)},
    {FIELD_OF(struct gf_state, tally.failed, failed), .words = "orders failed"},
    {FIELD_OF(struct gf_state, tally.killed, killed), .words = "workers killed"},
    {FIELD_OF(struct gf_state, tally.completed, completed), .words = "orders completed"},
    {FIELD(struct gf_state, fuel)},
    {FIELD(struct gf_state, place), .words = "ship at", .value = place},
    {FIELD(struct gf_state, aboard), .words = "workers aboard"},
    {FIELD(struct gf_state, home), .words = "workers at HOME"},
    {FIELD_LIST(struct gf_state, cargo, NULL), .words = "cargo, #", .index = resource},
    {FIELD_LIST(struct gf_state, store, NULL), .words = "store, #", .index = resource},
    {FIELD_LIST(struct gf_state, pool, NULL), .words = "pool, #", .index = resource},
    {FIELD_SUBS(struct gf_state, plot, NULL, plot_fields), .words = "plot #"},
    {FIELD_LIST(struct gf_state, ring, NULL), .words = "place # of the ring", .value = place},
    {FIELD_SUBS(struct gf_state, planet, NULL, planet_fields), .words = "#", .index = place},
    {FIELD(struct gf_state, enemy), .words = "enemy ship at", .value = position},
    {FIELD_SUBS(struct gf_state, open, NULL, order_fields), .words = "open order #"},
    {FIELD(struct gf_state, order_count)},
    {FIELD(struct gf_state, gone_count)},
    {FIELD(struct gf_state, event_count)},
    {FIELD(struct gf_state, used_count)},
    {FIELD_LIST(struct gf_state, orders, "order_count"), .words = "orders to come", .value = order},
    {FIELD_LIST(struct gf_state, gone, "gone_count"), .words = "orders completed and failed", .value = order},
    {FIELD_LIST(struct gf_state, events, "event_count"), .words = "events to come", .value = event},
    {FIELD_LIST(struct gf_state, used, "used_count"), .words = "events that have happened", .value = event},
    {FIELD_SUBS(struct gf_state, rep, NULL, rep_fields), .words = "#", .index = representative},
    {FIELD(struct gf_state, partner), .words = "partner", .value = representative},
    {FIELD(struct gf_state, hold), .words = "order held", .value = order},
    {FIELD(struct gf_state, end), .words = "game over"},
    {FIELD(struct gf_state, landed)},
    FIELD_END,
};
