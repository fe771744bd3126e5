/* An answer that was not understood leaves a question open: what the turn waits for, how long, what ends it, who may be
 * asked, and what is told of it. Anna and xia have only mailboxes, bob has a key. Every game is audited at the end. */
#include "house/clock.h"
#include "house/mailed.h"
#include "house/other_keys.h"

#include "game/game_seats.h"
#include "play/preview.h"

static struct domain domain;

static void open_house(void)
{
    static const char *const names[] = {"xia", "yan"};
    begin();
    domain_open(&domain, 1);
    house.by_mail = true;
    for (size_t i = 0; i < 2; i++)
        house_mailer(&house, names[i]);
}

static void close_house(void)
{
    end();
    domain_close(&domain);
}

/* Turns of so long; 0: without deadlines. */
static void play_of(const char *ruleset, int64_t length, int seats, const char *const *names)
{
    clock_of.length = length;
    house_game(&house, "gc-1", ruleset, 0, seats, names);
    house_empty_spool(&house);
}

/* Xia, who has no key, and bob, who has one. */
static void play_with_bob(int64_t length)
{
    static const char *const names[] = {"xia", "bob"};
    play_of("galaxy-command", length, 2, names);
}

static bool asks(int seat)
{
    return house_question(&house, &domain, "gc-1", seat);
}

static void mails(int seat, const char *lines)
{
    static int seq;
    ck_assert_int_eq(house_orders_by_mail(&house, &domain, "gc-1", seat, ++seq, lines), ORDERS_TAKEN);
}

static void signs(const char *name, const char *lines)
{
    struct str text = STR_INIT;
    static int seq;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\nseq: %d\n%s#end\n", game_now()->turn, ++seq,
             lines);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

#define ck_turn(n) ck_assert_int_eq(game_now()->turn, n)

static const struct game_orders *orders_of(int seat)
{
    return &game_now()->seat[seat].orders;
}

/* ---- what the turn waits for ---- */

START_TEST(the_turn_waits_until_orders_come)
{
    play_with_bob(3 * DAY);
    mails(1, "bide\n");
    ck_assert(asks(1));
    ck_assert_int_eq(orders_of(1)->question, house.now);
    signs("bob", "bide\n");
    ck_turn(1);
    ck_assert_uint_eq(game_missing(game_now()), 0);
    ck_assert_uint_eq(game_unsettled(game_now()), SEAT_BIT(1));
    told_all("bob", 1, "The turn waits for xia to finish their orders, until its deadline at most.");
    house_clock(&house, HOUSE_NOON + DAY);
    ck_turn(1);
    house_same(&house, "gc-1");
    house_restart(&house);
    mails(1, "explore near\n");
    ck_turn(2);
    ck_assert_int_eq(orders_of(1)->question, 0);
    check_replay();
}
END_TEST

START_TEST(the_deadline_plays_what_is_there)
{
    play_with_bob(3 * DAY);
    mails(1, "bide\n");
    ck_assert(asks(1));
    signs("bob", "bide\n");
    house_clock(&house, HOUSE_NOON + 3 * DAY - 1);
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_turn(2);
    ck_assert_int_eq(game_now()->seat[1].missed, 0);
    ck_assert_int_eq(orders_of(1)->question, 0); /* it was about the turn */
    check_replay();
}
END_TEST

/* It holds nothing where no orders are in: these are missing. */
START_TEST(without_orders_the_turn_is_missed)
{
    play_with_bob(3 * DAY);
    ck_assert(asks(1));
    signs("bob", "bide\n");
    ck_turn(1);
    ck_assert_uint_eq(game_unsettled(game_now()), 0);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_turn(2);
    ck_assert_int_eq(game_now()->seat[1].missed, 1);
    check_replay();
}
END_TEST

START_TEST(a_game_alone_waits)
{
    static const char *const alone[] = {"xia"};
    house.second_thoughts = HOUR;
    play_of("galaxy-farmer", 0, 1, alone);
    mails(1, "pass\n");
    ck_assert(asks(1)); /* when she has had second thoughts */
    house_clock(&house, HOUSE_NOON + 30 * DAY);
    ck_turn(1);
    ck_assert_int_eq(row_due(), 0); /* nothing but xia ends it */
    mails(1, "pass\n");
    ck_turn(2);
    check_replay();
}
END_TEST

START_TEST(several_people_without_a_deadline_wait_for_a_day)
{
    play_with_bob(0);
    mails(1, "bide\n");
    house.now += HOUR;
    ck_assert(asks(1));
    house.now += HOUR;
    signs("bob", "bide\n");
    ck_turn(1);
    ck_assert_int_eq(row_due(), HOUSE_NOON + HOUR + DAY);
    house_clock(&house, HOUSE_NOON + HOUR + DAY - 1);
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + HOUR + DAY);
    ck_turn(2);
    check_replay();
}
END_TEST

/* Nobody waits longer by writing more. */
START_TEST(a_second_question_waits_no_longer)
{
    play_with_bob(0);
    mails(1, "bide\n");
    ck_assert(asks(1));
    house.now += HOUR;
    mails(1, "explore near\n");
    house.now += 20 * HOUR;
    ck_assert(asks(1));
    signs("bob", "bide\n");
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + DAY);
    ck_turn(2);
    check_replay();
}
END_TEST

/* The clock plays the turns of a deal, whatever anybody says. */
START_TEST(lockstep_waits_for_nobody)
{
    static const char *const alone[] = {"xia"};
    const struct lockstep lockstep = {
        .on = true, .opens = HOUSE_NOON, .hours = 24, .closes = HOUSE_NOON + 20 * DAY};
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-farmer"),
                                    .seats = 1,
                                    .turn_length = DAY,
                                    .lockstep = &lockstep,
                                    .by_mail = true},
                  alone);
    mails(1, "pass\n");
    ck_assert(asks(1));
    house_clock(&house, HOUSE_NOON + DAY - 1);
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + DAY);
    ck_turn(2);
    ck_assert_int_eq(orders_of(1)->question, 0);
    check_replay();
    house_clock(&house, lockstep.closes); /* then it is open, and proves itself */
}
END_TEST

/* ---- what ends it ---- */

/* Her new key signs what she means. */
START_TEST(orders_by_a_key_end_it)
{
    play_with_bob(20 * DAY);
    mails(1, "bide\n");
    ck_assert(asks(1));
    house_key_replaced(&house, "xia", "xia");
    signs("bob", "bide\n");
    ck_turn(1);
    signs("xia", "explore near\n");
    ck_turn(2);
    check_replay();
}
END_TEST

/* Also those that leave what was ordered as it is. */
START_TEST(orders_of_any_content_end_it)
{
    static const char *const lines[] = {"say bob: I meant what I said\n", "always build\n"};
    play_with_bob(3 * DAY);
    mails(1, "bide\n");
    ck_assert(asks(1));
    mails(1, lines[_i]);
    ck_assert_int_eq(orders_of(1)->question, 0);
    check_replay();
}
END_TEST

/* What a moderator does with it. */
static const struct {
    const char *act;
    int turn; /* then */
} acts[] = {
    {"do: resolve\nreason: We go on.\n", 2},
    {"do: orders xia\nreason: She called.\n\nexplore near\n", 2},
    {"do: replace xia robot\nreason: She is gone.\n", 2},
    {"do: replace xia carol\nreason: She is gone.\n", 2}, /* until carol takes it a robot plays */
    {"do: pause\nreason: Wait.\n", 1},
};

START_TEST(moderators)
{
    play_with_bob(3 * DAY);
    mails(1, "bide\n");
    ck_assert(asks(1));
    signs("bob", "bide\n");
    ck_turn(1);
    house_rules(&house, "gc-1", acts[_i].act);
    ck_turn(acts[_i].turn);
    bool paused = game_now()->clock.paused;
    ck_assert_int_eq(orders_of(1)->question != 0, paused);
    if (paused)
        house_rules(&house, "gc-1", "do: resume\nreason: Go on.\n");
    ck_turn(acts[_i].turn);
    check_replay();
}
END_TEST

/* It was about the turn as it was then. */
START_TEST(a_rollback_ends_it)
{
    play_with_bob(3 * DAY);
    mails(1, "bide\n");
    ck_assert(asks(1));
    int64_t asked = game_now()->seq;
    signs("bob", "bide\n");
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_turn(2);
    struct str back = STR_INIT;
    str_addf(&back, "do: rollback record %lld\nreason: Once more.\n", (long long)asked);
    house_rules(&house, "gc-1", back.p);
    ck_turn(1);
    ck_assert(orders_of(1)->in);
    ck_assert_int_eq(orders_of(1)->question, 0);
    signs("bob", "explore near\n");
    ck_turn(2);
    str_release(&back);
    check_replay();
}
END_TEST

START_TEST(who_resigns_has_no_question)
{
    play_with_bob(3 * DAY);
    mails(1, "bide\n");
    ck_assert(asks(1));
    const struct mailed mailed =
        house_says_by_mail(&house, &domain, "xia", "#turnpost resign\ngame: gc-1\nturn: 1\n#end\n", true);
    ck_assert_msg(mailed.fate == PETITION_HEARD, "%s", mailed.why);
    ck_assert_int_eq(orders_of(1)->question, 0);
    signs("bob", "bide\n");
    ck_turn(2);
    check_replay();
}
END_TEST

/* ---- who is asked ---- */

START_TEST(one_question_at_a_time)
{
    play_with_bob(3 * DAY);
    ck_assert(asks(1));
    ck_assert(!asks(1));
    mails(1, "bide\n");
    ck_assert(asks(1));
    ck_assert(!asks(1));
    check_replay();
}
END_TEST

START_TEST(who_has_a_key_or_no_turn_is_not_asked)
{
    static const char *const names[] = {"xia", "bob", "robot", NULL};
    play_of("galaxy-command", 3 * DAY, 4, names);
    ck_assert(!asks(1)); /* a seat is free */
    const struct mailed mailed =
        house_says_by_mail(&house, &domain, "yan", "#turnpost join\ngame: gc-1\n#end\n", true);
    ck_assert_msg(mailed.fate == PETITION_HEARD, "%s", mailed.why);
    ck_turn(1);
    ck_assert(!asks(2));
    ck_assert(!asks(3));
    ck_assert(asks(1));
    ck_assert(asks(4));
    house_rules(&house, "gc-1", "do: void\nreason: Enough.\n");
    ck_assert(!asks(1));
    check_replay();
}
END_TEST

/* Where seats take turns, orders that came early and were asked about are not played as soon as their turn comes. */
START_TEST(orders_that_came_early_wait_as_well)
{
    static const char *const names[] = {"xia", "yan"};
    play_of("galactic-supremacy", 3 * DAY, 2, names);
    int first = game_awaited(game_now()) & SEAT_BIT(1) ? 1 : 2, later = 3 - first;
    ck_assert(!asks(later)); /* nothing of theirs could be played */
    mails(later, "pass\n");
    ck_assert(asks(later));
    while (game_awaited(game_now()) & SEAT_BIT(first))
        mails(first, "pass\n");
    ck_assert_uint_eq(game_awaited(game_now()), SEAT_BIT(later));
    ck_assert_uint_eq(game_missing(game_now()), 0);
    ck_assert_uint_eq(game_unsettled(game_now()), SEAT_BIT(later));
    told_all(names[later - 1], 2, "We asked what your answer of Fri 20 Nov, 12:00 UTC means");
    house_same(&house, "gc-1");
    int turn = game_now()->turn;
    mails(later, "pass\n");
    ck_assert_int_gt(game_now()->turn, turn);
    check_replay();
}
END_TEST

/* ---- what is told of it ---- */

static void reads(const char *name, const char *words)
{
    struct str mail;
    int got = house_mails(&house, name, &mail);
    ck_assert_msg(got == 1 && house_says(mail.p, words), "%d mails, not \"%s\":\n%.1500s", got, words,
                  mail.p);
    str_release(&mail);
}

START_TEST(the_reminder_names_it)
{
    play_with_bob(3 * DAY);
    ck_assert(asks(1));
    house_clock(&house, HOUSE_NOON + 2 * DAY);
    reads("xia", "[gc-1] Reminder: our question about your answer");
    reads("xia",
          "We asked what your answer of Fri 20 Nov, 12:00 UTC means, and wait for your word. Turn 1 is due");
    reads("xia", "This is the only reminder of this deadline.");
    told_all(NULL, 2, "[gc-1] Reminder: your orders for turn 1 are missing"); /* bob's */
    house_clock(&house, HOUSE_NOON + 2 * DAY + HOUR);
    told(NULL, 0, NULL);
    check_replay();
}
END_TEST

/* Whose orders are in, and whose later answer was not understood, believes that all is well. */
START_TEST(the_reminder_goes_to_whose_orders_are_in)
{
    play_with_bob(3 * DAY);
    mails(1, "bide\n");
    signs("bob", "wait: yes\nbide\n");
    house.now += 6 * HOUR;
    ck_assert(asks(1));
    house_empty_spool(&house);
    house_clock(&house, HOUSE_NOON + 2 * DAY);
    reads("xia", "We asked what your answer of Fri 20 Nov, 18:00 UTC means, and wait for your word. Until it "
                 "comes, the orders that were in before it count, and turn 1 waits for you until its "
                 "deadline. If they are "
                 "all that you want, answer with: ok Turn 1 is due");
    told_all(NULL, 1, NULL);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_turn(2);
    check_replay();
}
END_TEST

/* Our question is fresh, so the reminder comes in half of the time that is left. */
START_TEST(no_reminder_right_after_the_question)
{
    play_with_bob(3 * DAY);
    mails(1, "bide\n");
    signs("bob", "wait: yes\nbide\n");
    house.now = HOUSE_NOON + 2 * DAY + 12 * HOUR;
    house_clock(&house, house.now);
    ck_assert(asks(1));
    house_empty_spool(&house);
    house_clock(&house, HOUSE_NOON + 2 * DAY + 18 * HOUR - 1);
    told(NULL, 0, NULL);
    house_clock(&house, HOUSE_NOON + 2 * DAY + 18 * HOUR);
    told("xia", 1, "Reminder");
    check_replay();
}
END_TEST

/* In a preview the moderators see whose answer it was; a look at the table shows its player the same. */
START_TEST(it_is_shown_where_waiting_orders_are)
{
    play_with_bob(3 * DAY);
    mails(1, "bide\n");
    ck_assert(asks(1));
    json_t *facts = preview_facts(game_now(), 0);
    const json_t *first = json_array_get(json_object_get(facts, "played"), 0);
    ck_assert(json_is_true(json_object_get(first, "asked")));
    ck_assert(json_is_false(json_object_get(first, "corrects")));
    ck_assert_ptr_nonnull(json_object_get(facts, "unsettled_others"));
    ck_assert_ptr_null(json_object_get(facts, "question"));
    json_decref(facts);
    facts = preview_facts(game_now(), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(facts, "question_at")), house.now);
    json_decref(facts);
    facts = preview_facts(game_now(), 2); /* others see what they see of orders that wait */
    ck_assert_ptr_nonnull(json_object_get(facts, "unsettled_others"));
    ck_assert_ptr_null(json_object_get(facts, "question"));
    json_decref(facts);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_house, close_house);
    tcase_add_test(tc, the_turn_waits_until_orders_come);
    tcase_add_test(tc, the_deadline_plays_what_is_there);
    tcase_add_test(tc, without_orders_the_turn_is_missed);
    tcase_add_test(tc, a_game_alone_waits);
    tcase_add_test(tc, several_people_without_a_deadline_wait_for_a_day);
    tcase_add_test(tc, a_second_question_waits_no_longer);
    tcase_add_test(tc, lockstep_waits_for_nobody);
    tcase_add_test(tc, orders_by_a_key_end_it);
    tcase_add_loop_test(tc, orders_of_any_content_end_it, 0, 2);
    tcase_add_loop_test(tc, moderators, 0, sizeof acts / sizeof *acts);
    tcase_add_test(tc, a_rollback_ends_it);
    tcase_add_test(tc, who_resigns_has_no_question);
    tcase_add_test(tc, one_question_at_a_time);
    tcase_add_test(tc, who_has_a_key_or_no_turn_is_not_asked);
    tcase_add_test(tc, orders_that_came_early_wait_as_well);
    tcase_add_test(tc, the_reminder_names_it);
    tcase_add_test(tc, the_reminder_goes_to_whose_orders_are_in);
    tcase_add_test(tc, no_reminder_right_after_the_question);
    tcase_add_test(tc, it_is_shown_where_waiting_orders_are);
}
TEST_MAIN("play/questions", cases)
