/* Deals between two seats: cards by kind and credits, both ways at once or not at all. */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#include "base/str.h"

#define RULE_TRADE "Trade & Negotiations"

struct gs_offer *gs_offer_find(struct gs_state *state, int number)
{
    for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++) {
        if (state->offer[i].number == number)
            return &state->offer[i];
    }
    return NULL;
}

static int card_count(const uint8_t kinds[GS_KINDS])
{
    int count = 0;
    for (int i = 0; i < GS_KINDS; i++)
        count += kinds[i];
    return count;
}

static bool can_give(const struct gs_cards *cards, const struct gs_player *player,
                     const uint8_t kinds[GS_KINDS], int credits)
{
    for (int i = 0; i < GS_KINDS; i++) {
        if (gs_hand_count(cards, player, (enum gs_kind)i) < kinds[i])
            return false;
    }
    return player->credits >= credits;
}

bool gs_offer_stands(const struct gs_cards *cards, const struct gs_state *state, const struct gs_offer *offer)
{
    const struct gs_player *from = gs_player_const(state, offer->from);
    uint8_t most[GS_KINDS] = {0}; /* cards that it may hold */
    if (offer->first)             /* for a later turn it may promise */
        return true;
    for (int i = 0; i < from->hand_count && i < GS_HAND; i++)
        for (int kind = 0; kind < GS_KINDS; kind++)
            most[kind] = (uint8_t)(most[kind] + (!(from->known[i] & (int)SEAT_BIT(offer->to)) ||
                                                 (int)gs_card(cards, from->hand[i])->kind == kind));
    for (int kind = 0; kind < GS_KINDS; kind++)
        if (most[kind] < offer->give[kind])
            return false;
    return from->credits >= offer->give_credits;
}

enum order_result gs_check_offer(const struct gs_turn *turn, const struct gs_offer *offer,
                                 struct refusal *why)
{
    const struct gs_player *from = gs_player_const(turn->state, offer->from);
    const struct gs_player *to = gs_player_const(turn->state, offer->to);
    int give = card_count(offer->give);
    int get = card_count(offer->get);
    if (offer->first > turn->table->number)
        return no(why, "offer_later");
    if (!can_give(turn->cards, to, offer->get, offer->get_credits))
        return no(why, "you_cannot_give");
    if (!can_give(turn->cards, from, offer->give, offer->give_credits))
        return no(why, "partner_cannot_give");
    if (from->hand_count - give + get > GS_HAND || to->hand_count + give > GS_HAND)
        return no(why, "hand_too_full");
    return ORDER_DONE;
}

void gs_list_text(struct str *out, const uint8_t kinds[GS_KINDS], int credits)
{
    for (int i = 0; i < GS_KINDS; i++) {
        if (kinds[i])
            str_addf(out, "%s%d %s", out->len ? ", " : "", kinds[i], gs_kind_names[i]);
    }
    if (credits)
        str_addf(out, "%s%d credits", out->len ? ", " : "", credits);
}

void gs_offer_terms(struct event *event, const struct gs_offer *offer)
{
    struct str give = STR_INIT;
    struct str get = STR_INIT;
    gs_list_text(&give, offer->give, offer->give_credits);
    gs_list_text(&get, offer->get, offer->get_credits);
    event_int(event, "number", offer->number);
    if (give.len)
        event_text(event, "give", give.p);
    if (get.len)
        event_text(event, "get", get.p);
    str_release(&give);
    str_release(&get);
}

static void hand_over(struct gs_table *table, int from, int to, const uint8_t kinds[GS_KINDS], int credits)
{
    const struct gs_cards *cards = table->cards;
    struct gs_state *state = table->state;
    int both = (int)(SEAT_BIT(from) | SEAT_BIT(to));
    for (int kind = 0; kind < GS_KINDS; kind++) {
        for (int i = 0; i < kinds[kind]; i++) {
            int index = gs_hand_find(cards, gs_player(state, from), (enum gs_kind)kind);
            gs_hand_put(state, to, gs_hand_take(cards, state, from, index, both), both);
        }
    }
    gs_player(state, from)->credits -= credits;
    gs_player(state, to)->credits += credits;
}

/* Kinds that go both ways need not move: all cards of a kind are equal. */
void gs_offer_accept(struct gs_table *table, const struct gs_offer *agreed)
{
    const struct gs_offer offer = *agreed;
    uint32_t both = SEAT_BIT(offer.from) | SEAT_BIT(offer.to);
    struct gs_offer net = offer;
    for (int i = 0; i < GS_KINDS; i++) {
        uint8_t common = net.give[i] < net.get[i] ? net.give[i] : net.get[i];
        net.give[i] = (uint8_t)(net.give[i] - common);
        net.get[i] = (uint8_t)(net.get[i] - common);
    }
    hand_over(table, offer.from, offer.to, net.give, net.give_credits);
    hand_over(table, offer.to, offer.from, net.get, net.get_credits);
    gs_hand_forget(table->state, offer.from, (int)both);
    gs_hand_forget(table->state, offer.to, (int)both);
    gs_offer_end(table, offer.number, NULL, 0);
    struct event *event = event_add(table->events, "traded", both, offer.from, RULE_TRADE);
    event_int(event, "to_seat", offer.to);
    gs_offer_terms(event, &offer);
    event = event_add(table->events, "traded_openly", EVENT_PUBLIC & ~both, offer.from, RULE_TRADE);
    event_int(event, "to_seat", offer.to);
    event_int(event, "give_cards", card_count(offer.give));
    event_int(event, "get_cards", card_count(offer.get));
    if (offer.give_credits)
        event_int(event, "give_credits", offer.give_credits);
    if (offer.get_credits)
        event_int(event, "get_credits", offer.get_credits);
}

void gs_offer_end(struct gs_table *table, int number, const char *type, int seat)
{
    struct gs_state *state = table->state;
    struct gs_offer *offer = gs_offer_find(state, number);
    if (!offer)
        return;
    if (type) {
        struct event *event =
            event_add(table->events, type, SEAT_BIT(offer->from) | SEAT_BIT(offer->to), seat, RULE_TRADE);
        event_int(event, "to_seat", seat == offer->to ? offer->from : offer->to);
        gs_offer_terms(event, offer);
    }
    int place = (int)(offer - state->offer);
    memmove(offer, offer + 1, (size_t)(state->offer_count - place - 1) * sizeof(*offer));
    state->offer_count--;
    state->offer[state->offer_count] = (struct gs_offer){.number = 0};
    if (type)
        event_settled(table->events);
}

void gs_drop_offers(struct gs_state *state, int seat)
{
    int kept = 0;
    for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++) {
        if (state->offer[i].from != seat && state->offer[i].to != seat)
            state->offer[kept++] = state->offer[i];
    }
    for (int i = kept; i < GS_OFFERS; i++)
        state->offer[i] = (struct gs_offer){.number = 0};
    state->offer_count = kept;
}

void gs_settle_offers(struct gs_table *table, int after)
{
    struct gs_state *state = table->state;
    int last = after;
    for (;;) { /* in the order of their numbers; the list changes while they are accepted */
        const struct gs_offer *offer = NULL;
        for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++) {
            if (state->offer[i].number > last && (!offer || state->offer[i].number < offer->number))
                offer = &state->offer[i];
        }
        if (!offer)
            return;
        last = offer->number;
        if (!gs_alive(state, offer->to) || offer->first > table->number)
            continue;
        struct gs_turn turn;
        gs_turn_init(&turn, table, offer->to);
        turn.reaction = GS_ON_OFFERED;
        turn.offer = offer;
        (void)gs_react(&turn);
    }
}

void gs_expire_offers(struct gs_table *table)
{
    for (int i = table->state->offer_count; i > 0; i--) {
        const struct gs_offer *offer = &table->state->offer[i <= GS_OFFERS ? i - 1 : 0];
        if (offer->last && offer->last <= table->number)
            gs_offer_end(table, offer->number, "offer_expired", offer->from);
    }
}
