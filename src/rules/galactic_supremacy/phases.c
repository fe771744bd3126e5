/* What the phases of a turn do: drawing, production, building, research. */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#define RULE_DRAW       "Draw Phase"
#define RULE_PRODUCTION "Production Phase"
#define RULE_BUILD      "Build Phase"
#define RULE_RESEARCH   "Research Phase"
#define LEARNED         " technology=%s level=%d cost=%d credits=%d"

void gs_turn_init(struct gs_turn *turn, struct gs_table *table, int seat)
{
    memset(turn, 0, sizeof(*turn));
    turn->table = table;
    turn->cards = table->cards;
    turn->state = table->state;
    turn->seat = seat;
    turn->player = gs_player(table->state, seat);
}

int gs_roll(struct gs_table *table, const char *what, int seat)
{
    return event_roll(table->events, table->chance, table->cards->sides, "%s/s%d/%d", what, seat,
                      ++table->draws);
}

/* ---- draw phase ---- */

/* Draws a card, which only the seat sees, into the hand. */
static void draw_to_hand(struct gs_table *table, int seat)
{
    struct gs_player *player = gs_player(table->state, seat);
    struct gs_drawn drawn = {0, 0};
    if (!gs_hand_full(player))
        drawn = gs_draw(table, seat);
    if (!drawn.card) {
        say(table->events, seat, RULE_DRAW, "no_card");
        return;
    }
    gs_hand_put(table->state, seat, drawn.card, drawn.known);
    const struct gs_card *card = gs_card(table->cards, drawn.card);
    say_to(table->events, EVENT_PUBLIC & ~SEAT_BIT(seat), seat, RULE_DRAW, "drew_hidden hand=%d",
           player->hand_count);
    say_to(table->events, SEAT_BIT(seat), seat, RULE_DRAW, "drew kind=%s name+=%s hand=%d",
           gs_kind_names[card->kind], card->name, player->hand_count);
}

void gs_open_turn(struct gs_table *table, int seat)
{
    struct gs_state *state = table->state;
    state->active = seat;
    state->phase = GS_PHASE_DRAW;
    state->extra = false;
    state->attacks = 1;
    state->peace = 0;
    state->pauses = 0;
    say(table->events, seat, "Turn Sequence", "turn_opens round=%d", state->round);
    draw_to_hand(table, seat);
}

void gs_buy_card(struct gs_turn *turn)
{
    turn->player->credits -= turn->cards->cost_extra;
    turn->state->extra = true;
    say(turn->table->events, turn->seat, RULE_DRAW, "bought_card cost=%d credits=%d", turn->cards->cost_extra,
        turn->player->credits);
    draw_to_hand(turn->table, turn->seat);
}

void gs_discard_kind(struct gs_table *table, int seat, enum gs_kind kind, bool over_limit)
{
    int card = gs_hand_spend(table->cards, table->state, seat, kind);
    gs_discard(table->state, card);
    say(table->events, seat, RULE_DRAW,
        over_limit ? "over_limit kind=%s name+=%s" : "discarded kind=%s name+=%s", gs_kind_names[kind],
        gs_card(table->cards, card)->name);
}

int gs_exchange(struct gs_turn *turn, enum gs_exchange exchange, int times)
{
    struct gs_table *table = turn->table;
    int kept = -1;
    for (int i = 0; i < times && (i == 0 || gs_drawable(table, turn->seat) > 0); i++) {
        int given = gs_hand_spend(turn->cards, turn->state, turn->seat, turn->cards->exchange_give[exchange]);
        gs_discard(turn->state, given);
        struct gs_drawn drawn = gs_draw(table, turn->seat);
        const struct gs_card *card = drawn.card ? gs_card(turn->cards, drawn.card) : NULL;
        bool keep = card && card->kind == turn->cards->exchange_keep[exchange];
        say(table->events, turn->seat, RULE_DRAW,
            keep ? "exchange_kept exchange=%s gave=%s kind=%s name+=%s"
                 : "exchange_lost exchange=%s gave=%s kind+=%s name+=%s",
            turn->cards->exchange[exchange].name, gs_kind_names[gs_card(turn->cards, given)->kind],
            card ? gs_kind_names[card->kind] : "", card ? card->name : "");
        if (!card)
            continue;
        if (keep)
            gs_hand_put(turn->state, turn->seat, drawn.card, GS_EVERYBODY);
        else
            gs_discard(turn->state, drawn.card);
        event_settled(table->events);
        kept = (kept < 0 ? 0 : kept) + keep;
    }
    return kept;
}

/* ---- production phase ---- */

static void keep_limit(struct gs_turn *turn)
{
    struct gs_player kept = *turn->player;
    enum gs_kind gone[GS_HAND];
    const int count = gs_keep_limit(turn->cards, &kept, gone);
    for (int i = 0; i < count; i++)
        gs_discard_kind(turn->table, turn->seat, gone[i], true);
}

static void produce(struct gs_turn *turn)
{
    struct gs_income income = gs_income(turn->cards, turn->player);
    turn->player->credits += income.total;
    say(turn->table->events, turn->seat, RULE_PRODUCTION,
        "produced total=%d home=%d sectors=%d leaders+=%d bonus+=%d credits=%d", income.total, income.home,
        income.sectors, income.leaders, income.bonus, turn->player->credits);
}

void gs_advance(struct gs_turn *turn, int phase)
{
    struct gs_state *state = turn->state;
    bool leaves_draw = state->phase == GS_PHASE_DRAW && phase > GS_PHASE_DRAW;
    if (phase > state->phase)
        state->phase = phase;
    event_rest(turn->table->events);
    if (!leaves_draw)
        return;
    keep_limit(turn);
    produce(turn);
    line_events_skip(&turn->table->lines);
}

/* ---- build phase ---- */

void gs_build(struct gs_turn *turn, enum gs_kind kind, int at)
{
    struct gs_player *player = turn->player;
    const int costs[GS_KINDS] = {[GS_SECTOR] = turn->cards->cost_sector,
                                 [GS_FLEET] = turn->cards->cost_fleet,
                                 [GS_LEADER] = turn->cards->cost_leader};
    int card = gs_hand_spend(turn->cards, turn->state, turn->seat, kind);
    player->credits -= costs[kind];
    struct gs_unit *built;
    if (kind == GS_SECTOR)
        built = gs_unit_add(player->sector, &player->sector_count, card, GS_HOME);
    else if (kind == GS_FLEET)
        built = gs_unit_add(player->fleet, &player->fleet_count, card, at);
    else
        built = gs_unit_add(player->leader, &player->leader_count, card, at);
    const char letter = kind == GS_SECTOR ? 'S' : kind == GS_FLEET ? 'F' : 'L';
    say(turn->table->events, turn->seat, RULE_BUILD,
        "built unit=%s kind=%s name+=%s place+=%s cost=%d credits=%d", code_of(letter, built->number).p,
        gs_kind_names[kind], gs_card(turn->cards, card)->name, kind == GS_SECTOR ? "" : gs_at_code(at).p,
        costs[kind], player->credits);
}

/* ---- research phase ---- */

void gs_research(struct gs_turn *turn, enum gs_research how, int tech)
{
    const int costs[] = {turn->cards->cost_research, turn->cards->cost_catchup, turn->cards->cost_directed};
    int die = 0;
    gs_discard(turn->state, gs_hand_spend(turn->cards, turn->state, turn->seat, GS_RESEARCH));
    turn->player->credits -= costs[how];
    if (how == GS_ROLL) {
        die = gs_roll(turn->table, "research", turn->seat);
        if (die != turn->cards->pick)
            tech = die - 1;
        else if (tech < 0)
            tech = gs_tech_preferred(turn->player);
    }
    if (turn->player->tech[tech] < UINT16_MAX)
        turn->player->tech[tech]++;
    const char *name = turn->cards->tech[tech].name;
    if (how == GS_ROLL)
        say(turn->table->events, turn->seat, RULE_RESEARCH, "researched die=%d picked+=%d" LEARNED, die,
            die == turn->cards->pick, name, turn->player->tech[tech], costs[how], turn->player->credits);
    else
        say(turn->table->events, turn->seat, RULE_RESEARCH,
            how == GS_CATCHUP ? "caught_up" LEARNED : "directed" LEARNED, name, turn->player->tech[tech],
            costs[how], turn->player->credits);
}
