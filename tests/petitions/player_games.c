/* Games that players make by mail: "open". */
#include "house/scene.h"

static void begin(void)
{
    scene("mona");
    house_option(&house, "[league]", "player_games = 5");
    house_restart(&house);
}

static void send(const char *who, const char *verb, const char *lines)
{
    char text[400];
    (void)snprintf(text, sizeof text, "#turnpost %s\n%s#end\n", verb, lines);
    (void)house_signed(&house, who, who, text);
}

/* What is wrong is said in words for players: they have no commands. */
START_TEST(what_is_wrong_is_said_to_players)
{
    static const struct {
        const char *lines, *words;
    } wrong[] = {
        {"name: x\nruleset: galaxy-command\nseats: anna, bobb\n",
         "No player of this league is called \"bobb\". Who wants to play registers first"},
        {"name: x\nruleset: galaxy-command\nseats: anna, keyless\n", "keyless has no key at the moment"},
        {"name: x\nruleset: galaxy-command\nseats: anna, b b\n", "\"b b\" is no name"},
        {"name: x\nruleset: galaxy-command\nseats: anna, anna\n", "\"anna\" has two seats"},
        {"name: x\nruleset: galaxy-command\nseats: bob, robot\n", "must name you as well, anna"},
        {"name: x\nruleset: galaxy-commando\n", "no such ruleset"},
        {"name: x\nruleset: galaxy-command\nopen: 7\n", "is for 1 to 4 seats"},
        {"name: x\nruleset: galaxy-command\noption: speed=3\n", "has no option \"speed\""},
        {"name: x\nruleset: galaxy-command\ndeadline: 5m\n", "from 1h to 30d"},
        {"name: registry\nruleset: galaxy-command\n", "cannot name a game"},
    };
    struct str mails;
    struct err err = ERR_INIT;
    house_player(&house, "keyless");
    ck_ok(keyring_set(&house.batch.keyring, "keyless", NULL, 0, &err), err);
    send("anna", "open", wrong[_i].lines);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_ptr_null(strstr(mails.p, "`turnpost"));
    str_release(&mails);
    told_all("anna", 1, wrong[_i].words);
    ck_assert(!store_has(house.batch.store, "x"));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, what_is_wrong_is_said_to_players, 0, 10);
}

TEST_MAIN("petitions/player_games", cases)
