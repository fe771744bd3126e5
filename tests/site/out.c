/* The folder of a site: what is written, what stays, what is removed; and after a crash. */
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "site/site_out.h"

static char dir[SCRATCH_PATH];
static struct site_out out;

static void begin(void)
{
    struct err err = ERR_INIT;
    ck_ok(site_out_open(&out, dir, &err), err);
}

static void end(size_t written, size_t removed)
{
    struct err err = ERR_INIT;
    ck_ok(site_out_end(&out, &err), err);
    ck_assert_uint_eq(out.written, written);
    ck_assert_uint_eq(out.removed, removed);
    site_out_release(&out);
}

static void key_of(unsigned char key[SITE_KEY], int number)
{
    memset(key, number, SITE_KEY);
}

/* A unit with one file; was it to be made? */
static bool unit(const char *name, int number, const char *path, const char *text)
{
    struct err err = ERR_INIT;
    unsigned char key[SITE_KEY];
    key_of(key, number);
    bool made = site_out_begin(&out, name, key);
    if (made && path)
        ck_ok(site_out_put(&out, path, slice_of(text), &err), err);
    return made;
}

static bool there(const char *path)
{
    char *full = path_join(dir, path);
    bool is = file_exists(full);
    free(full);
    return is;
}

static void holds(const char *path, const char *want)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *full = path_join(dir, path);
    ck_ok(file_read(full, 1000, &text, &err), err);
    ck_assert_str_eq(text.p, want);
    str_release(&text);
    free(full);
}

START_TEST(only_what_changed_is_written)
{
    begin();
    ck_assert(unit("game/a", 1, "games/a.html", "A"));
    ck_assert(unit("game/b", 1, "games/b.html", "B"));
    end(2, 0);
    begin();
    ck_assert(!unit("game/a", 1, "games/a.html", "other"));
    ck_assert_msg(unit("game/b", 2, "games/b.html", "B"), "another key: it is made again");
    end(0, 0); /* but its bytes are the same */
    begin();
    ck_assert(!unit("game/a", 1, NULL, NULL));
    ck_assert(unit("game/b", 3, "games/b.html", "C"));
    end(1, 0);
    holds("games/a.html", "A");
    holds("games/b.html", "C");
}
END_TEST

START_TEST(what_is_gone_is_removed)
{
    struct err err = ERR_INIT;
    begin();
    ck_assert(unit("game/a", 1, "games/a.html", "A"));
    ck_ok(site_out_put(&out, "games/a.json", slice_of("{}"), &err), err);
    ck_assert(unit("game/b", 1, "games/b.html", "B"));
    end(3, 0);
    begin();
    ck_assert_msg(unit("game/a", 2, "games/a.html", "A"), "without its JSON");
    end(0, 2);
    ck_assert(there("games/a.html"));
    ck_assert(!there("games/a.json"));
    ck_assert(!there("games/b.html"));
}
END_TEST

START_TEST(what_is_lost_comes_again)
{
    begin();
    ck_assert(unit("game/a", 1, "games/a.html", "A"));
    end(1, 0);
    char *path = path_join(dir, "games/a.html");
    scratch_remove(path);
    free(path);
    begin();
    ck_assert(unit("game/a", 1, "games/a.html", "A"));
    end(1, 0);
}
END_TEST

/* The state is not written: the next time finds the files of a newer time with the keys of an older one. */
START_TEST(a_crash_is_mended)
{
    begin();
    ck_assert(unit("game/a", 1, "games/a.html", "A"));
    end(1, 0);
    begin();
    ck_assert(unit("game/a", 2, "games/a.html", "B"));
    site_out_release(&out);
    holds("games/a.html", "B");
    begin();
    ck_assert(unit("game/a", 3, "games/a.html", "A"));
    end(1, 0);
    holds("games/a.html", "A");
    begin();
    ck_assert(!unit("game/a", 3, NULL, NULL));
    end(0, 0);
}
END_TEST

/* What the last sync has put on the disk: of a page, and of the state. */
static struct str page_synced, state_synced;

static void note_synced(struct str *text, const char *name)
{
    struct err err = ERR_INIT;
    char *path = path_join(dir, name);
    str_clear(text);
    if (file_exists(path))
        ck_ok(file_read(path, 10000, text, &err), err);
    free(path);
}

int syncfs(int fd)
{
    (void)fd;
    note_synced(&page_synced, "games/a.html");
    note_synced(&state_synced, SITE_STATE);
    return 0;
}

/* The power may fail at any time: a state that lasts names no file that does not. */
START_TEST(files_are_on_the_disk_before_the_state)
{
    begin();
    ck_assert(unit("game/a", 1, "games/a.html", "A"));
    site_out_release(&out); /* killed, and what it has written is on no disk */
    begin();
    ck_assert(unit("game/a", 1, "games/a.html", "A"));
    end(0, 0);
    ck_assert_str_eq(page_synced.p, "A");
    ck_assert_str_eq(state_synced.p, "");
    begin();
    ck_assert(unit("game/a", 2, "games/a.html", "B"));
    end(1, 0);
    ck_assert_str_eq(page_synced.p, "B");
    ck_assert_msg(strstr(state_synced.p, "01010101"), "the state came later");
    str_clear(&page_synced);
    begin();
    ck_assert(!unit("game/a", 2, NULL, NULL));
    end(0, 0);
    ck_assert_msg(page_synced.len == 0, "nothing has changed, and a disk is waited for");
}
END_TEST

/* What was made before a crash and is gone by the next time does not stay. */
START_TEST(what_a_crash_has_made_is_removed)
{
    begin();
    ck_assert(unit("game/a", 1, "games/a.html", "A"));
    end(1, 0);
    begin();
    (void)unit("game/a", 1, "games/a.html", "A");
    ck_assert(unit("player/p", 1, "players/p.html", "P"));
    ck_assert_int_eq(write(out.made, "games", 5), 5); /* killed, in the middle of a line */
    site_out_release(&out);
    ck_assert(there("players/p.html"));
    begin();
    (void)unit("game/a", 1, "games/a.html", "A");
    end(0, 1);
    ck_assert(!there("players/p.html") && !there(SITE_MADE));
    holds("games/a.html", "A");
}
END_TEST

START_TEST(a_damaged_state_counts_as_none)
{
    static const char *const states[] = {"", "turnpost-site 1", "turnpost-site 2\n",
                                         "turnpost-site 1\nnonsense\n", "turnpost-site 1\n00 x\t../../etc\n"};
    struct err err = ERR_INIT;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        char *path = path_join(dir, SITE_STATE);
        ck_ok(file_write(path, slice_of(states[i]), 0600, &err), err);
        free(path);
        begin();
        ck_assert(unit("game/a", 1, "games/a.html", "A"));
        end(i == 0, 0);
    }
}
END_TEST

/* A state that somebody has changed removes nothing outside of the folder. */
START_TEST(nothing_outside_is_removed)
{
    struct err err = ERR_INIT;
    struct str state = STR_INIT;
    char other[SCRATCH_PATH];
    scratch_make(other, "other");
    char *victim = path_join(other, "victim"), *path = path_join(dir, SITE_STATE);
    ck_ok(file_write(victim, slice_of("x"), 0600, &err), err);
    str_adds(&state, "turnpost-site 1\n00000000000000000000000000000000 game/a\t");
    str_addf(&state, "%s\t../%s/victim\n", victim, strrchr(other, '/') + 1);
    ck_ok(file_write(path, slice_str(&state), 0600, &err), err);
    begin();
    end(0, 0);
    ck_assert(file_exists(victim));
    scratch_remove(other);
    str_release(&state);
    free(victim);
    free(path);
}
END_TEST

START_TEST(what_is_written_once_stays)
{
    struct err err = ERR_INIT;
    unsigned char key[SITE_KEY];
    key_of(key, 1);
    begin();
    ck_assert_msg(site_out_once(&out, "archive/a", key), "it has no file yet");
    end(0, 0);
    begin();
    ck_assert_msg(!site_out_once(&out, "archive/a", key), "nor is there reason to look for one again");
    end(0, 0);
    key_of(key, 2);
    begin();
    ck_assert(site_out_once(&out, "archive/a", key));
    ck_ok(site_out_put(&out, "archive/a.tar", slice_of("A"), &err), err);
    char *file = site_out_file(&out, "archive/a");
    ck_assert_str_eq(file, "archive/a.tar");
    free(file);
    end(1, 0);
    key_of(key, 3);
    begin();
    ck_assert_msg(!site_out_once(&out, "archive/a", key), "whatever has changed");
    end(0, 0);
    holds("archive/a.tar", "A");
}
END_TEST

static ino_t state_file(void)
{
    struct stat st;
    char *path = path_join(dir, SITE_STATE);
    ck_assert_int_eq(stat(path, &st), 0);
    free(path);
    return st.st_ino;
}

/* Nor is the state written again, however often it fails: the round is idle. */
START_TEST(what_fails_keeps_what_it_had)
{
    begin();
    ck_assert(unit("game/a", 1, "games/a.html", "A"));
    ck_assert(unit("game/b", 1, "games/b.html", "B"));
    end(2, 0);
    const ino_t before = state_file();
    begin();
    ck_assert(unit("game/a", 2, NULL, NULL));
    site_out_drop(&out);
    ck_assert(unit("game/new", 2, NULL, NULL));
    site_out_drop(&out);
    ck_assert(site_out_has(&out, "game/a"));
    ck_assert(!site_out_has(&out, "game/new"));
    ck_assert(!unit("game/b", 1, NULL, NULL));
    end(0, 0);
    holds("games/a.html", "A");
    ck_assert_uint_eq(state_file(), before);
    begin();
    ck_assert_msg(unit("game/a", 2, "games/a.html", "A2"), "it is tried again");
    ck_assert(!unit("game/b", 1, NULL, NULL));
    end(1, 0);
}
END_TEST

START_TEST(one_process_at_a_time)
{
    struct site_out other;
    struct err err = ERR_INIT;
    begin();
    ck_assert_int_eq(site_out_open(&other, dir, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    end(0, 0);
    begin();
    end(0, 0);
}
END_TEST

static void set_up(void)
{
    scratch_make(dir, "site");
    str_init(&page_synced);
    str_init(&state_synced);
}
static void tear_down(void)
{
    scratch_remove(dir);
    str_release(&page_synced);
    str_release(&state_synced);
}

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, only_what_changed_is_written);
    tcase_add_test(tc, what_is_gone_is_removed);
    tcase_add_test(tc, what_is_lost_comes_again);
    tcase_add_test(tc, a_crash_is_mended);
    tcase_add_test(tc, files_are_on_the_disk_before_the_state);
    tcase_add_test(tc, what_a_crash_has_made_is_removed);
    tcase_add_test(tc, a_damaged_state_counts_as_none);
    tcase_add_test(tc, nothing_outside_is_removed);
    tcase_add_test(tc, what_is_written_once_stays);
    tcase_add_test(tc, what_fails_keeps_what_it_had);
    tcase_add_test(tc, one_process_at_a_time);
}
TEST_MAIN("site/out", cases)
