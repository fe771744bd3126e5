/* The order words as they are exported for the page: all that the tables of each game have, and enough to tell of a line
 * which order it is, as the parser does. */
#include "base/json.h"
#include "orders/script.h"
#include "orders/vocabulary.h"
#include "page/page_parts.h"
#include "rules/ruleset.h"
#include "suite.h"

static struct page page;
static json_t *list;

static void begin(void)
{
    struct err err = ERR_INIT;
    page = (struct page){.list = NULL};
    list = page_words(&page, &err);
    ck_assert_msg(list != NULL, "%s", err.text);
}

static void end(void)
{
    json_decref(list);
    page_release(&page);
}

/* The document for a ruleset; the caller releases it. */
static json_t *words_of(const struct ruleset *ruleset)
{
    struct err err = ERR_INIT;
    const char *file = NULL;
    size_t i;
    json_t *row;
    json_array_foreach (list, i, row)
        if (!file && strcmp(json_string_value(json_object_get(row, "ruleset")), ruleset->name) == 0)
            file = json_string_value(json_object_get(row, "file"));
    for (size_t k = 0; file && k < page.count; k++)
        if (strcmp(page.list[k].name, file) == 0)
            return json_read(slice_str(&page.list[k].bytes), file, &err);
    ck_abort_msg("no words of %s", ruleset->name);
    return NULL;
}

static const char *text_of(const json_t *object, const char *member)
{
    return json_string_value(json_object_get(object, member));
}

static const json_t *named(const json_t *words, const char *which, const char *name)
{
    size_t i;
    json_t *row;
    json_array_foreach (json_object_get(words, which), i, row)
        if (strcmp(text_of(row, "name"), name) == 0)
            return row;
    ck_abort_msg("%s \"%s\" is missing in the words of %s", which, name, text_of(words, "ruleset"));
    return NULL;
}

START_TEST(every_word_of_every_table)
{
    for (int i = 0; rulesets[i]; i++) {
        json_t *words = words_of(rulesets[i]);
        const struct language *language = rulesets[i]->language;
        size_t count = 0;
        for (const struct verb *v = language->verbs; v->name; v++, count++) {
            const json_t *row = named(words, "verbs", v->name);
            ck_assert_str_eq(text_of(row, "args"), v->args);
            ck_assert_str_eq(text_of(row, "help"), v->help);
            ck_assert_str_eq(text_of(row, "keywords"), v->keywords ? v->keywords : "");
            ck_assert_int_eq(json_is_true(json_object_get(row, "standing")), (v->flags & VERB_STANDING) != 0);
        }
        ck_assert_uint_eq(json_array_size(json_object_get(words, "verbs")), count);
        count = 0;
        for (const struct counter *c = language->counters; c && c->name; c++, count++)
            ck_assert_int_eq(json_is_true(json_object_get(named(words, "counters", c->name), "test")),
                             c->test);
        ck_assert_uint_eq(json_array_size(json_object_get(words, "counters")), count);
        for (const struct trigger *t = language->triggers; t && t->name; t++)
            ck_assert_str_eq(text_of(named(words, "triggers", t->name), "args"), t->args);
        ck_assert(json_array_size(json_object_get(words, "things")) >= 5 || !rulesets[i]->words.thing);
        json_decref(words);
    }
}
END_TEST

/* What a report suggests is understood. */
START_TEST(examples_are_good_lines)
{
    for (int i = 0; rulesets[i]; i++) {
        json_t *words = words_of(rulesets[i]), *line;
        size_t k;
        ck_assert_msg(json_array_size(json_object_get(words, "examples")) > 0, "no examples for %s",
                      rulesets[i]->name);
        json_array_foreach (json_object_get(words, "examples"), k, line) {
            struct script *script = script_parse(slice_of(json_string_value(line)), rulesets[i]->language);
            ck_assert_msg(script_errors(script) == 0, "%s", json_string_value(line));
            script_free(script);
        }
        json_decref(words);
    }
}
END_TEST

/* ---- a reader that has the exported tables alone ---- */

static bool in_list(const json_t *words, const char *member, const char *word)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(words, member), i, one)
        if (strcmp(json_string_value(one), word) == 0)
            return true;
    return false;
}

/* By its name, or by a beginning of two letters or more that only one has; `all`: what only answers, too. */
static const char *find_row(const json_t *words, const char *which, const char *word, bool all)
{
    const char *found = NULL;
    size_t i, matches = 0;
    json_t *row;
    json_array_foreach (json_object_get(words, which), i, row) {
        const char *name = text_of(row, "name");
        if (!all && json_is_true(json_object_get(row, "standing")))
            continue;
        if (strcmp(name, word) == 0)
            return name;
        if (strlen(word) >= 2 && str_starts(name, word)) {
            found = name;
            matches++;
        }
    }
    return matches == 1 ? found : NULL;
}

/* The order of "VERB things", "when TRIGGER then VERB things" or "if COUNTER >= 1 then VERB things"; NULL: not understood. */
static const char *read_by_tables(const json_t *words, const char *front, const char *asked, const char *verb)
{
    if (strcmp(front, "when") == 0 && !find_row(words, "triggers", asked, true))
        return NULL;
    if (strcmp(front, "if") == 0 && !find_row(words, "counters", asked, true))
        return NULL;
    return find_row(words, "verbs", verb, strcmp(front, "when") == 0);
}

static const char *name_at(const json_t *words, const char *which)
{
    const json_t *rows = json_object_get(words, which);
    return text_of(json_array_get(rows, luck_word() % json_array_size(rows)), "name");
}

/* A word of the tables, cut anywhere, or with a letter that is wrong. */
static void spoil(char out[64], const char *name)
{
    (void)snprintf(out, 64, "%s", name);
    size_t len = strlen(out);
    uint32_t luck = luck_word() % 4;
    if (luck == 1)
        out[1 + luck_word() % len] = '\0';
    else if (luck == 2)
        out[luck_word() % len] = (char)('a' + luck_word() % 26);
}

static bool is_taken(const json_t *words, const char *word)
{
    return in_list(words, "common", word) || in_list(words, "line_words", word) ||
           in_list(words, "fillers", word) || in_list(words, "numbers", word) || strcmp(word, "not") == 0 ||
           strcmp(word, "ok") == 0 || strcmp(word, "fail") == 0 || strcmp(word, "have") == 0 ||
           strcmp(word, "turn") == 0 || strcmp(word, "then") == 0 || strcmp(word, "or") == 0;
}

/* A yes/no question takes no comparison, and others have words of their own before it. */
static bool is_plain_counter(const json_t *words, const char *asked)
{
    const char *name = find_row(words, "counters", asked, true);
    const json_t *counter = name ? named(words, "counters", name) : NULL;
    return !counter || (!json_is_true(json_object_get(counter, "test")) && !*text_of(counter, "args"));
}

static size_t compare(const struct ruleset *ruleset, const json_t *words, size_t *good)
{
    static const char *const fronts[] = {"", "when", "if"};
    const char *front = fronts[luck_word() % 3];
    char asked[64] = "", verb[64];
    struct str line = STR_INIT;
    const char *asks = strcmp(front, "if") == 0 ? "counters" : "triggers";
    if (*front && !json_array_size(json_object_get(words, asks)))
        front = "";
    if (*front)
        spoil(asked, name_at(words, asks));
    spoil(verb, name_at(words, "verbs"));
    if (is_taken(words, asked) || is_taken(words, verb) ||
        (strcmp(front, "if") == 0 && !is_plain_counter(words, asked)))
        return 0;
    const char *mine = read_by_tables(words, front, asked, verb);
    if (*front)
        str_addf(&line, "%s %s%s then ", front, asked, strcmp(front, "if") == 0 ? " >= 1" : "");
    str_addf(&line, "%s %s", verb, luck_word() % 2 ? "best" : "");
    struct script *script = script_parse(slice_str(&line), ruleset->language);
    const struct script_line *read = script_line(script, 0);
    bool bad = read->kind == LINE_BAD;
    bool unfit = bad && mine && ruleset->language->unfit && strcmp(front, "when") == 0;
    ck_assert_msg(unfit || bad == !mine, "%s: \"%s\" is %s for the parser and %s by the tables",
                  ruleset->name, line.p, bad ? "bad" : "good", mine ? mine : "bad");
    ck_assert_msg(bad || strcmp(read->verb, mine) == 0, "\"%s\" is %s and %s", line.p, read->verb, mine);
    *good += !bad;
    script_free(script);
    str_release(&line);
    return 1;
}

START_TEST(lines_are_read_as_the_parser_reads_them)
{
    for (int i = 0; rulesets[i]; i++) {
        json_t *words = words_of(rulesets[i]);
        size_t looked = 0, good = 0;
        while (looked < (FEW ? 2000 : 20000))
            looked += compare(rulesets[i], words, &good);
        ck_assert_uint_gt(good, looked / 10);
        ck_assert_uint_lt(good, looked);
        json_decref(words);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, every_word_of_every_table);
    tcase_add_test(tc, examples_are_good_lines);
    tcase_add_test(tc, lines_are_read_as_the_parser_reads_them);
}
TEST_MAIN("page/words", cases)
