/* What players may call things, and what conditions may ask about. */
#include "rules/galaxy_command/names.h"

#include "base/str.h"

const char *const gc_kinds[GC_KINDS] = {"metal", "wealth"};

/* ---- names ---- */

void gc_slot_codes(struct named named[GC_SLOTS])
{
    for (int i = 0; i < GC_SLOTS; i++)
        named[i] = (struct named){gc_slot_name(i), gc_slot_name(i), i};
}

enum name_found gc_read_slot(const struct gc_turn *turn, struct args *args, int *slot, struct str *candidates)
{
    struct named named[GC_SLOTS];
    gc_slot_codes(named);
    for (int i = 0; i < GC_SLOTS; i++) {
        if (turn->player->slot[i].open)
            named[i].name = gc_card(turn->cards, turn->player->slot[i].card)->name;
    }
    return args_name(args, named, GC_SLOTS, slot, candidates);
}

/* Reads the name of any system card. */
static enum name_found read_system(const struct gc_turn *turn, struct args *args, int *card,
                                   struct str *candidates)
{
    struct named named[GC_CARDS];
    size_t count = 0;
    for (int n = 1; n <= GC_CARDS; n++) {
        const struct gc_card *known = gc_card(turn->cards, n);
        if (known->name[0] && (known->kind == GC_NEAR || known->kind == GC_DISTANT))
            named[count++] = (struct named){known->name, NULL, n};
    }
    return args_name(args, named, count, card, candidates);
}

enum name_found gc_read_tech(const struct gc_turn *turn, struct args *args, int *tech, struct str *candidates)
{
    struct named named[2 * GC_TECHS];
    for (int i = 0; i < GC_TECHS; i++) {
        named[i] = (struct named){turn->cards->tech[i].name, NULL, i};
        named[GC_TECHS + i] = (struct named){turn->cards->tech[i].id, NULL, i};
    }
    return args_name(args, named, sizeof named / sizeof *named, tech, candidates);
}

static bool open_elsewhere(const struct gc_turn *turn, int card)
{
    for (int seat = 1; seat <= gc_seats(turn->state); seat++) {
        for (int i = 0; i < GC_SLOTS; i++) {
            const struct gc_slot *slot = &gc_player_const(turn->state, seat)->slot[i];
            if (slot->open && slot->card == card)
                return true;
        }
    }
    return false;
}

enum order_result gc_refuse_system(const struct gc_turn *turn, struct args *args, struct refusal *why)
{
    int card;
    struct args words = *args;
    if (read_system(turn, &words, &card, NULL) != NAME_ONE)
        return no(why, "unknown_system words=%s", args_words(args).p);
    return no(why, open_elsewhere(turn, card) ? "not_yours system=%s" : "not_explored system=%s",
              gc_card(turn->cards, card)->name);
}

/* ---- conditions ---- */

#define COUNT(name, what)                                                  \
    static bool count_##name(void *arg, struct args *args, int64_t *value) \
    {                                                                      \
        const struct gc_turn *turn = arg;                                  \
        *value = what;                                                     \
        return args_end(args);                                             \
    }
COUNT(metal, turn->player->metal)
COUNT(wealth, turn->player->wealth)
COUNT(military, turn->player->military)
COUNT(year, turn->state->year)
COUNT(round, turn->state->round)

/* A condition's system: a slot of this seat, or -1 for a system that exists but is not face up here. */
static bool condition_slot(const struct gc_turn *turn, struct args *args, int *slot)
{
    int card;
    if (gc_read_slot(turn, args, slot, NULL) != NAME_ONE) {
        *slot = -1;
        return read_system(turn, args, &card, NULL) == NAME_ONE && args_end(args);
    }
    if (!turn->player->slot[*slot].open)
        *slot = -1;
    return args_end(args);
}

static bool count_chance(void *arg, struct args *args, int64_t *value)
{
    const struct gc_turn *turn = arg;
    int slot;
    if (!condition_slot(turn, args, &slot))
        return false;
    *value = slot < 0
                 ? 0
                 : gc_chance(turn->player, gc_card(turn->cards, turn->player->slot[slot].card)->resistance);
    return true;
}

static bool test_aligned(void *arg, struct args *args, int64_t *value)
{
    const struct gc_turn *turn = arg;
    int slot;
    if (!condition_slot(turn, args, &slot))
        return false;
    *value = slot >= 0 && turn->player->slot[slot].aligned;
    return true;
}

bool gc_have(void *arg, struct args *args, bool *known)
{
    const struct gc_turn *turn = arg;
    int amount[GC_KINDS];
    int tech;
    bool all = true;
    *known = !args_end(args);
    while (*known && !args_end(args)) {
        if (args_resources(args, gc_kinds, GC_KINDS, amount))
            all = all && turn->player->metal >= amount[GC_METAL] && turn->player->wealth >= amount[GC_WEALTH];
        else if (gc_read_tech(turn, args, &tech, NULL) == NAME_ONE)
            all = all && turn->player->tech[tech];
        else
            *known = false;
    }
    return *known && all;
}

const struct counter gc_counters[] = {
    {"metal", "", "your metal now", false, count_metal},
    {"wealth", "", "your wealth now", false, count_wealth},
    {"military", "", "your military strength now", false, count_military},
    {"year", "", "1 or 2", false, count_year},
    {"round", "", "round of the year, from 1", false, count_round},
    {"chance", "<system>", "numbers of the die, 0 to 6, that align it now; 0 if unexplored", false,
     count_chance},
    {"aligned", "<system>", "is it in your Empire?", true, test_aligned},
    {NULL, NULL, NULL, false, NULL},
};
