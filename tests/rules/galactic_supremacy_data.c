/* Galactic Supremacy: the card file and its errors; the words of the templates. */
#include "rules/data.h"
#include "rules/supremacy.h"

/* ---- cards.json ---- */

static const struct mistake mistakes[] = {
    {"game", "\"chess\"", "the cards: \"game\" must be galactic-supremacy"},
    {"costs", "3", "the cards: \"costs\" must be an object"},
    {"costs/fleet", "-1", "costs: \"fleet\" is -1 but must be 0 to 99"},
    {"costs/source", "\"guess\"", "costs: \"source\" must say rulebook, public:<where> or house"},
    {"start/source", "{\"credits\": \"internet\"}",
     "start: \"source\" must say rulebook, public:<where> or house"},
    {"dice/sides", "6", "dice: \"sides\" is 6 but must be 10 to 10"},
    {"dice/homeworld", "\"5\"", "dice: \"homeworld\" must be a whole number"},
    {"hand/limit", "0", "hand: \"limit\" is 0 but must be 1 to 20"},
    {"technologies", "[]", "the cards: \"technologies\" must be a list of 9"},
    {"technologies/1/id", "\"warp\"", "technology 2: \"id\" must be firepower"},
    {"technologies/1/roll", "5", "technology 2: \"roll\" is 5 but must be 2 to 2"},
    {"technologies/8/name", "\"\\u202e\"", "technology 9: \"name\" must be a plain text of 1 to 31 bytes"},
    {"technologies/8/source", "null", "technology 9: \"source\" must say rulebook, public:<where> or house"},
    {"exchanges/0/keep", "\"gold\"",
     "exchange 1: \"keep\" must be research, command, sector, fleet or leader"},
    {"exchanges/3/id", "\"x\"", "exchange 4: \"id\" must be rnd"},
    {"command_uses/0/window", "\"attack\"", "command use 1: \"window\" must be command"},
    {"command_uses/1/effect", "\"see_deck\"", "command use 2: \"effect\" must be see_hand"},
    {"command_uses/8/success_max", "11", "command use 9: \"success_max\" is 11 but must be 1 to 10"},
    {"command_uses/7/minus", "null", "command use 8: \"minus\" must be a whole number"},
    {"command_uses/3/amount", "0", "command use 4: \"amount\" is 0 but must be 1 to 9"},
    {"cards", "[]", "the cards: \"cards\" must be a list of 50"},
    {"cards/3/number", "9", "card 4: \"number\" is 9 but must be 4 to 4"},
    {"cards/3/number", "51", "card 4: \"number\" is 51 but must be 4 to 4"},
    {"cards/3/kind", "\"spy\"", "card 4: \"kind\" must be research, command, sector, fleet or leader"},
    {"cards/3/name", "\"X\"", "card 4: \"name\" belongs to sectors, fleets and leaders"},
    {"cards/30/name", "null", "card 31: \"name\" must be a text"},
    {"cards/30/name", "\"Orion Reach\"", "card 31: \"name\" is that of card 26"},
    {"cards/30/source", "{}", "card 31: \"source\" must say rulebook, public:<where> or house"},
    {"costs/fleet", "12", NULL},
};

START_TEST(card_errors_name_card_and_field)
{
    check_mistake(rules(), &mistakes[_i]);
}
END_TEST

/* A file without any leader, or with more sectors than the table holds. */
START_TEST(kinds_have_their_limits)
{
    struct gs_cards cards = {0};
    struct err err = ERR_INIT;
    json_t *json = card_file(rules());
    for (int i = 45; i < 50; i++) {
        char path[32];
        snprintf(path, sizeof(path), "cards/%d/kind", i);
        card_file_change(json, path, "\"sector\"");
    }
    ck_assert_int_lt(gs_cards_load(json, &cards, &err), 0);
    ck_assert_str_eq(err.text, "the cards: there are 0 of the kind leader but must be 1 to 12");
    for (int i = 23; i < 25; i++) {
        char path[32];
        snprintf(path, sizeof(path), "cards/%d/kind", i);
        card_file_change(json, path, "\"sector\"");
    }
    card_file_change(json, "cards/49/kind", "\"leader\"");
    err_clear(&err);
    memset(&cards, 0, sizeof(cards));
    ck_ok(gs_cards_load(json, &cards, &err), err);
    card_file_change(json, "cards/22/kind", "\"sector\"");
    memset(&cards, 0, sizeof(cards));
    ck_assert_int_lt(gs_cards_load(json, &cards, &err), 0);
    ck_assert_str_eq(err.text, "the cards: there are 17 of the kind sector but must be 1 to 16");
    json_decref(json);
}
END_TEST

START_TEST(the_cards_are_those_of_the_rulebook)
{
    static const int counts[GS_KINDS] = {
        [GS_RESEARCH] = 10, [GS_COMMAND] = 10, [GS_SECTOR] = 10, [GS_FLEET] = 15, [GS_LEADER] = 5};
    struct gs_cards cards;
    int kinds[GS_KINDS] = {0};
    load_cards(&cards);
    for (int n = 1; n <= GS_CARDS; n++)
        kinds[cards.card[n].kind]++;
    for (int kind = 0; kind < GS_KINDS; kind++)
        ck_assert_int_eq(kinds[kind], counts[kind]);
    ck_assert_int_eq(cards.success[GS_STEAL], 6);
    ck_assert_int_eq(cards.success[GS_COUNTER], 8);
    ck_assert_int_eq(cards.success[GS_MILSAB], 3);
    ck_assert_int_eq(cards.success[GS_ASSASSINATION], 3);
    ck_assert_int_eq(cards.advances, 5);
}
END_TEST

/* ---- templates ---- */

/* Shown by galactic_supremacy_deals.c instead of a golden case, or by no play at all. */
static const char *const elsewhere[] = {"offered",     "offer_withdrawn",     "offer_declined",
                                        "votes_draw",  "votes_play",          "offer_what",
                                        "offer_when",  "offer_cards",         "offer_credits",
                                        "offers_open", "no_such_offer",       "which_offer",
                                        "offer_later", "partner_cannot_give", "hand_too_full",
                                        "vote_what",   "which_player",        "too_many",
                                        "other_use",   "refused_plainly",     NULL};

START_TEST(every_event_has_words_and_all_words_are_used)
{
    check_all_words(rules(), elsewhere);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, card_errors_name_card_and_field, 0,
                        (int)(sizeof(mistakes) / sizeof(mistakes[0])));
    tcase_add_test(tc, kinds_have_their_limits);
    tcase_add_test(tc, the_cards_are_those_of_the_rulebook);
    tcase_add_test(tc, every_event_has_words_and_all_words_are_used);
}
TEST_MAIN_TOGETHER("rules/galactic_supremacy_data", cases)
