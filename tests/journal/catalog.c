#include "scratch.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/sandbox.h"
#include "journal/catalog.h"

static char dir[SCRATCH_PATH];
static struct str path = STR_INIT;
static struct err err;

static void setup(void)
{
    err = (struct err)ERR_INIT;
    scratch_make(dir, "catalog");
    str_clear(&path);
    str_addf(&path, "%s/catalog.sqlite", dir);
}

static void teardown(void)
{
    scratch_remove(dir);
    str_release(&path);
}

static struct catalog *open_it(bool want_fresh)
{
    struct catalog *catalog = NULL;
    bool fresh = !want_fresh;
    ck_ok(catalog_open(path.p, &catalog, &fresh, &err), err);
    ck_assert_int_eq(fresh, want_fresh);
    return catalog;
}

/* A catalog that counts as fed. */
static struct catalog *open_fed(void)
{
    struct catalog *catalog = open_it(true);
    ck_ok(catalog_begin(catalog, &err), err);
    ck_ok(catalog_commit(catalog, &err), err);
    return catalog;
}

static struct catalog_game game_of(const char *id, int64_t deadline, int seats, const char *first)
{
    struct catalog_game game = {
        .turn = 3, .deadline = deadline, .due = deadline, .seq = 12, .seats = seats, .awaited = 6};
    (void)snprintf(game.id, sizeof game.id, "%s", id);
    (void)snprintf(game.ruleset, sizeof game.ruleset, "galaxy_command");
    if (seats > 0)
        (void)snprintf(game.player[1], sizeof game.player[1], "%s", first);
    for (int seat = 2; seat <= seats; seat++)
        (void)snprintf(game.player[seat], sizeof game.player[seat], "player%d", seat);
    return game;
}

static void put(struct catalog *catalog, struct catalog_game game)
{
    ck_ok(catalog_put_game(catalog, &game, NULL, &err), err);
}

static int collect(void *arg, const struct catalog_game *game, struct err *e)
{
    (void)e;
    str_addf(arg, "%s ", game->id);
    return 0;
}

static void expect_games(struct catalog *catalog, const char *player, bool running, const char *want)
{
    struct str got = STR_INIT;
    ck_ok(catalog_each_game(catalog, &(struct catalog_filter){player, running}, collect, &got, &err), err);
    ck_assert_str_eq(got.p, want);
    str_release(&got);
}

static void expect_due(struct catalog *catalog, int64_t now, size_t max, const char *want)
{
    struct str got = STR_INIT;
    struct file_names names;
    ck_ok(catalog_due(catalog, now, max, &names, &err), err);
    for (size_t i = 0; i < names.count; i++)
        str_addf(&got, "%s ", names.name[i]);
    file_names_free(&names);
    ck_assert_str_eq(got.p, want);
    str_release(&got);
}

START_TEST(games_come_back_as_put)
{
    struct catalog *catalog = open_fed();
    struct catalog_game game = game_of("gc-17", 1000, 4, "alice");
    struct catalog_game back;
    bool found;
    game.player[3][0] = '\0';
    game.awaited = 0x1eU;
    put(catalog, game);
    ck_ok(catalog_get_game(catalog, "gc-17", &back, &found, &err), err);
    ck_assert(found);
    ck_assert_str_eq(back.ruleset, "galaxy_command");
    ck_assert_int_eq(back.turn, 3);
    ck_assert_int_eq(back.seats, 4);
    ck_assert_int_eq(back.seq, 12);
    ck_assert_int_eq(back.deadline, 1000);
    ck_assert_uint_eq(back.awaited, 0x1eU);
    ck_assert_str_eq(back.player[1], "alice");
    ck_assert_str_eq(back.player[3], "");
    ck_assert_str_eq(back.player[4], "player4");
    /* Fewer seats and another player replace what was there. */
    put(catalog, game_of("gc-17", 0, 2, "bob"));
    ck_ok(catalog_get_game(catalog, "gc-17", &back, &found, &err), err);
    ck_assert_int_eq(back.seats, 2);
    ck_assert_str_eq(back.player[1], "bob");
    ck_assert_str_eq(back.player[4], "");
    expect_games(catalog, "alice", false, "");
    expect_games(catalog, "player4", false, "");
    ck_ok(catalog_get_game(catalog, "gc-18", &back, &found, &err), err);
    ck_assert(!found);
    catalog_close(catalog);
}
END_TEST

START_TEST(games_are_listed_by_player_and_state)
{
    struct catalog *catalog = open_fed();
    struct catalog_game ended = game_of("b-1", 5, 2, "alice");
    ended.over = true;
    put(catalog, game_of("c-1", 7, 2, "alice"));
    put(catalog, ended);
    put(catalog, game_of("a-1", 9, 1, "bob"));
    put(catalog, game_of("d-1", 0, 2, ""));
    struct catalog_game twice = game_of("e-1", 0, 2, "carol");
    (void)snprintf(twice.player[2], sizeof twice.player[2], "carol");
    put(catalog, twice);
    expect_games(catalog, NULL, false, "a-1 b-1 c-1 d-1 e-1 ");
    expect_games(catalog, NULL, true, "a-1 c-1 d-1 e-1 ");
    expect_games(catalog, "alice", false, "b-1 c-1 ");
    expect_games(catalog, "alice", true, "c-1 ");
    expect_games(catalog, "carol", false, "e-1 ");
    expect_games(catalog, "", false, "");
    size_t running;
    size_t over;
    ck_ok(catalog_count_games(catalog, &running, &over, &err), err);
    ck_assert_uint_eq(running, 4);
    ck_assert_uint_eq(over, 1);
    catalog_close(catalog);
}
END_TEST

START_TEST(due_games_come_earliest_first)
{
    struct catalog *catalog = open_fed();
    struct catalog_game ended = game_of("over", 10, 1, "x");
    ended.over = true;
    int64_t deadline;
    ck_ok(catalog_next_due(catalog, &deadline, &err), err);
    ck_assert_int_eq(deadline, 0);
    put(catalog, ended);
    put(catalog, game_of("late", 300, 1, "x"));
    put(catalog, game_of("early", 100, 1, "x"));
    put(catalog, game_of("never", 0, 1, "x"));
    put(catalog, game_of("b", 200, 1, "x"));
    put(catalog, game_of("a", 200, 1, "x"));
    expect_due(catalog, 99, 10, "");
    expect_due(catalog, 100, 10, "early ");
    expect_due(catalog, 1000, SIZE_MAX, "early a b late ");
    expect_due(catalog, 1000, 2, "early a ");
    expect_due(catalog, 1000, 0, "");
    ck_ok(catalog_next_due(catalog, &deadline, &err), err);
    ck_assert_int_eq(deadline, 100);
    put(catalog, game_of("early", 400, 1, "x"));
    expect_due(catalog, 1000, 10, "a b late early ");
    catalog_close(catalog);
}
END_TEST

START_TEST(woken_games_are_due_by_any_clock)
{
    struct catalog *catalog = open_fed();
    struct catalog_game ended = game_of("over", 10, 1, "x");
    ended.over = true;
    put(catalog, ended);
    put(catalog, game_of("his", 300, 1, "x"));
    put(catalog, game_of("idle", 0, 1, "x"));
    put(catalog, game_of("other", 200, 1, "y"));
    ck_ok(catalog_wake(catalog, "x", &err), err);
    expect_due(catalog, 1, 10, "his idle ");
    expect_due(catalog, 200, 10, "his idle other ");
    put(catalog, game_of("his", 300, 1, "x"));
    expect_due(catalog, 1, 10, "idle ");
    ck_ok(catalog_wake(catalog, NULL, &err), err);
    expect_due(catalog, 1, 10, "his idle other ");
    catalog_close(catalog);
}
END_TEST

/* The callback may change the catalog, even past its current place. */
static int put_off(void *arg, const struct catalog_game *game, struct err *e)
{
    struct catalog_game changed = *game;
    changed.turn++;
    return catalog_put_game(arg, &changed, NULL, e);
}

static int count_until_50(void *arg, const struct catalog_game *game, struct err *e)
{
    (void)game;
    int *count = arg;
    return ++*count == 50 ? err_set(e, ERR_INPUT, "enough") : 0;
}

START_TEST(the_callback_may_write_and_stop)
{
    struct catalog *catalog = open_fed();
    char id[32];
    for (int i = 0; i < 200; i++) {
        (void)snprintf(id, sizeof id, "g%03d", i);
        put(catalog, game_of(id, i, 2, "alice"));
    }
    ck_ok(catalog_each_game(catalog, &(struct catalog_filter){"alice", false}, put_off, catalog, &err), err);
    struct catalog_game game;
    bool found;
    ck_ok(catalog_get_game(catalog, "g199", &game, &found, &err), err);
    ck_assert(found && game.turn == 4);
    int count = 0;
    ck_assert_int_eq(
        catalog_each_game(catalog, &(struct catalog_filter){NULL, true}, count_until_50, &count, &err), -1);
    ck_assert_int_eq(count, 50);
    ck_assert_str_eq(err.text, "enough");
    catalog_close(catalog);
}
END_TEST

START_TEST(ten_thousand_games_in_one_transaction)
{
    struct catalog *catalog = open_it(true);
    char id[32];
    int64_t began = clock_system();
    ck_ok(catalog_begin(catalog, &err), err);
    for (int i = 0; i < 10000; i++) {
        (void)snprintf(id, sizeof id, "gc-%d", i);
        put(catalog, game_of(id, 1000 + i, 4, i % 100 ? "alice" : "bob"));
    }
    ck_ok(catalog_commit(catalog, &err), err);
    ck_assert_int_le(clock_system() - began, 10);
    expect_due(catalog, 1002, 10, "gc-0 gc-1 gc-2 ");
    int count = 0;
    ck_assert_int_eq(
        catalog_each_game(catalog, &(struct catalog_filter){"bob", true}, count_until_50, &count, &err), -1);
    ck_assert_int_eq(count, 50);
    catalog_close(catalog);
    catalog_close(open_it(false));
}
END_TEST

START_TEST(uncommitted_changes_are_dropped)
{
    struct catalog *catalog = open_fed();
    ck_ok(catalog_begin(catalog, &err), err);
    put(catalog, game_of("a", 1, 1, "x"));
    ck_ok(catalog_begin(catalog, &err), err);
    put(catalog, game_of("b", 1, 1, "x"));
    ck_ok(catalog_commit(catalog, &err), err);
    expect_games(catalog, NULL, false, "b ");
    ck_ok(catalog_begin(catalog, &err), err);
    put(catalog, game_of("c", 1, 1, "x"));
    catalog_close(catalog);
    catalog = open_it(false);
    expect_games(catalog, NULL, false, "b ");
    catalog_close(catalog);
}
END_TEST

START_TEST(a_new_one_stays_fresh_until_it_was_fed)
{
    struct stat st;
    struct catalog *catalog = open_it(true);
    ck_assert_int_eq(stat(path.p, &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0600);
    catalog_close(catalog);
    catalog = open_it(true);
    ck_ok(catalog_begin(catalog, &err), err);
    put(catalog, game_of("a", 1, 1, "x"));
    catalog_close(catalog); /* died while feeding */
    catalog_close(open_fed());
    catalog_close(open_it(false));
}
END_TEST

START_TEST(deleted_while_closed_it_begins_again)
{
    struct catalog *catalog = open_fed();
    put(catalog, game_of("a", 1, 1, "x"));
    catalog_close(catalog);
    ck_ok(file_remove(path.p, &err), err);
    catalog = open_it(true);
    expect_games(catalog, NULL, false, "");
    catalog_close(catalog);
    /* Side files of a deleted catalog bring nothing back. */
    ck_ok(file_remove(path.p, &err), err);
    struct str wal = STR_INIT;
    str_addf(&wal, "%s-wal", path.p);
    ck_ok(file_create(wal.p, slice_of("what a dead process left"), 0600, &err), err);
    str_release(&wal);
    catalog_close(open_it(true));
}
END_TEST

static bool was_set_aside(void)
{
    struct str name = STR_INIT;
    str_addf(&name, "%s.damaged", path.p);
    bool there = file_exists(name.p);
    str_release(&name);
    return there;
}

START_TEST(a_foreign_file_is_set_aside)
{
    ck_ok(file_create(path.p, slice_of("this is no database, but somebody's letter, long enough to read\n"),
                      0600, &err),
          err);
    struct catalog *catalog = open_it(true);
    ck_assert(was_set_aside());
    put(catalog, game_of("a", 1, 1, "x"));
    expect_games(catalog, NULL, false, "a ");
    catalog_close(catalog);
}
END_TEST

/* user_version is big-endian at 60. */
static void change_version(void)
{
    struct str file = STR_INIT;
    ck_ok(file_read(path.p, 1 << 20, &file, &err), err);
    file.p[63] = (char)(file.p[63] + 1);
    ck_ok(file_write(path.p, slice_str(&file), 0600, &err), err);
    str_release(&file);
}

START_TEST(another_version_is_refused)
{
    catalog_close(open_fed());
    struct catalog *catalog = NULL;
    struct str copy = STR_INIT;
    bool fresh;
    change_version();
    ck_assert_int_eq(catalog_open(path.p, &catalog, &fresh, &err), -1); /* it knows what no journal does */
    ck_assert_int_eq(err.code, ERR_NEWER);
    ck_assert(!was_set_aside());
    err_clear(&err);
    str_addf(&copy, "%s/copy.sqlite", dir);
    ck_assert_int_eq(catalog_copy(path.p, copy.p, &err), -1);
    ck_assert_int_eq(err.code, ERR_NEWER);
    ck_assert(!file_exists(copy.p));
    err_clear(&err);
    str_release(&copy);
    /* An empty file is simply filled. */
    ck_ok(file_write(path.p, slice_of(""), 0600, &err), err);
    catalog_close(open_it(true));
}
END_TEST

static void sql(const char *statements)
{
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(path.p, &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(db, statements, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static int show_bounce(void *arg, const struct catalog_bounce *bounce, struct err *e);

/* What fill() puts in no journal, whatever file it is read from. */
static void expect_kept(struct catalog *catalog)
{
    static const unsigned char digest[32] = "answered";
    struct catalog_clock clock;
    struct str got = STR_INIT;
    bool seen = false, allowed = true;
    ck_ok(catalog_seen(catalog, digest, &seen, &err), err);
    ck_assert(seen);
    ck_ok(catalog_budget(catalog, &(struct catalog_reply){"a@example.org", 86400, 3}, &allowed, &err), err);
    ck_assert(!allowed);
    ck_ok(catalog_each_bounce(catalog, show_bounce, &got, &err), err);
    ck_assert_str_eq(got.p, "bob gc-1.2.3 5.1.1 [no such user] 60 2/1;");
    ck_ok(catalog_clock(catalog, &clock, &err), err);
    ck_assert_int_eq(clock.done, 1234);
    ck_assert_int_eq(clock.usual, 60);
    str_release(&got);
    expect_games(catalog, NULL, false, ""); /* they are fed again */
}

/* A table is gone, and the version says that all are there. */
START_TEST(a_catalog_without_a_table_is_made_again_when_it_is_opened_next)
{
    struct catalog *catalog = open_fed();
    bool fresh = false, seen = false;
    static const unsigned char digest[32] = "some mail";
    catalog_close(catalog);
    sql("DROP TABLE seen");
    ck_ok(catalog_open(path.p, &catalog, &fresh, &err), err);
    ck_assert_int_eq(catalog_seen(catalog, digest, &seen, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    err_clear(&err);
    catalog_close(catalog);
    ck_ok(catalog_open(path.p, &catalog, &fresh, &err), err);
    ck_assert(fresh);
    ck_ok(catalog_seen(catalog, digest, &seen, &err), err);
    catalog_close(catalog);
}
END_TEST

static void fill(void)
{
    sql("UPDATE state SET fed=1, done=1234, usual=60;"
        "INSERT INTO games(id, ruleset, turn, over, deadline, seq, seats, awaited, due)"
        " VALUES('a', 'galaxy_command', 1, 0, 5, 3, 1, 1, 5);"
        "INSERT INTO seats VALUES('a', 1, 'alice'); INSERT INTO tallies VALUES('alice', 'a', 1, 1, 1);"
        "INSERT INTO seen VALUES(x'616e737765726564000000000000000000000000000000000000000000000000', 7);"
        "INSERT INTO budget VALUES('a@example.org', 1, 3);"
        "INSERT INTO bounces VALUES('bob', 'gc-1.2.3', '5.1.1', 'no such user', 60, 2, 1);"
        "INSERT INTO deliveries VALUES('gc-1.2.3', 'bob', 3, 60, 'no such user');"
        "INSERT INTO paths VALUES('bob', 50, zeroblob(16));");
}

static void expect_delivery(struct catalog *catalog)
{
    struct catalog_delivery delivery;
    bool found = false;
    ck_ok(catalog_get_delivery(catalog, "gc-1.2.3", &delivery, &found, &err), err);
    ck_assert(found);
    ck_assert_int_eq(delivery.state, DELIVERY_BOUNCED);
}

START_TEST(a_copy_holds_what_is_in_no_journal)
{
    struct str copy = STR_INIT;
    struct catalog *catalog = NULL;
    bool fresh = false;
    catalog_close(open_fed());
    fill();
    struct catalog *used = open_it(false);
    ck_ok(catalog_begin(used, &err), err); /* somebody works on it */
    str_addf(&copy, "%s/copy.sqlite", dir);
    ck_ok(catalog_copy(path.p, copy.p, &err), err);
    catalog_close(used);
    struct stat st;
    ck_assert_int_eq(stat(copy.p, &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0600);
    ck_ok(catalog_open(copy.p, &catalog, &fresh, &err), err);
    ck_assert(fresh);
    expect_kept(catalog);
    expect_delivery(catalog);
    catalog_close(catalog);
    str_addf(&copy, "2");
    ck_ok(file_write(path.p, slice_of("no database at all, but a text of some length"), 0600, &err), err);
    ck_assert_int_eq(catalog_copy(path.p, copy.p, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    ck_assert(!file_exists(copy.p));
    err_clear(&err);
    ck_ok(file_remove(path.p, &err), err);
    ck_assert_int_eq(catalog_copy(path.p, copy.p, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    err_clear(&err);
    str_release(&copy);
}
END_TEST

/* A catalog of 500 games that is damaged but for the pages that it has when it is new. */
static void damage(void)
{
    struct catalog *catalog = open_fed();
    char id[32];
    struct str file = STR_INIT;
    catalog_close(catalog); /* all of it is in the file */
    ck_ok(file_read(path.p, 1 << 24, &file, &err), err);
    const size_t fresh = file.len;
    str_clear(&file);
    catalog = open_it(false);
    ck_ok(catalog_begin(catalog, &err), err);
    for (int i = 0; i < 500; i++) {
        (void)snprintf(id, sizeof id, "g%03d", i);
        put(catalog, game_of(id, i, 2, "alice"));
    }
    ck_ok(catalog_commit(catalog, &err), err);
    catalog_close(catalog);
    ck_ok(file_read(path.p, 1 << 24, &file, &err), err);
    for (size_t page = fresh; page + 4096 <= file.len; page += 4096)
        memset(file.p + page, 0x5a, 64);
    ck_ok(file_write(path.p, slice_str(&file), 0600, &err), err);
    str_release(&file);
}

/* The state's page is whole, so it opens; the first look at the games finds the damage. */
static void find_damage(struct catalog *catalog)
{
    struct str got = STR_INIT;
    ck_assert_int_eq(catalog_each_game(catalog, &(struct catalog_filter){NULL, false}, collect, &got, &err),
                     -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    str_release(&got);
    catalog_close(catalog);
}

START_TEST(damage_inside_shows_and_mends_itself)
{
    damage();
    find_damage(open_it(false));
    ck_assert(was_set_aside());
    err_clear(&err);
    catalog_close(open_it(true));
}
END_TEST

/* Where nothing can be renamed beside it, as in the process that reads mail; it has it open twice. */
START_TEST(damage_in_the_sandbox_is_mended_by_the_next_start)
{
    int status = 0;
    damage();
    pid_t pid = fork();
    if (pid == 0) {
        struct catalog *held = open_it(false);
        char *wal = path_join(dir, "catalog.sqlite-wal"), *shm = path_join(dir, "catalog.sqlite-shm");
        const struct sandbox_path paths[] = {{dir, false}, {path.p, true}, {wal, true}, {shm, true}};
        unsigned got = 0;
        if (!(sandbox_kernel() & SANDBOX_FILES))
            _exit(2);
        if (sandbox_enter(paths, 4, &got, &err))
            _exit(1);
        find_damage(open_it(false));
        catalog_close(held);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    if (WEXITSTATUS(status) == 2) {
        (void)printf("skipped: this kernel has no landlock\n");
        return;
    }
    ck_assert_int_eq(WEXITSTATUS(status), 0);
    struct catalog *catalog = open_fed();
    put(catalog, game_of("a", 1, 1, "x"));
    expect_games(catalog, NULL, false, "a ");
    catalog_close(catalog);
}
END_TEST

START_TEST(a_folder_in_the_way_is_an_error)
{
    ck_assert_int_eq(mkdir(path.p, 0700), 0);
    struct str name = STR_INIT;
    str_addf(&name, "%s/missing/catalog.sqlite", dir);
    struct catalog *catalog = NULL;
    bool fresh;
    ck_assert_int_eq(catalog_open(name.p, &catalog, &fresh, &err), -1);
    ck_assert_int_eq(err.code, ERR_IO);
    err_clear(&err);
    ck_assert_int_eq(catalog_open(path.p, &catalog, &fresh, &err), -1);
    ck_assert_int_eq(err.code, ERR_IO);
    ck_assert_int_eq(rmdir(path.p), 0);
    str_release(&name);
}
END_TEST

START_TEST(the_working_mark_outlives_a_crash)
{
    struct catalog *catalog = open_fed();
    bool was = true;
    ck_ok(catalog_was_working(catalog, &was, &err), err);
    ck_assert(!was);
    ck_ok(catalog_working(catalog, true, &err), err);
    catalog_close(catalog);
    catalog = open_it(false);
    ck_ok(catalog_was_working(catalog, &was, &err), err);
    ck_assert(was);
    ck_ok(catalog_working(catalog, false, &err), err);
    ck_ok(catalog_was_working(catalog, &was, &err), err);
    ck_assert(!was);
    catalog_close(catalog);
}
END_TEST

START_TEST(mails_are_remembered_for_a_while)
{
    struct catalog *catalog = open_fed();
    unsigned char digest[32] = {1, 2, 3, 0, 5};
    unsigned char other[32] = {1, 2, 3, 0, 6};
    bool seen = true;
    ck_ok(catalog_seen(catalog, digest, &seen, &err), err);
    ck_assert(!seen);
    ck_ok(catalog_see(catalog, digest, 1000, &err), err);
    ck_ok(catalog_see(catalog, digest, 2000, &err), err);
    ck_ok(catalog_seen(catalog, digest, &seen, &err), err);
    ck_assert(seen);
    ck_ok(catalog_seen(catalog, other, &seen, &err), err);
    ck_assert(!seen);
    ck_ok(catalog_tidy(catalog, 1500, 1000, &err), err);
    ck_ok(catalog_seen(catalog, digest, &seen, &err), err);
    ck_assert(seen);
    ck_ok(catalog_tidy(catalog, 1501, 1001, &err), err);
    ck_ok(catalog_seen(catalog, digest, &seen, &err), err);
    ck_assert(!seen);
    catalog_close(catalog);
}
END_TEST

static bool spend(struct catalog *catalog, const char *address, int64_t now, int limit)
{
    bool allowed = false;
    ck_ok(catalog_budget(catalog, &(struct catalog_reply){address, now, limit}, &allowed, &err), err);
    return allowed;
}

START_TEST(replies_are_counted_by_utc_day)
{
    struct catalog *catalog = open_fed();
    int64_t midnight = 20000LL * 86400;
    ck_assert(spend(catalog, "alice@example.org", midnight - 1, 2));
    ck_assert(spend(catalog, "Alice@Example.ORG", midnight - 100, 2));
    ck_assert(!spend(catalog, "alice@example.org", midnight - 1, 2));
    ck_assert(spend(catalog, "bob@example.org", midnight - 1, 2));
    ck_assert(spend(catalog, "alice@example.org", midnight, 1));
    ck_assert(!spend(catalog, "alice@example.org", midnight + 86399, 1));
    ck_assert(spend(catalog, "alice@example.org", midnight + 86399, 2));
    ck_assert(!spend(catalog, "carol@example.org", midnight, 0));
    ck_assert(!spend(catalog, "carol@example.org", midnight, -1));
    catalog_close(catalog);
    catalog = open_it(false);
    ck_assert(!spend(catalog, "alice@example.org", midnight, 2));
    ck_ok(catalog_tidy(catalog, midnight + 86399, midnight + 86399, &err), err);
    ck_assert(!spend(catalog, "alice@example.org", midnight, 2));
    ck_assert(spend(catalog, "alice@example.org", midnight - 1, 2));
    catalog_close(catalog);
}
END_TEST

static int show_bounce(void *arg, const struct catalog_bounce *bounce, struct err *e)
{
    (void)e;
    str_addf(arg, "%s %s %s [%s] %lld %d/%d;", bounce->player, bounce->mail, bounce->status, bounce->words,
             (long long)bounce->when, bounce->permanent, bounce->temporary);
    return 0;
}

START_TEST(bounces_add_up_until_cleared)
{
    struct catalog *catalog = open_fed();
    struct catalog_bounce bob = {"bob", "gc-1.2.3", "4.2.2", "full", 50, 0, 1};
    struct catalog_bounce again = {"bob", "gc-1.2.4", "5.1.1", "no such user", 60, 1, 0};
    struct catalog_bounce alice = {"alice", "", "", "", 70, 1, 0};
    struct str got = STR_INIT;
    ck_ok(catalog_bounce_add(catalog, &bob, &err), err);
    ck_ok(catalog_bounce_add(catalog, &again, &err), err);
    ck_ok(catalog_bounce_add(catalog, &alice, &err), err);
    ck_ok(catalog_each_bounce(catalog, show_bounce, &got, &err), err);
    ck_assert_str_eq(got.p, "alice   [] 70 1/0;bob gc-1.2.4 5.1.1 [no such user] 60 1/1;");
    str_clear(&got);
    ck_ok(catalog_bounce_clear(catalog, "bob", &err), err);
    ck_ok(catalog_bounce_clear(catalog, "nobody", &err), err);
    ck_ok(catalog_each_bounce(catalog, show_bounce, &got, &err), err);
    ck_assert_str_eq(got.p, "alice   [] 70 1/0;");
    str_release(&got);
    catalog_close(catalog);
}
END_TEST

START_TEST(reliability_is_the_sum_of_all_games)
{
    struct catalog *catalog = open_it(true);
    struct catalog_tally sum, one = {10, 1, 0}, two = {5, 2, 1}, three = {11, 1, 0};
    ck_ok(catalog_put_tally(catalog, "gc-1", "bob", &one, &err), err);
    ck_ok(catalog_put_tally(catalog, "gc-2", "bob", &two, &err), err);
    ck_ok(catalog_put_tally(catalog, "gc-2", "alice", &one, &err), err);
    ck_ok(catalog_put_tally(catalog, "gc-1", "bob", &three, &err), err);
    ck_ok(catalog_put_tally(catalog, "gc-1", "bob", &three, &err), err);
    ck_ok(catalog_reliability(catalog, "bob", &sum, &err), err);
    ck_assert_int_eq(sum.awaited, 16);
    ck_assert_int_eq(sum.missed, 3);
    ck_assert_int_eq(sum.resigned, 1);
    ck_ok(catalog_reliability(catalog, "nobody", &sum, &err), err);
    ck_assert_int_eq(sum.awaited, 0);
    catalog_close(catalog);
}
END_TEST

START_TEST(others_may_read_meanwhile)
{
    struct catalog *worker = open_fed();
    put(worker, game_of("a", 1, 1, "x"));
    ck_ok(catalog_begin(worker, &err), err);
    put(worker, game_of("b", 1, 1, "x"));
    struct catalog *reader = open_it(false);
    expect_games(reader, NULL, false, "a ");
    ck_ok(catalog_commit(worker, &err), err);
    expect_games(reader, NULL, false, "a b ");
    catalog_close(reader);
    catalog_close(worker);
}
END_TEST

static struct catalog_mail mail_of(int number, const char *player, enum catalog_verdict verdict)
{
    struct catalog_mail mail = {.arrived = number, .time = number, .verdict = verdict, .of_player = *player};
    (void)snprintf((char *)mail.digest, sizeof mail.digest, "mail %d", number);
    (void)snprintf(mail.player, sizeof mail.player, "%s", player);
    (void)snprintf(mail.sender, sizeof mail.sender, "%s%d@example.org", *player ? player : "stranger",
                   number);
    (void)snprintf(mail.message_id, sizeof mail.message_id, "<%d>", number);
    memset(mail.words, 'w', 200);
    return mail;
}

struct mails {
    int players, strangers;
    int64_t first; /* time of the oldest of a player */
    struct catalog_mail last;
};

static int count_mail(void *arg, const struct catalog_mail *mail, struct err *e)
{
    (void)e;
    struct mails *mails = arg;
    if (mail->of_player && !mails->players++)
        mails->first = mail->time;
    mails->strangers += !mail->of_player;
    mails->last = *mail;
    return 0;
}

static struct mails mails_in(struct catalog *catalog, struct catalog_wanted wanted)
{
    struct mails mails = {0};
    ck_ok(catalog_each_mail(catalog, &wanted, count_mail, &mails, &err), err);
    return mails;
}

static void log_one(struct catalog *catalog, struct catalog_mail mail)
{
    ck_ok(catalog_log_mail(catalog, &mail, &err), err);
}

START_TEST(a_full_log_of_mails_forgets_strangers_first)
{
    struct catalog *catalog = open_fed();
    for (int i = 0; i < 2000; i++)
        log_one(catalog, mail_of(i, i % 2 ? "bob" : "", VERDICT_TAKEN));
    ck_ok(catalog_cap_mails(catalog, 600000, &err), err);
    struct mails got = mails_in(catalog, (struct catalog_wanted){0});
    ck_assert_int_eq(got.players, 1000);
    ck_assert_int_gt(got.strangers, 200);
    ck_assert_int_lt(got.strangers, 700);
    ck_ok(catalog_cap_mails(catalog, 200000, &err), err);
    got = mails_in(catalog, (struct catalog_wanted){0});
    ck_assert_int_eq(got.strangers, 0);
    ck_assert_int_gt(got.players, 200);
    ck_assert_int_gt(got.first, 800); /* the oldest of them next */
    ck_ok(catalog_tidy_mails(catalog, 1990, &err), err);
    ck_assert_int_eq(mails_in(catalog, (struct catalog_wanted){0}).players, 5);
    catalog_close(catalog);
}
END_TEST

START_TEST(what_was_decided_about_a_mail_stays)
{
    struct catalog *catalog = open_fed();
    const struct catalog_wanted all = {0};
    struct catalog_mail weak = mail_of(1, "bob", VERDICT_IGNORED);
    weak.weak = true;
    log_one(catalog, mail_of(1, "bob", VERDICT_WAITS));
    log_one(catalog, weak);
    ck_assert_int_eq(mails_in(catalog, all).last.verdict, VERDICT_WAITS);
    log_one(catalog, mail_of(1, "bob", VERDICT_TAKEN));
    log_one(catalog, mail_of(1, "bob", VERDICT_REFUSED));
    log_one(catalog, weak);
    struct mails got = mails_in(catalog, all);
    ck_assert_int_eq(got.last.verdict, VERDICT_TAKEN);
    ck_assert_int_eq(got.players, 1);
    ck_assert_int_eq(mails_in(catalog, (struct catalog_wanted){.id = "<1>"}).players, 1);
    ck_assert_int_eq(mails_in(catalog, (struct catalog_wanted){.id = "6d61696c20310000"}).players, 1);
    ck_assert_int_eq(mails_in(catalog, (struct catalog_wanted){.player = "anna"}).players, 0);
    log_one(catalog, mail_of(2, "", VERDICT_TAKEN));
    ck_ok(catalog_erase_mails(catalog, &(struct catalog_leaver){"bob", "Stranger2@Example.org", ""}, &err),
          err);
    got = mails_in(catalog, all);
    ck_assert_int_eq(got.players + got.strangers, 0);
    catalog_close(catalog);
}
END_TEST

START_TEST(those_that_ended_last_come_first)
{
    static const int64_t ended[] = {300, 100, 500, 200};
    struct catalog *catalog = open_fed();
    struct catalog_game list[3];
    size_t count = 0;
    char id[8] = "gc-0";
    put(catalog, game_of("running", 900, 2, "anna"));
    for (int i = 0; i < 4; i++) {
        id[3] = (char)('1' + i);
        struct catalog_game game = game_of(id, 0, 2, "anna");
        game.over = true;
        game.ended = ended[i];
        put(catalog, game);
    }
    ck_ok(catalog_ended(catalog, list, 3, &count, &err), err);
    ck_assert_uint_eq(count, 3);
    ck_assert_str_eq(list[0].id, "gc-3");
    ck_assert_str_eq(list[1].id, "gc-1");
    ck_assert_str_eq(list[2].id, "gc-4");
    ck_assert_str_eq(list[2].player[2], "player2");
    catalog_close(catalog);
}
END_TEST

/* One more that was not understood, of anna's. */
static struct catalog_unreads unread(struct catalog *catalog, int mail, int text, int64_t time, int64_t until)
{
    struct catalog_unread row = {
        .who = "anna", .mail = {(unsigned char)mail}, .text = {(unsigned char)text}, .time = time};
    struct catalog_unreads found;
    ck_ok(catalog_find_unread(catalog, &row, &found, &err), err);
    ck_ok(catalog_put_unread(catalog, &row, until, &err), err);
    return found;
}

START_TEST(what_was_not_understood_is_counted_by_hour_and_day)
{
    const int64_t noon = 20000 * (int64_t)86400 + 43200;
    struct catalog *catalog = open_fed();
    struct catalog_unreads found = unread(catalog, 1, 1, noon, 0);
    ck_assert(!found.same && !found.day && !found.hour && !found.until);
    found = unread(catalog, 1, 1, noon, 0); /* the same mail, worked on again */
    ck_assert(!found.same && !found.day);
    found = unread(catalog, 2, 1, noon + 1800, 0);
    ck_assert(found.same && found.day == 1 && found.hour == 1);
    found = unread(catalog, 3, 2, noon + 3700, noon + 9999);
    ck_assert(!found.same && found.day == 2 && found.hour == 1);
    found = unread(catalog, 4, 3, noon + 3600 * 8, 0);
    ck_assert(found.day == 3 && !found.hour && found.until == noon + 9999);
    found = unread(catalog, 5, 1, noon + 86400, 0); /* the next day */
    ck_assert(!found.same && !found.day && !found.hour);
    ck_ok(catalog_past_unread(catalog, "Anna", &err), err); /* something was understood */
    found = unread(catalog, 9, 7, noon + 86500, 0);
    ck_assert(found.day == 1 && !found.hour);
    found = unread(catalog, 10, 8, noon + 86600, 0);
    ck_assert(found.day == 2 && found.hour == 1);
    found = unread(catalog, 6, 1, noon - 60, 0); /* by a clock that was put back */
    ck_assert(!found.same && !found.day && !found.until);
    ck_ok(catalog_tidy(catalog, noon + 3 * 86400, 0, &err), err);
    found = unread(catalog, 7, 1, noon + 86401, 0);
    ck_assert(!found.same && !found.day);
    ck_ok(catalog_erase_mails(catalog, &(struct catalog_leaver){.player = "anna"}, &err), err);
    ck_assert_int_eq(unread(catalog, 8, 1, noon + 86402, 0).day, 0);
    catalog_close(catalog);
}
END_TEST

/* Is what has these words taken for one of those that have others, which are silent until the evening? */
static bool is_alike(struct catalog *catalog, unsigned char words, unsigned char others)
{
    const int64_t noon = 20000 * (int64_t)86400 + 43200;
    struct catalog_unread row = {.who = "anna", .mail = {1}, .text = {1}, .words = {others}, .time = noon};
    struct catalog_unreads found;
    ck_ok(catalog_put_unread(catalog, &row, noon + 9999, &err), err);
    row =
        (struct catalog_unread){.who = "anna", .mail = {2}, .text = {2}, .words = {words}, .time = noon + 60};
    ck_ok(catalog_find_unread(catalog, &row, &found, &err), err);
    ck_assert_int_eq(found.day, 1);
    ck_assert_int_eq(found.hour, found.until ? 1 : 0);
    ck_ok(catalog_erase_mails(catalog, &(struct catalog_leaver){.player = "anna"}, &err), err);
    return found.until == noon + 9999;
}

START_TEST(mails_are_alike_that_share_half_of_their_words)
{
    struct catalog *catalog = open_fed();
    ck_assert(is_alike(catalog, 0x00, 0x00) && is_alike(catalog, 0x01, 0x01)); /* the same, or none */
    ck_assert(is_alike(catalog, 0x0f, 0x33) && is_alike(catalog, 0x33, 0x0f)); /* two of four */
    ck_assert(is_alike(catalog, 0x0f, 0x03) && is_alike(catalog, 0x03, 0x0f));
    ck_assert(!is_alike(catalog, 0x1f, 0x03) && !is_alike(catalog, 0x03, 0x1f)); /* two of five */
    ck_assert(!is_alike(catalog, 0x03, 0x05)); /* one: "explore neer", "explore nearby" */
    ck_assert(!is_alike(catalog, 0x01, 0x00) && !is_alike(catalog, 0x01, 0x02));
    catalog_close(catalog);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_catalog_without_a_table_is_made_again_when_it_is_opened_next);
    tcase_add_test(tc, those_that_ended_last_come_first);
    tcase_add_test(tc, games_come_back_as_put);
    tcase_add_test(tc, what_was_not_understood_is_counted_by_hour_and_day);
    tcase_add_test(tc, mails_are_alike_that_share_half_of_their_words);
    tcase_add_test(tc, games_are_listed_by_player_and_state);
    tcase_add_test(tc, due_games_come_earliest_first);
    tcase_add_test(tc, woken_games_are_due_by_any_clock);
    tcase_add_test(tc, the_callback_may_write_and_stop);
    tcase_add_test(tc, ten_thousand_games_in_one_transaction);
    tcase_add_test(tc, uncommitted_changes_are_dropped);
    tcase_add_test(tc, a_new_one_stays_fresh_until_it_was_fed);
    tcase_add_test(tc, deleted_while_closed_it_begins_again);
    tcase_add_test(tc, a_foreign_file_is_set_aside);
    tcase_add_test(tc, another_version_is_refused);
    tcase_add_test(tc, a_copy_holds_what_is_in_no_journal);
    tcase_add_test(tc, damage_inside_shows_and_mends_itself);
    tcase_add_test(tc, damage_in_the_sandbox_is_mended_by_the_next_start);
    tcase_add_test(tc, a_folder_in_the_way_is_an_error);
    tcase_add_test(tc, the_working_mark_outlives_a_crash);
    tcase_add_test(tc, mails_are_remembered_for_a_while);
    tcase_add_test(tc, replies_are_counted_by_utc_day);
    tcase_add_test(tc, bounces_add_up_until_cleared);
    tcase_add_test(tc, reliability_is_the_sum_of_all_games);
    tcase_add_test(tc, others_may_read_meanwhile);
    tcase_add_test(tc, a_full_log_of_mails_forgets_strangers_first);
    tcase_add_test(tc, what_was_decided_about_a_mail_stays);
}
TEST_MAIN("journal/catalog", cases)
