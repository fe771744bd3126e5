#include "rules/galaxy_command/turn.h"

#include <stdlib.h>
#include <string.h>

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

    struct event *event = event_add(events, "dealt", EVENT_PUBLIC, 0, RULE_SETUP);
    event_int(event, "seats", state->seats);
    event_int(event, "near", GC_NEAR_SLOTS);
    event_int(event, "distant", GC_FAR_SLOTS);
    event_int(event, "events", state->pile_count);
    event_int(event, "unused", state->unused_count);
    if (state->seats > 1)
        event_add(events, "first_player", EVENT_PUBLIC, state->first, RULE_SETUP);
}

/* ---- step 1 ---- */

static struct event *slot_event(struct gc_turn *turn, const char *type, int slot, const char *rule)
{
    char name[GC_SLOT_NAME];
    struct event *event = event_add(turn->events, type, EVENT_PUBLIC, turn->seat, rule);
    gc_slot_name(name, slot);
    event_text(event, "slot", name);
    event_text(event, "system", gc_card(turn->cards, turn->player->slot[slot].card)->name);
    return event;
}

static void align(struct gc_turn *turn, int slot)
{
    turn->player->slot[slot].aligned = ++turn->player->alignments;
}

static enum order_result attack(struct gc_turn *turn, int slot, const char *rule, bool *rolled)
{
    struct gc_player *player = turn->player;
    const struct gc_card *card = gc_card(turn->cards, player->slot[slot].card);
    *rolled = true;
    if (player->diplomacy) {
        player->diplomacy = false;
        align(turn, slot);
        struct event *event = slot_event(turn, "attack_free", slot, RULE_DIPLOMACY);
        event_int(event, "resistance", card->resistance);
        event_amount(event, "metal", card->metal);
        event_amount(event, "wealth", card->wealth);
        event_int(event, "vp", card->vp);
        return ORDER_DONE;
    }
    char label[CHANCE_LABEL];
    chance_label(label, "attack/s%d", turn->seat);
    int die = chance_die(turn->chance, 6, label);
    int military = player->military;
    bool won = die + military >= card->resistance;
    if (won)
        align(turn, slot);
    else if (player->military > 0)
        player->military--;
    struct event *event = slot_event(turn, won ? "attack_won" : "attack_lost", slot, rule);
    event_die(event, label, die);
    event_int(event, "die", die);
    event_int(event, "military", military);
    event_int(event, "total", die + military);
    event_int(event, "resistance", card->resistance);
    if (won) {
        event_amount(event, "metal", card->metal);
        event_amount(event, "wealth", card->wealth);
        event_int(event, "vp", card->vp);
    } else {
        event_int(event, "military_now", player->military);
    }
    return won ? ORDER_DONE : ORDER_FAILED;
}

enum order_result gc_explore(struct gc_turn *turn, int slot, bool *rolled)
{
    const struct gc_card *card = gc_card(turn->cards, turn->player->slot[slot].card);
    turn->acted = true;
    turn->player->slot[slot].open = true;
    chance_luck(turn->chance);
    struct event *event = slot_event(turn, "explored", slot, RULE_EXPLORE);
    event_int(event, "resistance", card->resistance);
    event_int(event, "metal", card->metal);
    event_int(event, "wealth", card->wealth);
    event_int(event, "vp", card->vp);
    return attack(turn, slot, RULE_EXPLORE, rolled);
}

enum order_result gc_conquer(struct gc_turn *turn, int slot, bool *rolled)
{
    turn->acted = true;
    return attack(turn, slot, RULE_CONQUER, rolled);
}

void gc_bide(struct gc_turn *turn, bool by_default)
{
    turn->acted = true;
    struct event *event = event_add(turn->events, "bided", EVENT_PUBLIC, turn->seat, RULE_BIDE);
    event_amount(event, "by_default", by_default);
}

/* The action of a seat that ordered none: nothing, which is safe - but the free success of
 * Interstellar Diplomacy costs nothing and would be lost. */
static void default_action(struct gc_turn *turn)
{
    bool rolled;
    int slot = turn->player->diplomacy ? gc_gift_slot(turn->cards, turn->player) : -1;
    if (slot < 0)
        gc_bide(turn, true);
    else if (turn->player->slot[slot].open)
        gc_conquer(turn, slot, &rolled);
    else
        gc_explore(turn, slot, &rolled);
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
    const char *type = !player->strike           ? "collected"
                       : player->tech[GC_ROBOTS] ? "collected_half"
                                                 : "collected_nothing";
    player->metal = store(player->metal, income.metal, limit, &wasted_metal);
    player->wealth = store(player->wealth, income.wealth, limit, &wasted_wealth);
    struct event *event =
        event_add(turn->events, type, EVENT_PUBLIC, turn->seat, player->strike ? RULE_STRIKE : RULE_COLLECT);
    event_int(event, "metal", income.metal);
    event_int(event, "wealth", income.wealth);
    event_int(event, "metal_now", player->metal);
    event_int(event, "wealth_now", player->wealth);
    event_amount(event, "wasted_metal", wasted_metal);
    event_amount(event, "wasted_wealth", wasted_wealth);
    event_int(event, "limit", limit);
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
    struct event *event = event_add(turn->events, "swapped", EVENT_PUBLIC, turn->seat, RULE_COLLECT);
    event_int(event, "gave", turn->cards->swap_give);
    event_text(event, "gave_kind", metal ? "metal" : "wealth");
    event_int(event, "got", turn->cards->swap_get);
    event_text(event, "got_kind", metal ? "wealth" : "metal");
    event_int(event, "metal_now", player->metal);
    event_int(event, "wealth_now", player->wealth);
}

/* ---- step 3 ---- */

void gc_build(struct gc_turn *turn)
{
    struct gc_player *player = turn->player;
    turn->built = true;
    player->metal -= turn->cards->build_metal;
    player->wealth -= turn->cards->build_wealth;
    player->military++;
    struct event *event = event_add(turn->events, "built", EVENT_PUBLIC, turn->seat, RULE_BUILD);
    event_int(event, "military_now", player->military);
    event_int(event, "metal_now", player->metal);
    event_int(event, "wealth_now", player->wealth);
}

void gc_research(struct gc_turn *turn, int tech)
{
    struct gc_player *player = turn->player;
    turn->researched = true;
    player->tech[tech] = true;
    player->wealth -= turn->cards->tech[tech].cost;
    if (tech == GC_DIPLOMACY)
        player->diplomacy = true;
    struct event *event = event_add(turn->events, "researched", EVENT_PUBLIC, turn->seat, RULE_RESEARCH);
    event_text(event, "technology", turn->cards->tech[tech].name);
    event_int(event, "cost", turn->cards->tech[tech].cost);
    event_int(event, "wealth_now", player->wealth);
    event_amount(event, "diplomacy", tech == GC_DIPLOMACY);
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
        event_add(turn->events, "diplomacy_lapsed", EVENT_PUBLIC, turn->seat, RULE_DIPLOMACY);
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
