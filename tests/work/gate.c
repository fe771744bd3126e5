/* What the gate refuses (audit/gate.h): the mail is answered and holds nothing up, the game whose clock it was rests. Here the
 * gate also refuses records that a test names, whatever the audit would say of them. */
#include "work/work.h"
#include "audit/gate.h"
#include "batch/groups.h"
#include "batch/stuck.h"
#include "game/apply.h"
#include "house/house.h"

#define DAY ((int64_t)86400)

static struct house house;
static struct gate *gate;
static const char *refused; /* a part of the record's line: '"kind":"press"'; NULL: none */

static int judge(void *arg, const struct game *game, const struct apply_input *input, struct err *err)
{
    struct str line = STR_INIT;
    str_addf(&line, "%s %s ", input->record->game, input->record->type);
    json_write(&line, input->record->json);
    bool is = refused && strstr(line.p, refused);
    str_release(&line);
    if (is)
        return err_set(err, ERR_UNSOUND, "our own audit would refuse it");
    return gate_of(arg).before(arg, game, input, err);
}

static void begin(void)
{
    static const char *const pair[] = {"anna", "bob"}, *const other[] = {"bob", "carl"};
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carl");
    house_game(&house, "gc-1", "galaxy-command", DAY, 2, pair);
    house_game(&house, "gc-2", "galaxy-command", DAY, 2, other);
    house_empty_spool(&house);
    gate = gate_open();
    refused = NULL;
    house.batch.judge = (struct step_gate){gate, judge, gate_of(gate).after};
}

static void end(void)
{
    house_close(&house);
    gate_close(gate);
}

/* How many games stand still by a fault of their clock. */
static int count_still(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    (void)err;
    *(int *)arg += stuck->state == STUCK_GAME && strcmp(stuck->game, "gc-1") == 0;
    return 0;
}

static int still(void)
{
    struct err err = ERR_INIT;
    int count = 0;
    ck_ok(catalog_each_stuck(house.batch.catalog, count_still, &count, &err), err);
    return count;
}

/* ---- mails ---- */

static void put(int number, const char *who, const char *const texts[], size_t count)
{
    struct err err = ERR_INIT;
    struct str raw = STR_INIT, path = STR_INIT;
    str_addf(&path, "%s/mail/in/new/%d.M%d.test", house.dir, 1000 + number, number);
    str_addf(&raw,
             "From: %s@example.net\nTo: " HOUSE_ADDRESS "\nSubject: orders\nMessage-ID: <%d@example.net>\n\n",
             who, number);
    for (size_t i = 0; i < count; i++)
        house_sign(&house, who, texts[i], &raw);
    ck_ok(file_write_soft(path.p, slice_str(&raw), 0600, &err), err);
    str_release(&raw);
    str_release(&path);
}

static void read_mails(struct work_sum *sum)
{
    struct err err = ERR_INIT;
    struct source *source;
    house.batch.now = house.now;
    ck_ok(league_source(&house.league, &source, &err), err);
    ck_ok(work_mail(&house.batch, source, NULL, sum, &err), err);
    source_close(source);
    batch_reset(&house.batch, false);
}

static const char press[] = "#turnpost press\ngame: gc-1\nturn: 1\nto: bob\nShall we?\n#end\n";
static const char explore[] = "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n";
static const char vote[] = "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 12\n#end\n";
static const char watch[] = "#turnpost observe\ngame: gc-2\n#end\n";
static const char resign[] = "#turnpost resign\ngame: gc-1\n#end\n";

/* Whatever of it is refused: nothing of the mail is done, its writer is told so at once and once, no turn waits for it,
 * and the others go on. */
START_TEST(a_mail_that_is_refused)
{
    static const struct {
        const char *refused, *texts[3];
        size_t count;
    } rows[] = {
        {"\"kind\":\"press\"", {explore, press}, 2},   {"\"kind\":\"press\"", {press, explore}, 2},
        {"gc-1 orders {", {press, explore}, 2},        {"\"kind\":\"vote\"", {vote, explore, press}, 3},
        {"\"kind\":\"observe\"", {watch, explore}, 2}, {"\"why\":\"resigned\"", {explore, resign}, 2},
    };
    static const char *const bobs[] = {"#turnpost orders\ngame: gc-2\nturn: 1\nexplore near\n#end\n"};
    struct work_sum sum = {0};
    refused = rows[_i].refused;
    put(1, "anna", rows[_i].texts, rows[_i].count);
    put(2, "bob", bobs, 1);
    read_mails(&sum);
    ck_assert_uint_eq(sum.orders, 1);
    house_told(&house, "anna", 1, "Nothing of your mail was done.");
    ck_assert(house_find(&house, "gc-2")->seat[1].orders.in);
    ck_assert_uint_eq(sum.stuck, 1);
    ck_assert_uint_eq(house.batch.outside.stuck_count, 0);
    ck_assert(!house_find(&house, "gc-1")->seat[1].orders.in);
    house_empty_spool(&house);
    read_mails(&sum); /* not again */
    house_told(&house, "anna", 0, NULL);
    refused = NULL;
    const int64_t deadline = house_find(&house, "gc-1")->clock.deadline;
    house_clock(&house, deadline); /* both are missing */
    house_clock(&house, deadline + DAY);
    ck_assert_int_gt(house_find(&house, "gc-1")->turn, 1);
    house_same(&house, "gc-1");
}
END_TEST

/* The orders with which all are in are good, and the turn that they lead to is refused: they are recorded and answered, and
 * the game rests like any whose clock is refused, until the fault is mended. */
START_TEST(a_turn_that_is_refused_refuses_no_orders)
{
    static const char *const turns[] = {"gc-1 close {", "gc-1 turn {"};
    static const char *const texts[] = {"#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n"};
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    bool more;
    refused = turns[_i];
    put(1, "anna", texts, 1);
    put(2, "bob", texts, 1);
    read_mails(&sum);
    ck_assert_uint_eq(sum.orders, 2);
    house_told(&house, NULL, 2, "We have your");
    ck_assert_uint_eq(house.batch.outside.stuck_count, 0);
    ck_ok(batch_clock(&house.batch, 100, &more, &err), err);
    batch_reset(&house.batch, false);
    ck_assert_int_eq(still(), 1);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    house_empty_spool(&house);
    house.batch.broken = 0;
    refused = NULL;
    house.now += STUCK_GAME_PAUSE;
    house_clock(&house, house.now);
    ck_assert_int_eq(still(), 0);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

/* A text of it was done in another round, while the game of the second one could not be read: they are told of the rest. */
START_TEST(a_part_that_is_refused)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    static const char *const texts[] = {explore, watch};
    char *journal = house_path(&house, "games/gc-2/journal.jsonl");
    struct str whole = STR_INIT;
    ck_ok(file_read(journal, 1 << 20, &whole, &err), err);
    put(1, "anna", texts, 2);
    batch_reset(&house.batch, false);
    ck_ok(file_write_soft(journal, slice_of("x\n"), 0600, &err), err);
    read_mails(&sum);
    ck_assert_uint_eq(sum.orders, 1);
    house_empty_spool(&house);
    ck_ok(file_write_soft(journal, slice_str(&whole), 0600, &err), err);
    refused = "\"kind\":\"observe\"";
    read_mails(&sum);
    house_told(&house, "anna", 1, "Nothing more of your mail was done.");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.in);
    house.batch.broken = 0;
    str_release(&whole);
    free(journal);
}
END_TEST

/* ---- the clock ---- */

/* Nothing of its turn is recorded, the others go on, `status` and `doctor` find it (catalog_each_stuck), and it goes on when
 * the fault is mended. */
START_TEST(a_game_whose_clock_is_refused)
{
    static const char *const kinds[] = {"gc-1 close {", "gc-1 turn {"};
    struct err err = ERR_INIT;
    bool more;
    const int64_t seq = house_find(&house, "gc-1")->seq;
    const int64_t when = house_find(&house, "gc-1")->clock.deadline;
    refused = kinds[_i];
    house.batch.now = house.now = when;
    for (int round = 0; round < 3; round++) {
        ck_ok(batch_clock(&house.batch, 100, &more, &err), err);
        house.batch.now = house.now += 3600;
        batch_reset(&house.batch, false);
    }
    ck_assert_int_eq(still(), 1);
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
    ck_assert_int_gt(house_find(&house, "gc-2")->turn, 1);
    house.batch.broken = 0;
    refused = NULL;
    for (int round = 0; round < 60; round++) {
        ck_ok(batch_clock(&house.batch, 100, &more, &err), err);
        house.batch.now = house.now += 3600;
    }
    ck_assert_int_eq(still(), 0);
    ck_assert_int_gt(house_find(&house, "gc-1")->turn, 1);
    house_same(&house, "gc-1");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, a_mail_that_is_refused, 0, 6);
    tcase_add_loop_test(tc, a_turn_that_is_refused_refuses_no_orders, 0, 2);
    tcase_add_test(tc, a_part_that_is_refused);
    tcase_add_loop_test(tc, a_game_whose_clock_is_refused, 0, 2);
}
TEST_MAIN("work/gate", cases)
