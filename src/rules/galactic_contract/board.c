/* What follows from a state: speed, distances, production, who owns what, what is wanted, points. */
#include "rules/galactic_contract/state.h"

/* ---- ships ---- */

int gk_speed(const struct gk_cards *cards, const struct gk_player *player)
{
    int speed = gk_ship_card(cards, player->ship)->speed;
    for (int i = 0; i < player->owned_count; i++)
        speed += gk_upgrade_card(cards, player->owned[i].card)->speed;
    return speed;
}

int gk_capacity(const struct gk_cards *cards, const struct gk_player *player)
{
    int capacity = gk_ship_card(cards, player->ship)->capacity;
    for (int i = 0; i < player->owned_count; i++) {
        const struct gk_upgrade_card *card = gk_upgrade_card(cards, player->owned[i].card);
        capacity += card->planet ? 0 : card->capacity;
    }
    return capacity;
}

int gk_room(const struct gk_cards *cards, const struct gk_player *player)
{
    int room = gk_capacity(cards, player) - gk_sum(&player->cargo);
    return room > 0 ? room : 0;
}

int gk_distance(const struct gk_state *state, int from, int to)
{
    if (from == to)
        return 0;
    if (from == GK_GCC || to == GK_GCC)
        return 1;
    int one_way = from < to ? to - from : from - to;
    return one_way < state->planets - one_way ? one_way : state->planets - one_way;
}

int gk_speed_left(const struct gk_cards *cards, const struct gk_state *state)
{
    int left = gk_speed(cards, gk_player_const(state, gk_active(state))) + state->boost - state->steps;
    return left > 0 ? left : 0;
}

/* ---- planets ---- */

int gk_depots(const struct gk_cards *cards, const struct gk_place *planet)
{
    int depots = 0;
    for (int i = 0; i < planet->built_count; i++) {
        const struct gk_construction_card *card = gk_construction_card(cards, planet->built[i]);
        depots += card->name[0] && card->kind == GK_DEPOT;
    }
    return depots;
}

struct gk_goods gk_production(const struct gk_cards *cards, const struct gk_place *planet)
{
    struct gk_goods sum = gk_planet_card(cards, planet->card)->produces;
    for (int i = 0; i < planet->built_count; i++) {
        const struct gk_construction_card *card = gk_construction_card(cards, planet->built[i]);
        if (card->kind == GK_PRODUCTION)
            gk_add(&sum, &card->goods);
    }
    return sum;
}

const struct gk_owned *gk_storage_at_const(const struct gk_cards *cards, const struct gk_state *state,
                                           const struct gk_player *player, int place)
{
    int card = place == GK_GCC ? 0 : gk_planet_const(state, place)->card;
    for (int i = 0; i < player->owned_count && card; i++) {
        if (gk_upgrade_card(cards, player->owned[i].card)->planet == card)
            return &player->owned[i];
    }
    return NULL;
}

struct gk_owned *gk_storage_at(const struct gk_cards *cards, const struct gk_state *state,
                               struct gk_player *player, int place)
{
    const struct gk_owned *found = gk_storage_at_const(cards, state, player, place);
    return found ? &player->owned[found - player->owned] : NULL;
}

int gk_storage_room(const struct gk_cards *cards, const struct gk_owned *storage)
{
    int room = gk_upgrade_card(cards, storage->card)->capacity - gk_sum(&storage->held);
    return room > 0 ? room : 0;
}

struct gk_goods gk_purse(const struct gk_cards *cards, const struct gk_state *state,
                         const struct gk_player *player, int place)
{
    struct gk_goods purse = player->cargo;
    const struct gk_owned *storage = gk_storage_at_const(cards, state, player, place);
    if (storage)
        gk_add(&purse, &storage->held);
    return purse;
}

int gk_owner(const struct gk_cards *cards, const struct gk_state *state, int upgrade)
{
    int planet = gk_upgrade_card(cards, upgrade)->planet;
    if (planet && gk_place_of_card(state, planet) == GK_GCC)
        return -1;
    for (int seat = 1; seat <= gk_seats(state); seat++) {
        const struct gk_player *player = gk_player_const(state, seat);
        for (int i = 0; i < player->owned_count; i++) {
            if (player->owned[i].card == upgrade)
                return seat;
        }
    }
    return 0;
}

/* ---- shipments ---- */

int gk_open_shipment(const struct gk_state *state, int pile)
{
    const struct gk_pile *from = &state->pile[pile];
    return from->count > 0 && from->card[0] <= GK_SHIPMENTS ? from->card[0] : 0;
}

int gk_empty_piles(const struct gk_state *state)
{
    int empty = 0;
    for (int p = 0; p < GK_PILES; p++)
        empty += state->pile[p].count == 0;
    return empty;
}

int gk_best_pile(const struct gk_cards *cards, const struct gk_state *state, const struct gk_goods *purse)
{
    int best = -1;
    int best_value = -1;
    for (int p = 0; p < GK_PILES; p++) {
        int number = gk_open_shipment(state, p);
        const struct gk_shipment_card *card = gk_shipment_card(cards, number);
        int value = card->points * 64 - gk_sum(&card->cost);
        if (!number || !gk_covers(purse, &card->cost) || (best >= 0 && value <= best_value))
            continue;
        best = p;
        best_value = value;
    }
    return best;
}

/* ---- what is wanted ---- */

/* Smaller means more wanted. */
static int want_rank(const struct gk_player *player, int kind)
{
    for (int i = 0; i < player->keep_count; i++) {
        if (player->keep[i] == kind)
            return i - GK_KINDS;
    }
    return player->cargo.of[kind] * GK_KINDS + kind;
}

int gk_most_wanted(const struct gk_player *player, const struct gk_goods *choice)
{
    int best = -1;
    for (int k = 0; k < GK_KINDS; k++) {
        if (choice->of[k] > 0 && (best < 0 || want_rank(player, k) < want_rank(player, best)))
            best = k;
    }
    return best;
}

int gk_least_wanted(const struct gk_player *player, const struct gk_goods *choice)
{
    int worst = -1;
    for (int k = 0; k < GK_KINDS; k++) {
        if (choice->of[k] > 0 && (worst < 0 || want_rank(player, k) > want_rank(player, worst)))
            worst = k;
    }
    return worst;
}

/* ---- points ---- */

struct gk_points gk_points(const struct gk_cards *cards, const struct gk_player *player)
{
    struct gk_points points = {0, 0, 0, 0};
    for (int i = 0; i < player->shipment_count; i++)
        points.shipments += gk_shipment_card(cards, player->shipment[i])->points;
    for (int i = 0; i < player->trade_count; i++)
        points.trades += gk_trade_card(cards, player->trade[i])->points;
    for (int i = 0; i < player->owned_count; i++)
        points.upgrades += gk_upgrade_card(cards, player->owned[i].card)->points;
    points.total = points.shipments + points.trades + points.upgrades;
    return points;
}

uint32_t gk_awaits(const void *from)
{
    const struct gk_state *state = from;
    return state->over ? 0 : SEAT_BIT(gk_active(state));
}

bool gk_interrupted(const void *from)
{
    const struct gk_state *state = from;
    return state->interrupted && !state->over;
}

void gk_scores(const void *cards, const void *from, struct score *scores)
{
    const struct gk_state *state = from;
    int seats = gk_seats(state);
    for (int seat = 1; seat <= seats; seat++) {
        scores[seat] = (struct score){.fate = state->over ? SEAT_FINISHED : SEAT_PLAYING, .rank = ""};
        scores[seat].points = gk_points(cards, gk_player_const(state, seat)).total;
    }
    for (int seat = 1; seat <= seats && state->over; seat++) {
        scores[seat].place = 1;
        for (int other = 1; other <= seats; other++)
            scores[seat].place += scores[other].points > scores[seat].points;
        scores[seat].won = scores[seat].place == 1 && seats > 1;
    }
}

const char *gk_ending(const void *from)
{
    const struct gk_state *state = from;
    if (!state->over)
        return "";
    return state->ending == GK_BY_TRADES ? "trades_done" : "shipments_done";
}
