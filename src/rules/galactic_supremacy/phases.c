/* What the phases of a turn do: drawing, production, building, research. */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#define RULE_DRAW       "Draw Phase"
#define RULE_PRODUCTION "Production Phase"
#define RULE_BUILD      "Build Phase"
#define RULE_RESEARCH   "Research Phase"

void gs_turn_init(struct gs_turn *turn, struct gs_table *table, int seat)
{
    memset(turn, 0, sizeof(*turn));
    turn->table = table;
    turn->cards = table->cards;
    turn->state = table->state;
    turn->seat = seat;
    turn->player = gs_player(table->state, seat);
}

int gs_roll(struct gs_table *table, const char *what, int seat, char label[CHANCE_LABEL])
{
    chance_label(label, "%s/s%d/%d", what, seat, ++table->draws);
    return chance_die(table->chance, table->cards->sides, label);
}

/* A card as event parameters: its kind, and its name if it has one. */
static void event_card(const struct gs_cards *cards, struct event *event, int card)
{
    const struct gs_card *known = gs_card(cards, card);
    event_text(event, "kind", gs_kind_names[known->kind]);
    if (known->name[0])
        event_text(event, "name", known->name);
}

/* ---- draw phase ---- */

/* Draws a card, which only the seat sees, into the hand. */
static void draw_to_hand(struct gs_table *table, int seat, const char *secret, const char *open)
{
    struct gs_player *player = gs_player(table->state, seat);
    struct gs_drawn drawn = {0, 0};
    if (!gs_hand_full(player))
        drawn = gs_draw(table, seat);
    if (!drawn.card) {
        event_add(table->events, "no_card", EVENT_PUBLIC, seat, RULE_DRAW);
        return;
    }
    gs_hand_put(table->state, seat, drawn.card, drawn.known);
    struct event *event = event_add(table->events, open, EVENT_PUBLIC & ~SEAT_BIT(seat), seat, RULE_DRAW);
    event_int(event, "hand", player->hand_count);
    event = event_add(table->events, secret, SEAT_BIT(seat), seat, RULE_DRAW);
    event_card(table->cards, event, drawn.card);
    event_int(event, "hand", player->hand_count);
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
    struct event *event = event_add(table->events, "turn_opens", EVENT_PUBLIC, seat, "Turn Sequence");
    event_int(event, "round", state->round);
    draw_to_hand(table, seat, "drew", "drew_hidden");
}

void gs_buy_card(struct gs_turn *turn)
{
    turn->player->credits -= turn->cards->cost_extra;
    turn->state->extra = true;
    struct event *event = event_add(turn->table->events, "bought_card", EVENT_PUBLIC, turn->seat, RULE_DRAW);
    event_int(event, "cost", turn->cards->cost_extra);
    event_int(event, "credits", turn->player->credits);
    draw_to_hand(turn->table, turn->seat, "drew", "drew_hidden");
}

void gs_discard_kind(struct gs_table *table, int seat, enum gs_kind kind, const char *type)
{
    int card = gs_hand_spend(table->cards, table->state, seat, kind);
    gs_discard(table->state, card);
    struct event *event = event_add(table->events, type, EVENT_PUBLIC, seat, RULE_DRAW);
    event_card(table->cards, event, card);
}

int gs_exchange(struct gs_turn *turn, enum gs_exchange exchange, int times)
{
    struct gs_table *table = turn->table;
    int kept = -1;
    for (int i = 0; i < times && (i == 0 || gs_drawable(table, turn->seat) > 0); i++) {
        int given = gs_hand_spend(turn->cards, turn->state, turn->seat, turn->cards->exchange_give[exchange]);
        gs_discard(turn->state, given);
        struct gs_drawn drawn = gs_draw(table, turn->seat);
        bool keep =
            drawn.card && gs_card(turn->cards, drawn.card)->kind == turn->cards->exchange_keep[exchange];
        struct event *event = event_add(table->events, keep ? "exchange_kept" : "exchange_lost", EVENT_PUBLIC,
                                        turn->seat, RULE_DRAW);
        event_text(event, "exchange", turn->cards->exchange[exchange].name);
        event_text(event, "gave", gs_kind_names[gs_card(turn->cards, given)->kind]);
        if (!drawn.card)
            continue;
        event_card(turn->cards, event, drawn.card);
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
        gs_discard_kind(turn->table, turn->seat, gone[i], "over_limit");
}

static void produce(struct gs_turn *turn)
{
    struct gs_income income = gs_income(turn->cards, turn->player);
    turn->player->credits += income.total;
    struct event *event =
        event_add(turn->table->events, "produced", EVENT_PUBLIC, turn->seat, RULE_PRODUCTION);
    event_int(event, "total", income.total);
    event_int(event, "home", income.home);
    event_int(event, "sectors", income.sectors);
    if (income.leaders)
        event_int(event, "leaders", income.leaders);
    if (income.bonus)
        event_int(event, "bonus", income.bonus);
    event_int(event, "credits", turn->player->credits);
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
    char unit[GS_UNIT_NAME], place[GS_UNIT_NAME];
    player->credits -= costs[kind];
    struct gs_unit *built;
    if (kind == GS_SECTOR)
        built = gs_unit_add(player->sector, &player->sector_count, card, GS_HOME);
    else if (kind == GS_FLEET)
        built = gs_unit_add(player->fleet, &player->fleet_count, card, at);
    else
        built = gs_unit_add(player->leader, &player->leader_count, card, at);
    snprintf(unit, sizeof(unit), "%c%d",
             kind == GS_SECTOR  ? 'S'
             : kind == GS_FLEET ? 'F'
                                : 'L',
             built->number);
    gs_at_name(place, at);
    struct event *event = event_add(turn->table->events, "built", EVENT_PUBLIC, turn->seat, RULE_BUILD);
    event_text(event, "unit", unit);
    event_card(turn->cards, event, card);
    if (kind != GS_SECTOR)
        event_text(event, "place", place);
    event_int(event, "cost", costs[kind]);
    event_int(event, "credits", player->credits);
}

/* ---- research phase ---- */

void gs_research(struct gs_turn *turn, enum gs_research how, int tech)
{
    static const char *const types[] = {"researched", "caught_up", "directed"};
    const int costs[] = {turn->cards->cost_research, turn->cards->cost_catchup, turn->cards->cost_directed};
    char label[CHANCE_LABEL];
    int die = 0;
    gs_discard(turn->state, gs_hand_spend(turn->cards, turn->state, turn->seat, GS_RESEARCH));
    turn->player->credits -= costs[how];
    if (how == GS_ROLL) {
        die = gs_roll(turn->table, "research", turn->seat, label);
        if (die != turn->cards->pick)
            tech = die - 1;
        else if (tech < 0)
            tech = gs_tech_preferred(turn->player);
    }
    if (turn->player->tech[tech] < UINT16_MAX)
        turn->player->tech[tech]++;
    struct event *event = event_add(turn->table->events, types[how], EVENT_PUBLIC, turn->seat, RULE_RESEARCH);
    if (die) {
        event_die(event, label, die);
        event_int(event, "die", die);
    }
    if (die == turn->cards->pick)
        event_int(event, "picked", 1);
    event_text(event, "technology", turn->cards->tech[tech].name);
    event_int(event, "level", turn->player->tech[tech]);
    event_int(event, "cost", costs[how]);
    event_int(event, "credits", turn->player->credits);
}
