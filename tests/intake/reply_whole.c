/* Players without keys write of their own accord, or answer one of our mails as it came: seats, ships, reports,
 * competitions. */
#include "batch/competing_mails.h"
#include "house/quoted.h"
#include "house/compete.h"

/* ---- orders ---- */

/* The report of gc-1 is quoted between the two. */
static void answer_around(const char *above, const char *below)
{
    struct ours ours;
    struct str typed = STR_INIT;
    (void)write_plain("show", "");
    read_ours(&ours);
    house_empty_spool(&house);
    str_addf(&typed, "%s\r\n", above);
    add_quote(&typed, &ours);
    str_addf(&typed, "\r\n%s", below);
    (void)write_mail(ours.to, ours.subject, typed.p, NULL);
    str_release(&typed);
    str_release(&ours.text);
}

START_TEST(orders_below_the_quote_count)
{
    answer_around("", "explore near\r\nbuild");
    ck_assert_str_eq(orders_now(), "explore near\nbuild\n");
    answer_around("Thanks!", "build\r\n\r\nAnna");
    ck_assert_str_eq(orders_now(), "build\n");
}
END_TEST

/* Half of what somebody meant is never played. */
START_TEST(orders_above_and_below_are_asked_about)
{
    struct ours ours;
    answer_around("explore near", "if metal >= 1 build");
    ck_assert(!is_in());
    ck_assert_int_eq(find_ours(&ours, "It is not certain that you mean both"), 1);
    (void)answer_ours(&ours, "ok");
    ck_assert_str_eq(orders_now(), "explore near\nif metal >= 1 build\n");
    str_release(&ours.text);
}
END_TEST

/* Whoever forwards a report, or answers with all of it, sends its proof.txt along; others paste it below their orders. */
START_TEST(a_proof_beside_orders_says_nothing)
{
#define PROOF "-----BEGIN TURNPOST PROOF-----\r\ncmVzaWduCg==\r\n-----END TURNPOST PROOF-----\r\n"
#define FILE_FIELDS                               \
    "Content-Type: text/plain; charset=utf-8\r\n" \
    "Content-Disposition: attachment; filename=\"proof.txt\"\r\n\r\n"
    static const char *const behind[] = {
        "\r\n--b\r\n" FILE_FIELDS PROOF "--b--\r\n",
        "\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: league@example.org\r\nSubject: [gc-1] A "
        "report\r\n"
        "Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nbide\r\n--c\r\n" FILE_FIELDS PROOF
        "--c--\r\n--b--\r\n",
        "> " PROOF "--b--\r\n"};
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
        struct ours ours;
        struct str body = STR_INIT, typed = STR_INIT;
        char orders[40];
        (void)snprintf(orders, sizeof orders, "explore near\nif metal >= %zu build\n", i + 1);
        (void)write_plain("show", "");
        read_ours(&ours);
        house_empty_spool(&house);
        str_addf(&typed, "explore near\r\nif metal >= %zu build\r\n", i + 1);
        add_quote(&typed, &ours);
        str_addf(&body, "--b\r\nContent-Type: text/plain\r\n\r\n%s%s", typed.p, behind[i]);
        house.now += 60;
        str_clear(&mail);
        domain.type = "multipart/mixed; boundary=b";
        domain_letter(
            &domain,
            &(struct domain_letter){"anna", "mail.test", ours.to, ours.subject, house.now, body.p, NULL, 0},
            &mail);
        domain.type = NULL;
        house.mails++;
        (void)house_raw(&house, slice_str(&mail));
        ck_assert_str_eq(orders_now(), orders);
        str_release(&ours.text);
        ck_assert_int_eq(find_ours(&ours, "We have your orders"), 1);
        ck_assert_int_eq(find_ours(&ours, "not read"), 0);
        house_empty_spool(&house);
        str_release(&typed);
        str_release(&body);
    }
}
END_TEST

/* ---- games ---- */

static void open_table(void)
{
    const char *const nobody[] = {NULL, NULL};
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .by_mail = true},
                  nobody);
    house_empty_spool(&house);
}

START_TEST(a_seat_is_taken_by_ok)
{
    struct ours ours;
    open_table();
    (void)write_mail("league@example.org", "Join GC-2", "", NULL);
    read_ours(&ours);
    ck_assert_ptr_nonnull(strchr(ours.to, '+'));
    ck_assert_ptr_nonnull(strstr(ours.text.p, "type: ok\n"));
    (void)write_mail(ours.to, ours.subject, "no, thanks", &ours);
    ck_assert_int_eq(game_seat_of(house_find(&house, "gc-2"), "anna"), 0);
    (void)write_mail(ours.to, ours.subject, "Yes, please!\r\n\r\nAnna", &ours);
    ck_assert_int_ne(game_seat_of(house_find(&house, "gc-2"), "anna"), 0);
    str_release(&ours.text);
}
END_TEST

START_TEST(who_joins_wishes_for_ships)
{
    struct err err = ERR_INIT;
    struct ours ours;
    struct str journal = STR_INIT;
    const char *const nobody[] = {NULL, NULL};
    house_game_of(&house,
                  (struct new_game){.id = "gx-2",
                                    .ruleset = ruleset_newest("galactic-contract"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .by_mail = true},
                  nobody);
    house_empty_spool(&house);
    (void)write_mail("league@example.org", "Join gx-2", "", NULL);
    read_ours(&ours);
    ck_assert_ptr_nonnull(strstr(ours.text.p, "\"ship:\""));
    ck_assert_ptr_nonnull(strstr(ours.text.p, "Packhorse"));
    (void)write_mail(ours.to, ours.subject, "ok\r\nship: swift, warp", &ours);
    ck_assert_int_eq(game_seat_of(house_find(&house, "gx-2"), "anna"), 0); /* there is no such ship */
    house_empty_spool(&house);
    (void)write_mail(ours.to, ours.subject, "ok\r\nShip: tinker, SWIFT.", &ours);
    ck_assert_int_ne(game_seat_of(house_find(&house, "gx-2"), "anna"), 0);
    ck_ok(store_read(house.batch.store, "gx-2", STORE_BEGIN, &journal, &err), err);
    ck_assert_ptr_nonnull(strstr(journal.p, "\"wish\":\"Tinker, Swift\""));
    str_release(&journal);
    str_release(&ours.text);
}
END_TEST

/* Whoever has mails that she has written to others, or to a list, can send them in: she is not met with silence for that. */
START_TEST(mails_to_others_use_nothing_up)
{
    struct ours ours;
    struct str mails;
    domain.signs_to = _i % 2;
    (void)write_plain("show", "");
    read_ours(&ours);
    for (int i = 0; i < 60; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "Let us meet at %c%c", 'a' + i % 26, 'a' + i / 26);
        house.now += _i < 2 ? 0 : 1800;
        house_empty_spool(&house);
        (void)write_mail("bob@example.net", "Dinner", text, NULL);
        ck_assert_int_le(house_mails(&house, NULL, &mails), 1);
        str_release(&mails);
    }
    (void)answer_ours(&ours, "Please do something clever");
    (void)house_mails(&house, NULL, &mails);
    ck_assert_msg(house_says(mails.p, "We did not understand your answer"), "%s", mails.p);
    str_release(&mails);
    str_release(&ours.text);
}
END_TEST

static void wish_by_ok(const char *subject)
{
    struct ours ours;
    house_empty_spool(&house);
    (void)write_mail("league@example.org", subject, "", NULL);
    read_ours(&ours);
    (void)write_mail(ours.to, ours.subject, "ok", &ours);
    str_release(&ours.text);
}

START_TEST(who_stands_by_says_so_by_mail)
{
    const char *const names[] = {"bob", "robot"};
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .missed_standby = 2,
                                    .by_mail = true},
                  names);
    wish_by_ok("Standby gc-2");
    ck_assert_str_eq(house_find(&house, "gc-2")->attendance.standby.p, "anna");
    wish_by_ok("Unstandby gc-2");
    ck_assert_str_eq(house_find(&house, "gc-2")->attendance.standby.p, "");
}
END_TEST

/* Their seat was the last one: the game has begun when the mail comes again. */
START_TEST(a_seat_is_taken_once)
{
    struct ours ours;
    const char *const names[] = {NULL, "robot"};
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .by_mail = true},
                  names);
    house_empty_spool(&house);
    (void)write_mail("league@example.org", "Join gc-2", "", NULL);
    read_ours(&ours);
    (void)write_mail(ours.to, ours.subject, "ok", &ours);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 1);
    house_empty_spool(&house);
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    nobody_is_told();
    str_release(&ours.text);
}
END_TEST

/* The mail that a turn brings, answered: nothing of the table above has to be known. */
START_TEST(our_report_is_answered)
{
    struct ours ours;
    house_clock(&house, house.now + 2 * 86400);
    read_ours(&ours);
    house_empty_spool(&house);
    (void)write_mail(ours.to, ours.subject, "Explore near", &ours);
    ck_assert_str_eq(orders_now(), "Explore near\n");
    str_release(&ours.text);
    read_ours(&ours);
    house_empty_spool(&house);
    (void)write_mail(ours.to, ours.subject, "2", &ours); /* a receipt shows no suggestions */
    ck_assert_str_eq(orders_now(), "Explore near\n");
    str_release(&ours.text);
    read_ours(&ours);
    (void)write_mail(ours.to, ours.subject, "ok", &ours);
    ck_assert_str_ne(orders_now(), "Explore near\n");
    ck_assert(is_in());
    str_release(&ours.text);
}
END_TEST

/* A table where mail does not count is not joined so. */
START_TEST(where_mail_does_not_count)
{
    const char *const nobody[] = {NULL, NULL};
    house_game(&house, "gc-2", "galaxy-command", 86400, 2, nobody);
    house_empty_spool(&house);
    (void)write_mail("league@example.org", "Join gc-2", "", NULL);
    struct ours ours;
    read_ours(&ours);
    ck_assert_ptr_null(strchr(ours.to, '+'));
    str_release(&ours.text);
}
END_TEST

/* What there is no use in asking about is said at once. */
START_TEST(wishes_that_come_to_nothing)
{
    static const struct {
        const char *subject, *words;
    } wishes[] = {{"join gc-99", "There is no game \"gc-99\""},
                  {"leave gc-2", "You have no seat in game gc-2"},
                  {"leave gc-1", "Game gc-1 has begun"},
                  {"resign gc-2", "You have no seat in game gc-2"},
                  {"join gc-1", "You are in: seat 1 of gc-1 is yours. The game is in turn 1."},
                  {"take gc-99", "There is no game \"gc-99\""},
                  {"take gc-2", "No seat of game gc-2 is offered"},
                  {"enter gc-1", "There is no competition"}};
    struct str mails;
    open_table();
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        (void)write_plain(wishes[i].subject, "");
        ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
        ck_assert_msg(house_says(mails.p, wishes[i].words), "%s:\n%s", wishes[i].subject, mails.p);
        str_release(&mails);
    }
}
END_TEST

/* What somebody's mail program signs by OpenPGP is heard. */
#define PGP "-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n-----END PGP SIGNATURE-----"
START_TEST(a_wish_in_a_signed_mail)
{
    struct ours ours;
    open_table();
    (void)write_plain("join gc-2", PGP);
    ck_assert_int_eq(find_ours(&ours, "Do you want to join"), 1);
    str_release(&ours.text);
    (void)write_plain("explore near", PGP);
    ck_assert_int_eq(find_ours(&ours, "PGP signatures are not taken"), 1);
    str_release(&ours.text);
}
END_TEST

/* The question says what joining brings: a place on the list. */
START_TEST(a_full_table_is_waited_for)
{
    struct ours ours;
    const char *const names[] = {"bob", "robot"};
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .by_mail = true},
                  names);
    (void)write_plain("join gc-2", "");
    read_ours(&ours);
    ck_assert(
        house_says(ours.text.p, "All seats of gc-2 (Galaxy Command) are taken, and the game has begun"));
    ck_assert(house_says(ours.text.p, "a place on its waiting list"));
    ck_assert(!house_says(ours.text.p, "You will hear when it begins"));
    (void)answer_ours(&ours, "ok");
    ck_assert_uint_eq(house_find(&house, "gc-2")->table.waiting_count, 1);
    told(0, 1, "you are on the waiting list, in place 1");
    str_release(&ours.text);
}
END_TEST

/* By a mail of its own, and never by "ok" alone. */
START_TEST(a_seat_is_given_up_by_its_word)
{
    struct ours ours;
    char typed[32];
    (void)write_plain("Resign gc-1", "");
    read_ours(&ours);
    ck_assert(house_says(ours.text.p, "Do you want to resign your seat in gc-1"));
    (void)snprintf(typed, sizeof typed, "ok %.6s", strstr(ours.text.p, "type: ok ") + 9);
    (void)answer_ours(&ours, "ok");
    ck_assert(!house_find(&house, "gc-1")->seat[1].robot);
    (void)answer_ours(&ours, typed);
    ck_assert(house_find(&house, "gc-1")->seat[1].robot);
    str_release(&ours.text);
}
END_TEST

/* She has lost that seat, or the game is over: she is told that, and not how another game stands. */
START_TEST(an_answer_to_a_game_that_is_not_hers)
{
    struct ours ours;
    struct str mails;
    const char *const names[] = {"anna", "bob"};
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .by_mail = true},
                  names);
    (void)write_plain("show gc-1", "");
    read_ours(&ours);
    house_player(&house, "carl");
    house_rules(&house, "gc-1",
                _i ? "do: replace seat 1 by carl\nreason: gone\n" : "do: void\nreason: a storm\n");
    char subject[220]; /* with what mail systems put in front of it */
    (void)snprintf(subject, sizeof subject, "[EXTERNAL] %s", ours.subject);
    house_empty_spool(&house);
    (void)write_mail(ours.to, subject, "explore near", &ours);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_msg(house_says(mails.p, _i ? "You have no seat in game gc-1 now" : "Game gc-1 is over"), "%s",
                  mails.p);
    ck_assert(!house_says(mails.p, "gc-2"));
    str_release(&mails);
    str_release(&ours.text);
}
END_TEST

/* ---- mail programs that do not use Reply-To, and other addresses ---- */

/* What is quoted says which mail is answered, if it is certain that the answer was written to us. */
START_TEST(without_its_address_the_quote_tells)
{
    static const char *const typed[] = {"explore near", "1", "ok"};
    struct ours ours;
    (void)write_plain("show gc-1", "");
    read_ours(&ours);
    house_empty_spool(&house);
    domain.signs_to = true;
    (void)write_mail(HOUSE_ADDRESS, ours.subject, typed[_i], &ours);
    domain.signs_to = false;
    ck_assert(is_in());
    told(0, 1, "We have your orders, anna");
    str_release(&ours.text);
}
END_TEST

/* Else they are told where it goes; and there it counts. */
START_TEST(an_answer_to_the_plain_address)
{
    struct ours ours, told_so;
    (void)write_plain("show gc-1", "");
    read_ours(&ours);
    house_empty_spool(&house);
    domain.signs_to = _i == 1; /* it quotes nothing then */
    (void)write_mail(HOUSE_ADDRESS, ours.subject, "explore near", _i ? NULL : &ours);
    domain.signs_to = false;
    ck_assert(!is_in());
    read_ours(&told_so);
    ck_assert(house_says(told_so.text.p, "which your mail program does not use"));
    const char *at = strstr(told_so.text.p, "\nleague+");
    char to[64];
    ck_assert_ptr_nonnull(at);
    (void)snprintf(to, sizeof to, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
    (void)write_mail(to, ours.subject, "explore near", &ours);
    ck_assert_str_eq(orders_now(), "explore near\n");
    str_release(&told_so.text);
    str_release(&ours.text);
}
END_TEST

/* "ok" to a question is not taken for one to the report. */
START_TEST(a_question_is_answered_at_its_address)
{
    struct ours report, question;
    (void)write_plain("show gc-1", "");
    read_ours(&report);
    (void)answer_ours(&report, "bied");
    read_ours(&question);
    house_empty_spool(&house);
    domain.signs_to = true;
    (void)write_mail(HOUSE_ADDRESS, question.subject, "ok", &question);
    ck_assert(!is_in());
    told(0, 1, "which your mail program does not use");
    domain.signs_to = false;
    (void)answer_ours(&question, "ok");
    ck_assert_str_eq(orders_now(), "bide\n");
    str_release(&report.text);
    str_release(&question.text);
}
END_TEST

/* Somebody whom she has asked for advice sends her mail on. */
START_TEST(a_mail_to_somebody_else_counts_for_nothing)
{
    struct ours ours;
    (void)write_plain("show gc-1", "");
    read_ours(&ours);
    domain.signs_to = true;
    (void)write_mail("bob@example.net", ours.subject, "explore near", &ours);
    ck_assert(!is_in());
    domain.signs_to = false;
    (void)write_mail("bob@example.net", ours.subject, "explore near", &ours);
    ck_assert(!is_in());
    str_release(&ours.text);
}
END_TEST

/* Nor where somebody knows the address for answers, as a copy of one went to them: her domain has signed to whom this mail goes. */
START_TEST(a_mail_to_somebody_else_that_is_sent_to_that_address)
{
    static const char *const fields[] = {"Delivered-To", "X-Original-To", "Envelope-To", "Cc"};
    struct ours ours;
    struct str body = STR_INIT, raw = STR_INIT;
    (void)write_plain("show gc-1", "");
    read_ours(&ours);
    house_empty_spool(&house);
    str_adds(&body, "explore near\r\n");
    add_quote(&body, &ours);
    str_addf(&raw, "%s: %s\r\n", fields[_i / 2], ours.to);
    house.now += 60;
    domain.signs_to = _i % 2;
    domain_letter(&domain,
                  &(struct domain_letter){"anna", "mail.test", "bob@example.net", ours.subject, house.now,
                                          body.p, NULL, 0},
                  &raw);
    house.mails++;
    (void)house_raw(&house, slice_str(&raw));
    ck_assert_int_eq(is_in(), !domain.signs_to); /* else nothing shows that it was not for us */
    if (domain.signs_to)
        told(0, 1, "You wrote this mail to somebody else");
    domain.signs_to = false;
    str_release(&body);
    str_release(&raw);
    str_release(&ours.text);
}
END_TEST

/* The right token, from an address of hers that nobody knows here. */
START_TEST(an_answer_from_another_address)
{
    struct ours ours;
    struct str raw = STR_INIT, mails;
    (void)write_plain("show gc-1", "");
    read_ours(&ours);
    house_empty_spool(&house);
    domain_letter(&domain,
                  &(struct domain_letter){"anna.private", "mail.test", ours.to, ours.subject, house.now,
                                          "explore near\r\n", NULL, 0},
                  &raw);
    (void)house_raw(&house, slice_str(&raw));
    ck_assert(!is_in());
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_msg(house_says(mails.p, "send your answer from the one that our mail went to"), "%s", mails.p);
    ck_assert(!house_says(mails.p, "anna@mail.test"));
    str_release(&mails);
    str_release(&raw);
    str_release(&ours.text);
}
END_TEST

/* ---- competitions ---- */

static void spring(bool by_mail)
{
    house_compete(
        &house, "spring", "galactic-contract", 1,
        (struct new_competition){.seats = 2, .by_mail = by_mail, .confirm_until = house.now + HOUSE_WEEK});
}

static const struct entrant *entrant(void)
{
    return competition_entrant(house_competition(&house, "spring"), "anna");
}

/* Asked for in a mail of its own; the answer is agreed to as the mail that asks says. */
static void wish(const char *subject)
{
    struct ours ours;
    char typed[32] = "ok";
    house_empty_spool(&house);
    (void)write_mail("league@example.org", subject, "", NULL);
    read_ours(&ours);
    house_empty_spool(&house);
    ck_assert_ptr_nonnull(strchr(ours.to, '+'));
    const char *word = strstr(ours.text.p, "type: ok ");
    if (word)
        (void)snprintf(typed, sizeof typed, "ok %.6s", word + 9);
    (void)write_mail(ours.to, ours.subject, typed, &ours);
    str_release(&ours.text);
}

/* The invitation to one is answered as it says. */
START_TEST(a_competition_is_entered_by_its_invitation)
{
    struct err err = ERR_INIT;
    struct batch_competition *entry;
    struct ours ours;
    char *ok;
    spring(true);
    ck_ok(competing_find(&house.batch, "spring", &entry, &err), err);
    ck_ok(competing_tell_invitation(&house.batch, entry, "anna", false, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert_int_eq(find_ours(&ours, "You are invited to the competition spring"), 1);
    ok = strstr(ours.text.p, "type: ok ");
    ck_assert_ptr_nonnull(ok);
    ok = strndup(ok + strlen("type: "), strlen("ok swswrh"));
    (void)answer_ours(&ours, "ok");
    ck_assert_ptr_null(entrant());
    struct str please = STR_INIT;
    str_addf(&please, "%s please", ok);
    (void)answer_ours(&ours, please.p);
    ck_assert(entrant() && entrant()->in);
    str_release(&please);
    free(ok);
    str_release(&ours.text);
}
END_TEST

START_TEST(a_competition_is_entered_by_its_word)
{
    struct ours ours;
    spring(true);
    (void)write_mail("league@example.org", "Enter Spring", "", NULL);
    read_ours(&ours);
    ck_assert_ptr_null(entrant());
    ck_assert_ptr_nonnull(strstr(ours.text.p, "Do you want to enter the competition spring"));
    ck_assert_ptr_nonnull(strstr(ours.text.p, "type: ok "));
    house_empty_spool(&house);
    (void)write_mail(ours.to, ours.subject, "ok", &ours);
    ck_assert_ptr_null(entrant());
    char typed[32];
    (void)snprintf(typed, sizeof typed, "ok %.6s", strstr(ours.text.p, "type: ok ") + 9);
    (void)write_mail(ours.to, ours.subject, typed, &ours);
    ck_assert(entrant() && entrant()->in && !entrant()->confirmed);
    house_empty_spool(&house);
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_REJECTED);
    nobody_is_told();
    str_release(&ours.text);
}
END_TEST

START_TEST(confirmed_and_withdrawn_by_ok)
{
    spring(true);
    wish("enter spring");
    ck_assert(entrant()->in);
    wish("confirm spring");
    ck_assert(entrant()->confirmed);
    wish("withdraw spring");
    ck_assert(!entrant()->in);
    told(0, 1, "You have withdrawn");
}
END_TEST

START_TEST(where_only_keys_compete)
{
    struct ours ours;
    spring(false);
    (void)write_mail("league@example.org", "enter spring", "", NULL);
    read_ours(&ours);
    ck_assert_ptr_null(strchr(ours.to, '+'));
    ck_assert_ptr_nonnull(strstr(ours.text.p, "only players with keys"));
    ck_assert_ptr_null(entrant());
    str_release(&ours.text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, orders_below_the_quote_count);
    tcase_add_test(tc, orders_above_and_below_are_asked_about);
    tcase_add_test(tc, a_proof_beside_orders_says_nothing);
    tcase_add_test(tc, a_seat_is_taken_by_ok);
    tcase_add_test(tc, a_seat_is_taken_once);
    tcase_add_test(tc, wishes_that_come_to_nothing);
    tcase_add_test(tc, a_wish_in_a_signed_mail);
    tcase_add_test(tc, a_full_table_is_waited_for);
    tcase_add_test(tc, a_seat_is_given_up_by_its_word);
    tcase_add_loop_test(tc, an_answer_to_a_game_that_is_not_hers, 0, 2);
    tcase_add_loop_test(tc, without_its_address_the_quote_tells, 0, 3);
    tcase_add_loop_test(tc, an_answer_to_the_plain_address, 0, 2);
    tcase_add_test(tc, a_question_is_answered_at_its_address);
    tcase_add_test(tc, a_mail_to_somebody_else_counts_for_nothing);
    tcase_add_loop_test(tc, a_mail_to_somebody_else_that_is_sent_to_that_address, 0, 8);
    tcase_add_test(tc, an_answer_from_another_address);
    tcase_add_loop_test(tc, mails_to_others_use_nothing_up, 0, 4);
    tcase_add_test(tc, who_joins_wishes_for_ships);
    tcase_add_test(tc, who_stands_by_says_so_by_mail);
    tcase_add_test(tc, a_competition_is_entered_by_its_invitation);
    tcase_add_test(tc, a_competition_is_entered_by_its_word);
    tcase_add_test(tc, confirmed_and_withdrawn_by_ok);
    tcase_add_test(tc, where_only_keys_compete);
    tcase_add_test(tc, our_report_is_answered);
    tcase_add_test(tc, where_mail_does_not_count);
}
TEST_MAIN("intake/reply_whole", cases)
