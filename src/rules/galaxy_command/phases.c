#include "rules/galaxy_command/turn.h"

#define RULE_SETUP     "Solitaire and Multiplayer Setup"
#define RULE_EXPLORE   "Step 1: Explore and Attack"
#define RULE_CONQUER   "Step 1: Conquer"
#define RULE_BIDE      "Step 1: Bide Time"
#define RULE_COLLECT   "Step 2: Collect Metal and Wealth"
#define RULE_BUILD     "Step 3: Build Military"
#define RULE_RESEARCH  "Step 3: Discover Technology"
#define RULE_STRIKE    "Step 4: Strike"
#define RULE_DIPLOMACY "Step 3: Interstellar Diplomacy"

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* ---- setup ---- */

void gc_deal(const void *data, void *to, const struct wish_list *wishes, struct chance *chance,
             struct events *events)
{
    const struct gc_cards *cards = data;
    struct gc_state *state = to;
    uint8_t deck[GC_CARDS];
    (void)wishes;
    size_t count = gc_deck(cards, state, GC_NEAR, deck);
    chance_shuffle(chance, true, "deal/near", deck, count);
    gc_lay_systems(state, false, deck);
    count = gc_deck(cards, state, GC_DISTANT, deck);
    chance_shuffle(chance, true, "deal/far", deck, count);
    gc_lay_systems(state, true, deck);
    count = gc_deck(cards, state, GC_EVENT, deck);
    chance_shuffle(chance, true, "deal/events", deck, count);
    gc_lay_events(cards, state, deck, count);
    if (state->seats > 1)
        state->first = 1 + (int)chance_pick(chance, (uint32_t)state->seats, "deal/first");

    say(events, 0, RULE_SETUP, "dealt seats=%d near=%d distant=%d events=%d unused=%d", state->seats,
        GC_NEAR_SLOTS, GC_FAR_SLOTS, state->pile_count, state->unused_count);
    if (state->seats > 1)
        say(events, state->first, RULE_SETUP, "first_player");
}

/* ---- step 1 ---- */

enum order_result gc_attack(struct gc_turn *turn, int slot, bool *rolled)
{
    struct gc_player *player = turn->player;
    struct gc_slot *at = &player->slot[slot];
    const struct gc_card *card = gc_card(turn->cards, at->card);
    const char *place = gc_slot_name(slot), *rule = at->open ? RULE_CONQUER : RULE_EXPLORE;
    turn->acted = true;
    *rolled = true;
    if (!at->open) {
        at->open = true;
        chance_luck(turn->chance);
        say(turn->events, turn->seat, rule,
            "explored slot=%s system=%s resistance=%d metal=%d wealth=%d vp=%d", place, card->name,
            card->resistance, card->metal, card->wealth, card->vp);
    }
    if (player->diplomacy) {
        player->diplomacy = false;
        at->aligned = ++player->alignments;
        say(turn->events, turn->seat, RULE_DIPLOMACY,
            "attack_free slot=%s system=%s resistance=%d metal+=%d wealth+=%d vp=%d", place, card->name,
            card->resistance, card->metal, card->wealth, card->vp);
        return ORDER_DONE;
    }
    const int die = event_roll(turn->events, turn->chance, 6, "attack/s%d", turn->seat);
    const int military = player->military, total = die + military;
    if (total >= card->resistance) {
        at->aligned = ++player->alignments;
        say(turn->events, turn->seat, rule,
            "attack_won slot=%s system=%s die=%d military=%d total=%d resistance=%d metal+=%d wealth+=%d "
            "vp=%d",
            place, card->name, die, military, total, card->resistance, card->metal, card->wealth, card->vp);
        return ORDER_DONE;
    }
    if (player->military > 0)
        player->military--;
    say(turn->events, turn->seat, rule,
        "attack_lost slot=%s system=%s die=%d military=%d total=%d resistance=%d military_now=%d", place,
        card->name, die, military, total, card->resistance, player->military);
    return ORDER_FAILED;
}

void gc_bide(struct gc_turn *turn, bool by_default)
{
    turn->acted = true;
    say(turn->events, turn->seat, RULE_BIDE, "bided by_default+=%d", by_default);
}

/* The action of a seat that ordered none: nothing, which is safe - but the free success of
 * Interstellar Diplomacy costs nothing and would be lost. */
static void default_action(struct gc_turn *turn)
{
    bool rolled;
    int slot = turn->player->diplomacy ? gc_gift_slot(turn->cards, turn->player) : -1;
    if (gc_gift_slot(turn->cards, turn->player) >= 0 && slot < 0)
        event_unused(turn->events, "action");
    if (slot < 0)
        gc_bide(turn, true);
    else
        (void)gc_attack(turn, slot, &rolled);
}

/* ---- step 2 ---- */

static int store(int have, int income, int limit, int *wasted)
{
    int now = min_int(have + income, limit);
    now = now < have ? have : now;
    *wasted = have + income - now;
    return now;
}

static void collect(struct gc_turn *turn)
{
    struct gc_player *player = turn->player;
    struct gc_effect income = gc_income(turn->cards, player);
    int limit = gc_storage_limit(turn->cards, player);
    int wasted_metal, wasted_wealth;
    player->metal = store(player->metal, income.metal, limit, &wasted_metal);
    player->wealth = store(player->wealth, income.wealth, limit, &wasted_wealth);
#define COLLECTED " metal=%d wealth=%d metal_now=%d wealth_now=%d wasted_metal+=%d wasted_wealth+=%d limit=%d"
    say(turn->events, turn->seat, player->strike ? RULE_STRIKE : RULE_COLLECT,
        !player->strike           ? "collected" COLLECTED
        : player->tech[GC_ROBOTS] ? "collected_half" COLLECTED
                                  : "collected_nothing" COLLECTED,
        income.metal, income.wealth, player->metal, player->wealth, wasted_metal, wasted_wealth, limit);
    player->strike = false;
    event_settled(turn->events);
}

void gc_swap(struct gc_turn *turn, bool metal)
{
    struct gc_player *player = turn->player;
    int limit = gc_storage_limit(turn->cards, player);
    int *give = metal ? &player->metal : &player->wealth;
    int *get = metal ? &player->wealth : &player->metal;
    turn->swapped = true;
    *give -= turn->cards->swap_give;
    *get = min_int(*get + turn->cards->swap_get, limit);
    say(turn->events, turn->seat, RULE_COLLECT,
        "swapped gave=%d gave_kind=%s got=%d got_kind=%s metal_now=%d wealth_now=%d", turn->cards->swap_give,
        metal ? "metal" : "wealth", turn->cards->swap_get, metal ? "wealth" : "metal", player->metal,
        player->wealth);
}

/* ---- step 3 ---- */

void gc_build(struct gc_turn *turn)
{
    struct gc_player *player = turn->player;
    turn->built = true;
    player->metal -= turn->cards->build_metal;
    player->wealth -= turn->cards->build_wealth;
    player->military++;
    say(turn->events, turn->seat, RULE_BUILD, "built military_now=%d metal_now=%d wealth_now=%d",
        player->military, player->metal, player->wealth);
}

void gc_research(struct gc_turn *turn, int tech)
{
    struct gc_player *player = turn->player;
    turn->researched = true;
    player->tech[tech] = true;
    player->wealth -= turn->cards->tech[tech].cost;
    if (tech == GC_DIPLOMACY)
        player->diplomacy = true;
    say(turn->events, turn->seat, RULE_RESEARCH,
        "researched technology=%s cost=%d wealth_now=%d diplomacy+=%d", turn->cards->tech[tech].name,
        turn->cards->tech[tech].cost, player->wealth, tech == GC_DIPLOMACY);
}

/* ---- a round ---- */

static void player_turn(struct gc_turn *turn, const struct seat_orders *orders, int number)
{
    const struct script_listener listener = {line_events_done, &turn->lines};
    struct script_run *run = NULL;
    if (orders->script)
        run = script_run_new(orders->script, &gc_language, turn, number, &listener);
    if (run)
        script_run_phase(run, GC_PHASE_ACTION);
    if (!turn->acted)
        default_action(turn);
    if (turn->player->diplomacy) {
        turn->player->diplomacy = false;
        say(turn->events, turn->seat, RULE_DIPLOMACY, "diplomacy_lapsed");
    }
    collect(turn);
    line_events_skip(&turn->lines);
    if (!run)
        return;
    script_run_phase(run, GC_PHASE_SWAP);
    script_run_phase(run, GC_PHASE_BUILD);
    script_run_free(run);
}

void gc_play(const void *cards, void *to, const struct resolution *in)
{
    struct gc_state *state = to;
    struct events *events = in->events;
    if (state->over)
        return;
    for (int place = 0; place < gc_seats(state); place++) {
        struct gc_turn turn = {.cards = cards, .state = state, .chance = in->chance, .events = events};
        turn.seat = gc_seat_at(state, place);
        turn.player = gc_player(state, turn.seat);
        turn.lines = line_events_begin(events, turn.seat);
        /* Other seats and later steps cannot affect the lines of a trial. */
        bool counts = in->orders[turn.seat].script || !events->fates_only;
        if (counts && !turn.player->lost)
            player_turn(&turn, &in->orders[turn.seat], in->turn);
    }
    if (events->fates_only)
        return;
    gc_event_step(cards, state, in->chance, events);
}
