/* The last lines of each mail: whom a person can ask ([league] contact), and until when there are no answers. */
#include "house/house.h"

#define CONTACT "help@people.example"
#define LINE    "Questions? A person answers: " CONTACT

static struct house house;
static const char *const table[] = {"anna", "bob"};

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "registration = open");
    house_option(&house, "[limits]", "stranger_replies = 2");
    house_player(&house, "anna");
    house_player(&house, "bob");
    struct err err = ERR_INIT;
    struct player anna = *registry_find(&house.batch.registry, "anna");
    anna.html = true;
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "prefs", .player = &anna}, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

static void end(void)
{
    house_close(&house);
}

static int times_in(const char *text, const char *words)
{
    int count = 0;
    for (; *text; text++)
        count += strncmp(text, words, strlen(words)) == 0;
    return count;
}

/* Looks at both forms of each mail in the spool: how many times each says so. Returns the number of mails. */
static int each_says(const char *words, int times)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    int count = 0;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++, count++) {
        struct outgoing mail;
        struct message msg;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default, &(struct message_identity){0},
                            &msg, &err),
              err);
        for (size_t part = 0; part < msg.part_count; part++)
            if (!*msg.parts[part].name)
                ck_assert_msg(times_in(msg.parts[part].shown.p, words) == times, "%s, %s:\n%s", msg.subject,
                              msg.parts[part].type, msg.parts[part].shown.p);
        message_release(&msg);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    house_empty_spool(&house);
    return count;
}

/* A welcome, a receipt, a report, a reminder, answers to players and strangers. */
static int all_mails(int times)
{
    int count = 0;
    house_game(&house, "gc-1", "galaxy-command", 2 * 86400, 2, table);
    count += each_says(LINE, times);
    (void)house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n");
    count += each_says(LINE, times);
    house_clock(&house, house.now + 2 * 86400 - 3600);
    count += each_says(LINE, times);
    house_clock(&house, house.now + 3600);
    count += each_says(LINE, times);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: no\n#end\n");
    (void)house_mail(&house, "anna", "help", "");
    (void)house_mail(&house, "bob", "hello", "");
    (void)house_mail(&house, "zoe", "register", "");
    (void)house_mail(&house, "mia", "rules galaxy-command", ""); /* it is cut */
    count += each_says(LINE, times);
    (void)house_signed(&house, "anna", "anna", "#turnpost resend\ngame: gc-1\n#end\n");
    return count + each_says(LINE, times);
}

START_TEST(each_mail_names_a_person)
{
    house_option(&house, "[league]", "contact = " CONTACT);
    house_restart(&house);
    ck_assert_int_eq(all_mails(1), 12);
}
END_TEST

START_TEST(no_mail_does_where_none_is_named)
{
    house_restart(&house);
    ck_assert_int_eq(all_mails(0), 12);
}
END_TEST

/* The last answer of a day says so, with the person; also where the rest is cut. */
START_TEST(the_last_answer_says_so)
{
    house_option(&house, "[league]", "contact = https://people.example/help");
    house_restart(&house);
    (void)house_mail(&house, "zoe", "help", "");
    ck_assert_int_eq(each_says("This is our last answer", 0), 1);
    (void)house_mail(&house, "zoe", "rules galaxy-farmer", "");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "zoe", &told), 1);
    ck_assert_msg(house_says(told.p, "This is our last answer to this address until Sat 21 Nov, 00:00 UTC"),
                  "%s", told.p);
    ck_assert(house_says(told.p, "A person answers: https://people.example/help"));
    str_release(&told);
    ck_assert_int_eq(each_says("https://people.example/help", 1), 1);
    (void)house_mail(&house, "zoe", "help", "");
    house_told(&house, "zoe", 0, NULL);
}
END_TEST

/* What an answer says has a limit, too. */
START_TEST(a_mail_that_is_too_large_hears_how_large_it_may_be)
{
    struct err err = ERR_INIT;
    struct reading reading = {0};
    enum intake_fate fate;
    house_restart(&house);
    struct incoming incoming = {.arrived = house.now, .size = 5 << 20, .oversize = true, .raw = STR_INIT};
    str_adds(&incoming.raw, "From: anna@example.net\r\nTo: " HOUSE_ADDRESS "\r\nSubject: x\r\n\r\n");
    ck_ok(intake_mail(&house.batch, &incoming, &reading, &fate, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_told(&house, "anna", 1, "this league reads mails of at most 1048576 bytes");
    reading_release(&reading);
    str_release(&incoming.raw);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, each_mail_names_a_person);
    tcase_add_test(tc, no_mail_does_where_none_is_named);
    tcase_add_test(tc, the_last_answer_says_so);
    tcase_add_test(tc, a_mail_that_is_too_large_hears_how_large_it_may_be);
}
TEST_MAIN("letters/foot", cases)
