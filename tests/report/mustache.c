#include "report/mustache.h"

#include <locale.h>
#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "suite.h"

/* ---- the specification's cases: tests/report/spec, run from the root of the tree ---- */

static const char *const modules[] = {"interpolation", "sections", "inverted",
                                      "comments",      "partials", "delimiters"};
#define MODULES (sizeof modules / sizeof *modules)

static json_t *spec_load(const char *module, struct err *err)
{
    struct str path = STR_INIT;
    str_addf(&path, "tests/report/spec/%s.json", module);
    json_t *file = json_read_file(path.p, err);
    str_release(&path);
    return file;
}

static int render(const struct mustache *template, const json_t *data,
                  const struct mustache_partials *partials, size_t max, struct str *out, struct err *err)
{
    struct arena arena = {NULL, NULL, 0};
    int rc = mustache_render(template, &(struct mustache_data){value_of_json(&arena, data), partials, max},
                             out, err);
    arena_release(&arena);
    return rc;
}

struct named {
    const char *name;
    struct mustache *template;
};

struct shelf {
    struct named item[8];
    size_t count;
};

static const struct mustache *shelf_find(void *arg, const struct value_name *name)
{
    struct shelf *shelf = arg;
    for (size_t i = 0; i < shelf->count; i++)
        if (slice_eq((struct slice){name->p, name->len}, shelf->item[i].name))
            return shelf->item[i].template;
    return NULL;
}

static void shelf_add(struct shelf *shelf, const char *name, const char *source, enum mustache_escape escape)
{
    struct err err = ERR_INIT;
    struct named *named = &shelf->item[shelf->count++];
    ck_assert_uint_le(shelf->count, 8);
    named->name = name;
    ck_ok(mustache_compile(name, slice_of(source), escape, &named->template, &err), err);
}

static void shelf_release(struct shelf *shelf)
{
    for (size_t i = 0; i < shelf->count; i++)
        mustache_free(shelf->item[i].template);
    shelf->count = 0;
}

static void run_case(const char *module, json_t *test)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct shelf shelf = {0};
    struct mustache *template;
    const char *name = json_string_value(json_object_get(test, "name"));
    const char *source = json_string_value(json_object_get(test, "template"));
    const char *expected = json_string_value(json_object_get(test, "expected"));
    ck_assert_msg(name && source && expected, "%s: a case without name, template or expected", module);
    const char *key;
    json_t *partial;
    json_object_foreach (json_object_get(test, "partials"), key, partial)
        shelf_add(&shelf, key, json_string_value(partial), MUSTACHE_HTML);
    struct mustache_partials partials = {shelf_find, &shelf};
    ck_assert_msg(mustache_compile(name, slice_of(source), MUSTACHE_HTML, &template, &err) == 0, "%s: %s: %s",
                  module, name, err.text);
    ck_assert_msg(render(template, json_object_get(test, "data"), &partials, 1000, &out, &err) == 0,
                  "%s: %s: %s", module, name, err.text);
    ck_assert_msg(slice_eq(slice_str(&out), expected), "%s: %s\n got \"%s\"\nwant \"%s\"", module, name,
                  out.p, expected);
    mustache_free(template);
    shelf_release(&shelf);
    str_release(&out);
}

/* One test for each case, so that a failure hides no other one. */
START_TEST(specification)
{
    size_t left = (size_t)_i;
    struct err err = ERR_INIT;
    for (size_t m = 0; m < MODULES; m++) {
        json_t *file = spec_load(modules[m], &err);
        ck_assert_msg(file != NULL, "%s", err.text);
        json_t *tests = json_object_get(file, "tests");
        size_t count = json_array_size(tests);
        if (left < count)
            run_case(modules[m], json_array_get(tests, left));
        json_decref(file);
        if (left < count)
            return;
        left -= count;
    }
    ck_abort_msg("no case %d", _i);
}
END_TEST

static int spec_count(void)
{
    size_t count = 0;
    for (size_t m = 0; m < MODULES; m++) {
        struct err err = ERR_INIT;
        json_t *file = spec_load(modules[m], &err);
        count += json_array_size(json_object_get(file, "tests"));
        json_decref(file);
    }
    return (int)count;
}

START_TEST(specification_is_there)
{
    ck_assert_int_ge(spec_count(), 180);
}
END_TEST

/* ---- helpers for the rest ---- */

static int try_text(struct str *out, const char *source, const char *json, enum mustache_escape escape,
                    size_t max, struct err *err)
{
    struct mustache *template;
    struct err json_err = ERR_INIT;
    json_t *data = json_read(slice_of(json), "data", &json_err);
    ck_assert_msg(data != NULL, "%s", json_err.text);
    int result = mustache_compile("t.txt", slice_of(source), escape, &template, err);
    if (result == 0) {
        result = render(template, data, NULL, max, out, err);
        mustache_free(template);
    }
    json_decref(data);
    return result;
}

static void renders(const char *source, const char *json, enum mustache_escape escape, const char *want)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    ck_ok(try_text(&out, source, json, escape, 1000, &err), err);
    ck_assert_str_eq(out.p, want);
    str_release(&out);
}

/* ---- values ---- */

START_TEST(text_is_safe_for_display)
{
    renders("{{a}}|", "{\"a\":\"x<&>\\\"'`y\"}", MUSTACHE_TEXT, "x<&>\"'`y|");
    renders("{{a}}|", "{\"a\":\"one\\ntwo\\tthree\"}", MUSTACHE_TEXT, "one two three|");
    renders("{{a}}|", "{\"a\":\"\\u001b[31mred\\u0007\"}", MUSTACHE_TEXT, "\xEF\xBF\xBD[31mred\xEF\xBF\xBD|");
    renders("{{a}}|", "{\"a\":\"\\u202Etxt.exe\\u2069\"}", MUSTACHE_TEXT, "\xEF\xBF\xBDtxt.exe\xEF\xBF\xBD|");
    renders("{{a}}|", "{\"a\":\"Gr\xC3\xB6\xC3\x9F\x65 \xE6\x9D\xB1\"}", MUSTACHE_TEXT,
            "Gr\xC3\xB6\xC3\x9F\x65 \xE6\x9D\xB1|");
    renders("{{#l}}{{.}}{{/l}}", "{\"l\":[\"a\\nb\",\"\\u202Ec\"]}", MUSTACHE_TEXT,
            "a b\xEF\xBF\xBD"
            "c");
}
END_TEST

START_TEST(raw_text_is_untouched)
{
    renders("{{{a}}}{{&a}}", "{\"a\":\"\\u001b\\n<\\u202E\"}", MUSTACHE_TEXT,
            "\x1b\n<\xE2\x80\xAE\x1b\n<\xE2\x80\xAE");
}
END_TEST

START_TEST(html_is_escaped_and_safe)
{
    renders("{{a}}", "{\"a\":\"<b onclick='x' title=\\\"y\\\">&`\"}", MUSTACHE_HTML,
            "&lt;b onclick=&#39;x&#39; title=&quot;y&quot;&gt;&amp;&#96;");
    renders("{{a}}", "{\"a\":\"one\\ntwo\\u202E\\u0001<\"}", MUSTACHE_HTML,
            "one\ntwo\xEF\xBF\xBD\xEF\xBF\xBD&lt;");
    renders("{{a}}{{b}}", "{\"a\":\"\\u00e4<\\u00e4\",\"b\":\"\"}", MUSTACHE_HTML, "\xC3\xA4&lt;\xC3\xA4");
}
END_TEST

START_TEST(reals_ignore_the_locale)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
        (void)setlocale(LC_NUMERIC, "C");
    renders("{{a}} {{b}} {{c}}", "{\"a\":1234.5,\"b\":1e-7,\"c\":-2.5e+30}", MUSTACHE_TEXT,
            "1234.5 1e-07 -2.5e+30");
}
END_TEST

START_TEST(a_name_may_hold_any_text)
{
    renders("{{gr\xC3\xB6\xC3\x9F\x65}}{{a-b}}{{x:y/z}}{{a>b}}",
            "{\"gr\\u00f6\\u00dfe\":1,\"a-b\":2,\"x:y/z\":3,\"a>b\":4}", MUSTACHE_TEXT, "1234");
    renders("({{a..b}}{{.a}}{{a.}})", "{\"a\":{\"\":{\"b\":7}}}", MUSTACHE_TEXT, "(7)");
}
END_TEST

START_TEST(appends_to_what_is_there)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    str_adds(&out, "before ");
    ck_ok(try_text(&out, "{{a}}", "{\"a\":1}", MUSTACHE_TEXT, 1, &err), err);
    ck_assert_str_eq(out.p, "before 1");
    str_release(&out);
}
END_TEST

/* ---- errors ---- */

struct refusal {
    const char *source;
    const char *words;
};

static const struct refusal refusals[] = {
    {"a\nb {{#ships}}\n", "t.txt: line 2: section \"ships\" is never closed"},
    {"{{#a}}{{^b}}\n{{/b}}", "t.txt: line 1: section \"a\" is never closed"},
    {"\n\n{{name", "t.txt: line 3: this tag is not closed by }}"},
    {"{{{name}}", "t.txt: line 1: this tag is not closed by }}}"},
    {"{{{name}} {", "t.txt: line 1: this tag is not closed by }}}"},
    {"{{! never ends", "t.txt: line 1: this tag is not closed by }}"},
    {"{{=<% %>}}", "t.txt: line 1: this tag is not closed by =}}"},
    {"{{=<% %>=}}\n<%a", "t.txt: line 2: this tag is not closed by %>"},
    {"{{#a}}\n{{#b}}\n{{/a}}\n",
     "t.txt: line 3: \"a\" is closed while section \"b\" of line 2 is still open"},
    {"{{#a}}{{/ab}}", "t.txt: line 1: \"ab\" is closed while section \"a\" of line 1 is still open"},
    {"x\n{{/a}}", "t.txt: line 2: section \"a\" is closed but was not opened"},
    {"{{}}", "t.txt: line 1: this tag has no name"},
    {"{{# }}", "t.txt: line 1: this tag has no name"},
    {"{{>}}", "t.txt: line 1: this tag has no name"},
    {"{{{}}}", "t.txt: line 1: this tag has no name"},
    {"{{a b}}", "t.txt: line 1: the name \"a b\" has a blank in it"},
    {"{{#a\nb}}", "t.txt: line 1: the name \"a b\" has a blank in it"},
    {"{{ #a}}", "begins with a sign that belongs right after the opening delimiter"},
    {"{{=<%=}}", "t.txt: line 1: a delimiter tag holds two words without '=', such as {{=<% %>=}}"},
    {"{{=a b c=}}", "two words"},
    {"{{==a b=}}", "two words"},
    {"{{<parent}}", "inheritance (\"parent\") is not supported"},
    {"{{$block}}", "inheritance (\"block\") is not supported"},
    {"{{>a\n}}\n{{x\xE2\x80\xAE y}}", "t.txt: line 3: the name \"x\xEF\xBF\xBD y\" has a blank in it"},
};

START_TEST(errors_name_template_and_line)
{
    const struct refusal *refusal = &refusals[_i];
    struct err err = ERR_INIT;
    struct mustache *template;
    ck_assert_msg(mustache_compile("t.txt", slice_of(refusal->source), MUSTACHE_TEXT, &template, &err) == -1,
                  "accepted: %s", refusal->source);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_msg(strstr(err.text, refusal->words) != NULL, "%s\n got \"%s\"\nwant \"%s\"", refusal->source,
                  err.text, refusal->words);
}
END_TEST

START_TEST(errors_stay_short_and_safe)
{
    struct err err = ERR_INIT;
    struct str source = STR_INIT;
    struct mustache *template;
    str_adds(&source, "{{#");
    for (int i = 0; i < 1000; i++)
        str_adds(&source, "\x01");
    str_adds(&source, "}}{{/b}}");
    ck_assert_int_eq(mustache_compile("t", slice_str(&source), MUSTACHE_TEXT, &template, &err), -1);
    ck_assert_ptr_null(strchr(err.text, 1));
    ck_assert(str_ends(err.text, "of line 1 is still open"));
    err_clear(&err);
    ck_assert_int_eq(mustache_compile("t", (struct slice){"a\0b", 3}, MUSTACHE_TEXT, &template, &err), -1);
    ck_assert_str_eq(err.text, "t: a template is text, but this one holds a NUL byte");
    str_release(&source);
}
END_TEST

START_TEST(empty_template)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct mustache *template;
    ck_ok(mustache_compile("t", (struct slice){NULL, 0}, MUSTACHE_TEXT, &template, &err), err);
    ck_ok(render(template, NULL, NULL, 0, &out, &err), err);
    ck_assert_uint_eq(out.len, 0);
    mustache_free(template);
    mustache_free(NULL);
}
END_TEST

/* ---- limits ---- */

START_TEST(output_is_bounded)
{
    static const struct {
        const char *source, *json;
        size_t len; /* of the text in full */
    } rows[] = {{"12345", "{}", 5},
                {"{{a}}", "{\"a\":\"12345\"}", 5},
                {"{{{a}}}", "{\"a\":\"12345\"}", 5},
                {"{{a}}", "{\"a\":12345}", 5},
                {"{{a}}", "{\"a\":\"\\u0001\\u0001\"}", 6},
                {"{{#a}}{{.}}.{{/a}}", "{\"a\":[1,2,3]}", 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        struct str out = STR_INIT;
        str_adds(&out, "kept");
        ck_ok(try_text(&out, rows[i].source, rows[i].json, MUSTACHE_TEXT, rows[i].len, &err), err);
        ck_assert_uint_eq(out.len, 4 + rows[i].len);
        str_cut(&out, 4);
        ck_assert_int_eq(try_text(&out, rows[i].source, rows[i].json, MUSTACHE_TEXT, rows[i].len - 1, &err),
                         -1);
        ck_assert_int_eq(err.code, ERR_INPUT);
        ck_assert(str_starts(err.text, "t.txt: the text is longer than "));
        ck_assert_str_eq(out.p, "kept");
        str_release(&out);
    }
}
END_TEST

START_TEST(indentation_counts_as_output)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct shelf shelf = {0};
    struct mustache_partials partials = {shelf_find, &shelf};
    shelf_add(&shelf, "main", "  {{>p}}\n", MUSTACHE_TEXT);
    shelf_add(&shelf, "p", "a\nb\n", MUSTACHE_TEXT);
    ck_ok(render(shelf.item[0].template, NULL, &partials, 8, &out, &err), err);
    ck_assert_str_eq(out.p, "  a\n  b\n");
    ck_assert_int_eq(render(shelf.item[0].template, NULL, &partials, 7, &out, &err), -1);
    shelf_release(&shelf);
    str_release(&out);
}
END_TEST

/* A chain of `count` values, {"down": {"down": ... }}. */
static json_t *chain(int count)
{
    json_t *value = json_object();
    for (int i = 0; i < count; i++) {
        json_t *outer = json_object();
        ck_assert_int_eq(json_object_set_new(outer, "down", value), 0);
        value = outer;
    }
    return value;
}

START_TEST(partials_are_bounded)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct shelf shelf = {0};
    struct mustache_partials partials = {shelf_find, &shelf};
    shelf_add(&shelf, "main", "{{#down}}.{{>main}}{{/down}}", MUSTACHE_TEXT);
    for (int depth = 32; depth <= 33; depth++) {
        json_t *data = json_pack("{s:n}", "down"); /* null: else the name would be found further out */
        for (int i = 0; i < depth; i++)
            data = json_pack("{s:o}", "down", data);
        int result = render(shelf.item[0].template, data, &partials, 1000, &out, &err);
        ck_assert_int_eq(result, depth == 32 ? 0 : -1);
        ck_assert_uint_eq(out.len, 32); /* of the first turn; the second leaves it */
        json_decref(data);
    }
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_str_eq(err.text, "main: partials are nested deeper than 32");
    shelf_release(&shelf);
    str_release(&out);
}
END_TEST

START_TEST(sections_are_bounded)
{
    for (int depth = 32; depth <= 33; depth++) {
        struct err err = ERR_INIT;
        struct str source = STR_INIT;
        struct mustache *template;
        for (int i = 0; i < depth; i++)
            str_adds(&source, "{{#a}}");
        for (int i = 0; i < depth; i++)
            str_adds(&source, "{{/a}}");
        int result = mustache_compile("deep", slice_str(&source), MUSTACHE_TEXT, &template, &err);
        ck_assert_int_eq(result, depth == 32 ? 0 : -1);
        if (result == 0)
            mustache_free(template);
        else
            ck_assert_str_eq(err.text, "deep: line 1: section \"a\" is nested deeper than 32");
        str_release(&source);
    }
}
END_TEST

/* All limits at once: 31 sections in each of 32 partials fit on the stack. */
START_TEST(deepest_nesting_fits_the_stack)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct str source = STR_INIT;
    struct shelf shelf = {0};
    struct mustache_partials partials = {shelf_find, &shelf};
    for (int i = 0; i < 32; i++)
        str_adds(&source, "{{#down}}");
    str_adds(&source, "{{>p}}");
    for (int i = 0; i < 32; i++)
        str_adds(&source, "{{/down}}");
    shelf_add(&shelf, "p", source.p, MUSTACHE_TEXT);
    json_t *data = chain(1500);
    ck_assert_int_eq(render(shelf.item[0].template, data, &partials, 1000, &out, &err), -1);
    ck_assert_str_eq(err.text, "p: partials are nested deeper than 32");
    json_decref(data);
    shelf_release(&shelf);
    str_release(&source);
    str_release(&out);
}
END_TEST

/* Facts may hold words of a template wherever they hold a text: an object with one object in it. */
START_TEST(objects_are_written_by_the_partial_of_their_name)
{
    static const struct {
        const char *facts, *want;
    } rows[] = {
        {"{\"when\":{\"day\":{\"name\":\"<Friday>\"}}}", "[on &lt;Friday&gt;] <on &lt;Friday&gt;>"},
        {"{\"when\":{\"day\":{}},\"name\":\"outer\"}", "[on ] <on >"}, /* sees nothing else */
        {"{\"when\":{\"month\":{}}}", "[] <>"},                        /* no such partial */
        {"{\"when\":{\"day\":{},\"month\":{}}}", "[] <>"},
        {"{\"when\":{\"day\":\"Friday\"}}", "[] <>"},
        {"{\"when\":{}}", "[] <>"},
        {"{\"when\":\"Friday\"}", "[Friday] <Friday>"},
    };
    struct shelf shelf = {0};
    struct mustache_partials partials = {shelf_find, &shelf};
    shelf_add(&shelf, "main", "[{{when}}] {{#when}}<{{{when}}}>{{/when}}", MUSTACHE_HTML);
    shelf_add(&shelf, "day", "on {{name}}", MUSTACHE_HTML);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err err = ERR_INIT;
        struct str out = STR_INIT;
        json_t *facts = json_read(slice_of(rows[i].facts), "facts", &err);
        ck_ok(render(shelf.item[0].template, facts, &partials, 1000, &out, &err), err);
        ck_assert_str_eq(out.p, rows[i].want);
        json_decref(facts);
        str_release(&out);
    }
    shelf_release(&shelf);
}
END_TEST

/* What is told by its kind has the words of this kind, whatever else the facts around it hold. */
START_TEST(a_partial_with_a_point_sees_nothing_around_it)
{
    static const char facts[] = "{\"moved\":{\"to\":\"never\"},\"fuel\":9,"
                                "\"news\":[{\"picked\":{\"count\":1}},{\"moved\":{\"to\":\"Solis\"}}]}";
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct shelf shelf = {0};
    struct mustache_partials partials = {shelf_find, &shelf};
    shelf_add(&shelf, "main", "{{#news}}\n  {{>.news}}\n{{/news}}\n{{#news}}[{{>.news}}]{{/news}}",
              MUSTACHE_TEXT);
    shelf_add(&shelf, "news", "{{>events}}", MUSTACHE_TEXT);
    shelf_add(&shelf, "events",
              "{{#moved}}to {{to}}{{#fuel}}, fuel {{fuel}}{{/fuel}};{{/moved}}{{#picked}}{{count}} "
              "picked;{{/picked}}",
              MUSTACHE_TEXT);
    json_t *data = json_read(slice_of(facts), "facts", &err);
    ck_ok(render(shelf.item[0].template, data, &partials, 1000, &out, &err), err);
    ck_assert_str_eq(out.p, "  1 picked;  to Solis;[1 picked;][to Solis;]");
    json_decref(data);
    shelf_release(&shelf);
    str_release(&out);
}
END_TEST

START_TEST(words_of_objects_are_bounded)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct shelf shelf = {0};
    struct mustache_partials partials = {shelf_find, &shelf};
    shelf_add(&shelf, "down", ".{{down}}", MUSTACHE_TEXT);
    json_t *data = chain(100);
    ck_assert_int_eq(render(shelf.item[0].template, data, &partials, 1000, &out, &err), -1);
    ck_assert_str_eq(err.text, "down: partials are nested deeper than 32");
    json_decref(data);
    shelf_release(&shelf);
    str_release(&out);
}
END_TEST

/* Lists within lists that print nothing would otherwise run for ever. */
START_TEST(work_is_bounded)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct str source = STR_INIT;
    for (int i = 0; i < 20; i++)
        str_adds(&source, "{{#l}}");
    for (int i = 0; i < 20; i++)
        str_adds(&source, "{{/l}}");
    ck_assert_int_eq(try_text(&out, source.p, "{\"l\":[1,2,3,4,5,6,7,8]}", MUSTACHE_TEXT, 10, &err), -1);
    ck_assert_str_eq(err.text, "t.txt: the template takes too many steps");
    str_release(&source);
    str_release(&out);
}
END_TEST

START_TEST(same_template_many_times)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct mustache *template;
    json_t *data = json_pack("{s:[i,i,i]}", "l", 1, 2, 3);
    ck_ok(mustache_compile("t", slice_of("{{#l}}{{.}},{{/l}}"), MUSTACHE_TEXT, &template, &err), err);
    for (int i = 0; i < 100; i++) {
        str_clear(&out);
        ck_ok(render(template, data, NULL, SIZE_MAX, &out, &err), err);
        ck_assert_str_eq(out.p, "1,2,3,");
    }
    mustache_free(template);
    json_decref(data);
    str_release(&out);
}
END_TEST

/* ---- random templates ---- */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return *state >> 8;
}

static const char *const pieces[] = {"{{",        "}}",     "{{{",      "}}}",    "{{#",    "{{/",
                                     "{{^",       "{{>",    "{{!",      "{{=",    "=}}",    "{{&",
                                     "a",         "b",      "l",        ".",      "p",      "q",
                                     "\n",        "\r\n",   " ",        "\t",     "x",      "|",
                                     "=",         "{{#l}}", "{{/l}}",   "{{>p}}", "{{a}}",  "{{=| |=}}",
                                     "|={{ }}=|", "{{.}}",  "\xC3\xA4", "\xFF",   "{{#a}}", "{{/a}}",
                                     "  {{>q}}\n"};
#define PIECES (sizeof pieces / sizeof *pieces)

START_TEST(random_templates_never_crash)
{
    struct err json_err = ERR_INIT;
    json_t *data = json_read(
        slice_of(
            "{\"a\":{\"b\":\"<\\u202E\",\"l\":[1,[2],{}]},\"l\":[{\"a\":1},\"x\",null,2.5],\"b\":false}"),
        "data", &json_err);
    ck_assert_ptr_nonnull(data);
    uint32_t state = 20261120U + (uint32_t)_i;
    int compiled = 0;
    for (int round = 0; round < 5000; round++) {
        struct err err = ERR_INIT;
        struct str source = STR_INIT;
        struct str out = STR_INIT;
        struct mustache *template;
        struct shelf shelf = {0};
        struct mustache_partials partials = {shelf_find, &shelf};
        shelf_add(&shelf, "p", "[{{a}}\n{{#l}}\n{{>q}}\n{{/l}}]", MUSTACHE_TEXT);
        shelf_add(&shelf, "q", "<{{.}}>\n", MUSTACHE_HTML);
        for (uint32_t n = next_random(&state) % 12; n; n--)
            str_adds(&source, pieces[next_random(&state) % PIECES]);
        enum mustache_escape escape = round % 2 ? MUSTACHE_HTML : MUSTACHE_TEXT;
        int result = mustache_compile("random", slice_str(&source), escape, &template, &err);
        ck_assert_int_eq(result == 0, err.code == ERR_NONE);
        if (result == 0) {
            compiled++;
            result = render(template, data, &partials, 300, &out, &err);
            ck_assert_int_eq(result == 0, err.code == ERR_NONE);
            ck_assert_uint_le(out.len, 300);
            mustache_free(template);
        }
        shelf_release(&shelf);
        str_release(&source);
        str_release(&out);
    }
    ck_assert_int_gt(compiled, 500); /* else the pieces are a bad mixture */
    json_decref(data);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, specification_is_there);
    tcase_add_loop_test(tc, specification, 0, spec_count());
    tcase_add_test(tc, text_is_safe_for_display);
    tcase_add_test(tc, raw_text_is_untouched);
    tcase_add_test(tc, html_is_escaped_and_safe);
    tcase_add_test(tc, reals_ignore_the_locale);
    tcase_add_test(tc, a_name_may_hold_any_text);
    tcase_add_test(tc, appends_to_what_is_there);
    tcase_add_loop_test(tc, errors_name_template_and_line, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(tc, errors_stay_short_and_safe);
    tcase_add_test(tc, empty_template);
    tcase_add_test(tc, output_is_bounded);
    tcase_add_test(tc, indentation_counts_as_output);
    tcase_add_test(tc, partials_are_bounded);
    tcase_add_test(tc, objects_are_written_by_the_partial_of_their_name);
    tcase_add_test(tc, a_partial_with_a_point_sees_nothing_around_it);
    tcase_add_test(tc, words_of_objects_are_bounded);
    tcase_add_test(tc, sections_are_bounded);
    tcase_add_test(tc, deepest_nesting_fits_the_stack);
    tcase_add_test(tc, work_is_bounded);
    tcase_add_test(tc, same_template_many_times);
    tcase_add_loop_test(tc, random_templates_never_crash, 0, 2);
}
TEST_MAIN_TOGETHER("report/mustache", cases)
