/* Answers to a digest, in which one mail is about several games. */
#include "house/answers.h"

/* The first line of a mail of ours, as it is quoted. */
static void quote_first(struct str *body, const char *nonce, const char *what)
{
    str_adds(body, "> ");
    reply_boundary(body, slice_of(nonce));
    str_addf(body, " %s\r\n", what);
}

static void quote_place(struct str *body, const char *id)
{
    struct game *game = house_find(&house, id);
    struct reply_place place = place_of(game);
    struct suggestions suggestions;
    char nonce[REPLY_TOKEN_TEXT], head[17], what[99];
    suggestions_make(&suggestions, game, 1);
    reply_nonce(nonce, house.league.master, &place, &suggestions);
    hex_to(head, place.head, 8);
    (void)snprintf(what, sizeof what, "%s, turn %d, %s", id, game->turn, head);
    quote_first(body, nonce, what);
    suggestions_release(&suggestions);
}

/* Of the mail that keeps a seat. */
static void quote_wish(struct str *body, const char *id)
{
    char head[17];
    hex_to(head, house_find(&house, id)->journal.create_head, 8);
    str_addf(body, "> Galaxy Command, game %s, %s\r\n", id, head);
}

/* Anna's answer to the digest of so many days ago, about two games; NULL: nothing below the quote. */
static void write_around(int days, const char *typed, const char *below)
{
    static const char *const names[] = {"anna", "bob"};
    struct str body = STR_INIT;
    struct reply_place place;
    char day[DATE_TEXT], token[REPLY_TOKEN_TEXT], nonce[REPLY_TOKEN_TEXT], to[99];
    if (!store_has(house.batch.store, "gc-3"))
        house_game_of(&house,
                      (struct new_game){.id = "gc-3",
                                        .ruleset = ruleset_newest("galaxy-command"),
                                        .seats = 2,
                                        .turn_length = 86400,
                                        .by_mail = true},
                      names);
    house_empty_spool(&house);
    date_text(day, house.now / DAY_SECONDS - days);
    reply_digest_place(&place, "anna", day);
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    reply_token(nonce, house.league.master, REPLY_WORD_NONCE, &place);
    (void)snprintf(to, sizeof to, "league+%s@example.org", token);
    str_addf(&body, "%s\r\n\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n", typed);
    quote_first(&body, nonce, day);
    quote_place(&body, "gc-1");
    quote_place(&body, "gc-3");
    if (store_has(house.batch.store, "gc-5"))
        quote_wish(&body, "gc-5");
    str_adds(&body, "> ");
    reply_closing(&body, slice_of(nonce));
    str_addf(&body, "\r\n%s%s", below ? below : "", below ? "\r\n" : "");
    house.now += 60;
    str_clear(&mail);
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", "mail.test", to, "Re: Your games", house.now, body.p, NULL, 0},
        &mail);
    house.mails++;
    str_release(&body);
}

static void write_digest(int days, const char *typed)
{
    write_around(days, typed, NULL);
}

static void both_ordered(void)
{
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
    ck_assert_str_eq(house_find(&house, "gc-3")->seat[1].orders.text.p, "build\n");
}

/* A clock that was put back makes it a digest of a day to come. */
START_TEST(a_digest_is_answered)
{
    write_digest(_i - 2, "gc-1: explore near\r\ngc-3: build");
    both_ordered();
}
END_TEST

/* A line that a mail program has folded, whose rest is no line of another game. */
START_TEST(a_folded_message_is_sent_once)
{
    struct str mails;
    write_digest(0, "gc-1: press bob: Shall we meet where the two rivers come together, as\r\nfriends?\r\n"
                    "gc-3: press bob: Shall we meet where the two rivers come together, as\r\ngc-1: status");
    (void)house_raw(&house, slice_str(&mail));
    (void)house_mails(&house, "bob", &mails);
    const char *once = strstr(mails.p, "friends?");
    ck_assert_msg(once && !strstr(once + 1, "friends?"), "%s", mails.p);
    ck_assert_ptr_null(strstr(mails.p, "gc-1: status"));
    str_release(&mails);
}
END_TEST

/* A run ended after the turn of one game was played, and before its mail was moved. */
START_TEST(a_digest_comes_again)
{
    write_digest(0, "gc-1: explore near\r\ngc-3: build");
    both_ordered();
    if (_i == 0)
        house_clock(&house, house.now + 2 * 86400);
    house_empty_spool(&house);
    int64_t seq = house_find(&house, "gc-1")->seq;
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    nobody_is_told();
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
}
END_TEST

START_TEST(a_digest_waits_for_its_games)
{
    write_digest(0, "gc-1: explore near\r\nGc-3: build");
    lose_game(_i ? "gc-3" : "gc-1");
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_KEPT);
    nobody_is_told();
    both_ordered();
}
END_TEST

/* ---- what else is typed above it ---- */

static void digest_brings(const char *typed, int mails, const char *words)
{
    struct str got;
    write_digest(0, typed);
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    int count = house_mails(&house, NULL, &got);
    ck_assert_msg(count == mails && house_says(got.p, words), "%s: %d mails, not %d with \"%s\":\n%s", typed,
                  count, mails, words, got.p);
    str_release(&got);
}

START_TEST(questions_above_a_digest)
{
    for (int times = 0; times < 2; times++) {
        digest_brings("help", 1, "What you can send to");
        digest_brings("gc-1: help", 1, "Orders of Galaxy Command");
        digest_brings("rules gc-3", 1, "THE RULES AS PLAYED HERE");
        digest_brings("gc-3: map\r\ngc-1: deadline?", 2, "You asked for this report again");
        digest_brings("show", 2, "You asked for this report again");
        digest_brings("status", 1, "anna: no turn has waited");
    }
    ck_assert(!is_in());
}
END_TEST

START_TEST(commands_above_a_digest)
{
    digest_brings("digest no", 1, "");
    ck_assert(!registry_find(&house.batch.registry, "anna")->digest);
    digest_brings("vacation 2026-12-24 to 2027-01-02", 1, "Your time off is noted");
    digest_brings("gc-1: ok\r\ngc-3: build\r\nhelp", 3, "What you can send to");
    ck_assert(is_in());
    ck_assert_str_eq(house_find(&house, "gc-3")->seat[1].orders.text.p, "build\n");
    digest_brings("gc-1:\r\nundo\r\npress bob: Shall we?", 3, "Shall we?");
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.wait);
}
END_TEST

/* All of it, or nothing. */
START_TEST(unsure_above_a_digest)
{
    static const char *const typed[] = {"gc-1: explore near\r\ngc-3: buidl", "build",
                                        "gc-1: explore near\r\nok", "gc-1: ok\r\ngc-3: explor near",
                                        "gc-1: build trust with bob\r\ngc-3: build"};
    write_digest(0, typed[_i]);
    (void)house_raw(&house, slice_str(&mail));
    told(0, 1, "Nothing has been done yet");
    ck_assert(!is_in());
}
END_TEST

/* More than a day on its way; a copy of one that counted is none of these. */
START_TEST(a_late_digest_asks)
{
    write_digest(0, "gc-1: explore near\r\ngc-3: build");
    if (_i)
        both_ordered();
    house_empty_spool(&house);
    house.now += 90000;
    (void)house_raw(&house, slice_str(&mail));
    if (_i)
        nobody_is_told();
    else
        told(0, 1, "more than a day after it was written");
    ck_assert_int_eq(is_in(), _i);
}
END_TEST

static bool is_open(const char *id)
{
    return house_find(&house, id)->seat[1].orders.question != 0;
}

/* In which games the question is open: those that a line may be about. */
START_TEST(the_question_stays_open)
{
    static const struct {
        const char *typed;
        bool open[2];
    } asked[] = {{"gc-1: explor near\r\ngc-3: build", {true, true}},
                 {"gc-3: buidl", {false, true}},
                 {"build", {true, true}},
                 {"gc-1: help\r\ngc-3: build trust with bob", {false, true}},
                 {"Please do something clever", {false, false}}};
    write_digest(0, asked[_i].typed);
    for (int times = 0; times < 2; times++) {
        house_empty_spool(&house);
        (void)house_raw(&house, slice_str(&mail));
        if (!times)
            told(0, 1, "Nothing has been done yet");
        else if (asked[_i].open[0] || asked[_i].open[1])
            nobody_is_told(); /* it came again */
        ck_assert_int_eq(is_open("gc-1"), asked[_i].open[0]);
        ck_assert_int_eq(is_open("gc-3"), asked[_i].open[1]);
    }
    write_digest(0, "gc-1: explore near\r\ngc-3: build");
    both_ordered();
    ck_assert(!is_open("gc-1") && !is_open("gc-3"));
}
END_TEST

/* Half of what somebody meant is never played. */
START_TEST(orders_around_a_digest)
{
    write_around(0, "gc-1: explore near", "gc-3: build");
    (void)house_raw(&house, slice_str(&mail));
    told(0, 1, "You typed above our mail and below it, too");
    ck_assert(!is_in() && is_open("gc-1") && is_open("gc-3"));
    write_around(0, "", "gc-1: explore near\r\ngc-3: build");
    both_ordered();
}
END_TEST

/* gc-5, with seats kept for anna and bob. */
static void keep_seats(void)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    struct step_keys keys = batch_keys(&house.batch);
    struct new_game how = {.id = "gc-5",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 2,
                           .turn_length = 86400,
                           .by_mail = true,
                           .answer_by = house.now + (int64_t)9 * 86400};
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    how.seat[1] = (struct new_seat){.player = "anna", .kept = true};
    how.seat[2] = (struct new_seat){.player = "bob", .kept = true};
    step_init(&step, &keys, house.now);
    ck_ok(step_create(&step, &game, &how, &err), err);
    ck_ok(batch_take(&house.batch, batch_add(&house.batch, &game), &step, NULL, &err), err);
    step_release(&step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* What the mail inside says, "type: ok", works with the name of the game in front. */
START_TEST(a_kept_seat_is_taken_from_a_digest)
{
    keep_seats();
    write_digest(0, _i ? "gc-5: no, thanks\r\ngc-3: build" : "GC-5: ok\r\ngc-3: build");
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    ck_assert_str_eq(house_find(&house, "gc-3")->seat[1].orders.text.p, "build\n");
    ck_assert_int_eq(game_seat_of(house_find(&house, "gc-5"), "anna") != 0, !_i);
}
END_TEST

/* Its turn is over: that is said, and not that the line lacks the name of its game; a message is sent. */
START_TEST(a_digest_of_a_turn_that_is_over)
{
    struct str mails;
    write_digest(0, "");
    house.now += 86000;
    domain.signs_to = true;
    write_digest(0, "gc-1: 2\r\ngc-1: press bob: I am back, sorry\r\ngc-3: explore near");
    house_clock(&house, house_find(&house, "gc-1")->clock.deadline + 1);
    house_empty_spool(&house);
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1);
    ck_assert_msg(house_says(mails.p, "I am back, sorry"), "%s", mails.p);
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 3);
    ck_assert_msg(house_says(mails.p, "Your message was sent. Nothing else has been done.") &&
                      house_says(mails.p, "Answer the last mail of gc-1") &&
                      !house_says(mails.p, "Each line begins"),
                  "%s", mails.p);
    str_release(&mails);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, a_digest_is_answered, 0, 4);
    tcase_add_test(tc, a_folded_message_is_sent_once);
    tcase_add_loop_test(tc, a_digest_comes_again, 0, 2);
    tcase_add_loop_test(tc, a_digest_waits_for_its_games, 0, 2);
    tcase_add_test(tc, questions_above_a_digest);
    tcase_add_test(tc, commands_above_a_digest);
    tcase_add_loop_test(tc, unsure_above_a_digest, 0, 5);
    tcase_add_loop_test(tc, a_late_digest_asks, 0, 2);
    tcase_add_loop_test(tc, the_question_stays_open, 0, 5);
    tcase_add_test(tc, orders_around_a_digest);
    tcase_add_loop_test(tc, a_kept_seat_is_taken_from_a_digest, 0, 2);
    tcase_add_test(tc, a_digest_of_a_turn_that_is_over);
}
TEST_MAIN("intake/reply_digest", cases)
