/* One piece of work fails, in whatever way: the others are done in the same run, and nothing of it stays. */
#include "batch/pieces.h"
#include <signal.h>

#include "base/mem.h"
#include "batch/at_hand.h"
#include "house/house.h"
#include "batch/stuck.h"

#define DAY    ((int64_t)86400)
#define PIECES 12

static struct house house;
static const char *const table[] = {"anna", "robot"};

/* A mail a game; the poisoned ones fail after intake has done all that it does. */
struct job {
    bool poisoned[PIECES];
    bool late; /* only when they are committed */
    enum err_code code;
    int faults, worked;
    size_t fault[2 * PIECES], done;
    struct incoming mail[PIECES];
    struct reading reading[PIECES];
};
static struct job work;

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    for (int i = 0; i < PIECES; i++) {
        char id[8];
        (void)snprintf(id, sizeof id, "gc-%d", i);
        house_game(&house, id, "galaxy-command", DAY, 2, table);
    }
    house_empty_spool(&house);
    memset(&work, 0, sizeof work);
    for (int i = 0; i < PIECES; i++) {
        char text[100];
        struct str *raw = &work.mail[i].raw;
        (void)snprintf(text, sizeof text, "#turnpost orders\ngame: gc-%d\nturn: 1\nbide\n#end\n", i);
        str_addf(raw,
                 "From: anna@example.net\nTo: " HOUSE_ADDRESS "\nSubject: orders\nMessage-ID: <%d@x>\n\n", i);
        house_sign(&house, "anna", text, raw);
        work.mail[i].arrived = house.now;
    }
}

static void end(void)
{
    for (int i = 0; i < PIECES; i++) {
        reading_release(&work.reading[i]);
        str_release(&work.mail[i].raw);
    }
    house_close(&house);
}

/* A mail that cannot be staged: its name is too long. */
static void add_bad_mail(struct batch *batch)
{
    struct str id = STR_INIT;
    for (int i = 0; i < 300; i++)
        str_addc(&id, 'x');
    struct outgoing mail = {.id = str_detach(&id),
                            .envelope_from = mem_strdup(""),
                            .envelope_to = mem_strdup("anna@example.net"),
                            .mail = STR_INIT};
    batch_mail_add(batch, &mail);
}

static int one(void *arg, size_t i, struct err *err)
{
    (void)arg;
    enum intake_fate fate;
    work.worked++;
    ck_ok(intake_mail(&house.batch, &work.mail[i], &work.reading[i], &fate, err), *err);
    ck_assert_int_eq(fate, INTAKE_PROCESSED);
    if (work.poisoned[i] && work.late)
        add_bad_mail(&house.batch);
    return work.poisoned[i] && !work.late ? err_set(err, work.code, "poisoned") : 0;
}

static void done(void *arg, size_t from, size_t count)
{
    (void)arg;
    (void)from;
    work.done += count;
}

static int fault(void *arg, size_t i, const struct err *why, struct err *err)
{
    (void)arg;
    ck_assert(work.poisoned[i]);
    work.fault[work.faults++] = i;
    return stuck_mail(&house.batch, &work.mail[i], &work.reading[i], why, err);
}

static const struct pieces pieces = {one, done, fault, NULL};

/* All but the poisoned games have played their turn; nothing is left in the spool but what belongs to these.
 */
static void check_all(int poisoned)
{
    struct err err = ERR_INIT;
    ck_ok(pieces_work(&house.batch, &pieces, PIECES, &err), err);
    ck_assert_int_eq(work.faults, poisoned);
    ck_assert_uint_eq(work.done, (size_t)(PIECES - poisoned));
    house_told(&house, "anna", PIECES - poisoned, NULL); /* the report is the receipt as well */
    struct file_names left;
    char *tmp = path_join(house.batch.spool, "tmp");
    ck_ok(file_list(tmp, &left, &err), err);
    ck_assert_uint_eq(left.count, 0);
    file_names_free(&left);
    free(tmp);
    for (int i = 0; i < PIECES; i++) {
        char id[8];
        (void)snprintf(id, sizeof id, "gc-%d", i);
        ck_assert_int_eq(house_find(&house, id)->turn, work.poisoned[i] ? 1 : 2);
        house_same(&house, id);
    }
    ck_assert_uint_eq(house.batch.done.turns, (size_t)(PIECES - poisoned));
}

START_TEST(any_piece_fails)
{
    static const enum err_code codes[] = {ERR_INPUT,  ERR_CONFIG,  ERR_TEMP, ERR_IO,
                                          ERR_BROKEN, ERR_MISSING, ERR_STALE};
    const int i = FEW ? 2 * _i : _i;
    work.code = codes[i];
    work.poisoned[(i * 5) % PIECES] = true;
    check_all(1);
    ck_assert_int_le(work.worked, 2 * PIECES + 1);
}
END_TEST

START_TEST(many_pieces_fail)
{
    work.code = ERR_BROKEN;
    for (int i = 0; i < PIECES; i += 5)
        work.poisoned[i] = true;
    work.poisoned[1] = work.poisoned[PIECES - 1] = true;
    check_all(5);
}
END_TEST

START_TEST(what_fails_at_the_commit_is_found_by_halving)
{
    work.late = true;
    work.poisoned[7] = work.poisoned[8] = work.poisoned[10] = true;
    check_all(3);
}
END_TEST

START_TEST(mails_stay_within_their_budget)
{
    /* The answers of those that are worked on twice are counted once. */
    struct err err = ERR_INIT;
    bool allowed = false;
    work.code = ERR_BROKEN;
    work.poisoned[PIECES - 1] = true;
    for (int i = 0; i < PIECES - 1; i++) {
        str_clear(&work.mail[i].raw);
        str_addf(&work.mail[i].raw,
                 "From: anna@example.net\nTo: " HOUSE_ADDRESS "\nSubject: help\nMessage-ID: <h%d@x>\n\n", i);
    }
    ck_ok(pieces_work(&house.batch, &pieces, PIECES, &err), err);
    ck_ok(catalog_budget(house.batch.catalog, &(struct catalog_reply){"anna@example.net", house.now, PIECES},
                         &allowed, &err),
          err);
    ck_assert(allowed);
    ck_ok(catalog_budget(house.batch.catalog, &(struct catalog_reply){"anna@example.net", house.now, PIECES},
                         &allowed, &err),
          err);
    ck_assert(!allowed);
}
END_TEST

START_TEST(a_league_that_is_not_well_ends_the_run)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    work.code = ERR_IO;
    work.poisoned[3] = true;
    str_addf(&path, "%s/tmp/probe", house.batch.spool); /* a folder in place of the file */
    ck_ok(file_mkdirs(path.p, 0700, &err), err);
    ck_assert_int_eq(pieces_work(&house.batch, &pieces, PIECES, &err), -1);
    ck_assert_int_eq(work.faults, 0);
    ck_assert_int_eq(rmdir(path.p), 0);
    house_restart(&house);
    work.faults = 0;
    work.done = 0;
    str_release(&path);
    check_all(1);
}
END_TEST

/* ---- what waits ---- */

static enum stuck_plan plan_of(size_t i)
{
    struct err err = ERR_INIT;
    enum stuck_plan plan;
    unsigned char digest[32];
    message_digest(digest, slice_str(&work.mail[i].raw));
    bool rests = stuck_rests(&house.batch, digest);
    ck_ok(stuck_plan(&house.batch, digest, &plan, &err), err);
    ck_assert(rests == (plan == STUCK_LEAVE));
    return plan;
}

static int again(void)
{
    struct err err = ERR_INIT;
    int faults = work.faults;
    ck_ok(pieces_work(&house.batch, &pieces, 1, &err), err);
    return work.faults - faults;
}

START_TEST(pauses_grow_and_end_after_three_days)
{
    struct err err = ERR_INIT;
    work.code = ERR_BROKEN;
    work.poisoned[0] = true;
    int64_t pause = 0, before = 0;
    int tries = 1;
    ck_assert_int_eq(plan_of(0), STUCK_NEW);
    ck_assert_int_eq(again(), 1);
    while (plan_of(0) != STUCK_GIVE) {
        ck_assert_int_eq(plan_of(0), STUCK_LEAVE);
        ck_ok(stuck_next(&house.batch, &pause, &err), err);
        pause -= house.batch.now;
        ck_assert_int_ge(pause, before);
        ck_assert_int_le(pause, 6 * 3600);
        before = pause;
        house.now = house.batch.now += pause - 1;
        ck_assert_int_eq(plan_of(0), STUCK_LEAVE);
        house.now = ++house.batch.now;
        ck_assert_int_eq(plan_of(0), STUCK_AGAIN);
        ck_assert_int_eq(again(), 1);
        tries++;
    }
    ck_assert_int_ge(house.now, HOUSE_NOON + 3 * DAY);
    ck_assert_int_lt(house.now, HOUSE_NOON + 4 * DAY);
    ck_assert_int_ge(tries, 15);
    ck_assert_int_le(tries, 25);
}
END_TEST

START_TEST(who_signed_it_is_told_when_it_is_given_up)
{
    struct err err = ERR_INIT;
    enum intake_fate fate;
    work.code = ERR_BROKEN;
    work.poisoned[0] = true;
    ck_assert_int_eq(again(), 1);
    house.now = house.batch.now += 3 * DAY;
    ck_assert_int_eq(again(), 1);
    ck_ok(batch_begin(&house.batch, &err), err);
    ck_ok(intake_mail(&house.batch, &work.mail[0], &work.reading[0], &fate, &err), err);
    ck_assert_int_eq(fate, INTAKE_FAILED);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_told(&house, "anna", 1, "of your mail was done");
    ck_assert_int_eq(plan_of(0), STUCK_GIVE); /* a copy of it: again, without a word */
    ck_ok(stuck_retry(house.batch.catalog, &err), err);
    ck_assert_int_eq(plan_of(0), STUCK_NEW);
    work.poisoned[0] = false;
    ck_assert_int_eq(again(), 0);
    ck_assert_int_eq(plan_of(0), STUCK_NEW);
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 2);
}
END_TEST

START_TEST(what_the_operator_has_to_mend_does_not_grow_old)
{
    work.code = ERR_CONFIG;
    work.poisoned[0] = true;
    for (int day = 0; day < 10; day++) {
        ck_assert_int_eq(again(), 1);
        ck_assert_int_eq(plan_of(0), STUCK_AGAIN);
        house.now = house.batch.now += DAY;
    }
    house.now = house.batch.now = HOUSE_NOON; /* for the turns, which are overdue by now */
    work.poisoned[0] = false;
    ck_assert_int_eq(again(), 0);
    ck_assert_int_eq(house_find(&house, "gc-0")->turn,
                     2); /* it ends its turn, as what failed was not its fault */
}
END_TEST

/* ---- its turn ---- */

static void deadline_passes(int64_t by)
{
    struct err err = ERR_INIT;
    bool more;
    house.now = HOUSE_NOON + DAY + by;
    house_begins_round(&house);
    ck_ok(batch_clock(&house.batch, 100, &more, &err), err);
}

static void check_hold_told(void)
{
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "anna", &mails),
                     PIECES); /* the reports of the others, and the hold */
    ck_assert(house_says(mails.p, "keeps it from taking them up"));
    ck_assert(house_says(mails.p, "orders could not be read yet"));
    str_release(&mails);
}

START_TEST(the_turn_of_orders_that_wait_is_held)
{
    work.code = ERR_BROKEN;
    work.poisoned[0] = true;
    ck_assert_int_eq(again(), 1);
    house_empty_spool(&house);
    deadline_passes(60);
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 1);
    ck_assert(house_find(&house, "gc-0")->clock.held);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2); /* nobody sent anything for it */
    ck_assert_int_eq(house_find(&house, "gc-1")->seat[1].missed, 1);
    check_hold_told();
    house_empty_spool(&house);
    /* They are accepted after all: the turn is played at once, and was not missed. */
    work.poisoned[0] = false;
    house.now = house.batch.now += DAY / 2;
    ck_assert_int_eq(again(), 0);
    deadline_passes(DAY / 2 + 120);
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-0")->seat[1].missed, 0);
}
END_TEST

START_TEST(the_hold_ends_by_itself)
{
    work.code = ERR_BROKEN;
    work.poisoned[0] = true;
    ck_assert_int_eq(again(), 1);
    deadline_passes(60);
    ck_assert(house_find(&house, "gc-0")->clock.held);
    deadline_passes(2 * DAY);
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 1);
    deadline_passes(8 * DAY);
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 2);
}
END_TEST

/* The mail of gc-0 is given up at the end of three days: what intake and clock then do, in one round. */
static void give_up(void)
{
    struct err err = ERR_INIT;
    enum intake_fate fate;
    bool more = true;
    house_begins_round(&house);
    ck_ok(batch_begin(&house.batch, &err), err);
    ck_ok(intake_mail(&house.batch, &work.mail[0], &work.reading[0], &fate, &err), err);
    ck_assert_int_eq(fate, INTAKE_FAILED);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_ok(batch_clock(&house.batch, 100, &more, &err), err);
    ck_ok(batch_round_done(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* Whose orders are given up hears of it only then: the turn is not played in that round, neither when it was
 * held (they came 2 hours before the deadline of a day: there were less than the 6 hours of an outage left),
 * nor when it is due soon. Once only. */
START_TEST(who_is_told_that_orders_are_given_up_has_time)
{
    static const int64_t before[] = {2 * 3600, 10 * 3600}, time[] = {6 * 3600, 10 * 3600};
    struct str mails;
    work.code = ERR_BROKEN;
    work.poisoned[0] = true;
    deadline_passes(-before[_i]);
    ck_assert_int_eq(again(), 1);
    deadline_passes(60);
    ck_assert(house_find(&house, "gc-0")->clock.held);
    deadline_passes(3 * DAY - before[_i]);
    ck_assert_int_eq(again(), 1); /* the last try: it is over, and nobody has been told yet */
    deadline_passes(3 * DAY - before[_i] + 60);
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 1);
    house_empty_spool(&house);
    give_up();
    const struct game *game = house_find(&house, "gc-0");
    ck_assert_int_eq(game->turn, 1);
    ck_assert(!game->clock.held);
    ck_assert_int_eq(game->clock.deadline, house.now + time[_i]);
    ck_assert_int_eq(house_mails(&house, "anna", &mails), 2);
    ck_assert_msg(house_says(mails.p, "of your mail was done"), "%s", mails.p);
    ck_assert_msg(house_says(mails.p, "Orders of anna for turn 1 have come"), "%s", mails.p);
    ck_assert_msg(!house_says(mails.p, "stood still"), "%s", mails.p);
    str_release(&mails);
    house_same(&house, "gc-0");
    deadline_passes(3 * DAY - before[_i] + 60 + time[_i] + 1);
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-0")->seat[1].missed, 1);
}
END_TEST

/* The deadline is still to come: nothing is moved when there is time, also when it comes; a little is when it
 * is near. */
START_TEST(orders_given_up_before_the_deadline)
{
    static const int64_t to_come[] = {8 * 3600, 1800};
    struct err err = ERR_INIT;
    unsigned char digest[32];
    struct catalog_stuck stuck;
    bool found;
    work.code = ERR_BROKEN;
    work.poisoned[0] = true;
    ck_assert_int_eq(again(), 1);
    message_digest(digest, slice_str(&work.mail[0].raw));
    ck_ok(catalog_get_stuck(house.batch.catalog, digest, &stuck, &found, &err), err);
    stuck.state = STUCK_OVER;
    ck_ok(catalog_put_stuck(house.batch.catalog, &stuck, &err), err);
    house.now = HOUSE_NOON + DAY - to_come[_i];
    give_up();
    int64_t moved = house_find(&house, "gc-0")->clock.deadline;
    if (_i == 0)
        ck_assert_int_eq(moved, HOUSE_NOON + DAY);
    else
        ck_assert_int_ge(moved, house.now + 6 * 3600);
    deadline_passes(moved + 60 - HOUSE_NOON - DAY);
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 2);
}
END_TEST

START_TEST(a_moderator_may_go_on)
{
    work.code = ERR_BROKEN;
    work.poisoned[0] = true;
    ck_assert_int_eq(again(), 1);
    deadline_passes(60);
    house_rules(&house, "gc-0", "do: resolve\nreason: no more waiting\n");
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 2);
}
END_TEST

/* Other orders of the seat are in: the later ones, which wait, are those that count. */
START_TEST(orders_that_are_in_do_not_play_past_those_that_wait)
{
    struct err err = ERR_INIT;
    struct err why = {ERR_BROKEN, "poisoned", ""};
    struct schedule late;
    schedule_init(&late);
    late.length = DAY;
    late.early = false;
    house.clock = &late;
    house_game(&house, "gc-late", "galaxy-command", DAY, 2, table);
    house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-late\nturn: 1\nseq: 1\nbide\n#end\n");
    str_clear(&work.mail[0].raw);
    str_addf(&work.mail[0].raw, "From: anna@example.net\nTo: " HOUSE_ADDRESS "\nSubject: o\n\n");
    house_sign(&house, "anna", "#turnpost orders\ngame: gc-late\nturn: 1\nseq: 2\nbide\n#end\n",
               &work.mail[0].raw);
    reading_make(&work.reading[0], &work.mail[0], &house.league);
    ck_ok(stuck_mail(&house.batch, &work.mail[0], &work.reading[0], &why, &err), err);
    deadline_passes(60);
    ck_assert_int_eq(house_find(&house, "gc-late")->turn, 1);
    ck_assert(house_find(&house, "gc-late")->clock.held);
    deadline_passes(8 * DAY);
    ck_assert_int_eq(house_find(&house, "gc-late")->turn, 2);
}
END_TEST

/* The pieces without the first. */
static int one_later(void *arg, size_t i, struct err *err)
{
    return one(arg, i + 1, err);
}

static int fault_later(void *arg, size_t i, const struct err *why, struct err *err)
{
    return fault(arg, i + 1, why, err);
}

/* A player who sends them again in other words must not find them replaced by the older ones. */
START_TEST(newer_orders_are_not_replaced_by_those_that_waited)
{
    work.code = ERR_BROKEN;
    work.poisoned[0] = true;
    ck_assert_int_eq(again(), 1);
    house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-0\nturn: 1\nexplore near\n#end\n");
    ck_assert_int_eq(plan_of(0), STUCK_GIVE);
    house_clock(&house, house.now); /* in the same run */
    ck_assert_int_eq(house_find(&house, "gc-0")->turn, 2);
    ck_assert_uint_eq(house.batch.outside.stuck_count, 0);
}
END_TEST

/* Also when they have to be accepted twice, because a mail after them fails. */
START_TEST(newer_orders_count_when_they_are_taken_up_again)
{
    struct err err = ERR_INIT;
    work.code = ERR_BROKEN;
    work.poisoned[0] = true;
    ck_assert_int_eq(again(), 1);
    str_clear(&work.mail[1].raw);
    str_addf(&work.mail[1].raw, "From: anna@example.net\nTo: " HOUSE_ADDRESS "\nSubject: o\n\n");
    house_sign(&house, "anna", "#turnpost orders\ngame: gc-0\nturn: 1\nexplore near\n#end\n",
               &work.mail[1].raw);
    work.poisoned[2] = true;
    struct pieces later = pieces;
    later.work = one_later;
    later.fault = fault_later;
    ck_ok(pieces_work(&house.batch, &later, 2, &err), err);
    ck_assert_int_eq(plan_of(0), STUCK_GIVE);
    ck_assert_int_eq(plan_of(2), STUCK_LEAVE);
}
END_TEST

/* ---- a process that ends ---- */

/* What the parent does when the work was ended. */
static bool ended(struct at_hands *hands, int number)
{
    bool more = hands_again(hands, number);
    house_restart(&house);
    house.league.hands = hands;
    return more;
}

START_TEST(what_ends_the_process_twice_is_left_out)
{
    struct err err = ERR_INIT;
    struct at_hands hands = {.signal = 0};
    house.league.hands = &hands;
    hand_mail(&hands, slice_str(&work.mail[0].raw)); /* other threads were at work, too */
    ck_assert_int_eq(hands.now.kind, HAND_EMPTY);
    ck_assert(ended(&hands, SIGSEGV));
    ck_assert(hands.careful && !hands.signal);
    hand_mail(&hands, slice_str(&work.mail[0].raw));
    hand_signed(&hands, "anna", "gc-0", 1);
    ck_assert(ended(&hands, SIGSEGV));
    ck_assert_int_eq(hands.signal, SIGSEGV);
    ck_ok(stuck_suspects(&house.batch, &err), err);
    ck_ok(stuck_read(&house.batch, &err), err);
    ck_assert_int_eq(plan_of(0), STUCK_LEAVE);
    ck_assert_int_eq(game_stuck(house_find(&house, "gc-0"), &house.batch.outside), SEAT_BIT(1));
    ck_assert(!hands_again(&hands, SIGKILL));
    ck_assert(!hands_again(&hands, SIGSEGV)); /* nothing was at hand, although it was careful */
    house.batch.broken = 0;
}
END_TEST

START_TEST(a_game_that_ends_the_process_is_left_alone)
{
    struct err err = ERR_INIT;
    struct batch_game *entry;
    struct at_hands hands = {.careful = true};
    hand_game(&hands, "gc-5");
    ck_assert(ended(&hands, SIGABRT));
    ck_ok(stuck_suspects(&house.batch, &err), err);
    ck_assert(stuck_is_deadly(&house.batch, "gc-5") && !stuck_is_deadly(&house.batch, "gc-6"));
    ck_assert_int_eq(batch_game(&house.batch, "gc-5", &entry, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    batch_reset(&house.batch, false);
    house.now = house.batch.now += 3600; /* then it may be tried again */
    ck_assert(!stuck_is_deadly(&house.batch, "gc-5"));
    house.batch.broken = 0;
}
END_TEST

/* ---- a game ---- */

/* Are the moderators to be told of it? */
static bool untold(const char *game)
{
    struct err err = ERR_INIT;
    struct file_names names;
    ck_ok(stuck_untold(&house.batch, &names, &err), err);
    bool is = names.count == 1 && strcmp(names.name[0], game) == 0;
    ck_assert(is || names.count == 0);
    file_names_free(&names);
    return is;
}

START_TEST(a_game_that_stands_still_is_told_once)
{
    struct err err = ERR_INIT;
    struct err why = {ERR_BROKEN, "poisoned", ""};
    struct catalog_game row;
    bool found;
    ck_assert(!untold("gc-3"));
    ck_ok(stuck_game(&house.batch, "gc-3", &why, &err), err);
    ck_assert(untold("gc-3"));
    ck_ok(stuck_told(&house.batch, "gc-3", &err), err);
    ck_ok(stuck_game(&house.batch, "gc-3", &why, &err), err);
    ck_assert(!untold("gc-3"));
    deadline_passes(60); /* it is due again, and all is well */
    ck_ok(catalog_get_game(house.batch.catalog, "gc-3", &row, &found, &err), err);
    ck_assert_int_eq(row.turn, 2);
    ck_ok(stuck_game(&house.batch, "gc-3", &why, &err), err);
    ck_assert(untold("gc-3"));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, any_piece_fails, 0, FEW ? 4 : 7);
    tcase_add_test(tc, many_pieces_fail);
    tcase_add_test(tc, what_fails_at_the_commit_is_found_by_halving);
    tcase_add_test(tc, mails_stay_within_their_budget);
    tcase_add_test(tc, a_league_that_is_not_well_ends_the_run);
    tcase_add_test(tc, pauses_grow_and_end_after_three_days);
    tcase_add_test(tc, who_signed_it_is_told_when_it_is_given_up);
    tcase_add_test(tc, what_the_operator_has_to_mend_does_not_grow_old);
    tcase_add_test(tc, the_turn_of_orders_that_wait_is_held);
    tcase_add_test(tc, the_hold_ends_by_itself);
    tcase_add_loop_test(tc, who_is_told_that_orders_are_given_up_has_time, 0, 2);
    tcase_add_loop_test(tc, orders_given_up_before_the_deadline, 0, 2);
    tcase_add_test(tc, a_moderator_may_go_on);
    tcase_add_test(tc, orders_that_are_in_do_not_play_past_those_that_wait);
    tcase_add_test(tc, newer_orders_are_not_replaced_by_those_that_waited);
    tcase_add_test(tc, newer_orders_count_when_they_are_taken_up_again);
    tcase_add_test(tc, what_ends_the_process_twice_is_left_out);
    tcase_add_test(tc, a_game_that_ends_the_process_is_left_alone);
    tcase_add_test(tc, a_game_that_stands_still_is_told_once);
}
TEST_MAIN("batch/pieces", cases)
