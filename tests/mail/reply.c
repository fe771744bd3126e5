/* The cutter: replies of real mail programs, what others may have put into the quote, and what an unsigned field
 * could make of a body. */
#include "mails.h"
#include "replies.h"

#include "base/embed.h"
#include "mail/reply.h"

#define NONCE    "k3v7q2m5xwtrabcd"
#define OTHER    "aaaabbbbccccdddd"
#define BOUNDARY "#-" NONCE "-# Reply above this line.\n"
#define CLOSING  "-#" NONCE "#-\n"

/* Armour of OpenPGP. */
#define ARMOUR    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n"
#define SIGNATURE "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"

static const char *const fates[] = {"typed", "held", "hidden", "ambiguous", "unreadable"};

static struct reply cut(const struct reply_mail *mail)
{
    struct reply reply;
    struct err err = ERR_INIT;
    ck_ok(reply_cut(REPLY_VERSION, mail, slice_of(NONCE), &reply, &err), err);
    return reply;
}

/* Both fields signed, or neither. */
static struct reply cut_body(const char *type, const char *encoding, const char *body, bool is_signed)
{
    return cut(&(struct reply_mail){slice_of(type), slice_of(encoding), is_signed, is_signed, false,
                                    slice_of(body)});
}

static void expect_below(struct reply reply, const char *about, const char *fate, const char *typed,
                         const char *below)
{
    ck_assert_msg(strcmp(fates[reply.fate], fate) == 0, "%s: %s, want %s; typed \"%s\"", about,
                  fates[reply.fate], fate, reply.typed.p);
    ck_assert_msg(strcmp(reply.typed.p, typed) == 0, "%s: typed \"%s\", want \"%s\"", about, reply.typed.p,
                  typed);
    ck_assert_msg(strcmp(reply.below.p, below) == 0, "%s: below \"%s\", want \"%s\"", about, reply.below.p,
                  below);
    reply_release(&reply);
}

/* Whatever is below. */
static void expect(struct reply reply, const char *about, const char *fate, const char *typed)
{
    str_clear(&reply.below);
    expect_below(reply, about, fate, typed, "");
}

/* ---- real mail programs ---- */

static bool names_field(const json_t *want, const char *field)
{
    const json_t *list = json_object_get(want, "signed");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), field) == 0)
            return true;
    return false;
}

static void see_mail(const char *name, struct slice raw, const json_t *want)
{
    struct reply_mail mail;
    struct str typed = STR_INIT, below = STR_INIT;
    struct parsed p = mail_read(raw);
    ck_assert_int_eq(p.msg.kind, strcmp(replies_text(want, "kind"), "auto") == 0 ? MAIL_AUTO : MAIL_PERSON);
    mail_free(&p);
    replies_lines(&typed, want, "typed");
    replies_lines(&below, want, "below");
    reply_fields(raw, &mail);
    const char *fate = replies_text(want, "unsigned");
    expect(cut(&mail), name, fate, strcmp(fate, "ambiguous") == 0 ? "" : typed.p);
    mail.type_signed = names_field(want, "type");
    mail.encoding_signed = names_field(want, "encoding");
    expect_below(cut(&mail), name, replies_text(want, "fate"), typed.p, below.p);
    mail.type_signed = mail.encoding_signed = true;
    expect_below(cut(&mail), name, replies_text(want, "fate"), typed.p, below.p);
    str_release(&typed);
    str_release(&below);
}

START_TEST(reads_replies_of_real_programs)
{
    replies_each(see_mail);
}
END_TEST

/* The same mail under other fields: all but the two, then these as well while they are not signed. */
static void see_other_fields(const char *name, struct slice raw, const json_t *want)
{
    static const char *const types[] = {"text/plain",
                                        "text/html",
                                        "text/plain; charset=utf-16",
                                        "text/plain; charset=utf-7",
                                        "text/plain; format=flowed; delsp=yes",
                                        "multipart/mixed; boundary=\"x\"",
                                        "message/rfc822",
                                        "application/octet-stream",
                                        "text/plain; charset=iso-2022-jp",
                                        ""};
    static const char *const encodings[] = {"base64", "quoted-printable", "8bit", "x-uuencode", ""};
    struct reply_mail mail;
    struct str typed = STR_INIT, other = STR_INIT;
    replies_lines(&typed, want, "typed");
    reply_fields(raw, &mail);
    str_addf(&other, "From: x@y.z\r\nFrom: z@y.x\r\nSubject: orders\r\nMIME-Version: 2.0\r\nX-Nonce: %s\r\n",
             OTHER);
    str_addf(&other, "Content-Type:%.*s\r\n", (int)mail.type.len, mail.type.p);
    if (mail.encoding.len)
        str_addf(&other, "Content-Transfer-Encoding:%.*s\r\n", (int)mail.encoding.len, mail.encoding.p);
    str_addf(&other, "\r\n%.*s", (int)mail.body.len, mail.body.p);
    reply_fields(slice_str(&other), &mail);
    mail.type_signed = mail.encoding_signed = true;
    expect(cut(&mail), name, replies_text(want, "fate"), typed.p);
    mail.type_signed = mail.encoding_signed = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (size_t k = 0; k < sizeof encodings / sizeof *encodings; k++) {
            mail.type = slice_of(types[i]);
            mail.encoding = slice_of(encodings[k]);
            expect(cut(&mail), name, replies_text(want, "unsigned"), typed.p);
        }
    str_release(&typed);
    str_release(&other);
}

START_TEST(no_other_field_changes_anything)
{
    replies_each(see_other_fields);
}
END_TEST

/* What a "relaxed" signature lets anybody change: spaces at the ends of lines and between words, folds. */
static void see_relaxed(const char *name, struct slice raw, const json_t *want)
{
    struct reply_mail mail;
    struct str typed = STR_INIT, body = STR_INIT, type = STR_INIT;
    struct slice rest, line, word;
    replies_lines(&typed, want, "typed");
    reply_fields(raw, &mail);
    for (rest = mail.body; slice_line(&rest, &line); str_adds(&body, "\r\n")) {
        bool folded = line.len && (line.p[0] == ' ' || line.p[0] == '\t');
        for (size_t i = 0; slice_word(&line, &word); i++)
            str_addf(&body, "%s%.*s", i || folded ? " " : "", (int)word.len, word.p);
    }
    for (rest = mail.type; slice_word(&rest, &word);)
        str_addf(&type, "\r\n\t  %.*s", (int)word.len, word.p);
    mail.body = slice_str(&body);
    mail.type = slice_str(&type);
    for (int i = 0; i < 2; i++) {
        mail.type_signed = mail.encoding_signed = i;
        expect(cut(&mail), name, replies_text(want, i ? "fate" : "unsigned"), typed.p);
    }
    str_release(&typed);
    str_release(&body);
    str_release(&type);
}

START_TEST(no_space_changes_anything)
{
    replies_each(see_relaxed);
}
END_TEST

/* Appends without empty lines. */
static void add_lines(struct str *out, struct slice text)
{
    struct slice line;
    while (slice_line(&text, &line))
        if (line.len)
            str_addf(out, "%.*s\n", (int)line.len, line.p);
}

/* Of a mail with a text and a page, the page alone. Its attribution may stand within the quote. */
static void see_page(const char *name, struct slice raw, const json_t *want)
{
    struct reply_mail mail;
    struct str typed = STR_INIT, want_typed = STR_INIT, body = STR_INIT, told = STR_INIT;
    reply_fields(raw, &mail);
    size_t at = slice_find(mail.body, "text/plain");
    if (at == (size_t)-1 || slice_find(mail.body, "text/html") == (size_t)-1)
        return;
    str_addslice(&body, mail.body);
    memcpy(body.p + at, "image/none", strlen("image/none"));
    mail.body = slice_str(&body);
    mail.type_signed = mail.encoding_signed = true;
    struct reply reply = cut(&mail);
    replies_lines(&typed, want, json_object_get(want, "page") ? "page" : "typed");
    add_lines(&want_typed, slice_str(&typed));
    add_lines(&told, slice_str(&reply.typed));
    ck_assert_msg(strcmp(fates[reply.fate], replies_text(want, "fate")) == 0, "%s: %s", name,
                  fates[reply.fate]);
    ck_assert_msg(strcmp(told.p, want_typed.p) == 0, "%s: %s", name, told.p);
    reply_release(&reply);
    str_release(&typed);
    str_release(&want_typed);
    str_release(&body);
    str_release(&told);
}

START_TEST(the_page_says_what_the_text_says)
{
    replies_each(see_page);
}
END_TEST

START_TEST(a_field_that_comes_twice_is_ambiguous)
{
    struct reply_mail mail;
    reply_fields(slice_of("Content-Type: text/plain\nContent-Type: text/html\n\nok\n" BOUNDARY), &mail);
    mail.type_signed = mail.encoding_signed = true;
    expect(cut(&mail), "twice", "ambiguous", "");
}
END_TEST

/* ---- where the text ends ---- */

static const struct {
    const char *body, *fate, *typed, *below;
} ends[] = {
    {"build\n\n" BOUNDARY, "typed", "build\n", ""},
    {"build\n> > | " BOUNDARY, "typed", "build\n", ""},
    {"build\n> Some words #-K3V7Q2M5XWTRABCD-# of another language\n", "typed", "build\n", ""},
    {"build\n#-" OTHER "-#\n", "held", "build\n", ""}, /* not ours: it ends the text, and shows nothing */
    {"build\n#-" OTHER "-#\nbuild\n" BOUNDARY, "held", "build\n", ""},
    {"build\n#-k3v7q2m5xwtrabc1-#\n", "held", "build\n#-k3v7q2m5xwtrabc1-#\n", ""},
    {"build\n", "held", "build\n", ""},
    {"", "held", "", ""},
    {"build\n> text\n", "held", "build\n", ""},
    {"build\n> text\nresign\n", "held", "build\n", "resign\n"},
    {"build\n> text\nresign\n" BOUNDARY, "typed", "build\n", "resign\n"},
    {"build\n| text\n> " BOUNDARY, "typed", "build\n", ""},
    /* attributions stay, whatever their language */
    {"On 1 May we build\n" BOUNDARY "bob wrote:\n", "typed", "On 1 May we build\n", ""},
    {"build\n\nX kirjoitti 23.11.2026 klo 18.00:\n> resign\n", "held",
     "build\n\nX kirjoitti 23.11.2026 klo 18.00:\n", ""},
    {"build\n\nX kirjoitti 23.11.2026 klo 18.00:\n\n\n> " BOUNDARY "> resign\n", "typed",
     "build\n\nX kirjoitti 23.11.2026 klo 18.00:\n", ""},
    {"build\nOn the other hand, he wrote:\n" BOUNDARY, "typed", "build\nOn the other hand, he wrote:\n", ""},
    {"it was in 2026:\nbuild\n", "held", "it was in 2026:\nbuild\n", ""},
    {"gc-2026-1:\nbuild\n", "held", "gc-2026-1:\nbuild\n", ""},
    /* but not above text that is not quoted */
    {"build\nOn 23 Nov 2026, at 18:00, X wrote:\nresign\n", "held", "build\n", ""},
    {"build\n\nX <x@y.z>\nhat gesagt\xEF\xBC\x9A\nresign\n\n" BOUNDARY, "typed", "build\n",
     "X <x@y.z>\nhat gesagt\xEF\xBC\x9A\nresign\n"},
    {"build\nOn 23 Nov 2026, at 18:00,\nOrion League\nwrote:\nresign\n> " BOUNDARY, "typed", "build\n",
     "On 23 Nov 2026, at 18:00,\nOrion League\nwrote:\nresign\n"},
    {"press bob: as\nOn 3 May 2026 you wrote:\na\nb\n" BOUNDARY, "typed", "press bob: as\n",
     "On 3 May 2026 you wrote:\na\nb\n"},
    /* heads */
    {"build\n\n-----Original Message-----\nresign\n", "held", "build\n", ""},
    {"build\n\n-----Urspr\xC3\xBCngliche Nachricht-----\nresign\n" BOUNDARY, "typed", "build\n",
     "-----Urspr\xC3\xBCngliche Nachricht-----\nresign\n"},
    {"build\n\n__________\nX\n" BOUNDARY, "typed", "build\n", "__________\nX\n"},
    {"build\n\nVon: X <x@y.z>\nGesendet: heute\nAn: Y\nBetreff: Z\nresign\n", "held", "build\n", ""},
    {"build\nVon: X <x@y.z>\nGesendet: heute\nAn: Y\n\n" BOUNDARY, "typed", "build\n",
     "Von: X <x@y.z>\nGesendet: heute\nAn: Y\n"},
    {"build\n\n*De :* X\n*Envoy\xC3\xA9 :* lundi 23 novembre 2026 18:00\n*\xC3\x80 :* Y\n*Objet\xC2\xA0:* "
     "[gc-1] "
     "Z\n" BOUNDARY,
     "typed", "build\n\n*De :* X\n",
     "*Envoy\xC3\xA9 :* lundi 23 novembre 2026 18:00\n*\xC3\x80 :* Y\n*Objet\xC2\xA0:* [gc-1] Z\n"},
    {"build\n\nFrom: X\n <x@y.z>\nSent: 1\nTo: Anna Example with a name in\n two lines\nSubject: "
     "Z\n" BOUNDARY,
     "typed", "build\n",
     "From: X\n<x@y.z>\nSent: 1\nTo: Anna Example with a name in\ntwo lines\nSubject: Z\n"},
    {"build\n\nFrom: X <x@y.z>\nSent: 1\n" BOUNDARY "To: Y\n", "typed", "build\n\nFrom: X <x@y.z>\nSent: 1\n",
     ""},
    {"press bob: mail me\nTo: me\nsay all: I am x@y.z\n" BOUNDARY, "typed",
     "press bob: mail me\nTo: me\nsay all: I am x@y.z\n", ""},
    {"gc-1: build x@y.z\ngc-2: build\ngc-3: build\n" BOUNDARY, "typed",
     "gc-1: build x@y.z\ngc-2: build\ngc-3: build\n", ""},
    {"say all: it was 28 Nov 2026\npress bob: hi\npress carl: ho\n" BOUNDARY, "typed",
     "say all: it was 28 Nov 2026\npress bob: hi\npress carl: ho\n", ""},
    {"press bob: hi\nFrom: X <x@y.z>\nSent: 1\nTo: Y\nSubject: Z\n" BOUNDARY, "typed", "press bob: hi\n",
     "From: X <x@y.z>\nSent: 1\nTo: Y\nSubject: Z\n"},
    {"build\nFrom: the beginning\nresign\n", "held", "build\nFrom: the beginning\nresign\n", ""},
    {"From: us\n" BOUNDARY "Sent: today\n", "typed", "From: us\n", ""}, /* nothing below it counts */
    /* signatures */
    {"build\n-- \nresign\n" BOUNDARY, "typed", "build\n", ""},
    {"build\n--\nresign\n", "held", "build\n", ""},
    {"build\n\xE2\x80\x94\nresign\n" BOUNDARY, "typed", "build\n", ""},
    {"build\n\nSent from my iPhone\n\n" BOUNDARY, "typed", "build\n\nSent from my iPhone\n", ""},
    {"\n\n  build  \n\n\nswap metal \n\n" BOUNDARY, "typed", "build\n\n\nswap metal\n", ""},
    /* below the quote */
    {"build\n> " BOUNDARY "> text\n> " CLOSING "\nswap metal\n", "typed", "build\n\nswap metal\n", ""},
    {"> " BOUNDARY "> text\n> " CLOSING ">\n> \n\nswap metal\n\nbuild\n-- \nresign\n", "typed",
     "swap metal\n\nbuild\n", ""},
    {"build\n\n> " BOUNDARY "> text\nresign\n\nresign\n> " CLOSING "\n", "typed", "build\n", ""},
    {"build\n> " BOUNDARY "> text\n\nswap metal\n", "typed", "build\n", "swap metal\n"}, /* no closing */
    {"build\n> " BOUNDARY "> text\n" CLOSING "swap metal\n", "typed", "build\n",
     "swap metal\n"}, /* not quoted */
    {"build\n" BOUNDARY "text\n" CLOSING "swap metal\n", "typed", "build\n", "swap metal\n"},
    {"build\n" BOUNDARY "text\nresign\n", "typed", "build\n", ""},
    {"build\n" BOUNDARY "text\n> " CLOSING "swap metal\n", "typed", "build\n", "swap metal\n"},
    {"build\n> " BOUNDARY "> -#" OTHER "#-\n\nswap metal\n", "typed", "build\n",
     "swap metal\n"}, /* of another */
    {"build\n> #-" OTHER "-#\n> " CLOSING "\nswap metal\n", "held", "build\n", "swap metal\n"},
    {"build\n> #-" OTHER "-#\n> text\n> -#" OTHER "#-\nswap metal\n", "held", "build\n\nswap metal\n", ""},
    {"build\n> " BOUNDARY "> " CLOSING "> text\nresign\n", "typed", "build\n", "resign\n"}, /* not the last */
    {"build\n> " BOUNDARY "> text -#" NONCE "#- te\nresign\n", "typed", "build\n",
     "resign\n"}, /* not alone */
    {"build\n> " BOUNDARY "> " CLOSING "text\n> " CLOSING "\nswap metal\n", "typed", "build\n\nswap metal\n",
     ""},
    {"build\ntext\n" CLOSING "swap metal\n", "held", "build\ntext\n",
     "swap metal\n"}, /* our mail without its top */
    {"build\n> text\n> " CLOSING "swap metal\n", "held", "build\n", "swap metal\n"},
    {"> " BOUNDARY "> " CLOSING "build\n> more\nswap metal\n", "typed", "build\n", "swap metal\n"},
    {"> " BOUNDARY "> " CLOSING "build\n#-" OTHER "-#\nresign\n", "typed", "build\n", ""},
    {"> " BOUNDARY "> " CLOSING "build\n-----Original Message-----\nswap metal\n", "typed", "build\n",
     "-----Original Message-----\nswap metal\n"},
    /* OpenPGP */
    {ARMOUR "build\n- -- \nAnna\n\n> " BOUNDARY "> " CLOSING "\nswap metal\n- -----x\n" SIGNATURE "bide\n",
     "typed", "build\n\nswap metal\n-----x\nbide\n", ""},
    {"-----BEGIN PGP SIGNED MESSAGE-----\n> " BOUNDARY, "typed", "", ""},
    {"build\n\n" SIGNATURE BOUNDARY, "typed", "build\n",
     "-----BEGIN PGP SIGNATURE-----\niQEz\n-----END PGP SIGNATURE-----\n"},
};

START_TEST(the_text_ends_where_it_must)
{
    expect_below(cut_body("text/plain; charset=utf-8", "", ends[_i].body, true), ends[_i].body, ends[_i].fate,
                 ends[_i].typed, ends[_i].below);
}
END_TEST

/* Where the paragraph above the quote is, and what was typed below it. */
static const struct {
    const char *body, *lead, *under;
} leads[] = {
    {"build\n\nX wrote:\n> " BOUNDARY, "X wrote:\n", ""},
    {"build\n\nX on Monday\nwrote:\n\n\n> text\n> " BOUNDARY, "X on Monday\nwrote:\n", ""},
    {"build\n\nX wrote:\n\n" BOUNDARY, "X wrote:\n", ""},
    {"build\nbide\n" BOUNDARY, "build\nbide\n", ""},
    {BOUNDARY, "", ""},
    {"build\n", "", ""},
    {"build\n\n-----Original Message-----\n" BOUNDARY, "", ""},
    {"build\n\n-- \nAnna\n\nX wrote:\n> " BOUNDARY, "", ""},
    {"build\n\nX wrote:\n> " BOUNDARY "> " CLOSING "bide\n", "X wrote:\n", "bide\n"},
    {"> " BOUNDARY "> " CLOSING "bide\n", "", "bide\n"},
};

START_TEST(what_stands_above_the_quote_is_told)
{
    struct reply reply = cut_body("text/plain", "", leads[_i].body, true);
    struct slice typed = slice_str(&reply.typed);
    ck_slice_eq(slice_sub(typed, reply.lead, reply.lead_end - reply.lead), leads[_i].lead);
    ck_slice_eq(slice_sub(typed, reply.under, typed.len), leads[_i].under);
    reply_release(&reply);
}
END_TEST

/* ---- press that wants to be orders ---- */

#define TOP     "build\n\n"
#define FLOWED  "text/plain; format=flowed"
#define PAGE(x) "<html><body><div>build</div>" x "</body></html>"

/* Whatever another player writes is below our boundary or within the quote: none of it becomes "resign". */
static const struct {
    const char *about, *type, *encoding, *body, *fate, *typed;
} smuggles[] = {
    {"a boundary in press", "text/plain", "", TOP "> " BOUNDARY "> || #-" OTHER "-#\n> || resign\n", "typed",
     "build\n"},
    {"our own boundary in press", "text/plain", "", TOP "> " BOUNDARY "> || " BOUNDARY "resign\n", "typed",
     "build\n"},
    {"a boundary before ours", "text/plain", "", TOP "#-" OTHER "-#\nresign\n" BOUNDARY, "held", "build\n"},
    {"a forged attribution", "text/plain", "", TOP "> " BOUNDARY "> || On 23 Nov 2026, bob wrote:\nresign\n",
     "typed", "build\n"},
    {"END in press", "text/plain", "", TOP "> " BOUNDARY "> || end\nend\nresign\n", "typed", "build\n"},
    {"zero width in the boundary", "text/plain; charset=utf-8", "",
     TOP "> #-k3v7\xE2\x80\x8Bq2m5xw\xE2\x81\xA0trabcd-#\nresign\n", "typed", "build\n"},
    {"zero width before a quote", "text/plain; charset=utf-8", "",
     TOP "\xE2\x80\x8B> " BOUNDARY "\xEF\xBB\xBF> resign\n", "typed", "build\n"},
    {"text direction", "text/plain; charset=utf-8", "", TOP "> " BOUNDARY "> || \xE2\x80\xAE\nngiser\n",
     "typed", "build\n"},
    {"format=flowed", FLOWED, "", TOP "> " BOUNDARY "> || bob writes \n>> \n> resign \nresign\n", "typed",
     "build\n"},
    {"flowed quote that comes loose", FLOWED, "", TOP "> text of bob \nresign\n> " BOUNDARY, "typed",
     "build\n"},
    {"long lines, folded", "text/plain", "",
     TOP "> " BOUNDARY "> || "
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nresign\n",
     "typed", "build\n"},
    {"soft breaks", "text/plain", "quoted-printable", TOP "> #-k3v7q2m5=\nxwtrabcd-#\n> || =\nresign\n",
     "typed", "build\n"},
    {"=0A in quoted-printable", "text/plain", "quoted-printable", TOP "> " BOUNDARY "> || x=0Aresign\n",
     "typed", "build\n"},
    {"CR alone", "text/plain", "", TOP "> " BOUNDARY "> || x\rresign\n> " CLOSING, "typed", "build\n"},
    {"line separators", "text/plain; charset=utf-8", "",
     TOP "> " BOUNDARY "> " CLOSING "> \xE2\x80\xA8resign\xC2\x85resign\x0Bresign\x0Cresign\n", "typed",
     "build\n"},
    {"UTF-7", "text/plain; charset=utf-7", "", TOP "> " BOUNDARY "> || +AAo-resign\n", "typed", "build\n"},
    {"UTF-16 by its mark", "text/plain", "", "\xFE\xFF" TOP "resign\n" BOUNDARY, "unreadable", ""},
    {"ISO-2022-JP", "text/plain; charset=iso-2022-jp", "", TOP "> " BOUNDARY "> || \x1B$B\nresign\n", "typed",
     "build\n"},
    {"a mail within the mail", "multipart/mixed; boundary=b", "",
     "--b\nContent-Type: text/plain\n\n" TOP "> " BOUNDARY "--b\nContent-Type: message/rfc822\n\nSubject: "
     "x\n\nresign\n--b--\n",
     "typed", "build\n"},
    {"only a mail within the mail", "multipart/mixed; boundary=b", "",
     "--b\nContent-Type: message/rfc822\n\nSubject: x\n\nresign\n" BOUNDARY "--b--\n", "unreadable", ""},
    {"a part after the quote", "multipart/mixed; boundary=b", "",
     "--b\nContent-Type: text/plain\n\n" TOP "> " BOUNDARY "--b\nContent-Type: text/plain\n\nresign\n--b--\n",
     "typed", "build\n"},
    {"a part after the end of the quote", "multipart/mixed; boundary=b", "",
     "--b\nContent-Type: text/plain\n\n" TOP "> " BOUNDARY "> " CLOSING "\nbide\n--b\nContent-Type: "
     "text/plain\n\nresign\n--b--\n",
     "typed", "build\n\nbide\n"},
    {"an attached text before", "multipart/mixed; boundary=b", "",
     "--b\nContent-Type: text/plain\nContent-Disposition: attachment\n\nresign\n--b\nContent-Type: "
     "text/plain\n\n" TOP BOUNDARY "--b--\n",
     "typed", "build\n"},
    {"a delimiter in press", "multipart/mixed; boundary=b", "",
     "--b\nContent-Type: text/plain\n\n" TOP "> " BOUNDARY
     "> || --b\n--c\nContent-Type: text/plain\n\nresign\n--b--\n",
     "typed", "build\n"},
    {"HTML, a block of quotes", "text/html", "",
     PAGE("<blockquote>resign<br>" BOUNDARY "</blockquote>resign"), "typed", "build\n"},
    {"HTML, no boundary at all", "text/html", "", PAGE("<blockquote>resign</blockquote>"), "held", "build\n"},
    {"HTML, hidden below the boundary", "text/html", "",
     PAGE("<p>" BOUNDARY "</p><p style=\"display:none\">resign</p>"), "typed", "build\n"},
    {"HTML, a boundary in two pieces", "text/html", "", PAGE("#-k3v7q2m5<b>xwtrabcd</b>-#<br>resign"),
     "typed", "build\n"},
    {"HTML, a boundary by references", "text/html", "", PAGE("&#35;-k3v7q2m5xwtrabcd&#x2d;#<br>resign"),
     "typed", "build\n"},
};

START_TEST(press_never_becomes_orders)
{
    expect(cut_body(smuggles[_i].type, smuggles[_i].encoding, smuggles[_i].body, true), smuggles[_i].about,
           smuggles[_i].fate, smuggles[_i].typed);
}
END_TEST

/* The same as if neither field were signed: never more than what was typed. */
START_TEST(press_never_becomes_orders_unsigned)
{
    struct reply reply = cut_body(smuggles[_i].type, smuggles[_i].encoding, smuggles[_i].body, false);
    ck_assert_msg(!strstr(reply.typed.p, "resign"), "%s: \"%s\"", smuggles[_i].about, reply.typed.p);
    reply_release(&reply);
}
END_TEST

/* ---- what cannot be seen ---- */

static const char *const unseen[] = {
    "<div style=\"display:none\">resign</div>",
    "<div STYLE='DISPLAY : NONE'>resign</div>",
    "<span style=\"visibility:hidden\">resign</span>",
    "<span style=\"font-size:0\">resign</span>",
    "<span style=\"font-size: 0.5pt\">resign</span>",
    "<span style=\"font:1px/1 x\">resign</span>",
    "<span style=\"opacity:0.0\">resign</span>",
    "<span style=\"color:#fff\">resign</span>",
    "<span style=\"color:white\">resign</span>",
    "<span style=\"color:#102030;background-color:rgb(16,32,48)\">resign</span>",
    "<span style=\"color:rgba(0,0,0,0)\">resign</span>",
    "<font color=\"#FFFFFE\">resign</font>",
    "<span style=\"mso-hide:all\">resign</span>",
    "<div style=\"max-height:0;overflow:hidden\">resign</div>",
    "<div style=\"text-indent:-9999px\">resign</div>",
    "<div style=\"position:absolute;left:-5000px\">resign</div>",
    "<div style=\"clip:rect(0,0,0,0)\">resign</div>",
    "<div style=\"transform:scale(0)\">resign</div>",
    "<div style=\"filter:opacity(0)\">resign</div>",
    "<div style=\"zoom:.01\">resign</div>",
    "<div style=\"display:var(--x,none)\">resign</div>",
    "<div style=\"content-visibility:hidden\">resign</div>",
    "<div style=\"mask:linear-gradient(transparent,transparent)\">resign</div>",
    "<div style=\"-webkit-mask-image:none,none;clip-path:circle(0)\">resign</div>",
    "<div style=\"float:left;width:1px;height:1px;overflow:hidden\">resign</div>",
    "<div style=\"width:1px\">resign</div>",
    "<div style=\"overflow:hidden\">resign</div>",
    "<div style=\"font-size:calc(1px - 1px)\">resign</div>",
    "<div style=\"font-size:50%\"><p style=\"font-size:.5em\">resign</p></div>",
    "<div "
    "style=\"font-size:smaller\"><small><sub><sup><small><sub><sup>resign</sup></sub></small></sup></sub></"
    "small></div>",
    "<div style=\"font:0/0 a\">resign</div>",
    "<div style='font:0/0 \"{\"'>resign</div>",
    "<div style=\"font-family:'\">resign</div>",
    "<div style=\"line-height:0\">resign</div>",
    "<div style=\"letter-spacing:-1em\">resign</div>",
    "<div style=\"margin-top:-20px\">resign</div>",
    "<div style=\"margin-left:9999px\">resign</div>",
    "<div style=\"background:url(x.png)\">resign</div>",
    "<div style=\"color:snow\">resign</div>",
    "<div style=\"color:rgb(255 255 255 / 90%)\">resign</div>",
    "<div style=\"color:rgba(0,0,0,.1)\">resign</div>",
    "<div style=\"color:hsl(0,0%,100%)\">resign</div>",
    "<div style=\"-webkit-text-fill-color:#fff\">resign</div>",
    "<div style=\"background:#000\"><p>resign</p></div>",
    "<div style=\"background:#036;color:#fff\"><p style=\"color:#036\">resign</p></div>",
    "<table bgcolor=\"#336699\"><tr><td><font color=\"#336699\">resign</font></td></tr></table>",
    "<div style=\"background:#036;color:#fff\"><div>x</div><font color=\"#036\">resign</font></div>",
    "<div style=\"opacity:.5\">resign</div>",
    "<div style=\"animation:x 1s\">resign</div>",
    "<div style=\"position:fixed;top:0\"></div>resign",
    "<div style=\"position:relative;top:1px\">resign</div>",
    "<div style=\"unicode-bidi:isolate-override;direction:rtl\">ngiser</div>",
    "<div style=\"all:none;x-new-property:1\">resign</div>",
    "<div style=\"display:none/**/\">resign</div>",
    "<div popover>resign</div>",
    "<div background=\"x.png\">resign</div>",
    "<td width=\"1\">resign</td>",
    "<style>@import url(x.css);</style>resign",
    "<style>@keyframes x{to{color:red}}</style>resign",
    "<style>.x{font-family:\"{\";display:none}</style>resign",
    "<style>a{color:red}</style><style>.x{background:#000}</style>resign",
    "<portal>resign</portal>",
    "<del>resign</del>",
    "<div style=\"dis&#112;lay:none\">resign</div>",
    "<div style=\"d\\69splay:none\">resign</div>",
    "<div hidden>resign</div>",
    "<style>.x{display:none}</style><div class=x>resign</div>",
    "<style>p{margin:0}@media all{.x{font-size:0}}</style><div class=x>resign</div>",
    "<style>.x{color:#fff}p{color:#000}</style><div class=x>resign</div>",
    "<noscript>resign</noscript>",
    "<template>resign</template>",
    "<svg><text>resign</text></svg>",
    "<s>resign</s>",
    "<span style=\"text-decoration: line-through\">resign</span>",
    "<bdo dir=rtl>ngiser</bdo>",
    /* values that browsers pass over, and the order in which they take them */
    "<div style=\"color:#fff!important;color:#000\">resign</div>",
    "<div style=\"color:#fff;color:#000 #000\">resign</div>",
    "<div style=\"color:#fff;color:#0/**/00\">resign</div>",
    "<div style=\"color:#fff;background-color:#000 x\">resign</div>",
    "<div style=\"color:#fff;background:#000 left right\">resign</div>",
    "<div style=\"color:#fff;background-color:rgb(0,0 0)\">resign</div>",
    "<div style=\"color:#fff;background:#000 !x\">resign</div>",
    "<div style=\"font-size:7px\"><p style=\"font-size:20.px\"><b "
    "style=\"font-size:.6em\">resign</b></p></div>",
    /* colours that are in force without being said */
    "<div style=\"color:#fff;background:#000\">x<p style=\"color:initial\">resign</p></div>",
    "<div style=\"color:#fff;background:#000\">x<p style=\"all:initial\">resign</p></div>",
    "<div style=\"-webkit-text-fill-color:#fff;color:#000\">resign</div>",
    "<div style=\"color:#191970;background:midnightblue\">resign</div>",
    "<div style=\"background:fieldtext\">resign</div>",
    "<div style=\"color:#808080;background:rgba(0,0,0,.5)\">resign</div>",
    "<div style=\"color:#e4e4e4\">resign</div>",
    "<div style=\"color:yellow\">resign</div>",
    "<mark style=\"color:#ff0\">resign</mark>",
    "<table bgcolor=000000><tr><td>resign</td></tr></table>",
    "<table bgcolor=0><tr><td>resign</td></tr></table>",
    "<p style=\"background:#000;color:#fff\">x<div><font color=\"#ffffff\">resign</font></div>",
    "<p style=\"color:#111\"><font color=\"#ffffff\"></p>resign",
    /* aside, little by little */
    "<p style=\"text-indent:-48px\">resign</p>",
    "<p style=\"text-indent:-18pt\">ok</p>",
    "<p dir=rtl style=\"margin-left:48px;text-indent:-48px\">resign</p>",
    "<p style=\"margin-left:48px;margin-left:0;text-indent:-48px\">resign</p>",
    "<div style=\"margin-left:-8px\"><div style=\"margin-left:-8px\"><p "
    "style=\"margin-left:-8px\">resign</p></div></div>",
    "<div style=\"margin-top:-8px\">resign</div>",
    "<div style=\"padding:0 0 0 600px\"><div style=\"padding-left:600px\"><p "
    "style=\"padding-left:600px\">resign</p></div></div>",
    "<div style=\"-webkit-text-size-adjust:1%\">resign</div>",
    "<div style=\"-webkit-text-stroke-width:1px\">resign</div>",
    "<div style=\"mso-font-width:1%\">resign</div>",
    "<h6><div><h6><div><h6>resign</h6></div></h6></div></h6>",
    /* sheets, whichever rules they are that meet */
    "<style>.a{color:#fff;background:#000}.b{background:#fff}</style><div class=a><p "
    "class=b>resign</p></div>",
    "<style>.b{background:#fff}</style><div style=\"color:#fff;background:#000\">x<p "
    "class=b>resign</p></div>",
    "<style>.b{color:#000}</style><div style=\"color:#fff;background:#000\">x<p class=b>resign</p></div>",
    "<style>.a{font-size:.8em}</style>resign",
    "<style>.a{font-size:7px}</style><p class=a><b style=\"font-size:80%\">resign</b></p>",
    "<style>.a{margin-left:-8px}</style>resign",
    "<style>.a{text-indent:-48px}</style>resign",
    "<style>.a::before{content:\"never \"}</style><p class=a>resign</p>",
    "<style>.a::before{content:\"\\6e\\6f\"}</style><p class=a>resign</p>",
    "<style>li{list-style-type:\"never \"}</style><ul><li>resign</li></ul>",
    "<link rel=\"stylesheet\" href=\"x.css\">resign",
    /* what lies over it, or takes it away */
    "resign<img src=x style=\"position:relative;margin-top:-40px\">",
    "resign<hr style=\"height:40px;margin:-40px 0 0\">",
    "<table><col style=\"visibility:collapse\"><tr><td>resign</td></tr></table>",
};

/* The same of what stands anywhere in a page; '@' is the quote. */
static const char *const hiding[] = {
    "<body link=\"#ffffff\"><a href=x>resign</a>@</body>",
    "<html style=\"font-size:7px\"><body><p style=\"font-size:.8rem\">resign</p>@</body></html>",
    "<body style=\"color:#fff;background:#000\">x</body><p style=\"background:#fff\">resign</p>@",
    "<body><p class=x>resign</p>@<style>.x{display:none}</style></body>",
    "<body><p>resign</p>@<img style=\"position:absolute;top:0;left:0\"></body>",
};

START_TEST(what_the_page_hides_is_refused)
{
    struct str body = STR_INIT;
    size_t at = strcspn(hiding[_i], "@");
    str_addf(&body, "%.*s<blockquote>" BOUNDARY "<br>" CLOSING "</blockquote>%s", (int)at, hiding[_i],
             hiding[_i] + at + 1);
    expect(cut_body("text/html", "", body.p, true), hiding[_i], "hidden", "");
    str_release(&body);
}
END_TEST

/* The text that mail programs make of a page may hold what is not seen there. */
START_TEST(the_text_beside_a_page)
{
    static const struct {
        const char *plain, *page, *fate, *typed;
    } mails[] = {
        {"build\nresign\n", "<div>build</div><div style=\"display:none\">resign</div>", "hidden", ""},
        {"build\nresign\n", "<div>build</div><font color=white>resign</font>", "hidden", ""},
        {"build\n", "<div>build</div><div style=\"font-size:1px\">resign</div>", "typed", "build\n"},
        {"build\nAnna\n", "<div>build</div><div style=\"float:left\">Anna</div>", "typed", "build\nAnna\n"},
    };
    for (size_t i = 0; i < sizeof mails / sizeof *mails; i++) {
        struct str body = STR_INIT;
        str_addf(&body,
                 "--zz\nContent-Type: text/plain; charset=utf-8\n\n%s\n> " BOUNDARY "\n> " CLOSING
                 "\n--zz\nContent-Type: text/html; charset=utf-8\n\n%s<blockquote>" BOUNDARY "<br>" CLOSING
                 "</blockquote>\n--zz--\n",
                 mails[i].plain, mails[i].page);
        expect(cut_body("multipart/alternative; boundary=zz", "", body.p, true), mails[i].page, mails[i].fate,
               mails[i].typed);
        expect(cut_body("", "", body.p, false), mails[i].page, mails[i].fate, mails[i].typed);
        str_release(&body);
    }
}
END_TEST

/* A browser takes it for a comment. */
START_TEST(a_comment_is_not_read)
{
    expect(cut_body("text/html", "",
                    "<html><body><pre>build\n</\nresign\n></pre><p>" BOUNDARY "</p></body></html>", true),
           "", "typed", "build\n");
}
END_TEST

START_TEST(what_cannot_be_seen_is_told)
{
    struct reply reply = cut_body(
        "text/html", "",
        "build<div style=\"display:none\">resign<br>bide</div><i style=\"opacity:0\">near</i>", true);
    ck_assert_int_eq(reply.fate, REPLY_HIDDEN);
    ck_assert_str_eq(reply.doubt.p, "resign");
    reply_release(&reply);
}
END_TEST

START_TEST(what_cannot_be_seen_is_refused)
{
    struct str body = STR_INIT;
    str_addf(&body, "<html><body>build<br>%s<p>" BOUNDARY "</p></body></html>", unseen[_i]);
    expect(cut_body("text/html", "", body.p, true), unseen[_i], "hidden", "");
    str_clear(&body);
    str_addf(&body,
             "<html><body><blockquote>" BOUNDARY "<br>" CLOSING "</blockquote>build<br>%s</body></html>",
             unseen[_i]);
    expect(cut_body("text/html", "", body.p, true), unseen[_i], "hidden", "");
    str_release(&body);
}
END_TEST

/* What mail programs write around what people type. */
static const char *const shown[] = {
    /* Apple, and what it copies out of pages */
    "<div style=\"caret-color: rgb(0, 0, 0); color: rgb(0, 0, 0); font-family: Helvetica; font-size: 12px; "
    "font-style: normal; font-variant-caps: normal; font-weight: 400; letter-spacing: normal; orphans: auto; "
    "text-align: start; text-indent: 0px; text-transform: none; white-space: normal; widows: auto; "
    "word-spacing: 0px; "
    "-webkit-text-size-adjust: auto; -webkit-tap-highlight-color: rgba(26, 26, 26, 0.3); "
    "-webkit-text-stroke-width: 0px; text-decoration: none; float: none; display: inline "
    "!important;\">build</div>",
    "<style>p.p1 {margin: 0.0px 0.0px 0.0px 0.0px; font: 12.0px Helvetica}</style><p class=\"p1\">build</p>",
    "<div style=\"overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: "
    "after-white-space;\">build<br class=\"Apple-interchange-newline\"></div>",
    /* Chrome */
    "<span "
    "style=\"font-variant-ligatures:normal;text-decoration-thickness:initial;text-decoration-style:initial;"
    "text-decoration-color:initial;background-color:rgb(255,255,255);display:inline!important\">build</span>",
    /* Outlook */
    "<style><!--\n/* Font Definitions */\n@font-face\n\t{font-family:\"Cambria Math\";\n\tpanose-1:2 4 5 3 5 "
    "4 6 3 2 "
    "4;}\n@list "
    "l0:level1\n\t{mso-level-number-format:bullet;\n\tmso-level-text:\\F0B7;\n\ttext-indent:-.25in;"
    "\n\tfont-family:Symbol;}\np.MsoNormal, li.MsoNormal\n\t{margin:0in;\n\tfont-size:11.0pt;"
    "\n\tmso-fareast-language:EN-US;}\na:link, span.MsoHyperlink\n\t{mso-style-priority:99;\n\tcolor:#0563C1;"
    "\n\ttext-decoration:underline;}\n@page WordSection1\n\t{size:8.5in 11.0in;\n\tmargin:1.0in 1.0in 1.0in "
    "1.0in;}\ndiv.WordSection1\n\t{page:WordSection1;}\n--></style><p class=\"MsoListParagraph\" "
    "style='margin-left:.5in;text-indent:-.25in;mso-list:l0 level1 lfo1'>build<o:p></o:p></p>",
    "<style type=\"text/css\" style=\"display:none;\"> P {margin-top:0;margin-bottom:0;} </style><div "
    "class=\"elementToProof\" style=\"font-family: Aptos, Aptos_EmbeddedFont, Aptos_MSFontService, Calibri, "
    "Helvetica, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);\">build</div>",
    "<p style=\"margin:0 0 0 0;background:white none repeat scroll 0% 0%;line-height:105%\"><span "
    "lang=\"EN-US\" "
    "style=\"font-family:&quot;Segoe UI&quot;,sans-serif;color:windowtext\">build</span></p>",
    /* Gmail, Yahoo, Proton, GMX, Samsung, K-9 */
    "<div dir=\"rtl\" class=\"gmail_default\" "
    "style=\"font-family:arial,sans-serif;font-size:small\">build</div>",
    "<div class=\"yahoo-style-wrap\" style=\"font-family:Helvetica Neue, Helvetica, Arial, "
    "sans-serif;font-size:16px;\"><div dir=\"ltr\" data-setdir=\"false\">build</div></div>",
    "<div style=\"font-family: Arial, sans-serif; font-size: 14px; color: rgb(0, 0, 0); background-color: "
    "rgb(255, 255, "
    "255);\">build</div>",
    "<div style=\"font-family: Verdana;font-size: 12.0px;\">build</div>",
    "<div dir=\"auto\">build</div>",
    "<font face=\"Arial\" color=\"#333333\" size=\"2\">build</font>",
    "<pre class=\"moz-quote-pre\" wrap=\"\">build</pre>",
    "build<o:p></o:p><x-sigsep></x-sigsep> <orders+abc@game.test>",
    /* signatures and what is empty */
    "build<div style=\"display:none\"></div><div style=\"height:0;overflow:hidden\">&nbsp;</div>",
    "<table width=\"100%\" cellspacing=\"0\"><tr><td width=\"1\"></td><td style=\"background:#036;color:#fff;"
    "padding:4px;border-radius:50%\">build</td></tr></table>",
    "<table style=\"background:#000\"><tr><td><font color=\"white\">build</font></td></tr></table>",
    "<p style=\"color:#fff;background:#000\">build<p>",
    "<p style=\"color:#fff;background:#036\"><p style=\"color:#036\">build",
    "<div style=\"color:#fff;background:#036\"><div></div></div><font color=\"#036\">build</font>",
    "<div style=\"caret-color: rgba(0, 0, 0, 0.847); color: rgba(0, 0, 0, 0.847); "
    "-webkit-composition-fill-color: "
    "rgba(130, 98, 83, 0.098); text-rendering: auto\">build</div>",
    "<span style=\"font-size: 12px; background-color: rgba(255, 255, 255, 0);\">build</span>",
    "<style>p.MsoListParagraph{margin-left:36.0pt;font-size:11.0pt;}a:link{color:#467886;}</style><p "
    "class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'>build</p>",
    "<p style=\"margin:0in 0in 0in 0.5in;text-indent:-0.25in\">build</p>",
    "<table class=MsoNormalTable style='margin-left:-5.4pt;border-collapse:collapse'><tr><td "
    "style='width:150.0pt;padding:0in 5.4pt'>build</td></tr></table>",
    "build<img src=x width=1 height=1 style=\"display:none;float:left;object-fit:contain;margin:0 8px\">",
    "<div style=\"font-size:8px\"><font color=\"#bbbbbb\" size=1><a "
    "href=\"https://example.org\">build</a></font></div>",
    "<span style='background:yellow;mso-highlight:yellow'>build</span>",
    "<table bgcolor=ffffff><tr><td><a href=x style=\"color:#036 !important\">build</a></td></tr></table>",
    "<div dir=\"auto\" style=\"line-height: 1; padding: 0.3em\"><h1>build</h1></div>",
    "<b style=\"font-weight:normal;\"><p dir=\"ltr\" style=\"line-height:1.38;margin-top:0pt;\"><span "
    "style=\"font-size:11pt;color:#000000;background-color:transparent;vertical-align:baseline;white-space:"
    "pre;"
    "white-space:pre-wrap;\">build</span></p></b>",
    /* ours, where a program has moved it up */
    "<style>body{font-family:system-ui,-apple-system,\"Segoe "
    "UI\",Roboto,sans-serif;font-size:16px;line-height:1.45;"
    "color:#1c2430;background:#fff;margin:0 "
    "auto;padding:12px;max-width:720px}tr.changed>:first-child{border-left:4px "
    "solid #1c2430}.news p{margin:.3em 0;padding-left:.8em;text-indent:-.8em}.news "
    "p::before{content:\"\\2022\\00a0\"}"
    "@media(max-width:520px){body{padding:8px}th,td{padding:.2em .22em}}</style>build",
};

START_TEST(what_mail_programs_write_is_seen)
{
    struct str body = STR_INIT;
    str_addf(&body, "<html><head></head><body>%s<p>" BOUNDARY "</p></body></html>", shown[_i]);
    expect(cut_body("text/html", "", body.p, true), shown[_i], "typed", "build\n");
    str_release(&body);
}
END_TEST

/* Where a quote is in a block, and what is behind it. */
static const struct {
    const char *page, *typed, *below;
} blocks[] = {
    {"<div class=gmail_quote><div>x</div><blockquote>" BOUNDARY "<br>" CLOSING "</blockquote></div>bide",
     "build\n\nbide\n", ""},
    {"<div name=quote><div>" BOUNDARY "<br>" CLOSING "</div></div>bide", "build\n\nbide\n", ""},
    {"<blockquote>x<blockquote>y</blockquote>" BOUNDARY "<br>" CLOSING "</blockquote>bide", "build\n\nbide\n",
     ""},
    {"<blockquote>" BOUNDARY "<br>" CLOSING "<br>resign", "build\n", ""},
    {"<blockquote>" BOUNDARY "<br>text</blockquote>bide", "build\n", "bide\n"},
    {"<blockquote>" BOUNDARY "<br>text<br>" CLOSING "<br>more</blockquote>bide", "build\n", "bide\n"},
    {"<blockquote>" BOUNDARY "<div style=\"display:none\">x</div><style>p{display:none}</style>" CLOSING
     "</blockquote>bide",
     "build\n\nbide\n", ""},
    {"<p>" BOUNDARY "</p><blockquote>text</blockquote><p>" CLOSING "</p>bide", "build\n", "bide\n"},
    {"<span class=\"gmail_quote\">resign</span><p>bide</p><blockquote>" BOUNDARY "</blockquote>", "build\n",
     "bide\n"},
    {"bide<i class=\"gmail_quote\">resign</i><p>near</p><blockquote>" BOUNDARY "</blockquote>",
     "build\nbide\n", "near\n"},
    {"<div id=\"appendonsend\"></div>resign<p>" BOUNDARY "</p>", "build\n", "resign\n"},
    {"<div style=\"border:none;border-top:solid #B5C4DF 1.0pt\">resign</div><p>" BOUNDARY "</p>", "build\n",
     "resign\n"},
};

START_TEST(quotes_end_where_their_blocks_do)
{
    struct str body = STR_INIT;
    str_addf(&body, "<html><body><p>build</p>%s</body></html>", blocks[_i].page);
    expect_below(cut_body("text/html", "", body.p, true), blocks[_i].page, "typed", blocks[_i].typed,
                 blocks[_i].below);
    str_release(&body);
}
END_TEST

/* ---- readings ---- */

static const struct {
    const char *body, *fate, *typed, *doubt; /* NULL: none */
} readings[] = {
    {"build\n\n> " BOUNDARY, "typed", "build\n", NULL},
    {"undo\n", "held", "undo\n", NULL}, /* letters of base64, but of no text */
    {"YnVpbGQKIy1rM3Y3cTJtNXh3dHJhYmNkLSMK\n", "ambiguous", "", ""},
    {"YnVpbGQKIy1rM3Y3cTJtNXh3dHJhYmNkLSMgUmVwbHkgYWJvdmUgdGhpcyBs\naW5lLgo=\n", "typed", "build\n", NULL},
    {"if metal >=30 build\n" BOUNDARY, "ambiguous", "", "if metal >=30 build"}, /* ">0" in quoted-printable */
    {"if metal >= 3 build\n" BOUNDARY, "typed", "if metal >= 3 build\n", NULL}, /* not quoted-printable */
    {"buil=\nd\n" BOUNDARY, "ambiguous", "", "buil="},
    {"build\n> =C3=A4\n> " BOUNDARY, "typed", "build\n", NULL},    /* they differ below the boundary only */
    {"bide\nbuild \nresign\n" BOUNDARY, "ambiguous", "", "build"}, /* one line, if flowed */
    {"bide\nbuild<br>resign\n" BOUNDARY, "ambiguous", "", "build<br>resign"},
    {"build <!-- x --> resign\n" BOUNDARY, "ambiguous", "", "build <!-- x --> resign"},
    {"build\n<b>bob</b> wrote:\n> " BOUNDARY, "ambiguous", "", "<b>bob</b> wrote:"},
    {"build\n\nIn <gc-1.4@game.test> Orion\n<orders@game.test> of <https://game.test> wrote:\n> " BOUNDARY,
     "typed", "build\n\nIn <gc-1.4@game.test> Orion\n<orders@game.test> of <https://game.test> wrote:\n",
     NULL},
    {"<orders@game.test> wrote:\n> " BOUNDARY "> " CLOSING "\nbuild\n", "typed",
     "<orders@game.test> wrote:\n\nbuild\n", NULL},
    {"<html\nxmlns:o=\"x\"><body>build<br>\n" BOUNDARY "</body></html>\n", "typed", "build\n", NULL},
    {"if metal < 3 build\n" BOUNDARY, "typed", "if metal < 3 build\n", NULL},
    {"<div>build</div><div>swap metal</div>" BOUNDARY, "typed", "build\nswap metal\n", NULL},
    {"press bob: gr\xFC\xDF\n" BOUNDARY, "ambiguous", "",
     "press bob: gr\xC3\xBC\xC3\x9F"}, /* in which charset? */
    {"press bob: gr\xC3\xBC\xC3\x9F\n" BOUNDARY, "typed", "press bob: gr\xC3\xBC\xC3\x9F\n", NULL},
    {"build\x1B$B\n" BOUNDARY, "ambiguous", "", ""},
    {"--b\nContent-Type: text/plain\n\nbuild\n" BOUNDARY "--b--\n", "typed", "build\n", NULL},
    {"This is a multi-part message in MIME format.\n--b\nContent-Type: text/plain\n\nbuild\n" BOUNDARY
     "--b--\n",
     "typed", "build\n", NULL},
    {"build\n> " BOUNDARY "\n--b\nContent-Type: text/plain\n\nresign\n--b--\n", "ambiguous", "", NULL},
    /* the inner multipart as the whole: the outer one counts */
    {"--a\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: "
     "text/plain\n\nbuild\n" BOUNDARY "--b--\n--a\nContent-Type: text/plain; name=x\n\nresign\n--a--\n",
     "typed", "build\n", NULL},
};

START_TEST(an_unsigned_body_has_one_reading)
{
    struct reply reply = cut_body("text/plain", "", readings[_i].body, false);
    ck_assert_str_eq(reply.doubt.p, readings[_i].doubt ? readings[_i].doubt : "");
    reply_release(&reply);
    expect(cut_body("text/plain", "", readings[_i].body, false), readings[_i].body, readings[_i].fate,
           readings[_i].typed);
}
END_TEST

/* With a type that is signed, encodings alone are guessed, and the other way round. */
START_TEST(one_field_may_be_signed)
{
    struct reply_mail mail = {.type = slice_of("text/plain; format=flowed"),
                              .encoding = slice_of("base64"),
                              .type_signed = true,
                              .body = slice_of("build \nnear\n\n" BOUNDARY)};
    expect(cut(&mail), "type", "typed", "build near\n");
    mail.type = slice_of("text/html");
    mail.encoding = slice_of("quoted-printable");
    mail.type_signed = false;
    mail.encoding_signed = true;
    mail.body = slice_of("if metal >=3D 3 build\n\n" BOUNDARY);
    expect(cut(&mail), "encoding", "typed", "if metal >= 3 build\n");
}
END_TEST

START_TEST(without_a_nonce_nothing_is_certain)
{
    struct reply_mail mail = {.body = slice_of("build\n")};
    struct reply reply;
    struct err err = ERR_INIT;
    ck_ok(reply_cut(REPLY_VERSION, &mail, slice_of(""), &reply, &err), err);
    ck_assert(!reply.ours);
    expect(reply, "no nonce", "held", "build\n");
}
END_TEST

START_TEST(versions_that_are_not_known_are_named)
{
    struct reply_mail mail = {.body = slice_of("build\n")};
    struct reply reply;
    struct err err = ERR_INIT;
    ck_assert_int_eq(reply_cut(REPLY_VERSION + 1, &mail, slice_of(NONCE), &reply, &err), -1);
    ck_assert_int_eq(err.code, ERR_NEWER);
    reply_release(&reply);
}
END_TEST

START_TEST(limits_are_kept)
{
    struct str body = STR_INIT;
    while (body.len <= message_limits_default.part_bytes)
        str_adds(&body, "build\n");
    expect(cut_body("text/plain", "", body.p, true), "long", "unreadable", "");
    str_release(&body);
}
END_TEST

/* ---- the boundary ---- */

START_TEST(boundaries_are_found)
{
    struct str line = STR_INIT;
    struct slice nonce;
    str_adds(&line, "> ");
    reply_boundary(&line, slice_of(NONCE));
    ck_assert_str_eq(line.p, "> #-" NONCE "-#");
    ck_assert_uint_eq(reply_boundary_find(slice_str(&line), &nonce), 2);
    ck_slice_eq(nonce, NONCE);
    ck_assert_uint_eq(reply_boundary_find(slice_of("#-#-" OTHER "-#"), &nonce), 2);
    ck_assert_uint_eq(reply_boundary_find(slice_of("#-" NONCE "-"), &nonce), (size_t)-1);
    ck_assert_uint_eq(reply_boundary_find(slice_of("#-" NONCE "a-#"), &nonce), (size_t)-1);
    str_release(&line);
}
END_TEST

/* ---- templates ---- */

/* What players and others write freely. A text mail has it in one line (report/mustache.h); a text of several
 * lines comes as a list, whose lines must not begin with it: "|| {{line}}" gives "| " and the line. */
static bool is_free_text(struct slice name)
{
    static const char *const names[] = {"line", "text", "words", "said", "order", "message", "comment"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_eq(name, names[i]))
            return true;
    return false;
}

/* Lines of these are the program's own, or are not mailed to players. */
static bool is_ours(const char *path)
{
    static const char *const files[] = {
        "answers",       /* ready forms to be signed */
        "form",          /* the same, of orders */
        "text_form",     /* the same, of other texts */
        "confirm",       /* the text that is to be sent back: checked names and keys */
        "key_asked",     /* the same */
        "explain_draws", /* how a draw was computed */
        "log_record",    /* of the command, for a screen */
        "refused",       /* sentences of the program */
        "bounced",       /* the same */
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct slice name = slice_of(path + strlen("templates/common/"));
        if (str_starts(path, "templates/common/") && slice_starts(name, files[i]) &&
            slice_eq(slice_sub(name, strlen(files[i]), name.len), ".txt"))
            return true;
    }
    return false;
}

/* The name that a template's line begins with, sections left out; empty when it begins with a word of ours. */
static struct slice first_insertion(struct slice line)
{
    line = slice_trim(slice_sub(line, slice_starts(line, "|"), line.len));
    while (slice_starts(line, "{{")) {
        size_t end = slice_find(line, "}}");
        if (end == (size_t)-1)
            break;
        struct slice name = slice_sub(line, 2, end - 2);
        while (slice_starts(name, "{") || slice_starts(name, "&"))
            name = slice_sub(name, 1, name.len);
        if (name.len && !strchr("#^/>!", name.p[0]))
            return name;
        line = slice_trim(slice_sub(line, end + 2, line.len));
    }
    return (struct slice){"", 0};
}

START_TEST(no_line_of_a_mail_begins_with_words_of_others)
{
    size_t seen = 0;
    for (const struct embed *file = embed_table; file->path; file++) {
        struct slice rest = {(const char *)file->bytes, (size_t)(file->end - file->bytes)}, line;
        if (!str_starts(file->path, "templates/") || !str_ends(file->path, ".txt") ||
            str_ends(file->path, ".subject.txt"))
            continue;
        seen++;
        while (slice_line(&rest, &line)) {
            struct slice nonce, name = first_insertion(line);
            ck_assert_msg(!is_free_text(name) || is_ours(file->path), "%s: a line begins with {{%.*s}}",
                          file->path, (int)name.len, name.p);
            ck_assert_msg(!slice_starts(line, "{{{"), "%s inserts bytes as they are", file->path);
            ck_assert_msg(reply_boundary_find(line, &nonce) == (size_t)-1, "%s holds a boundary", file->path);
        }
    }
    ck_assert_uint_gt(seen, 50);
}
END_TEST

#define COUNT(table) (int)(sizeof table / sizeof *table)

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, mail_begin, NULL);
    tcase_add_test(tc, reads_replies_of_real_programs);
    tcase_add_test(tc, no_other_field_changes_anything);
    tcase_add_test(tc, no_space_changes_anything);
    tcase_add_test(tc, the_page_says_what_the_text_says);
    tcase_add_test(tc, a_field_that_comes_twice_is_ambiguous);
    tcase_add_loop_test(tc, the_text_ends_where_it_must, 0, COUNT(ends));
    tcase_add_loop_test(tc, what_stands_above_the_quote_is_told, 0, COUNT(leads));
    tcase_add_loop_test(tc, press_never_becomes_orders, 0, COUNT(smuggles));
    tcase_add_loop_test(tc, press_never_becomes_orders_unsigned, 0, COUNT(smuggles));
    tcase_add_test(tc, what_cannot_be_seen_is_told);
    tcase_add_loop_test(tc, what_cannot_be_seen_is_refused, 0, COUNT(unseen));
    tcase_add_loop_test(tc, what_the_page_hides_is_refused, 0, COUNT(hiding));
    tcase_add_test(tc, the_text_beside_a_page);
    tcase_add_test(tc, a_comment_is_not_read);
    tcase_add_loop_test(tc, what_mail_programs_write_is_seen, 0, COUNT(shown));
    tcase_add_loop_test(tc, quotes_end_where_their_blocks_do, 0, COUNT(blocks));
    tcase_add_loop_test(tc, an_unsigned_body_has_one_reading, 0, COUNT(readings));
    tcase_add_test(tc, one_field_may_be_signed);
    tcase_add_test(tc, without_a_nonce_nothing_is_certain);
    tcase_add_test(tc, versions_that_are_not_known_are_named);
    tcase_add_test(tc, limits_are_kept);
    tcase_add_test(tc, boundaries_are_found);
    tcase_add_test(tc, no_line_of_a_mail_begins_with_words_of_others);
}
TEST_MAIN_TOGETHER("mail/reply", cases)
