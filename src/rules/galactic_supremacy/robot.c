/* A greedy commander: leaders where they earn, sectors while it has few, then fleets; attacks with all fleets
 * where it wins every other time (a homeworld, which ends an opponent, already at two times out of five);
 * researches with what is left. It knows what the seat's report says, no more. */
#include "base/str.h"
#include "rules/galactic_supremacy/attack.h"

#define ODDS_SECTOR    50 /* percent, to attack */
#define ODDS_HOME      40
#define ODDS_SURE      85 /* above this no command card is spent on the attack */
#define SECTORS_FIRST  2  /* that it builds before fleets */
#define SECTORS_ENOUGH 5
#define RICH           25 /* credits with which it buys cards and directs research */

struct choice {
    struct gs_plan plan;
    int odds;
    int value;
};

struct robot {
    const struct gs_cards *cards;
    const struct gs_state *state;
    const struct gs_player *player;
    int seat;
    struct str *orders;
    int commands; /* cards not planned for yet */
};

static int held(const struct robot *robot, enum gs_kind kind)
{
    return gs_hand_count(robot->cards, robot->player, kind);
}

/* ---- the attack ---- */

static void consider(const struct robot *robot, int target, int world, struct choice *best)
{
    struct choice choice = {.plan = {.by = robot->seat, .target = target, .world = world}};
    for (int i = 0; i < robot->player->fleet_count && i < GS_FLEETS; i++) {
        if (robot->player->fleet[i].number <= GS_FLEETS)
            choice.plan.fleet[choice.plan.fleet_count++] = robot->player->fleet[i].number;
    }
    choice.odds = gs_plan_odds(robot->cards, robot->state, &choice.plan);
    if (choice.odds < (world == GS_HOME ? ODDS_HOME : ODDS_SECTOR))
        return;
    choice.value = choice.odds * (world == GS_HOME ? 4 : 1);
    if (choice.value > best->value)
        *best = choice;
}

static struct choice best_attack(const struct robot *robot)
{
    struct choice best = {.value = 0};
    if (!robot->player->fleet_count || robot->state->attacks < 1)
        return best;
    for (int step = 1; step < gs_seats(robot->state); step++) {
        int target = gs_seat_after(robot->state, robot->seat, step);
        const struct gs_player *enemy = gs_player_const(robot->state, target);
        if (!gs_alive(robot->state, target) || target == robot->seat ||
            (robot->state->peace & (int)SEAT_BIT(target)))
            continue;
        consider(robot, target, GS_HOME, &best);
        for (int i = 0; i < enemy->sector_count && i < GS_SECTORS; i++)
            consider(robot, target, enemy->sector[i].number, &best);
    }
    return best;
}

static void attack(struct robot *robot, const struct choice *choice)
{
    char world[GS_UNIT_NAME];
    if (!choice->value)
        return;
    gs_world_name(world, choice->plan.world);
    str_addf(robot->orders, "attack p%d %s with all", choice->plan.target, world);
    if (choice->odds < ODDS_SURE && robot->commands > 0) {
        str_adds(robot->orders, " using tactical");
        robot->commands--;
    }
    str_addc(robot->orders, '\n');
}

/* ---- cards ---- */

static int richest_hand(const struct robot *robot)
{
    int best = 0;
    for (int step = 1; step < gs_seats(robot->state); step++) {
        int seat = gs_seat_after(robot->state, robot->seat, step);
        if (!gs_alive(robot->state, seat) || seat == robot->seat)
            continue;
        if (!best ||
            gs_player_const(robot->state, seat)->hand_count > gs_player_const(robot->state, best)->hand_count)
            best = seat;
    }
    return best;
}

static void play_cards(struct robot *robot)
{
    int seat = richest_hand(robot);
    for (; robot->commands > 0; robot->commands--) {
        if (seat)
            str_addf(robot->orders, "play steal p%d or play quotas\n", seat);
        else
            str_adds(robot->orders, "play quotas\n");
    }
}

static void draw_cards(const struct robot *robot)
{
    if (robot->player->credits >= RICH)
        str_adds(robot->orders, "draw\n");
    if (held(robot, GS_SECTOR) > 1 && robot->player->sector_count >= SECTORS_ENOUGH)
        str_adds(robot->orders, "draft\n");
}

/* ---- money ---- */

/* Orders to build this many times, each only if the credits suffice. */
static void build_kind(const struct robot *robot, enum gs_kind kind, int times, int cost)
{
    int count = held(robot, kind);
    for (int i = 0; i < times && i < count; i++)
        str_addf(robot->orders, "if credits >= %d build %s\n", cost, gs_kind_names[kind]);
}

static void build(const struct robot *robot)
{
    const struct gs_cards *cards = robot->cards;
    int sectors = robot->player->sector_count;
    int first = sectors < SECTORS_FIRST ? SECTORS_FIRST - sectors : 0;
    int later = sectors + first < SECTORS_ENOUGH ? held(robot, GS_SECTOR) - first : 0;
    build_kind(robot, GS_LEADER, 1 + sectors + robot->player->fleet_count - robot->player->leader_count,
               cards->cost_leader);
    build_kind(robot, GS_SECTOR, first, cards->cost_sector);
    build_kind(robot, GS_FLEET, GS_FLEETS, cards->cost_fleet);
    if (later > 0)
        build_kind(robot, GS_SECTOR, later, cards->cost_sector);
}

/* With money: the combat technology in which it is lowest; else a roll. */
static void research(const struct robot *robot)
{
    int lowest = gs_tech_preferred(robot->player);
    for (int i = held(robot, GS_RESEARCH); i > 0; i--)
        str_addf(robot->orders, "if credits >= %d research direct %s else if credits >= %d research\n", RICH,
                 robot->cards->tech[lowest].id, robot->cards->cost_research);
}

void gs_robot(const void *cards, const void *from, int seat, struct str *orders)
{
    const struct gs_state *state = from;
    struct robot robot = {cards, state, gs_player_const(state, seat), seat, orders, 0};
    robot.commands = held(&robot, GS_COMMAND);
    struct choice choice = best_attack(&robot);
    if (!robot.player->keep_count)
        str_adds(orders, "keep fleet leader sector command research\n");
    draw_cards(&robot);
    build(&robot);
    attack(&robot, &choice);
    play_cards(&robot);
    research(&robot);
}
