/* The state in words, as reports call things. */
#include "rules/spelling.h"

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

const struct spelling gf_spellings[] = {
    {"planet[]", "#", place, NULL},
    {"dark", "dark", NULL, NULL},
    {"working", "workers on the top half", NULL, NULL},
    {"idle", "workers on the bottom half", NULL, NULL},
    {"cubes", "cubes", NULL, NULL},
    {"troop", "enemy troop", NULL, NULL},
    {"meteor", "turns of the meteor left", NULL, NULL},
    {"rep", "representative", NULL, representative},
    {"open[]", "open order #", NULL, NULL},
    {"card", "card", NULL, order},
    {"open[].locked[]", "locked for need #", NULL, NULL},
    {"rep[].locked[]", "given, #", resource, NULL},
    {"plot[]", "plot #", NULL, NULL},
    {"planted", "planted", NULL, resource},
    {"crop", "crops", NULL, NULL},
    {"rep[]", "#", representative, NULL},
    {"cargo[]", "cargo, #", resource, NULL},
    {"store[]", "store, #", resource, NULL},
    {"pool[]", "pool, #", resource, NULL},
    {"ring[]", "place # of the ring", NULL, place},
    {"enemy", "enemy ship at", NULL, position},
    {"place", "ship at", NULL, place},
    {"aboard", "workers aboard", NULL, NULL},
    {"home", "workers at HOME", NULL, NULL},
    {"killed", "workers killed", NULL, NULL},
    {"failed", "orders failed", NULL, NULL},
    {"completed", "orders completed", NULL, NULL},
    {"orders[]", "orders to come", NULL, order},
    {"order_count", NULL, NULL, NULL},
    {"gone[]", "orders completed and failed", NULL, order},
    {"gone_count", NULL, NULL, NULL},
    {"events[]", "events to come", NULL, event},
    {"event_count", NULL, NULL, NULL},
    {"used[]", "events that have happened", NULL, event},
    {"used_count", NULL, NULL, NULL},
    {"partner", "partner", NULL, representative},
    {"hold", "order held", NULL, order},
    {"end", "game over", NULL, NULL},
    {NULL, NULL, NULL, NULL},
};
