/* The site of a whole league: after a round of work, when there is no time, when a game is broken, and who is shown. */
#include "batch/results.h"
#include "house/house.h"
#include "site/site.h"
#include "site/site_round.h"

#include <ftw.h>

static struct house h;
static char out[SCRATCH_PATH];

static const char *const people[] = {"anna", "bob"};

static void play(void)
{
    char line[SCRATCH_PATH + 16];
    house_open(&h);
    scratch_make(out, "pages");
    (void)snprintf(line, sizeof line, "folder = %s", out);
    house_option(&h, "[site]", line);
    house_restart(&h);
    for (size_t i = 0; i < 2; i++)
        house_player(&h, people[i]);
    house_game(&h, "gc-1", "galaxy-command", 86400, 2, people);
    house_game(&h, "gs-1", "galactic-supremacy", 86400, 2, people);
    house_game(&h, "gf-1", "galaxy-farmer", 86400, 1, people);
    house_clock(&h, h.now);
}

static void end(void)
{
    house_close(&h);
    scratch_remove(out);
}

/* What a file of the site holds; "" = it is not there. */
static void text_of(const char *name, struct str *text)
{
    struct err err = ERR_INIT;
    char *path = path_join(out, name);
    str_clear(text);
    if (file_exists(path))
        ck_ok(file_read(path, 1 << 20, text, &err), err);
    free(path);
}

static bool there(const char *name)
{
    struct str text = STR_INIT;
    text_of(name, &text);
    bool is = text.len > 0;
    str_release(&text);
    return is;
}

static bool shows(const char *name, const char *words)
{
    struct str text = STR_INIT;
    text_of(name, &text);
    bool does = strstr(text.p, words) != NULL;
    str_release(&text);
    return does;
}

static struct site_sum write_site(int64_t patience)
{
    struct err err = ERR_INIT;
    struct site_sum sum;
    const struct site site = {.league = &h.league,
                              .log = h.batch.tlog,
                              .folder = out,
                              .store = h.batch.store,
                              .catalog = h.batch.catalog,
                              .registry = &h.batch.registry,
                              .templates = h.batch.templates,
                              .now = h.now,
                              .patience = patience};
    ck_ok(site_write(&site, &sum, &err), err);
    return sum;
}

START_TEST(a_round_writes_it)
{
    play();
    site_round(&h.batch);
    ck_assert(there("index.html"));
    ck_assert(there("games/gc-1.html"));
    ck_assert(there("boards/gs-1.svg"));
    struct site_sum again = write_site(0);
    ck_assert_uint_eq(again.written + again.removed + again.rendered, 0);
    house_clock(&h, h.now + 2 * 86400); /* all turns are due */
    struct site_sum sum = write_site(0);
    ck_assert_uint_gt(sum.written, 3);
    ck_assert_msg(shows("boards/gc-1.svg", "id=\"turn-1\"") && !shows("boards/gc-1.svg", "id=\"turn-0\""),
                  "the picture is that of the new turn");
    end();
}
END_TEST

/* What is over does not change: nobody looks at its files after each round. `turnpost site` does. */
START_TEST(idle_rounds_do_not_look_at_what_is_over)
{
    play();
    for (int i = 0; i < 400 && !house_find(&h, "gf-1")->over; i++)
        house_clock(&h, h.now + 86400);
    ck_assert(house_find(&h, "gf-1")->over);
    (void)write_site(0);
    const char *const files[] = {"games/gf-1.html", "games/gc-1.html"};
    for (size_t i = 0; i < 2; i++) {
        struct err err = ERR_INIT;
        char *path = path_join(out, files[i]);
        ck_ok(file_remove(path, &err), err);
        free(path);
    }
    struct site_sum sum = write_site(SITE_PATIENCE);
    ck_assert(!there("games/gf-1.html") && sum.rendered == !house_find(&h, "gc-1")->over);
    (void)write_site(0);
    ck_assert(there("games/gf-1.html") && there("games/gc-1.html"));
    end();
}
END_TEST

/* ---- what is over: few files, which stay where they are ---- */

static json_t *given; /* addresses that pages and feeds have ever led to, from the root on */
static size_t bytes_of_gf, files_of_gf;

/* "games/gf-1.html" and "../boards/gf-1.svg#turn-3" -> "boards/gf-1.svg" */
static void give(const char *page, struct slice link)
{
    struct str path = STR_INIT;
    size_t end = slice_find(link, "#"), asked = slice_find(link, "?");
    const char *slash = strrchr(page, '/');
    size_t folder = slash ? (size_t)(slash + 1 - page) : 0;
    if (slice_find(link, ":") != (size_t)-1 || end == 0)
        return;
    if (asked != (size_t)-1) { /* check.html reads that file */
        give("check/check.html", slice_sub(link, asked + strlen("?game="), link.len));
        end = asked;
    }
    link = slice_sub(link, 0, end);
    for (; slice_starts(link, "../"); link = slice_sub(link, 3, link.len)) {
        ck_assert_msg(folder > 0, "%s leads out of the site", page);
        do
            folder--;
        while (folder > 0 && page[folder - 1] != '/');
    }
    str_addf(&path, "%.*s%.*s", (int)folder, page, (int)link.len, link.p);
    json_object_set_new(given, path.p, json_string(page));
    str_release(&path);
}

static int take_links(const char *path, const struct stat *st, int type, struct FTW *where)
{
    static const char *const marks[] = {"href=\"", "src=\""};
    const char *name = path + strlen(out) + 1;
    struct str text = STR_INIT;
    if (type == FTW_F && path[where->base] != '.') {
        bool gf = strstr(name, "gf-1") != NULL;
        files_of_gf += gf;
        bytes_of_gf += gf ? (size_t)st->st_size : 0;
    }
    if (str_ends(path, ".html") && !str_starts(name, "check/"))
        text_of(name, &text);
    for (size_t i = 0; i < 2; i++)
        for (const char *at = text.p; (at = strstr(at, marks[i]));) {
            at += strlen(marks[i]);
            give(name, (struct slice){at, strcspn(at, "\"")});
        }
    str_release(&text);
    return 0;
}

/* Whatever a page has led to while the game was played, when it ended and later: there is a file. A finished game has four, and
 * what it takes is known (src/site/README.md): who adds to it raises the figure here, and there. */
START_TEST(addresses_answer_for_ever_and_a_finished_game_is_small)
{
    const char *address;
    json_t *page;
    play();
    given = json_object();
    for (int i = 0, over = 0; over < 3;
         i++) { /* while it is played, as it has ended, and when its month is over */
        ck_assert_int_lt(i, 100);
        over += house_find(&h, "gf-1")->over;
        (void)write_site(0);
        bytes_of_gf = files_of_gf = 0;
        ck_assert_int_eq(nftw(out, take_links, 16, FTW_PHYS), 0);
        house_clock(&h, h.now + (over ? 40 : 1) * DAY_SECONDS);
    }
    ck_assert(json_object_get(given, "boards/gf-1.svg"));
    ck_assert_msg(json_object_size(given) > 25, "%zu addresses", json_object_size(given));
    json_object_foreach (given, address, page)
        ck_assert_msg(there(address), "%s led to %s, which is gone", json_string_value(page), address);
    ck_assert_uint_eq(files_of_gf, 4);
    ck_assert(there("games/gf-1.html") && there("games/gf-1.json") && there("boards/gf-1.svg"));
    ck_assert_msg(bytes_of_gf < 400000, "a finished game takes %zu bytes", bytes_of_gf);
    json_decref(given);
    end();
}
END_TEST

static size_t times(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

/* Without time no game is rendered, and nothing leads to a page that is not there; the next round goes on. */
START_TEST(a_round_without_time_leaves_the_rest)
{
    struct str text = STR_INIT;
    play();
    for (int i = 0; i < 200; i++) { /* until the first one of them takes longer than a millisecond */
        struct site_sum sum = write_site(1);
        text_of("running.html", &text);
        size_t pages = (size_t)there("games/gc-1.html") + there("games/gs-1.html") + there("games/gf-1.html");
        ck_assert_uint_eq(pages + sum.left, 3);
        ck_assert_uint_eq(times(text.p, ", due "), 3);
        ck_assert_int_eq(strstr(text.p, "games/gs-1.html") != NULL, there("games/gs-1.html"));
        if (sum.left == 0)
            break;
    }
    ck_assert(there("games/gc-1.html") && there("games/gs-1.html") && there("games/gf-1.html"));
    str_release(&text);
    end();
}
END_TEST

/* Nor are lists of many pages made all at once: the first page is, the others as there is time. A page that there was stays,
 * since others lead to it. */
START_TEST(lists_wait_as_well)
{
    play();
    for (int i = 0; i < SITE_LIST; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "more-%d", i);
        house_game(&h, name, "galaxy-farmer", 86400, 1, people);
    }
    struct site_sum sum = write_site(0);
    ck_assert(there("running.html") && there("running-2.html"));
    ck_assert_uint_eq(sum.left + sum.late, 0);
    h.league.config.site.awaited = !h.league.config.site.awaited; /* all pages are made again */
    sum = write_site(1);
    ck_assert_uint_gt(sum.left, 100);
    ck_assert_uint_eq(sum.late, 1);
    sum = write_site(0);
    ck_assert_uint_eq(sum.left + sum.late, 0);
    sum = write_site(0);
    ck_assert_uint_eq(sum.written + sum.rendered, 0);
    for (int i = 0; i < 4; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "#turnpost resign\ngame: more-%d\n#end\n", i);
        (void)house_signed(&h, "anna", "anna", text);
    }
    (void)write_site(0);
    ck_assert(shows("running.html", "There are 199.") && !shows("running.html", "running-2.html"));
    ck_assert(shows("running-2.html", "There are 199.") && !shows("running-2.html", "more-"));
    sum = write_site(0);
    ck_assert_uint_eq(sum.written + sum.rendered, 0);
    end();
}
END_TEST

/* A game that cannot be read keeps the page that it had; the others go on. */
START_TEST(a_broken_game_keeps_its_page)
{
    struct str before = STR_INIT, after = STR_INIT;
    struct err err = ERR_INIT;
    play();
    (void)write_site(0);
    text_of("games/gc-1.html", &before);
    h.unproved = true;
    house_clock(&h, h.now + 2 * 86400);
    char *journal = house_path(&h, "games/gc-1/journal.jsonl"),
         *state = house_path(&h, "games/gc-1/state.json");
    ck_ok(file_write(journal, slice_of("nonsense\n"), 0600, &err), err);
    ck_ok(file_remove(state, &err), err);
    struct site_sum sum = write_site(0);
    ck_assert_uint_eq(sum.broken, 1);
    text_of("games/gc-1.html", &after);
    ck_assert_str_eq(before.p, after.p);
    ck_assert(shows("boards/gs-1.svg", "id=\"turn-1\""));
    free(journal);
    free(state);
    str_release(&before);
    str_release(&after);
    end();
}
END_TEST

/* Who allows it has a page, and loses it when they no longer do. */
START_TEST(players_decide_themselves)
{
    play();
    (void)write_site(0);
    ck_assert(!there("players/anna.html"));
    struct player anna = *registry_find(&h.batch.registry, "anna");
    anna.is_public = true;
    registry_put(&h.batch.registry, &anna);
    (void)write_site(0);
    ck_assert(there("players/anna.html") && there("players/anna.json") && !there("players/bob.html"));
    anna.is_public = false;
    registry_put(&h.batch.registry, &anna);
    (void)write_site(0);
    ck_assert(!there("players/anna.html") && !there("players/anna.json"));
    end();
}
END_TEST

/* The lists that everybody gets by mail, where the league keeps ratings; nobody's is below nothing. */
START_TEST(ratings_have_a_page)
{
    struct str text = STR_INIT;
    struct err err = ERR_INIT;
    play();
    (void)write_site(0);
    text_of("index.html", &text);
    ck_assert(!there("ratings.html") && !strstr(text.p, "ratings.html"));
    house_option(&h, "[league]", "ratings = signed");
    house_restart(&h);
    (void)write_site(0);
    text_of("ratings.html", &text);
    ck_assert(strstr(text.p, "No game has been rated yet."));
    (void)house_signed(&h, "bob", "bob", "#turnpost resign\ngame: gc-1\n#end\n");
    for (int i = 0; i < 400 && !house_find(&h, "gc-1")->over; i++)
        house_clock(&h, h.now + 86401);
    ck_ok(results_work(&h.batch, &err), err);
    (void)write_site(0);
    text_of("ratings.html", &text);
    const char *list = strstr(text.p, "<h2>Galaxy Command</h2>");
    ck_assert(list && strstr(list, "<tr><td>1</td><th scope=\"row\">anna</th><td>3.44*</td><td>1</td>"));
    ck_assert(strstr(list, "<tr><td>2</td><th scope=\"row\">bob</th><td>0.00*</td><td>1</td>"));
    text_of("games/gs-1.html", &text);
    ck_assert(strstr(text.p, "<a href=\"../ratings.html\">Ratings</a>"));
    struct site_sum again = write_site(0);
    ck_assert_uint_eq(again.written + again.removed + again.rendered, 0);
    h.league.config.league.ratings = RATINGS_NO;
    (void)write_site(0);
    ck_assert(!there("ratings.html") && !there("ratings.json"));
    str_release(&text);
    end();
}
END_TEST

/* A folder that cannot be written stops nothing. */
START_TEST(a_site_that_fails_is_nobodys_trouble)
{
    struct err err = ERR_INIT;
    play();
    scratch_remove(out);
    ck_ok(file_write(out, slice_of("a file, no folder\n"), 0600, &err), err);
    site_round(&h.batch);
    house_clock(&h, h.now + 2 * 86400);
    ck_assert_int_gt(house_find(&h, "gc-1")->turn, 1);
    end();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, a_round_writes_it);
    tcase_add_test(tc, idle_rounds_do_not_look_at_what_is_over);
    tcase_add_test(tc, addresses_answer_for_ever_and_a_finished_game_is_small);
    tcase_add_test(tc, a_round_without_time_leaves_the_rest);
    tcase_add_test(tc, lists_wait_as_well);
    tcase_add_test(tc, a_broken_game_keeps_its_page);
    tcase_add_test(tc, players_decide_themselves);
    tcase_add_test(tc, ratings_have_a_page);
    tcase_add_test(tc, a_site_that_fails_is_nobodys_trouble);
}
TEST_MAIN("site/round", cases)
