/* Reports once more: the last one, an old one, those of all games; and nothing changes. */
#include "house/clock.h"

static void start(void)
{
    begin();
    (void)new_game(2);
}

static void play(void)
{
    int turn = game_now()->turn;
    orders("anna", turn);
    orders("bob", turn);
    ck_assert_int_eq(game_now()->turn, turn + 1);
    house_empty_spool(&house);
}

static void ask(const char *name, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost resend\n%s#end\n", lines);
    ck_assert_int_eq(house_signed(&house, name, name, text.p), INTAKE_PROCESSED);
    str_release(&text);
}

static void refused(const char *name, const char *lines, const char *words)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost resend\n%s#end\n", lines);
    ck_assert_int_eq(house_signed(&house, name, name, text.p), INTAKE_REJECTED);
    told_all(name, 1, words);
    str_release(&text);
}

static int64_t journal_size(void)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/games/gc-1/journal.jsonl", house.dir);
    int64_t size = file_size(path.p);
    str_release(&path);
    return size;
}

/* The only mail to that person from these words on, up to its signature; the caller frees. */
static char *mail_from(const char *name, const char *words)
{
    struct str text;
    ck_assert_int_eq(house_mails(&house, name, &text), 1);
    const char *from = strstr(text.p, words);
    ck_assert_msg(from != NULL, "%s", text.p);
    char *copy = strndup(from, (size_t)(strstr(from, "\n-- \n") - from));
    str_release(&text);
    house_empty_spool(&house);
    return copy;
}

START_TEST(the_last_one)
{
    start();
    orders("anna", 1);
    house_empty_spool(&house);
    orders("bob", 1);
    char *first = mail_from("anna", "Turn 2 is due");
    int64_t size = journal_size();
    ask("anna", "game: gc-1\n");
    char *again = mail_from("anna", "Turn 2 is due");
    ck_assert_str_eq(first, again);
    ask("anna", "game: gc-1\n"); /* the same text once more: nobody is charged */
    told_all("anna", 1, "[gc-1] Again: ");
    ask("anna", "game: gc-1\nturn: 1\n");
    told_all("anna", 1, "You asked for this report again.");
    ck_assert_int_eq(journal_size(), size);
    house_same(&house, "gc-1");
    ck_assert_int_eq(house_raw(&house, slice_str(&house.last_raw)), INTAKE_REJECTED); /* the very same mail */
    told(NULL, 0, NULL);
    free(first);
    free(again);
}
END_TEST

START_TEST(an_old_one)
{
    start();
    orders("bob", 1);
    house_empty_spool(&house);
    orders("anna", 1);
    char *first = mail_from("bob", "WHAT HAPPENED");
    play();
    play();
    int64_t size = journal_size();
    ask("bob", "game: gc-1\nturn: 1\n");
    char *again = mail_from("bob", "WHAT HAPPENED");
    ck_assert_ptr_null(strstr(again, "YOUR CHOICES"));
    const char *foot = strstr(again, "\nGalaxy Command, game");
    ck_assert_int_eq(strncmp(first, again, (size_t)(foot - again)), 0);
    ask("bob", "game: gc-1\nturn: 1\n");
    told_all("bob", 1, "It shows the game as it was then; turn 4 is open now");
    ask("bob", "game: gc-1\nturn: 0\n");
    told_all("bob", 1, "HOW THIS GAME IS WON");
    refused("bob", "game: gc-1\nturn: 4\n", "Turn 4 of game gc-1 has not been played yet.");
    ck_assert_int_eq(journal_size(), size);
    free(first);
    free(again);
}
END_TEST

START_TEST(who_was_missing_is_told_so)
{
    start();
    orders("anna", 1);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_assert_int_eq(game_now()->turn, 2);
    play();
    house_empty_spool(&house);
    ask("bob", "game: gc-1\nturn: 1\n");
    told_all("bob", 1, "No orders of yours were in");
    ask("anna", "game: gc-1\nturn: 1\n");
    struct str text;
    ck_assert_int_eq(house_mails(&house, "anna", &text), 1);
    ck_assert_ptr_null(strstr(text.p, "No orders of yours"));
    str_release(&text);
}
END_TEST

START_TEST(all_games)
{
    start();
    house_game(&house, "gc-2", "galaxy-command", 0, 2, players);
    house_game(&house, "gf-1", "galaxy-farmer", 0, 1, players);
    house_empty_spool(&house);
    ask("anna", "");
    told("anna", 3, "[gc-1] Again: The game has begun");
    told_all("anna", 3, "[gf-1] Again: The game has begun");
    ask("bob", "game: any\n");
    told_all("bob", 2, "[gc-2] Again: The game has begun");
    refused("carol", "", "You have no seat in a running game");
    refused("anna", "turn: 1\n", "Put in the line \"game:\"");
}
END_TEST

START_TEST(only_what_was_his)
{
    start();
    play();
    refused("carol", "game: gc-1\n", "You have no seat in game gc-1");
    (void)house_signed(&house, "carol", "carol", "#turnpost observe\ngame: gc-1\n#end\n");
    house_empty_spool(&house);
    ask("carol", "game: gc-1\n");
    told_all("carol", 1, "public)");
    refused("carol", "game: gc-1\nturn: 0\n", "You had no seat in game gc-1 then");
    refused("anna", "game: gc-9\n", "There is no game \"gc-9\"");
    house_player(&house, "dora"); /* nobody's mail brings it to another's address */
    (void)house_signed(&house, "dora", "bob", "#turnpost resend\ngame: gc-1\n#end\n");
    told("dora", 0, NULL);
    told_all("bob", 1, "Your mail came from dora@example.net");
    house_game_of(&house,
                  (struct new_game){.id = "open", .ruleset = ruleset_newest("galaxy-command"), .seats = 2},
                  (const char *const[]){"anna", NULL});
    house_empty_spool(&house);
    refused("anna", "game: open\n", "Game open has not begun");
}
END_TEST

START_TEST(it_is_budgeted)
{
    start();
    house_option(&house, "[limits]", "replies_per_day = 3");
    house_restart(&house);
    for (int i = 0; i < 6; i++) {
        char lines[64];
        (void)snprintf(lines, sizeof lines, "game: gc-1\nseq: %d\n", i + 1);
        ask("anna", lines);
    }
    told_all("anna", 3, "again");
    house.now += DAY;
    ask("anna", "game: gc-1\n");
    told_all("anna", 1, "again");
}
END_TEST

START_TEST(of_a_game_that_is_over)
{
    start();
    for (int i = 0; i < 40 && !game_now()->over; i++) {
        orders("anna", game_now()->turn);
        orders("bob", game_now()->turn);
    }
    ck_assert(game_now()->over);
    house_empty_spool(&house);
    ask("bob", "game: gc-1\n");
    told_all("bob", 1, "It is over");
    ask("bob", "game: gc-1\nturn: 2\n");
    told_all("bob", 1, "as it was then; it is over now");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, end);
    tcase_add_test(tc, the_last_one);
    tcase_add_test(tc, an_old_one);
    tcase_add_test(tc, who_was_missing_is_told_so);
    tcase_add_test(tc, all_games);
    tcase_add_test(tc, only_what_was_his);
    tcase_add_test(tc, it_is_budgeted);
    tcase_add_test(tc, of_a_game_that_is_over);
}

TEST_MAIN("play/resend", cases)
