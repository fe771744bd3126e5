/* Ids of answers that belong to no record: one mail of ours, made again after a crash, has the id that it had, and two that
 * say different things never have one, whatever mail they answer. */
#include "house/answers.h"
#include "house/quoted.h"

/* The ids of the mails that the batch would send, and what they say, with a space after each. */
static void made(struct str *ids, struct str *words)
{
    for (size_t i = 0; i < house.batch.mails.count; i++) {
        str_addf(ids, "%s ", house.batch.mails.list[i]->id);
        const char *body = strstr(house.batch.mails.list[i]->mail.p, "\r\n\r\n");
        str_addf(words, "%s ", body ? body : "");
    }
}

/* Works on the last mail, and forgets all that it did, as a crash before the commit does. */
static void work_and_crash(struct str *ids, struct str *words)
{
    struct err err = ERR_INIT;
    str_clear(ids);
    str_clear(words);
    ck_ok(batch_begin(&house.batch, &err), err);
    (void)house_take(&house, slice_str(&mail));
    made(ids, words);
    ck_ok(batch_rewind(&house.batch, &err), err);
}

static void write_to(const char *subject, const char *text)
{
    str_clear(&mail);
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", "mail.test", HOUSE_ADDRESS, subject, house.now, text, NULL, 0},
        &mail);
}

START_TEST(made_again_it_is_the_same_mail)
{
    static const char *const subjects[] = {"help", "status gc-1", "rules gc-1", "games", "show"};
    struct str first = STR_INIT, again = STR_INIT, one = STR_INIT, other = STR_INIT;
    write_to(subjects[_i], "");
    work_and_crash(&first, &one);
    ck_assert_uint_gt(first.len, 0);
    work_and_crash(&again, &other);
    ck_assert_str_eq(first.p, again.p);
    /* Two turns later the same mail may be answered otherwise, and then by another one. */
    house_clock(&house, house.now + 2 * 86400);
    house_clock(&house, house.now + 2 * 86400);
    work_and_crash(&again, &other);
    ck_assert_msg(strcmp(one.p, other.p) == 0 || strcmp(first.p, again.p) != 0, "%s", other.p);
    if (_i == 1)
        ck_assert_str_ne(first.p, again.p);
    str_release(&first);
    str_release(&again);
    str_release(&one);
    str_release(&other);
}
END_TEST

/* While name servers do not answer, the mail has come and is not refused; when they do, what is said then is another mail. */
START_TEST(an_answer_for_now_and_the_answer)
{
    struct err err = ERR_INIT;
    struct ours ours;
    struct str first = STR_INIT, second = STR_INIT, words = STR_INIT, body = STR_INIT;
    (void)write_plain("show", "");
    ck_assert_int_gt(find_ours(&ours, NULL), 0);
    str_adds(&body, "explore near\r\n");
    add_quote(&body, &ours);
    house.now += 60;
    str_clear(&mail);
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", "mail.test", ours.to, ours.subject, house.now, body.p, NULL, 0},
        &mail);
    resolver_close(house.league.resolver);
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    work_and_crash(&first, &words);
    ck_assert_msg(house_says(words.p, "Your answer has come"), "%s", words.p);
    ck_assert_msg(!house_says(words.p, "othing has been changed"), "%s", words.p);
    resolver_tell(house.league.resolver, "mail._domainkey.mail.test", "v=DKIM1; p=", clock_system());
    work_and_crash(&second, &words);
    ck_assert_msg(house_says(words.p, "Nothing has been changed"), "%s", words.p);
    ck_assert_str_ne(first.p, second.p);
    str_release(&first);
    str_release(&second);
    str_release(&words);
    str_release(&body);
    str_release(&ours.text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, made_again_it_is_the_same_mail, 0, 5);
    tcase_add_test(tc, an_answer_for_now_and_the_answer);
}
TEST_MAIN("intake/ids", cases)
