/* The site of a whole league: after a round of work, when there is no time, when a game is broken, and who is shown. */
#include "batch/results.h"
#include "house/house.h"
#include "site/site.h"
#include "site/site_round.h"

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

static struct site_sum write_site(int64_t patience)
{
    struct err err = ERR_INIT;
    struct site_sum sum;
    const struct site site = {.league = &h.league,
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
    ck_assert(there("boards/gs-1/0.svg"));
    struct site_sum again = write_site(0);
    ck_assert_uint_eq(again.written + again.removed + again.rendered, 0);
    house_clock(&h, h.now + 2 * 86400); /* all turns are due */
    struct site_sum sum = write_site(0);
    ck_assert_uint_gt(sum.written, 3);
    ck_assert(there("boards/gc-1/1.svg"));
    ck_assert_msg(!there("boards/gc-1/0.svg"), "the picture of the turn before is gone");
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

/* Nor are lists of many pages made all at once: the first page is, the others as there is time. */
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
    ck_assert(there("boards/gs-1/1.svg"));
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
    tcase_add_test(tc, a_round_without_time_leaves_the_rest);
    tcase_add_test(tc, lists_wait_as_well);
    tcase_add_test(tc, a_broken_game_keeps_its_page);
    tcase_add_test(tc, players_decide_themselves);
    tcase_add_test(tc, ratings_have_a_page);
    tcase_add_test(tc, a_site_that_fails_is_nobodys_trouble);
}
TEST_MAIN("site/round", cases)
