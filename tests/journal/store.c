#include "scratch.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal/store.h"

static char dir[SCRATCH_PATH];
static struct store *store;

static void begin(void)
{
    scratch_make(dir, "store");
    store = store_open(dir);
}

static void end(void)
{
    store_close(store);
    scratch_remove(dir);
}

static void put(const char *game, int64_t length, int64_t seq, const char *records)
{
    struct err err = ERR_INIT;
    struct store_append part = {game, {seq - 1, length}, slice_of(records)};
    ck_ok(store_append(store, &part, &err), err);
}

/* Adds bytes after the end, as a write that a crash cut short. */
static void tear(const char *game, const char *name, const char *bytes)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s/%s", dir, game, name);
    ck_ok(file_append(path.p, slice_of(bytes), 0600, &err), err);
    str_release(&path);
}

START_TEST(an_append_is_undone)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    const struct store_append more = {"a", {1, 4}, slice_of("two\n")};
    const struct store_append first = {"b", {0, 0}, slice_of("one\n")};
    put("a", 0, 1, "one\n");
    ck_ok(store_append(store, &more, &err), err);
    ck_ok(store_unappend(store, &more, &err), err);
    ck_ok(store_read(store, "a", STORE_BEGIN, &lines, &err), err);
    ck_assert_str_eq(lines.p, "one\n");
    put("b", 0, 1, "one\n");
    ck_ok(store_unappend(store, &first, &err), err);
    ck_assert(!store_has(store, "b"));
    put("b", 0, 1, "one\n");
    str_release(&lines);
}
END_TEST

START_TEST(appended_and_read)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct file_names names;
    ck_assert(!store_has(store, "a"));
    put("a", 0, 1000, "one\ntwo\n");
    put("a", 8, 1000, "three\n");
    put("b", 0, 1000, "x\n");
    ck_assert(store_has(store, "a"));
    ck_ok(store_read(store, "a", STORE_BEGIN, &lines, &err), err);
    ck_assert_str_eq(lines.p, "one\ntwo\nthree\n");
    str_clear(&lines);
    ck_ok(store_read(store, "a", (struct store_pos){2, 8}, &lines, &err), err);
    ck_assert_str_eq(lines.p, "three\n");
    ck_ok(store_games(store, &names, &err), err);
    ck_assert_uint_eq(names.count, 2);
    file_names_free(&names);
    ck_assert_int_eq(store_read(store, "c", STORE_BEGIN, &lines, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    str_release(&lines);
}
END_TEST

START_TEST(somebody_was_first)
{
    struct err err = ERR_INIT;
    put("a", 0, 1000, "one\n");
    struct store_append late = {"a", {0, 0}, slice_of("two\n")};
    ck_assert_int_eq(store_append(store, &late, &err), -1);
    ck_assert_int_eq(err.code, ERR_STALE);
}
END_TEST

START_TEST(a_torn_journal_line_is_cut)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    put("a", 0, 1000, "one\n");
    tear("a", "journal.jsonl", "tw");
    ck_ok(store_read(store, "a", STORE_BEGIN, &lines, &err), err);
    ck_assert_str_eq(lines.p, "one\n"); /* left out */
    str_clear(&lines);
    ck_ok(store_read_mending(store, "a", STORE_BEGIN, &lines, &err), err);
    put("a", 4, 1000, "three\n"); /* cut from the file */
    str_clear(&lines);
    ck_ok(store_read(store, "a", STORE_BEGIN, &lines, &err), err);
    ck_assert_str_eq(lines.p, "one\nthree\n");
    str_release(&lines);
}
END_TEST

/* Half lines shorter and longer than any block that is looked through at once. */
static const size_t torn_lengths[] = {1,     4095,   4096,   4097,   65535,  65536,
                                      65537, 131071, 131072, 131073, 400000, 2000000};
#define TORN_LENGTHS (int)(sizeof torn_lengths / sizeof *torn_lengths)

static void make_half(struct str *half, size_t length)
{
    str_addc(half, '{');
    while (half->len < length)
        str_addc(half, 'x');
}

START_TEST(a_torn_line_of_any_length_is_cut_from_the_journal)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT, half = STR_INIT;
    make_half(&half, torn_lengths[_i]);
    put("a", 0, 1, "one\n");
    tear("a", "journal.jsonl", half.p);
    ck_ok(store_read_mending(store, "a", STORE_BEGIN, &lines, &err), err);
    put("a", 4, 2, "two\n");
    str_clear(&lines);
    ck_ok(store_read(store, "a", STORE_BEGIN, &lines, &err), err);
    ck_assert_str_eq(lines.p, "one\ntwo\n");
    str_release(&lines);
    str_release(&half);
}
END_TEST

/* A copy that was made in the middle of a commit. */
START_TEST(a_copy_is_cut)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    bool cut = true;
    put("a", 0, 1, "one\n");
    ck_ok(store_mend(store, "a", (struct store_pos){1, 4}, &cut, &err), err);
    ck_assert(!cut);
    put("a", 4, 2, "two\n");
    ck_ok(store_mend(store, "a", (struct store_pos){1, 4}, &cut, &err), err);
    ck_assert(cut);
    ck_ok(store_read(store, "a", STORE_BEGIN, &lines, &err), err);
    ck_assert_str_eq(lines.p, "one\n");
    str_release(&lines);
}
END_TEST

START_TEST(state_is_a_cache)
{
    struct err err = ERR_INIT;
    struct str state = STR_INIT;
    put("a", 0, 1000, "one\n");
    ck_assert_int_eq(store_read_state(store, "a", &state, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    err_clear(&err);
    ck_ok(store_write_state(store, "a", slice_of("x"), &err), err);
    ck_ok(store_write_state(store, "a", slice_of("yy"), &err), err);
    ck_ok(store_read_state(store, "a", &state, &err), err);
    ck_assert_str_eq(state.p, "yy");
    str_release(&state);
}
END_TEST

/* Who reads leaves no trace; who writes makes the folder. */
START_TEST(a_folder_that_is_not_there_is_a_store_of_nothing)
{
    struct err err = ERR_INIT;
    struct file_names names;
    struct str lines = STR_INIT;
    int64_t stamp;
    scratch_remove(dir);
    ck_ok(store_games(store, &names, &err), err);
    ck_ok(store_stamp(store, &stamp, &err), err);
    ck_assert(names.count == 0 && stamp == 0 && !store_has(store, "a"));
    ck_assert_int_eq(store_read(store, "a", STORE_BEGIN, &lines, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    ck_assert(!file_exists(dir));
    put("a", 0, 1, "one\n");
    ck_assert(store_has(store, "a"));
    str_release(&lines);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_folder_that_is_not_there_is_a_store_of_nothing);
    tcase_add_test(tc, appended_and_read);
    tcase_add_test(tc, an_append_is_undone);
    tcase_add_test(tc, somebody_was_first);
    tcase_add_test(tc, a_torn_journal_line_is_cut);
    tcase_add_loop_test(tc, a_torn_line_of_any_length_is_cut_from_the_journal, 0, TORN_LENGTHS);
    tcase_add_test(tc, a_copy_is_cut);
    tcase_add_test(tc, state_is_a_cache);
}
TEST_MAIN_TOGETHER("journal/store", cases)
