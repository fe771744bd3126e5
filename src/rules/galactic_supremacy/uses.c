/* Command cards: playing one, the chain of Counter Espionage that may answer it, and what the uses of the
 * command phase do. */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#include "base/str.h"

#define RULE_USES "Command Card Uses"
#define CHAIN     64 /* every use but the first costs another card, and there are fewer */

/* ---- playing and countering ---- */

static void spend_card(struct gs_table *table, struct gs_played played, const char *type)
{
    gs_discard(table->state, gs_hand_spend(table->cards, table->state, played.by, GS_COMMAND));
    struct event *event = event_add(table->events, type, EVENT_PUBLIC, played.by, RULE_USES);
    event_text(event, "use", table->cards->use[played.use].name);
    if (played.target)
        event_int(event, "target_seat", played.target);
}

/* A use that waits for answers. */
struct link {
    struct gs_played played;
    int asked; /* opponents asked so far, in turn order */
};

/* The next opponent who counters the use, or 0 when all have been asked. */
static int next_answer(struct gs_table *table, struct link *link)
{
    while (++link->asked < gs_seats(table->state)) {
        int seat = gs_seat_after(table->state, link->played.by, link->asked);
        struct gs_turn turn;
        if (!gs_alive(table->state, seat) || seat == link->played.by)
            continue;
        gs_turn_init(&turn, table, seat);
        turn.reaction = GS_ON_PLAYED;
        turn.played = &link->played;
        if (gs_react(&turn) && turn.agreed)
            return seat;
    }
    return 0;
}

static bool counter_works(struct gs_table *table, const struct gs_played *counter, enum gs_use against)
{
    char label[CHANCE_LABEL];
    int die = gs_roll(table, "counter", counter->by, label);
    bool works = die <= table->cards->success[GS_COUNTER];
    struct event *event = event_add(table->events, works ? "counter_works" : "counter_fails", EVENT_PUBLIC,
                                    counter->by, RULE_USES);
    event_die(event, label, die);
    event_int(event, "die", die);
    event_int(event, "most", table->cards->success[GS_COUNTER]);
    event_text(event, "use", table->cards->use[against].name);
    event_int(event, "target_seat", counter->target);
    return works;
}

/* Any use can be countered, also a Counter Espionage: the last one played is settled first. Every opponent is
 * asked once for every use. True when the first use takes effect. */
static bool stands(struct gs_table *table, struct gs_played played, bool *rolled)
{
    struct link chain[CHAIN] = {{played, 0}};
    int depth = 1;
    for (;;) {
        struct link *last = &chain[depth - 1];
        int seat = depth < CHAIN ? next_answer(table, last) : 0;
        if (seat) {
            chain[depth++] = (struct link){{GS_COUNTER, seat, last->played.by}, 0};
            spend_card(table, chain[depth - 1].played, "counter_played");
            continue;
        }
        if (depth == 1)
            return true;
        *rolled = true;
        bool works = counter_works(table, &last->played, chain[depth - 2].played.use);
        depth -= works ? 2 : 1;
        if (depth == 0)
            return false;
    }
}

bool gs_use_card(struct gs_table *table, struct gs_played played, bool *rolled)
{
    struct gs_turn turn;
    do {
        spend_card(table, played, "card_played");
        if (stands(table, played, rolled))
            return true;
        gs_turn_init(&turn, table, played.by);
        turn.reaction = GS_ON_COUNTERED;
        turn.played = &played;
    } while (gs_react(&turn) && turn.agreed);
    return false;
}

/* ---- uses of the command phase ---- */

struct effect {
    struct gs_turn *turn;
    struct gs_player *enemy; /* of uses that have a target */
    int target, unit;
    int die; /* 0: none was rolled */
    char label[CHANCE_LABEL];
};

static struct event *tell(const struct effect *effect, const char *type, uint32_t visible)
{
    struct event *event =
        event_add(effect->turn->table->events, type, visible, effect->turn->seat, RULE_USES);
    if (effect->die) {
        event_die(event, effect->label, effect->die);
        event_int(event, "die", effect->die);
    }
    if (effect->target)
        event_int(event, "target_seat", effect->target);
    return event;
}

static void roll(struct effect *effect, const char *what, bool *rolled)
{
    *rolled = true;
    effect->die = gs_roll(effect->turn->table, what, effect->turn->seat, effect->label);
}

static uint32_t pick(struct effect *effect, const char *what)
{
    char label[CHANCE_LABEL];
    struct gs_table *table = effect->turn->table;
    chance_label(label, "%s/s%d/%d", what, effect->target, ++table->draws);
    return chance_pick(table->chance, effect->enemy->hand_count, label);
}

static enum order_result misinform(struct effect *effect, bool *rolled)
{
    struct gs_turn *turn = effect->turn;
    *rolled = true;
    if (!effect->enemy->hand_count) { /* spent in the meantime, on a counter that failed */
        tell(effect, "hand_is_empty", EVENT_PUBLIC);
        return ORDER_FAILED;
    }
    int card = gs_hand_take(turn->cards, turn->state, effect->target, (int)pick(effect, "misinformation"),
                            GS_EVERYBODY);
    gs_discard(turn->state, card);
    event_text(tell(effect, "misinformed", EVENT_PUBLIC), "kind",
               gs_kind_names[gs_card(turn->cards, card)->kind]);
    return ORDER_DONE;
}

static enum order_result spy(struct effect *effect)
{
    struct gs_turn *turn = effect->turn;
    tell(effect, "spied", EVENT_PUBLIC & ~SEAT_BIT(turn->seat));
    struct event *event = tell(effect, "spied_hand", SEAT_BIT(turn->seat));
    uint8_t count[GS_KINDS];
    struct str list = STR_INIT;
    for (int kind = 0; kind < GS_KINDS; kind++)
        count[kind] = (uint8_t)gs_hand_count(turn->cards, effect->enemy, (enum gs_kind)kind);
    gs_list_text(&list, count, 0);
    if (list.len)
        event_text(event, "list", list.p);
    str_release(&list);
    for (int i = 0; i < effect->enemy->hand_count; i++)
        effect->enemy->known[i] |= (uint8_t)SEAT_BIT(turn->seat);
    event_settled(turn->table->events);
    return ORDER_DONE;
}

static enum order_result plan(struct effect *effect, bool *rolled)
{
    struct gs_turn *turn = effect->turn;
    int index = gs_own_deck(turn->state, turn->seat);
    struct gs_deck *deck = &turn->state->deck[index];
    struct str kinds = STR_INIT;
    roll(effect, "planning", rolled);
    int count = effect->die < deck->draw_count ? effect->die : deck->draw_count;
    for (int i = 0; i < count; i++)
        str_addf(&kinds, "%s%s", i ? ", " : "",
                 gs_kind_names[gs_card(turn->cards, gs_card_id(turn->state, index, deck->draw[i]))->kind]);
    if (deck->seen[turn->seat - 1] < count)
        deck->seen[turn->seat - 1] = (uint8_t)count;
    event_int(tell(effect, "planned", EVENT_PUBLIC & ~SEAT_BIT(turn->seat)), "cards", count);
    struct event *event = tell(effect, "planned_cards", SEAT_BIT(turn->seat));
    event_int(event, "cards", count);
    event_text(event, "list", kinds.p);
    str_release(&kinds);
    return ORDER_DONE;
}

static int money(struct effect *effect, enum gs_use use, bool *rolled)
{
    roll(effect, effect->turn->cards->use[use].id, rolled);
    int credits = effect->die - effect->turn->cards->minus[use];
    return credits < 0 ? 0 : credits;
}

static enum order_result quotas(struct effect *effect, bool *rolled)
{
    int gain = money(effect, GS_QUOTAS, rolled);
    effect->turn->player->credits += gain;
    struct event *event = tell(effect, "quotas", EVENT_PUBLIC);
    event_int(event, "gain", gain);
    event_int(event, "credits", effect->turn->player->credits);
    return gain ? ORDER_DONE : ORDER_FAILED;
}

static enum order_result sabotage_industry(struct effect *effect, bool *rolled)
{
    int loss = money(effect, GS_INDSAB, rolled);
    if (loss > effect->enemy->credits)
        loss = effect->enemy->credits;
    effect->enemy->credits -= loss;
    struct event *event = tell(effect, "sabotaged_industry", EVENT_PUBLIC);
    event_int(event, "loss", loss);
    event_int(event, "credits", effect->enemy->credits);
    return loss ? ORDER_DONE : ORDER_FAILED;
}

static enum order_result steal(struct effect *effect, bool *rolled)
{
    struct gs_turn *turn = effect->turn;
    event_odds(turn->table->events, "steal chance=%d", turn->cards->success[GS_STEAL]);
    roll(effect, "steal", rolled);
    bool works = effect->die <= turn->cards->success[GS_STEAL] && effect->enemy->hand_count &&
                 !gs_hand_full(turn->player);
    if (!works) {
        tell(effect, "steal_failed", EVENT_PUBLIC);
        return ORDER_FAILED;
    }
    uint32_t both = SEAT_BIT(turn->seat) | SEAT_BIT(effect->target);
    int card = gs_hand_take(turn->cards, turn->state, effect->target, (int)pick(effect, "stolen"), (int)both);
    gs_hand_put(turn->state, turn->seat, card, (int)both);
    tell(effect, "stolen", EVENT_PUBLIC & ~both);
    event_text(tell(effect, "stolen_card", both), "kind", gs_kind_names[gs_card(turn->cards, card)->kind]);
    return ORDER_DONE;
}

/* A card of the enemy's returns to the enemy's hand openly (or, if that can hold no more, is discarded). */
static void return_card(struct effect *effect, int card)
{
    if (gs_hand_full(effect->enemy))
        gs_discard(effect->turn->state, card);
    else
        gs_hand_put(effect->turn->state, effect->target, card, GS_EVERYBODY);
}

static enum order_result sabotage_fleet(struct effect *effect, bool *rolled)
{
    const struct gs_unit *fleet = gs_fleet(effect->enemy, effect->unit);
    const struct gs_unit *leader = gs_leader_at(effect->enemy, GS_ON_FLEET + effect->unit);
    char unit[GS_UNIT_NAME];
    snprintf(unit, sizeof(unit), "F%d", effect->unit);
    event_odds(effect->turn->table->events, "milsab chance=%d", effect->turn->cards->success[GS_MILSAB]);
    roll(effect, "milsab", rolled);
    bool works = effect->die <= effect->turn->cards->success[GS_MILSAB];
    struct event *event = tell(effect, works ? "sabotaged_fleet" : "sabotage_failed", EVENT_PUBLIC);
    event_text(event, "unit", unit);
    event_text(event, "name", gs_card(effect->turn->cards, fleet->card)->name);
    if (!works)
        return ORDER_FAILED;
    if (leader) {
        event_text(event, "leader", gs_card(effect->turn->cards, leader->card)->name);
        return_card(effect, leader->card);
        gs_unit_remove(effect->enemy->leader, &effect->enemy->leader_count, leader->number);
    }
    return_card(effect, fleet->card);
    gs_unit_remove(effect->enemy->fleet, &effect->enemy->fleet_count, effect->unit);
    event_settled(effect->turn->table->events);
    return ORDER_DONE;
}

static enum order_result assassinate(struct effect *effect, bool *rolled)
{
    const struct gs_unit *leader = gs_leader(effect->enemy, effect->unit);
    event_odds(effect->turn->table->events, "assassination chance=%d",
               effect->turn->cards->success[GS_ASSASSINATION]);
    roll(effect, "assassination", rolled);
    bool works = effect->die <= effect->turn->cards->success[GS_ASSASSINATION];
    struct event *event = tell(effect, works ? "assassinated" : "assassination_failed", EVENT_PUBLIC);
    char unit[GS_UNIT_NAME];
    snprintf(unit, sizeof(unit), "L%d", effect->unit);
    event_text(event, "unit", unit);
    event_text(event, "name", gs_card(effect->turn->cards, leader->card)->name);
    if (!works)
        return ORDER_FAILED;
    gs_discard(effect->turn->state, leader->card);
    gs_unit_remove(effect->enemy->leader, &effect->enemy->leader_count, effect->unit);
    event_settled(effect->turn->table->events);
    return ORDER_DONE;
}

static enum order_result initiative(struct effect *effect)
{
    effect->turn->state->attacks++;
    event_int(tell(effect, "initiative", EVENT_PUBLIC), "attacks", effect->turn->state->attacks);
    return ORDER_DONE;
}

enum order_result gs_use_effect(struct gs_turn *turn, struct gs_played played, int unit, bool *rolled)
{
    struct effect effect = {.turn = turn, .target = played.target, .unit = unit};
    effect.enemy = gs_player(turn->state, played.target);
    switch (played.use) {
    case GS_MISINFORMATION: return misinform(&effect, rolled);
    case GS_SPY: return spy(&effect);
    case GS_PLANNING: return plan(&effect, rolled);
    case GS_QUOTAS: return quotas(&effect, rolled);
    case GS_STEAL: return steal(&effect, rolled);
    case GS_MILSAB: return sabotage_fleet(&effect, rolled);
    case GS_INDSAB: return sabotage_industry(&effect, rolled);
    case GS_ASSASSINATION: return assassinate(&effect, rolled);
    case GS_INITIATIVE: return initiative(&effect);
    case GS_TACTICAL:
    case GS_SURPRISE:
    case GS_AMBUSH:
    case GS_PEACE:
    case GS_COUNTER:
    case GS_USES: break;
    }
    return ORDER_REFUSED;
}
