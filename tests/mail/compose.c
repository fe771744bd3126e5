#include "mail/compose.h"
#include "mails.h"
#include "scratch.h"

#include <stdio.h>

#include "base/encode.h"

#define UUML "\xC3\xBC"

static struct letter simple(void)
{
    return (struct letter){.from = "league@example.org",
                           .from_name = "Sunday League",
                           .to = "alice@example.net",
                           .subject = "gc-17: turn 5",
                           .message_id = "gc-17.12.1@example.org",
                           .loop = "league.example.org",
                           .date = 1795161600,
                           .text = "head: gc-17 12 4f9a\n\nWell done.\n"};
}

START_TEST(plain_mail_byte_by_byte)
{
    struct letter letter = simple();
    struct str out = STR_INIT;
    letter.reply = true;
    letter.reply_to = "league+gc-17@example.org";
    letter.in_reply_to = "m1@example.net";
    letter.references = "<m0@example.net> <m1@example.net>";
    letter.list_id = "gc-17.games.example.org";
    compose(&out, &letter);
    ck_assert_str_eq(out.p, "Date: Fri, 20 Nov 2026 08:00:00 +0000\r\n"
                            "From: Sunday League <league@example.org>\r\n"
                            "To: alice@example.net\r\n"
                            "Reply-To: league+gc-17@example.org\r\n"
                            "Subject: gc-17: turn 5\r\n"
                            "Message-ID: <gc-17.12.1@example.org>\r\n"
                            "In-Reply-To: <m1@example.net>\r\n"
                            "References: <m0@example.net> <m1@example.net>\r\n"
                            "List-Id: <gc-17.games.example.org>\r\n"
                            "List-Unsubscribe: <mailto:league@example.org?subject=stop>\r\n"
                            "Auto-Submitted: auto-replied\r\n"
                            "X-Auto-Response-Suppress: All\r\n"
                            "x-ms-reactions: disallow\r\n"
                            "X-Loop: league.example.org\r\n"
                            "MIME-Version: 1.0\r\n"
                            "Content-Type: text/plain; charset=us-ascii\r\n"
                            "Content-Transfer-Encoding: 7bit\r\n"
                            "\r\n"
                            "head: gc-17 12 4f9a\r\n\r\nWell done.\r\n");
    str_release(&out);
}
END_TEST

START_TEST(few_fields_when_little_is_given)
{
    struct letter letter = simple();
    struct str out = STR_INIT;
    compose(&out, &letter);
    ck_assert_ptr_null(strstr(out.p, "Reply-To:"));
    ck_assert_ptr_null(strstr(out.p, "References:"));
    ck_assert_ptr_null(strstr(out.p, "List-"));
    ck_assert_ptr_null(strstr(out.p, "Precedence:"));
    ck_assert_ptr_nonnull(strstr(out.p, "\r\nAuto-Submitted: auto-generated\r\n"));
    str_release(&out);
}
END_TEST

/* ---- what holds for every mail ---- */

static const char json[] = "{\"turn\":5}";
static const char binary[] = "\0\1\2\xFF\r\n.\r\n";
static const char signature[] =
    "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQ==\n-----END SSH SIGNATURE-----\n";
static const struct letter_file some_files[] = {
    {"view.json", "application/json", {json, sizeof json - 1}},
    {"orders.txt.sig", "text/plain", {signature, sizeof signature - 1}},
    {"a folder/Z" UUML "ge f" UUML "r alle Spieler, die es gar nicht wissen wollten.bin",
     "application/octet-stream",
     {binary, sizeof binary - 1}},
    {"", "text/plain", {"no end of line", 14}},
    {"empty", "text/plain", {NULL, 0}},
    {"blanks.txt", "text/plain", {"From here \n", 11}},
    {"a very long plain name of a file that does not fit in one line of a header.txt",
     "text/plain",
     {"x\n", 2}},
    {"quote\".txt", "text/plain; x=y\r\nBcc: a@b", {"\xFF", 1}},
};

#define NAME_300                                                                                         \
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb ccccccccccccccccccccccccccc " \
    "dddddddd"

static const struct {
    const char *from_name, *to_name, *subject, *text, *html;
    size_t files;
} letters[] = {
    {"League", "Alice", "short", "text\n", NULL, 0},
    {NULL, NULL, "", "", NULL, 0},
    {"", "", "x", "no line end", NULL, 0},
    {"Z" UUML "ge", "J" UUML "rg \"the Rat\" O'Neill", "Z" UUML "ge f" UUML "r gc-17", "Z" UUML "ge\n", NULL,
     0},
    {"Smith, John", "a.b", "a =?utf-8?Q?b?= c", "=3D = =\n", NULL, 0},
    {"back\\slash \"quoted\"", "(comment)", "two  blanks", "tab\tand trailing \n", NULL, 0},
    {NAME_300, NAME_300 UUML, NAME_300 " " NAME_300, "x\n", NULL, 0},
    {"L", "A", "wordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordword", "x\n",
     NULL, 0},
    {"L", "A",
     UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML
         UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML UUML
             UUML UUML "x",
     "x\n", NULL, 0},
    {"L", "A", "\xF0\x9F\x9A\x80 launch", "\xF0\x9F\x9A\x80\n.\n..\nFrom me\n- \n-- \n\n\n", NULL, 0},
    {"L", "A", "78 and 79",
     "012345678901234567890123456789012345678901234567890123456789012345678901234567\n", NULL, 0},
    {"L", "A", "78 and 79",
     "0123456789012345678901234567890123456789012345678901234567890123456789012345678\n", NULL, 0},
    {"L", "A", "long lines",
     "0123456789012345678901234567890123456789012345678901234567890123456789012. 4 " NAME_300 NAME_300 UUML
     "\n",
     NULL, 0},
    {"L", "A", "html", "text\n", "<p>text</p>\n", 0},
    {"L", "A", "html", "text\n", "<p style=\"x\">Z" UUML "ge</p>\n", 0},
    {"L", "A", "files", "text\n", NULL, sizeof some_files / sizeof *some_files},
    {"L", "A", "all", "Z" UUML "ge\n", "<p>Z" UUML "ge</p>", sizeof some_files / sizeof *some_files},
    {"L", "A", "bell \a and escape \x1B in a text", "bell \a\n", NULL, 0},
};

static struct letter make(int i)
{
    struct letter letter = simple();
    letter.from_name = letters[i].from_name;
    letter.to_name = letters[i].to_name;
    letter.subject = letters[i].subject;
    letter.text = letters[i].text;
    letter.html = letters[i].html;
    letter.files = some_files;
    letter.file_count = letters[i].files;
    return letter;
}

START_TEST(lines_are_short_ascii_and_end_with_crlf)
{
    struct letter letter = make(_i);
    struct str out = STR_INIT;
    struct str again = STR_INIT;
    compose(&out, &letter);
    compose(&again, &letter);
    ck_str_eq(again, out.p);
    size_t col = 0;
    for (size_t i = 0; i < out.len; i++, col++) {
        ck_assert_msg(out.p[i] != 0 && (unsigned char)out.p[i] < 0x7F, "byte %d", out.p[i]);
        if (out.p[i] == '\r')
            ck_assert_int_eq(out.p[i + 1], '\n');
        if (out.p[i] == '\n') {
            ck_assert_int_eq(out.p[i - 1], '\r');
            ck_assert_msg(col <= 79, "a line of %zu bytes: %.*s", col - 1, (int)col, out.p + i - col);
            col = (size_t)-1;
        }
    }
    ck_assert(str_ends(out.p, "\r\n"));
    str_release(&again);
    str_release(&out);
}
END_TEST

/* What a text becomes on its way: a line end at its end. */
static void with_end(struct str *out, const char *text)
{
    str_clear(out);
    str_adds(out, text);
    if (!str_ends(text, "\n"))
        str_addc(out, '\n');
}

static void same_file(const struct message_part *part, const struct letter_file *file)
{
    struct slice got = slice_str(&part->exact);
    struct str plain = STR_INIT;
    for (size_t i = 0; i < got.len; i++) /* the file that went as 7bit has got CRLF */
        if (got.p[i] != '\r' || file->bytes.p == binary)
            str_addc(&plain, got.p[i]);
    ck_assert_uint_eq(plain.len, file->bytes.len);
    if (plain.len)
        ck_assert_mem_eq(plain.p, file->bytes.p, plain.len);
    str_release(&plain);
}

START_TEST(our_reader_gets_it_back)
{
    struct letter letter = make(_i);
    struct str out = STR_INIT;
    struct str want = STR_INIT;
    compose(&out, &letter);
    struct parsed p = mail_read(slice_str(&out));
    ck_ok(p.result, p.err);
    ck_assert_int_eq(p.msg.kind, MAIL_OWN);
    ck_assert_str_eq(p.msg.from, "league@example.org");
    ck_assert_str_eq(p.msg.message_id, letter.message_id);
    if (strpbrk(letter.subject, "\a\x1B"))
        ck_assert_str_eq(p.msg.subject, "bell \xEF\xBF\xBD and escape \xEF\xBF\xBD in a text");
    else
        ck_assert_str_eq(p.msg.subject, letter.subject);
    if (strlen(letter.from_name ? letter.from_name : "") < 100)
        ck_assert_str_eq(p.msg.from_name, letter.from_name ? letter.from_name : "");
    size_t bodies = letter.html ? 2 : 1;
    ck_assert_uint_eq(p.msg.part_count, bodies + letter.file_count);
    with_end(&want, letter.text);
    ck_str_eq(p.msg.parts[0].shown, want.p);
    ck_assert_str_eq(p.msg.parts[0].type, "text/plain");
    if (letter.html)
        ck_assert_str_eq(p.msg.parts[1].type, "text/html");
    for (size_t i = 0; i < letter.file_count; i++)
        same_file(&p.msg.parts[bodies + i], &letter.files[i]);
    if (letter.file_count) {
        const struct message_part *files = p.msg.parts + bodies;
        ck_assert_str_eq(files[0].name, "view.json");
        ck_assert_str_eq(files[0].type, "application/json");
        ck_str_eq(files[1].exact,
                  "-----BEGIN SSH SIGNATURE-----\r\nU1NIU0lHAAAAAQ==\r\n-----END SSH SIGNATURE-----\r\n");
        ck_assert_str_eq(files[2].name,
                         "a folder_Z" UUML "ge f" UUML "r alle Spieler, die es gar nicht wissen wollten.bin");
        ck_assert_str_eq(files[3].name, "");
        ck_assert_str_eq(files[6].name, some_files[6].name);
        ck_assert_str_eq(files[7].name, "quote\".txt");
        ck_assert_str_eq(files[7].type, "text/plainxybccab"); /* a wrong type stays one line */
    }
    mail_free(&p);
    str_release(&want);
    str_release(&out);
}
END_TEST

/* ---- a second opinion ---- */

static void fact(struct str *out, const char *name, struct slice a, struct slice b, struct slice c)
{
    const struct slice values[] = {a, b, c};
    str_adds(out, name);
    for (size_t i = 0; i < 3; i++) {
        if (!values[i].p)
            continue;
        str_addc(out, ' ');
        hex_encode(out, values[i].p, values[i].len);
    }
    str_addc(out, '\n');
}

static const struct slice none = {NULL, 0};

/* The facts show_mail.py has to print for a letter. */
static void expect(struct str *out, const struct letter *letter)
{
    struct str body = STR_INIT;
    fact(out, "subject", slice_of(letter->subject), none, none);
    fact(out, "from", slice_of(letter->from_name ? letter->from_name : ""), slice_of(letter->from), none);
    fact(out, "to", slice_of(letter->to_name ? letter->to_name : ""), slice_of(letter->to), none);
    fact(out, "message-id", slice_of("<gc-17.12.1@example.org>"), none, none);
    fact(out, "date", slice_of("2026-11-20T08:00:00+00:00"), none, none);
    if (letter->file_count)
        fact(out, "tree", slice_of("multipart/mixed"), none, none);
    if (letter->html)
        fact(out, "tree", slice_of("multipart/alternative"), none, none);
    with_end(&body, letter->text);
    fact(out, "body", slice_of("text/plain"), slice_str(&body), none);
    if (letter->html) {
        with_end(&body, letter->html);
        fact(out, "body", slice_of("text/html"), slice_str(&body), none);
    }
    for (size_t i = 0; i < letter->file_count; i++)
        fact(out, "file", slice_of(letter->files[i].name), slice_of(letter->files[i].type),
             letter->files[i].bytes);
    str_release(&body);
}

/* What Python sees in the files of this folder, letter by letter; started once, as that takes longer than all it says. */
static void ask_python(struct str *out, const char *dir)
{
    struct str command = STR_INIT;
    str_addf(&command, "python3 tests/mail/show_mail.py %s/*", dir);
    FILE *pipe = popen(command.p, "r");
    ck_assert_ptr_nonnull(pipe);
    char buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        str_add(out, buffer, n);
    ck_assert_int_eq(pclose(pipe), 0);
    str_release(&command);
}

static const struct letter_file python_files[] = {
    {"view.json", "application/json", {json, sizeof json - 1}},
    {"Z" UUML "ge f" UUML "r alle Spieler, die es gar nicht wissen wollten.bin",
     "application/octet-stream",
     {binary, sizeof binary - 1}},
    {"a very long plain name of a file that does not fit in one line of a header.txt",
     "text/plain",
     {"x", 1}},
    {"quote\".txt", "text/plain", {"\xFF", 1}},
};

/* Into a file of the folder, and what Python has to say of it. */
static void for_python(struct str *want, const char *dir, int number)
{
    struct letter letter = make(number);
    struct str mail = STR_INIT, path = STR_INIT;
    struct err err = ERR_INIT;
    if (letter.file_count) {
        letter.files = python_files;
        letter.file_count = sizeof python_files / sizeof *python_files;
    }
    if (letter.from_name &&
        strlen(letter.from_name) > 60) /* Python 3.11 keeps the space between two encoded words */
        letter.from_name = letter.to_name = NULL;
    compose(&mail, &letter);
    if (strpbrk(letter.subject, "\a"))
        letter.subject = "bell \xEF\xBF\xBD and escape \xEF\xBF\xBD in a text";
    str_addf(&path, "%s/letter-%02d", dir, number);
    ck_ok(file_create(path.p, slice_str(&mail), 0600, &err), err);
    str_addf(want, "letter-%02d\n", number);
    expect(want, &letter);
    str_release(&mail);
    str_release(&path);
}

START_TEST(python_reads_the_same)
{
    struct str want = STR_INIT, got = STR_INIT;
    struct slice line, said, letter = {NULL, 0};
    char dir[SCRATCH_PATH];
    scratch_make(dir, "compose");
    for (int i = 0; i < (int)(sizeof letters / sizeof *letters); i++)
        for_python(&want, dir, i);
    ask_python(&got, dir);
    scratch_remove(dir);
    struct slice wanted = slice_str(&want), rest = slice_str(&got);
    while (slice_line(&wanted, &line)) {
        letter = slice_starts(line, "letter-") ? line : letter;
        said = slice_of("nothing more");
        (void)slice_line(&rest, &said);
        ck_assert_msg(said.len == line.len && memcmp(said.p, line.p, line.len) == 0,
                      "%.*s: got \"%.*s\", want \"%.*s\"", (int)letter.len, letter.p, (int)said.len, said.p,
                      (int)line.len, line.p);
    }
    ck_assert_uint_eq(rest.len, 0);
    str_release(&got);
    str_release(&want);
}
END_TEST

/* ---- attacks ---- */

START_TEST(no_value_injects_a_field)
{
    static const char evil[] = "x\r\nBcc: victim@example.com\r\n\r\nbody";
    static const struct letter_file file = {evil, evil, {"x", 1}};
    struct letter letter = simple();
    letter.from = letter.to = letter.reply_to = letter.from_name = letter.to_name = evil;
    letter.subject = letter.message_id = letter.in_reply_to = letter.references = letter.list_id = evil;
    letter.loop = evil;
    letter.files = &file;
    letter.file_count = 1;
    struct str out = STR_INIT;
    compose(&out, &letter);
    ck_assert_ptr_null(strstr(out.p, "\nBcc:"));
    const char *end = strstr(out.p, "\r\n\r\n");
    ck_assert_ptr_nonnull(end);
    ck_assert(str_starts(end, "\r\n\r\n--=_"));
    str_release(&out);
}
END_TEST

/* A player who computes the boundary cannot put a part of his own into somebody's mail. */
START_TEST(boundary_never_stands_in_the_letter)
{
    struct letter letter = simple();
    struct str first = STR_INIT;
    struct str text = STR_INIT;
    struct str second = STR_INIT;
    letter.html = "<p>x</p>\n";
    compose(&first, &letter);
    const char *at = strstr(first.p, "\r\n--=_");
    ck_assert_ptr_nonnull(at);
    str_addf(&text, "press:%.*s\nContent-Type: text/html\n\n<p>evil</p>\n", 37, at + 1);
    letter.text = text.p;
    compose(&second, &letter);
    struct parsed p = mail_read(slice_str(&second));
    ck_ok(p.result, p.err);
    ck_assert_uint_eq(p.msg.part_count, 2);
    ck_str_eq(p.msg.parts[0].shown, text.p);
    mail_free(&p);
    str_release(&second);
    str_release(&text);
    str_release(&first);
}
END_TEST

START_TEST(bad_bytes_are_made_safe)
{
    struct letter letter = simple();
    struct str out = STR_INIT;
    letter.subject = "a\xFF"
                     "b";
    letter.text = "a\xFF"
                  "b\x1B\n";
    letter.date = -5;
    compose(&out, &letter);
    struct parsed p = mail_read(slice_str(&out));
    ck_ok(p.result, p.err);
    ck_assert_str_eq(p.msg.subject, "a\xEF\xBF\xBD"
                                    "b");
    ck_str_eq(p.msg.parts[0].shown, "a\xEF\xBF\xBD"
                                    "b\xEF\xBF\xBD\n");
    ck_assert(str_starts(out.p, "Date: Thu, 1 Jan 1970 00:00:00 +0000\r\n"));
    mail_free(&p);
    str_release(&out);
}
END_TEST

/* The signed head of a report can be cut out of the raw mail with sed. */
START_TEST(ascii_text_is_untouched)
{
    struct letter letter = simple();
    struct str out = STR_INIT;
    struct str raw = STR_INIT;
    letter.text =
        "head: gc-17 12 4f9a\n-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQ==\n-----END SSH SIGNATURE-----\n"
        "\nFrom Earth to Mars = 5 \n.\n";
    letter.html = "<p>\xC3\xBC</p>";
    compose(&out, &letter);
    for (size_t i = 0; i < out.len; i++)
        if (out.p[i] != '\r')
            str_addc(&raw, out.p[i]);
    ck_assert_ptr_nonnull(strstr(raw.p, letter.text));
    str_release(&raw);
    str_release(&out);
}
END_TEST

START_TEST(many_references_are_folded)
{
    struct letter letter = simple();
    struct str ids = STR_INIT;
    struct str out = STR_INIT;
    for (int i = 0; i < 20; i++)
        str_addf(&ids, "%s<%d.0123456789012345678901234567890123456789@example.org>", i ? " " : "", i);
    letter.references = ids.p;
    letter.message_id = "0123456789012345678901234567890123456789012345678901234567890123456789@example.org";
    compose(&out, &letter);
    struct parsed p = mail_read(slice_str(&out));
    ck_assert_str_eq(p.msg.message_id, letter.message_id);
    ck_assert(str_starts(p.msg.references, "<1.0123"));
    ck_assert(str_ends(p.msg.references, "789@example.org>"));
    mail_free(&p);
    str_release(&out);
    str_release(&ids);
}
END_TEST

static void cases(TCase *tc)
{
    int count = sizeof letters / sizeof *letters;
    tcase_add_unchecked_fixture(tc, mail_begin, NULL);
    tcase_add_test(tc, plain_mail_byte_by_byte);
    tcase_add_test(tc, few_fields_when_little_is_given);
    tcase_add_loop_test(tc, lines_are_short_ascii_and_end_with_crlf, 0, count);
    tcase_add_loop_test(tc, our_reader_gets_it_back, 0, count);
    tcase_add_test(tc, python_reads_the_same);
    tcase_add_test(tc, no_value_injects_a_field);
    tcase_add_test(tc, boundary_never_stands_in_the_letter);
    tcase_add_test(tc, bad_bytes_are_made_safe);
    tcase_add_test(tc, ascii_text_is_untouched);
    tcase_add_test(tc, many_references_are_folded);
}
TEST_MAIN_TOGETHER("mail/compose", cases)
