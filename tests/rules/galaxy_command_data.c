/* Galaxy Command: the card file and its errors; the words of the templates. */
#include "rules/galaxy_command/cards.h"

#include "report/render.h"
#include "rules/data.h"

static const struct ruleset *rules(void)
{
    return ruleset_newest("galaxy-command");
}

/* ---- cards.json ---- */

static const struct mistake mistakes[] = {
    {"game", "\"chess\"", "the cards: \"game\" must be galaxy-command"},
    {"limits/storage", "99", "limits: \"storage\" is 99 but must be 3 to 9"},
    {"limits/source", "\"guess\"", "limits: \"source\" must say rulebook, public:<where> or house"},
    {"deal/near", "5", "deal: \"near\" is 5 but must be 6 to 6"},
    {"build", "3", "the cards: \"build\" must be an object"},
    {"ranks/1/min", "0", "rank 2: \"min\" is 0 but must be 1 to 99"},
    {"ranks", "[]", "the cards: \"ranks\" must be a list of 1 to 8"},
    {"lost_rank", "null", "the cards: \"lost_rank\" must be an object"},
    {"technologies/1/id", "\"warp\"", "technology 2: \"id\" must be forward"},
    {"technologies/1/cost", "\"4\"", "technology 2: \"cost\" must be a whole number"},
    {"technologies/1/requires", "\"robots\"",
     "technology 2: \"requires\" must be null for gen 1, the left technology of the row for gen 2"},
    {"technologies/1/requires", "\"captial\"",
     "technology 2: \"requires\" must be null for gen 1, the left technology of the row for gen 2"},
    {"technologies/0/name", "\"\\u202e\"", "technology 1: \"name\" must be a plain text of 1 to 31 bytes"},
    {"technologies", "[]", "the cards: \"technologies\" must be a list of 8"},
    {"cards/0/number", "55", "the list's card no. 1: \"number\" is 55 but must be 1 to 54"},
    {"cards/0/number", "2", "card 2: \"number\" is given twice"},
    {"cards/7/resistance", "\"8\"", "card 8: \"resistance\" must be a whole number"},
    {"cards/7/metal", "-1", "card 8: \"metal\" is -1 but must be 0 to 3"},
    {"cards/7/name", "\"a name that is far too long for a card\"",
     "card 8: \"name\" must be a plain text of 1 to 31 bytes"},
    {"cards/7/name", "\"Canopus\"", "card 8: \"name\" is that of card 1"},
    {"cards/7/kind", "\"far\"", "card 8: \"kind\" must be near, distant, event or red_alert"},
    {"cards/7/solo18", "1", "card 8: \"solo18\" must be true or false"},
    {"cards/7/source", "{\"values\": \"internet\"}",
     "card 8: \"source\" must say rulebook, public:<where> or house"},
    {"cards/7/source", "null", "card 8: \"source\" must say rulebook, public:<where> or house"},
    {"cards/11/event", "\"riot\"", "card 12: \"event\" must be none, gain, strike, revolt or invasion"},
    {"cards/11/year2", "{}",
     "card 12, year2: \"force\" belongs to revolts and invasions, and to all of them"},
    {"cards/11/year1/force", "77", "card 12, year1: \"force\" is 77 but must be 0 to 9"},
    {"cards/15/year1", "{\"welth\": 1}",
     "card 16, year1: \"metal\" and \"wealth\" belong to gain events, and to all of them"},
    {"cards/16/year1", "7", "card 17: \"year1\" must be an object"},
    {"cards/51/affects", "{\"luck\": 1}", "card 52, affects: \"tech\" must be a text"},
    {"cards/51/affects", "{}", "card 52: \"affects\" must have one test: military, wealth_min or tech"},
    {"cards/53/affects", "{\"tech\": \"warp\"}", "card 54, affects: \"tech\" names no technology"},
    {"cards/51/roll", "[7]", "card 52: \"roll\" must list numbers of a die, 1 to 6"},
    {"cards/51/lose", "{}", "card 52, lose: must name metal, wealth or military"},
    {"cards/3",
     "{\"number\": 4, \"name\": \"X\", \"kind\": \"distant\", \"resistance\": 5, \"metal\": 0, \"wealth\": "
     "0, "
     "\"vp\": 1, \"solo18\": true, \"source\": \"house\"}",
     "the cards: there are 23 near systems but must be 24 at least"},
    {"cards/3/solo18", "false", NULL},
};

START_TEST(card_errors_name_card_and_field)
{
    check_mistake(rules(), &mistakes[_i]);
}
END_TEST

START_TEST(the_cards_are_complete)
{
    struct gc_cards cards = {0};
    struct err err = ERR_INIT;
    json_t *json = card_file(rules());
    int kinds[4] = {0};
    int solo = 0;
    ck_ok(gc_cards_load(json, &cards, &err), err);
    json_decref(json);
    for (int n = 1; n <= GC_CARDS; n++) {
        kinds[cards.card[n].kind]++;
        solo += cards.card[n].solo18;
        ck_assert_int_eq(cards.card[n].solo18, n <= 18);
    }
    ck_assert_int_eq(kinds[GC_NEAR], 24);
    ck_assert_int_eq(kinds[GC_DISTANT], 12);
    ck_assert_int_eq(kinds[GC_EVENT], 15);
    ck_assert_int_eq(kinds[GC_ALERT], 3);
    ck_assert_int_eq(solo, 18);
}
END_TEST

/* ---- templates ---- */

START_TEST(every_event_has_words_and_all_words_are_used)
{
    check_all_words(rules(), (const char *const[]){"refused_plainly", NULL});
}
END_TEST

/* The words are those of the cards; a name that only a league's own cards have is shown as it is. */
START_TEST(every_rank_has_words)
{
    struct gc_cards cards = {0};
    struct err err = ERR_INIT;
    struct templates *templates;
    json_t *json = card_file(rules());
    ck_ok(gc_cards_load(json, &cards, &err), err);
    templates_open(NULL, &templates);
    for (int i = 0; i < cards.ranks + 2; i++) {
        struct str text = STR_INIT;
        const char *name = i < cards.ranks    ? cards.rank[i].name
                           : i == cards.ranks ? cards.lost_rank
                                              : "Made a Duke";
        json_t *rank = rank_json(rules()->end.ranks, slice_of(name)), *words = json_object_get(rank, "ranks");
        ck_assert_int_eq(json_object_get(words, "name") != NULL, i > cards.ranks);
        ck_ok(templates_piece(templates, &(struct template_name){"galaxy_command", "ranks.txt"}, words, &text,
                              &err),
              err);
        ck_assert_str_eq(text.p, name);
        json_decref(rank);
        str_release(&text);
    }
    templates_close(templates);
    json_decref(json);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, card_errors_name_card_and_field, 0,
                        (int)(sizeof(mistakes) / sizeof(mistakes[0])));
    tcase_add_test(tc, the_cards_are_complete);
    tcase_add_test(tc, every_event_has_words_and_all_words_are_used);
    tcase_add_test(tc, every_rank_has_words);
}
TEST_MAIN("rules/galaxy_command_data", cases)
