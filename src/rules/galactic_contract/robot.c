/* A greedy trader: looks one turn ahead. Of all places in reach, with or without one swap or one purchase
 * before, it takes the one after which points won and cargo on board are worth most. It knows what the seat's
 * report says, no more. */
#include "rules/galactic_contract/turn.h"

#include <string.h>

#include "base/str.h"

#define SHIPPED     100       /* value of a point that a shipment brings now ... */
#define TRADED      60        /* ... or a trade: it uses up what a shipment could need */
#define BOUGHT      70        /* ... or an upgrade */
#define TRADE_SOON  33        /* percent of a trade's points that can be had next turn */
#define FUEL_WORTH  12        /* of a fuel burned for speed */
#define IDLE        300       /* the cost of a turn that changes nothing, against hoarding */
#define NOTHING     (-100000) /* no plan */
#define CARD_WORTH  12        /* of any card on board */
#define ROOM_WORTH  93        /* of a unit of capacity at the beginning of the game */
#define SPEED_WORTH 59
#define STORE_WORTH 79

/* Percent of a shipment's points that its cargo is worth, by the cards still missing. */
static const int progress[] = {88, 68, 54, 34, 29, 3};
#define PROGRESS ((int)(sizeof(progress) / sizeof(progress[0])))

struct plan {
    int value;
    int give, get; /* swap; give -1 = none */
    int buy;       /* upgrade, 0 = none */
    int place, fuel;
    bool trade;
    struct gk_goods drop; /* cargo that is given up to make room ... */
    struct gk_goods want; /* ... for what is to be collected */
};

struct robot {
    const struct gk_cards *cards;
    const struct gk_state *state;
    const struct gk_player *player;
    int here, speed, capacity, left; /* left: percent of the game */
    bool delivers;                   /* he looks only for what a shipment brings now */
};

/* ---- what cargo is worth ---- */

static int shipment_worth(const struct robot *robot, const struct gk_goods *goods, int number)
{
    const struct gk_shipment_card *card = gk_shipment_card(robot->cards, number);
    struct gk_goods lacking = gk_missing(goods, &card->cost);
    int missing = gk_sum(&lacking);
    if (!number || gk_sum(&card->cost) > robot->capacity || missing >= PROGRESS)
        return 0;
    return card->points * progress[missing];
}

/* The shipment that the cargo comes nearest to, 0 = none. */
static int goal(const struct robot *robot, const struct gk_goods *goods, int *worth, int *second)
{
    int best = 0;
    *worth = *second = 0;
    for (int p = 0; p < GK_PILES; p++) {
        int number = gk_open_shipment(robot->state, p);
        int value = shipment_worth(robot, goods, number);
        if (value > *worth) {
            *second = *worth;
            *worth = value;
            best = number;
        } else if (value > *second) {
            *second = value;
        }
    }
    return best;
}

static int trades_worth(const struct robot *robot, const struct gk_goods *goods, int place)
{
    int best = 0;
    for (int to = 1; to <= robot->state->planets; to++) {
        const struct gk_trade_card *card =
            gk_trade_card(robot->cards, gk_planet_const(robot->state, to)->trade);
        int reach = gk_distance(robot->state, place, to);
        if (reach <= robot->speed && gk_sum(&card->cost) && gk_covers(goods, &card->cost) &&
            card->points * TRADE_SOON > best)
            best = card->points * TRADE_SOON;
    }
    return best;
}

static int cargo_worth(const struct robot *robot, const struct gk_goods *goods, int place)
{
    int first, second;
    (void)goal(robot, goods, &first, &second);
    return first + second / 3 + trades_worth(robot, goods, place) + CARD_WORTH * gk_sum(goods);
}

/* ---- one place ---- */

/* The kind with the most aboard beyond what the shipment needs. */
static int spare(const struct gk_goods *goods, const struct gk_goods *need)
{
    int best = 0;
    int best_surplus = -100;
    for (int k = 0; k < GK_KINDS; k++) {
        int surplus = (goods->of[k] - need->of[k]) * 16 + goods->of[k];
        if (goods->of[k] > 0 && surplus > best_surplus) {
            best = k;
            best_surplus = surplus;
        }
    }
    return best;
}

/* Collects, after giving up what would not fit and is needed least. */
static void harvest(const struct robot *robot, struct gk_goods *goods, int place, struct plan *plan)
{
    struct gk_goods production = gk_production(robot->cards, gk_planet_const(robot->state, place));
    struct gk_goods before = *goods;
    int first, second;
    gk_add(goods, &production);
    int number = gk_sum(goods) > robot->capacity ? goal(robot, goods, &first, &second) : 0;
    while (gk_sum(goods) > robot->capacity)
        goods->of[spare(goods, &gk_shipment_card(robot->cards, number)->cost)]--;
    plan->drop = gk_missing(goods, &before);
    plan->want = gk_missing(&before, goods);
}

static int at_gcc(const struct robot *robot, struct gk_goods goods)
{
    int points = 0;
    bool done[GK_PILES] = {false};
    for (int p = 0; p < GK_PILES; p++) {
        int best = -1;
        for (int i = 0; i < GK_PILES; i++) {
            int number = gk_open_shipment(robot->state, i);
            const struct gk_shipment_card *card = gk_shipment_card(robot->cards, number);
            if (!done[i] && number && gk_covers(&goods, &card->cost) &&
                (best < 0 ||
                 card->points > gk_shipment_card(robot->cards, gk_open_shipment(robot->state, best))->points))
                best = i;
        }
        if (best < 0)
            break;
        const struct gk_shipment_card *card =
            gk_shipment_card(robot->cards, gk_open_shipment(robot->state, best));
        gk_take(&goods, &card->cost);
        points += card->points;
        done[best] = true;
    }
    if (robot->delivers && !points)
        return NOTHING;
    return (points ? points * SHIPPED : -IDLE) + cargo_worth(robot, &goods, GK_GCC);
}

static int at_planet(const struct robot *robot, struct gk_goods goods, int place, struct plan *plan)
{
    const struct gk_place *planet = gk_planet_const(robot->state, place);
    const struct gk_trade_card *card = gk_trade_card(robot->cards, planet->trade);
    struct gk_goods without = goods;
    struct plan trading = *plan;
    harvest(robot, &without, place, plan);
    int value = cargo_worth(robot, &without, place) - (memcmp(&without, &goods, sizeof(goods)) ? 0 : IDLE);
    plan->trade = false;
    if (!planet->trade || !gk_covers(&goods, &card->cost))
        return value;
    gk_take(&goods, &card->cost);
    gk_add(&goods, &card->gain);
    goods.of[card->bonus] += gk_depots(robot->cards, planet);
    while (gk_sum(&goods) > robot->capacity)
        goods.of[spare(&goods, &card->cost)]--;
    harvest(robot, &goods, place, &trading);
    int with = card->points * TRADED + cargo_worth(robot, &goods, place);
    if (with <= value)
        return value;
    *plan = trading;
    plan->trade = true;
    return with;
}

/* Looks at every place in reach with these goods; keeps the plan if it is better. */
static void consider(const struct robot *robot, const struct gk_goods *goods, struct plan plan,
                     struct plan *best)
{
    int extra = plan.value;
    for (int place = GK_GCC; place <= robot->state->planets; place++) {
        struct gk_goods rest = *goods;
        int lacking = gk_distance(robot->state, robot->here, place) - robot->speed;
        if (place != robot->here && robot->state->landed)
            continue;
        plan.place = place;
        plan.fuel = lacking > 0 ? lacking : 0;
        plan.trade = false;
        plan.drop = plan.want = (struct gk_goods){{0}};
        rest.of[GK_FUEL] -= plan.fuel;
        if (rest.of[GK_FUEL] < 0 || (robot->delivers && place != GK_GCC))
            continue;
        plan.value = extra - plan.fuel * FUEL_WORTH +
                     (place == GK_GCC ? at_gcc(robot, rest) : at_planet(robot, rest, place, &plan));
        if (plan.value > best->value)
            *best = plan;
    }
}

/* ---- before the move ---- */

static void consider_swaps(const struct robot *robot, struct plan *best)
{
    struct plan plan = {.give = -1};
    for (int give = 0; give < GK_KINDS; give++) {
        if (robot->state->swapped || robot->player->cargo.of[give] < robot->cards->swap_give)
            continue;
        for (int get = 0; get < GK_KINDS; get++) {
            struct gk_goods goods = robot->player->cargo;
            if (get == give || robot->state->bank.of[get] < 1)
                continue;
            goods.of[give] -= robot->cards->swap_give;
            goods.of[get]++;
            plan.give = give;
            plan.get = get;
            consider(robot, &goods, plan, best);
        }
    }
}

static void consider_purchases(const struct robot *robot, struct plan *best)
{
    if (robot->player->owned_count >= gk_ship_card(robot->cards, robot->player->ship)->max_upgrades)
        return;
    for (int n = 1; n <= GK_UPGRADES; n++) {
        const struct gk_upgrade_card *card = gk_upgrade_card(robot->cards, n);
        struct robot after = *robot;
        struct gk_goods goods = robot->player->cargo;
        struct plan plan = {.give = -1, .buy = n};
        if (gk_owner(robot->cards, robot->state, n) != 0 || !gk_covers(&goods, &card->cost))
            continue;
        gk_take(&goods, &card->cost);
        after.speed += card->speed;
        after.capacity += card->planet ? 0 : card->capacity;
        int use = card->planet ? STORE_WORTH : card->speed * SPEED_WORTH + card->capacity * ROOM_WORTH;
        plan.value = card->points * BOUGHT + use * robot->left / 100;
        consider(&after, &goods, plan, best);
    }
}

/* ---- orders ---- */

/* What the plan collects first, then what the nearest shipment lacks, what it needs, and the others. */
static void write_keep(const struct robot *robot, const struct plan *plan, struct str *orders)
{
    int first, second;
    const struct gk_goods *goods = &robot->player->cargo;
    const struct gk_shipment_card *card = gk_shipment_card(robot->cards, goal(robot, goods, &first, &second));
    struct gk_goods lacking = gk_missing(goods, &card->cost);
    bool said[GK_KINDS] = {false};
    str_adds(orders, "keep");
    for (int i = 0; i < GK_KINDS; i++) {
        int best = -1;
        int best_want = -1;
        for (int k = 0; k < GK_KINDS; k++) {
            int want = (plan->want.of[k] > 0) * 1024 + lacking.of[k] * 64 + card->cost.of[k] * 8 + 4 -
                       (goods->of[k] > 4 ? 4 : goods->of[k]);
            if (!said[k] && want > best_want) {
                best = k;
                best_want = want;
            }
        }
        if (best < 0)
            break;
        said[best] = true;
        str_addf(orders, " %s", gk_kinds[best]);
    }
    str_addc(orders, '\n');
}

static void write_move(const struct gk_state *state, const struct plan *plan, struct str *orders)
{
    str_adds(orders, "move ");
    if (plan->place == GK_GCC)
        str_adds(orders, "gcc");
    else
        str_addf(orders, "P%d", gk_planet_const(state, plan->place)->card);
    str_adds(orders, plan->fuel ? " fuel auto\n" : "\n");
}

/* What is dropped for the harvest; a trade may have taken it already, so "up to". */
static void write_discard(const struct gk_goods *drop, struct str *orders)
{
    for (int k = 0; k < GK_KINDS; k++) {
        if (drop->of[k])
            str_addf(orders, "discard up to %d %s\n", drop->of[k], gk_kinds[k]);
    }
}

/* How much of the game is left, in percent: the nearer end counts. */
static int game_left(const struct gk_state *state)
{
    int shipments = 0;
    int most = 0;
    int size = state->short_game ? GK_SHORT_PILE : GK_PILE_SIZE;
    for (int p = 0; p < GK_PILES; p++) {
        shipments += state->pile[p].count;
        most = state->pile[p].count > most ? state->pile[p].count : most;
    }
    int by_shipments = 100 * (shipments - most) / ((GK_PILES - 1) * size);
    int by_trades = 100 * state->deck_count / (GK_TRADES - GK_PLANETS + 2);
    return by_shipments < by_trades ? by_shipments : by_trades;
}

static void find_plan(const struct robot *robot, struct plan *best)
{
    struct plan plain = {.give = -1};
    consider(robot, &robot->player->cargo, plain, best);
    consider_swaps(robot, best);
    consider_purchases(robot, best);
}

/* Points come now: by a purchase, a trade, or a shipment. */
static bool brings_points(const struct robot *robot, const struct plan *plan)
{
    return plan->buy || plan->trade || (plan->place == GK_GCC && robot->here != GK_GCC);
}

/* Instead of hoarding for something better: what a shipment brings that can be paid for now, if there is one. */
static void deliver(const struct robot *robot, struct plan *plan)
{
    struct robot only = *robot;
    struct plan best = {.value = -1, .give = -1};
    only.delivers = true;
    find_plan(&only, &best);
    if (best.value >= 0)
        *plan = best;
}

void gk_robot(const void *cards, const void *from, int seat, struct str *orders)
{
    const struct gk_state *state = from;
    const struct gk_player *player = gk_player_const(state, seat);
    struct plan best = {.value = -1, .give = -1, .place = gk_where(state, player)};
    struct robot robot = {.cards = cards, .state = state, .player = player};
    robot.here = best.place;
    robot.speed = gk_speed(cards, player);
    robot.capacity = gk_capacity(cards, player);
    robot.left = game_left(state);
    find_plan(&robot, &best);
    if (!brings_points(&robot, &best))
        deliver(&robot, &best);

    write_keep(&robot, &best, orders);
    if (best.give >= 0)
        str_addf(orders, "swap %d %s %s\n", robot.cards->swap_give, gk_kinds[best.give], gk_kinds[best.get]);
    if (best.buy)
        str_addf(orders, "buy U%d\n", best.buy);
    if (best.place != robot.here)
        write_move(state, &best, orders);
    if (best.place == GK_GCC)
        str_adds(orders, "repeat ship best\n");
    else
        str_adds(orders, best.trade ? "repeat trade\n" : "stay\n");
    write_discard(&best.drop, orders);
}
