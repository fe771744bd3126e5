/* The log of mails: a line for each, whatever becomes of it. That every mail of every suite has one is looked at
 * in house/house.h. */
#include "intake/verdict.h"

#include "batch/stuck.h"
#include "house/house.h"
#include "play/press.h"

static struct house house;

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
}

static void end(void)
{
    house_close(&house);
}

struct found {
    int count;
    struct catalog_mail last;
};

static int find(void *arg, const struct catalog_mail *mail, struct err *err)
{
    (void)err;
    struct found *found = arg;
    found->count++;
    found->last = *mail;
    return 0;
}

static struct found lines_of(const char *player)
{
    struct err err = ERR_INIT;
    struct found found = {0};
    ck_ok(catalog_each_mail(house.batch.catalog, &(struct catalog_wanted){.player = player}, find, &found,
                            &err),
          err);
    return found;
}

static void take_incoming(struct incoming *incoming, struct reading *reading)
{
    struct err err = ERR_INIT;
    enum intake_fate fate;
    ck_ok(intake_mail(&house.batch, incoming, reading, &fate, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

START_TEST(what_the_server_withholds_waits)
{
    char id[] = "7/12";
    struct incoming incoming = {.id = id, .size = 700, .withheld = true, .raw = STR_INIT};
    struct reading reading = {0};
    take_incoming(&incoming, &reading);
    take_incoming(&incoming, &reading);
    struct found found = lines_of(NULL);
    ck_assert_int_eq(found.count, 1);
    ck_assert_int_eq(found.last.verdict, VERDICT_WAITS);
}
END_TEST

START_TEST(what_fails_waits_and_is_taken_afterwards)
{
    struct err err = ERR_INIT, why = ERR_INIT;
    struct incoming incoming = {.size = 100, .raw = STR_INIT};
    struct reading reading = {0};
    str_adds(&incoming.raw,
             "From: anna@example.net\nTo: " HOUSE_ADDRESS "\nSubject: help\nMessage-ID: <1@x>\n\n");
    reading_make(&reading, &incoming, &house.league);
    (void)err_set(&why, ERR_BROKEN, "a shelf fell down");
    ck_ok(stuck_mail(&house.batch, &incoming, &reading, &why, &err), err);
    struct found found = lines_of("anna");
    ck_assert_int_eq(found.last.verdict, VERDICT_WAITS);
    ck_assert_ptr_nonnull(strstr(found.last.words, "a shelf fell down"));
    take_incoming(&incoming, &reading); /* it is not due yet */
    ck_assert_ptr_nonnull(strstr(lines_of("anna").last.words, "a shelf fell down"));
    house.batch.now += 86400;
    take_incoming(&incoming, &reading);
    found = lines_of("anna");
    ck_assert_int_eq(found.count, 1);
    ck_assert_int_eq(found.last.verdict, VERDICT_TAKEN);
    ck_assert_str_eq(found.last.message_id, "1@x");
    reading_release(&reading);
    str_release(&incoming.raw);
}
END_TEST

/* Whatever signs and signatures look like: by its lines alone. */
START_TEST(grey_press_is_known_before_it_is_opened)
{
    ck_assert(press_hides(slice_of("#turnpost press\ngame: gc-1\nto: bob\nFROM:  Nobody\nhello\n#end\n")));
    ck_assert(!press_hides(slice_of("#turnpost press\ngame: gc-1\nto: bob\nfrom: me\nnobody\n#end\n")));
    ck_assert(!press_hides(slice_of("> #turnpost press\n> from: nobody\n> #end\n#turnpost orders\n#end\n")));
    ck_assert(!press_hides(slice_of("#turnpost press\nto: bob\n#end\nfrom: nobody\n")));
    (void)house_mail(&house, "anna", "anna writes",
                     "#turnpost press\r\ngame: gc-1\r\nfrom: nobody\r\nx\r\n#end\r\n");
    ck_assert_int_eq(lines_of("anna").count, 0);
    struct found found = lines_of(NULL);
    ck_assert(found.last.of_player);
    ck_assert_str_eq(found.last.sender, "");
    ck_assert_str_eq(found.last.subject, "");
}
END_TEST

START_TEST(every_end_has_a_verdict)
{
    for (int fate = INTAKE_PROCESSED; fate <= INTAKE_FAILED; fate++)
        for (int kind = MAIL_PERSON; kind <= MAIL_OWN; kind++)
            for (int bits = 0; bits < 32; bits++) {
                struct verdict verdict;
                const struct verdict_end end = {
                    (enum intake_fate)fate, (enum message_kind)kind, bits & 1, bits & 2, bits & 8, bits & 16};
                verdict_init(&verdict);
                verdict.silence = bits & 4 ? SILENCE_SPENT : SILENCE_NONE;
                enum catalog_verdict got = verdict_of(&verdict, &end);
                ck_assert_int_ge(got, VERDICT_TAKEN);
                ck_assert((got == VERDICT_WAITS) == (fate == INTAKE_KEPT || fate == INTAKE_WAITS));
                ck_assert(got != VERDICT_TAKEN || fate == INTAKE_PROCESSED);
                verdict_release(&verdict);
            }
}
END_TEST

START_TEST(none_is_kept_where_none_is_wanted)
{
    house_option(&house, "[limits]", "mail_log = 0");
    house_restart(&house);
    struct incoming incoming = {.size = 10, .raw = STR_INIT};
    struct reading reading = {0};
    str_adds(&incoming.raw, "From: anna@example.net\nSubject: help\n\n");
    take_incoming(&incoming, &reading);
    ck_assert_int_eq(lines_of(NULL).count, 0);
    reading_release(&reading);
    str_release(&incoming.raw);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, what_the_server_withholds_waits);
    tcase_add_test(tc, what_fails_waits_and_is_taken_afterwards);
    tcase_add_test(tc, grey_press_is_known_before_it_is_opened);
    tcase_add_test(tc, every_end_has_a_verdict);
    tcase_add_test(tc, none_is_kept_where_none_is_wanted);
}

TEST_MAIN("intake/verdict", cases)
