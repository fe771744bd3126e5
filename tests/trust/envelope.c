#include "trust/envelope.h"

#include <time.h>

#include "repeat.h"
#include "tools.h"

#include "trust/secret.h"

#define FORM "#turnpost orders\ngame: gc-17\nturn: 6\n\n#end\n"
#define BIG  (FEW ? 250000 : 1000000)

static const struct slice none = {NULL, 0};
static const char old_text[] = "#turnpost orders\ngame: gc-17\nturn: 4\n\nbide\n#end\n";
static const char new_text[] =
    "#turnpost orders\ngame: gc-17\nturn: 5\n\nexplore near or bide\nbuild\n#end\n";
static struct pubkey keys[TOOLS];
static struct str old_armor[TOOLS], new_armor[TOOLS];

static void sign_all(void)
{
    tools_begin();
    for (int tool = 0; tool < TOOLS; tool++) {
        tools_key((enum tool)tool, &keys[tool]);
        str_init(&old_armor[tool]);
        str_init(&new_armor[tool]);
        tools_sign((enum tool)tool, slice_of(old_text), &old_armor[tool]);
        tools_sign((enum tool)tool, slice_of(new_text), &new_armor[tool]);
    }
}

static void release_all(void)
{
    for (int tool = 0; tool < TOOLS; tool++) {
        str_release(&old_armor[tool]);
        str_release(&new_armor[tool]);
    }
    tools_end();
}

static struct evidence text_part(const char *name, const struct str *text)
{
    return (struct evidence){name, slice_str(text), slice_str(text), none};
}

/* Finds, expects `count` envelopes and `naked` unsigned texts; envelope i opens with keys[tools[i]] to
 * texts[i]. */
static void expect(const struct evidence *parts, size_t part_count, size_t count, const int *tools,
                   const char *const *texts, size_t naked)
{
    struct envelopes found;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    struct str exact = STR_INIT;
    struct str text = STR_INIT;
    ck_ok(envelope_find(parts, part_count, &work, &found, &err), err);
    ck_assert_uint_eq(found.count, count);
    ck_assert_uint_eq(found.unsigned_frames, naked);
    for (size_t i = 0; i < found.count; i++) {
        ck_ok(envelope_open(&found.list[i], &keys[tools[i]], NS_ORDERS,
                            &(struct envelope_text){&exact, &text}, &err),
              err);
        ck_assert_str_eq(exact.p, texts[i]);
        envelope_release(&found.list[i]);
        ck_assert_ptr_null(found.list[i].candidates);
    }
    str_release(&exact);
    str_release(&text);
}

static void expect_one(const struct evidence *parts, size_t part_count, int tool, size_t naked)
{
    const char *const texts[] = {new_text};
    expect(parts, part_count, 1, &tool, texts, naked);
}

static void quote(struct str *out, const char *text)
{
    struct slice rest = slice_of(text);
    struct slice line;
    while (slice_line(&rest, &line))
        str_addf(out, "> %.*s\n", (int)line.len, line.p);
}

START_TEST(a_quoted_old_one_and_a_new_one)
{
    for (int old = 0; old < TOOLS; old++) {
        for (int new = 0; new < TOOLS; new ++) {
            struct str body = STR_INIT;
            const int tools[] = {new, old, new};
            const char *const texts[] = {new_text, old_text, new_text};
            str_addf(&body, "%s%s\nJohn wrote:\n", new_text, new_armor[new].p);
            quote(&body, old_text);
            quote(&body, old_armor[old].p);
            struct evidence part = text_part("", &body);
            expect(&part, 1, 2, tools, texts, 0);
            str_clear(&body); /* answered below */
            quote(&body, old_text);
            quote(&body, old_armor[old].p);
            str_addf(&body, "\nand now:\n%s\n%s", new_text, new_armor[new].p);
            part = text_part("", &body);
            expect(&part, 1, 2, tools + 1, texts + 1, 0);
            str_release(&body);
        }
    }
}
END_TEST

/* An old and a new key over one text, as a change of keys needs it; also the same signature twice is one. */
START_TEST(two_signatures_of_one_text)
{
    struct str body = STR_INIT;
    const int tools[] = {TOOL_SSH, TOOL_MINISIGN, TOOL_SIGNIFY};
    const char *const texts[] = {new_text, new_text, new_text};
    str_addf(&body, "%s%s%s%s%s", new_text, new_armor[0].p, new_armor[1].p, new_armor[2].p, new_armor[0].p);
    struct evidence part = text_part("", &body);
    expect(&part, 1, 3, tools, texts, 0);
    const struct evidence files[] = {
        {"orders.txt", slice_of(new_text), none, none},
        {"orders.txt.sig", slice_str(&new_armor[0]), none, none},
        {"orders.txt.minisig", slice_str(&new_armor[1]), slice_str(&new_armor[1]), none},
    };
    expect(files, 3, 2, tools, texts, 0);
    str_release(&body);
}
END_TEST

START_TEST(text_and_html_are_one)
{
    for (int tool = 0; tool < TOOLS; tool++) {
        struct str plain = STR_INIT;
        struct str html = STR_INIT;
        str_addf(&plain, "Hi\n\n%s\n%s", new_text, new_armor[tool].p);
        struct slice rest = slice_str(&plain);
        struct slice line;
        while (slice_line(&rest, &line))
            str_addf(&html, "%.*s<br>\n", (int)line.len, line.p);
        const struct evidence parts[] = {text_part("", &plain),
                                         {"", slice_str(&html), slice_str(&plain), none}};
        expect_one(parts, 2, tool, 0);
        expect_one(parts + 1, 1, tool, 0);
        str_release(&plain);
        str_release(&html);
    }
}
END_TEST

/* A reply to a report: its order form and the league's proof are quoted in it. */
START_TEST(quoted_reports_do_not_disturb)
{
    struct str body = STR_INIT;
    struct str head = STR_INIT;
    str_adds(&head, "-----BEGIN TURNPOST PROOF-----\ndHVybiBnYy0yIDcg\n"
                    "RWQ4ZTBhYjZmMzg3YjgyZDRkNWJjNjA3YTQ5OGEyOWU5NmI1MTRjZmVmYzRjMWU0\n" /* not of signify */
                    "RUQ4ZTBhYjZmMzg3YjgyZDRkNWJjNjA3YTQ5OGEyOWU5NmI1MTRjZmVmYzRjMWU0\n"
                    "-----END TURNPOST PROOF-----\n");
    for (int tool = 0; tool < TOOLS; tool++) {
        str_clear(&body); /* above the quote */
        str_addf(&body, "%s\n%s\nThe league wrote:\n", new_text, new_armor[tool].p);
        quote(&body, FORM);
        quote(&body, head.p);
        struct evidence part = text_part("", &body);
        expect_one(&part, 1, tool, 1);
        str_clear(&body); /* the signature below the quote */
        str_addf(&body, "%s\nThe league wrote:\n", new_text);
        quote(&body, FORM);
        str_addf(&body, "\n%s", new_armor[tool].p);
        part = text_part("", &body);
        expect_one(&part, 1, tool, 0);
        str_clear(&body); /* the signature attached */
        str_addf(&body, "%s\nThe league wrote:\n", new_text);
        quote(&body, FORM);
        quote(&body, head.p);
        const struct evidence parts[] = {text_part("", &body),
                                         {"x", slice_str(&new_armor[tool]), none, none}};
        expect_one(parts, 2, tool, 0);
        str_clear(&body); /* text and signature attached */
        str_adds(&body, "See the files.\n");
        quote(&body, FORM);
        const struct evidence files[] = {text_part("", &body),
                                         {"", slice_of(new_text), none, none},
                                         {"", slice_str(&new_armor[tool]), none, none}};
        expect_one(files, 3, tool, 0);
    }
    struct evidence only = text_part("", &head);
    struct envelopes found;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    ck_ok(envelope_find(&only, 1, &work, &found, &err), err);
    ck_assert_uint_eq(found.count, 0);
    str_release(&head);
    str_release(&body);
}
END_TEST

START_TEST(signature_parts_find_their_text)
{
    for (int tool = 0; tool < TOOLS; tool++) {
        struct slice sig = slice_str(&new_armor[tool]);
        struct slice text = slice_of(new_text);
        struct slice other = slice_of(old_text);
        struct slice hello = slice_of("Hello\n");
        const struct evidence by_name[] = {{"orders.txt", text, text, none},
                                           {"old.txt", other, other, none},
                                           {"Orders.TXT.sig", sig, none, none}};
        expect_one(by_name, 3, tool, 1);
        const struct evidence before[] = {
            {"old.txt", other, other, none}, {"new", text, none, none}, {"sig", sig, none, none}};
        expect_one(before, 3, tool, 0);
        const struct evidence reversed[] = {
            {"", hello, hello, none}, {"sig", sig, sig, none}, {"x", text, text, none}};
        expect_one(reversed, 3, tool, 0);
        struct str body = STR_INIT; /* pasted in front of the attached text */
        str_addf(&body, "Hello\n%s\nbye\n", new_armor[tool].p);
        const struct evidence pasted[] = {text_part("", &body), {"orders.txt", text, text, none}};
        expect_one(pasted, 2, tool, 0);
        str_release(&body);
    }
}
END_TEST

/* Without "#end", without "#turnpost": the signature still says whose text it is, and the reader of orders
 * says what is missing. */
START_TEST(texts_without_their_marks)
{
    static const char *const texts[] = {"#turnpost orders\ngame: gc-17\nbide\n", "bide please\n"};
    for (int tool = 0; tool < TOOLS; tool++) {
        for (int i = 0; i < 2; i++) {
            struct str armor = STR_INIT;
            struct str body = STR_INIT;
            tools_sign((enum tool)tool, slice_of(texts[i]), &armor);
            const struct evidence files[] = {{"orders.txt", slice_of(texts[i]), slice_of(texts[i]), none},
                                             {"orders.txt.sig", slice_str(&armor), none, none}};
            expect(files, 2, 1, &tool, &texts[i], 0);
            str_addf(&body, "%s\n%s", texts[i], armor.p);
            struct evidence part = text_part("", &body);
            if (i == 0)
                expect(&part, 1, 1, &tool, &texts[i], 0);
            str_release(&armor);
            str_release(&body);
        }
    }
}
END_TEST

static void refuses(const char *text, const char *words, size_t naked)
{
    struct envelopes found;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    struct evidence part = {"", slice_of(text), slice_of(text), none};
    ck_assert_int_eq(envelope_find(&part, 1, &work, &found, &err), -1);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_uint_eq(found.count, 0);
    ck_assert_uint_eq(found.unsigned_frames, naked);
    ck_assert_msg(strstr(err.text, words) != NULL, "\"%s\" lacks \"%s\"", err.text, words);
}

START_TEST(broken_signatures_are_explained)
{
    struct str body = STR_INIT;
    str_addf(&body, "%s%s", new_text, new_armor[TOOL_SSH].p);
    str_cut(&body, body.len - 120);
    refuses(body.p, "cut or damaged", 1);
    str_clear(&body);
    str_addf(&body, "%s%s", new_text, new_armor[TOOL_SIGNIFY].p);
    str_cut(&body, body.len - 20);
    refuses(body.p, "cut or damaged", 1);
    str_clear(&body);
    str_addf(&body, "%suntrusted comment: signature\n\nbye\n", new_text);
    refuses(body.p, "missing or damaged", 1);
    str_clear(&body);
    str_addf(&body, "%s-----BEGIN PGP SIGNATURE-----\n\niQ\n", new_text);
    refuses(body.p, "PGP", 1);
    refuses(new_armor[0].p, "no text", 0);
    tools_write("t", slice_of(new_text));
    tools_run(
        "rm -f rsa* t.sig; ssh-keygen -q -t rsa -b 1024 -N '' -f rsa; ssh-keygen -q -Y sign -n " NS_ORDERS
        " -f rsa t");
    tools_run("cat t t.sig > both");
    tools_read("both", &body);
    refuses(body.p, "RSA", 1);
    /* A good one beside a broken one: the good one counts, the other is an unsigned text. */
    str_addf(&body, "%s%s", old_text, old_armor[1].p);
    struct evidence part = text_part("", &body);
    const int tool = 1;
    const char *const texts[] = {old_text};
    expect(&part, 1, 1, &tool, texts, 1);
    str_release(&body);
}
END_TEST

START_TEST(unsigned_texts_are_counted_once)
{
    struct str body = STR_INIT;
    struct envelopes found;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    str_addf(&body, "%s\nand\n%s\n%s", new_text, old_text, new_text);
    quote(&body, new_text);
    const struct evidence parts[] = {text_part("", &body), text_part("copy", &body)};
    ck_ok(envelope_find(parts, 2, &work, &found, &err), err);
    ck_assert_uint_eq(found.count, 0);
    ck_assert_uint_eq(found.unsigned_frames, 2);
    ck_ok(envelope_find(parts, 0, &work, &found, &err), err);
    ck_assert_uint_eq(found.count + found.unsigned_frames, 0);
    struct slice lone = slice_of("see #turnpost orders\n#turnposts\n #end\n");
    const struct evidence nothing = {"", lone, lone, none};
    ck_ok(envelope_find(&nothing, 1, &work, &found, &err), err);
    ck_assert_uint_eq(found.count + found.unsigned_frames, 0);
    str_release(&body);
}
END_TEST

START_TEST(wrong_key_or_namespace)
{
    struct str body = STR_INIT;
    struct str exact = STR_INIT;
    struct str text = STR_INIT;
    struct envelopes found;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    str_addf(&body, "%s%s", new_text, new_armor[0].p);
    struct evidence part = text_part("", &body);
    ck_ok(envelope_find(&part, 1, &work, &found, &err), err);
    ck_assert_int_eq(
        envelope_open(&found.list[0], &keys[1], NS_ORDERS, &(struct envelope_text){&exact, &text}, &err), -1);
    ck_assert_msg(strstr(err.text, "another key") != NULL, "%s", err.text);
    err_clear(&err);
    ck_assert_int_eq(
        envelope_open(&found.list[0], &keys[0], NS_KEY, &(struct envelope_text){&exact, &text}, &err), -1);
    ck_assert_msg(strstr(err.text, NS_KEY) != NULL, "%s", err.text);
    ck_assert_uint_eq(exact.len + text.len, 0);
    envelope_release(&found.list[0]);
    str_release(&body);
}
END_TEST

/* What was tried ahead with the key that the signature names is no more than that key's word. */
START_TEST(what_is_foreseen)
{
    for (int tool = 0; tool < TOOLS; tool++) {
        struct str body = STR_INIT, exact = STR_INIT, text = STR_INIT;
        struct envelopes found;
        struct work work = WORK_INIT;
        struct err err = ERR_INIT;
        str_addf(&body, "> %s%s", new_text, new_armor[tool].p);
        const struct evidence part = {"", slice_str(&body), slice_str(&body), none};
        ck_ok(envelope_find(&part, 1, &work, &found, &err), err);
        envelope_foresee(&found.list[0]);
        ck_assert_uint_eq(found.list[0].good != 0, tool == TOOL_SSH); /* the others do not name their keys */
        ck_ok(envelope_open(&found.list[0], &keys[tool], NS_ORDERS, &(struct envelope_text){&exact, &text},
                            &err),
              err);
        ck_assert_str_eq(exact.p, new_text);
        for (int other = 0; other < TOOLS; other++)
            if (other != tool)
                ck_assert_int_eq(envelope_open(&found.list[0], &keys[other], NS_ORDERS,
                                               &(struct envelope_text){&exact, &text}, &err),
                                 -1);
        err_clear(&err);
        if (tool == TOOL_SSH) /* the others have no namespaces */
            ck_assert_int_eq(envelope_open(&found.list[0], &keys[tool], NS_KEY,
                                           &(struct envelope_text){&exact, &text}, &err),
                             -1);
        ck_assert_uint_eq(envelope_candidate(&found.list[0], CANDIDATES_MAX).len, 0);
        envelope_release(&found.list[0]);
        str_release(&body);
        str_release(&exact);
        str_release(&text);
    }
}
END_TEST

START_TEST(a_changed_text_is_not_foreseen)
{
    struct str body = STR_INIT, exact = STR_INIT, text = STR_INIT;
    struct envelopes found;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    str_addf(&body, "%s%s", new_text, new_armor[TOOL_SSH].p);
    body.p[slice_find(slice_str(&body), "near")] = 'f';
    const struct evidence part = {"", slice_str(&body), slice_str(&body), none};
    ck_ok(envelope_find(&part, 1, &work, &found, &err), err);
    envelope_foresee(&found.list[0]);
    ck_assert_uint_eq(found.list[0].good, 0);
    ck_assert_int_eq(envelope_open(&found.list[0], &keys[TOOL_SSH], NS_ORDERS,
                                   &(struct envelope_text){&exact, &text}, &err),
                     -1);
    envelope_release(&found.list[0]);
    str_release(&body);
    str_release(&exact);
    str_release(&text);
}
END_TEST

START_TEST(only_utf8_is_taken)
{
    static const char latin1[] = "#turnpost orders\nsay caf\xE9\n#end\n";
    static const char with_nul[] = "#turnpost orders\nsay \0\n#end\n";
    const struct slice bad[] = {{latin1, sizeof latin1 - 1}, {with_nul, sizeof with_nul - 1}};
    for (int i = 0; i < 2; i++) {
        struct str armor = STR_INIT;
        struct str exact = STR_INIT;
        struct str text = STR_INIT;
        struct envelopes found;
        struct work work = WORK_INIT;
        struct err err = ERR_INIT;
        tools_sign(TOOL_SSH, bad[i], &armor);
        const struct evidence parts[] = {{"a", bad[i], none, none}, {"a.sig", slice_str(&armor), none, none}};
        ck_ok(envelope_find(parts, 2, &work, &found, &err), err);
        ck_assert_int_eq(
            envelope_open(&found.list[0], &keys[0], NS_ORDERS, &(struct envelope_text){&exact, &text}, &err),
            -1);
        ck_assert_msg(strstr(err.text, "not UTF-8") != NULL, "%s", err.text);
        envelope_release(&found.list[0]);
        str_release(&armor);
        str_release(&exact);
        str_release(&text);
    }
}
END_TEST

/* Every byte of a mail changed in turn, in text, signature and around them: what opens is what was signed. In the short form
 * every sixth byte by each bit, from another one for each, so that all are changed and the greeting is by every bit. */
START_TEST(changed_mails)
{
    int tool = _i % TOOLS;
    int bit = _i / TOOLS;
    struct str body = STR_INIT;
    size_t opened = 0;
    str_addf(&body, "Hello\n%s\n%s\nbye\n", new_text, new_armor[tool].p);
    for (size_t at = FEW ? (size_t)bit % 6 : 0; at < body.len; at += FEW ? 6 : 1) {
        struct envelopes found;
        struct work work = WORK_INIT;
        struct err err = ERR_INIT;
        struct str exact = STR_INIT;
        struct str text = STR_INIT;
        body.p[at] = (char)(body.p[at] ^ (1 << bit));
        struct evidence part = text_part("", &body);
        if (envelope_find(&part, 1, &work, &found, &err) == 0) {
            for (size_t e = 0; e < found.count; e++) {
                err_clear(&err);
                if (envelope_open(&found.list[e], &keys[tool], NS_ORDERS,
                                  &(struct envelope_text){&exact, &text}, &err) == 0) {
                    ck_assert_str_eq(exact.p, new_text);
                    opened++;
                }
                envelope_release(&found.list[e]);
            }
        }
        str_release(&exact);
        str_release(&text);
        body.p[at] = (char)(body.p[at] ^ (1 << bit));
    }
    ck_assert_uint_gt(opened, 0); /* the greeting was changed too */
    ck_assert_uint_lt(opened, body.len);
    str_release(&body);
}
END_TEST

START_TEST(at_most_eight)
{
    struct str body = STR_INIT;
    struct envelopes found;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    struct secret player;
    secret_new(&player);
    for (int i = 0; i < 20; i++) {
        struct str text = STR_INIT;
        str_addf(&text, "#turnpost orders\nturn: %d\n#end\n", i);
        str_addslice(&body, slice_str(&text));
        sshsig_sign(&body, player.key, NS_ORDERS, slice_str(&text));
        str_release(&text);
    }
    struct evidence part = text_part("", &body);
    ck_ok(envelope_find(&part, 1, &work, &found, &err), err);
    ck_assert_uint_eq(found.count, ENVELOPES_MAX);
    for (size_t i = 0; i < found.count; i++)
        envelope_release(&found.list[i]);
    str_release(&body);
}
END_TEST

/* A million bytes, or a quarter of that, of what costs most. Linear work takes a fraction of a second, also under the
 * sanitizers; what is quadratic takes more than ten times the limit. */
START_TEST(hostile_sizes)
{
    static const char *const bits[] = {
        "#turnpost\n",
        "#turnpost\n#end\n",
        "RWQ\n",
        "RUQAAAAAAAAAAAAAAAAAAAAAAAAA                      \n",
        "-BEGIN SSH SIGNATURE-\n",
        "-BEGIN SSH SIGNATURE-A",
        ">",
        " ",
        "\n",
        "\xC2\xA0",
        "A",
        "untrusted comment:\n",
        "- ",
        "\xE2\x80\x94",
        "\xFF",
        "#turnpost\nx: y\n>From \xE2\x80\x94 'x'  \n",
    };
    struct str text = STR_INIT;
    struct envelopes found;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    repeat_until(&text, bits[_i], BIG);
    str_adds(&text, new_armor[_i % TOOLS].p);
    const struct evidence parts[] = {text_part("a", &text), text_part("b", &text)};
    clock_t start = clock();
    if (envelope_find(parts, 2, &work, &found, &err) == 0)
        for (size_t i = 0; i < found.count; i++)
            envelope_release(&found.list[i]);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < (FEW ? 1 : 10) * (SLOWER > 1 ? 5 : 1), "pattern %d took %.1f s", _i, seconds);
    str_release(&text);
}
END_TEST

START_TEST(long_texts)
{
    struct str text = STR_INIT;
    struct str armor = STR_INIT;
    struct str body = STR_INIT;
    str_adds(&text, "#turnpost orders\n");
    while (text.len < ENVELOPE_TEXT_MAX - 10)
        str_adds(&text, "bide\n");
    str_adds(&text, "#end\n");
    tools_sign(TOOL_SSH, slice_str(&text), &armor);
    str_addf(&body, "%s%s", text.p, armor.p);
    struct evidence part = text_part("", &body);
    const int tool = TOOL_SSH;
    const char *const texts[] = {text.p};
    expect(&part, 1, 1, &tool, texts, 0);
    str_cut(&text, text.len - 5);
    str_adds(&text, "bide\nbide\n#end\n");
    tools_sign(TOOL_SSH, slice_str(&text), &armor);
    str_clear(&body);
    str_addf(&body, "%s%s", text.p, armor.p);
    refuses(body.p, "longer than", 0);
    str_release(&text);
    str_release(&armor);
    str_release(&body);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, sign_all, release_all);
    tcase_add_test(tc, a_quoted_old_one_and_a_new_one);
    tcase_add_test(tc, two_signatures_of_one_text);
    tcase_add_test(tc, text_and_html_are_one);
    tcase_add_test(tc, quoted_reports_do_not_disturb);
    tcase_add_test(tc, signature_parts_find_their_text);
    tcase_add_test(tc, texts_without_their_marks);
    tcase_add_test(tc, broken_signatures_are_explained);
    tcase_add_test(tc, unsigned_texts_are_counted_once);
    tcase_add_test(tc, wrong_key_or_namespace);
    tcase_add_test(tc, what_is_foreseen);
    tcase_add_test(tc, a_changed_text_is_not_foreseen);
    tcase_add_test(tc, only_utf8_is_taken);
    tcase_add_loop_test(tc, changed_mails, 0, 8 * TOOLS);
    tcase_add_test(tc, at_most_eight);
    tcase_add_loop_test(tc, hostile_sizes, 0, 16);
    tcase_add_test(tc, long_texts);
}
TEST_MAIN_TOGETHER("trust/envelope", cases)
