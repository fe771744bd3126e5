/* Which marks the draws of a turn follow from (src/journal/README.md, sections 3 and 6): only of texts that
 * players of awaited seats signed and that are in force. */
#include "house/ruling.h"

#include "base/json.h"
#include "game/turn.h"

static struct str alpha_now(void)
{
    struct str alpha = STR_INIT;
    turn_alpha(&alpha, game_now());
    return alpha;
}

/* Is the alpha of now this one? It is released. */
static bool same_alpha(struct str *was)
{
    struct str now = alpha_now();
    bool same = now.len == was->len && memcmp(now.p, was->p, now.len) == 0;
    str_release(&now);
    str_release(was);
    return same;
}

static bool has_mark(int seat)
{
    static const unsigned char none[SEAL_BYTES] = {0};
    unsigned char marks[SEATS_MAX + 1][SEAL_BYTES];
    turn_marks(game_now(), marks);
    bool zero = memcmp(marks[seat], none, SEAL_BYTES) == 0;
    ck_assert(zero || memcmp(marks[seat], game_now()->seat[seat].orders.seal, SEAL_BYTES) == 0);
    return !zero;
}

/* The last `close` of the journal. */
static json_t *last_close(void)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct slice rest, line, found = {NULL, 0};
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    for (rest = slice_str(&lines); slice_line(&rest, &line);)
        if (slice_find(line, "\"type\":\"close\"") != (size_t)-1)
            found = line;
    ck_assert_ptr_nonnull(found.p);
    json_t *json = json_read(found, "close", &err);
    str_release(&lines);
    return json;
}

/* What it says: seats whose seal is there, as bits, and "set" likewise. */
static void close_says(uint32_t sealed, uint32_t set)
{
    json_t *close = last_close(), *item;
    size_t i;
    uint32_t seals = 0, seats = 0;
    json_array_foreach (json_object_get(close, "seals"), i, item)
        seals |= json_string_length(item) ? SEAT_BIT(i + 1) : 0;
    json_array_foreach (json_object_get(close, "set"), i, item)
        seats |= SEAT_BIT(json_integer_value(item));
    ck_assert_uint_eq(seals, sealed);
    ck_assert_uint_eq(seats, set);
    json_decref(close);
}

START_TEST(a_moderator_has_no_mark)
{
    (void)new_game(3);
    struct str nothing = alpha_now(), again;
    rule("mona", "do: orders bob\n" WHY "explore near\n");
    ck_assert(game_now()->seat[2].orders.in && !has_mark(2));
    ck_assert(same_alpha(&nothing));
    orders("anna", "bide\n");
    again = alpha_now();
    rule("mona", "do: orders bob\n" WHY "bide\n");
    ck_assert(same_alpha(&again));
    orders("carol", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    close_says(SEAT_BIT(1) | SEAT_BIT(3), SEAT_BIT(2));
    house_same(&house, "gc-1");
    /* Instead of what he signed; and what he signs instead of theirs. */
    nothing = alpha_now();
    orders("bob", "bide\n");
    ck_assert(has_mark(2));
    rule("mona", "do: orders bob\n" WHY "explore near\n");
    ck_assert(!has_mark(2) && same_alpha(&nothing));
    orders("bob", "explore near or bide\n");
    ck_assert(has_mark(2));
    play();
    close_says(SEAT_BIT(1) | SEAT_BIT(2) | SEAT_BIT(3), 0);
    house_same(&house, "gc-1");
}
END_TEST

/* Orders may be in when their seat becomes a robot's, by a text of its own or in the orders themselves. */
START_TEST(a_robot_has_no_mark)
{
    (void)new_game(3);
    orders("bob", "explore near\n");
    ck_assert(has_mark(2));
    if (_i)
        orders("bob", "bide\nresign\n");
    else
        (void)house_signed(&house, "bob", "bob", "#turnpost resign\ngame: gc-1\n#end\n");
    ck_assert(game_now()->seat[2].robot && !has_mark(2));
    play();
    close_says(SEAT_BIT(1) | SEAT_BIT(3), 0);
    house_same(&house, "gc-1");
}
END_TEST

/* ---- Galactic Supremacy: seats that are not awaited yet may order early ---- */

/* The last of those whose turn it is not. */
static int not_awaited(void)
{
    int seat = game_now()->seats;
    while (seat && (game_awaited(game_now()) & SEAT_BIT(seat)))
        seat--;
    ck_assert_int_gt(seat, 0);
    return seat;
}

/* They wait: no turn is played because of them. */
static void numbered(int seat, int seq, const char *lines)
{
    struct str text = STR_INIT;
    const char *name = game_now()->seat[seat].player;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\nseq: %d\nwait: yes\n%s#end\n", game_now()->turn,
             seq, lines);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

static void play_on(void)
{
    int turn = game_now()->turn;
    house_clock(&house, game_now()->clock.deadline);
    ck_assert_int_eq(game_now()->turn, turn + 1);
}

START_TEST(early_orders_have_no_mark_yet)
{
    house_game(&house, "gc-1", "galactic-supremacy", 3 * DAY, 3, players);
    struct str nothing = alpha_now();
    int seat = not_awaited(), turns = 0;
    numbered(seat, 1, "pass\n");
    ck_assert(game_now()->seat[seat].orders.in && !has_mark(seat));
    ck_assert(same_alpha(&nothing));
    while (!(game_awaited(game_now()) & SEAT_BIT(seat))) {
        ck_assert_int_lt(turns++, 20);
        play_on();
        close_says(0, 0);
    }
    ck_assert(game_now()->seat[seat].orders.in && has_mark(seat));
    house_same(&house, "gc-1");
}
END_TEST

/* A number is compared with those of its turn; orders of before that are in force count as without one. */
START_TEST(numbers_count_within_a_turn)
{
    house_game(&house, "gc-1", "galactic-supremacy", 3 * DAY, 3, players);
    int seat = not_awaited();
    numbered(seat, 5, "pass\n");
    ck_assert_int_eq(game_now()->seat[seat].orders.seq, 5);
    numbered(seat, 4, "vote draw\npass\n");
    ck_assert_str_eq(game_now()->seat[seat].orders.text.p, "pass\n");
    play_on();
    ck_assert(game_now()->seat[seat].orders.in);
    numbered(seat, 4, "vote draw\npass\n");
    ck_assert_str_eq(game_now()->seat[seat].orders.text.p, "vote draw\npass\n");
    house_same(&house, "gc-1");
}
END_TEST

/* The same for a text that holds several turns. */
START_TEST(numbers_of_a_text_for_several_turns)
{
    house_game(&house, "gc-1", "galaxy-farmer", 3 * DAY, 1, players);
    numbered(1, 9, "pass\nturn 2\npass\n");
    play_on();
    ck_assert(game_now()->seat[1].orders.in);
    numbered(1, 8, "auto\n");
    ck_assert_str_eq(game_now()->seat[1].orders.text.p, "auto\n");
    house_same(&house, "gc-1");
}
END_TEST

/* A turn that comes again has other dice, so that nobody can choose orders that suit them. */
START_TEST(a_rollback_brings_other_dice)
{
    (void)new_game(2);
    house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nwait: yes\nbide\n#end\n");
    struct str before = alpha_now();
    struct str line = STR_INIT;
    str_addf(&line, "do: rollback %lld\nreason: Once more.\n", (long long)game_now()->seq);
    house_rules(&house, "gc-1", "do: resolve\nreason: Now.\n");
    ck_assert_int_eq(game_now()->turn, 2);
    house_rules(&house, "gc-1", line.p);
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert(game_now()->seat[1].orders.in);
    ck_assert(!same_alpha(&before));
    house_same(&house, "gc-1");
    str_release(&line);
}
END_TEST

/* Turns that nobody signs for are also drawn from the deal, which includes all who joined. */
START_TEST(the_deal_is_in_all_draws)
{
    static const unsigned char none[GAME_DEAL] = {0};
    (void)new_game(2);
    ck_assert_mem_ne(game_now()->draws.deal, none, GAME_DEAL);
    struct str alpha = alpha_now();
    ck_assert_mem_eq(alpha.p + sizeof "turnpost/dice" + HEAD_BYTES, game_now()->draws.deal, GAME_DEAL);
    str_release(&alpha);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_moderator_has_no_mark);
    tcase_add_loop_test(tc, a_robot_has_no_mark, 0, 2);
    tcase_add_test(tc, a_rollback_brings_other_dice);
    tcase_add_test(tc, the_deal_is_in_all_draws);
    tcase_add_test(tc, early_orders_have_no_mark_yet);
    tcase_add_test(tc, numbers_count_within_a_turn);
    tcase_add_test(tc, numbers_of_a_text_for_several_turns);
}
TEST_MAIN("game/marks", cases)
