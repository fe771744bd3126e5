#include "mail/order.h"

#include <stdio.h>

#include "base/file.h"
#include "base/mem.h"
#include "mail/sink.h"
#include "scratch.h"
#include "suite.h"

/* Which mails of a spool may leave, and when. */

#define NOW    1700000000
#define MINUTE 60
#define HOUR   3600

static char dir[SCRATCH_PATH];

static void setup(void)
{
    struct err err = ERR_INIT;
    scratch_make(dir, "order");
    ck_ok(spool_init(dir, &err), err);
}

static void teardown(void)
{
    scratch_remove(dir);
}

static void stage(struct outgoing *mail, const char *id, const char *to)
{
    struct err err = ERR_INIT;
    mail->id = mem_strdup(id);
    mail->envelope_from = mem_strdup("");
    mail->envelope_to = mem_strdup(to);
    str_adds(&mail->mail, "Subject: x\r\n\r\nx\r\n");
    ck_ok(spool_stage(dir, mail, &err), err);
    ck_ok(spool_promote_mail(dir, mail, &err), err);
    outgoing_release(mail);
}

/* A mail whose place counts. `until`: as in struct outgoing. */
static void queue(const char *id, const char *to, int64_t until)
{
    struct outgoing mail = OUTGOING_INIT;
    mail.ordered = true;
    mail.until = until;
    stage(&mail, id, to);
}

/* How the tries of mails end, and which have ended. */
struct ends {
    const char *later; /* the ids that are put off, blanks around; `alone` by their text */
    bool alone;
    struct str seen; /* ids in the order of their tries */
};

static bool is_named(const char *list, const char *id)
{
    struct str word = STR_INIT;
    str_addf(&word, " %s ", id);
    bool is = list && strstr(list, word.p);
    str_release(&word);
    return is;
}

/* One round, everything that may be tried; how many were held. */
static size_t round_at(int64_t now, struct ends *ends)
{
    struct err err = ERR_INIT;
    struct order order;
    size_t index;
    bool gave_up;
    ck_ok(order_read(dir, now, &order, &err), err);
    while (order_take(&order, &index)) {
        char *id = spool_id(order.list.path[index]);
        enum spool_fate fate = !is_named(ends->later, id) ? SPOOL_SENT
                               : ends->alone              ? SPOOL_LATER_ALONE
                                                          : SPOOL_LATER;
        const struct spool_try one = {fate, "", now, 10 * HOUR};
        str_addf(&ends->seen, "%s%s", ends->seen.len ? " " : "", id);
        ck_ok(spool_settle(dir, order.list.path[index], &one, &gave_up, &err), err);
        order_done(&order, index, fate);
        free(id);
    }
    size_t held = order.held;
    order_free(&order);
    return held;
}

#define ck_round(now, later_ids, by_text, want, want_held)                           \
    do {                                                                             \
        struct ends ends = {.later = later_ids, .alone = by_text, .seen = STR_INIT}; \
        size_t held = round_at(now, &ends);                                          \
        ck_assert_str_eq(ends.seen.p, want);                                         \
        ck_assert_uint_eq(held, want_held);                                          \
        str_release(&ends.seen);                                                     \
    } while (0)

START_TEST(one_after_the_other_in_a_row)
{
    struct err err = ERR_INIT;
    struct order order;
    size_t first, other, none;
    queue("g.9.1", "anna@x", 0);
    queue("g.10.1", "anna@x", 0);
    queue("g.10.2", "bob@x", 0);
    ck_ok(order_read(dir, NOW, &order, &err), err);
    ck_assert(order_take(&order, &first));
    ck_assert_str_eq(order.list.path[first], "new/g.9.1.eml");
    ck_assert(order_take(&order, &other));
    ck_assert_str_eq(order.list.path[other], "new/g.10.2.eml");
    ck_assert(!order_take(&order, &none));
    ck_assert_uint_eq(order.in_hand, 2);
    order_done(&order, first, SPOOL_SENT);
    ck_assert(order_take(&order, &first));
    ck_assert_str_eq(order.list.path[first], "new/g.10.1.eml");
    order_done(&order, first, SPOOL_SENT);
    order_done(&order, other, SPOOL_SENT);
    ck_assert(!order_take(&order, &none));
    ck_assert_uint_eq(order.in_hand + order.held, 0);
    order_free(&order);
}
END_TEST

START_TEST(what_is_put_off_is_waited_for)
{
    queue("g.1.1", "anna@x", 0);
    queue("g.2.1", "anna@x", 0);
    queue("g.3.1", "anna@x", NOW + 13 * HOUR);
    queue("h.1.1", "anna@x", 0);
    ck_round(NOW, " g.1.1 ", false, "g.1.1 h.1.1", 2);
    ck_round(NOW + MINUTE, NULL, false, "", 2);
    /* It left at its next try, and the others after it in the same round. */
    ck_round(NOW + 5 * MINUTE, NULL, false, "g.1.1 g.2.1 g.3.1", 0);
}
END_TEST

START_TEST(nobody_waits_longer_than_a_quarter_of_an_hour)
{
    queue("g.1.1", "anna@x", 0);
    queue("g.2.1", "anna@x", 0);
    ck_round(NOW, " g.1.1 ", false, "g.1.1", 1);
    ck_round(NOW + 5 * MINUTE, " g.1.1 ", false, "g.1.1", 1);
    ck_round(NOW + 15 * MINUTE - 1, NULL, false, "", 1);
    /* Put off once more, and what comes after it leaves all the same. */
    ck_round(NOW + 15 * MINUTE, " g.1.1 ", false, "g.1.1 g.2.1", 0);
}
END_TEST

START_TEST(what_is_urgent_waits_for_nothing)
{
    queue("g.1.1", "anna@x", 0);
    queue("g.2.1", "anna@x", 1);               /* asked for */
    queue("g.3.1", "anna@x", NOW + 12 * HOUR); /* a deadline */
    queue("g.4.1", "anna@x", 0);
    ck_round(NOW, " g.1.1 ", false, "g.1.1 g.2.1 g.3.1", 1);
    queue("g.5.1", "anna@x", NOW + 12 * HOUR + 5 * MINUTE);
    ck_round(NOW + MINUTE, NULL, false, "", 2);
    ck_round(NOW + 5 * MINUTE, " g.1.1 ", false, "g.1.1 g.5.1", 1);
}
END_TEST

START_TEST(what_is_put_off_for_its_text_holds_nobody)
{
    queue("g.1.1", "anna@x", 0);
    queue("g.2.1", "anna@x", 0);
    ck_round(NOW, " g.1.1 ", true, "g.1.1 g.2.1", 0);
    queue("g.3.1", "anna@x", 0);
    ck_round(NOW + MINUTE, NULL, false, "g.3.1", 0);
    /* At the next try the server does not even take its recipient. */
    queue("g.4.1", "anna@x", 0);
    ck_round(NOW + 5 * MINUTE, " g.1.1 ", false, "g.1.1", 1);
}
END_TEST

START_TEST(a_round_that_was_cut_short_changes_nothing)
{
    struct err err = ERR_INIT;
    struct order order;
    size_t index;
    queue("g.1.1", "anna@x", 0);
    queue("g.2.1", "anna@x", 0);
    ck_round(NOW, " g.1.1 ", false, "g.1.1", 1);
    ck_ok(order_read(dir, NOW + 5 * MINUTE, &order, &err), err);
    ck_assert(order_take(&order, &index)); /* and no answer */
    order_free(&order);
    ck_round(NOW + 6 * MINUTE, NULL, false, "g.1.1 g.2.1", 0);
}
END_TEST

START_TEST(what_is_past_is_dropped)
{
    struct err err = ERR_INIT;
    struct sink_counts counts;
    struct sink sink = {.kind = SINK_SENDMAIL, .command = "/bin/sh -c 'exit 75'", .expire = 10 * HOUR};
    struct outgoing reminder = OUTGOING_INIT, later = OUTGOING_INIT;
    reminder.ordered = later.ordered = true;
    reminder.past = NOW + HOUR;
    later.past = NOW + 2 * HOUR;
    stage(&reminder, "g.1.1", "anna@x");
    stage(&later, "g.2.1", "anna@x");
    queue("g.3.1", "anna@x", 0);
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = dir, .now = NOW}, &counts, &err), err);
    ck_assert_uint_eq(counts.later, 1);
    ck_assert_uint_eq(counts.held, 2);
    /* It has not left before its deadline; the others wait for it no more. */
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = dir, .now = NOW + HOUR}, &counts, &err), err);
    ck_assert_uint_eq(counts.dropped, 1);
    ck_assert_uint_eq(counts.later, 1);
    ck_assert_uint_eq(counts.held, 1);
}
END_TEST

/* The turn was played, or got more time, before its reminder could leave: a mail behind it says so. */
START_TEST(what_is_overtaken_is_dropped)
{
    struct outgoing reminder = OUTGOING_INIT, other = OUTGOING_INIT, report = OUTGOING_INIT,
                    same = OUTGOING_INIT;
    struct order order;
    struct err err = ERR_INIT;
    reminder.ordered = other.ordered = report.ordered = same.ordered = true;
    reminder.past = other.past = reminder.until = other.until = same.until = NOW + HOUR;
    report.until = NOW + 25 * HOUR;
    stage(&reminder, "g.1.1", "anna@x");
    stage(&report, "g.3.1", "anna@x");
    stage(&other, "g.1.2", "bob@x"); /* has a reminder and news of the same turn */
    stage(&same, "g.2.2", "bob@x");
    ck_ok(order_read(dir, NOW, &order, &err), err);
    ck_assert_uint_eq(order.list.count, 4);
    for (size_t i = 0; i < order.list.count; i++)
        ck_assert_int_eq(order_is_past(&order, i), strstr(order.list.path[i], "g.1.1") != NULL);
    order_free(&order);
    ck_round(NOW, NULL, false, "g.1.2 g.3.1 g.2.2", 0);
}
END_TEST

/* Digests, and answers of no record. */
START_TEST(others_are_in_no_row)
{
    struct outgoing old = OUTGOING_INIT;
    stage(&old, "g.1.1", "anna@x");
    queue("g.2.1", "anna@x", 0);
    queue("mail.0123456789abcdef.0", "anna@x", 0);
    ck_round(NOW, " g.1.1 mail.0123456789abcdef.0 ", false, "g.1.1 g.2.1 mail.0123456789abcdef.0", 0);
}
END_TEST

START_TEST(a_command_gets_them_in_order)
{
    struct err err = ERR_INIT;
    struct sink_counts counts;
    struct sink sink = {.kind = SINK_SENDMAIL, .command = "/bin/sh -c 'exit 75'", .expire = 10 * HOUR};
    queue("g.1.1", "anna@x", 0);
    queue("g.2.1", "anna@x", 0);
    queue("g.2.2", "bob@x", 0);
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = dir, .now = NOW}, &counts, &err), err);
    ck_assert_uint_eq(counts.later, 2);
    ck_assert_uint_eq(counts.held, 1);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, one_after_the_other_in_a_row);
    tcase_add_test(tc, what_is_put_off_is_waited_for);
    tcase_add_test(tc, nobody_waits_longer_than_a_quarter_of_an_hour);
    tcase_add_test(tc, what_is_urgent_waits_for_nothing);
    tcase_add_test(tc, what_is_put_off_for_its_text_holds_nobody);
    tcase_add_test(tc, a_round_that_was_cut_short_changes_nothing);
    tcase_add_test(tc, what_is_past_is_dropped);
    tcase_add_test(tc, what_is_overtaken_is_dropped);
    tcase_add_test(tc, others_are_in_no_row);
    tcase_add_test(tc, a_command_gets_them_in_order);
}
TEST_MAIN("mail/order", cases)
