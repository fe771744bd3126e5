/* A picture in a mail that is composed already. */
#include "mail/illustrate.h"

#include "mail/compose.h"
#include "mail/message.h"
#include "base/mem.h"
#include "scratch.h"

#define ADDRESS "league@example.org"
#define PAGE    "<html><body>\n<h1>Game</h1>\n" ILLUSTRATE_HERE "\n<p>Table</p>\n</body></html>\n"
#define SHOWN   "<p><img src=\"cid:abc@example.org\"\nalt=\"the board\"></p>\n"

static const struct letter plain = {
    .from = ADDRESS,
    .from_name = "League",
    .to = "anna@example.net",
    .subject = "[gc-1] Turn 2",
    .message_id = "gc-1.7.1@example.org",
    .date = 1795176000,
    .text = "Turn 2\n",
    .html = PAGE,
};
static const struct illustration board = {
    .page = {SHOWN, sizeof SHOWN - 1}, .cid = "abc@example.org", .png = {"\x89PNG\r\n\x1a\nbytes", 13}};

static void make(const struct letter *letter, struct str *mail)
{
    str_clear(mail);
    compose(mail, letter);
}

static void read_mail(const struct str *mail, struct message *msg)
{
    const char *own[] = {ADDRESS};
    struct err err = ERR_INIT;
    ck_ok(message_parse(slice_str(mail), &message_limits_default,
                        &(struct message_identity){own, 1, "nobody", 0}, msg, &err),
          err);
}

static const struct message_part *part_of(const struct message *msg, const char *type)
{
    for (size_t i = 0; i < msg->part_count; i++)
        if (strcmp(msg->parts[i].type, type) == 0)
            return &msg->parts[i];
    ck_abort_msg("no part is %s", type);
    return NULL;
}

static bool holds(const struct str *text, const char *what)
{
    return slice_find(slice_str(text), what) != (size_t)-1;
}

/* The page shows it, the picture is there byte for byte, text and files are what they were. */
static void shown_in(const struct letter *letter)
{
    struct str before = STR_INIT, after = STR_INIT, again = STR_INIT;
    struct message was, is;
    make(letter, &before);
    ck_assert(illustrate(&after, slice_str(&before), &board));
    ck_assert(illustrate(&again, slice_str(&before), &board));
    ck_assert_str_eq(after.p, again.p);
    read_mail(&before, &was);
    read_mail(&after, &is);
    struct slice page = slice_str(&part_of(&is, "text/html")->exact);
    ck_assert(slice_find(page, "<h1>Game</h1>") < slice_find(page, "<img src=\"cid:abc@example.org\""));
    ck_assert(slice_find(page, "alt=\"the board\"></p>") < slice_find(page, "<p>Table</p>"));
    ck_assert(slice_find(page, ILLUSTRATE_HERE) == (size_t)-1);
    struct slice png = slice_str(&part_of(&is, "image/png")->exact);
    ck_assert_uint_eq(png.len, board.png.len);
    ck_assert(memcmp(png.p, board.png.p, png.len) == 0);
    ck_assert(holds(&after, "Content-ID: <abc@example.org>\r\n"));
    ck_assert_str_eq(is.parts[0].exact.p, was.parts[0].exact.p);
    ck_assert_uint_eq(is.part_count, was.part_count + 1);
    /* Everything up to the page, header and text with its signature, is untouched. */
    size_t same = slice_find(slice_str(&before), "Content-Type: text/html");
    ck_assert(same != (size_t)-1 && memcmp(before.p, after.p, same) == 0);
    message_release(&was);
    message_release(&is);
    str_release(&before);
    str_release(&after);
    str_release(&again);
}

START_TEST(the_page_shows_it)
{
    shown_in(&plain);
}
END_TEST

START_TEST(in_quoted_printable)
{
    struct letter letter = plain;
    letter.html =
        "<html><body>\n<h1>Game</h1>\n" ILLUSTRATE_HERE "\n<p>Table</p>\n<p>ação</p>\n</body></html>\n";
    shown_in(&letter);
}
END_TEST

START_TEST(beside_files)
{
    static const struct letter_file files[] = {{"view.json", "application/json", {"{}", 2}},
                                               {"close.json", "application/json", {"{}", 2}}};
    struct letter letter = plain;
    letter.files = files;
    letter.file_count = 2;
    shown_in(&letter);
}
END_TEST

/* What players write is in the text as they wrote it, whatever it looks like. */
START_TEST(text_that_looks_like_a_mail)
{
    struct letter letter = plain;
    struct str mail = STR_INIT, text = STR_INIT;
    make(&plain, &mail);
    str_adds(&text,
             "bob says:\n" ILLUSTRATE_HERE "\nContent-Type: text/html; charset=us-ascii\n\n" ILLUSTRATE_HERE
             "\nContent-Type: multipart/alternative;\n boundary=\"=_x\"\n\n--=_x\n");
    for (size_t i = 0; i < mail.len; i++)
        if (mail.p[i] != '\r')
            str_addc(&text, mail.p[i]);
    letter.text = text.p;
    shown_in(&letter);
    str_release(&mail);
    str_release(&text);
}
END_TEST

static void none_in(const struct letter *letter)
{
    struct str mail = STR_INIT, out = STR_INIT;
    make(letter, &mail);
    ck_assert(!illustrate(&out, slice_str(&mail), &board));
    ck_assert_uint_eq(out.len, 0);
    str_release(&mail);
    str_release(&out);
}

START_TEST(no_place_for_it)
{
    static const struct letter_file file = {"page.html", "text/html", {PAGE, sizeof PAGE - 1}};
    struct letter letter = plain;
    letter.html = NULL;
    none_in(&letter);
    letter.text = PAGE;
    none_in(&letter);
    letter.files = &file;
    letter.file_count = 1;
    none_in(&letter);
    letter = plain;
    letter.html = "<html><body>A league's own template, without a line for it</body></html>\n";
    none_in(&letter);
    letter.html = "<html><body> " ILLUSTRATE_HERE " is not alone in its line</body></html>\n";
    none_in(&letter);
}
END_TEST

/* Cut anywhere, it is no mail of ours: no crash, and nothing is made of what has no end. */
START_TEST(cut_mails)
{
    struct str mail = STR_INIT;
    make(&plain, &mail);
    for (size_t len = 0; len < mail.len; len++) {
        struct str out = STR_INIT;
        char *part = mem_copy(mail.p, len ? len : 1); /* so that a sanitizer sees what is behind it */
        ck_assert(!illustrate(&out, (struct slice){part, len}, &board) || len + 2 >= mail.len);
        free(part);
        str_release(&out);
    }
    str_release(&mail);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_page_shows_it);
    tcase_add_test(tc, in_quoted_printable);
    tcase_add_test(tc, beside_files);
    tcase_add_test(tc, text_that_looks_like_a_mail);
    tcase_add_test(tc, no_place_for_it);
    tcase_add_test(tc, cut_mails);
}
TEST_MAIN_TOGETHER("mail/illustrate", cases)
