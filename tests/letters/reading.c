/* Mails that are looked into before it is their turn. */
#include "house/house.h"

static struct house house;
static const char *const table[] = {"anna", "bob"};
static const char orders[] = "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n";

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

static void make_spare(struct reading *reading, struct incoming *mail, bool spare, const char *text)
{
    *reading = (struct reading){.spare = spare};
    *mail = (struct incoming){.arrived = house.now, .raw = STR_INIT};
    str_addf(&mail->raw, "From: anna@example.net\r\nTo: " HOUSE_ADDRESS "\r\nMessage-ID: <%d@x>\r\n\r\n%s",
             ++house.mails, text);
    reading_make(reading, mail, &house.league);
}

static void make(struct reading *reading, struct incoming *mail, const char *from, const char *text)
{
    *reading = (struct reading){0};
    *mail = (struct incoming){.arrived = house.now, .raw = STR_INIT};
    str_addf(&mail->raw, "From: %s\r\nTo: " HOUSE_ADDRESS "\r\nSubject: x\r\nMessage-ID: <%d@x>\r\n\r\n%s",
             from, ++house.mails, text);
    mail->size = mail->raw.len;
    reading_make(reading, mail, &house.league);
    reading_make(reading, mail, &house.league); /* once is enough */
    ck_assert(reading->made);
}

static enum intake_fate take(struct reading *reading, struct incoming *mail)
{
    struct err err = ERR_INIT;
    enum intake_fate fate;
    ck_ok(intake_mail(&house.batch, mail, reading, &fate, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    reading_release(reading);
    str_release(&mail->raw);
    ck_assert(!reading->made && !reading->envelopes);
    return fate;
}

static void set_key(const struct secret *secret)
{
    struct err err = ERR_INIT;
    struct pubkey key;
    secret_public(secret, &key);
    ck_ok(keyring_set(&house.batch.keyring, "anna", &key, 1, &err), err);
}

/* The key counts that is hers when the mail's turn comes, whatever was found out before. */
START_TEST(a_key_that_is_replaced_meanwhile)
{
    struct reading early, late;
    struct incoming first, second;
    struct secret other;
    struct str body = STR_INIT;
    house_sign(&house, "anna", orders, &body);
    make(&early, &first, "anna@example.net", body.p);
    ck_assert_uint_eq(early.envelope_count, 1);
    ck_assert_uint_eq(early.envelopes[0].good, 1);
    secret_new(&other);
    set_key(&other);
    ck_assert_int_eq(take(&early, &first), INTAKE_REJECTED);
    house_told(&house, "anna", 1, "does not know");
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.in);
    set_key(house_key(&house, "anna"));
    make(&late, &second, "anna@example.net", body.p);
    ck_assert_int_eq(take(&late, &second), INTAKE_PROCESSED);
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.in);
    str_release(&body);
}
END_TEST

/* A key that somebody else has is not made hers by a mail that bears her name. */
START_TEST(a_good_signature_of_another_seat)
{
    struct reading reading;
    struct incoming mail;
    struct str body = STR_INIT;
    house_sign(&house, "bob", orders, &body);
    make(&reading, &mail, "anna@example.net", body.p);
    ck_assert_uint_eq(reading.envelopes[0].good, 1);
    ck_assert_int_eq(take(&reading, &mail), INTAKE_PROCESSED);
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.in);
    ck_assert(house_find(&house, "gc-1")->seat[2].orders.in);
    str_release(&body);
}
END_TEST

/* Mails that get no answer are not searched for texts; unreadable ones say why. */
START_TEST(what_is_not_searched)
{
    struct reading reading;
    struct incoming mail;
    struct str big = STR_INIT;
    make(&reading, &mail, HOUSE_ADDRESS, orders);
    ck_assert_int_eq(reading.msg.kind, MAIL_OWN);
    ck_assert_uint_eq(reading.unsigned_frames, 0);
    ck_assert_int_eq(take(&reading, &mail), INTAKE_REJECTED);
    make(&reading, &mail, "anna@example.net", orders);
    ck_assert_uint_eq(reading.unsigned_frames, 1);
    ck_assert_int_eq(take(&reading, &mail), INTAKE_REJECTED);
    house_told(&house, "anna", 1, "no signature");
    while (big.len <= (size_t)house.league.config.limits.mail_size)
        str_adds(&big, orders);
    make(&reading, &mail, "anna@example.net", big.p);
    ck_assert(reading.unreadable && reading.why);
    ck_assert_int_eq(take(&reading, &mail), INTAKE_REJECTED);
    str_release(&big);
}
END_TEST

/* More signatures and texts than a mail may have: none of them counts, and the sender is told.
 */
START_TEST(a_flood_is_answered)
{
    struct reading reading;
    struct incoming mail;
    struct str body = STR_INIT;
    for (int i = 0; i < 60; i++) { /* like the beginning of a signature, whose rest is looked for far ahead */
        str_adds(&body, "RWQ\n");
        for (int k = 0; k < 4000; k++)
            str_addc(&body, ' ');
    }
    for (int i = 0; i < 8; i++) {
        char text[] = "0\n";
        text[0] = (char)('0' + i);
        sshsig_sign(&body, house_key(&house, "anna")->key, NS_ORDERS, slice_of(text));
    }
    house_sign(&house, "anna", orders, &body);
    make(&reading, &mail, "anna@example.net", body.p);
    ck_assert_int_eq(take(&reading, &mail), INTAKE_REJECTED);
    house_told(&house, "anna", 1, "this mail has too many");
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.in);
    str_release(&body);
}
END_TEST

/* In a run that has spent its purse a mail may take less, and waits if that does not do: nothing of it is answered or done before. */
START_TEST(what_takes_long_waits_for_a_run_with_time)
{
    struct reading reading;
    struct incoming mail;
    struct str body = STR_INIT;
    house_sign(&house, "anna", orders, &body);
    for (int i = 1; i < ENVELOPES_MAX; i++) {
        char text[] = "A\n";
        text[0] = (char)('A' + i);
        str_adds(&body, "#turnpost orders\nbide\n#end\n");
        sshsig_sign(&body, house_key(&house, "anna")->key, NS_ORDERS, slice_of(text));
    }
    for (int spare = 1; spare >= 0; spare--) {
        make_spare(&reading, &mail, spare, body.p);
        ck_assert(reading_is_dear(&reading) == (spare == 1));
        ck_assert_int_eq(take(&reading, &mail), spare ? INTAKE_KEPT : INTAKE_PROCESSED);
        ck_assert(house_find(&house, "gc-1")->seat[1].orders.in == !spare);
        if (spare)
            house_told(&house, "anna", 0, NULL);
    }
    /* Orders alone take much less. */
    make_spare(&reading, &mail, true, orders);
    ck_assert(!reading_is_dear(&reading) && reading_cost(&reading) < WORK_SPARE / 4);
    ck_assert_int_eq(take(&reading, &mail), INTAKE_REJECTED);
    str_release(&body);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_flood_is_answered);
    tcase_add_test(tc, what_takes_long_waits_for_a_run_with_time);
    tcase_add_test(tc, a_key_that_is_replaced_meanwhile);
    tcase_add_test(tc, a_good_signature_of_another_seat);
    tcase_add_test(tc, what_is_not_searched);
}
TEST_MAIN("letters/reading", cases)
