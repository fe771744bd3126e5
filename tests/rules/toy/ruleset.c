/* First Claim, the smallest whole game: "how to write a game" (src/rules/README.md) tells of it, and tests/rules/toy.c plays it.
 *
 * A die lies open. Everyone orders "take" or "leave" at the same time. One who takes it alone gets its points, twice if it shows
 * their lucky number, which nobody else knows; if several take it, nobody gets it. 15 points end the game, and so do 12 turns. */
#include "rules/ruleset.h"

#include <string.h>

#include "rules/cards.h"
#include "rules/check.h"
#include "rules/decks.h"
#include "rules/line_events.h"
#include "rules/put.h"
#include "rules/refuse.h"
#include "rules/say.h"

#define SEATS 4
#define FACES 6 /* of the die, and lucky numbers */

/* ---- cards.json ---- */

struct claim_cards {
    int goal, turns;
};

static int claim_cards_load(const json_t *json, void *to, struct err *err)
{
    struct claim_cards *cards = to;
    struct card_reader file;
    const struct card_number numbers[] = {{"goal", "points", 1, 99, &cards->goal},
                                          {"goal", "turns", 1, 99, &cards->turns}};
    return cards_open(&file, json, "first-claim", err) ||
                   cards_numbers(&file, numbers, sizeof numbers / sizeof numbers[0])
               ? -1
               : 0;
}

/* ---- the state ---- */

struct claim_player {
    uint8_t lucky;
    int32_t points;
};
struct claim_state {
    int32_t seats, turn;
    uint8_t die;
    bool over;
    struct claim_player player[SEATS];
};

static const struct field player_fields[] = {
    {FIELD(struct claim_player, lucky), .words = "lucky number"},
    {FIELD(struct claim_player, points)},
    FIELD_END,
};
static const struct field claim_fields[] = {
    {FIELD(struct claim_state, seats), .unsaid = true},
    {FIELD(struct claim_state, turn), .unsaid = true},
    {FIELD(struct claim_state, die), .words = "die that lies open"},
    {FIELD(struct claim_state, over), .unsaid = true},
    {FIELD_SUBS(struct claim_state, player, "seats", player_fields), .index = spell_seat},
    FIELD_END,
};

/* Who sees which card: a lucky number is seen by its owner, and two lie in the box. */
static void claim_decks(const void *cards, const void *from, struct decks *to)
{
    const struct claim_state *state = from;
    (void)cards;
    struct deck *deck = deck_add(to, "lucky number", REST_BOXED, FACES);
    for (int seat = 1; seat <= state->seats; seat++)
        deck_put(deck, PLACE(state->player[seat - 1].lucky, SEAT_BIT(seat)));
}

static void claim_conceal(const void *cards, void *state, int seat, struct chance *chance)
{
    decks_conceal(claim_decks, cards, state, seat, chance);
}

static int claim_check(const void *data, const void *from, struct err *err)
{
    const struct claim_cards *cards = data;
    const struct claim_state *state = from;
    if (check_range(err, state->seats, 2, SEATS, "seats") ||
        check_range(err, state->turn, 1, cards->turns, "turn") ||
        check_range(err, state->die, 1, FACES, "die") || decks_check(claim_decks, cards, state, err))
        return -1;
    for (int i = 0; i < state->seats; i++)
        if (check_range(err, state->player[i].points, 0, cards->goal + 2 * FACES, "player[%d].points", i))
            return -1;
    return 0;
}

/* ---- the deal ---- */

static int claim_init(const void *cards, int seats, const int options[GAME_OPTIONS], void *to,
                      struct err *err)
{
    struct claim_state *state = to;
    (void)cards;
    (void)options;
    if (seats < 2 || seats > SEATS)
        return err_set(err, ERR_INPUT, "First Claim is for 2 to %d players, not %d", SEATS, seats);
    state->seats = seats;
    state->turn = 1;
    state->die = 1;
    for (int i = 0; i < seats; i++)
        state->player[i].lucky = (uint8_t)(i + 1);
    return 0;
}

/* The die of a turn is rolled at the end of the turn before: it lies there when the orders are written. */
static void roll(struct claim_state *state, struct chance *chance, struct events *events)
{
    state->die = (uint8_t)event_roll(events, chance, FACES, "die");
    say(events, 0, "The die", "die_lies die=%d", state->die);
}

static void claim_deal(const void *cards, void *to, const struct wish_list *wishes, struct chance *chance,
                       struct events *events)
{
    struct claim_state *state = to;
    uint8_t deck[FACES] = {1, 2, 3, 4, 5, 6};
    (void)cards;
    (void)wishes;
    chance_shuffle(chance, true, "deal/lucky", deck, FACES);
    for (int seat = 1; seat <= state->seats; seat++) {
        state->player[seat - 1].lucky = deck[seat - 1];
        say_to(events, SEAT_BIT(seat), seat, "Lucky numbers", "dealt number=%d", deck[seat - 1]);
    }
    roll(state, chance, events);
}

/* ---- the orders ---- */

struct claim_turn {
    bool decided, takes;
};

static enum order_result decide(struct claim_turn *turn, struct args *args, struct refusal *why, bool takes)
{
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    if (turn->decided)
        return no(why, "decided_already take+=%d", turn->takes);
    *turn = (struct claim_turn){.decided = true, .takes = takes};
    return ORDER_DONE;
}

static enum order_result run_take(void *turn, struct args *args, struct refusal *why, bool *rolled)
{
    (void)rolled;
    return decide(turn, args, why, true);
}

static enum order_result run_leave(void *turn, struct args *args, struct refusal *why, bool *rolled)
{
    (void)rolled;
    return decide(turn, args, why, false);
}

static const struct verb claim_verbs[] = {
    {"take", "", "claim the die; you get it if nobody else does", "", 0, 0, run_take},
    {"leave", "", "leave the die to the others", "", 0, 0, run_leave},
    {NULL, NULL, NULL, NULL, 0, 0, NULL},
};
static const struct language claim_language = {.verbs = claim_verbs, .phases = 1};

/* ---- a turn ---- */

static uint32_t claim_awaits(const void *from)
{
    const struct claim_state *state = from;
    uint32_t all = 0;
    for (int seat = 1; seat <= state->seats; seat++)
        all |= SEAT_BIT(seat);
    return state->over ? 0 : all;
}

static void claim_play(const void *data, void *to, const struct resolution *in)
{
    const struct claim_cards *cards = data;
    struct claim_state *state = to;
    int takers = 0, taker = 0;
    for (int seat = 1; seat <= state->seats; seat++) {
        struct claim_turn turn = {.decided = false};
        struct line_events lines = line_events_begin(in->events, seat);
        const struct script_listener listener = {line_events_done, &lines};
        if (in->orders[seat].script) {
            struct script_run *run =
                script_run_new(in->orders[seat].script, &claim_language, &turn, in->turn, &listener);
            script_run_phase(run, 0);
            script_run_free(run);
        }
        if (turn.takes) {
            takers++;
            taker = seat;
        }
    }
    if (in->events->fates_only) /* a trial: the outcome of every line is known */
        return;
    if (takers == 1) {
        struct claim_player *player = &state->player[taker - 1];
        const bool lucky = player->lucky == state->die;
        const int points = lucky ? 2 * state->die : state->die;
        player->points += points;
        say(in->events, taker, "Taking", "took die=%d points=%d lucky+=%d score=%d", state->die, points,
            lucky, player->points);
        state->over = player->points >= cards->goal;
    } else {
        say(in->events, 0, "Taking", "nobody die=%d takers+=%d", state->die, takers);
    }
    state->over = state->over || state->turn >= cards->turns;
    if (state->over)
        return;
    state->turn++;
    event_settled(in->events);
    roll(state, in->chance, in->events);
}

/* ---- the end ---- */

static void claim_scores(const void *cards, const void *from, struct score *scores)
{
    const struct claim_state *state = from;
    (void)cards;
    for (int seat = 1; seat <= state->seats; seat++) {
        struct score *score = &scores[seat];
        *score = (struct score){.points = state->player[seat - 1].points, .rank = ""};
        if (!state->over)
            continue;
        score->fate = SEAT_FINISHED;
        score->place = 1;
        for (int other = 0; other < state->seats; other++)
            score->place += state->player[other].points > score->points;
        score->won = score->place == 1;
    }
}

static const char *claim_ending(const void *from)
{
    return ((const struct claim_state *)from)->over ? "finished" : "";
}

static struct value *claim_reveal(const void *cards, const void *from, struct arena *arena)
{
    const struct claim_state *state = from;
    struct value *object = value_object(arena), *players = value_put_list(object, "players");
    (void)cards;
    for (int seat = 1; seat <= state->seats; seat++)
        put(value_add_object(players), "seat=%d lucky=%d", seat, state->player[seat - 1].lucky);
    return object;
}

/* ---- what a seat sees ---- */

static struct value *claim_view(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct claim_cards *cards = data;
    const struct claim_state *state = from;
    struct value *view = value_object(arena), *players = value_put_list(view, "players");
    put(view, "game=%s seat=%d turn=%d turns=%d goal=%d die=%d over?=%d", "first-claim", seat, state->turn,
        cards->turns, cards->goal, state->die, state->over);
    for (int n = 1; n <= state->seats; n++)
        put(value_add_object(players), "seat=%d score=%d", n, state->player[n - 1].points);
    if (seat)
        put(value_put_object(view, "own"), "score=%d lucky=%d", state->player[seat - 1].points,
            state->player[seat - 1].lucky);
    struct value *form = value_put_list(view, "form");
    if (!(claim_awaits(state) & SEAT_BIT(seat)))
        return view;
    suggest(form, "take", "take points=%d",
            state->player[seat - 1].lucky == state->die ? 2 * state->die : state->die);
    suggest(form, "leave", "leave");
    return view;
}

/* ---- the robot ---- */

/* Takes what is worth much to it. */
static void claim_robot(const void *cards, const void *from, int seat, struct str *orders)
{
    const struct claim_state *state = from;
    (void)cards;
    str_adds(orders, state->die >= 4 || state->player[seat - 1].lucky == state->die ? "take\n" : "leave\n");
}

/* ---- the game ---- */

static const struct headline claim_headlines[] = {{"took", HEADLINE_OWN, "took", NULL},
                                                  {"took", HEADLINE_OTHERS, "lost_it", NULL},
                                                  {NULL, HEADLINE_ANY, NULL, NULL}};
static const struct game_option claim_options[] = {{NULL, 0, 0, 0, NULL}};

const struct ruleset first_claim_ruleset = {
    .name = "first-claim",
    .folder = "first_claim",
    .title = "First Claim",
    .version = 1,
    .views = 1,
    .seats_min = 2,
    .seats_max = SEATS,
    .state_size = sizeof(struct claim_state),
    .cards_size = sizeof(struct claim_cards),
    .fields = claim_fields,
    .language = &claim_language,
    .options = claim_options,
    .rulebook = "this page",
    .cards_load = claim_cards_load,
    .init = claim_init,
    .deal = claim_deal,
    .awaits = claim_awaits,
    .play = claim_play,
    .view = claim_view,
    .shown.headlines = claim_headlines,
    .end.scores = claim_scores,
    .end.ending = claim_ending,
    .end.reveal = claim_reveal,
    .robot = claim_robot,
    .conceal = claim_conceal,
    .check = claim_check,
};
