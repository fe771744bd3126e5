/* People who have only a mailbox get a key, and give it up. */
#include "house/only_mail.h"

/* ---- the first key ---- */

/* The same text, for the key of somebody who has sent it to Zoe: she asks them what it is, or the league. */
static void quote_key(const char *to, const char *front, const char *mark)
{
    char print[KEY_FINGERPRINT], text[200];
    struct str body = STR_INIT, all = STR_INIT;
    struct slice rest, line;
    print_of("eve", print);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: zoe\nadd: %s\n#end\n", print);
    house_sign(&house, "eve", text, &body);
    str_adds(&all, front);
    for (rest = slice_str(&body); slice_line(&rest, &line);)
        str_addf(&all, "%s%.*s\n", mark, (int)line.len, line.p);
    (void)post_from("zoe@example.net", to, "Re: hello", all.p);
    str_release(&body);
    str_release(&all);
}

START_TEST(a_first_key_waits_and_then_it_alone_counts)
{
    static const char *const pair[] = {"zoe", "bob"};
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    house_player(&house, "bob");
    house_game(&house, "gc-1", "galaxy-command", 5 * DAY, 2, pair);
    ck_assert(game_takes_mail(house_find(&house, "gc-1"), 1));
    house_empty_spool(&house);
    ask_key("eve@example.net");
    ck_assert_int_eq(find("zoe")->rekey.time, 0);
    house_empty_spool(&house);
    house.now += DAY / 24;
    ask_key("Zoe@example.net"); /* as telephones write it */
    if (!find("zoe")->rekey.time)
        house_told(&house, "zoe", 1, "in force");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1);
    ck_assert(house_says(mails.p, "has sent mails without a key until now"));
    str_release(&mails);
    house_told(&house, "zoe", 1, "It comes into force");
    house_clock(&house, house.now + REKEY_WAIT - 60);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    house_clock(&house, house.now + 120);
    ck_assert_uint_eq(count_keys("zoe"), 1);
    ck_assert(!find("zoe")->by_mail);
    ck_assert_uint_eq(house_find(&house, "gc-1")->seat[1].key_count, 1);
    ck_assert(!game_takes_mail(house_find(&house, "gc-1"), 1));
    restart();
    ck_assert_uint_eq(count_keys("zoe"), 1);
    (void)house_signed(&house, "zoe", "zoe", "#turnpost prefs\njson: yes\n#end\n");
    ck_assert(find("zoe")->json);
}
END_TEST

START_TEST(what_is_quoted_asks_for_no_key)
{
    believes("open");
    (void)house_person(&house, "zoe");
    (void)house_person(&house, "eve");
    join("zoe");
    quote_key("eve@example.net", "What is that?\n\nOn Fri, 20 Nov 2026 at 12:00, Eve wrote:\n", "> ");
    ck_assert_int_eq(find("zoe")->rekey.time, 0);
    house_told(&house, "zoe", 1, "what zoe quotes or passes on");
    quote_key(HOUSE_ADDRESS, "What is that?\n\n-----Original Message-----\nFrom: Eve\nSent: today\n\n", "");
    ck_assert_int_eq(find("zoe")->rekey.time, 0);
    quote_key(HOUSE_ADDRESS, "", "");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
}
END_TEST

START_TEST(an_answer_stops_it)
{
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    ask_key("zoe@example.net");
    reply_to("zoe", to);
    house_empty_spool(&house);
    ck_assert_msg(str_starts(to, "league+veto.zoe."), "%s", to);
    (void)post("eve", to, "Re: A first key", "no");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
    (void)post("zoe", to, "Re: A first key", "yes please");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
    house_empty_spool(&house);
    (void)post("zoe", to, "Re: A first key", "No.\n\n> no");
    ck_assert_int_eq(find("zoe")->rekey.time, 0);
    house_told(&house, "zoe", 1, "has said no to the new key for zoe");
    house_clock(&house, house.now + 3 * DAY);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    ck_assert(find("zoe")->by_mail);
}
END_TEST

/* ---- giving it up ---- */

static void drop_key(const char *name, const char *line)
{
    char print[KEY_FINGERPRINT], text[200];
    print_of(name, print);
    (void)snprintf(text, sizeof text, "#turnpost key\nrevoke: %s\n%s#end\n", print, line);
    (void)house_signed(&house, name, name, text);
}

START_TEST(only_a_signed_text_gives_the_last_key_up)
{
    static const char *const pair[] = {"bob", "carl"};
    believes("open");
    house_player(&house, "bob");
    house_player(&house, "carl");
    house_game(&house, "gc-1", "galaxy-command", 5 * DAY, 2, pair);
    house_empty_spool(&house);
    drop_key("bob", "");
    house_told(&house, "bob", 1, "puts in the line \"trust: mail\"");
    drop_key("bob", "trust: none\n");
    house_told(&house, "bob", 1, "The line \"trust:\" takes \"mail\"");
    drop_key("mona", "trust: mail\n");
    house_told(&house, "mona", 1, "Moderators need a key");
    (void)house_signed(&house, "bob", "bob", "#turnpost key\nplayer: bob\ntrust: mail\n#end\n");
    house_told(&house, "bob", 1, "names no key to add or to revoke");
    ck_assert_uint_eq(count_keys("bob"), 1);
    drop_key("bob", "trust: mail\n");
    house_told(&house, "bob", 1, "There is no key any more");
    ck_assert_uint_eq(count_keys("bob"), 0);
    ck_assert(find("bob")->by_mail);
    ck_assert_uint_eq(house_find(&house, "gc-1")->seat[1].key_count, 0);
    ck_assert(game_takes_mail(house_find(&house, "gc-1"), 1));
    restart();
    ck_assert(find("bob")->by_mail);
    ck_assert_ptr_null(player_absent(&house.batch.outside, "bob"));
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\njson: yes\n#end\n");
    ck_assert(!find("bob")->json);
}
END_TEST

START_TEST(a_game_of_keys_keeps_the_key)
{
    static const char *const pair[] = {"bob", "carl"};
    believes("open");
    house.by_mail = false;
    house_player(&house, "bob");
    house_player(&house, "carl");
    house_game(&house, "gc-1", "galaxy-command", 5 * DAY, 2, pair);
    house_empty_spool(&house);
    drop_key("bob", "trust: mail\n");
    house_told(&house, "bob", 1, "In game gc-1 only keys count");
    ck_assert_uint_eq(count_keys("bob"), 1);
}
END_TEST

/* ---- a league of keys ---- */

START_TEST(a_league_of_keys_is_as_it_was)
{
    house_option(&house, "[league]", "registration = open");
    house_restart(&house);
    (void)house_mail(&house, "zoe", "register zoe", "");
    struct str mails;
    (void)house_mails(&house, "zoe", &mails);
    ck_assert_ptr_null(strstr(mails.p, "mail domain"));
    str_release(&mails);
    house_player(&house, "bob");
    house_empty_spool(&house);
    drop_key("bob", "trust: mail\n");
    house_told(&house, "bob", 1, "In this league only keys count");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_first_key_waits_and_then_it_alone_counts);
    tcase_add_test(tc, what_is_quoted_asks_for_no_key);
    tcase_add_test(tc, an_answer_stops_it);
    tcase_add_test(tc, only_a_signed_text_gives_the_last_key_up);
    tcase_add_test(tc, a_game_of_keys_keeps_the_key);
    tcase_add_test(tc, a_league_of_keys_is_as_it_was);
}

TEST_MAIN("petitions/keyless_keys", cases)
