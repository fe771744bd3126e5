/* Signature formats: wherever each has to be told of, it is. */
#include "trust/format.h"

#include "base/file.h"
#include "suite.h"

static void holds(const char *path, const char *front, const char *words, const char *after)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT, wanted = STR_INIT;
    str_addf(&wanted, "%s%s%s", front, words, after);
    ck_ok(file_read(path, 1 << 20, &text, &err), err);
    ck_assert_msg(slice_find(slice_str(&text), wanted.p) != (size_t)-1, "%s has no %s", path, wanted.p);
    str_release(&text);
    str_release(&wanted);
}

/* The commands that sign with such a key; how to make one, where they are offered. */
START_TEST(its_commands)
{
    const struct key_format *format = key_format((enum key_kind)_i);
    holds("templates/common/sign.txt", "{{#", format->commands, "}}");
    holds("templates/common/sign_orders.txt", "{{#", format->commands, "}}");
    if (format->offered)
        holds("templates/common/tools.txt", "{{#", format->commands, "}}");
}
END_TEST

START_TEST(the_pages_and_the_other_verifiers)
{
    const struct key_format *format = key_format((enum key_kind)_i);
    const char *blank = format->form ? " " : "", *form = format->form ? format->form : "";
    char line[160], name[160];
    (void)snprintf(line, sizeof line, "%s BASE64%s%s", format->word, blank, form);
    const char *quote = strchr(format->word, '-') ? "\"" : ""; /* in JavaScript only where it must be */
    (void)snprintf(name, sizeof name, "%s%s%s%s%s: ", quote, format->word, blank, form, quote);
    holds("src/journal/README.md", "\n    ", line, " ");
    holds("templates/site/check/forms.js", "\n  ", name, "");
    holds("tests/verifier/forms.py", "\"", format->word, "\"");
    holds("tests/verifier/forms.py", blank, form, "\"");
    holds("keys/README.md", "\n    ", format->word, " ");
    holds("keys/README.md", "", form, "");
}
END_TEST

/* A key as we write it is known where it is pasted, and named to whoever sends none. */
START_TEST(its_first_word)
{
    struct err err = ERR_INIT;
    struct pubkey none, key = {.kind = (enum key_kind)_i};
    struct slice nonsense = slice_of("none of them\n");
    struct str line = STR_INIT;
    bool found;
    pubkey_format(&line, &key);
    ck_assert_msg(pubkey_begins(slice_str(&line)), "%s", line.p);
    ck_assert_int_eq(pubkey_next(&nonsense, &none, &found, &err), -1);
    ck_assert_msg(strstr(err.text, key_format(key.kind)->word), "not in \"%s\"", err.text);
    str_release(&line);
}
END_TEST

static void cases(TCase *tc)
{
    int kinds = 0;
    while (key_kind_known(kinds))
        kinds++;
    tcase_add_loop_test(tc, its_commands, 0, kinds);
    tcase_add_loop_test(tc, the_pages_and_the_other_verifiers, 0, kinds);
    tcase_add_loop_test(tc, its_first_word, 0, kinds);
}
TEST_MAIN_TOGETHER("trust/format", cases)
