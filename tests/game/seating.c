/* Who gets which seat of a game: what the table in `create` says, what texts name, what is drawn.
 */
#include "game/seating.h"

#include "house/table.h"
#include "game/turn.h"

static const char *const names[] = {"alice", "bob", "carol"};

/* ---- a table, without records ---- */

static struct game game;

/* A seat for each entry of the table. */
static void lay(const char *const *entries)
{
    memset(&game, 0, sizeof game);
    game.ruleset = ruleset_newest("galaxy-command");
    for (; entries[game.seats]; game.seats++)
        (void)snprintf(game.table.entry[game.seats + 1], GAME_TABLE, "%s", entries[game.seats]);
}

/* Takes a seat as the record of a join does; the first byte of the mark is given. */
static int take(const char *player, int asked, unsigned char mark)
{
    bool drawn;
    int seat = seating_place(&game, player, asked, &drawn);
    if (!seat)
        return 0;
    if (*game.seat[seat].player)
        ck_assert(seating_yield(&game, seat));
    struct game_seat *who = &game.seat[seat];
    (void)snprintf(who->player, sizeof who->player, "%s", player);
    who->drawn = drawn;
    who->orders.in = true;
    memset(who->orders.seal, mark, SEAL_BYTES);
    return seat;
}

START_TEST(who_may_have_which_seat)
{
    bool drawn;
    lay((const char *const[]){"for:anna", "robot:hal", "", "bob", "", NULL});
    ck_assert_int_eq(seating_kept_seat(&game, "anna"), 1);
    ck_assert_int_eq(seating_kept_seat(&game, "bob"), 0);
    ck_assert_int_eq(seating_kept_seat(&game, ""), 0);
    ck_assert_int_eq(seating_place(&game, "anna", 0, &drawn), 1);
    ck_assert(!drawn); /* it is hers, nothing is drawn */
    ck_assert_int_eq(seating_place(&game, "anna", 1, &drawn), 1);
    ck_assert_int_eq(seating_place(&game, "anna", 3, &drawn), 0);
    for (int seat = 1; seat <= 5; seat++) {
        bool is_open = seat == 3 || seat == 5;
        ck_assert_int_eq(seating_place(&game, "carl", seat, &drawn), is_open ? seat : 0);
        ck_assert(!drawn);
    }
    ck_assert_int_eq(seating_place(&game, "carl", 0, &drawn), 3);
    ck_assert(drawn);
    ck_assert_int_eq(take("carl", 3, 1), 3);
    ck_assert_int_eq(seating_place(&game, "dora", 3, &drawn), 0); /* named, so nobody makes room */
    ck_assert_int_eq(take("dora", 0, 2), 5);
    ck_assert_int_eq(seating_place(&game, "emil", 0, &drawn), 0); /* the kept one stays free for anna */
    ck_assert_int_eq(take("anna", 0, 3), 1);
    ck_assert_int_eq(seating_place(&game, "anna", 0, &drawn), 0);
}
END_TEST

/* The operator's seats, in rising order, before the start. */
START_TEST(what_the_operator_fills)
{
    lay((const char *const[]){"", "robot:hal", "for:anna", "bob", NULL});
    ck_assert_int_eq(seating_next(&game), 2);
    memcpy(game.seat[2].player, "hal", 4);
    ck_assert_int_eq(seating_next(&game), 4);
    memcpy(game.seat[4].player, "bob", 4);
    ck_assert_int_eq(seating_next(&game), 0);
    game.seat[2].player[0] = '\0';
    game.turn = 1;
    ck_assert_int_eq(seating_next(&game), 0);
}
END_TEST

START_TEST(a_seat_that_is_named_moves_its_holder)
{
    bool drawn;
    lay((const char *const[]){"", "", "", NULL});
    ck_assert_int_eq(take("alice", 0, 1), 1);
    ck_assert_int_eq(take("bob", 1, 2), 1);
    ck_assert_str_eq(game.seat[1].player, "bob");
    ck_assert(!game.seat[1].drawn);
    ck_assert_str_eq(game.seat[2].player, "alice");
    ck_assert(game.seat[2].drawn && game.seat[2].orders.seal[0] == 1);
    ck_assert(!seating_yield(&game, 1)); /* a player who named a seat keeps it */
    ck_assert_int_eq(take("carol", 0, 3), 3);
    ck_assert(!seating_yield(&game, 2)); /* nor does anybody move when all are taken */
    ck_assert_int_eq(seating_place(&game, "dora", 2, &drawn), 0);
}
END_TEST

/* alpha has the marks of held seats sorted; their players, in the order of their marks, are shuffled. */
START_TEST(the_draw_is_a_shuffle_by_marks)
{
    unsigned char marks[SEATS_MAX + 1][SEAL_BYTES];
    static const unsigned char want[] = {0, 2, 5, 7, 9}; /* held are 1, 3 and 4 */
    struct chance chance, again;
    uint8_t order[] = {0, 1, 2};
    int from[SEATS_MAX + 1];
    lay((const char *const[]){"", "", "", "", NULL});
    ck_assert_int_eq(take("alice", 0, 9), 1);
    ck_assert_int_eq(take("bob", 2, 5), 2);
    ck_assert_int_eq(take("carol", 0, 7), 3);
    ck_assert_int_eq(take("dora", 0, 2), 4);
    seating_marks(&game, marks);
    for (int seat = 0; seat <= 4; seat++)
        ck_assert_int_eq(marks[seat][0], want[seat]);
    for (char seed = 0; seed < 40; seed++) {
        static const int by_mark[] = {4, 3, 1}, held[] = {1, 3, 4};
        chance_seeded(&chance, &seed, 1);
        seating_draw(&game, &chance, from);
        chance_seeded(&again, &seed, 1);
        for (uint8_t i = 0; i < 3; i++)
            order[i] = i;
        chance_shuffle(&again, false, "seats", order, 3);
        ck_assert_int_eq(from[2], 2);
        for (int i = 0; i < 3; i++)
            ck_assert_int_eq(from[held[i]], by_mark[order[i]]);
    }
    struct game before = game;
    seating_take(&game, from);
    for (int seat = 1; seat <= 4; seat++) {
        ck_assert_str_eq(game.seat[seat].player, before.seat[from[seat]].player);
        ck_assert(!game.seat[seat].drawn);
    }
}
END_TEST

/* ---- games, with fixed keys and texts ---- */

static struct table t;

static void begin(void)
{
    table_open(&t);
}

static void end(void)
{
    table_close(&t);
}

static void join(struct step *step, int who, int asked)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char head[2 * HEAD_BYTES + 1], digest[65];
    hex_to(head, t.game.journal.create_head, HEAD_BYTES);
    str_addf(&text, "#turnpost join\ngame: gc-1\nhead: %s\n", head);
    if (asked)
        str_addf(&text, "seat: %d\n", asked);
    str_adds(&text, "#end\n");
    (void)snprintf(digest, sizeof digest, "%064d", who + 1);
    json_t *signature = sits_signature(&t.players[who], slice_str(&text));
    json_t *members = json_pack("{s:s,s:s,s:{s:s,s:O}}", "mail", digest, "text", digest, "signed", "text",
                                text.p, "signature", signature);
    struct join_input input = {
        .player = names[who], .exact = slice_str(&text), .signature = signature, .members = members};
    input.seat = seating_place(&t.game, names[who], asked, &input.drawn);
    ck_assert_int_gt(input.seat, 0);
    ck_ok(step_join(step, &t.game, &input, &err), err);
    json_decref(members);
    json_decref(signature);
    str_release(&text);
}

/* The result: who has which seat; alpha of the deal. */
struct seated {
    char player[4][PLAYER_NAME];
    struct str alpha;
};

/* The players join in this order; `chooser` (0.., or -1) names a seat. */
static void play(const int order[3], int chooser, int chosen, struct seated *seated)
{
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = table_keys(&t);
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 3,
                           .turn_length = 60,
                           .nonce = {7},
                           .missed_robot = 3};
    for (int i = 0; how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    step_init(&step, &keys, NOON);
    ck_ok(step_create(&step, &t.game, &how, &err), err);
    for (int i = 0; i < 3; i++)
        join(&step, order[i], order[i] == chooser ? chosen : 0);
    str_init(&seated->alpha);
    turn_alpha(&seated->alpha, &t.game);
    ck_ok(step_begin(&step, &t.game, &err), err);
    ck_assert_int_eq(t.game.turn, 1);
    for (int seat = 1; seat <= 3; seat++)
        (void)snprintf(seated->player[seat], PLAYER_NAME, "%s", t.game.seat[seat].player);
    step_release(&step);
    game_release(&t.game);
    game_init(&t.game);
}

/* In whatever order they come, and with a seat that one of them names. */
START_TEST(the_order_of_joining_is_nothing)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct seated first, other;
    int chooser = _i - 1, chosen = chooser < 0 ? 0 : 1 + (_i % 3);
    play(orders[0], chooser, chosen, &first);
    if (chooser >= 0)
        ck_assert_str_eq(first.player[chosen], names[chooser]);
    for (int i = 1; i < 6; i++) {
        play(orders[i], chooser, chosen, &other);
        ck_assert_uint_eq(first.alpha.len, other.alpha.len);
        ck_assert_mem_eq(first.alpha.p, other.alpha.p, first.alpha.len);
        for (int seat = 1; seat <= 3; seat++)
            ck_assert_str_eq(first.player[seat], other.player[seat]);
        str_release(&other.alpha);
    }
    str_release(&first.alpha);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, who_may_have_which_seat);
    tcase_add_test(tc, what_the_operator_fills);
    tcase_add_test(tc, a_seat_that_is_named_moves_its_holder);
    tcase_add_test(tc, the_draw_is_a_shuffle_by_marks);
    tcase_add_loop_test(tc, the_order_of_joining_is_nothing, 0, 4);
}
TEST_MAIN("game/seating", cases)
