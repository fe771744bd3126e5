/* Questions of players without keys: typed above any mail of ours, beside anything, or in a mail of their own, each is
 * answered, and as often as it is asked. */
#include "house/quoted.h"

#include "petitions/petition.h"

#define ORDER_WORDS "Orders of Galaxy Command"
#define RULES       "THE RULES AS PLAYED HERE"
#define HELP        "What you can send to league@example.org"
#define SHOW        "You asked for this report again"
#define DUE         "Turn 1 is due"

/* The report of the open turn, as it came. */
static void read_report(struct ours *ours)
{
    house_empty_spool(&house);
    (void)write_plain("show", "");
    ck_assert_int_eq(find_ours(ours, SHOW), 1);
    house_empty_spool(&house);
}

/* So many mails come, one of them with these words. */
static void come(int count, const char *words)
{
    struct str mails;
    int got = house_mails(&house, NULL, &mails);
    ck_assert_msg(got == count && house_says(mails.p, words), "%d mails, not %d with \"%s\":\n%s", got, count,
                  words, mails.p);
    str_release(&mails);
}

/* ---- above a report ---- */

static const struct {
    const char *typed, *words;
    int mails;
} asked[] = {
    {"help", ORDER_WORDS, 1},
    {"Help!", ORDER_WORDS, 1},
    {"help explore", "turn up a system and attack it", 1},
    {"Hello,\r\nhelp\r\nThanks\r\nAnna", ORDER_WORDS, 1},
    {"rules", RULES, 1},
    {"rules galaxy-farmer", "GALAXY FARMER", 1},
    {"status", "YOUR SECTOR", 1},
    {"status gc-1", "Galaxy Command, game gc-1: turn 1", 1},
    {"standing", DUE, 1},
    {"show", SHOW, 1},
    {"map", SHOW, 1},
    {"Board?", SHOW, 1},
    {"deadline", DUE, 1},
    {"When is the deadline?", DUE, 1},
    {"help\r\nmap", SHOW, 2},
    {"help\r\nstatus gc-1", ORDER_WORDS, 2},
    {"help\r\ndeadline\r\nhelp", ORDER_WORDS, 1}, /* it says when they are due */
};

START_TEST(each_is_answered)
{
    struct ours ours;
    read_report(&ours);
    for (int times = 0; times < 3; times++) {
        ck_assert_int_eq(answer_ours(&ours, asked[_i].typed), INTAKE_PROCESSED);
        come(asked[_i].mails, asked[_i].words);
        ck_assert(!is_in());
    }
    str_release(&ours.text);
}
END_TEST

/* Wherever the quote begins, and if the turn is not named: they change nothing. */
START_TEST(without_the_quote)
{
    struct ours ours;
    read_report(&ours);
    (void)write_mail(ours.to, "Re: a report", asked[_i].typed, NULL);
    come(asked[_i].mails, asked[_i].words);
    str_release(&ours.text);
}
END_TEST

/* Their answer can be answered with orders. */
START_TEST(and_then_an_order)
{
    static const char *const questions[] = {"help", "deadline", "status gc-1", "map"};
    struct ours ours;
    read_report(&ours);
    (void)answer_ours(&ours, questions[_i]);
    str_release(&ours.text);
    read_ours(&ours);
    (void)answer_ours(&ours, "explore near");
    ck_assert_str_eq(orders_now(), "explore near\n");
    str_release(&ours.text);
}
END_TEST

/* ---- beside something else ---- */

START_TEST(beside_orders)
{
    struct ours ours;
    read_report(&ours);
    (void)answer_ours(&ours, "help\r\nexplore near\r\nwhen is the deadline?");
    ck_assert_str_eq(orders_now(), "explore near\nhelp\n");
    come(1, ORDER_WORDS);
    come(1, "We have your orders");
    (void)answer_ours(&ours, "1\r\nrules\r\nmap");
    come(2, RULES);
    come(2, SHOW);
    ck_assert(is_in());
    str_release(&ours.text);
}
END_TEST

START_TEST(beside_commands)
{
    struct ours ours;
    read_report(&ours);
    (void)answer_ours(&ours, "ok\r\nhelp");
    ck_assert(is_in());
    come(2, ORDER_WORDS);
    come(2, "We have your orders");
    (void)answer_ours(&ours, "press bob: Shall we?\r\nhelp");
    come(3, ORDER_WORDS);
    come(3, "Shall we?");
    str_release(&ours.text);
}
END_TEST

/* It is what somebody needs who was not understood. */
START_TEST(beside_what_is_not_understood)
{
    struct ours ours;
    read_report(&ours);
    (void)answer_ours(&ours, "explore near\r\nI do not know how to build\r\nhelp");
    ck_assert_str_eq(orders_now(), "explore near\nhelp\n");
    come(1, ORDER_WORDS);
    come(1, "Not read in your mail: \"I do not know how to build\"");
    (void)answer_ours(&ours, "explor near\r\nhelp");
    come(2, ORDER_WORDS);
    come(2, "We understood: \"explore near\" If that is what you mean");
    str_release(&ours.text);
}
END_TEST

/* A mail with a hundred of them is not answered by a hundred mails. */
START_TEST(so_many_are_answered)
{
    struct ours ours;
    struct str typed = STR_INIT, mails;
    read_report(&ours);
    for (int i = 0; i < 100; i++)
        str_addf(&typed, "status gc-%d\r\n", i);
    (void)answer_ours(&ours, typed.p);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 5);
    str_release(&mails);
    str_release(&typed);
    str_release(&ours.text);
}
END_TEST

/* ---- above other mails ---- */

/* Of an old turn, or of one that nobody has sent. */
START_TEST(above_an_old_report)
{
    struct ours ours;
    read_report(&ours);
    house_clock(&house, house.now + 2 * 86400);
    ck_assert_int_gt(house_find(&house, "gc-1")->turn, 1);
    (void)answer_ours(&ours, "help");
    come(1, HELP);
    (void)answer_ours(&ours, "help gc-1");
    come(1, ORDER_WORDS);
    (void)answer_ours(&ours, "rules");
    come(1, RULES);
    (void)answer_ours(&ours, "map");
    come(1, SHOW);
    (void)answer_ours(&ours, "deadline");
    come(1, "is due");
    (void)answer_ours(&ours, "explore near\r\ndeadline");
    come(2, "is due");
    come(2, "Nothing was done");
    (void)answer_ours(&ours, "standing"); /* that is a word of the game alone */
    come(1, "its report again today");
    str_release(&ours.text);
}
END_TEST

static void open_table(void)
{
    const char *const names[] = {"bob", NULL};
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .by_mail = true},
                  names);
    house_empty_spool(&house);
}

START_TEST(above_a_question_of_ours)
{
    struct ours ours;
    open_table();
    (void)write_plain("join gc-2", "");
    read_ours(&ours);
    (void)answer_ours(&ours, "help");
    come(1, HELP);
    (void)answer_ours(&ours, "rules");
    come(1, RULES);
    (void)answer_ours(&ours, "status");
    come(1, "game gc-2: not begun yet");
    (void)answer_ours(&ours, "map");
    come(1, "game gc-2: not begun yet");
    (void)answer_ours(&ours, "deadline?");
    come(1, "The game begins as soon as every seat is taken");
    (void)answer_ours(&ours, "standing");
    come(1, "press Reply and type: ok");
    ck_assert_int_eq(game_seat_of(house_find(&house, "gc-2"), "anna"), 0);
    str_release(&ours.text);
}
END_TEST

START_TEST(above_an_answer_to_help)
{
    struct ours ours;
    (void)write_plain("help", "");
    read_ours(&ours);
    (void)answer_ours(&ours, "show");
    come(1, SHOW);
    (void)answer_ours(&ours, "rules galaxy-command");
    come(1, RULES);
    (void)answer_ours(&ours, "help");
    come(1, HELP);
    str_release(&ours.text);
}
END_TEST

/* ---- in a mail of its own ---- */

static const struct {
    const char *subject, *words;
} plain[] = {
    {"help", HELP},
    {"Help gc-1", ORDER_WORDS},
    {"help galaxy-command", ORDER_WORDS},
    {"rules gc-1", RULES},
    {"status gc-1", "Galaxy Command, game gc-1: turn 1"},
    {"status", "anna: no turn has waited for this player yet"},
    {"show", SHOW},
    {"Show gc-1", SHOW},
    {"show GC-1", SHOW},
    {"map", SHOW},
    {"board", SHOW},
    {"resend", SHOW},
    {"resend gc-1", SHOW},
    {"deadline gc-1", DUE},
    {"deadline", "gc-1  Galaxy Command"},
    {"show gc-99", "There is no game called \"gc-99\""},
    {"map gc-99", "There is no game called \"gc-99\""},
};

START_TEST(by_a_mail_of_its_own)
{
    for (int times = 0; times < 3; times++) {
        ck_assert_int_eq(write_plain(plain[_i].subject, ""), INTAKE_PROCESSED);
        come(1, plain[_i].words);
        ck_assert_int_eq(write_plain("Hello", plain[_i].subject), INTAKE_PROCESSED);
        come(1, plain[_i].words);
    }
}
END_TEST

/* Verbs as subjects: a player without a key is told how they say it, and of those that can be said without one never that
 * it needs a key. */
START_TEST(verbs_by_mails_of_their_own)
{
    static const char *const games[] = {"", " gc-1", " gc-99", " spring"};
    for (int i = 0; petitions[i]; i++) {
        const bool needs = !(petitions[i]->needs & PETITION_MAIL);
        for (size_t game = 0; game < 4; game++) {
            char subject[64];
            struct str mails;
            house.now += 86400; /* the budget of a day */
            (void)snprintf(subject, sizeof subject, "%s%s", petitions[i]->verb, games[game]);
            (void)write_plain(subject, "");
            ck_assert_msg(house_mails(&house, NULL, &mails) == 1, "%s: %s", subject, mails.p);
            ck_assert_msg(needs || !house_says(mails.p, "needs a key"), "%s:\n%s", subject, mails.p);
            ck_assert_msg(!needs || !house_says(mails.p, "press Reply and type: ok"), "%s:\n%s", subject,
                          mails.p);
            str_release(&mails);
        }
    }
    ck_assert(!house_find(&house, "gc-1")->seat[1].robot);
}
END_TEST

/* Settings, too, if it is certain that the mail was written to us: "Vacation cancelled?" to a friend is nothing of ours, and
 * the friend could send it here. */
START_TEST(settings_by_a_mail_of_its_own)
{
    const struct player *anna = registry_find(&house.batch.registry, "anna");
    (void)write_plain("digest 18", "");
    come(1, "Press Reply in a mail about one of your games");
    ck_assert(!anna->digest);
    domain.signs_to = true;
    (void)write_plain("digest 18", "");
    ck_assert(anna->digest && anna->digest_hour == 18);
    (void)write_plain("Hello", "Vacation 2026-12-24 to 2027-01-02");
    come(1, "Your time off is noted");
    house_empty_spool(&house);
    (void)write_mail("bob@example.net", "digest no", "", NULL);
    ck_assert(anna->digest);
}
END_TEST

/* Nobody sees another's table by writing her name into From. */
START_TEST(only_her_own_domain_says_that_it_is_hers)
{
    unsigned char seed[crypto_sign_SEEDBYTES] = {9}, public[crypto_sign_PUBLICKEYBYTES];
    crypto_sign_seed_keypair(public, domain.secret, seed);
    (void)write_mail(HOUSE_ADDRESS, "show gc-1", "", NULL);
    come(1, "it is not certain that it is yours");
}
END_TEST

/* ---- how much is told to whom ---- */

/* A stranger asks, whose mail domain has signed it, or nobody. */
static void stranger_asks(const char *subject, bool vouched, struct str *mails)
{
    struct str raw = STR_INIT;
    house_empty_spool(&house);
    house.now += 60;
    if (vouched)
        domain_letter(
            &domain,
            &(struct domain_letter){"zoe", "mail.test", HOUSE_ADDRESS, subject, house.now, "\r\n", NULL, 0},
            &raw);
    else
        str_addf(&raw,
                 "From: zoe@elsewhere.test\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%d@elsewhere.test>\r\n"
                 "X-Padding: %1200d\r\n\r\n\r\n",
                 HOUSE_ADDRESS, subject, ++house.mails, 0);
    (void)house_raw(&house, slice_str(&raw));
    ck_assert_int_le(house_mails(&house, NULL, mails), 1);
    str_release(&raw);
}

START_TEST(who_is_vouched_for_gets_all_of_it)
{
    struct str mails;
    (void)write_plain("rules galaxy-command", "");
    come(1, "15. WHAT IS NOT FROM THE RULEBOOK");
    stranger_asks("rules galaxy-command", true, &mails);
    ck_assert(house_says(mails.p, "15. WHAT IS NOT FROM THE RULEBOOK"));
    ck_assert(!house_says(mails.p, "left out"));
    str_release(&mails);
}
END_TEST

/* So a mail of somebody's that is sent here again and again brings them one answer. */
START_TEST(a_signed_mail_is_answered_once)
{
    struct str again = STR_INIT;
    (void)write_plain(_i ? "show" : "rules galaxy-command", "");
    str_addf(&again, "Received: by another.example.org\r\n%s", mail.p);
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&again));
    nobody_is_told();
    str_release(&again);
}
END_TEST

static int digits(struct slice text)
{
    int number = 0;
    for (size_t i = 0; i < text.len && i < 3 && text.p[i] >= '0' && text.p[i] <= '9'; i++)
        number = 10 * number + text.p[i] - '0';
    return number;
}

/* Nobody vouches for them: the rules come in parts, each of which says how the next one is to be had. */
START_TEST(others_get_it_in_parts)
{
    static const struct {
        const char *ruleset;
        int sections;
    } rules[] = {
        {"galaxy-command", 15}, {"galactic-contract", 14}, {"galactic-supremacy", 16}, {"galaxy-farmer", 16}};
    bool had[20] = {false};
    int next = 1, parts = 0;
    while (next && parts < 9) {
        struct str mails;
        struct slice rest, line;
        char subject[64];
        (void)snprintf(subject, sizeof subject, parts ? "rules %s %d" : "rules %s", rules[_i].ruleset, next);
        stranger_asks(subject, false, &mails);
        rest = slice_str(&mails);
        ck_assert_uint_lt(mails.len, 5000); /* three times the mail, and what says so */
        while (slice_line(&rest, &line)) {
            int number = digits(line);
            if (number > 0 && number < 20 && slice_starts(slice_sub(line, number < 10 ? 1 : 2, 2), ". "))
                had[number] = true;
        }
        const char *more = strstr(mails.p, "It begins with section ");
        next = more ? digits(slice_of(more + 23)) : 0;
        str_release(&mails);
        parts++;
    }
    ck_assert_int_ge(parts, 2);
    for (int i = 1; i <= rules[_i].sections; i++)
        ck_assert_msg(had[i], "%s: section %d", rules[_i].ruleset, i);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, each_is_answered, 0, (int)(sizeof asked / sizeof *asked));
    tcase_add_loop_test(tc, without_the_quote, 0, (int)(sizeof asked / sizeof *asked));
    tcase_add_loop_test(tc, and_then_an_order, 0, 4);
    tcase_add_test(tc, beside_orders);
    tcase_add_test(tc, beside_commands);
    tcase_add_test(tc, beside_what_is_not_understood);
    tcase_add_test(tc, so_many_are_answered);
    tcase_add_test(tc, above_an_old_report);
    tcase_add_test(tc, above_a_question_of_ours);
    tcase_add_test(tc, above_an_answer_to_help);
    tcase_add_loop_test(tc, by_a_mail_of_its_own, 0, (int)(sizeof plain / sizeof *plain));
    tcase_add_test(tc, verbs_by_mails_of_their_own);
    tcase_add_test(tc, settings_by_a_mail_of_its_own);
    tcase_add_test(tc, who_is_vouched_for_gets_all_of_it);
    tcase_add_loop_test(tc, a_signed_mail_is_answered_once, 0, 2);
    tcase_add_loop_test(tc, others_get_it_in_parts, 0, 4);
    tcase_add_test(tc, only_her_own_domain_says_that_it_is_hers);
}
TEST_MAIN("intake/asks", cases)
