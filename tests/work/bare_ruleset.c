/* A game whose ruleset has no more than it must: without `picture` its mails have no picture and its pages show the table in
 * words alone, without `check` no moderator corrects a table. All else is as ever. */
#include "board/board.h"
#include "history/boards.h"
#include "history/explain.h"
#include "house/ruling.h"
#include "mail/undecided.h"
#include "site/site_parts.h"
#include "site/site_round.h"
#include "work/work.h"

extern const struct ruleset galaxy_command_ruleset;

static struct ruleset bare;

/* In the place of the program's own table. */
const struct ruleset *const rulesets[] = {&bare, NULL};

static char pages[SCRATCH_PATH];

static void begin_bare(void)
{
    char line[SCRATCH_PATH + 16];
    bare = galaxy_command_ruleset;
    bare.shown.picture = NULL;
    bare.check = NULL;
    begin();
    scratch_make(pages, "pages");
    (void)snprintf(line, sizeof line, "folder = %s", pages);
    house_option(&house, "[site]", line);
    house_option(&house, "[outgoing]", "pictures = yes");
    house_restart(&house);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(house_signed(&house, players[i], players[i], "#turnpost prefs\nhtml: yes\n#end\n"),
                         INTAKE_PROCESSED);
    house_empty_spool(&house);
}

static void end_bare(void)
{
    end();
    scratch_remove(pages);
}

/* So many pages leave at once: none waits for a picture. */
static void check_pages(size_t count)
{
    struct err err = ERR_INIT;
    struct undecided_list undecided;
    struct spool_list due;
    size_t pages_due = 0;
    ck_ok(undecided_read(house.batch.spool, &undecided, &err), err);
    ck_assert_uint_eq(undecided.count, 0);
    ck_ok(spool_due(house.batch.spool, house.now, &due, &err), err);
    for (size_t i = 0; i < due.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, due.path[i], &mail, &err), err);
        pages_due += strstr(mail.mail.p, "text/html") != NULL;
        outgoing_release(&mail);
    }
    ck_assert_uint_eq(pages_due, count);
    undecided_free(&undecided);
    spool_list_free(&due);
    house_empty_spool(&house);
}

START_TEST(mails_have_no_picture)
{
    begin_bare();
    house_game(&house, "gc-1", "galaxy-command", 0, 2, players);
    check_pages(2);
    orders("anna", "bide\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    check_pages(3); /* a receipt and the reports */
    house_same(&house, "gc-1");
    end_bare();
}
END_TEST

static bool page_has(const char *name, const char *words)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *path = path_join(pages, name);
    ck_ok(file_read(path, 1 << 20, &text, &err), err);
    const bool has = strstr(text.p, words) != NULL;
    str_release(&text);
    free(path);
    return has;
}

START_TEST(the_site_shows_the_table_in_words)
{
    begin_bare();
    (void)new_game(2);
    play();
    site_round(&house.batch);
    char *path = path_join(pages, "boards/gc-1.svg");
    ck_assert(!file_exists(path));
    free(path);
    ck_assert(!page_has("index.html", "<figure class=\"picture\">"));
    ck_assert(!page_has("games/gc-1.html", "<figure class=\"picture\">"));
    ck_assert(page_has("games/gc-1.html", "EVENTS TO COME") || page_has("games/gc-1.html", "Events to come"));
    end_bare();
}
END_TEST

START_TEST(a_turn_is_explained_without_a_board)
{
    static const struct reader everybody = {READER_PUBLIC, 0};
    struct err err = ERR_INIT;
    struct casefile file;
    begin_bare();
    (void)new_game(2);
    play();
    char *path = house_path(&house, "games/gc-1");
    ck_ok(casefile_open(path, house.league.master, &file, &err), err);
    ck_ok(casefile_choose(&file, &everybody, true, &err), err);
    json_t *facts = explain_turn(&file, &(struct explain_for){&everybody, true},
                                 &(struct explain_point){false, 1}, 0, &err);
    ck_assert_msg(facts, "%s", err.text);
    ck_ok(explain_words(facts, house.batch.templates, "galaxy_command", true, &err), err);
    ck_assert_ptr_null(json_object_get(facts, "svg"));
    casefile_close(&file);
    json_decref(facts);
    free(path);
    end_bare();
}
END_TEST

START_TEST(no_table_is_corrected)
{
    begin_bare();
    (void)new_game(2);
    refused("mona", "do: correct player[1].metal = 3\n" WHY, "do not say which tables are possible");
    play();
    house_same(&house, "gc-1");
    end_bare();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, mails_have_no_picture);
    tcase_add_test(tc, the_site_shows_the_table_in_words);
    tcase_add_test(tc, a_turn_is_explained_without_a_board);
    tcase_add_test(tc, no_table_is_corrected);
}
TEST_MAIN_ALONE("work/bare_ruleset", cases)
