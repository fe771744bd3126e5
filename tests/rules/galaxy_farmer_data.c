/* Galaxy Farmer: the card file and its errors; the words of the templates. */
#include "rules/galaxy_farmer/cards.h"

#include "rules/data.h"

static const struct ruleset *rules(void)
{
    return ruleset_newest("galaxy-farmer");
}

/* ---- cards.json ---- */

static const struct mistake mistakes[] = {
    {"game", "\"chess\"", "the cards: \"game\" must be galaxy-farmer"},
    {"start", "3", "the cards: \"start\" must be an object"},
    {"start/orders_open", "4", "start: \"orders_open\" is 4 but must be 3 to 3"},
    {"start/source", "\"guess\"", "start: \"source\" must say rulebook, public:<where> or house"},
    {"limits/workers_total", "8",
     "limits: \"workers_total\" must be the workers of \"start\" taken together"},
    {"limits/cubes_per_resource", "100", "limits: \"cubes_per_resource\" is 100 but must be 1 to 99"},
    {"limits/source", "{}", "limits: \"source\" must say rulebook, public:<where> or house"},
    {"converter/get", "2", "converter: \"get\" is 2 but must be 1 to 1"},
    {"lose/troops", "9", "lose: \"troops\" is 9 but must be 1 to 8"},
    {"win/hard", "\"28\"", "win: \"hard\" must be a whole number"},
    {"ring", "[]", "the cards: \"ring\" must be a list of 8"},
    {"ring/1/position", "3", "place 2 of the ring: \"position\" is 3 but must be 2 to 2"},
    {"ring/1/cell", "\"NE\"", "place 2 of the ring: \"cell\" must be N"},
    {"ring/1/ring", "\"middle\"", "place 2 of the ring: \"ring\" must be outer or inner"},
    {"ships/2/bunks", "3", "ship 3: \"bunks\" is 3 but must be 4 to 20"},
    {"ships/0/name", "\"\"", "ship 1: \"name\" must be a plain text of 1 to 31 bytes"},
    {"ships", "{}", "the cards: \"ships\" must be a list of 3"},
    {"planets/1/id", "\"P9\"", "planet 2: \"id\" must be P2"},
    {"planets/1/name", "\"Glitta\"", "planet 2: \"name\" is that of planet 1"},
    {"planets/3/resource", "\"occulum\"", "planet 4: \"resource\" is that of planet 2"},
    {"planets/3/colour", "7", "planet 4: \"colour\" must be a text"},
    {"planets/3/name", "\"\\u202e\"", "planet 4: \"name\" must be a plain text of 1 to 31 bytes"},
    {"orders", "[]", "the cards: \"orders\" must be a list of 3 to 60"},
    {"orders/6/id", "\"O8\"", "order 7: \"id\" must be O7"},
    {"orders/6/points", "0", "order 7: \"points\" is 0 but must be 1 to 20"},
    {"orders/6/track", "\"6\"", "order 7: \"track\" must be a whole number"},
    {"orders/6/requires", "[]", "order 7: \"requires\" must be a list of 1 to 4"},
    {"orders/6/requires/0/resource", "\"beans\"",
     "order 7: \"resource\" must be glitteral, occulum, emberwort, ashmelon, mossgrain, fernroot, "
     "sunpod or honeyreed"},
    {"orders/6/requires/0/state", "\"any\"", "order 7: \"state\" must be light or dark"},
    {"orders/6/requires/0/count", "11", "order 7: \"count\" is 11 but must be 1 to 10"},
    {"orders/0/requires/1/state", "\"light\"", "order 1: \"requires\" names the same cubes twice"},
    {"orders/0/requires/1/count", "9", "order 1: \"requires\" asks for more cubes than there are"},
    {"orders/6/name", "\"Glittulum\"", "order 7: \"name\" is that of order 1"},
    {"orders/6/source", "null", "order 7: \"source\" must say rulebook, public:<where> or house"},
    {"events", "[]", "the cards: \"events\" must be a list of 1 to 60"},
    {"events/4/kind", "\"plague\"", "event 5: \"kind\" must be turn, meteor, patrol, warp, harvest or fuel"},
    {"events/4/colour", "\"pink\"", "event 5: \"colour\" is that of no planet"},
    {"events/8/ring", "\"far\"", "event 9: \"ring\" must be outer or inner"},
    {"events/10/position", "9", "event 11: \"position\" is 9 but must be 1 to 8"},
    {"events/10/turns", "0", "event 11: \"turns\" is 0 but must be 1 to 9"},
    {"events/13/direction", "\"left\"", "event 14: \"direction\" must be anticlockwise or clockwise"},
    {"events/13/steps", "9", "event 14: \"steps\" is 9 but must be 1 to 8"},
    {"events/18/amount", "null", "event 19: \"amount\" must be a whole number"},
    {"representatives", "[]", "the cards: \"representatives\" must be a list of 8"},
    {"representatives/0/ability", "\"x\"", "representative 1: \"ability\" must be an object"},
    {"representatives/0/ability/id", "\"luck\"",
     "representative 1, ability: \"id\" must be yield_light, yield_dark, fuel4, fighters, plots, "
     "bunker, converter or timer"},
    {"representatives/7/ability/amount", "2",
     "representative 8, ability: \"amount\" is 2 but must be 1 to 1"},
    {"representatives/0/quests", "[]", "representative 1: \"quests\" must be a list of 3"},
    {"representatives/0/quests/1/kind", "\"sing\"",
     "representative 1, quest 2: \"kind\" must be visit, grown or lock"},
    {"representatives/0/quests/1/state", "\"grey\"",
     "representative 1, quest 2: \"state\" must be light, dark or any"},
    {"representatives/0/quests/2/colour", "\"pink\"",
     "representative 1, quest 3: \"colour\" is that of no planet"},
    {"representatives/0/quests/2/count", "0",
     "representative 1, quest 3: \"count\" is 0 but must be 1 to 10"},
    {"representatives/3/name", "\"Casiopia\"", "representative 4: \"name\" is that of representative 1"},
    {"representatives/3/bonus", "-1", "representative 4: \"bonus\" is -1 but must be 0 to 9"},
    /* what operators may change */
    {"orders/6/points", "9", NULL},
    {"events/4",
     "{\"id\": \"E5\", \"name\": \"Calm\", \"kind\": \"fuel\", \"amount\": 2, \"source\": \"house\"}", NULL},
    {"representatives/0/quests/2",
     "{\"kind\": \"lock\", \"colour\": \"any\", \"state\": \"any\", \"count\": 3}", NULL},
    {"representatives/0/quests/1", "{\"kind\": \"visit\"}", NULL},
};

START_TEST(card_errors_name_card_and_field)
{
    check_mistake(rules(), &mistakes[_i]);
}
END_TEST

/* The counts of the note on the cards, and what the rulebook shows. */
START_TEST(the_cards_are_complete)
{
    struct gf_cards *cards = mem_alloc(sizeof(*cards));
    struct err err = ERR_INIT;
    json_t *json = card_file(rules());
    int kinds[GF_FUEL + 1] = {0};
    int points[6] = {0};
    ck_ok(gf_cards_load(json, cards, &err), err);
    json_decref(json);
    ck_assert_int_eq(cards->orders, 24);
    ck_assert_int_eq(cards->events, 22);
    ck_assert_int_eq(cards->colours, 4);
    for (int n = 1; n <= cards->events; n++)
        kinds[cards->event[n].happening]++;
    for (int n = 1; n <= cards->orders; n++)
        points[cards->order[n].points]++;
    ck_assert(kinds[GF_TURNS] == 10 && kinds[GF_METEOR] == 3 && kinds[GF_PATROL] == 3 &&
              kinds[GF_WARP] == 2 && kinds[GF_HARVEST] == 2 && kinds[GF_FUEL] == 2);
    ck_assert(points[2] == 8 && points[3] == 10 && points[4] == 3 && points[5] == 3);
    const struct gf_order_card *glittulum = &cards->order[1];
    ck_assert_str_eq(glittulum->name, "Glittulum");
    ck_assert(glittulum->points == 3 && glittulum->track == 5 && glittulum->needs == 3);
    ck_assert(glittulum->need[0].count == 2 && !glittulum->need[0].dark);
    ck_assert(glittulum->need[1].count == 1 && glittulum->need[1].dark && glittulum->need[1].resource == 0);
    ck_assert(glittulum->need[2].count == 1 && glittulum->need[2].resource == 1);
    const struct gf_rep_card *casiopia = &cards->rep[1];
    ck_assert_str_eq(casiopia->name, "Casiopia");
    ck_assert(casiopia->ability == GF_YIELD_LIGHT && casiopia->amount == 2 && casiopia->bonus == 1);
    ck_assert(casiopia->quest[0].kind == GF_VISIT && casiopia->quest[1].kind == GF_GROWN &&
              casiopia->quest[1].state == 1 && casiopia->quest[2].kind == GF_GIVE &&
              casiopia->quest[2].count == 2);
    ck_assert_str_eq(cards->colour[casiopia->quest[2].colour], "red");
    ck_assert(cards->win_normal == 20 && cards->win_hard == 28 && cards->lose.failed == 4 &&
              cards->lose.killed == 4 && cards->lose.killed_easy == 6 && cards->lose.troops == 8);
    free(cards);
}
END_TEST

/* ---- templates ---- */

START_TEST(every_event_has_words_and_all_words_are_used)
{
    check_all_words(rules(), (const char *const[]){"refused_plainly", NULL});
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, card_errors_name_card_and_field, 0,
                        (int)(sizeof(mistakes) / sizeof(mistakes[0])));
    tcase_add_test(tc, the_cards_are_complete);
    tcase_add_test(tc, every_event_has_words_and_all_words_are_used);
}
TEST_MAIN_TOGETHER("rules/galaxy_farmer_data", cases)
