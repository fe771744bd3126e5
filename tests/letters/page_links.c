/* Mails of a league with an order page link to it, and say which page is the right one; those of other leagues do not speak of
 * it. The registry keeps which page was written. */
#include "house/house.h"
#include "house/mailed.h"

#include "league/registry_compact.h"

static struct house house;
static const char *const table[] = {"anna", "bob"};

#define URL  "https://play.example.org/"
#define SHA  "4f9a0c2b7d1e8a63052c9a4be0d7f1a6c3b85d29e4f07a1b6d8c3e5f9a20b74c"
#define NEXT "00000000000000000000000000000000000000000000000000000000000000ff"

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

static void with_page(const char *line)
{
    house_option(&house, "[league]", line);
    house_restart(&house);
}

/* As `turnpost page` does. */
static void write_page(int version, const char *sha256)
{
    struct err err = ERR_INIT;
    struct page_written page = {.version = version, .url = URL};
    (void)snprintf(page.sha256, sizeof page.sha256, "%s", sha256);
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "page", .page = &page}, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* Lines of the mails to a player that begin so; the first is copied. */
static int lines_of(const char *player, const char *front, char first[200])
{
    struct str mails;
    struct slice rest, line;
    int count = 0;
    (void)house_mails(&house, player, &mails);
    rest = slice_str(&mails);
    while (slice_line(&rest, &line)) {
        if (!slice_starts(line, front))
            continue;
        if (count++ == 0)
            (void)snprintf(first, 200, "%.*s", (int)line.len, line.p);
    }
    str_release(&mails);
    return count;
}

START_TEST(a_report_links_to_the_page)
{
    char link[200], page[200], want[200];
    with_page("page_url = " URL);
    write_page(3, SHA);
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    const struct game *game = house_find(&house, "gc-1");
    char head[2 * HEAD_BYTES + 1];
    hex_to(head, game->head, HEAD_BYTES);
    ck_assert_int_eq(lines_of("bob", URL, link), 1);
    (void)snprintf(want, sizeof want, URL "#g=gc-1&t=1&h=%.8s&s=2", head);
    ck_assert_str_eq(link, want);
    ck_assert_int_eq(lines_of("bob", "page 3: ", page), 1);
    ck_assert_str_eq(page, "page 3: " SHA);
}
END_TEST

START_TEST(other_leagues_do_not_speak_of_it)
{
    char line[200];
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    ck_assert_int_eq(lines_of(NULL, "https://", line), 0);
    struct str mails;
    (void)house_mails(&house, "anna", &mails);
    ck_assert(!strstr(mails.p, "browser"));
    str_release(&mails);
}
END_TEST

/* Nobody has written one, or it was written for another address: the link is there, and no digest. */
START_TEST(no_digest_of_another_page)
{
    char line[200];
    with_page("page_url = https://orders.example.org/");
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    ck_assert_int_eq(lines_of("anna", "https://orders.example.org/#", line), 1);
    ck_assert_int_eq(lines_of("anna", "page ", line), 0);
    house_empty_spool(&house);
    write_page(1, SHA);
    house_game(&house, "gc-2", "galaxy-command", 86400, 2, table);
    ck_assert_int_eq(lines_of("anna", "https://orders.example.org/#", line), 1);
    ck_assert_int_eq(lines_of("anna", "page ", line), 0);
}
END_TEST

START_TEST(receipts_and_answers_link_to_it)
{
    char line[200];
    with_page("page_url = " URL);
    house_option(&house, "[league]", "registration = open");
    house_restart(&house);
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n");
    ck_assert_int_eq(lines_of("anna", URL "#g=gc-1&t=1&h=", line), 1);
    house_empty_spool(&house);
    (void)house_mail(&house, "zoe", "register", "");
    ck_assert_int_eq(lines_of("zoe", URL, line), 1);
    ck_assert_str_eq(line, URL); /* no game, and no word that opens anything */
}
END_TEST

/* The part of a player's mail that is a page. */
static void html_of(struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    const char *own[] = {HOUSE_ADDRESS};
    str_init(out);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        struct message msg;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default,
                            &(struct message_identity){own, 1, HOUSE_ADDRESS, 0}, &msg, &err),
              err);
        for (size_t k = 0; k < msg.part_count; k++)
            if (strcmp(msg.parts[k].type, "text/html") == 0)
                for (size_t at = 0; at < msg.parts[k].exact.len; at++)
                    if (msg.parts[k].exact.p[at] != '\r')
                        str_addc(out, msg.parts[k].exact.p[at]);
        message_release(&msg);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
}

/* The link carries nothing large, and what proves the mail is in its attachment. */
START_TEST(mails_lead_to_the_page)
{
    struct str html;
    with_page(_i ? "page_url = " URL : "page_verified = no");
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nhtml: yes\n#end\n");
    house_empty_spool(&house);
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    html_of(&html);
    ck_assert(strstr(html.p, "</body>"));
    ck_assert(!strstr(html.p, PROOF_PLACE));
    ck_assert_int_eq(strstr(html.p, "<a href=\"" URL "#g=gc-1&amp;t=1&amp;h=") != NULL, _i);
    str_release(&html);
}
END_TEST

/* What ends the mail is among the page's words, with their margins. */
START_TEST(pages_that_are_answered_by_reply_are_closed)
{
    static const char *const players[] = {"anna", "xia"};
    struct err err = ERR_INIT;
    struct str html;
    with_page("page_url = " URL "\ntrust = mail");
    house_mailer(&house, "xia");
    struct player xia = *registry_find(&house.batch.registry, "xia");
    xia.html = true;
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "prefs", .player = &xia}, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_empty_spool(&house);
    house.by_mail = true;
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, players);
    html_of(&html);
    ck_assert(strstr(html.p, "#-\n</small>\n</div>\n</body>"));
    str_release(&html);
}
END_TEST

/* ---- the registry ---- */

static void is_page(int version, const char *sha256)
{
    ck_assert_int_eq(house.batch.registry.page.version, version);
    ck_assert_str_eq(house.batch.registry.page.sha256, sha256);
}

/* After a crash, of a journal that was compacted, and where the files are made from the journal. */
START_TEST(the_registry_knows_which_page)
{
    struct err err = ERR_INIT;
    is_page(0, "");
    write_page(1, SHA);
    write_page(2, NEXT);
    is_page(2, NEXT);
    house_end(&house);
    house_remove(&house, PAGE_DOCUMENT);
    house_remove(&house, "registry/applied");
    house_begin(&house);
    is_page(2, NEXT);
    ck_ok(registry_compact(&house.batch.log, house.now, &err), err);
    house_restart(&house);
    is_page(2, NEXT);
    write_page(3, SHA);
    house_restart(&house);
    is_page(3, SHA);
}
END_TEST

/* A damaged file stops nobody: mails leave without the digest. */
START_TEST(a_damaged_file_stops_no_mail)
{
    char line[200];
    struct err err = ERR_INIT;
    with_page("page_url = " URL);
    write_page(1, SHA);
    house_end(&house);
    char *path = house_path(&house, PAGE_DOCUMENT);
    ck_ok(file_write_soft(path, slice_of("nonsense"), 0600, &err), err);
    free(path);
    house_begin(&house);
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    ck_assert_int_eq(lines_of("anna", URL "#g=gc-1", line), 1);
    ck_assert_int_eq(lines_of("anna", "page ", line), 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_report_links_to_the_page);
    tcase_add_test(tc, other_leagues_do_not_speak_of_it);
    tcase_add_test(tc, no_digest_of_another_page);
    tcase_add_test(tc, receipts_and_answers_link_to_it);
    tcase_add_loop_test(tc, mails_lead_to_the_page, 0, 2);
    tcase_add_test(tc, pages_that_are_answered_by_reply_are_closed);
    tcase_add_test(tc, the_registry_knows_which_page);
    tcase_add_test(tc, a_damaged_file_stops_no_mail);
}
TEST_MAIN("letters/page_links", cases)
