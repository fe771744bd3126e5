/* A greedy commander: leaders where they earn, sectors while he has few, then fleets; attacks with all fleets
 * where he wins every other time (a homeworld, which ends an opponent, already at two times of five);
 * researches with what is left. He knows what the seat's report says, no more.
 *
 * He also brings games to an end: the richer he is and the longer the game lasts, the lower
 * the odds that he takes; he researches what brings dice against most opponents, keeps fleets away by
 * Surprise, and answers those who vote for a draw. */
#include "base/str.h"
#include "rules/galactic_supremacy/attack.h"

#define ODDS_SECTOR    50 /* percent, to attack */
#define ODDS_HOME      40
#define ODDS_SURE      85 /* above this no command card is spent on the attack */
#define SECTORS_FIRST  2  /* that it builds before fleets */
#define SECTORS_ENOUGH 5
#define RICH           25 /* credits with which it buys cards and directs research */
#define ODDS_LEAST     20 /* below this he never attacks */
#define ODDS_RICH      15 /* less is enough for one whose credits find nothing to build */
#define FLEETS_WORN    2  /* that an attack must destroy at least which is not to succeed */
#define PATIENCE       15 /* rounds after which every further one takes one off */

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

/* Credits that no fleet in the hand can use. */
static bool idle_money(const struct robot *robot)
{
    int credits = robot->player->credits + gs_income(robot->cards, robot->player).total;
    return credits - held(robot, GS_FLEET) * robot->cards->cost_fleet >= RICH;
}

/* The percent that an attack needs. */
static int odds_wanted(const struct robot *robot, int world)
{
    int odds = world == GS_HOME ? ODDS_HOME : ODDS_SECTOR;
    if (idle_money(robot))
        odds -= ODDS_RICH;
    if (robot->state->round > PATIENCE)
        odds -= robot->state->round - PATIENCE;
    return odds > ODDS_LEAST ? odds : ODDS_LEAST;
}

/* An attack that fails but destroys more fleets than it costs. */
static bool wears_down(const struct robot *robot, const struct gs_outlook *outlook)
{
    return robot->state->round > PATIENCE && outlook->destroyed >= 100 * FLEETS_WORN &&
           outlook->destroyed * 2 >= outlook->lost * 3;
}

/* Keeps away fleets that would come from other worlds. */
static bool wants_surprise(const struct robot *robot, const struct gs_plan *plan)
{
    struct gs_attack attack = {.plan = *plan};
    return robot->commands > 0 && gs_may_call(robot->state, &attack);
}

static void consider(const struct robot *robot, int target, int world, struct choice *best)
{
    struct choice choice = {.plan = {.by = robot->seat, .target = target, .world = world}};
    for (int i = 0; i < robot->player->fleet_count && i < GS_FLEETS; i++) {
        if (robot->player->fleet[i].number <= GS_FLEETS)
            choice.plan.fleet[choice.plan.fleet_count++] = robot->player->fleet[i].number;
    }
    choice.plan.surprise = wants_surprise(robot, &choice.plan);
    struct gs_outlook outlook = gs_plan_outlook(robot->cards, robot->state, &choice.plan);
    choice.odds = outlook.odds;
    if (choice.odds < odds_wanted(robot, world) && !wears_down(robot, &outlook))
        return;
    choice.value = 1 + choice.odds * (world == GS_HOME ? 4 : 1);
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
    if (!choice->value)
        return;
    str_addf(robot->orders, "attack p%d %s with all", choice->plan.target, gs_at_code(choice->plan.world).p);
    if (choice->plan.surprise) {
        str_adds(robot->orders, " using surprise");
        robot->commands--;
    }
    if (choice->odds < ODDS_SURE && robot->commands > 0) {
        str_adds(robot->orders, choice->plan.surprise ? " tactical" : " using tactical");
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

/* How many opponents a further level would bring a die against, or cost one. */
static int dice_won(const struct robot *robot, const struct gs_player *player, int tech)
{
    int won = 0;
    for (int seat = 1; seat <= gs_seats(robot->state); seat++) {
        const struct gs_player *enemy = gs_player_const(robot->state, seat);
        if (seat != robot->seat && gs_alive(robot->state, seat))
            won += enemy->tech[tech] == player->tech[tech] || enemy->tech[tech] == player->tech[tech] + 1;
    }
    return won;
}

/* The combat technology with the most of them; of equal ones the lowest. */
static int best_tech(const struct robot *robot, const struct gs_player *player)
{
    int best = GS_FIREPOWER;
    for (int tech = GS_FIREPOWER; tech <= GS_SUBLIGHT; tech++) {
        int more = dice_won(robot, player, tech) - dice_won(robot, player, best);
        if (more > 0 || (more == 0 && player->tech[tech] < player->tech[best]))
            best = tech;
    }
    return best;
}

static void research(const struct robot *robot)
{
    struct gs_player player = *robot->player; /* as it would become */
    for (int i = held(robot, GS_RESEARCH); i > 0; i--) {
        int tech = best_tech(robot, &player);
        bool behind = gs_tech_best(robot->state, robot->seat, tech) > player.tech[tech];
        str_addf(robot->orders, "if credits >= %d research %s %s else if credits >= %d research\n",
                 behind ? robot->cards->cost_catchup : robot->cards->cost_directed,
                 behind ? "catchup" : "direct", robot->cards->tech[tech].id, robot->cards->cost_research);
        player.tech[tech]++;
    }
}

/* ---- a draw ---- */

static int strength(const struct gs_player *player)
{
    return 1 + player->sector_count + player->fleet_count;
}

/* Somebody else would agree to a draw. */
static bool asked(const struct robot *robot)
{
    for (int seat = 1; seat <= gs_seats(robot->state); seat++) {
        if (seat != robot->seat && gs_alive(robot->state, seat) && gs_player_const(robot->state, seat)->draw)
            return true;
    }
    return false;
}

/* Nobody is as strong as he is. */
static bool leads(const struct robot *robot)
{
    for (int seat = 1; seat <= gs_seats(robot->state); seat++) {
        if (seat != robot->seat && gs_alive(robot->state, seat) &&
            strength(gs_player_const(robot->state, seat)) >= strength(robot->player))
            return false;
    }
    return true;
}

/* He agrees unless he is ahead or is about to take a homeworld. */
static void vote(const struct robot *robot, const struct choice *choice)
{
    bool takes_home = choice->value > 0 && choice->plan.world == GS_HOME;
    bool agrees = asked(robot) && !leads(robot) && !takes_home;
    if (agrees != robot->player->draw)
        str_adds(robot->orders, agrees ? "vote draw\n" : "vote play\n");
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
    vote(&robot, &choice);
}
