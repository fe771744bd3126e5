/* Games of format 1, which older programs made, keep their own rules for ever: salted seals, heads of
 * 16 digits, seats in the order of joining. What is new, they share: no text is obeyed that names no head. */
#include "house/ruling.h"

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (; (text = strstr(text, what)); text++)
        count++;
    return count;
}

static void check_files(int orders)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT, sealed = STR_INIT;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    ck_ok(store_read_sealed(house.batch.store, "gc-1", &sealed, &err), err);
    ck_assert_int_eq(count_of(lines.p, "\"format\":"), 0);
    ck_assert_int_eq(count_of(lines.p, "\"nonce\":"), 0);
    ck_assert_int_eq(count_of(lines.p, "\"table\":"), 0);
    ck_assert_int_eq(count_of(lines.p, "\"set\":"), 0);
    ck_assert_int_eq(count_of(lines.p, "\"drawn\":"), 0);
    ck_assert_int_eq(count_of(lines.p, "\"type\":\"orders\""), orders);
    ck_assert_int_eq(count_of(sealed.p, "\"salt\":"), count_of(sealed.p, "\n"));
    ck_assert_int_eq(count_of(sealed.p, "head: "), orders + 3); /* two joins, a moderator's text */
    str_release(&lines);
    str_release(&sealed);
}

/* By mail, from the texts that ask for seats to the key that opens the seals. */
START_TEST(a_game_by_mail)
{
    static const char *const seats[] = {NULL, NULL, "robot"};
    house.format = 1;
    house_game(&house, "gc-1", "galaxy-command", 0, 3, seats);
    ck_assert_int_eq(game_now()->format, 1);
    (void)house_signed(&house, "bob", "bob", "#turnpost join\ngame: gc-1\nnonce: b\n#end\n");
    (void)house_signed(&house, "anna", "anna", "#turnpost join\ngame: gc-1\nnonce: a\n#end\n");
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_str_eq(game_now()->seat[1].player, "bob");
    ck_assert_str_eq(game_now()->seat[2].player, "anna");
    house_same(&house, "gc-1");
    orders("anna", "explore near\n");
    orders("bob", "explore near or bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    rule("mona", "do: orders bob\n" WHY "bide\n");
    orders("anna", "bide\n");
    ck_assert_int_eq(game_now()->turn, 3);
    house_same(&house, "gc-1");
    house_restart(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost resign\ngame: gc-1\n#end\n");
    int sent = 3; /* fewer than turns where she is eliminated: robots play on at once */
    for (; sent < 40 && !game_now()->over; sent++)
        orders("anna", "auto\n");
    ck_assert(game_now()->over);
    check_files(sent);
    house_same(&house, "gc-1");
}
END_TEST

/* Heads are named in part, and must be right. */
START_TEST(heads_in_part)
{
    char head[2 * HEAD_BYTES + 1];
    struct str text = STR_INIT;
    house.format = 1;
    (void)new_game(2);
    game_answer_head(head, game_now());
    ck_assert_uint_eq(strlen(head), 16);
    str_adds(&text, "#turnpost orders\ngame: gc-1\nturn: 1\nhead: 0123456789abcdef\nbide\n#end\n");
    (void)house_signed(&house, "anna", "anna", text.p);
    ck_assert(!game_now()->seat[1].orders.in);
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost orders\ngame: gc-1\nturn: 1\nhead: none\nbide\n#end\n");
    ck_assert(!game_now()->seat[1].orders.in);
    head[15] = '\0';
    str_clear(&text);
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: 1\nhead: %s\nbide\n#end\n", head);
    (void)house_signed(&house, "anna", "anna", text.p);
    ck_assert(!game_now()->seat[1].orders.in);
    game_answer_head(head, game_now());
    str_clear(&text);
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: 1\nhead: %s\nbide\n#end\n", head);
    (void)house_signed(&house, "anna", "anna", text.p);
    ck_assert(game_now()->seat[1].orders.in);
    str_release(&text);
    house_same(&house, "gc-1");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_game_by_mail);
    tcase_add_test(tc, heads_in_part);
}
TEST_MAIN("game/format_one", cases)
