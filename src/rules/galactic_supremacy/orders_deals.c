/* Deals with other players, which are carried out when the mail is read: OFFER, ACCEPT, DECLINE, WITHDRAW,
 * VOTE. */
#include "rules/galactic_supremacy/names.h"

#include <string.h>

#include "base/str.h"

#define OFFERS_OPEN 2 /* of a seat at a time */

/* ---- OFFER ---- */

/* Reads a list after its word; without the word there may be none. GIVE may be left out, GET may be FOR. */
static bool read_terms(const struct gs_turn *turn, struct args *args, bool get, uint8_t kinds[GS_KINDS],
                       int32_t *credits)
{
    struct gs_list list;
    memset(kinds, 0, GS_KINDS);
    *credits = 0;
    bool said =
        get ? args_keyword(args, "get", 3) || args_keyword(args, "for", 3) : args_keyword(args, "give", 4);
    struct args bare = *args;
    if (!said && (get || args_end(args) || !gs_read_list(turn->cards, &bare, &list)))
        return true;
    if (!gs_read_list(turn->cards, args, &list) || list.credits >= ARGS_ALL)
        return false;
    for (int i = 0; i < GS_KINDS; i++)
        kinds[i] = (uint8_t)list.kind[i];
    *credits = list.credits;
    return true;
}

static bool read_time(const struct gs_turn *turn, struct args *args, struct gs_offer *offer)
{
    int number;
    bool only = args_keyword(args, "turn", 4);
    if (!only && !args_keyword(args, "until", 5))
        return true;
    (void)args_keyword(args, "turn", 4);
    if (!args_number(args, &number) || number < turn->table->number || number > UINT16_MAX)
        return false;
    offer->first = (uint16_t)(only ? number : 0);
    offer->last = (uint16_t)number;
    return true;
}

static bool empty(const uint8_t kinds[GS_KINDS], int credits)
{
    for (int i = 0; i < GS_KINDS; i++) {
        if (kinds[i])
            return false;
    }
    return credits == 0;
}

static bool read_offer(const struct gs_turn *turn, struct args *args, struct gs_offer *offer,
                       struct refusal *why)
{
    int to;
    if (!gs_read_opponent(turn, args, &to, why))
        return false;
    offer->from = (uint8_t)turn->seat;
    offer->to = (uint8_t)to;
    if (!read_terms(turn, args, false, offer->give, &offer->give_credits) ||
        !read_terms(turn, args, true, offer->get, &offer->get_credits)) {
        no(why, "offer_what words=%s", gs_first_words(args).p);
        return false;
    }
    if (!read_time(turn, args, offer)) {
        no(why, "offer_when");
        return false;
    }
    if (!args_finished(args, why))
        return false;
    if (empty(offer->give, offer->give_credits) && empty(offer->get, offer->get_credits)) {
        no(why, "offer_what words=%s", gs_first_words(args).p);
        return false;
    }
    return true;
}

/* An offer that can be accepted now holds only what its seat has; what it will have is for a
 * later turn (TURN n). */
static bool covered(const struct gs_turn *turn, const struct gs_offer *offer, struct refusal *why)
{
    if (offer->first > turn->table->number)
        return true;
    for (int kind = 0; kind < GS_KINDS; kind++) {
        int have = gs_hand_count(turn->cards, turn->player, (enum gs_kind)kind);
        if (have >= offer->give[kind])
            continue;
        no(why, "offer_cards kind=%s have=%d", gs_kind_names[kind], have);
        return false;
    }
    if (turn->player->credits >= offer->give_credits)
        return true;
    no(why, "offer_credits have=%d", turn->player->credits);
    return false;
}

GS_HANDLER(gs_run_offer)
{
    struct gs_turn *play = turn;
    struct gs_state *state = play->state;
    struct gs_offer offer = {.number = 0};
    int open = 0;
    (void)rolled;
    if (play->reaction != GS_OWN_TURN)
        return no(why, "no_answer");
    if (!read_offer(play, args, &offer, why) || !covered(play, &offer, why))
        return ORDER_REFUSED;
    for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++)
        open += state->offer[i].from == play->seat;
    if (open >= OFFERS_OPEN || state->offer_count >= GS_OFFERS || state->offered >= UINT16_MAX)
        return no(why, "offers_open limit=%d", OFFERS_OPEN);
    offer.number = (uint16_t)++state->offered;
    state->offer[state->offer_count++] = offer;
    say_to(play->table->events, SEAT_BIT(offer.from) | SEAT_BIT(offer.to), offer.from, "Trade & Negotiations",
           "offered to_seat=%d number=%d give+=%s get+=%s only+=%d until+=%d", offer.to, offer.number,
           gs_list_words(offer.give, offer.give_credits).p, gs_list_words(offer.get, offer.get_credits).p,
           offer.first ? offer.last : 0, offer.first ? 0 : offer.last);
    return ORDER_DONE;
}

/* ---- answers to an offer ---- */

/* Reads the number of an offer that this seat got (or made); without one, the only such. */
static struct gs_offer *read_number(const struct gs_turn *turn, struct args *args, bool made,
                                    struct refusal *why)
{
    struct gs_state *state = turn->state;
    struct gs_offer *found = NULL;
    int number = 0;
    int count = 0;
    (void)args_keyword(args, "offer", 5);
    bool given = args_number(args, &number);
    for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++) {
        struct gs_offer *offer = &state->offer[i];
        bool mine = (made ? offer->from : offer->to) == turn->seat;
        if (!mine || (given && offer->number != number))
            continue;
        found = offer;
        count++;
    }
    if (!args_finished(args, why))
        return NULL;
    if (count == 1)
        return found;
    if (given)
        no(why, "no_such_offer number=%d", number);
    else
        no(why, count ? "which_offer" : "no_such_offer");
    return NULL;
}

static enum order_result accept(struct gs_turn *turn, const struct gs_offer *offer, struct refusal *why)
{
    chance_luck(turn->table->chance); /* what the partner holds is hidden */
    if (gs_check_offer(turn, offer, why) == ORDER_REFUSED)
        return ORDER_REFUSED;
    turn->agreed = true;
    gs_offer_accept(turn->table, offer);
    return ORDER_DONE;
}

GS_HANDLER(gs_run_accept)
{
    struct gs_turn *play = turn;
    const struct gs_offer *offer = play->offer;
    int seat;
    (void)rolled;
    if (play->reaction == GS_ON_OFFERED) {
        (void)args_keyword(args, "from", 4);
        if (!args_end(args) && (!gs_read_seat(play, args, &seat) || seat != offer->from))
            return no(why, "other_use");
        return args_finished(args, why) ? accept(play, offer, why) : ORDER_REFUSED;
    }
    if (play->reaction != GS_OWN_TURN)
        return no(why, "no_answer");
    offer = read_number(play, args, false, why);
    return offer ? accept(play, offer, why) : ORDER_REFUSED;
}

static enum order_result end_offer(struct gs_turn *turn, struct args *args, bool made, struct refusal *why)
{
    if (turn->reaction != GS_OWN_TURN)
        return no(why, "no_answer");
    const struct gs_offer *offer = read_number(turn, args, made, why);
    if (!offer)
        return ORDER_REFUSED;
    gs_offer_end(turn->table, offer, made ? GS_WITHDRAWN : GS_DECLINED);
    return ORDER_DONE;
}

GS_HANDLER(gs_run_decline)
{
    (void)rolled;
    return end_offer(turn, args, false, why);
}

GS_HANDLER(gs_run_withdraw)
{
    (void)rolled;
    return end_offer(turn, args, true, why);
}

/* ---- an agreed end ---- */

GS_HANDLER(gs_run_vote)
{
    struct gs_turn *play = turn;
    (void)rolled;
    if (play->reaction != GS_OWN_TURN)
        return no(why, "no_answer");
    bool draw = args_keyword(args, "draw", 4);
    if (!draw && !args_keyword(args, "play", 4))
        return no(why, "vote_what words=%s", args_words(args).p);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    bool changes = play->player->draw != draw;
    play->player->draw = draw;
    if (changes)
        say(play->table->events, play->seat, "Object", draw ? "votes_draw" : "votes_play");
    return ORDER_DONE;
}
