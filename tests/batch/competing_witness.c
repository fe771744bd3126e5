/* Witnesses of a competition's draws: who plays in a round is fixed and logged, they answer, and then it is drawn, with their dice. */
#include "house/cup.h"
#include "house/watched.h"

#include "base/json.h"

static struct watcher watchers[3];
static const char *const names[] = {"wanda", "walter", "wim"};

/* A cup of four with so many witnesses, before its first draw; `unwitnessed` 0: never without them. */
static void begin_cup(int count, int need, int64_t unwitnessed)
{
    struct new_competition how = {.seats = 2, .unwitnessed = unwitnessed};
    for (int i = 0; i < count; i++) {
        watcher_new(&watchers[i], names[i]);
        watcher_named(&how.witnesses, &watchers[i]);
    }
    how.witnesses.need = need;
    how.witnesses.log = *watched_log(&house);
    watched_know(&house, watchers, count);
    house_compete(&house, "cup", "galaxy-command", 2, how);
    for (int i = 0; i < 4; i++)
        house_entry(&house, "cup", "enter", people[i]);
    live(cup()->rounds[0].draw - 60);
    ck_assert_int_eq(cup()->fixed.seq, 0);
    house_empty_spool(&house);
    house_work(&house, cup()->rounds[0].draw);
}

static void end_cup(void)
{
    for (int i = 0; i < 3; i++)
        witness_state_release(&watchers[i].state);
    end();
}

/* The log's last entry that is a close. */
static void last_close(struct log_entry *close)
{
    struct err err = ERR_INIT;
    struct str entries = STR_INIT;
    char *path = house_path(&house, "log/entries");
    ck_ok(file_read(path, 1 << 20, &entries, &err), err);
    struct slice rest = slice_str(&entries), line;
    memset(close, 0, sizeof *close);
    while (slice_line(&rest, &line))
        if (slice_starts(line, "close "))
            ck_ok(log_entry_parse(line, close, &err), err);
    str_release(&entries);
    free(path);
}

static void waits(void)
{
    ck_assert_int_eq(cup()->round, 0);
    ck_assert_int_gt(cup()->fixed.seq, 0);
    ck_assert_int_eq(house_mails_with(&house, "PAIRING"), 0);
}

START_TEST(a_draw_waits_for_its_witness_whose_dice_count)
{
    struct log_entry close, want;
    begin_cup(1, 1, 0);
    waits();
    last_close(&close);
    compete_fixed_entry(&want, cup());
    ck_assert_str_eq(close.name, "cup");
    ck_assert_int_eq(close.seq, cup()->fixed.seq);
    ck_assert_int_eq(close.turn.turn, 1);
    ck_assert_int_eq(close.turn.rollbacks, 1);
    ck_assert_mem_eq(close.alpha, want.alpha, sizeof want.alpha);
    same_on_disk("cup");
    house_work(&house, house.now + 60);
    waits();
    watched_answer(&house, &watchers[0]);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_int_eq(cup()->rounds[0].attempt, 1);
    ck_assert_uint_eq(cup()->rounds[0].dice.count, 2);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    ck_assert_int_eq(cup()->fixed.seq, 0);
    same_on_disk("cup");
    play_game("cup.1.1");
    play_game("cup.1.2");
    live(cup()->rounds[1].draw);
    ck_assert_int_eq(cup()->round, 1);
    watched_answer(&house, &watchers[0]);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->round, 2);
    ck_assert_uint_eq(cup()->rounds[1].dice.count, 2);
}
END_TEST

/* An entry that a crash has taken is made again, as it was. */
START_TEST(the_close_is_logged_again)
{
    struct log_entry before, after;
    begin_cup(1, 1, 0);
    last_close(&before);
    house_end(&house);
    house_remove(&house, "log");
    house_remove_catalog(&house);
    house_begin(&house);
    last_close(&after);
    ck_assert_int_eq(after.seq, before.seq);
    ck_assert_mem_eq(after.alpha, before.alpha, sizeof before.alpha);
}
END_TEST

static int adjust(const char *json)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry;
    ck_ok(competing_find(&house.batch, "cup", &entry, &err), err);
    competing_step(&house.batch, &step);
    int rc = compete_adjust(&step, &entry->c, json_loads(json, 0, NULL), &err);
    compete_step_release(&step);
    return rc ? (int)err.code : 0;
}

/* Nobody who knows the dice changes what follows from them; who goes has a robot. */
START_TEST(what_is_fixed_stays)
{
    begin_cup(1, 1, 0);
    ck_assert_int_eq(
        adjust("{\"do\":\"points\",\"player\":\"bob\",\"halves\":2,\"reason\":\"x\",\"by\":\"operator\"}"),
        ERR_UNSOUND);
    ck_assert_str_eq(compete_entry_wrong(cup(), "enter", "eve", NULL, house.now), "too_late");
    house_entry(&house, "cup", "withdraw", "bob");
    house_work(&house, house.now + 60);
    waits();
    watched_answer(&house, &watchers[0]);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_int_eq(competition_entrant(cup(), "bob")->late, 1);
}
END_TEST

/* Who has not answered has a day, when enough have. */
START_TEST(one_of_three_is_away)
{
    begin_cup(3, 2, 0);
    watched_answers(&house, watchers, 2);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->round, 0);
    house_work(&house, house.now + WITNESS_DAY - HOUR_SECONDS);
    ck_assert_int_eq(cup()->round, 0);
    house_work(&house, house.now + HOUR_SECONDS);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_uint_eq(cup()->rounds[0].dice.count, 3);
}
END_TEST

/* Too few for three days: all who play are told what comes. What `create` says is done, for good. */
START_TEST(nobody_answers)
{
    begin_cup(1, 1, 5 * DAY_SECONDS);
    live(cup()->fixed.at + WITNESS_LATE - 60);
    ck_assert(!cup()->witnesses.late);
    house_empty_spool(&house);
    live(cup()->fixed.at + WITNESS_LATE);
    ck_assert(cup()->witnesses.late);
    ck_assert_int_eq(house_mails_with(&house, "so are all later"), 4);
    same_on_disk("cup");
    live(cup()->fixed.at + 5 * DAY_SECONDS - 60);
    ck_assert_int_eq(cup()->round, 0);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_int_eq(cup()->rounds[0].attempt, 2);
    ck_assert_uint_eq(cup()->rounds[0].dice.count, 1);
    ck_assert_int_eq(cup()->gave_up, 1);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    same_on_disk("cup");
    play_game("cup.1.1");
    play_game("cup.1.2");
    live(cup()->rounds[1].draw);
    ck_assert_int_eq(cup()->round, 2);
    ck_assert_int_eq(cup()->rounds[1].attempt, 1);
}
END_TEST

/* Where `create` says never, it is never. They are asked every day, and their answer counts. */
START_TEST(never_without_them)
{
    begin_cup(1, 1, 0);
    live(house.now + WITNESS_LATE);
    ck_assert_int_eq(house_mails_with(&house, "and not before"), 4);
    live(house.now + 20 * DAY_SECONDS);
    ck_assert_int_eq(cup()->round, 0);
    watched_answer(&house, &watchers[0]);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->round, 1);
}
END_TEST

/* The operator has seen the dice, does not like the draw, and puts an older copy back, in which somebody else plays: the witness gives no
 * dice for a second close, and the log shows both. */
START_TEST(an_operator_tries_another_draw)
{
    struct str mail = STR_INIT, asked = STR_INIT, said = STR_INIT;
    struct err err = ERR_INIT;
    struct witness_answer answer = {.count = 0};
    begin_cup(1, 1, 4 * DAY_SECONDS);
    ck_assert(watched_question(&house, &watchers[0], &asked));
    watched_reply(&house, &watchers[0], &asked, &mail);
    house_empty_spool(&house);
    char *path = house_path(&house, "competitions/cup/journal.jsonl");
    struct str journal = STR_INIT;
    ck_ok(file_read(path, 1 << 20, &journal, &err), err);
    house_end(&house);
    while (str_cut(&journal, journal.len - 1), journal.len && journal.p[journal.len - 1] != '\n')
        ;
    ck_ok(file_write_soft(path, slice_str(&journal), 0600, &err), err);
    house_remove(&house, "competitions/cup/state.json");
    house_begin(&house);
    ck_assert_int_eq(cup()->fixed.seq, 0);
    house_entry(&house, "cup", "withdraw", "bob");
    house_work(&house, house.now + DAY_SECONDS);
    house_work(&house, house.now + DAY_SECONDS + 60);
    ck_assert_int_gt(cup()->fixed.seq, 0);
    str_clear(&asked);
    ck_assert(watched_question(&house, &watchers[0], &asked));
    (void)watcher_answers(&watchers[0], watched_log(&house), slice_str(&asked), house.now, &said);
    ck_ok(witness_answer_parse(slice_str(&said), &answer, &err), err);
    for (size_t i = 0; i < answer.count; i++)
        ck_assert(!answer.dice[i].given);
    ck_assert_int_eq(cup()->round, 0);
    witness_answer_release(&answer);
    str_release(&said);
    str_release(&journal);
    str_release(&mail);
    str_release(&asked);
    free(path);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end_cup);
    tcase_add_test(tc, a_draw_waits_for_its_witness_whose_dice_count);
    tcase_add_test(tc, the_close_is_logged_again);
    tcase_add_test(tc, what_is_fixed_stays);
    tcase_add_test(tc, one_of_three_is_away);
    tcase_add_test(tc, nobody_answers);
    tcase_add_test(tc, never_without_them);
    tcase_add_test(tc, an_operator_tries_another_draw);
}
TEST_MAIN("batch/competing_witness", cases)
