/* "#turnpost preview": what the turn would give, for moderators; and what it may not tell. */
#include "house/ruling.h"

#include "base/json.h"
#include "play/preview.h"

static void ask(const char *name)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost preview\ngame: gc-1\nturn: %d\n#end\n", game_now()->turn);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* The mail after its head, which names nothing but game and turn. */
static void preview_of(const char *name, struct str *out)
{
    house_empty_spool(&house);
    ask(name);
    ck_assert_int_eq(house_mails(&house, name, out), 1);
    house_empty_spool(&house);
}

START_TEST(a_moderator_sees_all)
{
    struct str text;
    (void)new_game(4);
    orders("anna", "explore near\n");
    orders("bob", "bide\nwait\n");
    int64_t seq = game_now()->seq;
    preview_of("mona", &text);
    ck_assert(house_says(text.p, "Preview of turn 1"));
    ck_assert(house_says(text.p, "SEAT 1: anna"));
    ck_assert(house_says(text.p, "1. explore near"));
    ck_assert(house_says(text.p, "SEAT 3: carol No orders are in") ||
              house_says(text.p, "No orders are in: the seat would miss"));
    ck_assert(house_says(text.p, "SEAT 4: robot (robot)"));
    ck_assert(house_says(text.p, "The player has signed the lines (record"));
    ck_assert(house_says(text.p, "The lines are the robot's."));
    ck_assert(house_says(text.p, "The cautious default turn would be played."));
    ck_assert(house_says(text.p, "anna turns up"));
    ck_assert(house_says(text.p, "THE TABLE AFTER IT"));
    ck_assert_int_eq(game_now()->seq, seq);
    ck_assert_int_eq(game_now()->turn, 1);
    house_same(&house, "gc-1");
    str_release(&text);
}
END_TEST

/* Asking again brings nothing new, and what it shows is not what the turn will draw. */
START_TEST(it_is_no_oracle)
{
    json_t *one, *two;
    (void)new_game(2);
    orders("anna", "explore near\n");
    one = preview_facts(game_now(), 0);
    two = preview_facts(game_now(), 0);
    ck_assert(json_equal(one, two));
    json_decref(one);
    json_decref(two);
}
END_TEST

/* What the others ordered, and what is face down, makes no difference to a moderator who plays. */
START_TEST(who_plays_sees_his_own)
{
    struct str before, after;
    (void)new_game(3);
    orders("carol", "explore near\n");
    preview_of("carol", &before);
    ck_assert(house_says(before.p, "You play in this game, carol"));
    ck_assert(house_says(before.p, "1. explore near"));
    ck_assert(!house_says(before.p, "SEAT 1"));
    orders("anna", "bide\n");
    struct str anna_is_in;
    preview_of("carol", &anna_is_in);
    orders("anna", "explore near\nexplore near\n"); /* other orders of the same seat */
    preview_of("carol", &after);
    ck_assert_str_eq(anna_is_in.p, after.p);
    str_release(&anna_is_in);
    str_release(&after);
    rule("mona", "do: orders anna\n" WHY "bide\n");
    preview_of("carol", &after);
    const char *own = strstr(before.p, "YOUR ORDERS");
    ck_assert_str_eq(own, strstr(after.p, "YOUR ORDERS"));
    str_release(&before);
    str_release(&after);
}
END_TEST

static void expect_of(const char *name, const char *said)
{
    struct str text, want = STR_INIT;
    const char *number = strstr(said, "%d");
    str_add(&want, said, number ? (size_t)(number - said) : strlen(said));
    if (number)
        str_addf(&want, "%d%s", (int)game_now()->seat[3].orders.record, number + 2);
    preview_of(name, &text);
    ck_assert_msg(house_says(text.p, want.p), "not \"%s\" but: %s", want.p, text.p);
    str_release(&want);
    str_release(&text);
}

/* In it %d is the record of carol's orders. */
static void expect_source(const char *mine, const char *theirs)
{
    expect_of("carol", mine);
    expect_of("mona", theirs);
}

START_TEST(it_says_where_lines_come_from)
{
    (void)new_game(3);
    expect_source("None are in, and there are no \"always\" lines",
                  "The cautious default turn would be played.");
    orders("carol", "always auto\n");
    expect_source(
        "None are in; your \"always\" lines would be used. They say \"auto\": what follows is the robot's.",
        "The lines are the seat's \"always\" lines, which say \"auto\": the robot writes them.");
    orders("carol", "always bide\n");
    expect_source("None are in; your \"always\" lines would be used.",
                  "The lines are the seat's \"always\" lines.");
    orders("carol", "explore near\n");
    expect_source("You have signed these lines (record %d).", "The player has signed the lines (record %d).");
    orders("carol", "auto\n");
    expect_source("You have signed these lines (record %d). They say \"auto\": what follows is the robot's.",
                  "The player has signed the lines (record %d); they say \"auto\": the robot writes them.");
    rule("mona", "do: orders carol\n" WHY "bide\n");
    expect_source("A moderator has set these lines (record %d).",
                  "A moderator has set the lines (record %d).");
}
END_TEST

/* What the seat would play, for its player and for a moderator who does not play. */
static void expect_from(const struct game *game, const char *from)
{
    json_t *own = preview_facts(game, 3), *all = preview_facts(game, 0);
    ck_assert(json_is_true(json_object_get(json_object_get(json_object_get(own, "own"), "source"), from)));
    ck_assert(json_is_true(
        json_object_get(json_object_get(json_array_get(json_object_get(all, "played"), 2), "source"), from)));
    json_decref(own);
    json_decref(all);
}

/* The robot plays from the second missed turn on, this one counted. */
START_TEST(it_names_the_robot_of_the_absent)
{
    struct game *game = new_game(3);
    game->attendance.missed_robot = 2;
    expect_from(game, "default");
    game->seat[3].missed = 1;
    expect_from(game, "absent");
    ck_assert_int_eq(game->seat[3].missed, 1);
    game->seat[3].missed = game->attendance.missed_robot = 0;
}
END_TEST

START_TEST(who_may_come_to_play_sees_nothing)
{
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .clock = &clock_of,
                                    .missed_standby = 2},
                  players);
    (void)house_signed(&house, "mona", "mona", "#turnpost standby\ngame: gc-1\n#end\n");
    house_empty_spool(&house);
    ask("mona");
    told_all("mona", 1, "another moderator has to look");
    rule("mona", "do: correct pile[0] = 3\n" WHY);
    told_all("mona", 1, "or may come to");
}
END_TEST

START_TEST(who_may_not_ask)
{
    (void)new_game(2);
    ask("anna");
    told_all("anna", 1, "Only the moderators");
    (void)house_mail(&house, "mona", "x", "#turnpost preview\ngame: gc-1\nturn: 1\n#end\n");
    told_all("mona", 1, "no signature");
    (void)house_signed(&house, "mona", "mona", "#turnpost preview\ngame: gc-1\nturn: 7\n#end\n");
    told_all("mona", 1, "is for turn 7");
    (void)house_signed(&house, "mona", "mona", "#turnpost preview\ngame: gc-9\nturn: 7\n#end\n");
    told_all("mona", 1, "no game \"gc-9\"");
    (void)house_signed(&house, "mona", "mona", "#turnpost preview\ngame: gc-1\n#end\n");
    told_all("mona", 1, "in which turn it was written");
    (void)house_signed(&house, "mona", "mona", "#turnpost preview\ngame: gc-1\nturn: 1\ndice: 6\n#end\n");
    told_all("mona", 1, "does not belong in this text");
    rule("mona", "do: void\n" WHY);
    house_empty_spool(&house);
    ask("mona");
    told_all("mona", 1, "is over");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_moderator_sees_all);
    tcase_add_test(tc, it_is_no_oracle);
    tcase_add_test(tc, who_plays_sees_his_own);
    tcase_add_test(tc, it_says_where_lines_come_from);
    tcase_add_test(tc, it_names_the_robot_of_the_absent);
    tcase_add_test(tc, who_may_come_to_play_sees_nothing);
    tcase_add_test(tc, who_may_not_ask);
}
TEST_MAIN("play/preview", cases)
