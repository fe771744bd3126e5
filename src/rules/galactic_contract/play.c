/* A turn: moving, what may be done at any time, and the sequence of it all. */
#include "rules/galactic_contract/turn.h"

/* ---- 1. Move ---- */

static void pay(struct gk_turn *turn, const struct gk_goods *goods)
{
    gk_take(&turn->player->cargo, goods);
    gk_add(&turn->state->bank, goods);
}

void gk_move(struct gk_turn *turn, int place, int steps, int fuel)
{
    struct gk_state *state = turn->state;
    struct gk_goods burned = {{0}};
    int from = gk_where(state, turn->player);
    burned.of[GK_FUEL] = fuel;
    pay(turn, &burned);
    state->boost += fuel;
    state->steps += steps;
    state->landed = place == GK_GCC;
    turn->player->place = place;
    if (place != GK_GCC)
        turn->player->visited = place;
    const char *left = gk_place_words(turn->cards, state, from),
               *reached = gk_place_words(turn->cards, state, place);
    if (place == GK_GCC)
        say(turn->events, turn->seat, GK_RULE_MOVE, "moved from=%s to=%s steps=%d fuel+=%d landed=%d", left,
            reached, steps, fuel, 1);
    else
        say(turn->events, turn->seat, GK_RULE_MOVE, "moved from=%s to=%s steps=%d fuel+=%d speed_left=%d",
            left, reached, steps, fuel, gk_speed_left(turn->cards, state));
}

void gk_stay(struct gk_turn *turn)
{
    turn->state->landed = true;
    say(turn->events, turn->seat, GK_RULE_MOVE, "stayed at=%s",
        gk_place_words(turn->cards, turn->state, gk_where(turn->state, turn->player)));
}

/* ---- at any time ---- */

void gk_buy(struct gk_turn *turn, int upgrade)
{
    const struct gk_upgrade_card *card = gk_upgrade_card(turn->cards, upgrade);
    struct gk_player *player = turn->player;
    pay(turn, &card->cost);
    player->owned[player->owned_count++] = (struct gk_owned){.card = upgrade};
    say(turn->events, turn->seat, GK_RULE_ANYTIME,
        "bought upgrade=%s cost+=%s points=%d speed+=%d capacity+=%d storage+=%d owned=%d max=%d", card->name,
        gk_goods_words(&card->cost).p, card->points, card->speed, card->planet ? 0 : card->capacity,
        card->planet ? card->capacity : 0, player->owned_count,
        gk_ship_card(turn->cards, player->ship)->max_upgrades);
}

void gk_swap(struct gk_turn *turn, int give, int get)
{
    struct gk_goods given = {{0}};
    given.of[give] = turn->cards->swap_give;
    pay(turn, &given);
    turn->state->bank.of[get]--;
    turn->player->cargo.of[get]++;
    turn->state->swapped = true;
    say(turn->events, turn->seat, GK_RULE_ANYTIME, "swapped gave=%d gave_kind=%s got_kind=%s cargo+=%s",
        turn->cards->swap_give, gk_kinds[give], gk_kinds[get], gk_goods_words(&turn->player->cargo).p);
}

void gk_discard(struct gk_turn *turn, const struct gk_goods *goods)
{
    pay(turn, goods);
    say(turn->events, turn->seat, GK_RULE_ANYTIME, "discarded goods+=%s cargo+=%s", gk_goods_words(goods).p,
        gk_goods_words(&turn->player->cargo).p);
}

/* ---- 2. Interact with a storage ---- */

static void tell_storage(struct gk_turn *turn, bool loaded, const struct gk_owned *storage,
                         const struct gk_goods *goods)
{
    turn->state->landed = true;
    say(turn->events, turn->seat, GK_RULE_STORAGE,
        loaded ? "loaded storage=%s goods+=%s held+=%s cargo+=%s"
               : "stored storage=%s goods+=%s held+=%s cargo+=%s",
        gk_upgrade_card(turn->cards, storage->card)->name, gk_goods_words(goods).p,
        gk_goods_words(&storage->held).p, gk_goods_words(&turn->player->cargo).p);
}

void gk_load(struct gk_turn *turn, struct gk_owned *storage, const struct gk_goods *goods)
{
    gk_take(&storage->held, goods);
    gk_add(&turn->player->cargo, goods);
    tell_storage(turn, true, storage, goods);
}

void gk_store(struct gk_turn *turn, struct gk_owned *storage, const struct gk_goods *goods)
{
    gk_take(&turn->player->cargo, goods);
    gk_add(&storage->held, goods);
    tell_storage(turn, false, storage, goods);
}

/* ---- the end ---- */

static void finish(struct gk_turn *turn)
{
    struct score score[GK_SEATS + 1];
    struct gk_state *state = turn->state;
    state->over = true;
    state->interrupted = false;
    event_rest(turn->events);
    gk_scores(turn->cards, state, score);
    for (int place = 0; place < gk_seats(state); place++) {
        int seat = gk_seat_at(state, place);
        struct gk_points points = gk_points(turn->cards, gk_player_const(state, seat));
        say(turn->events, seat, GK_RULE_WIN, "final_score points=%d shipments=%d trades=%d upgrades=%d",
            points.total, points.shipments, points.trades, points.upgrades);
    }
    int winners = 0;
    for (int seat = 1; seat <= gk_seats(state); seat++)
        winners += score[seat].won;
    for (int place = 0; place < gk_seats(state); place++) {
        int seat = gk_seat_at(state, place);
        if (score[seat].won)
            say(turn->events, seat, GK_RULE_WIN, winners > 1 ? "won_together" : "won");
    }
}

void gk_end(struct gk_turn *turn, enum gk_ending ending)
{
    struct gk_state *state = turn->state;
    if (state->ending != GK_GOES_ON)
        return;
    state->ending = (int)ending;
    say(turn->events, 0, GK_RULE_WIN, ending == GK_BY_TRADES ? "trades_done" : "shipments_done");
    if (!state->finish_round)
        finish(turn);
    else if (gk_active(state) != gk_seat_at(state, gk_seats(state) - 1))
        say(turn->events, 0, GK_RULE_WIN, "round_goes_on");
}

/* ---- the sequence ---- */

/* Script listener. The outcome of a line may depend on the cards that earlier lines turned up. */
static void line_done(void *arg, const struct script_line *line, enum order_result result,
                      const struct refusal *why, struct slice order)
{
    struct gk_turn *turn = arg;
    if (turn->shown)
        chance_luck(turn->chance);
    turn->shown = turn->revealed;
    line_events_done(&turn->lines, line, result, why, order);
}

static void next_seat(struct gk_turn *turn)
{
    struct gk_state *state = turn->state;
    int next = gk_active(state) % gk_seats(state) + 1;
    bool round_over = next == gk_seat_at(state, 0);
    state->landed = state->swapped = false;
    state->steps = state->boost = 0;
    if (round_over && state->ending != GK_GOES_ON) {
        finish(turn);
        return;
    }
    state->active = next;
    state->round += round_over;
}

static void pause_turn(struct gk_turn *turn)
{
    struct gk_state *state = turn->state;
    state->interrupted = true;
    say(turn->events, turn->seat, GK_RULE_ANYTIME, "paused pending+=%d", state->pending_count);
}

/* The lines up to COLLECT; false when the turn pauses or the game is over. */
static bool run_lines(struct gk_turn *turn, const struct script *script)
{
    const struct script_listener listener = {line_done, turn};
    struct script_run *run = NULL;
    if (script)
        run = script_run_new(script, &gk_language, turn, turn->number, &listener);
    if (run)
        script_run_phase(run, GK_PHASE_BEGIN);
    gk_attach_pending(turn, false);
    line_events_skip(&turn->lines);
    if (run)
        script_run_phase(run, GK_PHASE_ACT);
    bool goes_on = !turn->paused && !turn->state->over;
    if (goes_on)
        gk_attach_pending(turn, true);
    if (gk_sum(&turn->lost))
        event_unused(turn->events, "overflow goods=%s", gk_goods_words(&turn->lost).p);
    if (goes_on && !turn->state->landed && turn->player->place == GK_GCC &&
        gk_room(turn->cards, turn->player) > 0)
        event_unused(turn->events, "flight");
    line_events_skip(&turn->lines);
    if (run)
        script_run_phase(run, GK_PHASE_COLLECT);
    script_run_free(run);
    return goes_on;
}

void gk_play(const void *cards, void *to, const struct resolution *in)
{
    struct gk_state *state = to;
    struct events *events = in->events;
    struct gk_turn turn = {
        .cards = cards, .state = state, .chance = in->chance, .events = events, .orders = in->orders};
    if (state->over)
        return;
    turn.seat = gk_active(state);
    turn.player = gk_player(state, turn.seat);
    turn.number = in->turn;
    turn.missed = in->orders[turn.seat].missed;
    turn.lines = line_events_begin(events, turn.seat);
    const struct script *script = in->orders[turn.seat].script;
    if (turn.missed && state->interrupted) {
        /* A turn that was begun by mail is finished quietly: ALWAYS lines are for whole turns. */
        script = NULL;
        say(turn.events, turn.seat, GK_RULE_ANYTIME, "not_resumed");
    }
    state->interrupted = false;
    event_rest(events);
    bool goes_on = run_lines(&turn, script);
    if (goes_on)
        gk_collect(&turn);
    if (events->fates_only)
        return;
    if (goes_on) {
        next_seat(&turn);
    } else if (!state->over) {
        pause_turn(&turn);
    }
}
