/* What the decks would have brought next, when the game is over. */
#include "rules/galaxy_farmer/turn.h"

#define NEXT 3 /* cards of a deck that are told */

struct value *gf_reveal(const void *data, const void *from, struct arena *arena)
{
    const struct gf_cards *cards = data;
    const struct gf_state *state = from;
    struct value *object = value_object(arena);
    struct value *events = value_put_list(object, "events");
    struct value *orders = value_put_list(object, "orders");
    for (int i = 0; i < state->event_count && i < NEXT && i < GF_EVENTS; i++)
        value_put_text(value_add_object(events), "name", cards->event[state->events[i]].name);
    for (int i = 0; i < state->order_count && i < NEXT && i < GF_ORDERS; i++)
        value_put_text(value_add_object(orders), "name", cards->order[state->orders[i]].name);
    value_mark_more(events);
    value_mark_more(orders);
    value_put_flag(object, "has_events", value_count(events) > 0);
    value_put_flag(object, "has_orders", value_count(orders) > 0);
    return value_count(events) + value_count(orders) ? object : NULL;
}
