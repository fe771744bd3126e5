/* Answers by players without keys that are answered no more: who is met with silence, and who never is. */
#include "house/reported.h"

static int answers(void)
{
    struct str mails;
    int count = house_mails(&house, NULL, &mails);
    str_release(&mails);
    house_empty_spool(&house);
    return count;
}

/* How many answers so many texts that are not understood get, one every `apart` seconds. */
static int puzzled(const char *what, int count, int64_t apart)
{
    int told = 0;
    for (int i = 0; i < count; i++) {
        char typed[64];
        (void)snprintf(typed, sizeof typed, "%s %c%c is open", what, 'a' + i / 26, 'a' + i % 26);
        (void)answer(&(struct form){.later = apart}, typed);
        told += answers();
    }
    return told;
}

START_TEST(whoever_changes_a_word_is_answered)
{
    (void)answer(&honest, "We attack\r\nbob");
    told(0, 1, "bob");
    (void)answer(&(struct form){.later = 1200}, "We attack\r\ncarl");
    told(0, 1, "carl");
    (void)answer(&(struct form){.later = 600}, "We  ATTACK\r\n\r\ncarl");
    ck_assert_int_eq(answers(), 1); /* that it says no more, and the third time nothing */
    (void)answer(&(struct form){.later = 600}, "We  ATTACK\r\n\r\ncarl");
    ck_assert_int_eq(answers(), 0);
    house.now += 86400 - 7200;
    (void)answer(&honest, "We attack\r\ncarl"); /* a day later */
    told(0, 1, "carl");
}
END_TEST

START_TEST(tickets_have_numbers)
{
    (void)answer(&honest, "We have received your mail, ticket 4711.");
    ck_assert_int_eq(answers(), 1);
    (void)answer(&honest, "We have received your mail, ticket 4712.");
    ck_assert_int_eq(answers(), 1);
    (void)answer(&honest, "We have received your mail, ticket 4713.");
    ck_assert_int_eq(answers(), 0);
    (void)answer(&honest, "77"); /* no such suggestion */
    (void)answer(&honest, "78");
    ck_assert_int_eq(answers(), 2);
}
END_TEST

/* The third says so; whatever is understood is answered all the time. */
START_TEST(a_ticket_robot_is_answered_three_times)
{
    ck_assert_int_eq(puzzled("Ticket", 2, 60), 2);
    (void)answer(&honest, "Ticket three is open");
    told(0, 1, "Until Fri 20 Nov, 18:03 UTC we stay silent when we don't understand a mail");
    ck_assert_int_eq(puzzled("Another", 20, 600), 0);
    (void)answer(&honest, "undo");
    told(0, 1, "You have no orders for turn 1 yet");
    (void)answer(&honest, "explore near");
    told(0, 1, "We have your");
    house.now += 3 * 3600;
    ck_assert_int_eq(puzzled("A third", 1, 60), 1);
}
END_TEST

/* Nobody who plays in between is a robot, however often they are not understood. */
START_TEST(orders_in_between_begin_the_count_again)
{
    static const char *const words[] = {"The door", "My window", "Her gate"};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(puzzled(words[i], 2, 60), 2);
        (void)answer(&honest, "explore near");
        told(0, 1, "We have your");
    }
    ck_assert_int_eq(puzzled("Ticket", 20, 60), 3);
    (void)answer(&honest, "help"); /* and ends a silence */
    told(0, 1, "explore near");
    ck_assert_int_eq(puzzled("The roof", 20, 60), 3);
}
END_TEST

/* Who learns how to answer says a thing in many ways, and programs say it in one. */
START_TEST(whoever_finds_other_words_is_answered)
{
    static const char *const ways[] = {"I choose 1",
                                       "I choose 2",
                                       "Let it be Alpha",
                                       "explore neer",
                                       "explore nerby",
                                       "What does all of this mean for me",
                                       "9",
                                       "Where do I look for rules?"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        (void)answer(&honest, ways[i]);
        ck_assert_msg(answers() == 1, "\"%s\" is met with silence", ways[i]);
    }
    for (int again = 1; again >= 0; again--) { /* within the hour */
        (void)answer(&honest, "Let it be  alpha");
        ck_assert_int_eq(answers(), again);
    }
    house.now += 3600;
    (void)answer(&honest, "Let it be Alpha");
    ck_assert_int_eq(answers(), 1);
}
END_TEST

/* What was said of the report may be said to bob. */
START_TEST(the_same_words_to_another_mail_are_answered)
{
    const struct form message = {.bare = true, .subject = "Re: [gc-1] A message from bob #60aa580434098ea3"};
    (void)answer(&honest, "Sure, why not? Shall we talk?");
    ck_assert_int_eq(answers(), 1);
    (void)answer(&message, "Sure, why not? Shall we talk?");
    ck_assert_int_eq(answers(), 1);
    for (int again = 1; again >= 0; again--) {
        (void)answer(&message, "Sure, why not? Shall we talk?");
        ck_assert_int_eq(answers(), again);
    }
}
END_TEST

START_TEST(a_slow_one_forty_times_a_day)
{
    house.now += 43200;
    ck_assert_int_eq(puzzled("Ticket", 39, 1801), 39);
    (void)answer(&(struct form){.later = 1801}, "Ticket forty is open");
    told(0, 1, "Until Sun 22 Nov, 00:00 UTC we stay silent");
    ck_assert_int_eq(puzzled("Another", 3, 1801), 0);
    (void)answer(&honest, "undo");
    ck_assert_int_eq(answers(), 1);
    house.now += 10800;
    ck_assert_int_eq(puzzled("A third", 1, 60), 1);
}
END_TEST

/* A token that was forwarded is no mail bomb. */
START_TEST(what_nobody_vouches_for_is_answered_once)
{
    for (int i = 0; i < 20; i++) {
        write_answer(&honest, "explore near");
        mail.p[slice_find(slice_str(&mail), "bh=") + 5] ^= 1;
        (void)house_raw(&house, slice_str(&mail));
    }
    ck_assert_int_eq(answers(), 1);
}
END_TEST

/* Nor is a mail of hers that somebody sends in again and again, with what they like on top. */
START_TEST(a_signed_mail_is_answered_once)
{
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", "mail.test", HOUSE_ADDRESS, "help", house.now, "x\r\n", NULL, 0},
        &mail);
    for (int i = 0; i < 20; i++) {
        struct str again = STR_INIT;
        str_addf(&again, "X-Way: %d\r\n%s", i, mail.p);
        (void)house_raw(&house, slice_str(&again));
        str_release(&again);
    }
    ck_assert_int_eq(answers(), 1);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, whoever_changes_a_word_is_answered);
    tcase_add_test(tc, tickets_have_numbers);
    tcase_add_test(tc, a_ticket_robot_is_answered_three_times);
    tcase_add_test(tc, orders_in_between_begin_the_count_again);
    tcase_add_test(tc, whoever_finds_other_words_is_answered);
    tcase_add_test(tc, the_same_words_to_another_mail_are_answered);
    tcase_add_test(tc, a_slow_one_forty_times_a_day);
    tcase_add_test(tc, what_nobody_vouches_for_is_answered_once);
    tcase_add_test(tc, a_signed_mail_is_answered_once);
}
TEST_MAIN("intake/reply_silence", cases)
