/* Deals between the seats of Galactic Supremacy: carried out when their mail is read, answered by standing
 * lines, tried without a trace. */
#include "house/table.h"
#include "play/trial.h"
#include "rules/views.h"

static struct table t;

static void open_table(void)
{
    table_open(&t);
}

static void close_table(void)
{
    table_close(&t);
}

static int active_seat(void)
{
    return t.game.ruleset->awaits(t.game.state) & SEAT_BIT(1) ? 1 : 2;
}

/* The kind of the first card in a seat's hand, as offers name it; how many cards it holds. */
static const char *first_kind(int seat, size_t *cards)
{
    static const char *const kinds[] = {"command", "sector", "fleet", "leader"};
    json_t *view = view_as_json(t.game.ruleset, t.game.cards, t.game.state, seat);
    const json_t *hand = json_object_get(json_object_get(view, "own"), "hand");
    const char *kind = json_string_value(json_object_get(json_array_get(hand, 0), "kind"));
    const char *found = "science";
    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
        found = strcmp(kind, kinds[i]) == 0 ? kinds[i] : found;
    *cards = json_array_size(hand);
    json_decref(view);
    return found;
}

/* What the receipt says of a line: the member that is there. */
static bool says(int seat, const char *lines, const json_t *told, size_t line, const char *verdict)
{
    json_t *facts = json_object();
    struct script *script = script_parse(slice_of(lines), t.game.ruleset->language);
    trial_add(facts, &t.game, seat, script, told);
    const json_t *member =
        json_object_get(json_array_get(json_object_get(facts, "lines"), line - 1), verdict);
    bool is = member && !json_is_false(member);
    script_free(script);
    json_decref(facts);
    return is;
}

START_TEST(a_standing_line_answers_when_the_offer_is_read)
{
    char lines[128];
    size_t mine, yours, now;
    int posts[5];
    table_new_of(&t, ruleset_newest("galactic-supremacy"), "ab", 60);
    int seat = active_seat();
    int other = 3 - seat;
    const char *kind = first_kind(seat, &mine);
    (void)first_kind(other, &yours);
    (void)snprintf(lines, sizeof lines, "when offered %s for nothing accept\n", kind);
    ck_assert_int_eq(table_send(&t, other, "turn: 1\n", lines, NOON, NULL), ORDERS_TAKEN);
    (void)snprintf(lines, sizeof lines, "offer p%d give %s\n", other, kind);
    int64_t seq = t.game.seq;
    /* A dry run does not tell what the other would answer, and stores nothing. */
    ck_assert(says(seat, lines, NULL, 1, "at_once"));
    ck_assert_int_eq(t.game.seq, seq);
    ck_assert_int_eq(table_send(&t, seat, "turn: 1\n", lines, NOON, posts), ORDERS_TAKEN);
    ck_assert_int_eq(posts[POST_NOTICE], 1);
    ck_assert_int_eq(t.game.turn, 1);
    (void)first_kind(other, &now);
    ck_assert_uint_eq(now, yours + 1);
    (void)first_kind(seat, &now);
    ck_assert_uint_eq(now, mine - 1);
    table_check_replay(&t);
}
END_TEST

/* Lines are judged by their own mail: an earlier one of the same turn had other lines. */
START_TEST(a_preview_is_of_this_mail)
{
    table_new_of(&t, ruleset_newest("galactic-supremacy"), "ab", 60);
    int seat = active_seat();
    ck_assert_int_eq(table_send(&t, seat, "turn: 1\n", "accept 7\nvote draw\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_ptr_nonnull(t.game.told.instant);
    ck_assert(says(seat, "accept 7\nvote draw\n", t.game.told.instant, 1, "refused"));
    ck_assert(says(seat, "accept 7\nvote draw\n", t.game.told.instant, 2, "done"));
    ck_assert(says(seat, "pass\nkeep fleet\n", NULL, 1, "will"));
    ck_assert(says(seat, "pass\nkeep fleet\n", NULL, 2, "will"));
    ck_assert(says(seat, "accept 7\nvote draw\n", NULL, 1, "refused"));
    ck_assert(says(seat, "accept 7\nvote draw\n", NULL, 2, "at_once"));
    ck_assert(says(3 - seat, "accept 7\npass\n", NULL, 1, "refused"));
    ck_assert(says(3 - seat, "accept 7\npass\n", NULL, 2, "waits"));
}
END_TEST

/* The robot's own seat answers in its turn, and replay knows what it did. */
START_TEST(a_robot_agrees_to_a_draw)
{
    char turn[32];
    table_new_of(&t, ruleset_newest("galactic-supremacy"), "ar", 60);
    ck_assert(!t.game.over);
    (void)snprintf(turn, sizeof turn, "turn: %d\n", t.game.turn);
    ck_assert_int_eq(table_send(&t, 1, turn, "vote draw\npass\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert(t.game.over);
    ck_assert_str_eq(t.game.ruleset->end.ending(t.game.state), "agreed");
    table_check_replay(&t);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_table, close_table);
    tcase_add_test(tc, a_standing_line_answers_when_the_offer_is_read);
    tcase_add_test(tc, a_preview_is_of_this_mail);
    tcase_add_test(tc, a_robot_agrees_to_a_draw);
}
TEST_MAIN("play/deals", cases)
