/* Answers that are asked about, as mails: the question is open in the game, once, with the answer that asks, and the turn
 * waits for it (what it waits for: play/questions.c). */
#include "house/quoted.h"
#include "house/audited.h"

/* Anna's answer to the last mail about the open turn, a minute later, into `mail`. */
static void write_answer(const char *typed)
{
    struct game *game = house_find(&house, "gc-1");
    struct reply_place place = place_of(game);
    struct suggestions suggestions;
    char token[REPLY_TOKEN_TEXT], nonce[REPLY_TOKEN_TEXT], head[17], to[99], subject[99];
    struct str body = STR_INIT;
    suggestions_make(&suggestions, game, 1);
    reply_nonce(nonce, house.league.master, &place, &suggestions);
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    hex_to(head, game->opened.head, 8);
    (void)snprintf(to, sizeof to, "league+%s@example.org", token);
    (void)snprintf(subject, sizeof subject, "Re: [gc-1] Turn is played #%s", head);
    str_addf(&body, "%s\r\n\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n> ", typed);
    reply_boundary(&body, slice_of(nonce));
    str_addf(&body, " gc-1, turn %d, %s\r\n> explore far\r\n", game->turn, head);
    house.now += 60;
    str_clear(&mail);
    domain_letter(&domain,
                  &(struct domain_letter){"anna", "mail.test", to, subject, house.now, body.p, NULL, 0},
                  &mail);
    house.mails++;
    suggestions_release(&suggestions);
    str_release(&body);
}

static void answer(const char *typed)
{
    write_answer(typed);
    ck_assert_int_ne(house_raw(&house, slice_str(&mail)), INTAKE_KEPT);
}

static const char *const unclear = "buidl";

static bool is_open(void)
{
    return house_find(&house, "gc-1")->seat[1].orders.question != 0;
}

/* How many questions the journal has. */
static int questions(void)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct slice line;
    int count = 0;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    struct slice rest = slice_str(&journal);
    while (slice_find_line(&rest, "\"kind\":\"question\"", &line))
        count++;
    str_release(&journal);
    return count;
}

static int turn_now(void)
{
    return house_find(&house, "gc-1")->turn;
}

static void bob_bides(void)
{
    (void)house_signed(&house, "bob", "bob", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
}

/* The next run, which finds no catalog. */
static void without_catalog(void)
{
    struct err err = ERR_INIT;
    house_end(&house);
    house_remove_catalog(&house);
    house_begin(&house);
    house.league.config.league.trust = TRUST_MAIL;
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    resolver_tell(house.league.resolver, "mail._domainkey.mail.test", domain.record.p, clock_system());
}

/* ---- the turn waits ---- */

START_TEST(a_correction_that_was_not_understood)
{
    answer("explore near");
    answer(unclear);
    ck_assert(is_open());
    ck_assert_str_eq(orders_now(), "explore near\n");
    bob_bides();
    ck_assert_int_eq(turn_now(), 1);
    answer("explor far");
    ck_assert_int_eq(questions(), 1);
    answer("build");
    ck_assert(!is_open());
    ck_assert_int_eq(turn_now(), 2);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(its_deadline_ends_it)
{
    answer("explore near");
    answer(unclear);
    bob_bides();
    house_clock(&house, HOUSE_NOON + 86400 - 1);
    ck_assert_int_eq(turn_now(), 1);
    house_clock(&house, HOUSE_NOON + 86400);
    ck_assert_int_eq(turn_now(), 2);
    ck_assert(!is_open());
}
END_TEST

/* "undo" says that other orders are to come. */
START_TEST(what_settles_it)
{
    answer("explore near");
    answer(unclear);
    answer("undo");
    ck_assert(!is_open());
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.wait);
    answer("bulid");
    ck_assert(is_open());
    answer("show"); /* is none of orders */
    ck_assert(is_open());
    ck_assert_int_eq(questions(), 2);
}
END_TEST

/* Neither what was understood, nor what others write. */
START_TEST(no_question_is_open)
{
    answer("explore near\r\npress bob: Shall we?");
    answer("vacation 2026-12-24 to 2027-01-02");
    answer("press bob: Hello");
    ck_assert_int_eq(questions(), 0);
}
END_TEST

/* ---- with the answer that asks ---- */

/* The answer is a mail of the record: after a crash there are both, or neither. */
START_TEST(the_answer_belongs_to_its_record)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char id[32];
    answer(unclear);
    (void)snprintf(id, sizeof id, "gc-1.%lld.1", (long long)house_find(&house, "gc-1")->seq);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_msg(strstr(list.path[0], id) != NULL, "%s, not %s", list.path[0], id);
    spool_list_free(&list);
    told(0, 1, "nothing has been done yet");
    answer("explor far"); /* of no record: one is open */
    told(0, 1, "nothing has been done yet");
}
END_TEST

/* A crash has left the mail in the mailbox, and what the catalog knew is gone. */
START_TEST(a_mail_that_comes_again)
{
    answer(unclear);
    house_empty_spool(&house);
    without_catalog();
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    nobody_is_told();
    ck_assert_int_eq(questions(), 1);
    struct str first = STR_INIT;
    str_addslice(&first, slice_str(&mail));
    answer("explore near"); /* which ends it */
    house_empty_spool(&house);
    without_catalog();
    (void)house_raw(&house, slice_str(&first));
    nobody_is_told();
    ck_assert_int_eq(questions(), 1);
    str_release(&first);
}
END_TEST

/* The same of an "ok" that gave the orders again: by now it would answer an older mail, and be asked about. */
START_TEST(an_ok_that_comes_again)
{
    struct ours asked;
    answer("explore near");
    house_empty_spool(&house);
    answer("xyzzy");
    read_ours(&asked);
    (void)answer_ours(&asked, "ok");
    ck_assert(!is_open());
    house_empty_spool(&house);
    without_catalog();
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    nobody_is_told();
    ck_assert_int_eq(questions(), 1);
    str_release(&asked.text);
}
END_TEST

/* The same when its turn is over: nobody is told that they were late. */
START_TEST(a_mail_that_comes_again_late)
{
    struct str again = STR_INIT;
    answer(unclear);
    /* the same, or a copy that came by another way */
    str_addf(&again, "%s%s", _i ? "Received: by mx2.example.org\r\n" : "", mail.p);
    house_clock(&house, house.now + 2 * 86400);
    ck_assert_int_gt(turn_now(), 1);
    house_empty_spool(&house);
    without_catalog();
    ck_assert_int_eq(house_raw(&house, slice_str(&again)), INTAKE_PROCESSED);
    nobody_is_told();
    str_release(&again);
}
END_TEST

/* ---- without it ---- */

/* Who is not answered is not asked. */
START_TEST(a_mail_that_is_not_answered)
{
    answer(unclear);
    answer(unclear);
    house_rules(&house, "gc-1", "do: orders anna\nreason: She called.\n\nbide\n");
    ck_assert(!is_open());
    house_empty_spool(&house);
    answer(unclear);
    nobody_is_told(); /* they have been today */
    ck_assert(!is_open());
    ck_assert_int_eq(questions(), 1);
}
END_TEST

/* Each record keeps its mail for ever. */
START_TEST(no_more_mail_is_kept_today)
{
    struct err err = ERR_INIT;
    bool kept = true;
    while (kept)
        ck_ok(catalog_budget(house.batch.catalog,
                             &(struct catalog_reply){"mails kept of anna", house.now, 256}, &kept, &err),
              err);
    answer(unclear);
    told(0, 1, "nothing has been done yet");
    ck_assert_int_eq(questions(), 0);
}
END_TEST

/* Nobody vouches for it, or a machine wrote it. */
START_TEST(mails_of_nobody)
{
    static const char *const fields[] = {"From: bob@mail.test\r\n", "Auto-Submitted: auto-replied\r\n"};
    struct str forged = STR_INIT;
    write_answer(unclear);
    str_addf(&forged, "%s%s", fields[_i], mail.p);
    (void)house_raw(&house, slice_str(&forged));
    ck_assert_int_eq(questions(), 0);
    str_release(&forged);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_correction_that_was_not_understood);
    tcase_add_test(tc, its_deadline_ends_it);
    tcase_add_test(tc, what_settles_it);
    tcase_add_test(tc, no_question_is_open);
    tcase_add_test(tc, the_answer_belongs_to_its_record);
    tcase_add_test(tc, a_mail_that_comes_again);
    tcase_add_test(tc, an_ok_that_comes_again);
    tcase_add_loop_test(tc, a_mail_that_comes_again_late, 0, 2);
    tcase_add_test(tc, a_mail_that_is_not_answered);
    tcase_add_test(tc, no_more_mail_is_kept_today);
    tcase_add_loop_test(tc, mails_of_nobody, 0, 2);
}
TEST_MAIN("intake/questions", cases)
