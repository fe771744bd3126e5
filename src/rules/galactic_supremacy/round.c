/* The deal, the order of turns, and one play from the first line to the next seat's card. */
#include "rules/galactic_supremacy/turn.h"

#include <string.h>

#define RULE_SETUP    "Setup"
#define RULE_ADVANCED "Optional Advanced Setup Rule"
#define RULE_OBJECT   "Object"
#define ORDER_ROLLS   12 /* more ties in a row than will ever happen; then the lower seat comes first */

/* ---- the deal ---- */

/* Every seat rolls; those who are equal roll again until none are. The rolls of a seat make its key. */
static void roll_order(struct gs_table *table)
{
    struct gs_state *state = table->state;
    int64_t key[GS_SEATS + 1] = {0};
    bool tied = true;
    for (int round = 1; tied && round <= ORDER_ROLLS; round++) {
        bool again[GS_SEATS + 1] = {false};
        tied = false;
        for (int seat = 1; seat <= state->seats; seat++) {
            for (int other = 1; other <= state->seats; other++)
                again[seat] |= other != seat && key[other] == key[seat];
            tied |= again[seat];
        }
        for (int seat = 1; seat <= state->seats; seat++) {
            key[seat] *= table->cards->sides + 1;
            if (!again[seat])
                continue;
            int die =
                event_roll(table->events, table->chance, table->cards->sides, "order/%d/s%d", round, seat);
            key[seat] += die;
            say(table->events, seat, RULE_SETUP, "order_roll die=%d again+=%d", die, round > 1);
        }
    }
    for (int seat = 1; seat <= state->seats; seat++) {
        int place = 0;
        for (int other = 1; other <= state->seats; other++)
            place += key[other] > key[seat] || (other < seat && key[other] == key[seat]);
        state->order[place] = (uint8_t)seat;
    }
    say(table->events, state->order[0], RULE_SETUP, "moves_first");
}

/* A roll that lets the player choose is made again: no player has had a chance to state a preference. */
static void advance_setup(struct gs_table *table, int seat)
{
    struct gs_player *player = gs_player(table->state, seat);
    for (int i = 1; i <= table->cards->advances; i++) {
        int die;
        do {
            table->events->rolled = 0; /* only the last one is told */
            die = gs_roll(table, "advance", seat);
        } while (die == table->cards->pick);
        player->tech[die - 1]++;
        say(table->events, seat, RULE_ADVANCED, "advanced die=%d technology=%s level=%d", die,
            table->cards->tech[die - 1].name, player->tech[die - 1]);
    }
}

void gs_deal(const void *cards, void *to, const struct wish_list *wishes, struct chance *chance,
             struct events *events)
{
    struct gs_state *state = to;
    struct gs_table table = {.cards = cards, .state = state, .chance = chance, .events = events};
    (void)wishes;
    for (int i = 0; i < state->deck_count; i++) {
        char label[CHANCE_LABEL];
        chance_label(label, "deal/%d", i + 1);
        chance_shuffle(chance, true, label, state->deck[i].draw, state->deck[i].draw_count);
    }
    event_rest(events);
    roll_order(&table);
    for (int i = 0; i < table.cards->start_cards; i++) {
        for (int seat = 1; seat <= state->seats; seat++)
            gs_hand_put(state, seat, gs_draw(&table, seat).card, 0);
    }
    say(events, 0, RULE_SETUP, "dealt cards=%d left=%d own_decks+=%d", table.cards->start_cards,
        state->deck[0].draw_count, state->own_decks);
    for (int i = 0; i < state->seats && state->advanced; i++)
        advance_setup(&table, state->order[i]);
    gs_open_turn(&table, state->order[0]);
}

/* ---- the end ---- */

static void end_game(struct gs_table *table, enum gs_ending ending)
{
    struct gs_state *state = table->state;
    int winner = 0;
    for (int seat = 1; seat <= gs_seats(state) && ending == GS_CONQUEST; seat++)
        winner = gs_alive(state, seat) ? seat : winner;
    state->ending = (int)ending;
    state->paused = false;
    state->offer_count = 0;
    memset(state->offer, 0, sizeof(state->offer));
    say(table->events, winner, RULE_OBJECT,
        ending == GS_CONQUEST      ? "won"
        : ending == GS_ROUND_LIMIT ? "round_limit"
                                   : "drawn");
}

void gs_seat_out(struct gs_table *table, int seat)
{
    struct gs_state *state = table->state;
    struct gs_player *player = gs_player(state, seat);
    int cards = player->hand_count + player->sector_count + player->fleet_count + player->leader_count;
    for (int i = 0; i < player->hand_count; i++)
        gs_discard(state, player->hand[i]);
    const struct gs_unit *const lists[] = {player->sector, player->fleet, player->leader};
    const int counts[] = {player->sector_count, player->fleet_count, player->leader_count};
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < counts[t]; i++)
            gs_discard(state, lists[t][i].card);
    }
    struct gs_player gone = {.out = true};
    memcpy(gone.tech, player->tech, sizeof(gone.tech));
    *player = gone;
    gs_drop_offers(state, seat);
    say(table->events, seat, RULE_OBJECT, "player_out cards=%d", cards);
    if (gs_alive_count(state) == 1)
        end_game(table, GS_CONQUEST);
}

/* True when all who are still in the game agree to a draw. */
static bool all_agree(const struct gs_state *state)
{
    for (int seat = 1; seat <= gs_seats(state); seat++) {
        if (gs_alive(state, seat) && !gs_player_const(state, seat)->draw)
            return false;
    }
    return true;
}

/* ---- one play ---- */

static int place_of(const struct gs_state *state, int seat)
{
    for (int i = 0; i < gs_seats(state); i++) {
        if (state->order[i] == seat)
            return i;
    }
    return 0;
}

static void next_seat(struct gs_table *table)
{
    struct gs_state *state = table->state;
    for (int step = 1; step <= gs_seats(state); step++) {
        int seat = gs_seat_after(state, state->active, step);
        if (!gs_alive(state, seat))
            continue;
        if (place_of(state, seat) <= place_of(state, state->active))
            state->round++;
        if (state->round_limit && state->round > state->round_limit) {
            state->round = state->round_limit;
            end_game(table, GS_ROUND_LIMIT);
        } else {
            gs_open_turn(table, seat);
        }
        return;
    }
}

/* Carries out the script through the phases; what the rules do between them happens when a later phase
 * begins. */
static void run_script(struct gs_turn *turn)
{
    const struct script_listener listener = {line_events_done, &turn->table->lines};
    turn->run = script_run_new(turn->script, &gs_language, turn, turn->table->number, &listener);
    for (turn->running = 0; turn->running < GS_PHASES && !turn->state->ending; turn->running++)
        script_run_phase(turn->run, turn->running);
    script_run_free(turn->run);
    turn->run = NULL;
}

static void play_turn(struct gs_table *table)
{
    struct gs_state *state = table->state;
    const struct seat_orders *orders = &table->orders[state->active];
    struct gs_turn turn;
    bool resumed = state->paused;
    gs_turn_init(&turn, table, state->active);
    state->paused = false;
    event_rest(table->events);
    /* A turn that was begun and not continued ends as it is: ALWAYS is for turns without any mail. */
    turn.script = resumed && orders->missed ? NULL : orders->script;
    table->lines = line_events_begin(table->events, turn.seat);
    if (turn.script)
        run_script(&turn);
    if (state->ending || table->events->fates_only)
        return;
    if (turn.pause && !orders->missed) {
        state->paused = true;
        state->pauses++;
        say(table->events, turn.seat, "Turn Sequence", "paused");
        return;
    }
    gs_advance(&turn, GS_PHASE_END);
    next_seat(table);
}

static struct gs_table table_of(const struct gs_cards *cards, struct gs_state *state,
                                const struct resolution *in)
{
    return (struct gs_table){.cards = cards,
                             .state = state,
                             .orders = in->orders,
                             .chance = in->chance,
                             .events = in->events,
                             .number = in->turn};
}

void gs_play(const void *cards, void *to, const struct resolution *in)
{
    struct gs_state *state = to;
    struct gs_table table = table_of(cards, state, in);
    const struct seat_orders *orders = &in->orders[state->active];
    if (state->ending || !gs_alive(state, state->active))
        return;
    /* Nobody reads a robot's mail before its turn is played. */
    if (orders->robot && orders->script)
        gs_instant(cards, state, state->active, orders->script, in);
    if (all_agree(state)) {
        end_game(&table, GS_AGREED);
        return;
    }
    gs_settle_offers(&table, 0);
    play_turn(&table);
    if (!state->ending && !in->events->fates_only)
        gs_expire_offers(&table);
}

void gs_instant(const void *cards, void *to, int seat, const struct script *script,
                const struct resolution *in)
{
    struct gs_table table = table_of(cards, to, in);
    int before = table.state->offered;
    struct gs_turn turn;
    gs_turn_init(&turn, &table, seat);
    if (table.state->ending || !gs_alive(table.state, seat))
        return;
    const struct script_listener listener = {line_events_done, &table.lines};
    table.lines = line_events_begin(in->events, seat);
    turn.script = script;
    turn.run = script_run_new(script, &gs_language, &turn, in->turn, &listener);
    turn.running = GS_PHASES;
    script_run_instant(turn.run);
    script_run_free(turn.run);
    gs_settle_offers(&table, before);
}
