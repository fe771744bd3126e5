#include "scratch.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "report/render.h"

static char dir[SCRATCH_PATH];

static void begin(void)
{
    scratch_make(dir, "render");
}

static void end(void)
{
    scratch_remove(dir);
}

static void own(const char *name, const char *text)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s", dir, name);
    *strrchr(path.p, '/') = '\0';
    ck_ok(file_mkdirs(path.p, 0700, &err), err);
    path.p[strlen(path.p)] = '/';
    ck_ok(file_write_soft(path.p, slice_of(text), 0600, &err), err);
    str_release(&path);
}

START_TEST(folder_first_then_common)
{
    struct err err = ERR_INIT;
    struct templates *templates;
    struct str out = STR_INIT;
    json_t *facts = json_pack("{s:s}", "x", "<b>");
    own("common/hello.txt", "Hello {{>who}}\n");
    own("common/who.txt", "all {{x}}");
    own("one/who.txt", "one {{x}}");
    own("common/hello.html", "<p>{{>who}}</p>");
    templates_open(dir, &templates);
    ck_ok(templates_render(templates, &(struct template_name){"one", "hello.txt"}, facts, &out, &err), err);
    ck_assert_str_eq(out.p, "Hello one <b>\n");
    str_clear(&out);
    ck_ok(templates_render(templates, &(struct template_name){"two", "hello.txt"}, facts, &out, &err), err);
    ck_assert_str_eq(out.p, "Hello all <b>\n");
    str_clear(&out);
    /* words that exist only as text serve HTML, escaped */
    ck_ok(templates_render(templates, &(struct template_name){"one", "hello.html"}, facts, &out, &err), err);
    ck_assert_str_eq(out.p, "<p>one &lt;b&gt;</p>");
    json_decref(facts);
    templates_close(templates);
    str_release(&out);
}
END_TEST

START_TEST(errors_name_the_template)
{
    struct err err = ERR_INIT;
    struct templates *templates;
    struct str out = STR_INIT;
    json_t *facts = json_object();
    own("common/bad.txt", "one\n{{#open}}\n");
    own("common/uses.txt", "{{>bad}}");
    templates_open(dir, &templates);
    ck_assert_int_eq(templates_render(templates, &(struct template_name){"", "bad.txt"}, facts, &out, &err),
                     -1);
    ck_assert_ptr_nonnull(strstr(err.text, "common/bad.txt"));
    err_clear(&err);
    templates_close(templates);
    templates_open(dir, &templates);
    ck_assert_int_eq(templates_render(templates, &(struct template_name){"", "uses.txt"}, facts, &out, &err),
                     -1);
    ck_assert_ptr_nonnull(strstr(err.text, "common/bad.txt"));
    err_clear(&err);
    ck_assert_int_eq(
        templates_render(templates, &(struct template_name){"", "nothing.txt"}, facts, &out, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    json_decref(facts);
    templates_close(templates);
    str_release(&out);
}
END_TEST

/* Every built-in answer renders, in 72 columns, for every kind that intake gives. */
START_TEST(built_in_answers)
{
    static const char *const kinds[] = {
        "unsigned",         "nothing",     "bad_block",    "bad_signature", "unknown_key", "bad_frame",
        "refused_petition", "no_game",     "unknown_game", "wrong_seat",    "wrong_key",   "no_turn",
        "old_turn",         "future_turn", "game_over",    "not_awaited",   "old_head",    "unknown_head",
        "lost_head",        "seen_text",   "copied",       "replaced",      "undone",      "copied_petition",
        "lower_seq",        "too_many",    "too_large",    "unreadable"};
    struct templates *templates;
    templates_open(NULL, &templates);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct err err = ERR_INIT;
        struct str out = STR_INIT;
        json_t *facts = json_pack("{s:s,s:s,s:s,s:i,s:s}", "league", "Orion", "league_address", "o@x.test",
                                  "game", "gc-1", "turn", 5, "error", "Something was wrong with it.");
        json_object_set_new(facts, kinds[i], json_true());
        ck_ok(templates_render(templates, &(struct template_name){"", "answers.txt"}, facts, &out, &err),
              err);
        struct slice rest = slice_str(&out);
        struct slice line;
        size_t lines = 0;
        while (slice_line(&rest, &line)) {
            ck_assert_msg(line.len <= 72, "%s: %.*s", kinds[i], (int)line.len, line.p);
            lines += line.len > 0;
        }
        ck_assert_msg(lines >= 1, "%s has no words", kinds[i]);
        json_decref(facts);
        str_release(&out);
    }
    templates_close(templates);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, folder_first_then_common);
    tcase_add_test(tc, errors_name_the_template);
    tcase_add_test(tc, built_in_answers);
}
TEST_MAIN("report/render", cases)
