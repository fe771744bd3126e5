/* What is said of a copy of orders is true: they are in force, or were replaced, or counted in a turn that is
 * over, or a rollback took them back, also when a later one brought them back in. */
#include <time.h>

#include "game/past.h"
#include "house/ruling.h"

/* ---- any order of things ---- */

#define TEXTS   60
#define RECORDS 2000
#define SEATS   3

static uint64_t seed;

static uint32_t roll(uint32_t n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % n;
}

static struct {
    struct str text, raw;
    int seat, turn;
} texts[TEXTS];
static int text_count;

/* What is true after each record, according to a list of what people did: which texts count, and which of
 * them are the orders of the seats for the open turn. */
struct truth {
    uint64_t live;
    int force[SEATS + 1]; /* number of the text + 1 */
};
static struct truth after[RECORDS];
static bool resigned[SEATS + 1];

/* The records since `from` are written down: all but the one that opened a turn have `now`. */
static void write_down(int64_t from, int turn, struct truth now)
{
    int64_t seq = game_now()->seq;
    ck_assert_int_lt(seq, RECORDS);
    for (int64_t i = from + 1; i <= seq; i++)
        after[i] = now;
    if (game_now()->turn > turn)
        memset(after[seq].force, 0, sizeof after[seq].force);
}

static void do_orders(void)
{
    struct str text = STR_INIT;
    int seat = 1 + (int)roll(SEATS), turn = game_now()->turn;
    int64_t from = game_now()->seq;
    if (text_count == TEXTS || resigned[seat] || !game_may_order(game_now(), seat))
        return;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\nseq: %d\nbide\n#end\n", turn, text_count + 1);
    str_init(&texts[text_count].text);
    str_init(&texts[text_count].raw);
    house_headed(&house, text.p, &texts[text_count].text);
    house_empty_spool(&house);
    (void)house_signed(&house, players[seat - 1], players[seat - 1], texts[text_count].text.p);
    str_addslice(&texts[text_count].raw, slice_str(&house.last_raw));
    texts[text_count].seat = seat;
    texts[text_count].turn = turn;
    ck_assert_int_gt(game_now()->seq, from);
    struct truth now = after[from];
    now.live |= (uint64_t)1 << text_count;
    now.force[seat] = ++text_count;
    write_down(from, turn, now);
    str_release(&text);
}

static void do_rule(const char *what)
{
    struct str fields = STR_INIT;
    int64_t from = game_now()->seq, back = 1 + (int64_t)roll((uint32_t)from);
    int turn = game_now()->turn;
    if (what)
        str_addf(&fields, "do: %s\n", what);
    else
        str_addf(&fields, "do: rollback %lld\n", (long long)back);
    str_addf(&fields, "reason: Number %d.\n", house.mails);
    rule("mona", fields.p);
    /* A rollback opens no turn by playing one, also when it goes to a later one that was taken back. */
    if (what)
        write_down(from, turn, after[from]);
    else if (game_now()->seq > from)
        write_down(from, game_now()->turn, after[back]);
    str_release(&fields);
}

static void do_resign(void)
{
    int64_t from = game_now()->seq;
    int turn = game_now()->turn;
    if (resigned[SEATS])
        return;
    (void)house_signed(&house, "carol", "carol", "#turnpost resign\ngame: gc-1\n#end\n");
    resigned[SEATS] = true;
    write_down(from, turn, after[from]);
}

static const char *words_of(int i)
{
    const struct truth *now = &after[game_now()->seq];
    if (!(now->live >> i & 1))
        return "So its orders do not count";
    if (now->force[texts[i].seat] == i + 1 && !resigned[texts[i].seat])
        return "its orders are in force now";
    return texts[i].turn == game_now()->turn ? "they are not in force now" : "The first copy counted";
}

static void do_copy(void)
{
    struct str mails;
    int64_t from = game_now()->seq;
    if (!text_count)
        return;
    int i = (int)roll((uint32_t)text_count);
    const char *who = players[texts[i].seat - 1];
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&texts[i].raw));
    told_all(NULL, 0, NULL);
    (void)house_signed(&house, who, who, texts[i].text.p);
    int count = house_mails(&house, who, &mails);
    ck_assert_msg(count == 1 && house_says(mails.p, words_of(i)), "%d mails, not \"%s\" but:\n%s", count,
                  words_of(i), mails.p);
    ck_assert_msg(house_says(mails.p, "very same text"), "no copy:\n%s", mails.p);
    str_release(&mails);
    ck_assert_int_eq(game_now()->seq, from);
}

START_TEST(the_answer_to_a_copy_is_true)
{
    seed = luck_seed(_i);
    printf("SEED=%llu\n", (unsigned long long)luck_number);
    (void)fflush(stdout);
    memset(after, 0, sizeof after);
    memset(resigned, 0, sizeof resigned);
    text_count = 0;
    (void)new_game(SEATS);
    for (int i = 0; i < 150 && !game_now()->over; i++) {
        house.now += DAY; /* so many answers a day */
        uint32_t what = roll(40);
        if (what < 15)
            do_orders();
        else if (what < 32)
            do_copy();
        else if (what < 38)
            do_rule(what < 34 ? "resolve" : NULL);
        else if (what == 38)
            house_restart(&house);
        else if (i > 60)
            do_resign();
    }
    house_same(&house, "gc-1");
    for (int i = 0; i < text_count; i++) {
        str_release(&texts[i].text);
        str_release(&texts[i].raw);
    }
}
END_TEST

/* ---- one by one ---- */

/* Two turns are played, and the first of them is opened again. */
static void rolled_back(void)
{
    (void)new_game(2);
    play();
    play();
    rule("mona", "do: rollback turn 2\n" WHY);
    house_empty_spool(&house);
    ck_assert_int_eq(game_now()->turn, 2);
}

/* Signed texts of these people in one mail from anna, read into the batch. */
static void take_mail(const char *one, const char *first, const char *other, const char *second)
{
    struct str raw = STR_INIT;
    str_addf(&raw,
             "From: anna@example.net\r\nTo: " HOUSE_ADDRESS "\r\nSubject: x\r\nMessage-ID: <two%d@x>\r\n\r\n",
             ++house.mails);
    house_sign(&house, one, first, &raw);
    str_addc(&raw, '\n');
    if (second)
        house_sign(&house, other, second, &raw);
    (void)house_take(&house, slice_str(&raw));
    str_release(&raw);
}

static void commit(void)
{
    struct err err = ERR_INIT;
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

#define ORDERS "#turnpost orders\ngame: gc-1\nturn: 2\n"

START_TEST(two_texts_in_a_mail_are_both_taken)
{
    rolled_back();
    take_mail("anna", ORDERS "seq: 1\nwait: yes\nbide\n#end\n", _i ? "bob" : "anna",
              ORDERS "seq: 2\nwait: yes\nexplore near\n#end\n");
    commit();
    ck_assert(game_now()->seat[1].orders.in);
    ck_assert_str_eq(game_now()->seat[1 + _i].orders.text.p, "explore near\n");
    house_same(&house, "gc-1");
}
END_TEST

/* Anna's text comes again, after a rollback that keeps it (0), that undoes it (1), that undoes it once its
 * turn has been played again (2), and after a second rollback that restores it (3). */
START_TEST(what_a_rollback_left_and_what_it_took)
{
    struct str text = STR_INIT, back = STR_INIT, mails;
    bool counts = _i == 0 || _i == 3;
    (void)new_game(2);
    int64_t before = game_now()->seq;
    house_headed(&house, "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n", &text);
    (void)house_signed(&house, "anna", "anna", text.p);
    int64_t behind = game_now()->seq;
    orders("bob", "bide\n");
    str_addf(&back, "do: rollback %lld\n" WHY, (long long)(_i ? before : behind));
    rule("mona", back.p);
    ck_assert_int_eq(game_now()->turn, 1);
    if (_i == 2)
        play();
    str_clear(&back);
    str_addf(&back, "do: rollback %lld\n" WHY, (long long)behind);
    if (_i == 3)
        rule("mona", back.p);
    ck_assert_int_eq(game_now()->seat[1].orders.in, counts);
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "anna", text.p);
    ck_assert_int_eq(game_now()->seat[1].orders.in, counts);
    ck_assert_int_eq(house_mails(&house, "anna", &mails), 1);
    ck_assert_msg(house_says(mails.p, "very same text"), "no copy:\n%s", mails.p);
    ck_assert_msg(house_says(mails.p, "The first copy count") == counts, "not true:\n%s", mails.p);
    ck_assert_msg(!house_says(mails.p, "too late") && !house_says(mails.p, "not accepted"), "told:\n%s",
                  mails.p);
    str_release(&text);
    str_release(&back);
    str_release(&mails);
}
END_TEST

/* A message is not brought a second time in a turn that comes a second time. */
START_TEST(press_of_a_turn_that_was_taken_back)
{
    struct str text = STR_INIT;
    (void)new_game(2);
    play();
    house_headed(&house, "#turnpost press\ngame: gc-1\nturn: 2\nto: bob\nHello\n#end\n", &text);
    (void)house_signed(&house, "anna", "anna", text.p);
    told_all("bob", 1, "Hello");
    play();
    play();
    rule("mona", "do: rollback turn 2\n" WHY);
    house_empty_spool(&house);
    int64_t seq = game_now()->seq;
    (void)house_signed(&house, "anna", "anna", text.p);
    ck_assert_int_eq(game_now()->seq, seq);
    told("bob", 0, NULL);
    told_all("anna", 1, "very same text");
    str_release(&text);
}
END_TEST

/* ---- what it costs ---- */

static int64_t worked(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The processor time of the cheapest of some mails with orders, in nanoseconds. */
static int64_t cost(void)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < 8; i++) {
        struct str text = STR_INIT, raw = STR_INIT;
        str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\nseq: %d\nbide\n#end\n", game_now()->turn,
                 ++house.mails);
        str_addf(&raw, "From: anna@example.net\r\nTo: " HOUSE_ADDRESS "\r\nMessage-ID: <c%d@x>\r\n\r\n",
                 house.mails);
        house_sign(&house, "anna", text.p, &raw);
        int64_t before = worked(), seq = game_now()->seq;
        (void)house_take(&house, slice_str(&raw));
        int64_t spent = worked() - before;
        ck_assert_int_eq(game_now()->seq, seq + 1);
        least = spent < least ? spent : least;
        commit();
        str_release(&text);
        str_release(&raw);
    }
    house_empty_spool(&house);
    return least;
}

/* Texts that are as long as texts may be, for some turns. */
static void long_files(int turns)
{
    struct str lines = STR_INIT;
    for (int i = 0; i < 300; i++)
        str_addf(&lines, "# line %d of words that order nothing and take their place in the file\n", i);
    str_adds(&lines, "bide\n");
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < 20; i++)
            orders("anna", lines.p);
        play();
    }
    str_release(&lines);
}

START_TEST(a_mail_after_a_rollback_costs_what_one_before_did)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    (void)new_game(2);
    play();
    long_files(6);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    ck_assert_uint_gt(lines.len, 2 << 20);
    int64_t before = cost();
    rule("mona", "do: rollback turn 2\n" WHY);
    int64_t behind = cost();
    printf("a mail: %lld us before, %lld us after, %zu bytes\n", (long long)before / 1000,
           (long long)behind / 1000, lines.len);
    ck_assert_int_lt(behind, 4 * before);
    str_release(&lines);
}
END_TEST

/* The least time that looking for the rollback at the end of so many lines takes. */
static int64_t looked(int count)
{
    struct str lines = STR_INIT;
    int64_t least = INT64_MAX;
    for (int i = 1; i < count; i++)
        str_addf(&lines, "{\"game\":\"gc-1\",\"seq\":%d,\"type\":\"orders\",\"seat\":1}\n", i);
    str_addf(&lines, "{\"game\":\"gc-1\",\"seq\":%d,\"do\":\"rollback\",\"record\":7}\n", count);
    for (int i = 0; i < 5; i++) {
        struct past past = {0};
        int64_t before = worked();
        ck_assert(past_want(&past, slice_str(&lines)));
        int64_t spent = worked() - before;
        least = spent < least ? spent : least;
        ck_assert_uint_eq(past.wanted_count, 1);
        ck_assert_int_eq(past.wanted[0], 7);
        past_release(&past);
    }
    ck_assert(past_undone(slice_str(&lines), 8) && !past_undone(slice_str(&lines), 7));
    str_release(&lines);
    return least;
}

START_TEST(rollbacks_are_found_in_one_pass)
{
    int64_t some = looked(4000), more = looked(32000);
    printf("%lld us for 4,000 lines, %lld for 32,000\n", (long long)some / 1000, (long long)more / 1000);
    ck_assert_int_lt(more, 24 * some);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, the_answer_to_a_copy_is_true, 0, FEW ? 1 : 8);
    tcase_add_loop_test(tc, two_texts_in_a_mail_are_both_taken, 0, 2);
    tcase_add_loop_test(tc, what_a_rollback_left_and_what_it_took, 0, 4);
    tcase_add_test(tc, rollbacks_are_found_in_one_pass);
    tcase_add_test(tc, press_of_a_turn_that_was_taken_back);
    tcase_add_test(tc, a_mail_after_a_rollback_costs_what_one_before_did);
}
TEST_MAIN("batch/undone", cases)
