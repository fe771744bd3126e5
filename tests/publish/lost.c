/* A league that lost what came after a copy, or says so, against the mails of one of its players: what the record "lost"
 * accounts for, and what it does not. */
#include "house/mailbox.h"

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

/* How many records of the game a league's folder has. */
static int64_t game_records(const char *dir)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    char *path = path_join(dir, "games/gc-1/journal.jsonl");
    ck_ok(file_read(path, 1 << 20, &lines, &err), err);
    const int64_t count = store_after(STORE_BEGIN, slice_str(&lines)).seq;
    str_release(&lines);
    free(path);
    return count;
}

/* The league is the copy again; `says`: by its own word, in a mail that nobody keeps. */
static void goes_back_unheard(bool says)
{
    struct err err = ERR_INIT;
    const int64_t seq = game_records(copy);
    house_end(&house);
    scratch_remove(house.dir);
    scratch_copy(copy, house.dir);
    house.now += HOUR;
    if (says) { /* as `turnpost restore` does */
        json_t *losses = json_pack("{s:I}", "gc-1", (json_int_t)seq + 1);
        ck_ok(league_new_life(house.dir, &err), err);
        ck_ok(league_open(house.dir, true, &house.league, &err), err);
        ck_ok(log_copy_begin(&house.league, losses, house.now, &err), err);
        league_close(&house.league);
        house_remove_catalog(&house);
        json_decref(losses);
    }
    house_begin(&house);
    house_clock(&house, house.now);
}

static void goes_back(bool says)
{
    goes_back_unheard(says);
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
    play_on(ANNA, BOB);
    char *before = result();
    goes_back(true);
    ck_assert_int_eq(house_find(&house, "gc-1")->draws.rollbacks, 1);
    play_on(ANNA, BOB); /* their mails are read again */
    char *after = result();
    ck_assert_str_ne(before, after); /* what is known of the dice is of no use */
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts_lost(&receipts, 0), 3);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_FORK), 0);
    ck_assert_ptr_nonnull(strstr(first(RECEIPTS_GONE)->text, "it says that it lost its records from"));
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

/* The turn is played without orders that had a receipt: their player is told that, before and after. */
START_TEST(orders_with_a_receipt_are_asked_for)
{
    play_on(ANNA, BOB);
    goes_back(true);
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    let_go();
    order("bob", 3, BOB);
    house_clock(&house, house.now + 3 * 86400);
    keep_mails();
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 4);
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    bool said = false;
    for (size_t i = 0; i < receipts.finding_count; i++)
        said |= strstr(receipts.finding[i].text, "the turn was played without them") != NULL;
    ck_assert(said);
    let_go();
}
END_TEST

/* A machine may be lost twice: each time the log says so, and each time the draws are others. */
START_TEST(a_second_time)
{
    play_on(ANNA, BOB);
    goes_back(true);
    play_on("bide\n", BOB);
    goes_back(true);
    play_on("explore far or bide\n", BOB);
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_FORK), 0);
    let_go();
}
END_TEST

/* The clock of the host that was lost was ahead, so its mails have later dates than the word that their records are lost. Mails that
 * prove what came after it name another log. */
START_TEST(a_loss_is_no_fork_whatever_the_clock_was)
{
    const int64_t now = house.now;
    house.now += 40 * 86400;
    play_on(ANNA, BOB);
    house.now = now;
    goes_back_unheard(true);
    house_empty_spool(&house);
    play_on("bide\n", BOB);
    ck_assert_int_eq(hold(), RECEIPTS_ASK);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_FORK), 0);
    ck_assert_uint_gt(receipts_count(&receipts, RECEIPTS_GONE), 0);
    let_go();
}
END_TEST

START_TEST(without_the_word_nothing_is_explained)
{
    play_on(ANNA, BOB);
    goes_back(false);
    play_on("bide\n", BOB);
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_uint_eq(receipts_count(&receipts, RECEIPTS_GONE), 0);
    let_go();
}
END_TEST

/* What came after the record is not what was lost. */
START_TEST(a_later_fork_is_one)
{
    goes_back(true);
    make_copy();
    play_on(ANNA, BOB);
    goes_back(false);
    play_on("bide\n", BOB);
    ck_assert_int_eq(hold(), RECEIPTS_WRONG);
    ck_assert_uint_gt(receipts_count(&receipts, RECEIPTS_FORK), 0);
    let_go();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin_with_copy, end_with_copy);
    tcase_add_test(tc, an_honest_loss_is_named);
    tcase_add_test(tc, orders_with_a_receipt_are_asked_for);
    tcase_add_test(tc, a_second_time);
    tcase_add_test(tc, a_loss_is_no_fork_whatever_the_clock_was);
    tcase_add_test(tc, without_the_word_nothing_is_explained);
    tcase_add_test(tc, a_later_fork_is_one);
}
TEST_MAIN("publish/lost", cases)
