/* A careful commander: attacks when two tries out of three succeed (an unknown system: when every other one
 * does), or when failing costs nothing, or when so few systems are left that a revolt could end the game. It
 * builds strength first, then buys technology from a list, and builds again with the rest. It knows what the
 * seat's report says, no more. */
#include "rules/galaxy_command/turn.h"

#include "base/str.h"

#define ODDS_CONQUER   65 /* percent */
#define ODDS_EXPLORE   50
#define ODDS_DESPERATE 30
#define FEW_SYSTEMS    1 /* aligned systems that should make it bolder ... */
#define BOLD_TURNS     8 /* ... in the last turns of the game */
#define STRENGTH       4 /* that it builds before it buys technology */

/* Technologies in the order of buying: first what multiplies the stores, last what is only worth a point. */
static const enum gc_tech wanted[GC_TECHS] = {GC_ROBOTS,   GC_COMMERCE,   GC_BANKING,   GC_CAPITAL,
                                              GC_DEFENSES, GC_TELEVISION, GC_DIPLOMACY, GC_FORWARD};

struct choice {
    int value; /* percent times victory points */
    char line[GC_SLOT_NAME + 16];
};

static void consider(struct choice *best, int least, int percent, int vp, const char *line)
{
    if (percent < least || percent * vp <= best->value)
        return;
    best->value = percent * vp;
    snprintf(best->line, sizeof(best->line), "%s", line);
}

static void consider_targets(struct choice *best, int least, const struct gc_cards *cards,
                             const struct gc_player *player)
{
    for (int i = 0; i < GC_SLOTS; i++) {
        struct choice target;
        char code[GC_SLOT_NAME];
        if (!player->slot[i].open || player->slot[i].aligned)
            continue;
        const struct gc_card *card = gc_card(cards, player->slot[i].card);
        gc_slot_name(code, i);
        snprintf(target.line, sizeof(target.line), "conquer %s", code);
        consider(best, least, gc_chance(player, card->resistance) * 100 / 6, card->vp, target.line);
    }
}

static struct choice choose_action(const struct gc_cards *cards, const struct gc_state *state, int seat)
{
    const struct gc_player *player = gc_player_const(state, seat);
    struct choice best = {0, "bide"};
    int left = cards->rounds[0] + cards->rounds[1] - gc_turn_number(cards, state);
    int conquer = ODDS_CONQUER;
    int explore = ODDS_EXPLORE;
    int aligned = 0;
    for (int i = 0; i < GC_SLOTS; i++)
        aligned += player->slot[i].aligned > 0;
    if (aligned <= FEW_SYSTEMS && left <= BOLD_TURNS)
        conquer = explore = ODDS_DESPERATE;
    if (player->military == 0 || left == 0) /* no strength to lose, or no more use for it */
        conquer = explore = 0;
    if (gc_face_down(player, false) >= 0)
        consider(&best, explore, gc_unknown_chance(cards, state, seat, false), 1, "explore near");
    if (!gc_far_closed(player))
        consider(&best, explore, gc_unknown_chance(cards, state, seat, true), 2, "explore far");
    consider_targets(&best, conquer, cards, player);
    return best;
}

/* The gift of Interstellar Diplomacy goes where dice would do least. */
static void use_gift(const struct gc_cards *cards, const struct gc_player *player, struct str *orders)
{
    char code[GC_SLOT_NAME];
    int slot = gc_gift_slot(cards, player);
    if (slot < 0) {
        str_adds(orders, "bide\n");
        return;
    }
    gc_slot_name(code, slot);
    str_addf(orders, "%s %s\n", player->slot[slot].open ? "conquer" : "explore", code);
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
                 cards->storage);
    if (!last && player->military < STRENGTH)
        str_adds(orders, "build\n");
    buy(cards, player, orders);
    if (!last && player->military >= STRENGTH)
        str_adds(orders, "build\n");
}
