/* Storms: what a sender can cost in answers. */
#include "engine/house.h"

static struct house house;

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
}

static void end(void)
{
    house_close(&house);
}

static int mails_to(const char *name)
{
    struct str text;
    int count = house_mails(&house, name, &text);
    str_release(&text);
    return count;
}

START_TEST(a_storm_from_one_player_ends_and_others_are_served)
{
    for (int i = 0; i < 1000; i++)
        (void)house_mail(&house, "anna", "help", "");
    (void)house_mail(&house, "bob", "help", "");
    ck_assert_int_eq(mails_to("anna"), 50);
    ck_assert_int_eq(mails_to("bob"), 1);
}
END_TEST

START_TEST(the_next_day_begins_anew)
{
    for (int i = 0; i < 60; i++)
        (void)house_mail(&house, "anna", "help", "");
    house.now += 86400;
    (void)house_mail(&house, "anna", "help", "");
    ck_assert_int_eq(mails_to("anna"), 51);
}
END_TEST

START_TEST(forged_mails_leave_the_answers_to_signed_ones)
{
    for (int i = 0; i < 100; i++)
        (void)house_mail(&house, "anna", "help", "");
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "anna", 1, "Your preferences");
}
END_TEST

START_TEST(strangers_have_little_each_and_a_limit_together)
{
    char name[16];
    for (int i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "stranger%d", i);
        (void)house_mail(&house, name, "help", "");
        (void)house_mail(&house, name, "help", "");
    }
    ck_assert_int_eq(mails_to("stranger0"), 2);
    ck_assert_int_eq(mails_to(NULL), 200);
    (void)house_mail(&house, "anna", "help", "");
    ck_assert_int_eq(mails_to("anna"), 1);
}
END_TEST

/* A program on the other side that answers every mail without saying that it is one. */
START_TEST(two_robots_stop_by_themselves)
{
    int answered = 0;
    (void)house_mail(&house, "anna", "help", "");
    for (int i = 0; i < 200 && mails_to("anna"); i++, answered++) {
        house_empty_spool(&house);
        (void)house_mail(&house, "anna", "Re: help", "Thank you for your mail, I am away.\r\n");
    }
    ck_assert_int_eq(answered, 50);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_storm_from_one_player_ends_and_others_are_served);
    tcase_add_test(tc, the_next_day_begins_anew);
    tcase_add_test(tc, forged_mails_leave_the_answers_to_signed_ones);
    tcase_add_test(tc, strangers_have_little_each_and_a_limit_together);
    tcase_add_test(tc, two_robots_stop_by_themselves);
}
TEST_MAIN("engine/budget", cases)
