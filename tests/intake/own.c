/* What players without keys ask for in a mail of their own that is about no seat: each is done, or asked about and done by "ok", once. */
#include "house/quoted.h"

#include "base/mem.h"
#include "game/seating.h"
#include "petitions/reply_own.h"

static void begin_open(void)
{
    begin();
    struct config *config = &house.league.config;
    config->league.player_games = 3;
    config->league.player_invites = 2;
    free(config->league.moderators);
    config->league.moderators = mem_strdup("bob");
    domain.signs_to = true;
}

static const struct player *anna(void)
{
    return registry_find(&house.batch.registry, "anna");
}

/* The only mail to her says that. */
static void says(const char *words)
{
    struct ours ours;
    ck_assert_msg(find_ours(&ours, words) == 1, "no mail says \"%s\"", words);
    str_release(&ours.text);
}

/* Asks, and says "ok" to the question, whose words are these. */
static void ask_and_agree(const char *subject, const char *text, const char *question)
{
    struct ours ours;
    (void)write_plain(subject, text);
    ck_assert_msg(find_ours(&ours, question) == 1, "not asked \"%s\"", question);
    (void)answer_ours(&ours, "ok");
    str_release(&ours.text);
}

START_TEST(at_once)
{
    (void)write_plain("mute bob", "");
    ck_assert_str_eq(anna()->mutes, "any/bob");
    (void)write_plain("Re: Unmute Bob, please", "Thanks, Anna");
    ck_assert_str_eq(anna()->mutes, "");
    (void)write_plain("display Anna María", "");
    ck_assert_str_eq(anna()->display, "Anna María");
    (void)write_plain("prefs", "html: no\r\ndigest: 18\r\nzone: Europe/Berlin\r\n\r\nBest wishes\r\nAnna");
    ck_assert(anna()->digest && anna()->digest_hour == 18);
    ck_assert_str_eq(anna()->zone, "Europe/Berlin");
    (void)write_plain("invite a friend of mine", "");
    says("Pass this on");
}
END_TEST

/* "ok" does it; said again it does nothing more. */
START_TEST(asked)
{
    struct ours ours;
    ask_and_agree("standby any", "", "waiting list of all games");
    ck_assert(anna()->standby);
    ask_and_agree("unstandby any", "", "leave the waiting list of all games");
    ck_assert(!anna()->standby);
    ask_and_agree("appeal gc-1", "Turn 1 came too early.", "Turn 1 came too early.");
    says("We have your appeal");
    (void)write_plain("open galaxy-command", "seats: anna, robot\r\n\r\nAnna");
    ck_assert_int_eq(find_ours(&ours, "seats: anna, robot"), 1);
    ck_assert(!store_has(house.batch.store, "anna-1"));
    (void)answer_ours(&ours, "ok");
    ck_assert(store_has(house.batch.store, "anna-1"));
    (void)answer_ours(&ours, "Ok!"); /* another mail */
    says("This is done: you said \"ok\" to it before.");
    ck_assert(!store_has(house.batch.store, "anna-2"));
    str_release(&ours.text);
}
END_TEST

/* "ok" once more, and a third time, says how it stands and does nothing else: to what has made a game, and to the seat in it. */
START_TEST(agreed_again)
{
    struct ours question, kept;
    house_rules(&house, "gc-1", "do: void\nreason: a storm\n");
    (void)write_plain("rematch gc-1", "");
    ck_assert_int_eq(find_ours(&question, "Do you want to play gc-1 again?"), 1);
    (void)answer_ours(&question, "ok");
    ck_assert(store_has(house.batch.store, "gc-1-r2"));
    ck_assert_int_eq(find_ours(&kept, "is kept for you"), 1);
    (void)answer_ours(&question, "ok");
    says("The rematch is made: it is gc-1-r2.");
    says("takes your seat in it. Still to answer: bob.");
    (void)answer_ours(&kept, "ok");
    ck_assert_int_eq(game_seat_of(house_find(&house, "gc-1-r2"), "anna"), 1);
    int64_t before = house_find(&house, "gc-1-r2")->seq;
    for (int i = 0; i < 2; i++) {
        (void)answer_ours(&kept, i ? "Ok!" : "ok");
        says("You are in: seat 1 of gc-1-r2");
        says("Still to answer: bob.");
    }
    (void)answer_ours(&question, "OK");
    says("You are in. Still to answer: bob.");
    ck_assert_int_eq(house_find(&house, "gc-1-r2")->seq, before);
    ck_assert(!store_has(house.batch.store, "gc-1-r3"));
    str_release(&question.text);
    str_release(&kept.text);
}
END_TEST

/* Two games at once: which? */
START_TEST(two_games_again)
{
    static const char *const both[][2] = {
        {"rematch gc-1 gc-2", ""}, {"rematch gc-1 and gc-2", ""}, {"rematch gc-1", "rematch gc-2"}};
    const char *const names[] = {"anna", "bob"};
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .by_mail = true},
                  names);
    house_rules(&house, "gc-1", "do: void\nreason: a storm\n");
    house_rules(&house, "gc-2", "do: void\nreason: a storm\n");
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        (void)write_plain(both[i][0], both[i][1]);
        says("Answer \"rematch gc-1\" or \"rematch gc-2\", one in a mail.");
    }
    ck_assert(!store_has(house.batch.store, "gc-1-r2"));
}
END_TEST

/* Who moderates and answers the mail of an appeal is told what a ruling takes. */
START_TEST(a_ruling_by_reply)
{
    struct config *config = &house.league.config;
    free(config->league.moderators);
    config->league.moderators = mem_strdup("anna");
    int64_t before = house_find(&house, "gc-1")->seq;
    (void)write_plain("Re: [gc-1] bob appeals turn 1", "Upheld. The turn came too early.");
    says("Nothing is set: a ruling needs a key's signature. First send us your public key");
    (void)write_plain("Re: [gc-1] bob appeals turn 1", "denied");
    says("a ruling needs a key's signature");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, before);
}
END_TEST

/* "no", nothing, and the "ok" to another question. */
START_TEST(not_agreed)
{
    struct ours first, second;
    (void)write_plain("open Galaxy Command", "seats: anna, robot");
    ck_assert_int_eq(find_ours(&first, "Do you want to make this game?"), 1);
    (void)answer_ours(&first, "no");
    says("You said no");
    (void)write_plain("open galaxy-command", "seats: anna, bob");
    ck_assert_int_eq(find_ours(&second, "seats: anna, bob"), 1);
    (void)answer_ours(&first, "ok"); /* to what was asked before */
    ck_assert(!store_has(house.batch.store, "anna-1"));
    (void)answer_ours(&second, "ok");
    ck_assert(store_has(house.batch.store, "anna-1"));
    ck_assert_int_eq(seating_kept_seat(house_find(&house, "anna-1"), "bob"), 2);
    str_release(&first.text);
    str_release(&second.text);
}
END_TEST

/* What she has written to somebody else, who sends it in, is asked about. */
START_TEST(not_to_us)
{
    domain.signs_to = false;
    (void)write_plain("mute bob", "");
    ck_assert_str_eq(anna()->mutes, "");
    says("Do you want no more messages of this player?");
    (void)write_plain("invite", "");
    says("Do you want a word");
    ck_assert_int_eq(anna()->invites, 0);
}
END_TEST

/* Sentences are no wishes, and what is wrong in one is said. */
START_TEST(not_one)
{
    static const char *const none[] = {"open question about my game", "mute bob and carol", "prefs are wrong",
                                       "journal of last week", "standby for me"};
    int64_t before = house.batch.log.seq;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct str held = STR_INIT;
        struct own_wish wish;
        ck_assert_msg(!reply_own_read(&held, slice_of(none[i]), slice_of(""), &wish), "%s", none[i]);
        str_release(&held);
    }
    (void)write_plain("prefs", "zone: Atlantis");
    says("That was not done.");
    (void)write_plain("prefs", "digst: 18");
    says("digest");
    (void)write_plain("mute carol", "");
    says("carol");
    (void)write_plain("rematch gc-9", "");
    (void)write_plain("rematch gc-1", "");
    says("still being played");
    house.league.config.league.player_games = 0;
    (void)write_plain("rematch gc-1", "");
    says("only the operator makes games");
    (void)write_plain("open galaxy-command", "");
    says("only the operator makes games");
    ck_assert_int_eq(house.batch.log.seq, before);
}
END_TEST

/* Each word that the table has is one, and each of them can be asked about. */
START_TEST(words)
{
    for (size_t i = 0; reply_own_word(i); i++) {
        struct own_wish wish;
        char line[64];
        (void)snprintf(line, sizeof line, "%s any\nx: y\n", reply_own_word(i));
        ck_assert_msg(reply_own_parse(slice_of(line), &wish), "%s", reply_own_word(i));
        ck_assert_str_eq(wish.word, reply_own_word(i));
        ck_assert_ptr_nonnull(wish.petition);
        ck_assert_msg(wish.petition->needs & PETITION_MAIL, "%s", reply_own_word(i));
    }
    struct own_wish wish;
    ck_assert(!reply_own_parse(slice_of("else\n"), &wish));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_set_timeout(tc, 30);
    tcase_add_checked_fixture(tc, begin_open, end);
    tcase_add_test(tc, at_once);
    tcase_add_test(tc, asked);
    tcase_add_test(tc, agreed_again);
    tcase_add_test(tc, two_games_again);
    tcase_add_test(tc, a_ruling_by_reply);
    tcase_add_test(tc, not_agreed);
    tcase_add_test(tc, not_to_us);
    tcase_add_test(tc, not_one);
    tcase_add_test(tc, words);
}
TEST_MAIN("intake/own", cases)
