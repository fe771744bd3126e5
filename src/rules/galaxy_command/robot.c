/* A careful commander: attacks when two tries out of three succeed (an unknown system: when every other one
 * does), or when failing costs nothing, or when so few systems are left that a revolt could end the game. It
 * builds strength first, then buys technology from a list, and builds again with the rest. It knows what the
 * seat's report says, no more.
 */
#include "rules/galaxy_command/turn.h"

#include "base/str.h"

#define ODDS_CONQUER  65 /* percent */
#define FEW_SYSTEMS   1  /* aligned systems that should make it bolder ... */
#define BOLD_TURNS    8  /* ... in the last turns of the game */
#define ODDS_UNKNOWN  60 /* in place of ODDS_EXPLORE: a system that stays unaligned closes the way */
#define ODDS_FEW      45 /* in place of ODDS_DESPERATE */
#define ODDS_FAR      30 /* to attack a distant system, or one that closes the way there */
#define FAR_WORTH     3  /* times a near system's points */
#define STRENGTH_NEAR 3  /* that he builds before he saves for Forward Star Bases ... */
#define STRENGTH_FAR  5  /* ... and when he has them */

/* Technologies in the order of buying: first what multiplies the stores, last what is only worth a point. */
static const enum gc_tech wanted[GC_TECHS] = {GC_ROBOTS,   GC_COMMERCE,   GC_BANKING,   GC_CAPITAL,
                                              GC_DEFENSES, GC_TELEVISION, GC_DIPLOMACY, GC_FORWARD};

/* The way to the distant systems: each is bought before anything else is. */
static const enum gc_tech outward[] = {GC_COMMERCE, GC_BANKING, GC_CAPITAL, GC_FORWARD};

/* The next technology on the way outward, GC_NO_TECH when he has them all. */
static enum gc_tech next_outward(const struct gc_player *player)
{
    for (size_t i = 0; i < sizeof(outward) / sizeof(outward[0]); i++) {
        if (!player->tech[outward[i]])
            return outward[i];
    }
    return GC_NO_TECH;
}

struct choice {
    int value; /* percent times victory points */
    char line[CODE_SIZE + 16];
};

static void consider(struct choice *best, int least, int percent, int vp, const char *line)
{
    if (percent < least || percent * vp <= best->value)
        return;
    best->value = percent * vp;
    snprintf(best->line, sizeof(best->line), "%s", line);
}

/* Points that a system is worth to him. */
static int worth(const struct gc_player *player, const struct gc_card *card)
{
    return player->tech[GC_FORWARD] ? card->vp * FAR_WORTH : card->vp + card->wealth;
}

static void consider_targets(struct choice *best, int least, const struct gc_cards *cards,
                             const struct gc_player *player)
{
    for (int i = 0; i < GC_SLOTS; i++) {
        struct choice target;
        if (!player->slot[i].open || player->slot[i].aligned)
            continue;
        const struct gc_card *card = gc_card(cards, player->slot[i].card);
        snprintf(target.line, sizeof(target.line), "conquer %s", gc_slot_name(i));
        consider(best, least, gc_chance(player, card->resistance) * 100 / 6, worth(player, card),
                 target.line);
    }
}

/* The least percent for an unknown near system, an unknown distant one, and one that is explored. */
struct odds {
    int near, far, conquer;
};

static struct odds odds_wanted(const struct gc_cards *cards, const struct gc_state *state,
                               const struct gc_player *player)
{
    int left = cards->rounds[0] + cards->rounds[1] - gc_turn_number(cards, state);
    int aligned = 0;
    struct odds odds = {ODDS_UNKNOWN, ODDS_FAR, ODDS_CONQUER};
    for (int i = 0; i < GC_SLOTS; i++)
        aligned += player->slot[i].aligned > 0;
    if (player->tech[GC_FORWARD])
        odds.conquer = ODDS_FAR;
    else if (aligned <= FEW_SYSTEMS && left <= BOLD_TURNS)
        odds = (struct odds){ODDS_FEW, ODDS_FEW, ODDS_FEW};
    if (player->military == 0 || left == 0) /* no strength to lose, or no more use for it */
        odds = (struct odds){0, 0, 0};
    return odds;
}

static struct choice choose_action(const struct gc_cards *cards, const struct gc_state *state, int seat)
{
    const struct gc_player *player = gc_player_const(state, seat);
    struct choice best = {0, "bide"};
    struct odds odds = odds_wanted(cards, state, player);
    if (gc_face_down(player, false) >= 0)
        consider(&best, odds.near, gc_unknown_chance(cards, state, seat, false), 1, "explore near");
    if (!gc_far_closed(player))
        consider(&best, odds.far, gc_unknown_chance(cards, state, seat, true), 2 * FAR_WORTH, "explore far");
    consider_targets(&best, odds.conquer, cards, player);
    return best;
}

/* The gift of Interstellar Diplomacy goes where dice would do least. */
static void use_gift(const struct gc_cards *cards, const struct gc_player *player, struct str *orders)
{
    int slot = gc_gift_slot(cards, player);
    if (slot < 0) {
        str_adds(orders, "bide\n");
        return;
    }
    str_addf(orders, "%s %s\n", player->slot[slot].open ? "conquer" : "explore", gc_slot_name(slot));
}

static void buy(const struct gc_cards *cards, const struct gc_player *player, struct str *orders)
{
    const char *before = "research ";
    for (int i = 0; i < GC_TECHS; i++) {
        if (player->tech[wanted[i]])
            continue;
        str_addf(orders, "%s%s", before, cards->tech[wanted[i]].id);
        before = " or ";
    }
    if (before[0] == ' ')
        str_addc(orders, '\n');
}

/* One line buys one technology: on the way outward the next one or, until he can pay it, none. */
static void research(const struct gc_cards *cards, const struct gc_player *player, bool last,
                     struct str *orders)
{
    enum gc_tech next = next_outward(player);
    if (next != GC_NO_TECH && !last)
        str_addf(orders, "research %s\n", cards->tech[next].id);
    else
        buy(cards, player, orders);
}

/* Strength that he wants before he buys technology. */
static int first_strength(const struct gc_player *player)
{
    return player->tech[GC_FORWARD] ? STRENGTH_FAR : STRENGTH_NEAR;
}

void gc_robot(const void *data, const void *from, int seat, struct str *orders)
{
    const struct gc_cards *cards = data;
    const struct gc_state *state = from;
    const struct gc_player *player = gc_player_const(state, seat);
    bool last = gc_turn_number(cards, state) == cards->rounds[0] + cards->rounds[1];
    if (player->diplomacy)
        use_gift(cards, player, orders);
    else
        str_addf(orders, "%s\n", choose_action(cards, state, seat).line);
    if (player->tech[GC_COMMERCE])
        str_addf(orders, "if metal >= %d and wealth < %d swap metal\n", cards->swap_give + cards->build_metal,
                 gc_storage_limit(cards, player));
    int strength = first_strength(player);
    if (!last && player->military < strength)
        str_adds(orders, "build\n");
    research(cards, player, last, orders);
    if (!last && player->military >= strength)
        str_adds(orders, "build\n");
}
