/* "Did you mean": what misspelt words of an order were meant for. */
#include "rules/meant.h"

#include "base/json.h"
#include "base/mem.h"
#include "suite.h"

static const struct {
    const char *ruleset, *words, *name;
    int words_of_it;
} typos[] = {
    {"galaxy-command", "sirus", "Sirius", 1},
    {"galaxy-command", "nera", "near", 1},
    {"galaxy-command", "bnking now", "banking", 1},
    {"galaxy-farmer", "clockwize", "clockwise", 1},
    {"galaxy-farmer", "annna", "anna", 1},
    {"galaxy-farmer", "xn", NULL, 0}, /* the "n" of "[n|all]" stands for a number */
    {"galaxy-command", "frobnicate", NULL, 0},
};

START_TEST(the_nearest_name_is_meant)
{
    static const char *const players[] = {"anna", NULL};
    const struct ruleset *rules = ruleset_newest(typos[_i].ruleset);
    struct err err = ERR_INIT;
    struct meant meant;
    void *cards = mem_alloc(rules->cards_size);
    json_t *json = json_read(ruleset_cards(rules), "cards.json", &err);
    ck_ok(rules->cards_load(json, cards, &err), err);
    json_decref(json);
    const bool near = name_meant(rules, cards, players, slice_of(typos[_i].words), &meant);
    ck_assert_msg(near == (typos[_i].name != NULL), "\"%s\": %s", typos[_i].words,
                  near ? meant.name : "nothing");
    if (near) {
        ck_assert_str_eq(meant.name, typos[_i].name);
        ck_assert_int_eq(meant.words, typos[_i].words_of_it);
    }
    free(cards);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, the_nearest_name_is_meant, 0, (int)(sizeof typos / sizeof *typos));
}
TEST_MAIN("rules/meant", cases)
