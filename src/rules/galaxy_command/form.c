/* The orders that make sense now, each ready to be sent, with a note on what it would do. Also the odds of
 * the unknown. */
#include "rules/galaxy_command/turn.h"

#include <stdlib.h>

#include "rules/put.h"

/* Average chance, in percent, to align an unseen system of a kind: what the seat can know of a face-down
 * card. */
int gc_unknown_chance(const struct gc_cards *cards, const struct gc_state *state, int seat, bool distant)
{
    uint8_t unseen[DECK_CARDS];
    const int count = decks_unseen(gc_decks, cards, state, distant ? GC_DISTANT : GC_NEAR, 0, unseen);
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += gc_chance(gc_player_const(state, seat), gc_card(cards, unseen[i])->resistance);
    return count ? (100 * sum + 3 * count) / (6 * count) : 0;
}

/* An attack that can be made. */
struct attempt {
    int slot; /* -1: a system that nobody has seen */
    bool distant;
    int chance; /* of 600 */
    int points; /* of a system that lies open */
};

/* The likeliest first, then what is worth most. */
static int by_chance(const void *one, const void *other)
{
    const struct attempt *a = one, *b = other;
    if (a->chance != b->chance)
        return b->chance - a->chance;
    return a->points != b->points ? b->points - a->points : a->slot - b->slot;
}

static size_t list_attempts(const struct gc_cards *cards, const struct gc_state *state, int seat,
                            struct attempt list[GC_SLOTS + 2])
{
    const struct gc_player *player = gc_player_const(state, seat);
    size_t count = 0;
    if (gc_face_down(player, false) >= 0)
        list[count++] = (struct attempt){-1, false, 6 * gc_unknown_chance(cards, state, seat, false), 0};
    if (!gc_far_closed(player))
        list[count++] = (struct attempt){-1, true, 6 * gc_unknown_chance(cards, state, seat, true), 0};
    for (int i = 0; i < GC_SLOTS; i++) {
        if (!player->slot[i].open || player->slot[i].aligned)
            continue;
        const struct gc_card *card = gc_card(cards, player->slot[i].card);
        const int chance = gc_chance(player, card->resistance);
        if (chance)
            list[count++] = (struct attempt){i, !gc_slot_near(i), 100 * chance, card->vp};
    }
    qsort(list, count, sizeof *list, by_chance);
    return count;
}

static void suggest_actions(struct value *form, const struct gc_cards *cards, const struct gc_state *state,
                            int seat)
{
    struct attempt list[GC_SLOTS + 2];
    const size_t count = list_attempts(cards, state, seat, list);
    for (size_t i = 0; i < count; i++) {
        const int slot = list[i].slot;
        if (slot >= 0)
            suggest(form, brief("conquer %s", gc_slot_name(slot)).p, "target system=%s chance=%d",
                    gc_card(cards, gc_player_const(state, seat)->slot[slot].card)->name,
                    list[i].chance / 100);
        else if (list[i].distant)
            suggest(form, "explore far", "unknown_far chance=%d", list[i].chance / 6);
        else
            suggest(form, "explore near", "unknown_near chance=%d", list[i].chance / 6);
    }
    suggest(form, "bide", "bide");
}

/* Stores after the next collect if the action brings nothing. */
static struct gc_effect expect(const struct gc_cards *cards, const struct gc_player *player)
{
    struct gc_effect sum = gc_income(cards, player);
    int limit = gc_storage_limit(cards, player);
    sum.metal = sum.metal + player->metal > limit ? limit : sum.metal + player->metal;
    sum.wealth = sum.wealth + player->wealth > limit ? limit : sum.wealth + player->wealth;
    return sum;
}

/* Without an action the free success of Interstellar Diplomacy aligns a system, whose income may fill the
 * stores: is there still room for what the swap brings? */
static bool swap_fits(const struct gc_cards *cards, const struct gc_player *player, bool brings_metal)
{
    struct gc_player after = *player;
    int slot = player->diplomacy ? gc_gift_slot(cards, player) : -1;
    if (slot >= 0 && !player->slot[slot].open)
        return false;
    if (slot >= 0)
        after.slot[slot].aligned = true;
    struct gc_effect have = expect(cards, &after);
    return (brings_metal ? have.metal : have.wealth) < gc_storage_limit(cards, &after);
}

static void suggest_purchases(struct value *form, const struct gc_cards *cards,
                              const struct gc_player *player)
{
    struct gc_effect have = expect(cards, player);
    int limit = gc_storage_limit(cards, player);
    if (player->tech[GC_COMMERCE] && have.metal >= cards->swap_give && have.wealth < limit &&
        swap_fits(cards, player, false))
        suggest(form, "swap metal", "swap_metal give=%d get=%d left=%d", cards->swap_give, cards->swap_get,
                have.metal - cards->swap_give);
    if (player->tech[GC_COMMERCE] && have.wealth >= cards->swap_give && have.metal < limit &&
        swap_fits(cards, player, true))
        suggest(form, "swap wealth", "swap_wealth give=%d get=%d left=%d", cards->swap_give, cards->swap_get,
                have.wealth - cards->swap_give);
    if (player->military < gc_military_limit(cards, player) && have.metal >= cards->build_metal &&
        have.wealth >= cards->build_wealth)
        suggest(form, "build", "build to=%d metal=%d wealth=%d", player->military + 1, cards->build_metal,
                cards->build_wealth);
    for (int i = 0; i < GC_TECHS; i++) {
        const struct gc_technology *tech = &cards->tech[i];
        if (player->tech[i] || gc_tech_locked(cards, player, i) || have.wealth < tech->cost)
            continue;
        suggest(form, brief("research %s", tech->id).p,
                "research cost=%d have=%d capital?=%d forward?=%d robots?=%d defenses?=%d "
                "television?=%d diplomacy?=%d commerce?=%d banking?=%d",
                tech->cost, have.wealth, i == GC_CAPITAL, i == GC_FORWARD, i == GC_ROBOTS, i == GC_DEFENSES,
                i == GC_TELEVISION, i == GC_DIPLOMACY, i == GC_COMMERCE, i == GC_BANKING);
    }
}

struct value *gc_form(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gc_cards *cards = data;
    const struct gc_state *state = from;
    struct value *form = value_list(arena);
    if (seat < 1 || seat > gc_seats(state) || !(gc_awaits(state) & SEAT_BIT(seat)))
        return form;
    suggest_actions(form, cards, state, seat);
    suggest_purchases(form, cards, gc_player_const(state, seat));
    return form;
}
