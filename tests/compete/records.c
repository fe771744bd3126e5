/* The kinds of a competition's records (compete/apply.c) and the page on the formats (src/journal/COMPETITIONS.md) say
 * the same: which there are, and their members. */
#include "compete/apply.h"

#include <string.h>

#include "base/file.h"
#include "rules/ruleset.h"
#include "suite.h"

#define PAGE "src/journal/COMPETITIONS.md"
/* Told for all who enter, leave or rule at once. */
#define EVIDENCE " by signed text mail for typed request said vouched "
/* Words in backticks that are no members: values, other kinds, what stands inside of members. */
#define NO_MEMBERS                                                                                        \
    " league director create enter withdraw confirm round made result adjust field close end left nonce " \
    "content "                                                                                            \
    "dkim "                                                                                               \
    "place scores seats "                                                                                 \
    "draw protest tables divisions tie moderator name points ranks table do entries_until "               \
    "confirm_until "                                                                                      \
    "trust bye attempt adjudge most found until duplicate fixed witness late witnesses quorum log "       \
    "unwitnessed pi proof request "

static struct str page;

static void begin(void)
{
    struct err err = ERR_INIT;
    str_init(&page);
    ck_ok(file_read(PAGE, 1 << 20, &page, &err), err);
    ck_ok(file_read("src/journal/README.md", 1 << 20, &page, &err), err); /* the options */
}

static void end(void)
{
    str_release(&page);
}

static bool listed(const char *list, const char *word)
{
    char spaced[64];
    (void)snprintf(spaced, sizeof spaced, " %s ", word);
    return strstr(list, spaced) != NULL;
}

/* The text under the heading that names the kind: "### competition enter, confirm, withdraw". */
static struct slice section(const char *type)
{
    struct slice rest = slice_str(&page), line;
    while (slice_line(&rest, &line)) {
        if (!slice_starts(line, "### competition ") || slice_find(line, type) == (size_t)-1)
            continue;
        size_t stop = slice_find(rest, "\n###");
        return slice_sub(rest, 0, stop == (size_t)-1 ? rest.len : stop);
    }
    ck_abort_msg("the page has no section on \"%s\"", type);
    return rest;
}

/* The next word in backticks. */
static bool quoted(struct slice *text, char word[64])
{
    size_t from = slice_find(*text, "`");
    if (from == (size_t)-1)
        return false;
    struct slice rest = slice_sub(*text, from + 1, text->len);
    size_t to = slice_find(rest, "`");
    if (to == (size_t)-1)
        return false;
    (void)snprintf(word, 64, "%.*s", to < 63 ? (int)to : 63, rest.p);
    *text = slice_sub(rest, to + 1, rest.len);
    return true;
}

static bool tells(struct slice text, const char *member)
{
    char word[64];
    while (quoted(&text, word))
        if (strcmp(word, member) == 0)
            return true;
    return false;
}

static bool has(const struct compete_record *kind, const char *member)
{
    char start[64];
    (void)snprintf(start, sizeof start, "%s:", member);
    const char *at = strstr(kind->members, start);
    return at && (at == kind->members || at[-1] == ' ');
}

START_TEST(the_page_tells_every_member)
{
    size_t count;
    const struct compete_record *kind = &compete_records(&count)[_i];
    struct slice rest = slice_of(kind->members), word;
    ck_assert_int_lt(_i, (int)count);
    while (slice_word(&rest, &word)) {
        char member[64];
        (void)snprintf(member, sizeof member, "%.*s", (int)slice_find(word, ":"), word.p);
        ck_assert_msg(listed(EVIDENCE, member) || tells(section(kind->type), member),
                      "%s: the page does not tell its \"%s\"", kind->type, member);
    }
}
END_TEST

START_TEST(what_the_page_tells_is_a_member)
{
    size_t count;
    const struct compete_record *kind = &compete_records(&count)[_i];
    struct slice text = section(kind->type);
    char word[64];
    while (quoted(&text, word)) {
        bool plain = word[strspn(word, "abcdefghijklmnopqrstuvwxyz_")] == '\0';
        ck_assert_msg(!plain || has(kind, word) || listed(NO_MEMBERS, word),
                      "%s: the page tells a member \"%s\"", kind->type, word);
    }
}
END_TEST

START_TEST(the_page_has_no_other_kind)
{
    struct slice rest = slice_str(&page), line, word;
    size_t count, told = 0;
    const struct compete_record *kinds = compete_records(&count);
    while (slice_line(&rest, &line)) {
        if (!slice_starts(line, "### competition "))
            continue;
        line = slice_sub(line, strlen("### competition "), line.len);
        while (slice_word(&line, &word)) {
            size_t i = 0;
            word.len -= word.p[word.len - 1] == ',';
            while (i < count && !slice_eq(word, kinds[i].type))
                i++;
            ck_assert_msg(i < count, "the page has a record \"%.*s\"", (int)word.len, word.p);
            told++;
        }
    }
    ck_assert_uint_eq(told, count);
}
END_TEST

/* The row of a ruleset in the table of options. */
static struct slice row_of(const struct ruleset *ruleset)
{
    struct slice rest = slice_str(&page), line;
    struct str begin;
    str_init(&begin);
    str_addf(&begin, "| %s | `%s` ", ruleset->name, ruleset->options[0].name);
    while (slice_line(&rest, &line) && !slice_starts(line, begin.p))
        continue;
    ck_assert_msg(slice_starts(line, begin.p), "the page has no options of %s", ruleset->name);
    str_release(&begin);
    return line;
}

/* Competitions and games name no others, and the second verifier goes by this table. */
START_TEST(the_page_tells_every_option)
{
    for (size_t i = 0; rulesets[i]; i++) {
        const struct game_option *option = rulesets[i]->options;
        struct slice row = row_of(rulesets[i]);
        size_t told = 0;
        for (; option->name; option++, told++) {
            struct str text = STR_INIT;
            str_addf(&text, "`%s` %d to %d, %d", option->name, option->min, option->max, option->initial);
            ck_assert_msg(slice_find(row, text.p) != (size_t)-1, "the page does not tell %s of %s", text.p,
                          rulesets[i]->name);
            str_release(&text);
        }
        size_t marks = 0;
        for (size_t at = 0; at < row.len; at++)
            marks += row.p[at] == '`';
        ck_assert_uint_eq(marks, 2 * told); /* and no others */
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, the_page_tells_every_member, 0, 13);
    tcase_add_loop_test(tc, what_the_page_tells_is_a_member, 0, 13);
    tcase_add_test(tc, the_page_has_no_other_kind);
    tcase_add_test(tc, the_page_tells_every_option);
}
TEST_MAIN_TOGETHER("compete/records", cases)
