/* What refusals are about: by their enhanced status codes, else by the command that was refused. */
#include "mail/answer.h"

#include "suite.h"

static const char *const names[] = {[ABOUT_RECIPIENT] = "recipient",
                                    [ABOUT_MAIL] = "mail",
                                    [ABOUT_NOW] = "now",
                                    [ABOUT_US] = "us",
                                    [ABOUT_UNSURE] = "unsure"};

/* To MAIL, RCPT and the text. */
static const struct {
    const char *words, *mail, *rcpt, *text;
} rows[] = {
    /* the receiver */
    {"550 5.1.1 no such user", "us", "recipient", "recipient"},
    {"550-5.1.1 The email account that you tried to reach does not exist.", "us", "recipient", "recipient"},
    {"550 5.1.6 it has moved", "us", "recipient", "recipient"},
    {"556 5.1.10 takes no mail", "us", "recipient", "recipient"},
    {"550 5.2.1 it is disabled", "us", "recipient", "recipient"},
    {"550 5.4.1 Recipient address rejected: Access denied", "us", "recipient", "recipient"},
    {"554 5.4.4 its domain does not exist", "us", "recipient", "recipient"},
    {"504 5.5.2 <a>: Recipient address rejected: need fully-qualified address", "us", "recipient", "unsure"},
    {"550 5.7.17 it has another owner", "us", "recipient", "recipient"},
    {"552 5.2.2 it is full", "now", "now", "now"},
    /* the mail */
    {"552 5.3.4 too big", "mail", "mail", "mail"},
    {"552 5.2.3 too big for it", "mail", "mail", "mail"},
    {"554 5.6.0 not that text", "mail", "mail", "mail"},
    {"550 5.6.1 no such media", "mail", "mail", "mail"},
    {"554 5.7.7 its integrity", "mail", "mail", "mail"},
    /* us */
    {"550 5.4.5 Daily user sending limit exceeded", "us", "us", "us"},
    {"452 4.4.5 enough for this hour", "now", "us", "us"},
    {"550 5.1.8 Access denied, bad outbound sender", "us", "us", "us"},
    {"450 4.1.8 Sender address rejected: Domain not found", "us", "us", "us"},
    {"553 5.1.7 Sender address rejected", "us", "us", "us"},
    {"550 5.7.60 Client does not have permissions to send as this sender", "us", "us", "us"},
    {"550 5.7.23 SPF validation failed", "us", "us", "us"},
    {"550 5.7.26 This mail is unauthenticated", "us", "us", "us"},
    {"421 4.7.28 our system has detected an unusual rate of mail", "us", "us", "us"},
    {"432 4.3.2 sender thread limit exceeded", "us", "us", "us"},
    {"550 5.5.3 too many recipients", "us", "us", "us"},
    {"421 4.7.0 try again later, closing connection", "us", "now", "now"},
    /* one or the other */
    {"554 5.7.1 Service unavailable; Client host blocked", "us", "unsure", "unsure"},
    {"550 5.7.0 not for you", "us", "unsure", "unsure"},
    {"550 5.7.350 what is that", "us", "unsure", "unsure"},
    {"554 5.3.0 transaction failed", "us", "unsure", "unsure"},
    {"503 5.5.1 need MAIL", "us", "unsure", "unsure"},
    {"554 5.0.0 no", "us", "unsure", "unsure"},
    /* for now */
    {"450 4.7.1 greylisted", "us", "now", "now"},
    {"451 4.3.0 try again later", "us", "now", "now"},
    {"450 4.2.1 receives mail too quickly", "us", "now", "now"},
    {"452 4.5.3 too many recipients", "now", "now", "now"},
    {"452 4.3.1 the disk is full", "now", "now", "now"},
    {"550 4.2.0 by a server of two minds", "us", "now", "now"},
    /* without a code */
    {"550 no such user", "us", "recipient", "unsure"},
    {"551 not local", "us", "recipient", "unsure"},
    {"553 no such name", "us", "recipient", "unsure"},
    {"501 no address", "us", "recipient", "unsure"},
    {"552 too much", "mail", "now", "mail"},
    {"554 no", "us", "unsure", "unsure"},
    {"500 what", "us", "unsure", "unsure"},
    {"521 takes no mail", "us", "us", "unsure"},
    {"451 later", "us", "now", "now"},
    {"452 full", "now", "now", "now"},
    {"421 bye", "us", "now", "now"},
    /* what is no code */
    {"550 5.1 what", "us", "recipient", "unsure"},
    {"550 5.1.1234 what", "us", "recipient", "unsure"},
    {"550 see 5.4.5", "us", "recipient", "unsure"},
    {"550", "us", "recipient", "unsure"},
};

START_TEST(each_answer)
{
    static const enum dial_stage stages[] = {DIAL_MAIL, DIAL_RCPT, DIAL_TEXT};
    const char *const want[] = {rows[_i].mail, rows[_i].rcpt, rows[_i].text};
    for (size_t i = 0; i < 3; i++) {
        const char *got = names[answer_about(slice_of(rows[_i].words), stages[i])];
        ck_assert_msg(strcmp(got, want[i]) == 0, "%s, %s: %s", rows[_i].words,
                      (const char *const[]){"MAIL", "RCPT", "text"}[i], got);
    }
    /* The text is sent when DATA is taken; what it says then is said of the text. */
    ck_assert_int_eq(answer_about(slice_of(rows[_i].words), DIAL_DATA),
                     answer_about(slice_of(rows[_i].words), DIAL_TEXT));
}
END_TEST

START_TEST(what_programs_print)
{
    static const struct {
        const char *text, *about; /* NULL: there is no such code in it */
    } texts[] = {
        {"msmtp: the server did not accept the mail\nmsmtp: server message: 550-5.4.5 Daily user sending "
         "limit "
         "exceeded\nmsmtp: could not send mail",
         "us"},
        {"send-mail: 550 5.1.1 <a@b.c>: no such user", "recipient"},
        {"552 5.3.4 too big", "mail"},
        {"(554 5.7.1 no)", "unsure"},
        {"451 4.7.1 later", "now"},
        {"550 no such user", NULL},
        {"250 2.0.0 fine", NULL},
        {"pid 1550 5.1.1", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        enum answer_about about = ABOUT_NOW;
        bool found = answer_printed(slice_of(texts[i].text), &about);
        ck_assert_msg(found == (texts[i].about != NULL), "%s", texts[i].text);
        ck_assert_msg(!found || strcmp(names[about], texts[i].about) == 0, "%s: %s", texts[i].text,
                      names[about]);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, each_answer, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tc, what_programs_print);
}
TEST_MAIN_TOGETHER("mail/answer", cases)
