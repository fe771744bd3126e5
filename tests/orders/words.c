#include "orders/words.h"

#include <string.h>

#include "base/nearest.h"
#include "base/utf8.h"
#include "suite.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* The words of a line as text: numbers as #n, operators in brackets. */
static void spell(struct str *out, const char *line)
{
    struct word words[WORDS_PER_LINE];
    int count = words_split(slice_of(line), words, WORDS_PER_LINE);
    str_clear(out);
    for (int i = 0; i < count; i++) {
        str_adds(out, i ? " " : "");
        if (words[i].kind == WORD_NUMBER)
            str_addf(out, "#%d", words[i].number);
        else
            str_addf(out, words[i].kind == WORD_OP ? "[%s]" : "%s", words[i].text);
    }
}

static const struct {
    const char *line, *words;
} splits[] = {
    {"Move to  SUADI", "move to suadi"},
    {"", ""},
    {" \t,.:- ", ""},
    {"SWAP 2 METAL, 1 fuel", "swap #2 metal #1 fuel"},
    {"2m 1f", "#2 m #1 f"},
    {"T14 14T", "t14 #14 t"},
    {"METAL>=2", "metal [>=] #2"},
    {"a<b<=c=d>=e>f", "a [<] b [<=] c [=] d [>=] e [>] f"},
    {"a=<1 b=>2 c==3", "a [<=] #1 b [>=] #2 c [=] #3"},
    {"a \xE2\x89\xA4 1 b\xE2\x89\xA5 2", "a [<=] #1 b [>=] #2"},
    {"one Twelve thirteen ones", "#1 #12 thirteen ones"},
    {"Galaxy's galaxy\xE2\x80\x99s O'Neill `x", "galaxys galaxys oneill x"},
    {"gc-17 N-3 star\xE2\x80\x93"
     "base",
     "gc #17 n #3 star base"},
    {"x -1 -x 1-3", "x -1 x #1 #3"},
    {"-1", "-1"},
    {"BUILD! really?! !ok a!=2", "build really !ok a! [=] #2"},
    {"\"wolf\" \xE2\x80\x9Cwolf\xE2\x80\x9D \xC2\xBBx\xC2\xAB", "wolf wolf x"},
    {"a\xC2\xA0"
     "b\xE2\x80\xAF"
     "c",
     "a b c"},
    {"50% 2+3 a&b x*y", "#50 #2 #3 a b x y"},
    {"(metal)", "(metal)"},
    {"9999999999 0", "#999999 #0"},
    {"\xC3\x96zil", "\xC3\x96zil"},
    {"all MAX", "all max"},
};

START_TEST(lines_become_words)
{
    struct str out = STR_INIT;
    spell(&out, splits[_i].line);
    ck_assert_str_eq(out.p, splits[_i].words);
    str_release(&out);
}
END_TEST

/* What keyboards and mail programs write in the place of spaces, hyphens and apostrophes; and what stands beside that in Unicode is a letter. */
START_TEST(typographic_signs)
{
    static const struct {
        uint32_t first, last;
        const char *words; /* of "a?b" */
    } rows[] = {{0x01, 0x20, "a b"},     {0x7F, 0x7F, "a b"},          {0xA0, 0xA0, "a b"},
                {0xAB, 0xAB, "a b"},     {0xB7, 0xB7, "a b"},          {0xBB, 0xBB, "a b"},
                {0x2007, 0x2007, "a b"}, {0x2010, 0x2015, "a b"},      {0x201C, 0x201F, "a b"},
                {0x2022, 0x2022, "a b"}, {0x202F, 0x202F, "a b"},      {0x2033, 0x2033, "a b"},
                {0x2212, 0x2212, "a b"}, {0x27, 0x27, "ab"},           {0x60, 0x60, "ab"},
                {0xAD, 0xAD, "ab"},      {0xB4, 0xB4, "ab"},           {0x2BC, 0x2BC, "ab"},
                {0x200B, 0x200B, "ab"},  {0x2018, 0x201B, "ab"},       {0x2032, 0x2032, "ab"},
                {0xFEFF, 0xFEFF, "ab"},  {0x2264, 0x2264, "a [<=] b"}, {0x2265, 0x2265, "a [>=] b"}};
    struct str line = STR_INIT, words = STR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t cp = rows[i].first - (rows[i].first > 0xA0); cp <= rows[i].last + 1; cp++) {
            const char *want = NULL;
            for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
                if (cp >= rows[k].first && cp <= rows[k].last)
                    want = rows[k].words;
            str_clear(&line);
            str_addc(&line, 'a');
            utf8_put(&line, cp);
            str_addc(&line, 'b');
            spell(&words, line.p);
            if (want)
                ck_assert_msg(strcmp(words.p, want) == 0, "U+%04X: \"%s\", want \"%s\"", cp, words.p, want);
            else if (cp >= 0xA0)
                ck_assert_msg(!strchr(words.p, ' ') && strcmp(words.p, "ab") != 0, "U+%04X: \"%s\"", cp,
                              words.p);
        }
    spell(&words, "a!b a!! a?! a!\xC2\xA0 c");
    ck_assert_str_eq(words.p, "a!b a a a c");
    str_release(&line);
    str_release(&words);
}
END_TEST

START_TEST(words_keep_what_was_written)
{
    struct word words[4];
    ck_assert_int_eq(words_split(slice_of("  O'Brien 2M \xE2\x89\xA5"), words, 4), 4);
    ck_slice_eq(words[0].raw, "O'Brien");
    ck_slice_eq(words[1].raw, "2");
    ck_slice_eq(words[2].raw, "M");
    ck_slice_eq(words[3].raw, "\xE2\x89\xA5");
    ck_assert_int_eq(words_split(slice_of("1 2 3 4"), words, 4), 4);
    ck_assert_int_eq(words_split(slice_of("1 2 3 4 5"), words, 4), -1);
    ck_assert_int_eq(words[3].number, 4);
}
END_TEST

START_TEST(long_words_are_cut_between_letters)
{
    struct word words[2];
    ck_assert_int_eq(words_split(slice_of("abcdefghijklmnopqrstuvwxyz1234567890"), words, 2), 1);
    ck_assert_str_eq(words[0].text, "abcdefghijklmnopqrstuvwxyz12345");
    ck_assert_uint_eq(words[0].raw.len, 36);
    ck_assert_int_eq(words_split(slice_of("abcdefghijklmnopqrstuvwxyz1234\xC3\xA9z"), words, 2), 1);
    ck_assert_str_eq(words[0].text, "abcdefghijklmnopqrstuvwxyz1234");
    ck_assert_int_eq(words_split(slice_of("123456789012345678901234567890123456789"), words, 2), 1);
    ck_assert_uint_eq(strlen(words[0].text), WORD_MAX);
    ck_assert_int_eq(words_split((struct slice){"a\0b\xFF", 4}, words, 2), 2);
    ck_assert_str_eq(words[1].text, "b\xFF");
}
END_TEST

/* ---- arguments ---- */

struct line {
    struct word words[WORDS_PER_LINE];
    struct args args;
};

static struct args *args_of(struct line *line, const char *text)
{
    int count = words_split(slice_of(text), line->words, WORDS_PER_LINE);
    ck_assert_int_ge(count, 0);
    line->args = (struct args){line->words, (size_t)count};
    return &line->args;
}

START_TEST(keywords_and_numbers)
{
    struct line line;
    int number = -1;
    struct args *args = args_of(&line, "near 3 all MAX ni >= x");
    ck_assert(!args_keyword(args, "far", 1));
    ck_assert(!args_keyword(args, "nearest", 5));
    ck_assert(args_keyword(args, "nearest", 4));
    ck_assert(!args_keyword(args, "33", 2));
    ck_assert(args_number(args, &number));
    ck_assert_int_eq(number, 3);
    ck_assert(args_number(args, &number));
    ck_assert_int_eq(number, ARGS_ALL);
    ck_assert(args_number(args, &number));
    ck_assert_int_eq(number, ARGS_ALL);
    ck_assert(!args_number(args, &number));
    ck_assert(args_keyword(args, "ni", 9));
    ck_assert(!args_keyword(args, ">=", 1));
    struct str text = STR_INIT;
    args_text(&text, args);
    ck_assert_str_eq(text.p, ">= x");
    str_release(&text);
    args = args_of(&line, "");
    ck_assert(args_end(args));
    ck_assert(!args_keyword(args, "x", 1));
    ck_assert(!args_number(args, &number));
}
END_TEST

static const struct named systems[] = {
    {"Epsilon Eridani", "N2", 2}, {"Wolf 359", "N3", 3},       {"The Rift", "N4", 4},
    {"Galaxy's Edge", "F1", 5},   {"Castor", "N5", 6},         {"Capella", "N6", 7},
    {"Tau Ceti", "N7", 8},        {"Vega", NULL, 9},           {"Vega Prime", "N8", 10},
    {"Epsilon Indi", "N12", 11},  {"Isle of Wight", NULL, 12}, {"Station 12", NULL, 13},
    {"Old Castor", "X1", 6},      {"Tauceti Two", NULL, 14},   {"My", NULL, 15}};

static const struct {
    const char *text;
    enum name_found found;
    int value;
    const char *left; /* or the candidates */
} names[] = {
    {"epsilon eri", NAME_ONE, 2, ""},
    {"eps eri now", NAME_ONE, 2, "now"},
    {"EPSILON ERIDANI", NAME_ONE, 2, ""},
    {"eps", NAME_MANY, 0, "Epsilon Eridani, Epsilon Indi"},
    {"n2 x", NAME_ONE, 2, "x"},
    {"N-3", NAME_ONE, 3, ""},
    {"n 12", NAME_ONE, 11, ""},
    {"n1", NAME_NONE, 0, "n1"},
    {"wolf 359", NAME_ONE, 3, ""},
    {"wolf359", NAME_ONE, 3, ""},
    {"wolf 3", NAME_ONE, 3, "3"},
    {"wolf35", NAME_NONE, 0, "wolf35"},
    {"rift", NAME_ONE, 4, ""},
    {"at rift", NAME_NONE, 0, "at rift"},
    {"galaxys edge", NAME_ONE, 5, ""},
    {"galaxy's", NAME_ONE, 5, ""},
    {"cas", NAME_ONE, 6, ""},
    {"ca", NAME_MANY, 0, "Castor, Capella"},
    {"castor", NAME_ONE, 6, ""},
    {"old cas", NAME_ONE, 6, ""},
    {"vega", NAME_ONE, 9, ""},
    {"vega p", NAME_ONE, 10, ""},
    {"vega rift", NAME_ONE, 9, "rift"},
    {"vega with f1", NAME_ONE, 9, "with f1"},
    {"tau ceti", NAME_ONE, 8, ""},
    {"tauceti", NAME_ONE, 8, ""},
    {"tauc", NAME_MANY, 0, "Tau Ceti, Tauceti Two"},
    {"isle wight", NAME_ONE, 12, ""},
    {"isle of wi at", NAME_ONE, 12, "at"},
    {"station twelve", NAME_ONE, 13, ""},
    {"station 1", NAME_ONE, 13, "1"},
    {"my", NAME_ONE, 15, ""},
    {"sol", NAME_NONE, 0, "sol"},
    {">= vega", NAME_NONE, 0, ">= vega"},
    {"vega = rift", NAME_ONE, 9, "= rift"},
    {"", NAME_NONE, 0, ""},
};

START_TEST(names_are_found)
{
    struct line line;
    struct args *args = args_of(&line, names[_i].text);
    struct str text = STR_INIT;
    int value = 0;
    enum name_found found = args_name(args, systems, COUNT(systems), &value, &text);
    ck_assert_msg(found == names[_i].found, "\"%s\": %d", names[_i].text, (int)found);
    ck_assert_int_eq(value, names[_i].value);
    if (found != NAME_MANY)
        args_text(&text, args);
    else
        ck_assert_uint_eq(args->count, 1);
    ck_assert_str_eq(text.p, names[_i].left);
    str_release(&text);
    args = args_of(&line, names[_i].text);
    ck_assert_int_eq(args_name(args, systems, COUNT(systems), &value, NULL), found);
}
END_TEST

START_TEST(many_candidates_are_cut)
{
    struct named list[14];
    struct line line;
    struct str text = STR_INIT;
    int value = 0;
    for (int i = 0; i < COUNT(list); i++)
        list[i] = (struct named){"Same", NULL, i};
    ck_assert_int_eq(args_name(args_of(&line, "sa"), list, COUNT(list), &value, &text), NAME_MANY);
    ck_assert(str_ends(text.p, "Same, Same, ..."));
    str_release(&text);
}
END_TEST

static const struct {
    const char *text;
    int metal, food, fuel, crystal;
    const char *left;
} lists[] = {
    {"2 metal 1 fuel", 2, 0, 1, 0, ""},     {"2m 1cr", 2, 0, 0, 1, ""},
    {"metal fuel", 1, 0, 1, 0, ""},         {"all metal", ARGS_ALL, 0, 0, 0, ""},
    {"3 metal fuel", 3, 0, 1, 0, ""},       {"metal 2 metal", 3, 0, 0, 0, ""},
    {"two me three c", 2, 0, 0, 3, ""},     {"metal 2", 1, 0, 0, 0, "2"},
    {"1 metal f", 1, 0, 0, 0, "f"},         {"fuel x 2 metal", 0, 0, 1, 0, "x 2 metal"},
    {"all m metal", ARGS_ALL, 0, 0, 0, ""}, {"METAL = 2", 1, 0, 0, 0, "= #2"},
};

START_TEST(resource_lists)
{
    static const char *const kinds[] = {"metal", "food", "fuel", "crystal"};
    struct line line;
    int amounts[4] = {9, 9, 9, 9};
    struct args *args = args_of(&line, lists[_i].text);
    ck_assert(args_resources(args, kinds, 4, amounts));
    ck_assert_int_eq(amounts[0], lists[_i].metal);
    ck_assert_int_eq(amounts[1], lists[_i].food);
    ck_assert_int_eq(amounts[2], lists[_i].fuel);
    ck_assert_int_eq(amounts[3], lists[_i].crystal);
    struct str left = STR_INIT;
    args_text(&left, args);
    if (lists[_i].left[0] != '=')
        ck_assert_str_eq(left.p, lists[_i].left);
    str_release(&left);
}
END_TEST

START_TEST(no_resource_consumes_nothing)
{
    static const char *const kinds[] = {"metal", "food", "fuel"};
    static const char *const texts[] = {"", "all", "2", "f", "x metal", "2 x", "<"};
    for (int i = 0; i < COUNT(texts); i++) {
        struct line line;
        int amounts[3] = {9, 9, 9};
        struct args *args = args_of(&line, texts[i]);
        size_t before = args->count;
        ck_assert(!args_resources(args, kinds, 3, amounts));
        ck_assert_uint_eq(args->count, before);
        ck_assert_int_eq(amounts[0] + amounts[1] + amounts[2], 0);
    }
}
END_TEST

START_TEST(fillers)
{
    ck_assert(word_is_filler("the"));
    ck_assert(word_is_filler("please"));
    ck_assert(!word_is_filler("them"));
    ck_assert(!word_is_filler(""));
}
END_TEST

START_TEST(nearest_words)
{
    ck_assert_uint_eq(word_distance("explore", "explore"), 0);
    ck_assert_uint_eq(word_distance("expolre", "explore"), 1);
    ck_assert_uint_eq(word_distance("xplor", "explore"), 2);
    ck_assert_uint_eq(word_distance("", "abc"), 3);
    ck_assert_uint_eq(word_distance("kitten", "sitting"), 3);
    ck_assert_uint_eq(word_distance("ca", "abc"), 3);
    struct nearest search = NEAREST_INIT("buidl");
    nearest_offer(&search, "swap");
    ck_assert_ptr_null(search.best);
    nearest_offer(&search, "guild");
    ck_assert_str_eq(search.best, "guild");
    nearest_offer(&search, "build");
    ck_assert_str_eq(search.best, "build");
    nearest_offer(&search, "buids");
    ck_assert_str_eq(search.best, "build");
    struct nearest quick = NEAREST_INIT("abc");
    nearest_offer(&quick, "axy");
    ck_assert_ptr_null(quick.best);
    nearest_offer(&quick, "abcdefgh");
    ck_assert_str_eq(quick.best, "abcdefgh");
    struct nearest single = NEAREST_INIT("x");
    nearest_offer(&single, "x1");
    ck_assert_ptr_null(single.best);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, lines_become_words, 0, COUNT(splits));
    tcase_add_test(tc, typographic_signs);
    tcase_add_test(tc, words_keep_what_was_written);
    tcase_add_test(tc, long_words_are_cut_between_letters);
    tcase_add_test(tc, keywords_and_numbers);
    tcase_add_loop_test(tc, names_are_found, 0, COUNT(names));
    tcase_add_test(tc, many_candidates_are_cut);
    tcase_add_loop_test(tc, resource_lists, 0, COUNT(lists));
    tcase_add_test(tc, no_resource_consumes_nothing);
    tcase_add_test(tc, fillers);
    tcase_add_test(tc, nearest_words);
}

TEST_MAIN_TOGETHER("orders/words", cases)
