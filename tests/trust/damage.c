/* What mail does to a signed text, and that the text is found all the same: every kind of damage, inline and
 * attached, for every tool and four texts, with LF and with CRLF. A cell that physics forbids is marked with
 * the texts that it loses and the reason: the bytes that were signed are not in the mail any more and cannot
 * be guessed.
 *
 * Transfer encodings (7bit, 8bit, quoted-printable, base64) are undone by the mail room, which hands over the
 * same bytes, with CRLF if the encoding was one for text: they are the rows "nothing" here, and whole mails
 * in tests/intake/transport.c. With MATRIX=1 in the environment the table is printed (tests/trust/matrix.h).
 */
#include "trust/envelope.h"

#include "mangle.h"
#include "matrix.h"
#include "texts.h"
#include "tools.h"

#include "trust/canon.h"

static struct pubkey keys[TOOLS];
static struct str armors[TEXTS][TOOLS];

static void sign_all(void)
{
    tools_begin();
    for (int tool = 0; tool < TOOLS; tool++) {
        tools_key((enum tool)tool, &keys[tool]);
        for (int t = 0; t < TEXTS; t++) {
            str_init(&armors[t][tool]);
            tools_sign((enum tool)tool, slice_of(texts[t]), &armors[t][tool]);
        }
    }
}

static void release_all(void)
{
    for (int tool = 0; tool < TOOLS; tool++)
        for (int t = 0; t < TEXTS; t++)
            str_release(&armors[t][tool]);
    tools_end();
    matrix_end();
}

/* ---- how the mail room shows it ---- */

enum how {
    AS_TEXT,     /* the bytes are UTF-8 and are shown so */
    AS_LATIN1,   /* recoded, and labelled so or not at all: shown as UTF-8 again */
    AS_MOJIBAKE, /* UTF-8 under the label of Latin-1 */
    AS_HTML,     /* shown is what HTML leaves, exact is its source */
    AS_FLOWED,   /* labelled: shown is put together again, flat is not */
    AS_FILE,     /* application/octet-stream: nothing is shown */
    AS_LATIN1_FILE
};

static void from_latin1(struct str *out, struct slice in)
{
    for (size_t i = 0; i < in.len; i++)
        utf8_put(out, (unsigned char)in.p[i]);
}

struct views {
    struct str exact, shown, flat;
};

static void add_lines(struct str *out, struct slice in, bool crlf)
{
    if (crlf)
        replace(out, in, "\n", "\r\n");
    else
        str_addslice(out, in);
}

static void view(struct views *v, enum how how, struct slice sent, struct slice arrived, bool crlf)
{
    struct str lines = STR_INIT;
    add_lines(&lines, arrived, crlf);
    struct slice text = slice_str(&lines);
    *v = (struct views){STR_INIT, STR_INIT, STR_INIT};
    switch (how) {
    case AS_TEXT:
        str_addslice(&v->exact, text);
        str_addslice(&v->shown, text);
        break;
    case AS_LATIN1:
        to_latin1(&v->exact, text);
        str_addslice(&v->shown, text);
        break;
    case AS_MOJIBAKE:
        str_addslice(&v->exact, text);
        from_latin1(&v->shown, text);
        break;
    case AS_HTML:
        to_html(&v->exact, sent);
        str_addslice(&v->shown, text);
        break;
    case AS_FLOWED:
        str_addslice(&v->exact, text);
        add_lines(&v->shown, sent, crlf);
        str_addslice(&v->flat, text);
        break;
    case AS_FILE: str_addslice(&v->exact, text); break;
    case AS_LATIN1_FILE: to_latin1(&v->exact, text); break;
    }
    str_release(&lines);
}

static struct evidence evidence_of(const struct views *v, const char *name)
{
    return (struct evidence){name, slice_str(&v->exact), slice_str(&v->shown), slice_str(&v->flat)};
}

static void views_release(struct views *v)
{
    str_release(&v->exact);
    str_release(&v->shown);
    str_release(&v->flat);
}

/* ---- the cells ---- */

struct damage {
    const char *name;
    void (*apply)(struct str *out, struct slice in);
    enum how how;
    unsigned loses;  /* texts that cannot be found again */
    const char *why; /* the reason */
};

/* The cells of a row; in the short form each text by one tool with LF and by another with CRLF, other ones in the next row. */
#define CELLS (TEXTS * TOOLS * 2)

static bool is_left_out(int row, int n)
{
    return FEW && !getenv("MATRIX") && (n / TEXTS + n % TEXTS + n / (TEXTS * TOOLS) + row) % TOOLS;
}

static const char *reason; /* what went wrong in the last cell */

static bool opens(const struct evidence *parts, size_t count, int t, int tool)
{
    static struct err err;
    struct envelopes found;
    struct str exact = STR_INIT;
    struct str text = STR_INIT;
    struct str want = STR_INIT;
    bool good = false;
    struct work work = WORK_INIT;
    err = (struct err)ERR_INIT;
    reason = err.text;
    if (envelope_find(parts, count, &work, &found, &err))
        return false;
    ck_assert_uint_eq(found.count, 1);
    ck_assert_uint_eq(found.unsigned_frames, 0);
    ck_assert_uint_le(found.list[0].candidate_count, CANDIDATES_MAX);
    if (envelope_open(&found.list[0], &keys[tool], NS_ORDERS, &(struct envelope_text){&exact, &text}, &err) ==
        0) {
        canon_text(&want, slice_of(texts[t]));
        ck_assert_str_eq(exact.p, texts[t]);
        ck_assert_str_eq(text.p, want.p);
        good = true;
    }
    envelope_release(&found.list[0]);
    str_release(&exact);
    str_release(&text);
    str_release(&want);
    return good;
}

static void judge(const struct damage *d, int t, int tool, bool crlf, bool good)
{
    bool lost = d->loses >> t & 1U;
    matrix_cell(t, good);
    ck_assert_msg(good != lost, "%s, text %d, tool %d, %s: %s (%s)", d->name, t, tool, crlf ? "CRLF" : "LF",
                  lost ? "verifies though it is marked as lost" : "does not verify", lost ? d->why : reason);
}

#define MORE "a tab, or blanks at a line's end"

static const struct damage inline_damage[] = {
    {"nothing (any transfer encoding)", nothing, AS_TEXT, 0, ""},
    {"format=flowed, labelled", flowed, AS_FLOWED, 0, ""},
    {"format=flowed, label lost", flowed, AS_TEXT, LOSES_FRAGILE,
     "a long line is two, a line's last blanks say 'flowed'"},
    {"hard wrap at 72", wrapped_72, AS_TEXT, LOSES_FRAGILE, "a long line is two"},
    {"hard cut at 76", cut_76, AS_TEXT, LOSES_FRAGILE, "a long line is two"},
    {"cp1252", nothing, AS_LATIN1, 0, ""},
    {"wrong charset label", nothing, AS_MOJIBAKE, 0, ""},
    {"tabs to blanks", tabs_to_blanks, AS_TEXT, LOSES_FRAGILE, "nobody knows where a tab was"},
    {"NBSP for blank runs", nbsp_runs, AS_TEXT, LOSES_FRAGILE,
     "blanks at a line's end are cut with the NBSP"},
    {"NBSP for all blanks", nbsp_all, AS_TEXT, LOSES_FRAGILE, "blanks at a line's end are cut with the NBSP"},
    {"smart quotes", smart_quotes, AS_TEXT, 0, ""},
    {"smart dashes", smart_dashes, AS_TEXT, 0, ""},
    {"en dashes for two hyphens", en_dashes, AS_TEXT, 0, ""},
    {">From ", from_quoted, AS_TEXT, 0, ""},
    {"HTML only, preformatted", nothing, AS_HTML, 0, ""},
    {"HTML only, paragraphs", paragraphs, AS_HTML, LOSES_WRITTEN | LOSES_EMPTY | LOSES_FRAGILE,
     "indents, runs of blanks and empty lines are gone"},
    {"HTML only, as Outlook writes it", doubled_nbsp, AS_HTML, LOSES_FRAGILE, MORE},
    {"> quoting", quoted, AS_TEXT, 0, ""},
    {"> quoting, blanks cut", quoted_trimmed, AS_TEXT, 0, ""},
    {"> > quoting", quoted_twice, AS_TEXT, 0, ""},
    {"> quoting without a blank", quoted_tightly, AS_TEXT, 0, ""},
    {">> quoting, then wrapped at 72", quoted_wrapped, AS_TEXT, LOSES_FRAGILE, "a long line is two"},
    {"wrapped, then >> quoting", wrapped_quoted, AS_TEXT, LOSES_FRAGILE, "a long line is two"},
    {"indented", indented, AS_TEXT, 0, ""},
    {"mailing-list footer", footer, AS_TEXT, 0, ""},
    {"trailing blanks cut", tails_cut, AS_TEXT, LOSES_FRAGILE, "the blanks at a line's end are gone"},
    {"trailing blanks added", tails_added, AS_TEXT, LOSES_FRAGILE,
     "nobody knows which blanks were there before"},
    {"BOM", with_bom, AS_TEXT, 0, ""},
    {"a phone: quotes, dashes, NBSP, blanks", phone, AS_TEXT, LOSES_FRAGILE, "blanks at a line's end"},
    {"a phone, quoted, list footer", phone_quoted_wrapped, AS_TEXT, LOSES_FRAGILE, "blanks at a line's end"},
    {"an empty line after each line", doubled, AS_TEXT, LOSES_FRAGILE, MORE},
    {"empty lines doubled", empty_doubled, AS_TEXT, LOSES_FRAGILE, MORE},
    {"empty lines, quotes, dashes", doubled_typographic, AS_TEXT, LOSES_FRAGILE, MORE},
    {"empty lines, > quoting", doubled_quoted, AS_TEXT, LOSES_FRAGILE, MORE},
    {"empty lines, indented", doubled_indented, AS_TEXT, LOSES_FRAGILE, MORE},
    {"empty lines, NBSP", doubled_nbsp, AS_TEXT, LOSES_FRAGILE, MORE},
    {"a phone's capitals", capitals, AS_TEXT, LOSES_FRAGILE, MORE},
    {"a phone's capitals, quotes, dashes, NBSP", capitals_typographic, AS_TEXT, LOSES_FRAGILE, MORE},
    {"a capital for each word", capitals_words, AS_TEXT,
     1U << CANONICAL | 1U << LETTERS | LOSES_WRITTEN | 1U << CAPITALS | LOSES_FRAGILE,
     "nobody knows which words had one before"},
    {"a phone's capitals, > quoting", capitals_quoted, AS_TEXT, LOSES_FRAGILE, MORE},
    {"a phone's capitals, empty lines", capitals_doubled, AS_TEXT, LOSES_FRAGILE, MORE},
    {"a phone's capitals, format=flowed", capitals_flowed, AS_TEXT, LOSES_FRAGILE, MORE},
    {"quotes, dashes, > quoting", quoted_typographic, AS_TEXT, 0, ""},
    {"capitals, quotes, dashes, > quoting", quoted_capitals_typographic, AS_TEXT, LOSES_FRAGILE, MORE},
    {"quotes, dashes, format=flowed", flowed_typographic, AS_TEXT, LOSES_FRAGILE, "a long line is two"},
};
#define INLINE ((int)(sizeof inline_damage / sizeof *inline_damage))

START_TEST(inline_texts)
{
    const struct damage *d = &inline_damage[_i];
    for (int n = 0; n < CELLS; n++) {
        if (is_left_out(_i, n))
            continue;
        int t = n % TEXTS;
        int tool = n / TEXTS % TOOLS;
        bool crlf = n >= TEXTS * TOOLS;
        struct str body = STR_INIT;
        struct str arrived = STR_INIT;
        struct views v;
        if (d->apply != with_bom)
            str_adds(&body, "Hello,\n\nthese are my orders.\n\n");
        str_addf(&body, "%s\nI signed them:\n\n%s-- \nJohn\n", texts[t], armors[t][tool].p);
        d->apply(&arrived, slice_str(&body));
        view(&v, d->how, slice_str(&body), slice_str(&arrived), crlf);
        struct evidence part = evidence_of(&v, "");
        judge(d, t, tool, crlf, opens(&part, 1, t, tool));
        views_release(&v);
        str_release(&arrived);
        str_release(&body);
    }
    matrix_row("inline", d->name, text_names, TEXTS, d->why);
}
END_TEST

/* Attached texts are never flowed or wrapped: mail programs leave files alone, but gateways do not. */
static const struct damage attached_damage[] = {
    {"nothing (any transfer encoding), text/plain", nothing, AS_TEXT, 0, ""},
    {"application/octet-stream", nothing, AS_FILE, 0, ""},
    {"trailing blanks cut", tails_cut, AS_TEXT, LOSES_FRAGILE, "the blanks at a line's end are gone"},
    {"trailing blanks cut, octet-stream", tails_cut, AS_FILE, LOSES_FRAGILE,
     "the blanks at a line's end are gone"},
    {"latin1, labelled or not", nothing, AS_LATIN1, 0, ""},
    {"latin1, octet-stream", nothing, AS_LATIN1_FILE, 0, ""},
    {"wrong charset label", nothing, AS_MOJIBAKE, 0, ""},
    {"list footer in the part", footer, AS_TEXT, 0, ""},
    {"list footer in the part, octet-stream", footer, AS_FILE, 0, ""},
    {"extra final blank lines", blank_lines_behind, AS_TEXT, 0, ""},
    {"no last line end", no_last_line_end, AS_FILE, 0, ""},
    {"BOM", with_bom, AS_FILE, 0, ""},
    {">From ", from_quoted, AS_TEXT, 0, ""},
    {"tabs to blanks", tabs_to_blanks, AS_TEXT, LOSES_FRAGILE, "nobody knows where a tab was"},
};
#define ATTACHED ((int)(sizeof attached_damage / sizeof *attached_damage))

START_TEST(attached_texts)
{
    static const char *const names[TOOLS] = {"orders.txt.sig", "orders.txt.minisig", "ATT00001"};
    const struct damage *d = &attached_damage[_i];
    for (int n = 0; n < CELLS; n++) {
        if (is_left_out(_i, n))
            continue;
        int t = n % TEXTS;
        int tool = n / TEXTS % TOOLS;
        bool crlf = n >= TEXTS * TOOLS;
        struct str arrived = STR_INIT;
        struct str armor = STR_INIT;
        struct views v;
        d->apply(&arrived, slice_of(texts[t]));
        view(&v, d->how, slice_of(texts[t]), slice_str(&arrived), crlf);
        add_lines(&armor, slice_str(&armors[t][tool]), crlf);
        struct slice none = {NULL, 0};
        struct slice hello = slice_of("Hello,\nmy orders are attached.\n");
        struct slice foot = slice_of("_____________\nGame mailing list\n");
        const struct evidence parts[] = {
            {"", hello, hello, none},
            evidence_of(&v, "orders.txt"),
            {names[tool], slice_str(&armor), none, none},
            {"", foot, foot, none},
        };
        judge(d, t, tool, crlf, opens(parts, 4, t, tool));
        views_release(&v);
        str_release(&armor);
        str_release(&arrived);
    }
    matrix_row("attached", d->name, text_names, TEXTS, d->why);
}
END_TEST

/* A file with CRLF, signed as it is on Windows, that a mail program sent as text. */
START_TEST(signed_with_crlf)
{
    enum tool tool = (enum tool)_i;
    struct str text = STR_INIT;
    struct str armor = STR_INIT;
    struct str body = STR_INIT;
    add_lines(&text, slice_of(texts[WRITTEN]), true);
    tools_sign(tool, slice_str(&text), &armor);
    str_addf(&body, "Hello\n%s\n%s", texts[WRITTEN], armor.p);
    for (int attached = 0; attached < 2; attached++) {
        struct slice sent = attached ? slice_of(texts[WRITTEN]) : slice_str(&body);
        const struct evidence parts[] = {{"orders.txt", sent, sent, {NULL, 0}},
                                         {"orders.txt.sig", slice_str(&armor), {NULL, 0}, {NULL, 0}}};
        struct envelopes found;
        struct work work = WORK_INIT;
        struct err err = ERR_INIT;
        struct str exact = STR_INIT;
        struct str canon = STR_INIT;
        ck_ok(envelope_find(parts, attached ? 2 : 1, &work, &found, &err), err);
        ck_assert_uint_eq(found.count, 1);
        ck_ok(envelope_open(&found.list[0], &keys[tool], NS_ORDERS, &(struct envelope_text){&exact, &canon},
                            &err),
              err);
        ck_assert_str_eq(exact.p, text.p);
        envelope_release(&found.list[0]);
        str_release(&exact);
        str_release(&canon);
    }
    str_release(&text);
    str_release(&armor);
    str_release(&body);
}
END_TEST

static void cases(TCase *tc)
{
    matrix_begin();
    tcase_add_unchecked_fixture(tc, sign_all, release_all);
    tcase_add_loop_test(tc, inline_texts, 0, INLINE);
    tcase_add_loop_test(tc, attached_texts, 0, ATTACHED);
    tcase_add_loop_test(tc, signed_with_crlf, 0, TOOLS);
}
TEST_MAIN_TOGETHER("trust/damage", cases)
