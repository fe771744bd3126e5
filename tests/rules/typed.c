/* The languages of the games, as people type them into answers (orders/typed.h): their own words and names are
 * never taken for anything else. */
#include "orders/typed.h"

#include <string.h>

#include "base/json.h"
#include "rules/ruleset.h"
#include "suite.h"

/* What the only line is. */
static struct typed_line read_line(const struct ruleset *rules, const char *text)
{
    const struct typed_game game = {"gx-1", rules->language, NULL, NULL, NULL};
    struct typed typed;
    typed_read(slice_of(text), &(struct typed_by){&game, 1, NULL}, &typed);
    ck_assert_uint_eq(typed.count, 1);
    struct typed_line line = typed.lines[0];
    typed_release(&typed);
    return line;
}

START_TEST(verbs_are_orders)
{
    for (size_t i = 0; rulesets[i]; i++)
        for (const struct verb *verb = rulesets[i]->language->verbs; verb->name; verb++) {
            struct typed_line line = read_line(rulesets[i], verb->name);
            ck_assert_msg(line.is == TYPED_IS_ORDER || (verb->flags & VERB_STANDING) ||
                              line.doubt == DOUBT_ORDER,
                          "%s: %s", rulesets[i]->name, verb->name);
        }
}
END_TEST

/* A name that is the beginning of a verb would be asked about each time. */
static size_t see_names(const struct ruleset *rules, json_t *json)
{
    const char *key;
    json_t *one;
    size_t at, seen = 0;
    json_array_foreach (json, at, one)
        seen += see_names(rules, one);
    json_object_foreach (json, key, one) {
        seen += see_names(rules, one);
        if (strcmp(key, "name") != 0 || !json_is_string(one))
            continue;
        struct str text = STR_INIT;
        str_addf(&text, "%s %s", rules->language->verbs[0].name, json_string_value(one));
        ck_assert_msg(read_line(rules, text.p).doubt != DOUBT_SHORT, "%s: %s", rules->name, text.p);
        str_release(&text);
        seen++;
    }
    return seen;
}

START_TEST(names_are_no_verbs_cut_short)
{
    for (size_t i = 0; rulesets[i]; i++) {
        struct err err = ERR_INIT;
        json_t *cards = json_read(ruleset_cards(rulesets[i]), "cards", &err);
        ck_assert_ptr_nonnull(cards);
        const size_t seen = see_names(rulesets[i], cards);
        ck_assert(seen > 10 || !rulesets[i]->words.thing);
        json_decref(cards);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, verbs_are_orders);
    tcase_add_test(tc, names_are_no_verbs_cut_short);
}
TEST_MAIN("rules/typed", cases)
