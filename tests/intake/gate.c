/* A mail by which a player without a key does something that the gate refuses (audit/gate.h): all of it is undone, and they are
 * told, though no signature in the mail says whose it is. */
#include "house/answers.h"
#include "house/quoted.h"

#include "batch/stuck.h"
#include "game/apply.h"

static const char *refused;

static int judge(void *arg, const struct game *game, const struct apply_input *input, struct err *err)
{
    struct str line = STR_INIT;
    (void)arg;
    (void)game;
    str_addf(&line, "%s ", input->record->type);
    json_write(&line, input->record->json);
    bool is = strstr(line.p, refused) != NULL;
    str_release(&line);
    return is ? err_set(err, ERR_UNSOUND, "our own audit would refuse it") : 0;
}

/* An answer of Anna's to the last mail that she has. */
static void write_answer(const char *typed, struct incoming *incoming)
{
    struct ours ours;
    struct str body = STR_INIT;
    *incoming = (struct incoming){.raw = STR_INIT};
    ck_assert(find_ours(&ours, NULL));
    str_addf(&body, "%s\r\n", typed);
    add_quote(&body, &ours);
    incoming->arrived = house.batch.now = house.now += 60;
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", "mail.test", ours.to, ours.subject, house.now, body.p, NULL, 0},
        &incoming->raw);
    incoming->size = incoming->raw.len;
    house_empty_spool(&house);
    str_release(&ours.text);
    str_release(&body);
}

/* As a round does it. */
static enum intake_fate work_on(const struct incoming *incoming, struct reading *reading)
{
    struct err err = ERR_INIT;
    enum intake_fate fate;
    ck_ok(batch_begin(&house.batch, &err), err);
    ck_ok(intake_mail(&house.batch, incoming, reading, &fate, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    return fate;
}

START_TEST(who_has_no_key_is_told)
{
    static const char *const rows[][2] = {
        {"\"kind\":\"press\"", "explore near\r\npress bob: Shall we?"},
        {"orders {", "press bob: Shall we?\r\nexplore near"},
        {"\"kind\":\"vote\"", "extend 24\r\nexplore near"},
        {"\"kind\":\"question\"", "explor near"},
    };
    struct err err = ERR_INIT;
    struct incoming incoming;
    struct reading reading = {0};
    (void)write_plain("show", "");
    const int64_t seq = house_find(&house, "gc-1")->seq;
    refused = rows[_i][0];
    house.batch.judge = (struct step_gate){&house, judge, NULL};
    write_answer(rows[_i][1], &incoming);
    for (int i = 0; i < 2; i++) { /* once more, in which it would end no turn */
        struct err why = ERR_INIT;
        enum intake_fate fate;
        ck_ok(batch_begin(&house.batch, &err), err);
        ck_assert_int_eq(intake_mail(&house.batch, &incoming, &reading, &fate, &why), -1);
        ck_assert_int_eq(why.code, ERR_UNSOUND);
        ck_ok(batch_rewind(&house.batch, &err), err);
        ck_assert_int_eq(stuck_mail(&house.batch, &incoming, &reading, &why, &err), 1);
        err_clear(&why);
    }
    ck_assert_int_eq(work_on(&incoming, &reading), INTAKE_FAILED);
    struct ours answer;
    ck_assert_int_eq(find_ours(&answer, "Nothing of your mail was done. A fault of this program"), 1);
    str_release(&answer.text);
    house_told(&house, "bob", 0, NULL);
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
    ck_assert_uint_eq(house.batch.outside.stuck_count, 0);
    reading_release(&reading);
    str_release(&incoming.raw);
}
END_TEST

/* A mail that has led to a record comes again, after a crash or as a copy, and fails: it is not said that nothing was done. While
 * its game cannot be read that is not known, and nobody is told anything. */
START_TEST(what_has_counted_is_not_called_undone)
{
    static const char *const rows[] = {"explore near", "press bob: Shall we?", "extend 24\r\nexplore near"};
    struct err err = ERR_INIT, why = ERR_INIT;
    struct incoming incoming;
    struct reading reading = {0};
    (void)write_plain("show", "");
    write_answer(rows[_i], &incoming);
    ck_assert_int_eq(work_on(&incoming, &reading), INTAKE_PROCESSED);
    house_empty_spool(&house);
    (void)err_set(&why, ERR_UNSOUND, "a fault");
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(stuck_mail(&house.batch, &incoming, &reading, &why, &err), 1);
    ck_ok(batch_begin(&house.batch, &err), err);
    lose_game("gc-1");
    enum intake_fate fate;
    ck_ok(intake_mail(&house.batch, &incoming, &reading, &fate, &err), err);
    ck_assert_int_eq(fate, INTAKE_KEPT);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, false);
    nobody_is_told();
    ck_assert_int_eq(work_on(&incoming, &reading), INTAKE_FAILED);
    struct ours answer;
    ck_assert_int_eq(find_ours(&answer, NULL), 1);
    ck_assert_msg(str_starts(answer.text.p, "Your mail counted when it came first.\n"), "%s", answer.text.p);
    str_release(&answer.text);
    reading_release(&reading);
    str_release(&incoming.raw);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, who_has_no_key_is_told, 0, 4);
    tcase_add_loop_test(tc, what_has_counted_is_not_called_undone, 0, 3);
}
TEST_MAIN("intake/gate", cases)
