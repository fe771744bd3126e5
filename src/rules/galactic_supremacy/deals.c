/* Deals between two seats: cards by kind and credits, both ways at once or not at all. */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#include "base/str.h"

#define RULE_TRADE "Trade & Negotiations"
#define TERMS      " to_seat=%d number=%d give+=%s get+=%s"

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

struct brief gs_list_words(const uint8_t kinds[GS_KINDS], int credits)
{
    struct str out = STR_INIT;
    for (int i = 0; i < GS_KINDS; i++) {
        if (kinds[i])
            str_addf(&out, "%s%d %s", out.len ? ", " : "", kinds[i], gs_kind_names[i]);
    }
    if (credits)
        str_addf(&out, "%s%d credits", out.len ? ", " : "", credits);
    return brief_str(&out);
}

/* Off the table. */
static struct gs_offer take_offer(struct gs_state *state, const struct gs_offer *open)
{
    const struct gs_offer offer = *open;
    state->offer_count--;
    for (int i = (int)(open - state->offer); i < state->offer_count; i++)
        state->offer[i] = state->offer[i + 1];
    state->offer[state->offer_count] = (struct gs_offer){.number = 0};
    return offer;
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
    (void)take_offer(table->state, agreed);
    say_to(table->events, both, offer.from, RULE_TRADE, "traded" TERMS, offer.to, offer.number,
           gs_list_words(offer.give, offer.give_credits).p, gs_list_words(offer.get, offer.get_credits).p);
    say_to(table->events, EVENT_PUBLIC & ~both, offer.from, RULE_TRADE,
           "traded_openly to_seat=%d give_cards=%d get_cards=%d give_credits+=%d get_credits+=%d", offer.to,
           card_count(offer.give), card_count(offer.get), offer.give_credits, offer.get_credits);
}

void gs_offer_end(struct gs_table *table, const struct gs_offer *open, enum gs_offer_end how)
{
    const struct gs_offer offer = take_offer(table->state, open);
    const bool declined = how == GS_DECLINED;
    say_to(table->events, SEAT_BIT(offer.from) | SEAT_BIT(offer.to), declined ? offer.to : offer.from,
           RULE_TRADE,
           declined              ? "offer_declined" TERMS
           : how == GS_WITHDRAWN ? "offer_withdrawn" TERMS
                                 : "offer_expired" TERMS,
           declined ? offer.from : offer.to, offer.number, gs_list_words(offer.give, offer.give_credits).p,
           gs_list_words(offer.get, offer.get_credits).p);
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
            gs_offer_end(table, offer, GS_EXPIRED);
    }
}
