/* The address of the order page, links to it, and the page that was written last. */
#include "base/file.h"
#include "league/page_url.h"
#include "scratch.h"
#include "suite.h"

static void refuse(const char *url, const char *words)
{
    struct err err = ERR_INIT;
    ck_assert_msg(page_url_check(url, &err) == -1, "%s is accepted", url);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    ck_assert_msg(strstr(err.text, words) != NULL, "%s: %s", url, err.text);
}

START_TEST(addresses)
{
    static const char *const good[] = {"https://play.example.org/", "https://example.org/a/b-c_d~1/",
                                       "https://xn--4ca.example/"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct err err = ERR_INIT;
        ck_ok(page_url_check(good[i], &err), err);
    }
    refuse("http://play.example.org/", "https://");
    refuse("play.example.org/", "https://");
    refuse("https://", "name of a host");
    refuse("https:///", "name of a host");
    refuse("https://localhost/", "name of a host");
    refuse("https://192.0.2.1/", "name of a host");
    refuse("https://[2001:db8::1]/", "name of a host");
    refuse("https://Play.example.org/", "name of a host");
    refuse("https://play.example.org:8443/", "name of a host");
    refuse("https://anna@play.example.org/", "name of a host");
    refuse("https://play.example.org./", "name of a host");
    refuse("https://play..example.org/", "name of a host");
    refuse("https://play.ex\xc3\xa4mple.org/", "name of a host");
    refuse("https://play.example.org", "folder");
    refuse("https://play.example.org/index.html", "folder");
    refuse("https://play.example.org/?a=b/", "folder");
    refuse("https://play.example.org/#/", "folder");
    refuse("https://play.example.org/a b/", "folder");
    refuse("https://play.example.org/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/", "longer");
    ck_slice_eq(page_url_host("https://play.example.org/a/"), "play.example.org");
    ck_assert(page_url_alone("https://play.example.org/"));
    ck_assert(!page_url_alone("https://example.github.io/page/"));
}
END_TEST

static void links(const char *url, const struct page_place *place, const char *want)
{
    struct str link = STR_INIT;
    page_link(&link, url, place);
    ck_assert_str_eq(link.p, want);
    str_release(&link);
}

#define HEAD "4f9a0c2b7d1e8a63052c9a4be0d7f1a6c3b85d29e4f07a1b6d8c3e5f9a20b74c"

START_TEST(what_a_link_says)
{
    static const char url[] = "https://play.example.org/";
    links(url, &(struct page_place){.game = ""}, url);
    links(url, &(struct page_place){"gc-17", 5, 2, HEAD},
          "https://play.example.org/#g=gc-17&t=5&h=4f9a0c2b&s=2");
    links(url, &(struct page_place){"gc-17", 5, 0, NULL}, "https://play.example.org/#g=gc-17&t=5");
    links(url, &(struct page_place){"a-name-of-twenty-eight-bytes", 5, 2, HEAD},
          "https://play.example.org/#g=a-name-of-twenty-eight-bytes&t=5");
    links("https://a-very-long-name.of-a-host.example.org/orders/", &(struct page_place){"gc-17", 5, 2, HEAD},
          "https://a-very-long-name.of-a-host.example.org/orders/#g=gc-17&t=5");
}
END_TEST

/* Of any address and any name a link is below 70 columns, begins as it has to, and says less rather than half. */
START_TEST(no_link_breaks)
{
    for (size_t host = 5; host <= PAGE_URL_MOST - 9; host++)
        for (size_t name = 1; name <= 32; name++)
            for (int turn = 1; turn < 10000; turn *= 9) {
                struct str url = STR_INIT, link = STR_INIT;
                struct err err = ERR_INIT;
                char game[33] = "";
                memset(game, 'g', name);
                str_adds(&url, "https://");
                for (size_t i = 0; i < host - 3; i++)
                    str_addc(&url, 'h');
                str_adds(&url, ".de/");
                if (page_url_check(url.p, &err) == 0) {
                    page_link(&link, url.p, &(struct page_place){game, turn, 8, HEAD});
                    ck_assert_uint_lt(link.len, 70);
                    ck_assert(str_starts(link.p, url.p));
                    ck_assert(link.len == url.len || link.p[url.len] == '#');
                    const char *head = strstr(link.p, "&h="), *seat = strstr(link.p, "&s=");
                    ck_assert(!head || strspn(head + 3, "0123456789abcdef") == 8);
                    ck_assert(!seat || (head && strcmp(seat, "&s=8") == 0));
                }
                str_release(&url);
                str_release(&link);
            }
}
END_TEST

static void written_as(const char *text, enum err_code code, int version)
{
    char dir[SCRATCH_PATH];
    struct page_written page;
    struct err err = ERR_INIT;
    scratch_make(dir, "page");
    char *folder = path_join(dir, "registry");
    ck_ok(file_mkdirs(folder, 0700, &err), err);
    free(folder);
    char *path = path_join(dir, PAGE_DOCUMENT);
    if (text)
        ck_ok(file_write_soft(path, slice_of(text), 0600, &err), err);
    ck_assert_int_eq(page_written_read(dir, &page, &err), code == ERR_NONE ? 0 : -1);
    ck_assert_int_eq(err.code, code);
    ck_assert_int_eq(page.version, version);
    free(path);
    scratch_remove(dir);
}

START_TEST(what_was_written)
{
    written_as(NULL, ERR_NONE, 0);
    written_as("{\"version\":3,\"sha256\":\"" HEAD "\",\"url\":\"https://play.example.org/\"}", ERR_NONE, 3);
    written_as("{\"version\":3,\"sha256\":\"" HEAD "\",\"url\":\"https://play.example.org/\",\"by\":\"x\"}",
               ERR_NEWER, 0);
    written_as("{\"version\":0,\"sha256\":\"" HEAD "\",\"url\":\"https://play.example.org/\"}", ERR_BROKEN,
               0);
    written_as("{\"version\":3,\"sha256\":\"4f9a\",\"url\":\"https://play.example.org/\"}", ERR_BROKEN, 0);
    written_as("{\"version\":3,\"sha256\":\"" HEAD "\",\"url\":\"http://play.example.org/\"}", ERR_BROKEN, 0);
    written_as("{\"version\":3,\"sha256\":\"" HEAD "\"}", ERR_BROKEN, 0);
    written_as("nonsense", ERR_BROKEN, 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, addresses);
    tcase_add_test(tc, what_a_link_says);
    tcase_add_test(tc, no_link_breaks);
    tcase_add_test(tc, what_was_written);
}
TEST_MAIN_TOGETHER("league/page_url", cases)
