/* The transport matrix with whole mails: every kind of damage in every transfer encoding, inline and
 * attached, read by the mail room and opened by the trust room, for every tool. tests/trust/damage.c has the
 * same below the mail room, with more kinds of line ends. With MATRIX=1 in the environment the table is
 * printed. */
#include "mail/message.h"

#include "trust/mangle.h"
#include "trust/texts.h"
#include "trust/tools.h"

#include "base/encode.h"
#include "base/mem.h"
#include "letters/reading.h"
#include "trust/canon.h"
#include "trust/envelope.h"

static struct pubkey keys[TOOLS];
static struct str armors[TEXTS][TOOLS];

static void begin(void)
{
    mail_begin();
    tools_begin();
    for (int tool = 0; tool < TOOLS; tool++) {
        tools_key((enum tool)tool, &keys[tool]);
        for (int t = 0; t < TEXTS; t++) {
            str_init(&armors[t][tool]);
            tools_sign((enum tool)tool, slice_of(texts[t]), &armors[t][tool]);
        }
    }
}

static void end(void)
{
    for (int tool = 0; tool < TOOLS; tool++)
        for (int t = 0; t < TEXTS; t++)
            str_release(&armors[t][tool]);
    tools_end();
    matrix_end();
}

/* ---- transfer encodings ---- */

enum transfer { EIGHT_BIT, QUOTED_PRINTABLE, BASE64, TRANSFERS };
static const char *const transfers[] = {"8bit", "quoted-printable", "base64"};

static void add_crlf(struct str *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\n')
            str_addc(out, '\r');
        str_addc(out, text.p[i]);
    }
}

/* RFC 2045 section 6.7: lines of at most 76 characters, spaces at a line's end in digits. */
static void add_quoted_printable(struct str *out, struct slice text)
{
    size_t column = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool last = i + 1 == text.len || text.p[i + 1] == '\n';
        if (c == '\n') {
            str_adds(out, "\r\n");
            column = 0;
            continue;
        }
        bool digits = c == '=' || c < ' ' || c > '~' || (c == ' ' && last);
        if (column + (digits ? 3 : 1) > (last ? 76 : 75)) {
            str_adds(out, "=\r\n");
            column = 0;
        }
        if (digits)
            str_addf(out, "=%02X", c);
        else
            str_addc(out, (char)c);
        column += digits ? 3 : 1;
    }
}

static void add_base64(struct str *out, struct slice bytes)
{
    struct str code = STR_INIT;
    base64_encode(&code, bytes.p, bytes.len);
    for (struct slice rest = slice_str(&code); rest.len; rest = slice_sub(rest, 76, rest.len))
        str_addf(out, "%.*s\r\n", (int)(rest.len < 76 ? rest.len : 76), rest.p);
    str_release(&code);
}

/* A whole part: its header and its text, which has LF. A file keeps them in base64; a text has CRLF. */
static void add_part(struct str *mail, const char *type, enum transfer transfer, bool file, struct slice text)
{
    struct str lines = STR_INIT;
    str_addf(mail, "Content-Type: %s\r\nContent-Transfer-Encoding: %s\r\n\r\n", type, transfers[transfer]);
    switch (transfer) {
    case EIGHT_BIT: add_crlf(mail, text); break;
    case QUOTED_PRINTABLE: add_quoted_printable(mail, text); break;
    case BASE64:
        if (file)
            str_addslice(&lines, text);
        else
            add_crlf(&lines, text);
        add_base64(mail, slice_str(&lines));
        break;
    case TRANSFERS: ck_abort(); break;
    }
    str_release(&lines);
}

/* ---- the cells ---- */

enum form { INLINE, PAGE /* HTML only */, BOTH /* text and HTML */, ATTACHED };
struct damage {
    enum form form;
    const char *name;
    void (*apply)(struct str *out, struct slice in);
    const char *type;
    bool latin1; /* the bytes are recoded */
    unsigned loses;
    const char *why;
};
#define PLAIN     "text/plain; charset=utf-8"
#define FILE_NAME "; name=orders.txt"
#define LOSES_F   (1U << FRAGILE)
#define LOSES_W   (1U << WRITTEN)
#define LONG_LINE "a long line is two"
#define TAILS     "the blanks at a line's end are gone"
#define FLOWS     "a line's last blanks say that it goes on"
#define TABS      "nobody knows where a tab was"
#define LATIN1    "text/plain; charset=iso-8859-1"
#define CP1252    "text/plain; charset=windows-1252"
#define OCTETS    "application/octet-stream"

/* Outlook's HTML: a paragraph a line, spaces that shall stay as NBSP, and so empty lines. */
static void outlook(struct str *out, struct slice in)
{
    struct slice line;
    struct str kept = STR_INIT, page = STR_INIT;
    nbsp_runs(&kept, in);
    struct slice rest = slice_str(&kept);
    str_adds(out, "<html><body lang=EN-GB><div class=WordSection1>\n");
    while (slice_line(&rest, &line)) {
        str_clear(&page);
        replace(&page, line, "<", "&lt;");
        str_addf(out, "<p class=MsoNormal>%s<o:p></o:p></p>\n", line.len ? page.p : "<o:p>&nbsp;</o:p>");
    }
    str_adds(out, "</div></body></html>\n");
    str_release(&kept);
    str_release(&page);
}

static const struct damage damages[] = {
    {INLINE, "nothing", nothing, PLAIN, false, 0, ""},
    {INLINE, "format=flowed", flowed, PLAIN "; format=flowed", false, LOSES_F, FLOWS},
    {INLINE, "format=flowed, label lost", flowed, PLAIN, false, LOSES_F, LONG_LINE},
    {INLINE, "hard wrap at 72", wrapped_72, PLAIN, false, LOSES_F, LONG_LINE},
    {INLINE, "hard cut at 76", cut_76, PLAIN, false, LOSES_F, LONG_LINE},
    {INLINE, "cp1252", nothing, CP1252, true, 0, ""},
    {INLINE, "cp1252 without a label", nothing, "text/plain", true, 0, ""},
    {INLINE, "cp1252 labelled as UTF-8", nothing, PLAIN, true, 0, ""},
    {INLINE, "UTF-8 labelled as Latin-1", nothing, LATIN1, false, 0, ""},
    {INLINE, "tabs to blanks", tabs_to_blanks, PLAIN, false, LOSES_F, TABS},
    {INLINE, "NBSP for blank runs", nbsp_runs, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "NBSP for all blanks", nbsp_all, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "smart quotes", smart_quotes, PLAIN, false, 0, ""},
    {INLINE, "smart dashes", smart_dashes, PLAIN, false, 0, ""},
    {INLINE, "en dashes", en_dashes, PLAIN, false, 0, ""},
    {INLINE, ">From", from_quoted, PLAIN, false, 0, ""},
    {INLINE, "> quoting", quoted, PLAIN, false, 0, ""},
    {INLINE, "> quoting, blanks cut", quoted_trimmed, PLAIN, false, 0, ""},
    {INLINE, "> > quoting", quoted_twice, PLAIN, false, 0, ""},
    {INLINE, "> quoting without a blank", quoted_tightly, PLAIN, false, 0, ""},
    {INLINE, ">> quoting, then wrapped at 72", quoted_wrapped, PLAIN, false, LOSES_FRAGILE,
     "a long line is two"},
    {INLINE, "wrapped, then >> quoting", wrapped_quoted, PLAIN, false, LOSES_FRAGILE, "a long line is two"},
    {INLINE, "indented", indented, PLAIN, false, 0, ""},
    {INLINE, "mailing-list footer", footer, PLAIN, false, 0, ""},
    {INLINE, "trailing blanks cut", tails_cut, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "trailing blanks added", tails_added, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "a phone", phone, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "a phone, quoted, list footer", phone_quoted_wrapped, PLAIN, false, LOSES_F, TAILS},
    {PAGE, "HTML only, preformatted", nothing, "text/html; charset=utf-8", false, 0, ""},
    {PAGE, "HTML only, paragraphs", paragraphs, "text/html; charset=utf-8", false,
     LOSES_W | LOSES_EMPTY | LOSES_F, "indents, runs of blanks and empty lines are gone"},
    {PAGE, "HTML only, as Outlook writes it", outlook, "text/html; charset=utf-8", false, LOSES_F, TAILS},
    {INLINE, "an empty line after each line", doubled, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "empty lines doubled", empty_doubled, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "empty lines, quotes, dashes", doubled_typographic, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "empty lines, > quoting", doubled_quoted, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "empty lines, indented", doubled_indented, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "empty lines, NBSP", doubled_nbsp, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "empty lines, cp1252", doubled, CP1252, true, LOSES_F, TAILS},
    {INLINE, "a phone's capitals", capitals, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "a phone's capitals, quotes, dashes, NBSP", capitals_typographic, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "a phone's capitals, > quoting", capitals_quoted, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "a phone's capitals, empty lines", capitals_doubled, PLAIN, false, LOSES_F, TAILS},
    {INLINE, "a phone's capitals, format=flowed", capitals_flowed, PLAIN "; format=flowed", false, LOSES_F,
     FLOWS},
    {INLINE, "quotes, dashes, > quoting", quoted_typographic, PLAIN, false, 0, ""},
    {INLINE, "capitals, quotes, dashes, > quoting", quoted_capitals_typographic, PLAIN, false, LOSES_F,
     TAILS},
    {INLINE, "quotes, dashes, format=flowed", flowed_typographic, PLAIN "; format=flowed", false, LOSES_F,
     FLOWS},
    {BOTH, "text and HTML", paragraphs, "text/html; charset=utf-8", false, 0, ""},
    {ATTACHED, "nothing", nothing, PLAIN FILE_NAME, false, 0, ""},
    {ATTACHED, "octet-stream", nothing, OCTETS FILE_NAME, false, 0, ""},
    {ATTACHED, "trailing blanks cut", tails_cut, PLAIN FILE_NAME, false, LOSES_F, TAILS},
    {ATTACHED, "recoded to cp1252", nothing, CP1252 FILE_NAME, true, 0, ""},
    {ATTACHED, "recoded to Latin-1, no label", nothing, "text/plain" FILE_NAME, true, 0, ""},
    {ATTACHED, "recoded to Latin-1, octet-stream", nothing, OCTETS FILE_NAME, true, 0, ""},
    {ATTACHED, "wrong charset label", nothing, LATIN1 FILE_NAME, false, 0, ""},
    {ATTACHED, "list footer in the part", footer, PLAIN FILE_NAME, false, 0, ""},
    {ATTACHED, "extra final blank lines", blank_lines_behind, PLAIN FILE_NAME, false, 0, ""},
    {ATTACHED, "no last line end", no_last_line_end, OCTETS FILE_NAME, false, 0, ""},
    {ATTACHED, "BOM", with_bom, PLAIN FILE_NAME, false, 0, ""},
    {ATTACHED, "format=flowed, labelled", flowed, PLAIN "; format=flowed" FILE_NAME, false, LOSES_F, FLOWS},
};

static void add_page(struct str *page, struct slice text, bool lines)
{
    if (lines) {
        to_html(page, text);
        return;
    }
    str_adds(page, "<html><body><pre>\n");
    for (size_t i = 0; i < text.len; i++)
        str_adds(page, text.p[i] == '>'   ? "&gt;"
                       : text.p[i] == '<' ? "&lt;"
                       : text.p[i] == '&' ? "&amp;"
                                          : (const char[]){text.p[i], '\0'});
    str_adds(page, "</pre></body></html>\n");
}

static void make_mail(struct str *mail, const struct damage *d, enum transfer transfer, int t, int tool)
{
    static const char *const names[TOOLS] = {"orders.txt.sig", "orders.txt.minisig", "ATT00001"};
    struct str body = STR_INIT;
    struct str arrived = STR_INIT;
    struct str bytes = STR_INIT;
    bool attached = d->form == ATTACHED;
    if (attached)
        str_adds(&body, texts[t]);
    else
        str_addf(&body, "Hello,\n\nthese are my orders.\n\n%s\nI signed them:\n\n%s-- \nJohn\n", texts[t],
                 armors[t][tool].p);
    if (d->apply == outlook)
        outlook(&arrived, slice_str(&body));
    else if (d->form == PAGE || d->form == BOTH)
        add_page(&arrived, slice_str(&body), d->apply == paragraphs);
    else
        d->apply(&arrived, slice_str(&body));
    if (d->latin1)
        to_latin1(&bytes, slice_str(&arrived));
    else
        str_addslice(&bytes, slice_str(&arrived));

    str_adds(
        mail,
        "From: alice@example.org\r\nTo: league@example.org\r\nMessage-ID: <a@b>\r\nMIME-Version: 1.0\r\n");
    if (d->form == INLINE || d->form == PAGE) {
        add_part(mail, d->type, transfer, false, slice_str(&bytes));
    } else if (d->form == BOTH) {
        str_adds(mail, "Content-Type: multipart/alternative; boundary=\"=b\"\r\n\r\n--=b\r\n");
        add_part(mail, PLAIN, transfer, false, slice_str(&body));
        str_adds(mail, "\r\n--=b\r\n");
        add_part(mail, d->type, transfer, false, slice_str(&bytes));
        str_adds(mail, "\r\n--=b--\r\n");
    } else {
        struct str type = STR_INIT;
        str_addf(&type, "application/octet-stream; name=%s", names[tool]);
        str_adds(mail, "Content-Type: multipart/mixed; boundary=\"=b\"\r\n\r\n--=b\r\n");
        add_part(mail, PLAIN, EIGHT_BIT, false, slice_of("Hello,\nmy orders are attached.\n"));
        str_adds(mail, "\r\n--=b\r\n");
        add_part(mail, d->type, transfer, slice_starts(slice_of(d->type), OCTETS), slice_str(&bytes));
        str_adds(mail, "\r\n--=b\r\n");
        add_part(mail, type.p, transfer, true, slice_str(&armors[t][tool]));
        str_adds(mail, "\r\n--=b\r\n");
        add_part(mail, PLAIN, EIGHT_BIT, false, slice_of("_____________\nGame mailing list\n"));
        str_adds(mail, "\r\n--=b--\r\n");
        str_release(&type);
    }
    str_release(&body);
    str_release(&arrived);
    str_release(&bytes);
}

static const char *reason; /* what went wrong in the last cell */

/* As intake/intake.c does it. */
static bool opens(struct slice mail, int t, int tool)
{
    static struct err err;
    struct message msg;
    struct envelopes found;
    struct str exact = STR_INIT;
    struct str text = STR_INIT;
    struct str want = STR_INIT;
    bool good = false;
    struct work work = WORK_INIT;
    err = (struct err)ERR_INIT;
    reason = err.text;
    ck_ok(message_parse(mail, &message_limits_default, &(struct message_identity){.loop = "x@y"}, &msg, &err),
          err);
    struct evidence *parts = reading_parts(&msg);
    if (envelope_find(parts, msg.part_count, &work, &found, &err) == 0) {
        ck_assert_uint_eq(found.count, 1);
        good = envelope_open(&found.list[0], &keys[tool], NS_ORDERS, &(struct envelope_text){&exact, &text},
                             &err) == 0;
        envelope_release(&found.list[0]);
    }
    if (good) {
        canon_text(&want, slice_of(texts[t]));
        ck_assert_str_eq(text.p, want.p);
    }
    free(parts);
    message_release(&msg);
    str_release(&exact);
    str_release(&text);
    str_release(&want);
    return good;
}

START_TEST(whole_mails)
{
    static const char *const forms[] = {"inline", "inline", "inline", "attached"};
    const struct damage *d = &damages[_i / TRANSFERS];
    enum transfer transfer = (enum transfer)(_i % TRANSFERS);
    struct str name = STR_INIT;
    for (int n = 0; n < TEXTS * TOOLS; n++) {
        int t = n % TEXTS;
        int tool = n / TEXTS;
        struct str mail = STR_INIT;
        make_mail(&mail, d, transfer, t, tool);
        bool good = opens(slice_str(&mail), t, tool);
        bool lost = d->loses >> t & 1U;
        ck_assert_msg(good != lost, "%s, %s, %s, text %d, tool %d: %s (%s)\n%s", forms[d->form], d->name,
                      transfers[transfer], t, tool,
                      lost ? "verifies though it is marked as lost" : "does not verify",
                      lost ? d->why : reason, mail.p);
        matrix_cell(t, good);
        str_release(&mail);
    }
    str_addf(&name, "%s, %s", d->name, transfers[transfer]);
    matrix_row(forms[d->form], name.p, text_names, TEXTS, d->why);
    str_release(&name);
}
END_TEST

static void cases(TCase *tc)
{
    matrix_begin();
    tcase_add_unchecked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, whole_mails, 0, (int)(sizeof damages / sizeof *damages) * TRANSFERS);
}
TEST_MAIN_TOGETHER("intake/transport", cases)
