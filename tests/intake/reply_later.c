/* Which of two answers of a turn was written later: anna presses Reply to the mails that she gets, on a computer whose clock is
 * right or wrong, through servers that are fast or slow. */
#include "house/answers.h"

#define HOUR 3600
#define DAY  86400

/* A mail of ours to anna. */
struct got {
    char to[99], subject[160]; /* where Reply sends the answer */
    struct str text;
};

static struct got report, receipt;

static void find_field(char *out, size_t size, struct slice raw, const char *name)
{
    struct slice line;
    while (slice_line(&raw, &line))
        if (slice_casestarts(line, name)) {
            line = slice_trim(slice_sub(line, strlen(name), line.len));
            const char *open = memchr(line.p, '<', line.len);
            struct slice value = open ? slice_sub(line, (size_t)(open + 1 - line.p), line.len - 1) : line;
            (void)snprintf(out, size, "%.*s", (int)value.len, value.p);
            return;
        }
    ck_abort_msg("no %s in the mail", name);
}

/* The last mail to her, of which there must be so many, and none is left. */
static void get(struct got *got, int count)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    int found = 0;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing ours;
        struct message msg;
        const char *own[] = {HOUSE_ADDRESS};
        ck_ok(spool_load(house.batch.spool, list.path[i], &ours, &err), err);
        if (strcmp(ours.envelope_to, "anna@mail.test") == 0) {
            found++;
            ck_ok(message_parse(slice_str(&ours.mail), &message_limits_default,
                                &(struct message_identity){own, 1, HOUSE_ADDRESS, 0}, &msg, &err),
                  err);
            find_field(got->to, sizeof got->to, slice_str(&ours.mail), "Reply-To:");
            (void)snprintf(got->subject, sizeof got->subject, "Re: %s", msg.subject);
            str_clear(&got->text);
            str_addslice(&got->text, slice_str(&msg.parts[0].shown));
            message_release(&msg);
        }
        outgoing_release(&ours);
    }
    spool_list_free(&list);
    ck_assert_int_eq(found, count);
    house_empty_spool(&house);
}

/* Her answer, `ahead` seconds by her clock after now. */
static void write_reply(const struct got *got, int64_t ahead, const char *typed)
{
    struct str body = STR_INIT;
    struct slice rest = slice_str(&got->text), line;
    str_addf(&body, "%s\r\n\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n", typed);
    while (slice_line(&rest, &line))
        str_addf(&body, "> %.*s\r\n", (int)line.len, line.p);
    str_clear(&mail);
    domain_letter(&domain,
                  &(struct domain_letter){"anna", "mail.test", got->to, got->subject, house.now + ahead,
                                          body.p, NULL, 0},
                  &mail);
    house.mails++;
    str_release(&body);
}

static void deliver(const struct str *raw)
{
    ck_assert_int_ne(house_raw(&house, slice_str(raw)), INTAKE_KEPT);
}

static void press_reply(const struct got *got, int64_t ahead, const char *typed)
{
    write_reply(got, ahead, typed);
    deliver(&mail);
}

static const struct game_orders *orders(void)
{
    return &house_find(&house, "gc-2")->seat[1].orders;
}

static void in_force(const char *lines)
{
    ck_assert_str_eq(orders()->text.p, lines);
}

/* A game whose turns take days, so that a mail can be late in one. */
static void begin_long(void)
{
    static const char *const names[] = {"anna", "bob"};
    begin();
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = (int64_t)6 * DAY,
                                    .by_mail = true},
                  names);
    str_init(&report.text);
    str_init(&receipt.text);
    get(&report, 1);
    house.now += HOUR;
}

static void end_long(void)
{
    str_release(&report.text);
    str_release(&receipt.text);
    end();
}

/* ---- clocks ---- */

START_TEST(the_last_answer_counts_whatever_it_answers)
{
    struct got second = {.text = STR_INIT};
    press_reply(&report, 0, "explore near");
    get(&receipt, 1);
    house.now += 60;
    press_reply(&receipt, 0, "build");
    in_force("build\n");
    get(&second, 1);
    house.now += 60;
    press_reply(&report, 0, "bide");
    in_force("bide\n");
    house.now += 60;
    press_reply(&second, 0, "explore near\r\nbuild");
    in_force("explore near\nbuild\n");
    house.now += 60;
    press_reply(&receipt, 0, "explore near");
    in_force("explore near\n");
    str_release(&second.text);
}
END_TEST

/* Her computer is two hours ahead; ten minutes later she writes on her telephone. */
START_TEST(a_clock_that_is_ahead_bars_no_correction)
{
    press_reply(&report, 2 * HOUR, "explore near");
    get(&receipt, 1);
    house.now += 600;
    press_reply(_i ? &receipt : &report, 0, "build");
    in_force("build\n");
    house.now += 600;
    press_reply(&report, 2 * HOUR, "bide");
    in_force("bide\n");
}
END_TEST

START_TEST(two_in_one_second_both_come)
{
    press_reply(&report, 0, "explore near");
    press_reply(&report, 0, "build");
    in_force("build\n");
    get(&receipt, 2);
}
END_TEST

/* Her computer is an hour behind, or two days. An answer to the receipt was written after what the receipt is for; and so was one
 * to the mail that refuses the first try. */
START_TEST(a_clock_that_is_behind_bars_no_correction)
{
    const int64_t behind = _i == 1 ? -2 * DAY : -HOUR;
    const char *const told[] = {"written later", "more than a day after it was written"};
    house.now += (int64_t)3 * DAY;
    press_reply(&report, 0, "explore near");
    get(&receipt, 1);
    house.now += 600;
    if (_i < 2) {
        press_reply(&report, behind, "build");
        in_force("explore near\n");
        get(&receipt, 1);
        ck_assert(house_says(receipt.text.p, told[_i]));
        house.now += 600;
    }
    press_reply(&receipt, behind, _i == 1 ? "ok" : "build");
    in_force("build\n");
}
END_TEST

/* ---- servers ---- */

/* One server is turned away at first and tries again; her telephone's mail takes another way. */
START_TEST(a_slow_server_reverses_nothing)
{
    struct str slow = STR_INIT;
    write_reply(&report, 0, "explore near");
    str_addslice(&slow, slice_str(&mail));
    house.now += 300;
    press_reply(&report, 0, "build");
    get(&receipt, 1);
    house.now += 900;
    deliver(&slow);
    in_force("build\n");
    get(&receipt, 1);
    ck_assert(house_says(receipt.text.p, "written later"));
    house.now += 60;
    press_reply(&receipt, 0, "explore near"); /* as that mail says */
    in_force("explore near\n");
    str_release(&slow);
}
END_TEST

/* More than a day on its way: it may be one that she has given up, which somebody else sends in now. */
START_TEST(an_old_mail_asks)
{
    struct str old = STR_INIT;
    write_reply(&report, 0, "build");
    str_addslice(&old, slice_str(&mail));
    if (_i) {
        house.now += _i == 1 ? -HOUR / 2 : HOUR;
        press_reply(&report, 0, "explore near");
        get(&receipt, 1);
    }
    house.now += DAY + HOUR;
    deliver(&old);
    if (_i)
        in_force("explore near\n");
    else
        ck_assert(!orders()->in);
    get(&receipt, 1);
    ck_assert(house_says(receipt.text.p, "so nothing has been done yet"));
    ck_assert(house_says(receipt.text.p, "more than a day after it was written"));
    house.now += HOUR;
    press_reply(&receipt, 0, "ok");
    in_force("build\n");
    str_release(&old);
}
END_TEST

START_TEST(a_day_is_not_late)
{
    write_reply(&report, 0, "build");
    house.now += DAY;
    deliver(&mail);
    in_force("build\n");
}
END_TEST

/* The league was not at work for three days: the mail was in its mailbox all the time. */
START_TEST(a_league_that_was_away_asks_nobody)
{
    struct err err = ERR_INIT;
    enum intake_fate fate;
    struct incoming incoming = {.id = NULL, .arrived = house.now + 2, .raw = STR_INIT};
    struct reading reading = {0};
    write_reply(&report, 0, "build");
    str_addslice(&incoming.raw, slice_str(&mail));
    incoming.size = mail.len;
    house.now += 3 * DAY;
    house.batch.now = house.now;
    ck_ok(intake_mail(&house.batch, &incoming, &reading, &fate, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    in_force("build\n");
    reading_release(&reading);
    str_release(&incoming.raw);
}
END_TEST

/* A server delivers it twice, two days apart, the second time with other fields on top. */
START_TEST(a_copy_asks_nobody)
{
    struct str again = STR_INIT;
    press_reply(&report, 0, "explore near");
    get(&receipt, 1);
    str_addf(&again, "%s%s", _i ? "Received: by mx2.example.org\r\n" : "", mail.p);
    house.now += 2 * DAY;
    deliver(&again);
    nobody_is_told();
    press_reply(&receipt, 0, "build");
    house_empty_spool(&house);
    deliver(&again);
    nobody_is_told();
    in_force("build\n");
    str_release(&again);
}
END_TEST

/* What she is asked is about the mail that asks, whichever she answered: after other orders "ok" takes it, too. */
START_TEST(a_question_after_other_orders)
{
    press_reply(&report, 0, "explore near");
    house.now += 60;
    house_empty_spool(&house);
    press_reply(&report, 0, "buidl");
    in_force("explore near\n");
    get(&receipt, 1);
    house.now += 60;
    press_reply(&receipt, 0, "ok");
    in_force("build\n");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin_long, end_long);
    tcase_add_test(tc, the_last_answer_counts_whatever_it_answers);
    tcase_add_loop_test(tc, a_clock_that_is_ahead_bars_no_correction, 0, 2);
    tcase_add_test(tc, two_in_one_second_both_come);
    tcase_add_loop_test(tc, a_clock_that_is_behind_bars_no_correction, 0, 3);
    tcase_add_test(tc, a_slow_server_reverses_nothing);
    tcase_add_loop_test(tc, an_old_mail_asks, 0, 3);
    tcase_add_test(tc, a_day_is_not_late);
    tcase_add_test(tc, a_league_that_was_away_asks_nobody);
    tcase_add_loop_test(tc, a_copy_asks_nobody, 0, 2);
    tcase_add_test(tc, a_question_after_other_orders);
}
TEST_MAIN("intake/reply_later", cases)
