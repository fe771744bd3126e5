/* "stop", unsigned: it costs nobody a seat, and nothing happens before the word has come back. */
#include "house/house.h"

#include "league/token.h"

#define DAY ((int64_t)86400)

static struct house house;

static void begin(void)
{
    static const char *const pair[] = {"anna", "bob"};
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "dora");
    house_game(&house, "gc-1", "galaxy-command", DAY, 2, pair);
    (void)house_signed(&house, "dora", "dora", "#turnpost observe\ngame: gc-1\n#end\n");
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nreminder: 6\n#end\n");
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

static bool is_quiet(const char *name)
{
    return registry_find(&house.batch.registry, name)->quiet;
}

/* The word that a "stop" brings to that player. */
static void ask(const char *name, char subject[64])
{
    struct str mails;
    (void)house_mail(&house, name, "stop", "");
    ck_assert_int_eq(house_mails(&house, name, &mails), 1);
    const char *at = strstr(mails.p, "\nstop ");
    ck_assert_msg(at != NULL, "no word in\n%s", mails.p);
    (void)snprintf(subject, 64, "Re: %.31s", at + 1);
    str_release(&mails);
    house_empty_spool(&house);
}

static void play(void)
{
    house_clock(&house, house_find(&house, "gc-1")->clock.deadline);
}

/* Mail programs send it by themselves; a forged one does no more. */
START_TEST(nothing_happens_before_the_word_comes_back)
{
    char subject[64];
    const int64_t records = house.batch.log.seq;
    ask("dora", subject);
    ask("anna", subject);
    ck_assert_int_eq(house.batch.log.seq, records);
    ck_assert(!is_quiet("dora") && !is_quiet("anna"));
    (void)house_mail(&house, "dora", subject, ""); /* anna's word */
    ck_assert(!is_quiet("dora") && !is_quiet("anna"));
    house_empty_spool(&house);
    (void)house_mail(&house, "dora", "stop aaaaaaaaaaaaaaaaaaaaaaaaaa", "");
    house_told(&house, "dora", 1, "Nothing has been changed yet");
    ck_assert_int_eq(house.batch.log.seq, records);
}
END_TEST

/* An observer hears no more; what a player needs goes on, and no seat is touched. */
START_TEST(what_need_not_be_ends)
{
    char subject[64];
    play();
    house_told(&house, "dora", 1, ", public)");
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "anna" : "dora";
        ask(name, subject);
        house.now += 6 * DAY;
        (void)house_mail(&house, name, subject, "Sent from my telephone");
        house_told(&house, name, 1, "You get no more mails");
        ck_assert(is_quiet(name));
    }
    house_restart(&house); /* players/NAME.json holds it */
    ck_assert(is_quiet("dora") && is_quiet("anna"));
    ck_assert_int_eq(player_reminder(registry_find(&house.batch.registry, "anna"), &house.league.config), 0);
    house_clock(&house, house.now);
    house_empty_spool(&house);
    play();
    house_told(&house, "dora", 0, NULL);
    play();
    house_told(&house, "anna", 1, NULL);
    ck_assert_str_eq(house_find(&house, "gc-1")->seat[1].player, "anna");
    (void)house_mail(&house, "anna", "stop", "");
    house_told(&house, "anna", 1, "You get no more mails");
}
END_TEST

START_TEST(a_signed_text_brings_them_back)
{
    (void)house_signed(&house, "dora", "dora", "#turnpost prefs\noptional: no\n#end\n");
    ck_assert(is_quiet("dora"));
    house_empty_spool(&house);
    play();
    house_told(&house, "dora", 0, NULL);
    (void)house_signed(&house, "dora", "dora", "#turnpost prefs\noptional: yes\n#end\n");
    ck_assert(!is_quiet("dora"));
    house_empty_spool(&house);
    play();
    house_told(&house, "dora", 1, ", public)");
}
END_TEST

START_TEST(whom_nobody_knows)
{
    house_person(&house, "eve");
    (void)house_mail(&house, "eve", "unsubscribe", "");
    house_told(&house, "eve", 1, "No player of Orion League has this address");
    (void)house_mail(&house, "eve", "stop the war and join us", "");
    house_told(&house, "eve", 1, NULL);
}
END_TEST

/* Nothing is sent to them any more, not even answers, until they come to play. What is kept says nothing of them. */
START_TEST(who_is_no_player_is_left_alone)
{
    char subject[64];
    char *tokens = house_path(&house, "tokens");
    struct str command = STR_INIT;
    house_person(&house, "eve");
    ask("eve", subject);
    (void)house_mail(&house, "mia", subject, ""); /* eve's word */
    house_told(&house, "mia", 1, "To get none of these either");
    const int64_t records = house.batch.log.seq;
    (void)house_mail(&house, "eve", subject, "");
    ck_assert_int_eq(house.batch.log.seq, records + 1);
    house_told(&house, "eve", 1, "This is the last mail to this address");
    house_restart(&house);
    for (int i = 0; i < 2; i++) {
        (void)house_mail(&house, i ? "Eve" : "eve", i ? "games" : "stop", "");
        house_told(&house, "eve", 0, NULL);
        house_told(&house, "Eve", 0, NULL);
    }
    str_addf(&command, "test $(ls %s | wc -l) = 1 && ! grep -ri 'eve@' %s %s/../registry/journal.jsonl",
             tokens, tokens, tokens);
    ck_assert_int_eq(system(command.p), 0);
    (void)house_mail(&house, "mia", "games", "");
    house_told(&house, "mia", 1, NULL);
    house_player(&house, "eve"); /* the operator enters them */
    (void)house_mail(&house, "eve", "games", "");
    house_told(&house, "eve", 1, NULL);
    free(tokens);
    str_release(&command);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, nothing_happens_before_the_word_comes_back);
    tcase_add_test(tc, what_need_not_be_ends);
    tcase_add_test(tc, a_signed_text_brings_them_back);
    tcase_add_test(tc, whom_nobody_knows);
    tcase_add_test(tc, who_is_no_player_is_left_alone);
}

TEST_MAIN("petitions/stop", cases)
