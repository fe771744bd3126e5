/* A league that lost what came after a copy, or says so, against the mails of one of its players: what the record
 * "restored" accounts for, and what it does not. */
#include "house/mailbox.h"

#include "batch/restored.h"
#include "league/log_copy.h"

#define HOUR ((int64_t)3600)

static char *copy; /* of the league, when turn 3 was open */

/* Of the league as it is now. */
static void make_copy(void)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s-copy", house.dir);
    free(copy);
    copy = path.p;
    house_end(&house);
    scratch_remove(copy);
    scratch_copy(house.dir, copy);
    house_begin(&house);
}

static void begin_with_copy(void)
{
    copy = NULL;
    begin();
    for (int turn = 1; turn <= 2; turn++) {
        order("anna", turn, "explore near\n");
        order("bob", turn, "explore near\nresearch robots\n");
    }
    keep_mails();
    make_copy();
    house.now += HOUR;
}

static void end_with_copy(void)
{
    scratch_remove(copy);
    free(copy);
    end();
}

/* What happens to be lost: both orders of turn 3, and its report. */
static void play_on(const char *anna, const char *bob)
{
    house.now += HOUR;
    order("anna", 3, anna);
    keep_mails();
    house.now += HOUR;
    order("bob", 3, bob);
    keep_mails();
}

/* The league is the copy again; `says`: by its own word. */
static void goes_back(bool says, int64_t made)
{
    struct err err = ERR_INIT;
    house_end(&house);
    scratch_remove(house.dir);
    scratch_copy(copy, house.dir);
    house.now += HOUR;
    json_t *games = json_pack("{s:i}", "gc-1", 1000);
    if (says) { /* as `turnpost restore` does */
        ck_ok(restored_write(house.dir, made, games, &err), err);
        ck_ok(league_open(house.dir, true, &house.league, &err), err);
        ck_ok(log_copy_begin(&house.league, house.now, &err), err);
        league_close(&house.league);
        house_remove_catalog(&house);
    }
    json_decref(games);
    house_begin(&house);
    ck_ok(restored_work(&house.batch, &err), err);
    keep_mails();
}

/* The digests of state and events of the last turn. */
static char *result(void)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT, out = STR_INIT;
    struct slice rest, line, last = {NULL, 0};
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    rest = slice_str(&lines);
    while (slice_line(&rest, &line))
        if (slice_find(line, "\"type\":\"turn\"") != (size_t)-1)
            last = line;
    json_t *json = json_loadb(last.p, last.len, 0, NULL);
    str_addf(&out, "%s %s %lld", json_string_value(json_object_get(json, "state")),
             json_string_value(json_object_get(json, "events")),
             (long long)json_integer_value(json_object_get(json, "turn")));
    json_decref(json);
    str_release(&lines);
    return out.p;
}

#define ANNA "explore near or bide\n"
#define BOB  "explore near\n"

/* Three mails of anna's show records that are gone: her receipt, and the report of turn 3. */
START_TEST(an_honest_loss_is_named)
{
    int64_t made = house.now - HOUR;
    play_on(ANNA, BOB);
    char *before = result();
    goes_back(true, made);
    play_on(ANNA, BOB); /* their mails are read again */
    char *after = result();
    ck_assert_str_eq(before, after); /* the same orders, the same turn */
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts_lost(&receipts, 0), 3);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_FORK), 0);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_DROPPED), 0);
    ck_assert_ptr_nonnull(
        strstr(first(RECEIPTS_RESTORED)->text, "which is gone: it says that it was restored at"));
    bool report;
    ck_assert_ptr_nonnull(receipts_last(&receipts, 0, &report));
    ck_assert(report); /* what is compared with the others is a report that holds */
    let_go();
    free(before);
    free(after);
    play_to_the_end();
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts_lost(&receipts, 0), 3);
    let_go();
}
END_TEST

/* The operator takes a turn back and calls it a loss: others' orders in it, or without hers. */
START_TEST(an_undone_turn_is_counted)
{
    play_on(ANNA, BOB);
    char *before = result();
    goes_back(true, house.now);
    play_on(ANNA, "bide\n");
    char *after = result();
    ck_assert_str_ne(before, after);
    ck_assert_int_eq(hold(), RECEIPTS_WRONG); /* no copy made now lacks what was mailed hours ago */
    ck_assert_uint_gt(receipts_count(&receipts, RECEIPTS_FORK), 0);
    let_go();
    free(before);
    free(after);
}
END_TEST

START_TEST(and_so_it_is_with_a_likely_time)
{
    int64_t made = house.now - HOUR;
    play_on(ANNA, BOB);
    goes_back(true, made);
    play_on(ANNA, "bide\n");
    ck_assert_int_eq(hold(),
                     RECEIPTS_ASK); /* the words of the two reports differ: that is for people to see */
    ck_assert_uint_eq(receipts_lost(&receipts, 0), 3);
    let_go();
}
END_TEST

START_TEST(orders_with_a_receipt_have_to_come_back)
{
    int64_t made = house.now - HOUR;
    play_on(ANNA, BOB);
    goes_back(true, made);
    ck_assert_int_eq(hold(), RECEIPTS_ASK); /* not yet */
    let_go();
    order("bob", 3, BOB);
    house_clock(&house, house.now + 3 * 86400);
    keep_mails();
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 4);
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_ptr_nonnull(
        strstr(first(RECEIPTS_DROPPED)->text, "in no record, which says that the seat missed"));
    let_go();
}
END_TEST

/* A machine may be lost twice, and the older copy knows nothing of the first time: it is counted, and said. */
START_TEST(a_second_time_is_said)
{
    int64_t made = house.now - HOUR;
    play_on(ANNA, BOB);
    goes_back(true, made);
    play_on("bide\n", BOB);
    goes_back(true, made); /* the record is made anew: the first one is gone with what came after it */
    play_on("explore far or bide\n", BOB);
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_FORK), 0);
    bool said = false;
    for (size_t i = 0; i < receipts.finding_count; i++)
        said |= strstr(receipts.finding[i].text, "more often than the journal says") != NULL;
    ck_assert(said);
    let_go();
}
END_TEST

START_TEST(without_the_word_nothing_is_explained)
{
    play_on(ANNA, BOB);
    goes_back(false, 0);
    play_on(ANNA, BOB);
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_RESTORED), 0);
    let_go();
}
END_TEST

/* What came after the record is not what was lost. */
START_TEST(a_later_fork_is_one)
{
    int64_t made = house.now - HOUR;
    goes_back(true, made);
    house_end(&house);
    scratch_remove(copy);
    scratch_copy(house.dir, copy);
    house_begin(&house);
    play_on(ANNA, BOB);
    goes_back(false, 0);
    play_on("bide\n", BOB);
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_uint_gt(receipts_count(&receipts, RECEIPTS_FORK), 0);
    let_go();
}
END_TEST

/* Orders for a turn that was opened in what is lost name a report that nobody has any more. */
START_TEST(orders_that_answer_what_was_lost)
{
    int64_t made = house.now - HOUR;
    play_on(ANNA, BOB);
    order("anna", 4, "bide\n");
    keep_mails();
    goes_back(true, made);
    play_on(ANNA, BOB);
    house_clock(&house, house.now + 3 * 86400);
    keep_mails();
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts_lost(&receipts, 0), 4);
    bool said = false;
    for (size_t i = 0; i < receipts.finding_count; i++)
        said |= strstr(receipts.finding[i].text, "they answer a report that was lost too") != NULL;
    ck_assert(said);
    let_go();
}
END_TEST

/* The copy has older orders of hers, or these alone are read again: they are not what replaced the others. */
START_TEST(older_orders_do_not_stand_for_newer_ones)
{
    order("anna", 3, "bide\n");
    keep_mails();
    make_copy();
    int64_t made = house.now;
    play_on(ANNA, BOB);
    goes_back(true, made);
    order("bob", 3, BOB);
    keep_mails();
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 4);
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_DROPPED), 1);
    let_go();
}
END_TEST

START_TEST(nor_if_they_were_lost_as_well)
{
    struct str older = STR_INIT;
    int64_t made = house.now;
    order("anna", 3, "bide\n");
    str_addslice(&older, slice_str(&house.last_raw));
    keep_mails();
    play_on(ANNA, BOB);
    goes_back(true, made);
    (void)house_raw(&house, slice_str(&older));
    order("bob", 3, BOB);
    keep_mails();
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 4);
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_DROPPED), 1);
    let_go();
    str_release(&older);
}
END_TEST

START_TEST(later_ones_do)
{
    int64_t made = house.now;
    play_on(ANNA, BOB);
    goes_back(true, made);
    play_on("bide\n", BOB);
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_DROPPED), 0);
    let_go();
}
END_TEST

/* The turn is closed without her, in fewer records, and the loss is put after that: the receipt is of a turn that
 * the copy had closed. */
START_TEST(no_loss_takes_orders_for_a_closed_turn)
{
    int64_t begun = house.now;
    house.now += 40 * HOUR; /* a late round */
    for (int i = 0; i < 3; i++)
        order("bob", 3, i % 2 ? "bide\n" : BOB);
    order("anna", 3, ANNA "wait\n");
    keep_mails();
    house.now = begun;
    goes_back(false, 0);
    house_clock(&house, begun + 30 * HOUR);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 4);
    make_copy();
    house.now = begun + 50 * HOUR;
    goes_back(true, begun + 35 * HOUR);
    house_clock(&house, house.now + 30 * HOUR);
    keep_mails();
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_FORK), 0);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_DROPPED), 1);
    let_go();
}
END_TEST

START_TEST(a_copy_that_cannot_have_been_made)
{
    int64_t made = house.now;
    play_on(ANNA, BOB);
    goes_back(true, made);
    char *dir = rewrite(last_of("note"), "made", json_string("2000-01-01T00:00:00Z"));
    ck_assert_int_eq(hold_path(dir, NULL), RECEIPTS_WRONG);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_RESTORED), 0);
    let_go();
    free(dir);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin_with_copy, end_with_copy);
    tcase_add_test(tc, an_honest_loss_is_named);
    tcase_add_test(tc, an_undone_turn_is_counted);
    tcase_add_test(tc, and_so_it_is_with_a_likely_time);
    tcase_add_test(tc, orders_with_a_receipt_have_to_come_back);
    tcase_add_test(tc, a_second_time_is_said);
    tcase_add_test(tc, without_the_word_nothing_is_explained);
    tcase_add_test(tc, a_later_fork_is_one);
    tcase_add_test(tc, orders_that_answer_what_was_lost);
    tcase_add_test(tc, older_orders_do_not_stand_for_newer_ones);
    tcase_add_test(tc, nor_if_they_were_lost_as_well);
    tcase_add_test(tc, later_ones_do);
    tcase_add_test(tc, no_loss_takes_orders_for_a_closed_turn);
    tcase_add_test(tc, a_copy_that_cannot_have_been_made);
}
TEST_MAIN("publish/restored", cases)
