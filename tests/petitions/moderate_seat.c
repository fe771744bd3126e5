/* Moderators replace players, set orders, send reports again, ban. */
#include "game/view.h"
#include "house/ruling.h"
#include "house/gives.h"

#include "league/name_list.h"
#include "play/facts.h"
#include "play/standby.h"
#include "game/game_load.h"
#include "game/game_seats.h"

/* ---- replace ---- */

START_TEST(a_seat_gets_another_player)
{
    (void)new_game(3);
    orders("bob", "bide\nALWAYS bide\nsay all Bob was here\n");
    house_empty_spool(&house);
    rule("mona", "do: replace bob by dora\n" WHY);
    struct game_seat *seat = &game_now()->seat[2];
    ck_assert(seat->robot);
    ck_assert(!seat->orders.in);
    ck_assert(seat->standing.len > 0);
    told("dora", 1, "A moderator offers you seat 2 of this game, which was bob's.");
    told("bob", 1, "has offered bob's seat to dora. A robot plays for it until dora takes it.");
    told("anna", 1, "has offered bob's seat to dora.");
    told("mona", 1, NULL);
    told_all("carol", 1, "Reason: The dog ate it.");
    house_same(&house, "gc-1");
    house_takes(&house, "gc-1", "dora"); /* nobody stands in here, and whoever was chosen may */
    show_mails("dora");
    house_empty_spool(&house);
    house_same(&house, "gc-1");
    orders("bob", "bide\n");
    told_all("bob", 1, "you have no seat in game gc-1");
    orders("dora", "bide\n");
    ck_assert(seat->orders.in);
    orders("anna", "bide\n");
    orders("carol", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

/* Where nobody stands in, the offer ends, and the game waits for nothing more. */
START_TEST(who_was_chosen_lets_the_time_pass)
{
    (void)new_game(3);
    rule("mona", "do: replace bob by dora\n" WHY);
    ck_assert_str_eq(game_now()->seat[2].offered, "dora");
    const int64_t until = game_now()->seat[2].offered_until;
    house_empty_spool(&house);
    house_clock(&house, until - 60);
    ck_assert_str_eq(game_now()->seat[2].offered, "dora");
    house_clock(&house, until + 60);
    ck_assert_str_eq(game_now()->seat[2].offered, "");
    ck_assert_int_eq(offer_due(game_now()), 0);
    ck_assert(game_now()->seat[2].robot);
    char text[200];
    (void)snprintf(text, sizeof text, "#turnpost take\ngame: gc-1\nturn: %d\nseat: 2\n#end\n",
                   game_now()->turn);
    house_empty_spool(&house);
    (void)house_signed(&house, "dora", "dora", text);
    told("dora", 1, "is not offered to you");
    house_same(&house, "gc-1");
    rule("mona", "do: replace 2 by dora\n" WHY);
    house_takes(&house, "gc-1", "dora");
    house_same(&house, "gc-1");
}
END_TEST

/* Who is told to have done what, in the news of the last turn as a seat has them (0: the public). */
static int done_by(const char *name, int seat)
{
    int count = 0;
    size_t i;
    json_t *one, *facts = json_object();
    facts_events(facts, game_now(), seat);
    json_array_foreach (json_object_get(facts, "news"), i, one) {
        const json_t *event = json_object_iter_value(json_object_iter(one));
        const char *who = json_string_value(json_object_get(event, "who"));
        bool you = json_is_true(json_object_get(event, "you"));
        ck_assert(!you || (seat && who && strcmp(who, game_now()->seat[seat].player) == 0));
        count += who && strcmp(who, name) == 0;
    }
    json_decref(facts);
    return count;
}

/* The news of a turn name who played it, also after somebody else has got the seat, or has had it meanwhile. */
START_TEST(news_name_who_did_it)
{
    (void)new_game(2);
    orders("bob", "explore near\n");
    orders("anna", "explore near\n");
    ck_assert_int_eq(game_now()->turn, 2);
    int bobs = done_by("bob", 2);
    ck_assert_int_gt(bobs, 0);
    rule("mona", "do: replace bob by dora\n" WHY);
    house_takes(&house, "gc-1", "dora");
    ck_assert_int_eq(done_by("bob", 2), bobs);
    ck_assert_int_eq(done_by("bob", 1), bobs);
    ck_assert_int_eq(done_by("dora", 0), 0);
    house_same(&house, "gc-1");
    ck_assert_int_eq(done_by("bob", 0), bobs);
    rule("mona", "do: replace dora by carol\n" WHY);
    house_takes(&house, "gc-1", "carol");
    ck_assert_int_eq(done_by("bob", 0), bobs);
    ck_assert_int_gt(done_by("anna", 0), 0);
    orders("carol", "bide\n");
    orders("anna", "explore near\n");
    ck_assert_int_eq(game_now()->turn, 3);
    ck_assert_int_gt(done_by("anna", 0), 0);
    ck_assert_int_eq(done_by("bob", 0), 0);
    house_same(&house, "gc-1");
}
END_TEST

static bool hears(const char *name, const char *words)
{
    struct str mails;
    (void)house_mails(&house, name, &mails);
    bool says = house_says(mails.p, words);
    str_release(&mails);
    return says;
}

/* What a seat knows of the game goes to its next player, and what all may read; letters do not, in whatever form. */
START_TEST(letters_stay_with_their_reader)
{
    (void)new_game(3);
    orders("anna", "bide\nsay bob My plan\nsay all Hello\n");
    orders("bob", "bide\nsay anna Your plan\n");
    orders("carol", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert(hears("bob", "My plan"));
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost press\ngame: gc-1\nturn: 2\nto: bob\nA letter\n#end\n");
    house_empty_spool(&house);
    rule("mona", "do: replace bob by dora\n" WHY);
    house_takes(&house, "gc-1", "dora");
    for (int i = 0; i < 2; i++) {
        ck_assert(!hears("dora", "My plan") && !hears("dora", "Your plan") && !hears("dora", "A letter"));
        ck_assert(!i || hears("dora", "Hello"));
        house_empty_spool(&house);
        (void)house_signed(&house, "dora", "dora", "#turnpost resend\ngame: gc-1\n#end\n");
    }
    orders("anna", "bide\nsay dora New plan\n");
    orders("carol", "bide\n");
    house_empty_spool(&house);
    orders("dora", "bide\n");
    ck_assert(hears("dora", "New plan"));
    house_same(&house, "gc-1");
}
END_TEST

/* The report of the last turn that comes with a seat does not speak of "your orders": they were another's. */
START_TEST(nobody_is_told_of_another_s_orders_as_theirs)
{
    (void)new_game(2);
    orders("bob", "explore near\n");
    orders("anna", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert(hears("bob", "explore near"));
    house_empty_spool(&house);
    rule("mona", "do: replace bob by dora\n" WHY);
    house_takes(&house, "gc-1", "dora");
    for (int i = 0; i < 2; i++) {
        ck_assert(hears("dora", "bob") && !hears("dora", "YOUR ORDERS") && !hears("dora", "Your order "));
        house_empty_spool(&house);
        (void)house_signed(&house, "dora", "dora", "#turnpost resend\ngame: gc-1\n#end\n");
    }
    house_empty_spool(&house);
    orders("anna", "bide\n");
    orders("dora", "bide\n");
    ck_assert(hears("dora", "Your order \"bide\" was done"));
}
END_TEST

START_TEST(a_robot_plays_on)
{
    (void)new_game(3);
    orders("anna", "bide\n");
    orders("carol", "bide\n");
    house_empty_spool(&house);
    rule("mona", "do: replace P2 robot\n" WHY);
    ck_assert(game_now()->seat[2].robot);
    ck_assert_int_eq(game_now()->turn, 2); /* nobody else was awaited */
    told("anna", 2, "has decided that a robot plays for bob from now on.");
    told_all("bob", 1, "a robot plays for bob");
    house_same(&house, "gc-1");
    refused("mona", "do: replace 2 by robot\n" WHY, "A robot plays seat 2 already");
    rule("mona", "do: replace seat 2 by bob\n" WHY);
    ck_assert(game_now()->seat[2].robot);
    house_takes(&house, "gc-1", "bob");
    ck_assert(!game_now()->seat[2].robot);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(who_cannot_sit_down)
{
    (void)new_game(4);
    refused("mona", "do: replace\n" WHY, "takes a seat of game gc-1");
    refused("mona", "do: replace nobody by dora\n" WHY, "takes a seat of game gc-1");
    refused("mona", "do: replace 5 by dora\n" WHY, "number from 1 to 4");
    refused("mona", "do: replace bob\n" WHY, "and who plays it from now on");
    refused("mona", "do: replace bob by\n" WHY, "and who plays it from now on");
    refused("mona", "do: replace bob by zoe\n" WHY, "no player \"zoe\"");
    refused("mona", "do: replace bob by anna\n" WHY, "anna has a seat in game gc-1 already");
    refused("mona", "do: replace bob by dora now\n" WHY, "and who plays it from now on");
}
END_TEST

/* ---- orders ---- */

START_TEST(orders_are_set_and_told)
{
    struct err err = ERR_INIT;
    struct str lines;
    (void)new_game(3);
    rule("mona", "do: orders bob\n" WHY "explore near\n");
    ck_assert(game_now()->seat[2].orders.in);
    ck_assert_str_eq(game_now()->seat[2].orders.text.p, "explore near");
    show_mails("bob");
    show_mails("anna");
    told("bob", 1, "has set orders for your seat in turn 1. Orders that you send replace them.");
    told("bob", 1, "1. explore near");
    struct str told_anna;
    (void)house_mails(&house, "anna", &told_anna);
    ck_assert(house_says(told_anna.p, "has set orders for bob in turn 1."));
    ck_assert(!house_says(told_anna.p, "explore"));
    str_release(&told_anna);
    house_empty_spool(&house);
    house_same(&house, "gc-1");
    /* not in the public journal either */
    str_init(&lines);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    ck_assert(slice_find(slice_str(&lines), "explore near") == (size_t)-1);
    str_release(&lines);
    orders("anna", "bide\n");
    orders("carol", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->seat[2].missed, 0);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(the_player_s_own_orders_replace_them)
{
    (void)new_game(2);
    rule("mona", "do: orders 2\n" WHY "explore near\n");
    orders("bob", "bide\n");
    ck_assert_str_eq(game_now()->seat[2].orders.text.p, "bide\n");
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(the_last_orders_that_lack_resolve_the_turn)
{
    (void)new_game(2);
    orders("anna", "bide\n");
    rule("mona", "do: orders bob\n" WHY "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

/* Words alone do not use the turn up. */
START_TEST(words_are_no_turn)
{
    (void)new_game(2);
    rule("mona", "do: orders bob\n" WHY "say all Bob is ill.\nALWAYS bide\n");
    ck_assert(!game_now()->seat[2].orders.in);
    ck_assert(game_now()->seat[2].said.len > 0);
    ck_assert(game_now()->seat[2].standing.len > 0);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(orders_that_cannot_be_set)
{
    (void)new_game(4);
    refused("mona", "do: orders bob\n" WHY, "needs the lines below it");
    refused("mona", "do: orders zoe\n" WHY "bide\n", "takes a seat of game gc-1");
    refused("mona", "do: orders bob now\n" WHY "bide\n", "takes a seat");
    refused("mona", "do: orders bob\n" WHY "dance\n",
            "Line 1 of the orders: There is no order \"dance\" in this game");
    refused("mona", "do: orders bob\n" WHY "try\nbide\n", "\"try\" and \"resign\"");
    refused("mona", "do: orders bob\n" WHY "resign\n", "\"try\" and \"resign\"");
    refused("mona", "do: orders bob\n" WHY "status\n", "no order among these lines");
    refused("mona", "do: orders bob\n" WHY "bide\nturn 2\nbide\n", "Only orders for turn 1");
    refused("mona", "do: orders 4\n" WHY "bide\n", "A robot plays seat 4");
    refused("carol", "do: orders bob\n" WHY "bide\n", "You play in game gc-1");
}
END_TEST

/* Deals are carried out when they are set. */
START_TEST(deals_are_carried_out)
{
    static const char *const pair[] = {"anna", "bob"};
    house_game(&house, "gc-1", "galactic-supremacy", 3 * DAY, 2, pair);
    house_empty_spool(&house);
    int64_t seq = game_now()->seq;
    json_t *view = view_json(game_now()->ruleset, game_now()->cards, game_now()->state, 1);
    const json_t *hand = json_object_get(json_object_get(view, "own"), "hand");
    const char *kind = json_string_value(json_object_get(json_array_get(hand, 0), "kind"));
    struct str fields = STR_INIT;
    str_addf(&fields, "do: orders anna\n" WHY "offer bob give %s\n", kind);
    rule("mona", fields.p);
    str_release(&fields);
    json_decref(view);
    show_mails("anna");
    ck_assert_int_eq(game_now()->seq, seq + 2);
    ck_assert_str_eq(game_now()->journal.last_type, "note");
    told("anna", 1, "has set orders for your seat");
    house_same(&house, "gc-1");
}
END_TEST

/* ---- resend ---- */

START_TEST(a_report_is_sent_again)
{
    (void)new_game(2);
    rule("mona", "do: resend bob\n" WHY);
    told("bob", 1, "HOW THIS GAME IS WON");
    told("anna", 0, NULL);
    show_mails("mona");
    told_all("mona", 1, "The last report for bob has been sent again.");
    play();
    rule("mona", "do: resend bob\nreason: He has no mail.\n");
    told_all("bob", 1, "WHAT HAPPENED IN TURN 1");
    refused("mona", "do: resend 3\n" WHY, "takes a seat");
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(also_when_the_game_is_over)
{
    struct err err = ERR_INIT;
    house_game(&house, "gc-1", "galaxy-farmer", 0, 1, players);
    for (int i = 0; i < 400 && !game_now()->over; i++) {
        struct str lines = STR_INIT;
        game_now()->ruleset->robot(game_now()->cards, game_now()->state, 1, &lines);
        orders("anna", lines.p);
        str_release(&lines);
    }
    ck_assert(game_now()->over);
    house_empty_spool(&house);
    rule("mona", "do: resend anna\n" WHY);
    told_all("anna", 1, "It is over");
    refused("mona", "do: pause\n" WHY, "Game gc-1 is over");
    house_same(&house, "gc-1");
    struct game again;
    ck_ok(game_load(house.batch.store, "gc-1", NULL, &again, &err), err);
    ck_assert(!step_unfinished(&again));
    game_release(&again);
}
END_TEST

/* ---- ban ---- */

static void about_player(const char *who, const char *fields)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost moderate\n%s#end\n", fields);
    (void)house_signed(&house, who, who, text.p);
    str_release(&text);
}

START_TEST(a_ban_ends_all_seats)
{
    static const char *const open[] = {"bob", NULL};
    struct err err = ERR_INIT;
    struct catalog_tally sum;
    (void)new_game(3);
    house_game(&house, "gc-2", "galaxy-command", 0, 2, players);
    house_game_of(&house,
                  (struct new_game){.id = "gc-3",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .clock = &clock_of,
                                    .missed_robot = 3},
                  open);
    house_empty_spool(&house);
    about_player("mona", "do: ban bob\n" WHY);
    show_mails("bob");
    show_mails("mona");
    show_mails("anna");
    ck_assert(registry_find(&house.batch.registry, "bob")->banned);
    ck_assert(game_now()->seat[2].robot && game_now()->seat[2].resigned);
    ck_assert(house_find(&house, "gc-2")->seat[2].robot);
    ck_assert_int_eq(game_free_seats(house_find(&house, "gc-3")), 2);
    ck_ok(catalog_reliability(house.batch.catalog, "bob", &sum, &err), err);
    ck_assert_int_eq(sum.resigned, 2);
    told("bob", 1, "has banned you from this league, bob");
    told("carol", 3, "has banned bob from the league");
    told_all("mona", 3, "has banned bob from the league: robots play");
    house_same(&house, "gc-1");
    house_same(&house, "gc-2");
    house_same(&house, "gc-3");
    house_restart(&house);
    ck_assert(registry_find(&house.batch.registry, "bob")->banned);
    /* one answer a day */
    orders("bob", "bide\n");
    told_all("bob", 1, "you are banned from this league");
    (void)house_signed(&house, "bob", "bob", "#turnpost join\ngame: gc-3\n#end\n");
    (void)house_signed(&house, "bob", "bob", "#turnpost standby\ngame: any\n#end\n");
    (void)house_mail(&house, "bob", "help", "");
    told_all("bob", 0, NULL);
    ck_assert_int_eq(game_free_seats(house_find(&house, "gc-3")), 2);
    ck_assert_int_eq(registry_find(&house.batch.registry, "bob")->standby, 0);
    house.now += DAY;
    (void)house_signed(&house, "bob", "bob", "#turnpost standby\ngame: any\nseq: 2\n#end\n");
    told_all("bob", 1, "You are banned from this league");
    refused("mona", "do: replace anna by bob\n" WHY, "bob is banned");
    about_player("mona", "do: ban bob\nreason: Again.\n");
    told_all("mona", 1, "bob is banned already");
    about_player("mona", "do: unban bob\n" WHY);
    told_all("bob", 1, "you are no longer banned");
    (void)house_signed(&house, "bob", "bob", "#turnpost standby\ngame: any\nseq: 3\n#end\n");
    ck_assert_int_ne(registry_find(&house.batch.registry, "bob")->standby, 0);
    house_same(&house, "gc-1");
}
END_TEST

/* A banned player does not come back by a list or as somebody new. */
START_TEST(no_way_back)
{
    static const char *const open[] = {"anna", "bob", NULL};
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 3,
                                    .clock = &clock_of,
                                    .missed_robot = 3},
                  open);
    house_find(&house, "gc-1")->clock.paused = true; /* stays open when it is full */
    (void)house_signed(&house, "carol", "carol", "#turnpost join\ngame: gc-1\n#end\n");
    (void)house_signed(&house, "dora", "dora", "#turnpost join\ngame: gc-1\n#end\n");
    ck_assert(game_waits(game_now(), "dora"));
    about_player("mona", "do: ban dora\n" WHY);
    ck_assert(!game_waits(game_now(), "dora"));
    ck_assert_str_eq(game_now()->seat[1].player, "anna");
    (void)house_person(&house, "eve");
    house_empty_spool(&house);
    (void)house_signed(&house, "dora", "eve", "#turnpost register\nname: eve\n#end\n");
    ck_assert_ptr_null(registry_find(&house.batch.registry, "eve"));
    told_all("dora", 1, "You are banned from this league");
}
END_TEST

START_TEST(bans_that_cannot_be)
{
    (void)new_game(2);
    about_player("mona", "do: ban zoe\n" WHY);
    told_all("mona", 1, "no player of that name");
    about_player("mona", "do: ban\n" WHY);
    told_all("mona", 1, "takes the name of a player");
    about_player("mona", "do: ban carol\n" WHY);
    told_all("mona", 1, "carol is a moderator");
    about_player("mona", "do: unban bob\n" WHY);
    told_all("mona", 1, "bob is not banned");
    about_player("mona", "do: ban bob\n");
    told_all("mona", 1, "does not say why");
    about_player("anna", "do: ban bob\n" WHY);
    told_all("anna", 1, "Only the moderators");
    rule("mona", "do: ban bob\n" WHY);
    told_all("mona", 1, "leave the line \"game:\" out");
    ck_assert(!registry_find(&house.batch.registry, "bob")->banned);
    about_player("mona", "do: ban bob\n" WHY);
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&house.last_raw));
    told_all(NULL, 0, NULL);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_seat_gets_another_player);
    tcase_add_test(tc, who_was_chosen_lets_the_time_pass);
    tcase_add_test(tc, news_name_who_did_it);
    tcase_add_test(tc, nobody_is_told_of_another_s_orders_as_theirs);
    tcase_add_test(tc, letters_stay_with_their_reader);
    tcase_add_test(tc, a_robot_plays_on);
    tcase_add_test(tc, who_cannot_sit_down);
    tcase_add_test(tc, orders_are_set_and_told);
    tcase_add_test(tc, the_player_s_own_orders_replace_them);
    tcase_add_test(tc, the_last_orders_that_lack_resolve_the_turn);
    tcase_add_test(tc, words_are_no_turn);
    tcase_add_test(tc, orders_that_cannot_be_set);
    tcase_add_test(tc, deals_are_carried_out);
    tcase_add_test(tc, a_report_is_sent_again);
    tcase_add_test(tc, also_when_the_game_is_over);
    tcase_add_test(tc, a_ban_ends_all_seats);
    tcase_add_test(tc, no_way_back);
    tcase_add_test(tc, bans_that_cannot_be);
}
TEST_MAIN("petitions/moderate_seat", cases)
