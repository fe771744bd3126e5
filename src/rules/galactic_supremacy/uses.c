/* Command cards: playing one, the chain of Counter Espionage that may answer it, and what the uses of the
 * command phase do. */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#include "base/str.h"

#define RULE_USES "Command Card Uses"
#define CHAIN     64 /* every use but the first costs another card, and there are fewer */

/* ---- playing and countering ---- */

static void spend_card(struct gs_table *table, struct gs_played played)
{
    gs_discard(table->state, gs_hand_spend(table->cards, table->state, played.by, GS_COMMAND));
    say(table->events, played.by, RULE_USES,
        played.use == GS_COUNTER ? "counter_played use=%s target_seat+=%d"
                                 : "card_played use=%s target_seat+=%d",
        table->cards->use[played.use].name, played.target);
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
    int die = gs_roll(table, "counter", counter->by);
    bool works = die <= table->cards->success[GS_COUNTER];
    say(table->events, counter->by, RULE_USES,
        works ? "counter_works die=%d most=%d use=%s target_seat=%d"
              : "counter_fails die=%d most=%d use=%s target_seat=%d",
        die, table->cards->success[GS_COUNTER], table->cards->use[against].name, counter->target);
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
            spend_card(table, chain[depth - 1].played);
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
        spend_card(table, played);
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
    struct events *events;
    struct gs_player *enemy; /* of uses that have a target */
    int target, unit;
    bool *rolled;
};

static int roll(const struct effect *effect, const char *what)
{
    *effect->rolled = true;
    return gs_roll(effect->turn->table, what, effect->turn->seat);
}

static uint32_t pick(struct effect *effect, const char *what)
{
    char label[CHANCE_LABEL];
    struct gs_table *table = effect->turn->table;
    chance_label(label, "%s/s%d/%d", what, effect->target, ++table->draws);
    return chance_pick(table->chance, effect->enemy->hand_count, label);
}

static enum order_result misinform(struct effect *effect)
{
    struct gs_turn *turn = effect->turn;
    *effect->rolled = true;
    if (!effect->enemy->hand_count) { /* spent in the meantime, on a counter that failed */
        say(effect->events, turn->seat, RULE_USES, "hand_is_empty target_seat=%d", effect->target);
        return ORDER_FAILED;
    }
    int card = gs_hand_take(turn->cards, turn->state, effect->target, (int)pick(effect, "misinformation"),
                            GS_EVERYBODY);
    gs_discard(turn->state, card);
    say(effect->events, turn->seat, RULE_USES, "misinformed target_seat=%d kind=%s", effect->target,
        gs_kind_names[gs_card(turn->cards, card)->kind]);
    return ORDER_DONE;
}

static enum order_result spy(struct effect *effect)
{
    struct gs_turn *turn = effect->turn;
    uint8_t count[GS_KINDS];
    for (int kind = 0; kind < GS_KINDS; kind++)
        count[kind] = (uint8_t)gs_hand_count(turn->cards, effect->enemy, (enum gs_kind)kind);
    say_to(effect->events, EVENT_PUBLIC & ~SEAT_BIT(turn->seat), turn->seat, RULE_USES,
           "spied target_seat=%d", effect->target);
    say_to(effect->events, SEAT_BIT(turn->seat), turn->seat, RULE_USES, "spied_hand target_seat=%d list+=%s",
           effect->target, gs_list_words(count, 0).p);
    for (int i = 0; i < effect->enemy->hand_count; i++)
        effect->enemy->known[i] |= (uint8_t)SEAT_BIT(turn->seat);
    event_settled(effect->events);
    return ORDER_DONE;
}

static enum order_result plan(struct effect *effect)
{
    struct gs_turn *turn = effect->turn;
    int index = gs_own_deck(turn->state, turn->seat);
    struct gs_deck *deck = &turn->state->deck[index];
    struct str kinds = STR_INIT;
    int die = roll(effect, "planning");
    int count = die < deck->draw_count ? die : deck->draw_count;
    for (int i = 0; i < count; i++)
        str_addf(&kinds, "%s%s", i ? ", " : "",
                 gs_kind_names[gs_card(turn->cards, gs_card_id(turn->state, index, deck->draw[i]))->kind]);
    if (deck->seen[turn->seat - 1] < count)
        deck->seen[turn->seat - 1] = (uint8_t)count;
    say_to(effect->events, EVENT_PUBLIC & ~SEAT_BIT(turn->seat), turn->seat, RULE_USES,
           "planned die=%d cards=%d", die, count);
    event_same_dice(effect->events);
    say_to(effect->events, SEAT_BIT(turn->seat), turn->seat, RULE_USES,
           "planned_cards die=%d cards=%d list=%s", die, count, brief_str(&kinds).p);
    return ORDER_DONE;
}

static int credits_of(const struct gs_cards *cards, enum gs_use use, int die)
{
    return die > cards->minus[use] ? die - cards->minus[use] : 0;
}

static enum order_result quotas(struct effect *effect)
{
    struct gs_turn *turn = effect->turn;
    int die = roll(effect, turn->cards->use[GS_QUOTAS].id);
    int gain = credits_of(turn->cards, GS_QUOTAS, die);
    turn->player->credits += gain;
    say(effect->events, turn->seat, RULE_USES, "quotas die=%d gain=%d credits=%d", die, gain,
        turn->player->credits);
    return gain ? ORDER_DONE : ORDER_FAILED;
}

static enum order_result sabotage_industry(struct effect *effect)
{
    struct gs_turn *turn = effect->turn;
    int die = roll(effect, turn->cards->use[GS_INDSAB].id);
    int loss = credits_of(turn->cards, GS_INDSAB, die);
    if (loss > effect->enemy->credits)
        loss = effect->enemy->credits;
    effect->enemy->credits -= loss;
    say(effect->events, turn->seat, RULE_USES, "sabotaged_industry die=%d target_seat=%d loss=%d credits=%d",
        die, effect->target, loss, effect->enemy->credits);
    return loss ? ORDER_DONE : ORDER_FAILED;
}

static enum order_result steal(struct effect *effect)
{
    struct gs_turn *turn = effect->turn;
    event_odds(effect->events, "steal chance=%d", turn->cards->success[GS_STEAL]);
    int die = roll(effect, "steal");
    bool works =
        die <= turn->cards->success[GS_STEAL] && effect->enemy->hand_count && !gs_hand_full(turn->player);
    if (!works) {
        say(effect->events, turn->seat, RULE_USES, "steal_failed die=%d target_seat=%d", die, effect->target);
        return ORDER_FAILED;
    }
    uint32_t both = SEAT_BIT(turn->seat) | SEAT_BIT(effect->target);
    int card = gs_hand_take(turn->cards, turn->state, effect->target, (int)pick(effect, "stolen"), (int)both);
    gs_hand_put(turn->state, turn->seat, card, (int)both);
    say_to(effect->events, EVENT_PUBLIC & ~both, turn->seat, RULE_USES, "stolen die=%d target_seat=%d", die,
           effect->target);
    event_same_dice(effect->events);
    say_to(effect->events, both, turn->seat, RULE_USES, "stolen_card die=%d target_seat=%d kind=%s", die,
           effect->target, gs_kind_names[gs_card(turn->cards, card)->kind]);
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

static enum order_result sabotage_fleet(struct effect *effect)
{
    const struct gs_cards *cards = effect->turn->cards;
    const struct gs_unit *fleet = gs_fleet(effect->enemy, effect->unit);
    const struct gs_unit *leader = gs_leader_at(effect->enemy, GS_ON_FLEET + effect->unit);
    event_odds(effect->events, "milsab chance=%d", cards->success[GS_MILSAB]);
    int die = roll(effect, "milsab");
    bool works = die <= cards->success[GS_MILSAB];
    say(effect->events, effect->turn->seat, RULE_USES,
        works ? "sabotaged_fleet die=%d target_seat=%d unit=%s name=%s leader+=%s"
              : "sabotage_failed die=%d target_seat=%d unit=%s name=%s leader+=%s",
        die, effect->target, code_of('F', effect->unit).p, gs_card(cards, fleet->card)->name,
        works && leader ? gs_card(cards, leader->card)->name : "");
    if (!works)
        return ORDER_FAILED;
    if (leader) {
        return_card(effect, leader->card);
        gs_unit_remove(effect->enemy->leader, &effect->enemy->leader_count, leader->number);
    }
    return_card(effect, fleet->card);
    gs_unit_remove(effect->enemy->fleet, &effect->enemy->fleet_count, effect->unit);
    event_settled(effect->events);
    return ORDER_DONE;
}

static enum order_result assassinate(struct effect *effect)
{
    const struct gs_cards *cards = effect->turn->cards;
    const struct gs_unit *leader = gs_leader(effect->enemy, effect->unit);
    event_odds(effect->events, "assassination chance=%d", cards->success[GS_ASSASSINATION]);
    int die = roll(effect, "assassination");
    bool works = die <= cards->success[GS_ASSASSINATION];
    say(effect->events, effect->turn->seat, RULE_USES,
        works ? "assassinated die=%d target_seat=%d unit=%s name=%s"
              : "assassination_failed die=%d target_seat=%d unit=%s name=%s",
        die, effect->target, code_of('L', effect->unit).p, gs_card(cards, leader->card)->name);
    if (!works)
        return ORDER_FAILED;
    gs_discard(effect->turn->state, leader->card);
    gs_unit_remove(effect->enemy->leader, &effect->enemy->leader_count, effect->unit);
    event_settled(effect->events);
    return ORDER_DONE;
}

void gs_initiative(struct gs_table *table, int seat)
{
    table->state->attacks++;
    say(table->events, seat, RULE_USES, "initiative attacks=%d", table->state->attacks);
}

enum order_result gs_use_effect(struct gs_turn *turn, struct gs_played played, int unit, bool *rolled)
{
    struct effect effect = {turn, turn->table->events, NULL, played.target, unit, rolled};
    effect.enemy = gs_player(turn->state, played.target);
    switch (played.use) {
    case GS_MISINFORMATION: return misinform(&effect);
    case GS_SPY: return spy(&effect);
    case GS_PLANNING: return plan(&effect);
    case GS_QUOTAS: return quotas(&effect);
    case GS_STEAL: return steal(&effect);
    case GS_MILSAB: return sabotage_fleet(&effect);
    case GS_INDSAB: return sabotage_industry(&effect);
    case GS_ASSASSINATION: return assassinate(&effect);
    case GS_INITIATIVE: gs_initiative(turn->table, turn->seat); return ORDER_DONE;
    case GS_TACTICAL:
    case GS_SURPRISE:
    case GS_AMBUSH:
    case GS_PEACE:
    case GS_COUNTER:
    case GS_USES: break;
    }
    return ORDER_REFUSED;
}
