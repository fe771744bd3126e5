/* Players without keys write of their own accord, or answer one of our mails as it came: seats, ships, reports,
 * competitions. */
#include "house/answers.h"
#include "house/compete.h"

struct ours {
    char to[128], subject[200]; /* where an answer goes */
    struct str text;
};

/* The only mail in the spool that is Anna's. */
static void read_ours(struct ours *ours)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    int found = 0;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing letter;
        struct message msg;
        ck_ok(spool_load(house.batch.spool, list.path[i], &letter, &err), err);
        if (strcmp(letter.envelope_to, "anna@mail.test") == 0) {
            const char *at = strstr(letter.mail.p, "\r\nReply-To: ");
            size_t len = strcspn(at + 12, "\r");
            (void)snprintf(ours->to, sizeof ours->to, "%.*s", (int)len, at + 12);
            ck_ok(message_parse(slice_str(&letter.mail), &message_limits_default,
                                &(struct message_identity){0}, &msg, &err),
                  err);
            (void)snprintf(ours->subject, sizeof ours->subject, "Re: %s", msg.subject);
            str_init(&ours->text);
            str_addslice(&ours->text, slice_str(&msg.parts[0].shown));
            message_release(&msg);
            found++;
        }
        outgoing_release(&letter);
    }
    spool_list_free(&list);
    ck_assert_int_eq(found, 1);
}

/* Anna's mail, with that mail of ours quoted below. */
static void write_mail(const char *to, const char *subject, const char *typed, const struct ours *quoted)
{
    struct str body = STR_INIT;
    str_addf(&body, "%s\r\n", typed);
    if (quoted) {
        struct slice rest = slice_str(&quoted->text), line;
        str_adds(&body, "\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n");
        while (slice_line(&rest, &line))
            str_addf(&body, "> %.*s\r\n", (int)line.len, line.p);
    }
    house.now += 60;
    str_clear(&mail);
    domain_letter(&domain,
                  &(struct domain_letter){"anna", "mail.test", to, subject, house.now, body.p, NULL, 0},
                  &mail);
    house.mails++;
    (void)house_raw(&house, slice_str(&mail));
    str_release(&body);
}

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
    write_mail("league@example.org", "Join GC-2", "", NULL);
    read_ours(&ours);
    ck_assert_ptr_nonnull(strchr(ours.to, '+'));
    ck_assert_ptr_nonnull(strstr(ours.text.p, "type: ok\n"));
    write_mail(ours.to, ours.subject, "no, thanks", &ours);
    ck_assert_int_eq(game_seat_of(house_find(&house, "gc-2"), "anna"), 0);
    write_mail(ours.to, ours.subject, "Yes, please!\r\n\r\nAnna", &ours);
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
    write_mail("league@example.org", "Join gx-2", "", NULL);
    read_ours(&ours);
    ck_assert_ptr_nonnull(strstr(ours.text.p, "\"ship:\""));
    ck_assert_ptr_nonnull(strstr(ours.text.p, "Packhorse"));
    write_mail(ours.to, ours.subject, "ok\r\nship: swift, warp", &ours);
    ck_assert_int_eq(game_seat_of(house_find(&house, "gx-2"), "anna"), 0); /* there is no such ship */
    house_empty_spool(&house);
    write_mail(ours.to, ours.subject, "ok\r\nShip: tinker, SWIFT.", &ours);
    ck_assert_int_ne(game_seat_of(house_find(&house, "gx-2"), "anna"), 0);
    ck_ok(store_read(house.batch.store, "gx-2", STORE_BEGIN, &journal, &err), err);
    ck_assert_ptr_nonnull(strstr(journal.p, "\"wish\":\"Tinker, Swift\""));
    str_release(&journal);
    str_release(&ours.text);
}
END_TEST

static void wish_by_ok(const char *subject)
{
    struct ours ours;
    house_empty_spool(&house);
    write_mail("league@example.org", subject, "", NULL);
    read_ours(&ours);
    write_mail(ours.to, ours.subject, "ok", &ours);
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
    write_mail("league@example.org", "Join gc-2", "", NULL);
    read_ours(&ours);
    write_mail(ours.to, ours.subject, "ok", &ours);
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
    write_mail(ours.to, ours.subject, "Explore near", &ours);
    ck_assert_str_eq(orders_now(), "Explore near\n");
    str_release(&ours.text);
    read_ours(&ours);
    write_mail(ours.to, ours.subject, "1", &ours);
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
    write_mail("league@example.org", "Join gc-2", "", NULL);
    struct ours ours;
    read_ours(&ours);
    ck_assert_ptr_null(strchr(ours.to, '+'));
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
    write_mail("league@example.org", subject, "", NULL);
    read_ours(&ours);
    house_empty_spool(&house);
    ck_assert_ptr_nonnull(strchr(ours.to, '+'));
    const char *word = strstr(ours.text.p, "type: ok ");
    if (word)
        (void)snprintf(typed, sizeof typed, "ok %.6s", word + 9);
    write_mail(ours.to, ours.subject, typed, &ours);
    str_release(&ours.text);
}

START_TEST(a_competition_is_entered_by_its_word)
{
    struct ours ours;
    spring(true);
    write_mail("league@example.org", "Enter Spring", "", NULL);
    read_ours(&ours);
    ck_assert_ptr_null(entrant());
    ck_assert_ptr_nonnull(strstr(ours.text.p, "Do you want to enter the competition spring"));
    ck_assert_ptr_nonnull(strstr(ours.text.p, "type: ok "));
    house_empty_spool(&house);
    write_mail(ours.to, ours.subject, "ok", &ours);
    ck_assert_ptr_null(entrant());
    char typed[32];
    (void)snprintf(typed, sizeof typed, "ok %.6s", strstr(ours.text.p, "type: ok ") + 9);
    write_mail(ours.to, ours.subject, typed, &ours);
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
    write_mail("league@example.org", "enter spring", "", NULL);
    read_ours(&ours);
    ck_assert_ptr_null(strchr(ours.to, '+'));
    ck_assert_ptr_nonnull(strstr(ours.text.p, "needs a key"));
    ck_assert_ptr_null(entrant());
    str_release(&ours.text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_seat_is_taken_by_ok);
    tcase_add_test(tc, a_seat_is_taken_once);
    tcase_add_test(tc, who_joins_wishes_for_ships);
    tcase_add_test(tc, who_stands_by_says_so_by_mail);
    tcase_add_test(tc, a_competition_is_entered_by_its_word);
    tcase_add_test(tc, confirmed_and_withdrawn_by_ok);
    tcase_add_test(tc, where_only_keys_compete);
    tcase_add_test(tc, our_report_is_answered);
    tcase_add_test(tc, where_mail_does_not_count);
}
TEST_MAIN("intake/reply_whole", cases)
