/* Galactic Contract: the card file and its errors; the words of the templates. */
#include "rules/galactic_contract/cards.h"

#include "rules/data.h"

static const struct ruleset *rules(void)
{
    return ruleset_newest("galactic-contract");
}

/* ---- cards.json ---- */

static const struct mistake mistakes[] = {
    {"game", "\"chess\"", "the cards: \"game\" must be galactic-contract"},
    {"bank/fuel", "0", "bank: \"fuel\" is 0 but must be 1 to 99"},
    {"bank/source", "\"guess\"", "bank: \"source\" must say rulebook, public:<where> or house"},
    {"ring/planets", "9", "ring: \"planets\" is 9 but must be 3 to 8"},
    {"ring", "6", "the cards: \"ring\" must be an object"},
    {"piles/size", "5", "piles: \"size\" is 5 but must be 4 to 4"},
    {"piles/end_when_empty", "3", "piles: \"end_when_empty\" is 3 but must be 2 to 2"},
    {"swap/give", "\"3\"", "swap: \"give\" must be a whole number"},
    {"planets", "[]", "the cards: \"planets\" must be a list of 8"},
    {"planets/1/id", "\"P3\"", "planet 2: \"id\" must be P2"},
    {"planets/1/name", "\"Suadi\"", "planet 2: \"name\" is that of planet 1"},
    {"planets/1/name", "\"\\u202e\"", "planet 2: \"name\" must be a plain text of 1 to 31 bytes"},
    {"planets/1/name", "\"a name that is far too long for a card\"",
     "planet 2: \"name\" must be a plain text of 1 to 31 bytes"},
    {"planets/1/produces", "{}", "planet 2, produces: must name 1 resource card at least"},
    {"planets/1/produces", "{\"gold\": 2}", "planet 2, produces: \"gold\" is no resource"},
    {"planets/1/produces", "{\"food\": 10}", "planet 2, produces: \"food\" is 10 but must be 0 to 9"},
    {"planets/1/produces", "2", "planet 2: \"produces\" must be an object"},
    {"planets/1/source", "{\"name\": \"internet\"}",
     "planet 2: \"source\" must say rulebook, public:<where> or house"},
    {"planets/1/source", "null", "planet 2: \"source\" must say rulebook, public:<where> or house"},
    {"ships/3/speed", "0", "ship 4: \"speed\" is 0 but must be 1 to 9"},
    {"ships/3/capacity", "21", "ship 4: \"capacity\" is 21 but must be 1 to 20"},
    {"ships/3/max_upgrades", "-1", "ship 4: \"max_upgrades\" is -1 but must be 0 to 16"},
    {"upgrades/0/kind", "\"shed\"", "upgrade 1: \"kind\" must be storage or ship"},
    {"upgrades/0/planet", "\"P9\"", "upgrade 1: \"planet\" must be P1 to P8"},
    {"upgrades/1/planet", "\"P1\"", "upgrade 2: \"planet\" is that of upgrade 1"},
    {"upgrades/1/capacity", "0", "upgrade 2: \"capacity\" is 0 but must be 1 to 9"},
    {"upgrades/8/speed", "10", "upgrade 9: \"speed\" is 10 but must be 0 to 9"},
    {"upgrades/8/points", "100", "upgrade 9: \"points\" is 100 but must be 0 to 99"},
    {"upgrades/8/cost", "{}", "upgrade 9, cost: must name 1 resource card at least"},
    {"trades/13/gain", "{\"crystals\": 2}", "trade 14, gain: \"crystals\" is no resource"},
    {"trades/13/cost", "[]", "trade 14: \"cost\" must be an object"},
    {"trades/13", "7", "trade 14: \"id\" must be a text"},
    {"shipments/3/points", "null", "shipment 4: \"points\" must be a whole number"},
    {"constructions/4/kind", "\"party\"", "construction 5: \"kind\" must be depot, production or gift"},
    {"constructions/4/produces", "{}", "construction 5, produces: must name 1 resource card at least"},
    {"constructions/9/gives", "{\"fuel\": true}", "construction 10, gives: \"fuel\" must be a whole number"},
    {"trades/0/points", "9", NULL},
    {"ships/0/name", "\"Albatross\"", NULL},
};

START_TEST(card_errors_name_card_and_field)
{
    check_mistake(rules(), &mistakes[_i]);
}
END_TEST

/* The counts of the rulebook (000:48-56), and that every shipment can be carried by some ship. */
START_TEST(the_cards_are_complete)
{
    struct gk_cards cards = {0};
    struct err err = ERR_INIT;
    json_t *json = card_file(rules());
    int storages = 0;
    int depots = 0;
    int gifts = 0;
    ck_ok(gk_cards_load(json, &cards, &err), err);
    json_decref(json);
    for (int n = 1; n <= GK_UPGRADES; n++)
        storages += cards.upgrade[n].planet > 0 && cards.upgrade[n].capacity == 2;
    for (int n = 1; n <= GK_CONSTRUCTIONS; n++) {
        depots += cards.construction[n].kind == GK_DEPOT;
        gifts += cards.construction[n].kind == GK_GIFT;
    }
    for (int n = 1; n <= GK_SHIPMENTS; n++)
        ck_assert_int_le(gk_sum(&cards.shipment[n].cost), 5);
    ck_assert_int_eq(storages, GK_PLANETS);
    ck_assert_int_eq(depots, 4);
    ck_assert_int_eq(gifts, 2);
    ck_assert_int_eq(gk_sum(&cards.bank), 71);
    ck_assert_int_eq(cards.bank.of[GK_FUEL], 17);
    ck_assert_int_eq(cards.trade[6].bonus, GK_CRYSTAL);
}
END_TEST

/* ---- templates ---- */

START_TEST(every_event_has_words_and_all_words_are_used)
{
    check_all_words(rules(), (const char *const[]){"refused_plainly", "not_in_a_reaction", NULL});
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, card_errors_name_card_and_field, 0,
                        (int)(sizeof(mistakes) / sizeof(mistakes[0])));
    tcase_add_test(tc, the_cards_are_complete);
    tcase_add_test(tc, every_event_has_words_and_all_words_are_used);
}
TEST_MAIN_TOGETHER("rules/galactic_contract_data", cases)
