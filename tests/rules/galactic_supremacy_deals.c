/* Galactic Supremacy: deals between players, which are carried out when a mail is read (rulebook: Trade &
 * Negotiations), votes, and who knows which card is where. */
#include "rules/views.h"
#include "rules/supremacy.h"

struct table {
    struct gs_cards cards;
    struct gs_state state;
    struct events events;
};

static void give_cards(struct gs_state *state, int seat, const int *cards, size_t count)
{
    for (size_t i = 0; i < count; i++)
        gs_hand_put(state, seat, cards[i], 0);
}

/* Three players with a common deck; seat 1 is active and holds two fleets and a command, seat 2 a leader, a
 * fleet. */
static struct table *set_up(void)
{
    static struct table table;
    struct chance chance;
    load_cards(&table.cards);
    seed_chance(&chance, "deals", 0, 0);
    start_game(&table.cards, &table.state, 3, 1, 0, &chance);
    for (int seat = 1; seat <= 3; seat++) {
        struct gs_player *player = gs_player(&table.state, seat);
        memset(player->hand, 0, sizeof(player->hand));
        memset(player->known, 0, sizeof(player->known));
        player->hand_count = 0;
        player->credits = 10 * seat;
    }
    table.state.active = 1;
    give_cards(&table.state, 1, (const int[]){11, 12, 36}, 3);
    give_cards(&table.state, 2, (const int[]){46, 13}, 2);
    events_init(&table.events);
    return &table;
}

/* `standing` are WHEN lines of another seat. */
static void act_answered(struct table *table, int seat, const char *lines, int turn, int other,
                         const char *standing)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *script = script_parse(slice_of(lines), rules()->language);
    struct script *when = script_parse(slice_of(standing), rules()->language);
    ck_assert_msg(script_errors(script) + script_errors(when) == 0, "%s is not understood", lines);
    orders[other].standing = when;
    events_release(&table->events);
    gs_instant(&table->cards, &table->state, seat, script,
               &(struct resolution){orders, turn, NULL, &table->events});
    script_free(script);
    script_free(when);
}

static void act(struct table *table, int seat, const char *lines, int turn)
{
    act_answered(table, seat, lines, turn, 0, "");
}

static void play(struct table *table, const char *lines, int turn)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct chance chance;
    struct script *script = script_parse(slice_of(lines), rules()->language);
    orders[table->state.active].script = script;
    seed_chance(&chance, "deals", 1, turn);
    events_release(&table->events);
    gs_play(&table->cards, &table->state, &(struct resolution){orders, turn, &chance, &table->events});
    script_free(script);
}

static const struct event *find(const struct table *table, const char *type)
{
    for (size_t i = 0; i < table->events.count; i++) {
        if (slice_eq(table->events.list[i].type, type))
            return &table->events.list[i];
    }
    return NULL;
}

/* Fails when the event did not happen. */
static uint32_t seen_by(const struct table *table, const char *type)
{
    const struct event *event = find(table, type);
    ck_assert_msg(event, "no event %s", type);
    return event ? event->visible : 0;
}

static const struct event_param *param(const struct event *event, const char *name)
{
    for (int i = 0; event && i < event->params; i++) {
        if (slice_eq(event->param[i].name, name))
            return &event->param[i];
    }
    return NULL;
}

static void expect_text(const struct event *event, const char *name, const char *text)
{
    const struct event_param *found = param(event, name);
    ck_assert_msg(found && found->text, "no %s", name);
    ck_assert_str_eq(found->text, text);
}

static void expect_number(const struct event *event, const char *name, int number)
{
    const struct event_param *found = param(event, name);
    ck_assert_msg(found && found->number == number, "%s is not %d", name, number);
}

static void expect_hand(const struct table *table, int seat, enum gs_kind kind, int count)
{
    ck_assert_int_eq(gs_hand_count(&table->cards, gs_player_const(&table->state, seat), kind), count);
}

static size_t offers_in_view(const struct table *table, int seat)
{
    json_t *view = view_as_json(rules(), &table->cards, &table->state, seat);
    size_t count = json_array_size(json_object_get(view, "offers"));
    json_decref(view);
    return count;
}

#define BIT(seat) ((int)SEAT_BIT(seat))

START_TEST(an_offer_is_between_two)
{
    struct table *table = set_up();
    act(table, 1, "offer p2 give 2 fleets get leader and 5 credits until 9", 4);
    const struct event *event = find(table, "offered");
    ck_assert_uint_eq(seen_by(table, "offered"), SEAT_BIT(1) | SEAT_BIT(2));
    ck_assert_int_eq(event ? event->line : 0, 1);
    expect_text(event, "give", "2 fleet");
    expect_text(event, "get", "1 leader, 5 credits");
    ck_assert_ptr_nonnull(find(table, "done"));
    ck_assert_int_eq(table->state.offer_count, 1);
    ck_assert_int_eq(table->state.offer[0].last, 9);
    ck_assert_uint_eq(offers_in_view(table, 1), 1);
    ck_assert_uint_eq(offers_in_view(table, 2), 1);
    ck_assert_uint_eq(offers_in_view(table, 3), 0);
    ck_assert_uint_eq(offers_in_view(table, 0), 0);
    expect_hand(table, 1, GS_FLEET, 2);
    events_release(&table->events);
}
END_TEST

START_TEST(accepting_moves_everything_at_once)
{
    struct table *table = set_up();
    act(table, 1, "offer p2 give 2 fleets get leader and 5 credits", 4);
    act(table, 2, "accept", 4);
    expect_hand(table, 1, GS_FLEET, 0);
    expect_hand(table, 1, GS_LEADER, 1);
    expect_hand(table, 2, GS_FLEET, 3);
    expect_hand(table, 2, GS_LEADER, 0);
    ck_assert_int_eq(table->state.player[0].credits, 15);
    ck_assert_int_eq(table->state.player[1].credits, 15);
    ck_assert_int_eq(table->state.offer_count, 0);
    const struct event *event = find(table, "traded");
    ck_assert_uint_eq(seen_by(table, "traded"), SEAT_BIT(1) | SEAT_BIT(2));
    expect_text(event, "give", "2 fleet");
    event = find(table, "traded_openly");
    ck_assert_uint_eq(seen_by(table, "traded_openly"), EVENT_PUBLIC & ~(SEAT_BIT(1) | SEAT_BIT(2)));
    expect_number(event, "give_cards", 2);
    expect_number(event, "get_cards", 1);
    ck_assert_ptr_null(param(event, "give"));
    ck_assert_int_eq(table->state.player[0].known[1], BIT(2)); /* he knows what he gave */
    act(table, 2, "accept 1", 4);
    expect_text(find(table, "refused"), "reason", "no_such_offer");
    events_release(&table->events);
}
END_TEST

/* WHEN OFFERED answers when the offer's mail is read; orders that do not belong there change nothing. */
START_TEST(a_standing_line_accepts_at_once)
{
    struct table *table = set_up();
    act_answered(table, 1, "offer p2 give command get leader", 4, 2, "when offered fleet for leader accept");
    ck_assert_int_eq(table->state.offer_count, 1);
    act_answered(table, 1, "vote draw", 4, 2, "when offered command for leader accept");
    ck_assert_int_eq(table->state.offer_count, 1); /* an old offer waits for the next turn */
    act_answered(table, 1, "offer p2 give fleet get leader", 4, 2,
                 "when offered fleet for leader if credits < 20 accept");
    ck_assert_int_eq(table->state.offer_count, 2);
    act_answered(table, 1, "withdraw 2\noffer p2 give fleet 1 credit get leader", 4, 2,
                 "when offered fleet for leader if credits < 21 accept");
    ck_assert_ptr_nonnull(find(table, "traded"));
    expect_hand(table, 1, GS_LEADER, 1);
    expect_hand(table, 2, GS_FLEET, 2);
    ck_assert_int_eq(table->state.player[1].credits, 21);
    ck_assert_int_eq(table->state.offer_count, 1);
    act_answered(table, 2, "offer p1 get command", 4, 1, "when offered 1 credit for command accept");
    ck_assert_int_eq(table->state.offer_count, 2);
    events_release(&table->events);
}
END_TEST

/* GIVE may be left out, FOR is GET, a card's name is its kind. */
START_TEST(an_offer_may_be_worded_freely)
{
    static const char *const lines[] = {
        "offer p2 give 1 fleet get 5 credits",
        "offer p2 fleet for 5 credits",
        "offer p2 give first fleet for 5 credits",
        "offer to p2 second get 5 credits",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct table *table = set_up();
        act(table, 1, lines[i], 4);
        const struct event *event = find(table, "offered");
        ck_assert_msg(event, "%s", lines[i]);
        expect_text(event, "give", "1 fleet");
        expect_text(event, "get", "5 credits");
        events_release(&table->events);
    }
}
END_TEST

static const struct {
    int seat;
    const char *line, *reason;
} refusals[] = {
    {1, "offer", "which_player"},
    {1, "offer p1 give fleet", "not_yourself"},
    {1, "offer p2", "offer_what"},
    {1, "offer p2 give nothing get nothing", "offer_what"},
    {1, "offer p2 give gold", "offer_what"},
    {1, "offer p2 give all credits", "offer_what"},
    {1, "offer p2 give fleet tomorrow", "extra_words"},
    {1, "offer p2 give fleet until 3", "offer_when"},
    {1, "offer p2 give fleet until christmas", "offer_when"},
    {1, "accept", "no_such_offer"},
    {1, "decline 7", "no_such_offer"},
    {1, "accept 1", "no_such_offer"},   /* his own */
    {2, "withdraw 1", "no_such_offer"}, /* not his */
    {3, "accept 1", "no_such_offer"},
    {2, "accept 1 now", "extra_words"},
    {1, "vote", "vote_what"},
    {1, "vote draw now", "extra_words"},
};

START_TEST(deals_are_refused)
{
    struct table *table = set_up();
    act(table, 1, "offer p2 give command", 4);
    act(table, refusals[_i].seat, refusals[_i].line, 4);
    expect_text(find(table, "refused"), "reason", refusals[_i].reason);
    ck_assert_int_eq(table->state.offer_count, 1);
    ck_assert_int_eq(table->state.player[0].credits, 10);
    events_release(&table->events);
}
END_TEST

/* What the seat will have can be offered for a later turn. */
START_TEST(nobody_offers_what_they_do_not_have)
{
    struct table *table = set_up();
    act(table, 1, "offer p2 give 3 fleets get 5 credits", 4);
    const struct event *event = find(table, "refused");
    expect_text(event, "reason", "offer_cards");
    expect_text(event, "kind", "fleet");
    expect_number(event, "have", 2);
    act(table, 1, "offer p2 give fleet 11 credits until 9", 4);
    event = find(table, "refused");
    expect_text(event, "reason", "offer_credits");
    expect_number(event, "have", 10);
    act(table, 1, "offer p2 give 11 credits turn 4", 4);
    expect_text(find(table, "refused"), "reason", "offer_credits");
    ck_assert_int_eq(table->state.offer_count, 0);
    ck_assert_int_eq(table->state.offered, 0);
    act(table, 1, "offer p2 give 2 fleets 10 credits\noffer p2 give 3 fleets 11 credits turn 5", 4);
    ck_assert_int_eq(table->state.offer_count, 2);
    events_release(&table->events);
}
END_TEST

START_TEST(who_cannot_deliver_makes_no_deal)
{
    struct table *table = set_up();
    act(table, 1, "offer p2 give 2 fleets get 5 credits\noffer p2 give fleet get 21 credits", 4);
    int lost = gs_hand_take(&table->cards, &table->state, 1, 0, 0);
    act(table, 2, "accept", 4);
    expect_text(find(table, "refused"), "reason", "which_offer");
    act(table, 2, "accept 1", 4);
    expect_text(find(table, "refused"), "reason", "partner_cannot_give");
    act(table, 2, "accept 2", 4);
    expect_text(find(table, "refused"), "reason", "you_cannot_give");
    gs_hand_put(&table->state, 1, lost, 0);
    expect_hand(table, 1, GS_FLEET, 2);
    expect_hand(table, 2, GS_FLEET, 1);
    ck_assert_int_eq(table->state.player[0].credits, 10);
    act(table, 1, "offer p3 give 1 credit", 4);
    expect_text(find(table, "refused"), "reason", "offers_open");
    while (table->state.player[1].hand_count < GS_HAND)
        gs_hand_put(&table->state, 2, 1, 0);
    act(table, 1, "withdraw 1\noffer p2 give fleet", 4);
    act(table, 2, "accept 3", 4);
    expect_text(find(table, "refused"), "reason", "hand_too_full");
    events_release(&table->events);
}
END_TEST

START_TEST(offers_end)
{
    struct table *table = set_up();
    act(table, 1, "offer p2 give fleet\noffer p3 give fleet turn 6", 4);
    act(table, 2, "decline 1", 4);
    expect_text(find(table, "offer_declined"), "give", "1 fleet");
    ck_assert_uint_eq(seen_by(table, "offer_declined"), SEAT_BIT(1) | SEAT_BIT(2));
    act(table, 3, "accept 2", 5);
    expect_text(find(table, "refused"), "reason", "offer_later");
    act(table, 1, "withdraw", 5);
    ck_assert_ptr_nonnull(find(table, "offer_withdrawn"));
    ck_assert_int_eq(table->state.offer_count, 0);
    act(table, 1, "offer p2 give 1 credit until 6\noffer p3 give 1 credit until 7", 5);
    play(table, "pass", 6);
    ck_assert_ptr_nonnull(find(table, "offer_expired"));
    ck_assert_int_eq(table->state.offer_count, 1);
    ck_assert_int_eq(table->state.offer[0].to, 3);
    events_release(&table->events);
}
END_TEST

/* The same kind both ways: nothing need move, but the others cannot tell any more what the two hold. */
START_TEST(others_lose_track)
{
    struct table *table = set_up();
    table->state.player[0].known[0] = (uint8_t)(BIT(3) | BIT(2));
    act(table, 1, "offer p2 give fleet get fleet", 4);
    act(table, 2, "accept", 4);
    expect_hand(table, 1, GS_FLEET, 2);
    expect_hand(table, 2, GS_FLEET, 1);
    for (int i = 0; i < table->state.player[0].hand_count; i++)
        ck_assert(!(table->state.player[0].known[i] & BIT(3)));
    events_release(&table->events);
}
END_TEST

START_TEST(other_orders_wait)
{
    struct table *table = set_up();
    act(table, 1, "build fleet\nplay spy p2\noffer p2 give fleet", 4);
    ck_assert_uint_eq(table->events.count, 2); /* the offer and its fate */
    ck_assert_int_eq(table->events.list[1].line, 3);
    table->state.player[2].out = true;
    act(table, 3, "offer p2 give credits", 4);
    ck_assert_uint_eq(table->events.count, 0);
    act(table, 2, "offer p3 give credit", 4);
    expect_text(find(table, "refused"), "reason", "player_out");
    events_release(&table->events);
}
END_TEST

START_TEST(all_must_agree_to_a_draw)
{
    struct table *table = set_up();
    act(table, 1, "vote draw", 4);
    ck_assert_uint_eq(seen_by(table, "votes_draw"), EVENT_PUBLIC);
    act(table, 2, "vote draw", 4);
    act(table, 3, "vote draw", 4);
    act(table, 1, "vote play", 4);
    ck_assert_ptr_nonnull(find(table, "votes_play"));
    play(table, "pass", 4);
    ck_assert_uint_ne(gs_awaits(&table->state), 0);
    act(table, 1, "vote draw", 5);
    play(table, "pass", 5);
    ck_assert_uint_eq(gs_awaits(&table->state), 0);
    ck_assert_str_eq(gs_ending(&table->state), "agreed");
    events_release(&table->events);
}
END_TEST

/* A third seat that had spied a hand of three cannot tell which of them was stolen; the thief and the robbed
 * can. */
START_TEST(knowledge_follows_the_cards)
{
    struct table *table = set_up();
    struct gs_state *state = &table->state;
    for (int i = 0; i < 3; i++)
        state->player[0].known[i] = (uint8_t)(BIT(2) | BIT(3));
    int card = gs_hand_take(&table->cards, state, 1, 0, BIT(1) | BIT(2));
    ck_assert_int_eq(card, 11);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(state->player[0].known[i], BIT(2));
    /* Of two equal cards one is known; when one goes openly, it may have been that one. */
    state->player[1].known[1] = (uint8_t)BIT(3);
    gs_hand_put(state, 2, 14, 0);
    state->player[1].hand[1] = 14;
    state->player[1].hand[2] = 13;
    state->player[1].known[1] = 0;
    state->player[1].known[2] = (uint8_t)BIT(3);
    ck_assert_int_eq(gs_hand_spend(&table->cards, state, 2, GS_FLEET), 14);
    ck_assert_int_eq(state->player[1].known[1], 0);
    /* What somebody has seen in the deck he knows in the hand that draws it. */
    state->deck[0].seen[2] = 1;
    state->active = 1;
    play(table, "pass", 4);
    ck_assert_int_eq(state->active, gs_seat_after(state, 1, 1));
    const struct gs_player *next = gs_player(state, state->active);
    ck_assert_int_eq(next->known[next->hand_count - 1], state->active == 3 ? 0 : BIT(3));
    ck_assert_int_eq(state->deck[0].seen[2], 0);
    events_release(&table->events);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, an_offer_is_between_two);
    tcase_add_test(tc, accepting_moves_everything_at_once);
    tcase_add_test(tc, a_standing_line_accepts_at_once);
    tcase_add_test(tc, an_offer_may_be_worded_freely);
    tcase_add_loop_test(tc, deals_are_refused, 0, (int)(sizeof(refusals) / sizeof(refusals[0])));
    tcase_add_test(tc, nobody_offers_what_they_do_not_have);
    tcase_add_test(tc, who_cannot_deliver_makes_no_deal);
    tcase_add_test(tc, offers_end);
    tcase_add_test(tc, others_lose_track);
    tcase_add_test(tc, other_orders_wait);
    tcase_add_test(tc, all_must_agree_to_a_draw);
    tcase_add_test(tc, knowledge_follows_the_cards);
}
TEST_MAIN("rules/galactic_supremacy_deals", cases)
