/* The verbs of Galaxy Command, and why an order cannot be carried out. */
#include "rules/galaxy_command/names.h"

#include <string.h>

#include "base/str.h"

/* ---- step 1 ---- */

/* Reads "[near|far] [slot]" into the slot to turn up, -1 for the first face-down one. */
static bool read_place(struct args *args, bool *distant, int *slot, struct refusal *why)
{
    struct named named[GC_SLOTS];
    bool near = args_keyword(args, "near", 1);
    int number;
    *distant = !near && (args_keyword(args, "far", 1) || args_keyword(args, "distant", 1));
    *slot = -1;
    gc_slot_codes(named);
    if (args_number(args, &number)) {
        int max = *distant ? GC_FAR_SLOTS : GC_NEAR_SLOTS;
        if (number < 1 || number > max) {
            no(why, "no_such_slot max=%d", max);
            return false;
        }
        *slot = number - 1 + (*distant ? GC_NEAR_SLOTS : 0);
    } else if (args_name(args, named, GC_SLOTS, slot, NULL) == NAME_ONE) {
        if ((near && !gc_slot_near(*slot)) || (*distant && gc_slot_near(*slot))) {
            no(why, "no_such_slot max=%d", *distant ? GC_FAR_SLOTS : GC_NEAR_SLOTS);
            return false;
        }
        *distant = !gc_slot_near(*slot);
    } else if (!args_end(args)) {
        no(why, "explore_what words=%s", args_words(args).p);
        return false;
    }
    return args_finished(args, why);
}

static enum order_result run_explore(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gc_turn *turn = arg;
    bool distant;
    int slot;
    if (turn->acted)
        return no(why, "action_taken");
    if (!read_place(args, &distant, &slot, why))
        return ORDER_REFUSED;
    if (slot >= 0 && turn->player->slot[slot].open)
        return no(why, "already_explored slot=%s system=%s", gc_slot_name(slot),
                  gc_card(turn->cards, turn->player->slot[slot].card)->name);
    const int gate = gc_gate_closed_by(turn->player);
    if (distant && !turn->player->tech[GC_FORWARD])
        return no(why, "far_needs_forward");
    if (distant && gate >= 0)
        return no(why, "far_needs_aligned system=%s",
                  gc_card(turn->cards, turn->player->slot[gate].card)->name);
    if (slot < 0)
        slot = gc_face_down(turn->player, distant);
    if (slot < 0)
        return no(why, distant ? "far_all_explored" : "near_all_explored");
    if (!turn->player->diplomacy && turn->events->fates_only)
        event_odds(turn->events, distant ? "unknown_far chance=%d" : "unknown_near chance=%d",
                   gc_unknown_chance(turn->cards, turn->state, turn->seat, distant));
    return gc_attack(turn, slot, rolled);
}

static enum order_result run_conquer(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gc_turn *turn = arg;
    int slot;
    if (turn->acted)
        return no(why, "action_taken");
    if (args_end(args))
        return no(why, "conquer_what");
    if (args_keyword(args, "best", 4)) {
        slot = gc_best_target(turn->cards, turn->player);
        if (slot < 0)
            return no(why, "nothing_to_conquer");
    } else {
        struct str candidates = STR_INIT;
        enum name_found found = gc_read_slot(turn, args, &slot, &candidates);
        if (found == NAME_MANY)
            refuse_many(why, args, &candidates);
        str_release(&candidates);
        if (found != NAME_ONE)
            return found == NAME_MANY ? ORDER_REFUSED : gc_refuse_system(turn, args, why);
    }
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    if (!turn->player->slot[slot].open)
        return no(why, "not_explored slot=%s system=%s", gc_slot_name(slot), gc_slot_name(slot));
    if (turn->player->slot[slot].aligned)
        return no(why, "already_aligned slot=%s system=%s", gc_slot_name(slot),
                  gc_card(turn->cards, turn->player->slot[slot].card)->name);
    const struct gc_card *card = gc_card(turn->cards, turn->player->slot[slot].card);
    const int chance = gc_chance(turn->player, card->resistance);
    if (chance < 6)
        event_odds(turn->events, "target system=%s chance=%d", card->name, chance);
    return gc_attack(turn, slot, rolled);
}

static enum order_result run_bide(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gc_turn *turn = arg;
    (void)rolled;
    args_keyword(args, "time", 4);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    if (turn->acted)
        return no(why, "action_taken");
    gc_bide(turn, false);
    return ORDER_DONE;
}

/* ---- step 2 ---- */

static int read_kind(struct args *args)
{
    for (int i = 0; i < GC_KINDS; i++) {
        if (args_keyword(args, gc_kinds[i], 1))
            return i;
    }
    return -1;
}

/* Reads "[2] metal [for [1] wealth]". */
static bool read_swap(const struct gc_cards *cards, struct args *args, int *kind, struct refusal *why)
{
    int give = cards->swap_give;
    int get = cards->swap_get;
    int other = -1;
    (void)args_number(args, &give);
    *kind = read_kind(args);
    if (*kind < 0) {
        no(why, "swap_what");
        return false;
    }
    if (!args_end(args)) {
        (void)args_number(args, &get);
        other = read_kind(args);
        if (!args_finished(args, why))
            return false;
        if (other < 0 || other == *kind) {
            no(why, "swap_what");
            return false;
        }
    }
    if (give != cards->swap_give || get != cards->swap_get) {
        no(why, "swap_amount give=%d get=%d", cards->swap_give, cards->swap_get);
        return false;
    }
    return true;
}

static enum order_result run_swap(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gc_turn *turn = arg;
    const struct gc_player *player = turn->player;
    int kind;
    (void)rolled;
    if (!player->tech[GC_COMMERCE])
        return no(why, "no_commerce");
    if (turn->swapped)
        return no(why, "swapped_already");
    if (!read_swap(turn->cards, args, &kind, why))
        return ORDER_REFUSED;
    int have = kind == GC_METAL ? player->metal : player->wealth;
    int other = kind == GC_METAL ? player->wealth : player->metal;
    if (have < turn->cards->swap_give)
        return no(why, "swap_poor give=%d kind=%s have=%d", turn->cards->swap_give, gc_kinds[kind], have);
    if (other >= gc_storage_limit(turn->cards, player)) {
        return no(why, "swap_full kind=%s limit=%d", gc_kinds[kind == GC_METAL ? GC_WEALTH : GC_METAL],
                  gc_storage_limit(turn->cards, player));
    }
    gc_swap(turn, kind == GC_METAL);
    return ORDER_DONE;
}

/* ---- step 3 ---- */

static enum order_result run_build(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gc_turn *turn = arg;
    const struct gc_player *player = turn->player;
    int limit = gc_military_limit(turn->cards, player);
    (void)rolled;
    int count = 1;
    (void)args_number(args, &count);
    args_keyword(args, "military", 1);
    if (count == 1)
        (void)args_number(args, &count);
    if (count != 1)
        return no(why, "build_one");
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    if (turn->built)
        return no(why, "built_already");
    if (player->military >= limit)
        return no(why,
                  player->tech[GC_CAPITAL] ? "military_full limit=%d" : "military_needs_capital limit=%d",
                  limit);
    if (player->metal < turn->cards->build_metal || player->wealth < turn->cards->build_wealth) {
        return no(why, "build_poor metal=%d wealth=%d", player->metal, player->wealth);
    }
    gc_build(turn);
    return ORDER_DONE;
}

static enum order_result run_research(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gc_turn *turn = arg;
    const struct gc_player *player = turn->player;
    struct str candidates = STR_INIT;
    int tech;
    (void)rolled;
    if (args_end(args))
        return no(why, "research_what");
    enum name_found found = gc_read_tech(turn, args, &tech, &candidates);
    if (found == NAME_MANY)
        refuse_many(why, args, &candidates);
    str_release(&candidates);
    if (found != NAME_ONE)
        return found == NAME_MANY ? ORDER_REFUSED
                                  : no(why, "unknown_technology words=%s", args_words(args).p);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    const struct gc_technology *wanted = &turn->cards->tech[tech];
    if (turn->researched)
        return no(why, "researched_already");
    if (player->tech[tech])
        return no(why, "technology_owned technology=%s", wanted->name);
    if (gc_tech_locked(turn->cards, player, tech)) {
        return no(why, "technology_locked technology=%s needs=%s", wanted->name,
                  turn->cards->tech[wanted->requires].name);
    }
    if (player->wealth < wanted->cost)
        return no(why, "research_poor technology=%s cost=%d have=%d", wanted->name, wanted->cost,
                  player->wealth);
    gc_research(turn, tech);
    return ORDER_DONE;
}

static const struct verb verbs[] = {
    {"explore", "[near|far] [slot]", "turn up a system and attack it; without more: the first near one", "",
     GC_PHASE_ACTION, 0, run_explore},
    {"conquer", "<system>|<slot>|best", "attack an explored system that is not aligned", "", GC_PHASE_ACTION,
     0, run_conquer},
    {"attack", "<system>|<slot>|best", "the same as conquer", "", GC_PHASE_ACTION, 0, run_conquer},
    {"bide", "[time]", "no action this turn", "", GC_PHASE_ACTION, 0, run_bide},
    {"pass", "", "the same as bide", "", GC_PHASE_ACTION, 0, run_bide},
    {"swap", "metal|wealth", "give 2 of it for 1 of the other; needs Interspecies Commerce", "",
     GC_PHASE_SWAP, 0, run_swap},
    {"build", "[military]", "1 metal and 1 wealth for 1 military", "", GC_PHASE_BUILD, 0, run_build},
    {"research", "<technology>", "discover a technology for its cost in wealth", "", GC_PHASE_BUILD, 0,
     run_research},
    {NULL, NULL, NULL, NULL, 0, 0, NULL},
};

static const struct trigger triggers[] = {{NULL, NULL, NULL, NULL}};

const struct language gc_language = {
    .verbs = verbs,
    .counters = gc_counters,
    .triggers = triggers,
    .have = gc_have,
    .phases = GC_PHASES,
};
