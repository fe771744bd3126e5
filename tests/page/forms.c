/* forms.json: a form for each text of the table of petitions, with all that is needed to write one. */
#include "orders/frame.h"
#include "page/page_parts.h"
#include "petitions/petition.h"
#include "suite.h"

static json_t *forms;

static void begin(void)
{
    struct err err = ERR_INIT;
    struct templates *templates;
    templates_open(NULL, &templates);
    forms = page_forms(templates, &err);
    ck_assert_msg(forms != NULL, "%s", err.text);
    templates_close(templates);
}

static void end(void)
{
    json_decref(forms);
}

static const json_t *form_at(size_t i)
{
    return json_array_get(json_object_get(forms, "verbs"), i);
}

static const char *text_of(const json_t *form, const char *member)
{
    const char *text = json_string_value(json_object_get(form, member));
    ck_assert_msg(text != NULL, "no %s", member);
    return text;
}

static void says(size_t i, const char *member, unsigned flag)
{
    ck_assert_int_eq(json_is_true(json_object_get(form_at(i), member)), (petitions[i]->needs & flag) != 0);
}

START_TEST(one_for_each_verb)
{
    size_t count = 0;
    for (; petitions[count]; count++) {
        const struct petition *petition = petitions[count];
        const json_t *form = form_at(count), *fields = json_object_get(form, "fields");
        ck_assert_str_eq(text_of(form, "verb"), petition->verb);
        ck_assert_msg(strlen(text_of(form, "help")) > 10, "%s has no words", petition->verb);
        says(count, "turn", PETITION_TURN);
        says(count, "text", PETITION_TEXT);
        says(count, "dated", PETITION_REGISTRY);
        ck_assert_int_eq(strcmp(text_of(form, "about"), "game") == 0, (petition->needs & PETITION_GAME) != 0);
        ck_assert_int_eq(strcmp(text_of(form, "who"), "moderator") == 0,
                         (petition->needs & PETITION_MODERATOR) != 0);
        for (size_t k = 0; petition->fields[k]; k++)
            ck_assert_str_eq(json_string_value(json_array_get(fields, k)), petition->fields[k]);
    }
    ck_assert_uint_eq(json_array_size(json_object_get(forms, "verbs")), count);
}
END_TEST

/* "to: all" begins with a line that the verb takes, or that every text has; others only where there is free text. */
static bool is_known(const struct petition *petition, struct slice line)
{
    static const char *const of_all[] = {"game", "turn", "nonce"};
    size_t colon = slice_find(line, ":");
    struct slice name = slice_sub(line, 0, colon == (size_t)-1 ? 0 : colon);
    for (size_t i = 0; petition->fields[i]; i++)
        if (slice_eq(name, petition->fields[i]))
            return true;
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
        if (slice_eq(name, of_all[i]))
            return true;
    return petition->needs & PETITION_TEXT;
}

START_TEST(lines_are_the_verbs_own)
{
    static const char *const members[] = {"lines", "anywhere"};
    size_t lines = 0;
    for (size_t i = 0; petitions[i]; i++)
        for (size_t k = 0; k < 2; k++) {
            size_t at;
            json_t *line;
            json_array_foreach (json_object_get(form_at(i), members[k]), at, line) {
                const char *text = json_string_value(line);
                ck_assert_msg(is_known(petitions[i], slice_of(text)), "%s: \"%s\"", petitions[i]->verb, text);
                ck_assert(!strchr(text, '|') && !strchr(text, '{'));
                lines++;
            }
        }
    ck_assert_uint_gt(lines, 50);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, one_for_each_verb);
    tcase_add_test(tc, lines_are_the_verbs_own);
}
TEST_MAIN_TOGETHER("page/forms", cases)
