/* What all petitions have in common, tried with the simplest of them. */
#include "house/house.h"

static struct house house;

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
}

static void end(void)
{
    house_close(&house);
}

static bool wants_json(const char *name)
{
    return registry_find(&house.batch.registry, name)->json;
}

START_TEST(a_change_is_made_answered_and_kept)
{
    enum intake_fate fate = house_signed(&house, "anna", "anna", "#turnpost prefs\njson: yes\n#end\n");
    ck_assert_int_eq(fate, INTAKE_PROCESSED);
    ck_assert(wants_json("anna"));
    ck_assert(!wants_json("bob"));
    house_told(&house, NULL, 1, "json      yes");
    house_restart(&house);
    ck_assert(wants_json("anna"));
}
END_TEST

START_TEST(the_same_mail_again_is_silence)
{
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: yes\n#end\n");
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&house.last_raw));
    house_told(&house, NULL, 0, NULL);
}
END_TEST

START_TEST(the_same_text_again_is_not_obeyed)
{
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: yes\n#end\n");
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: no\n#end\n");
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "anna", "#turnpost prefs\njson: yes\n#end\n");
    ck_assert(!wants_json("anna"));
    house_told(&house, "anna", 1, "The very same text was obeyed");
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nseq: 2\njson: yes\n#end\n");
    ck_assert(wants_json("anna"));
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"#turnpost prefs\njson: perhaps\n#end\n", "\"json:\" takes yes or no"},
        {"#turnpost prefs\njsan: yes\n#end\n", "did you mean \"json:\""},
        {"#turnpost prefs\njson: yes\njson: no\n#end\n", "appears twice"},
        {"#turnpost prefs\nplease\n#end\n", "\"please\" does not belong"},
        {"#turnpost prefs\n#end\n", "nothing to change"},
        {"#turnpost perfs\njson: yes\n#end\n", "Did you mean\n\"#turnpost prefs\""},
        {"#turnpost xyzzy\n#end\n", "no text \"#turnpost xyzzy\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)house_signed(&house, "anna", "anna", cases[i].text);
        ck_assert(!wants_json("anna"));
        house_told(&house, "anna", 1, cases[i].words);
    }
}
END_TEST

START_TEST(another_s_same_text_is_another_text)
{
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: yes\n#end\n");
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\njson: yes\n#end\n");
    ck_assert(wants_json("anna"));
    ck_assert(wants_json("bob"));
    house_told(&house, "bob", 1, "json      yes");
}
END_TEST

static void send_signed_as_it_is(const char *quoted)
{
    struct str text = STR_INIT, body = STR_INIT;
    canon_text(&text, slice_of(quoted)); /* as turnpost sign does */
    str_addslice(&body, slice_str(&text));
    sshsig_sign(&body, house_key(&house, "anna")->key, NS_ORDERS, slice_str(&text));
    (void)house_mail(&house, "anna", "a form", body.p);
    str_release(&text);
    str_release(&body);
}

/* Copied from a reply to a reply, that is quoted and wrapped at 72 columns. */
START_TEST(forms_out_of_quoted_mails)
{
    static const char *const names[] = {"anna", "bob"};
    char head[2 * HEAD_BYTES + 1], print[KEY_FINGERPRINT];
    struct str text = STR_INIT;
    house_game(&house, "gc-1", "galaxy-command", 0, 2, names);
    game_answer_head(head, house_find(&house, "gc-1"));
    league_fingerprint(&house.league, print);
    str_addf(&text,
             ">> #turnpost orders\n>> game: gc-1\n>> turn: 1\n>> head:\n%s\n>> seq: 1\n>> bide\n>> #end\n",
             head);
    send_signed_as_it_is(text.p);
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.in);
    str_clear(&text);
    str_addf(&text,
             "> >> #turnpost press\n> >> game: gc-1\n> >> turn: 1\n> >> to: bob\n> >> head:\n> >> %s\n"
             "Hello.\n#end\n",
             head);
    house_empty_spool(&house);
    send_signed_as_it_is(text.p);
    house_told(&house, "bob", 1, "\n| Hello.\n");
    str_clear(&text);
    str_addf(
        &text,
        ">> > #turnpost prefs\n>> > league:\n>> > %s\n>> > date: 2026-11-20\n>> > json: yes\n>> > #end\n",
        print);
    send_signed_as_it_is(text.p);
    ck_assert(wants_json("anna"));
    str_release(&text);
}
END_TEST

START_TEST(two_texts_in_one_mail_are_both_obeyed)
{
    static const char *const texts[] = {"#turnpost prefs\njson: yes\n#end\n",
                                        "#turnpost prefs\nhtml: yes\n#end\n"};
    struct str body = STR_INIT;
    for (int i = 0; i < 2; i++) {
        house_sign(&house, "anna", texts[i], &body);
        str_addc(&body, '\n');
    }
    (void)house_mail(&house, "anna", "two", body.p);
    ck_assert(wants_json("anna"));
    ck_assert(registry_find(&house.batch.registry, "anna")->html);
    str_release(&body);
}
END_TEST

/* It would not fit into a record. */
START_TEST(a_text_that_is_too_long_is_refused)
{
    struct str text = STR_INIT;
    str_adds(&text, "#turnpost prefs\njson: yes\n");
    for (int i = 0; i < 300; i++)
        str_addf(&text, "# %d %0100d\n", i, i);
    str_adds(&text, "#end\n");
    (void)house_signed(&house, "anna", "anna", text.p);
    ck_assert(!wants_json("anna"));
    house_told(&house, "anna", 1, "such texts may have 8192");
    str_release(&text);
}
END_TEST

START_TEST(unsigned_or_with_a_stranger_s_key_it_changes_nothing)
{
    (void)house_person(&house, "mallory");
    (void)house_mail(&house, "anna", "prefs", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "anna", 1, "no signature");
    (void)house_signed(&house, "anna", "mallory", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "anna", 1, "key that the league does not know");
    ck_assert(!wants_json("anna"));
}
END_TEST

/* The record is committed, the process dies before the files are written. */
START_TEST(a_crash_before_the_files_is_made_good)
{
    struct err err = ERR_INIT;
    struct str old = STR_INIT;
    char *path = path_join(house.dir, "players/anna.json");
    char *applied = path_join(house.dir, "registry/applied");
    struct str state = STR_INIT;
    ck_ok(file_read(path, 4096, &old, &err), err);
    ck_ok(file_read(applied, 4096, &state, &err), err);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: yes\n#end\n");
    ck_ok(file_write_soft(path, slice_str(&old), 0600, &err), err);
    ck_ok(file_write_soft(applied, slice_str(&state), 0600, &err), err);
    house_restart(&house);
    ck_assert(wants_json("anna"));
    free(path);
    free(applied);
    str_release(&old);
    str_release(&state);
}
END_TEST

/* A registry's journal that was edited is not obeyed. */
START_TEST(an_edited_journal_is_refused)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct batch batch;
    char *path = path_join(house.dir, "registry/journal.jsonl");
    char *applied = path_join(house.dir, "registry/applied");
    ck_ok(file_read(path, 1 << 20, &text, &err), err);
    char *place = strstr(text.p, "\"player\":\"bob\"");
    ck_assert_ptr_nonnull(place);
    place[strlen("\"player\":\"")] = 'c';
    ck_ok(file_write_soft(path, slice_str(&text), 0600, &err), err);
    ck_ok(file_remove(applied, &err), err);
    ck_assert_int_eq(batch_open(&batch, &house.league, house.now, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    place[0] = 'b';
    err_clear(&err);
    ck_ok(file_write_soft(path, slice_str(&text), 0600, &err), err);
    free(path);
    free(applied);
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_change_is_made_answered_and_kept);
    tcase_add_test(tc, the_same_mail_again_is_silence);
    tcase_add_test(tc, the_same_text_again_is_not_obeyed);
    tcase_add_test(tc, what_is_wrong_is_said);
    tcase_add_test(tc, another_s_same_text_is_another_text);
    tcase_add_test(tc, forms_out_of_quoted_mails);
    tcase_add_test(tc, two_texts_in_one_mail_are_both_obeyed);
    tcase_add_test(tc, a_text_that_is_too_long_is_refused);
    tcase_add_test(tc, unsigned_or_with_a_stranger_s_key_it_changes_nothing);
    tcase_add_test(tc, a_crash_before_the_files_is_made_good);
    tcase_add_test(tc, an_edited_journal_is_refused);
}
TEST_MAIN("petitions/petition", cases)
