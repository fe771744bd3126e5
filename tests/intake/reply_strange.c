/* Answers by players without keys that never act, or may be a machine's. */
#include "house/reported.h"

/* ---- what never acts ---- */

/* Each leaves the game as it is. */
static const struct form strange[] = {
    {.local = "bob"},
    {.token = "aaaaaaaaaaaaaaaa"},
    {.seq = 2},
    {.held = "build\n"},
    {.extra = "From: anna@mail.test\r\n"},
    {.extra = "Sender: bob@mail.test\r\n"},
    {.extra = "Subject: Re: [gc-1] #0\r\n"},

    {.extra = "Auto-Submitted: auto-replied\r\n"},
    {.extra = "List-Id: <a.b>\r\n"},
};

START_TEST(nothing_strange_acts)
{
    int64_t seq = house_find(&house, "gc-1")->seq;
    (void)answer(&strange[_i], "explore near");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
    ck_assert(!is_in());
}
END_TEST

/* A telephone's capital letter, and what old mail programs make of an address. */
START_TEST(her_address_in_other_forms)
{
    static const char *const forms[] = {"Anna", "ANNA", "anna@mail.test <anna"};
    ck_assert_int_eq(answer(&(struct form){.local = forms[_i]}, "explore near"), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
    told(0, 1, "We have your orders, anna");
}
END_TEST

/* Somebody else's, but for its case: it is theirs alone, as the operator has let them in. */
START_TEST(two_addresses_that_differ_by_case)
{
    struct err err = ERR_INIT;
    struct player other;
    player_init(&other);
    other.by_mail = true;
    (void)snprintf(other.name, sizeof other.name, "zoe");
    (void)snprintf(other.address, sizeof other.address, "ANNA@mail.test");
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "register", .player = &other}, &err),
          err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    (void)answer(&(struct form){.local = "ANNA"}, "explore near");
    (void)answer(&(struct form){.local = "Anna"}, "explore near");
    ck_assert(!is_in());
}
END_TEST

/* What is not signed cannot change what was typed: it is not looked at. */
START_TEST(unsigned_fields_are_not_looked_at)
{
    static const char *const fields[] = {"Content-Type: text/html\r\n",
                                         "Content-Transfer-Encoding: base64\r\n",
                                         "Content-Type: multipart/mixed; boundary=x\r\n"};
    (void)answer(&(struct form){.extra = fields[_i]}, "explore near");
    ck_assert_str_eq(orders_now(), "explore near\n");
}
END_TEST

/* Whether it is the later one could not be said. */
START_TEST(a_mail_without_a_date_does_not_act)
{
    (void)answer(&(struct form){.date = "yesterday"}, "explore near");
    ck_assert(!is_in());
    (void)answer(&(struct form){.date = "Thu, 01 Jan 1970 00:00:00 +0000"}, "explore near");
    ck_assert(!is_in());
    (void)answer(&(struct form){.date = "Fri, 31 Dec 9999 23:59:59 -1200"}, "explore near");
    ck_assert(!is_in());
    (void)answer(&honest, "explore near");
    ck_assert(is_in());
}
END_TEST

/* Her key was found, and then the domain signs with another one. */
START_TEST(another_key_signs_nothing)
{
    unsigned char seed[crypto_sign_SEEDBYTES] = {9}, public[crypto_sign_PUBLICKEYBYTES];
    crypto_sign_seed_keypair(public, domain.secret, seed);
    (void)answer(&honest, "explore near");
    ck_assert(!is_in());
}
END_TEST

/* The name servers do not answer: the mail stays, of which she is told once, on whichever days it is looked at again; it is
 * taken when they do. */
START_TEST(it_waits_for_its_key)
{
    struct err err = ERR_INIT;
    resolver_close(house.league.resolver);
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    house_empty_spool(&house);
    ck_assert_int_eq(answer(&honest, "explore near"), INTAKE_KEPT);
    house_told(&house, NULL, 1, "Your answer has come");
    for (int i = 0; i < 3; i++) {
        house.now += i * 43200;
        ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_KEPT);
        house_told(&house, NULL, 0, NULL);
    }
    house.now -= 3 * 43200;
    ck_assert(!is_in());
    resolver_tell(house.league.resolver, "mail._domainkey.mail.test", domain.record.p, clock_system());
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    ck_assert(is_in());
}
END_TEST

START_TEST(who_has_a_key_signs)
{
    struct form form = honest;
    char token[REPLY_TOKEN_TEXT];
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    form.token = token;
    anna_has_a_key();
    (void)answer(&form, "explore near");
    ck_assert(!is_in());
}
END_TEST

/* After its turn a token brings the present report, and nothing else. */
START_TEST(a_late_answer_gets_the_report)
{
    struct game *game = house_find(&house, "gc-1");
    struct reply_place place = place_of(game);
    char token[REPLY_TOKEN_TEXT];
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    house_clock(&house, house.now + 2 * 86400);
    ck_assert_int_gt(house_find(&house, "gc-1")->turn, 1);
    house_empty_spool(&house);
    (void)answer(&(struct form){.token = token}, "explore near");
    ck_assert(!is_in());
    ck_assert(house_find(&house, "gc-1")->turn > 1);
    (void)answer(&(struct form){.token = "k3v7q2m2xwtrabcd"},
                 "explore near"); /* nor one for each made-up token */
    struct str mails;
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 2);
    ck_assert(house_says(mails.p, "gc-1 has sent you its report again today"));
    str_release(&mails);
}
END_TEST

/* Anna answers a mail of that place in gs-1, and quotes it. */
static void answer_then(const char *token, const char *head, const char *typed)
{
    char to[99], subject[99];
    struct str body = STR_INIT;
    (void)snprintf(to, sizeof to, "league+%s@example.org", token);
    (void)snprintf(subject, sizeof subject, "Re: [gs-1] Bob leads #%s", head);
    str_addf(&body, "%s\r\n\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n> Bob leads.\r\n", typed);
    house.now += 60;
    str_clear(&mail);
    domain_letter(&domain,
                  &(struct domain_letter){"anna", "mail.test", to, subject, house.now, body.p, NULL, 0},
                  &mail);
    house.mails++;
    (void)house_raw(&house, slice_str(&mail));
    str_release(&body);
}

static int mover_of(const char *id)
{
    const struct game *game = house_find(&house, id);
    return game_awaited(game) & SEAT_BIT(1) ? 1 : game_awaited(game) & SEAT_BIT(2) ? 2 : 3;
}

/* Bob has moved, and anna has no newer mail than that before: what she orders in words is asked about, and "ok" is enough;
 * numbers are not what they were, and she gets the table as it stands. */
static void begin_three(void)
{
    static const char *const names[] = {"anna", "bob", "carol"};
    house_player(&house, "carol");
    house_game_of(&house,
                  (struct new_game){.id = "gs-1",
                                    .ruleset = ruleset_newest("galactic-supremacy"),
                                    .seats = 3,
                                    .turn_length = 86400,
                                    .missed_robot = 3,
                                    .typo_wait = true,
                                    .by_mail = true},
                  names);
    while (mover_of("gs-1") != 1) /* the robot of whoever is away plays */
        house_clock(&house, house_find(&house, "gs-1")->clock.deadline + 1);
    house_clock(&house, house_find(&house, "gs-1")->clock.deadline + 1);
}

/* An "ok" of hers to the mail of now that asks about these lines. */
static void agree_to(const char *lines)
{
    char token[REPLY_TOKEN_TEXT], head[17];
    struct reply_place place;
    ck_assert(reply_place_now(&place, house_find(&house, "gs-1"), 1));
    place.also = slice_of(lines);
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    hex_to(head, house_find(&house, "gs-1")->opened.head, 8);
    answer_then(token, head, "ok");
}

START_TEST(others_have_moved_since)
{
    char token[REPLY_TOKEN_TEXT], head[17];
    struct reply_place place;
    struct str mails;
    begin_three();
    const int other = mover_of("gs-1");
    ck_assert(reply_place_now(&place, house_find(&house, "gs-1"), 1));
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    hex_to(head, house_find(&house, "gs-1")->opened.head, 8);
    const int turn = house_find(&house, "gs-1")->turn;
    house_clock(&house, house_find(&house, "gs-1")->clock.deadline + 1);
    ck_assert(mover_of("gs-1") != 1 && mover_of("gs-1") != other);
    ck_assert_int_eq(house_find(&house, "gs-1")->turn, turn + 1);
    house_empty_spool(&house);

    answer_then(token, head, "build fleet at home");
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_msg(house_says(mails.p, "Others have played since") &&
                      house_says(mails.p, "build fleet at home"),
                  "%s", mails.p);
    ck_assert(!house_says(mails.p, "did not count"));
    str_release(&mails);
    ck_assert(!house_find(&house, "gs-1")->seat[1].orders.in);
    agree_to("build fleet at home\n");
    ck_assert_str_eq(house_find(&house, "gs-1")->seat[1].orders.text.p, "build fleet at home\n");
}
END_TEST

/* Orders that anna gave ahead wait for her turn. They can be taken back until then, by an answer to whatever mail. */
START_TEST(orders_given_ahead_are_taken_back)
{
    char token[REPLY_TOKEN_TEXT], head[17];
    struct reply_place place;
    struct str mails;
    begin_three();
    ck_assert(reply_place_now(&place, house_find(&house, "gs-1"), 1));
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    hex_to(head, house_find(&house, "gs-1")->opened.head, 8);
    answer_then(token, head, "build fleet at home");
    agree_to("build fleet at home\n");
    ck_assert(house_find(&house, "gs-1")->seat[1].orders.in);
    house_clock(&house, house_find(&house, "gs-1")->clock.deadline + 1);
    ck_assert(mover_of("gs-1") != 1);
    house_empty_spool(&house);
    answer_then(token, head, "undo");
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_msg(house_says(mails.p, "Your orders wait for your turn, and are not taken back yet"), "%s",
                  mails.p);
    str_release(&mails);
    agree_to("undo\n");
    ck_assert(house_find(&house, "gs-1")->seat[1].orders.wait);
}
END_TEST

/* ---- mails that may be a machine's ---- */

/* Asks others not to answer by themselves, lets them unsubscribe: a person's mail all the same, and answered. */
START_TEST(such_fields_say_nothing_of_their_own_mail)
{
    static const char *const fields[] = {"X-Auto-Response-Suppress: DR, OOF, AutoReply\r\n",
                                         "X-Auto-Response-Suppress: All\r\n",
                                         "List-Unsubscribe: <mailto:x@y>\r\n"};
    (void)answer(&(struct form){.extra = fields[_i]}, "Please do something clever.");
    told(0, 1, "We did not understand your answer");
    ck_assert_int_eq(answer(&(struct form){.extra = fields[_i]}, "explore near"), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
    told(0, 1, "We have your orders");
}
END_TEST

/* "Precedence: bulk" is an old vacation program's, or a person's: it counts and has a receipt, but nothing is asked of
 * it, and what it did not say uses nothing up. */
START_TEST(bulk_counts_and_is_not_asked)
{
    const char *bulk = "Precedence: bulk\r\n";
    (void)answer(&(struct form){.extra = bulk}, "I am away until Monday.");
    nobody_is_told();
    (void)answer(&honest, "Please do something clever.");
    told(0, 1, "We did not understand your answer");
    ck_assert_int_eq(answer(&(struct form){.extra = bulk}, "explore near"), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
    told(0, 1, "We have your orders");
    (void)answer(&(struct form){.extra = bulk}, "press bob: Shall we?");
    told(1, 2, "Shall we?");
}
END_TEST

/* Nor is the question of another mail forgotten for it. */
START_TEST(bulk_leaves_an_open_question)
{
    (void)answer(&honest, "explor near");
    (void)answer(&(struct form){.extra = "Precedence: bulk\r\n"}, "buidl\r\nI am away until Monday.");
    ck_assert(!is_in());
    (void)answer(&(struct form){.held = "explore near\n"}, "ok");
    ck_assert_str_eq(orders_now(), "explore near\n");
}
END_TEST

/* A vacation program answers every report that it gets: it gets none for that. */
START_TEST(bulk_gets_no_report_again)
{
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    char token[REPLY_TOKEN_TEXT];
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    house_clock(&house, house.now + 2 * 86400);
    house_empty_spool(&house);
    (void)answer(&(struct form){.token = token, .extra = "Precedence: bulk\r\n"}, "I am away until Monday.");
    (void)answer(&(struct form){.extra = "Precedence: bulk\r\n", .subject = "join gc-1"},
                 "I am away until Monday.");
    nobody_is_told();
    (void)answer(&(struct form){.token = token}, "explore near");
    told(0, 1, "Your answer did not count");
}
END_TEST

/* A button in Outlook is nothing, and what was typed later is answered as if it had never been pressed. */
START_TEST(a_reaction_is_nothing)
{
    int64_t seq = house_find(&house, "gc-1")->seq;
    for (int i = 0; i < 60; i++)
        (void)answer(
            &(struct form){.no_quote = true},
            "[like] Anna reacted to your message:\r\n________________________________\r\nFrom: x <x@y>");
    nobody_is_told();
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
    (void)answer(&honest, "Please do something clever.");
    told(0, 1, "We did not understand your answer");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, nothing_strange_acts, 0, (int)(sizeof strange / sizeof *strange));
    tcase_add_loop_test(tc, her_address_in_other_forms, 0, 3);
    tcase_add_test(tc, two_addresses_that_differ_by_case);
    tcase_add_loop_test(tc, unsigned_fields_are_not_looked_at, 0, 3);
    tcase_add_test(tc, a_mail_without_a_date_does_not_act);
    tcase_add_test(tc, another_key_signs_nothing);
    tcase_add_test(tc, it_waits_for_its_key);
    tcase_add_test(tc, who_has_a_key_signs);
    tcase_add_test(tc, a_late_answer_gets_the_report);
    tcase_add_test(tc, others_have_moved_since);
    tcase_add_test(tc, orders_given_ahead_are_taken_back);
    tcase_add_loop_test(tc, such_fields_say_nothing_of_their_own_mail, 0, 3);
    tcase_add_test(tc, bulk_counts_and_is_not_asked);
    tcase_add_test(tc, bulk_leaves_an_open_question);
    tcase_add_test(tc, bulk_gets_no_report_again);
    tcase_add_test(tc, a_reaction_is_nothing);
}
TEST_MAIN("intake/reply_strange", cases)
