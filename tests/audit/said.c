/* The audit of what players without keys said by mail: a league that writes it otherwise, and signs its journal
 * again, is found out at that record. */
#include "house/film.h"
#include "house/mailed.h"

static struct house house;
static struct domain domain;
static struct film film;

static void mails(const char *name, const char *text)
{
    const struct mailed mailed = house_says_by_mail(&house, &domain, name, text, true);
    ck_assert_msg(mailed.fate == PETITION_HEARD, "%s: %s", text, mailed.why);
}

static void begin(void)
{
    static const char *const names[] = {"anna", "bob"};
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    house_open(&house);
    domain_open(&domain, 1);
    house_mailer(&house, "anna");
    house_mailer(&house, "carl");
    house_player(&house, "bob");
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .turn_length = 86400,
                                    .missed_robot = 3,
                                    .by_mail = true},
                  names);
    mails("carl", "#turnpost observe\ngame: gc-1\n#end\n");
    mails("anna", "#turnpost press\ngame: gc-1\nturn: 1\nto: bob\nShall we?\n#end\n");
    mails("anna", "#turnpost resign\ngame: gc-1\n#end\n");
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    film_of(&film, slice_str(&journal), house.league.master);
    film.key = house.league.key;
    str_release(&journal);
}

static void end(void)
{
    film_drop(&film);
    domain_close(&domain);
    house_close(&house);
}

/* What is done to a record: a member gets another value, or (of "vouched") one of its own does. */
struct edit {
    const char *record; /* is in its line */
    const char *member, *inner;
    const char *value; /* as JSON; NULL: it is taken out */
    const char *words; /* of the finding */
    bool opened;       /* is found only where the mail may be opened */
};

#define GONE "its members do not go together"

static const struct edit edits[] = {
    {"\"observe\"", "vouched", NULL, NULL, GONE, false},
    {"\"observe\"", "said", NULL, NULL, "nobody has signed what it does", false},
    {"\"observe\"", "signed", NULL, "{}", GONE, false},
    {"\"observe\"", "said", NULL, "\"#turnpost observe\\ngame: gc-1\\n#end \\n\"", "not in canonical form",
     false},
    {"\"observe\"", "said", NULL, "\"#turnpost leave\\ngame: gc-1\\n#end\\n\"", "\"#turnpost leave\"", false},
    {"\"observe\"", "said", NULL, "\"#turnpost observe\\ngame: gc-1\\n#end\\n\"", "whole head", false},
    {"\"observe\"", "player", NULL, "\"bob\"", "somebody else than whom it is about", false},
    {"\"observe\"", "vouched", "key", NULL, "not of the right kind", false},
    {"\"observe\"", "vouched", "domain", "\"example.com\"", "is not signed by that domain", true},
    {"\"observe\"", "vouched", "selector", "\"other\"", "is not signed by that domain", true},
    {"\"resigned\"", "vouched", NULL, NULL, GONE, false},
    {"\"resigned\"", "by", NULL, "\"bob\"", "somebody else than whom it is about", false},
    {"\"press\"", "vouched", NULL, "{}", "which such records do not have", false},
};
#define EDITS ((int)(sizeof edits / sizeof *edits))

static size_t find_record(const char *words)
{
    size_t at = 0;
    while (at < film.records && !strstr(film.line[at], words))
        at++;
    ck_assert_uint_lt(at, film.records);
    return at;
}

static json_t *edited(const char *line, const struct edit *edit)
{
    json_t *json = film_json(line);
    json_t *value = edit->value ? json_loads(edit->value, JSON_DECODE_ANY, NULL) : NULL;
    json_t *of = edit->inner ? json_object_get(json, edit->member) : json;
    const char *name = edit->inner ? edit->inner : edit->member;
    if (value)
        json_object_set_new(of, name, value);
    else
        ck_assert_int_eq(json_object_del(of, name), 0);
    return json;
}

START_TEST(each_edit_is_found)
{
    const struct edit *edit = &edits[_i];
    struct audit_result result;
    film_audit(&film, AUDIT_MODERATOR, 0, true, &result, NULL);
    ck_assert_int_eq(result.verdict, AUDIT_PROVED);
    ck_assert_int_eq(result.counts.mails, 4);
    size_t at = find_record(edit->record);
    film_sign(&film, at, edited(film.line[at], edit));
    for (int opened = edit->opened; opened <= 1; opened++) {
        film_audit(&film, opened ? AUDIT_MODERATOR : AUDIT_PUBLIC, 0, opened, &result, NULL);
        ck_assert_msg(result.verdict == AUDIT_REFUTED && result.first.seq == (int64_t)at + 1,
                      "%s: %d, record %lld", edit->member, (int)result.verdict, (long long)result.first.seq);
        ck_assert_msg(strstr(result.first.text, edit->words), "%s: %s", edit->member, result.first.text);
    }
}
END_TEST

/* The public sees whose word it is, and of a message nothing. */
START_TEST(whose_word_it_is)
{
    struct audit_result result;
    json_t *told = json_array(), *one;
    size_t i;
    int words = 0;
    film_audit(&film, AUDIT_PUBLIC, 0, true, &result, told);
    json_array_foreach (told, i, one)
        words += strstr(json_string_value(json_object_get(one, "text")),
                        "the mail domain example.org vouches") != NULL;
    ck_assert_int_eq(words, 3);
    ck_assert_ptr_null(strstr(film.line[find_record("\"press\"")], "vouched"));
    json_decref(told);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, each_edit_is_found, 0, EDITS);
    tcase_add_test(tc, whose_word_it_is);
}
TEST_MAIN("audit/said", cases)
