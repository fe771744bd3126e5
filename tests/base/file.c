#include "scratch.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/keep.h"
#include "base/lines.h"

static char dir[SCRATCH_PATH];

static void begin(void)
{
    scratch_make(dir, "file");
}

static void end(void)
{
    scratch_remove(dir);
}

static char *in_dir(const char *name)
{
    return path_join(dir, name);
}

START_TEST(write_replaces_as_a_whole)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct stat st;
    char *path = in_dir("a");
    ck_ok(file_write(path, slice_of("one"), 0600, &err), err);
    ck_ok(file_write(path, slice_of("two!"), 0600, &err), err);
    ck_ok(file_read(path, 100, &text, &err), err);
    ck_assert_str_eq(text.p, "two!");
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0600);
    ck_assert_int_eq(file_size(path), 4);
    struct file_names names;
    ck_ok(file_list(dir, &names, &err), err);
    ck_assert_uint_eq(names.count, 1); /* no temporary file is left */
    file_names_free(&names);
    str_release(&text);
    free(path);
}
END_TEST

/* A temporary file that a crash has left goes; one that is a link to something else is not written through.
 */
START_TEST(a_temporary_file_is_always_a_new_one)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct stat st;
    char *path = in_dir("a"), *temp = in_dir("a.tmp"), *other = in_dir("other");
    ck_ok(file_create(temp, slice_of("half of what was writ"), 0666, &err), err);
    ck_ok(file_write(path, slice_of("one"), 0600, &err), err);
    ck_assert(!file_exists(temp));
    ck_assert_int_eq(stat(path, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0600); /* that of the new one */
    ck_ok(file_create(other, slice_of("precious"), 0600, &err), err);
    for (int soft = 0; soft < 2; soft++) {
        ck_assert_int_eq(symlink(other, temp), 0);
        ck_ok((soft ? file_write_soft : file_write)(path, slice_of("two"), 0600, &err), err);
        str_clear(&text);
        ck_ok(file_read(other, 100, &text, &err), err);
        ck_assert_str_eq(text.p, "precious");
        ck_assert_int_eq(lstat(path, &st), 0);
        ck_assert(S_ISREG(st.st_mode));
        ck_assert_int_ne(lstat(temp, &st), 0);
    }
    ck_assert_int_eq(mkdir(temp, 0700), 0);
    ck_assert_int_eq(file_write(path, slice_of("three"), 0600, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "a.tmp"));
    str_release(&text);
    free(path);
    free(temp);
    free(other);
}
END_TEST

START_TEST(what_is_written_in_place_is_no_link)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    int fd = -1;
    char *path = in_dir("a"), *other = in_dir("other");
    ck_ok(file_create(other, slice_of("precious"), 0600, &err), err);
    ck_assert_int_eq(symlink(other, path), 0);
    ck_assert_int_eq(file_overwrite(path, slice_of("x"), 0600, &err), -1);
    err_clear(&err);
    ck_assert_int_eq(file_create(path, slice_of("x"), 0600, &err), -1);
    err_clear(&err);
    ck_assert_int_eq(file_lock(path, &fd, &err), -1);
    ck_ok(file_read(other, 100, &text, &err), err);
    ck_assert_str_eq(text.p, "precious");
    str_release(&text);
    free(path);
    free(other);
}
END_TEST

/* Thousands of mails are in memory at a time: each in the room that it needs. */
START_TEST(read_takes_no_more_than_the_file)
{
    static const size_t sizes[] = {0, 1, 61, 62, 63, 64, 65, 4096, 65535, 65536, 65537, 200000};
    struct err err = ERR_INIT;
    char *path = in_dir("sized");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct str text = STR_INIT, got = STR_INIT, behind = STR_INIT;
        while (text.len < sizes[i])
            str_addc(&text, (char)('a' + text.len % 23));
        ck_ok(file_write(path, slice_str(&text), 0600, &err), err);
        ck_ok(file_read(path, sizes[i], &got, &err), err);
        ck_assert_uint_eq(got.len, sizes[i]);
        ck_assert_uint_le(got.cap, sizes[i] ? sizes[i] + 64 : 65538);
        str_adds(&behind, "before");
        ck_ok(file_read(path, sizes[i], &behind, &err), err);
        ck_assert_uint_eq(behind.len, sizes[i] + 6);
        if (sizes[i]) {
            ck_assert_mem_eq(got.p, text.p, text.len);
            ck_assert_mem_eq(behind.p + 6, text.p, text.len);
            ck_assert_int_eq(file_read(path, sizes[i] - 1, &got, &err), -1);
            ck_assert_int_eq(err.code, ERR_INPUT);
            err_clear(&err);
        }
        str_release(&text);
        str_release(&got);
        str_release(&behind);
    }
    free(path);
}
END_TEST

START_TEST(errors_say_what_and_where)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *path = in_dir("missing");
    char *into = in_dir("no/such/folder");
    ck_assert_int_eq(file_read(path, 10, &text, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    ck_assert_ptr_nonnull(strstr(err.text, path));
    err_clear(&err);
    ck_assert_int_eq(file_write(into, slice_of("x"), 0600, &err), -1);
    ck_assert_int_eq(err.code, ERR_IO);
    err_clear(&err);
    ck_ok(file_create(path, slice_of("123456"), 0600, &err), err);
    ck_assert_int_eq(file_create(path, slice_of("x"), 0600, &err), -1);
    err_clear(&err);
    ck_assert_int_eq(file_read(path, 5, &text, &err), -1);
    ck_assert_int_eq(err.code, ERR_INPUT);
    str_release(&text);
    free(path);
    free(into);
}
END_TEST

START_TEST(append_cut_and_list)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *sub = in_dir("x/y");
    ck_ok(file_mkdirs(sub, 0700, &err), err);
    ck_ok(file_mkdirs(sub, 0700, &err), err);
    char *path = path_join(sub, "log");
    ck_ok(file_append(path, slice_of("ab\n"), 0600, &err), err);
    ck_ok(file_append(path, slice_of("cd\n"), 0600, &err), err);
    ck_ok(file_truncate(path, 4, &err), err);
    ck_ok(file_read(path, 100, &text, &err), err);
    ck_assert_str_eq(text.p, "ab\nc");
    ck_ok(file_remove(path, &err), err);
    ck_ok(file_remove(path, &err), err);
    ck_ok(file_sync_all(dir, &err), err);
    str_release(&text);
    free(path);
    free(sub);
}
END_TEST

static bool ends_so(const struct file_end *end, int64_t size)
{
    return end->size == size && end->count == (size > FILE_END ? FILE_END : (size_t)size) &&
           (!size || end->bytes[end->count - 1] == '\n');
}

START_TEST(append_where_the_end_fits)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct file_condition when = {.fits = ends_so, .fitted = true};
    char *path = in_dir("log");
    ck_assert_int_eq(file_append_if(path, slice_of("ab\n"), 0, &when, &err), -1);
    ck_assert(!when.fitted && !file_exists(path)); /* it had to be there */
    err_clear(&err);
    ck_ok(file_append_if(path, slice_of("ab\n"), 0600, &when, &err), err);
    ck_assert(when.fitted);
    when.arg = 2;
    ck_ok(file_append_if(path, slice_of("no\n"), 0600, &when, &err), err);
    ck_assert(!when.fitted);
    when.arg = 3;
    ck_ok(file_append_if(path, slice_of("0123456789012345678901234567890123456789\n"), 0, &when, &err), err);
    ck_assert(when.fitted);
    when.arg = 44;
    ck_ok(file_append_if(path, slice_of("c"), 0, &when, &err), err);
    ck_assert(when.fitted);
    ck_ok(file_read(path, 100, &text, &err), err);
    ck_assert_str_eq(text.p, "ab\n0123456789012345678901234567890123456789\nc");
    str_release(&text);
    free(path);
}
END_TEST

START_TEST(overwrite_leaves_nothing_of_before)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *path = in_dir("cache");
    static const char *const texts[] = {"first", "", "longer than the first", "short"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        str_clear(&text);
        ck_ok(file_overwrite(path, slice_of(texts[i]), 0600, &err), err);
        ck_ok(file_read(path, 100, &text, &err), err);
        ck_assert_str_eq(text.p, texts[i]);
    }
    char *nowhere = in_dir("none/cache");
    ck_assert_int_eq(file_overwrite(nowhere, slice_of("x"), 0600, &err), -1);
    ck_assert_int_eq(err.code, ERR_IO);
    str_release(&text);
    free(path);
    free(nowhere);
}
END_TEST

START_TEST(one_lock_at_a_time)
{
    struct err err = ERR_INIT;
    int first = -1, second = -1;
    char *path = in_dir("lock");
    ck_ok(file_lock(path, &first, &err), err);
    ck_assert_int_eq(file_lock(path, &second, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    close(first);
    err_clear(&err);
    ck_ok(file_lock(path, &second, &err), err);
    close(second);
    free(path);
}
END_TEST

START_TEST(names)
{
    ck_assert(name_valid(slice_of("gc-17")));
    ck_assert(name_valid(slice_of("a.b_c")));
    ck_assert(!name_valid(slice_of("")));
    ck_assert(!name_valid(slice_of("../x")));
    ck_assert(!name_valid(slice_of("a..b")));
    ck_assert(!name_valid(slice_of(".hidden")));
    ck_assert(!name_valid(slice_of("A")));
    ck_assert(!name_valid(slice_of("a/b")));
    ck_assert(!name_valid(slice_of("abcdefghijklmnopqrstuvwxyz0123456")));
}
END_TEST

/* Reading one of them would wait for ever, or never end. */
START_TEST(pipes_and_devices_are_no_files)
{
    static const char *const kinds[] = {"fifo", "zero", "folder"};
    char *fifo = in_dir("fifo"), *zero = in_dir("zero"), *folder = in_dir("folder"),
         *path = in_dir(kinds[_i]);
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct lines lines;
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    ck_assert_int_eq(symlink("/dev/zero", zero), 0);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    ck_assert_int_eq(file_read(path, 1 << 20, &text, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, path));
    ck_assert_ptr_nonnull(strstr(err.text, "not a plain file"));
    err_clear(&err);
    ck_assert_int_eq(lines_open(path, 100, &lines, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, path));
    lines_close(&lines);
    err_clear(&err);
    ck_assert_int_eq(file_append(path, slice_of("x"), 0600, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, path));
    if (_i == 0) {
        err_clear(&err);
        ck_assert_int_eq(file_overwrite(path, slice_of("x"), 0600, &err), -1);
        ck_assert_ptr_nonnull(strstr(err.text, path));
    }
    ck_assert_uint_eq(text.len, 0);
    str_release(&text);
    free(fifo);
    free(zero);
    free(folder);
    free(path);
}
END_TEST

/* A line that is too long is the end, however much follows: it costs what it may hold. */
START_TEST(a_line_that_is_too_long)
{
    struct err err = ERR_INIT;
    struct lines lines;
    struct slice line;
    char *path = in_dir("long");
    struct str text = STR_INIT;
    str_adds(&text, "one\n12345678\n123456789\nfour\n");
    ck_ok(file_overwrite(path, slice_str(&text), 0600, &err), err);
    ck_ok(lines_open(path, 9, &lines, &err), err);
    for (int round = 0; round < 2; round++) {
        static const char *const want[] = {"one\n", "12345678\n", "123456789", "", ""};
        for (size_t i = 0; i < 5; i++) {
            ck_ok(lines_next(&lines, &line, &err), err);
            ck_slice_eq(line, want[i]);
        }
        ck_ok(lines_rewind(&lines, &err), err);
    }
    lines_close(&lines);
    ck_assert_int_eq(truncate(path, (off_t)1 << 36), 0);
    str_release(&text);
    ck_assert_int_eq(file_read(path, 1 << 20, &text, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "larger than the limit"));
    ck_assert_uint_eq(text.cap, 0);
    str_release(&text);
    free(path);
}
END_TEST

/* Nobody writes into a pipe that a person names: it is not waited for longer than for a slow hand. */
START_TEST(a_pipe_without_a_writer)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *path = in_dir("silent");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    ck_assert_int_eq(file_read_named(path, 100, &text, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "nobody writes"));
    str_release(&text);
    free(path);
}
END_TEST

/* What a person names may be a pipe. */
START_TEST(a_named_pipe_is_read)
{
    int end[2];
    char path[32];
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    ck_assert_int_eq(pipe(end), 0);
    ck_assert_int_eq(write(end[1], "words", 5), 5);
    close(end[1]);
    (void)snprintf(path, sizeof path, "/dev/fd/%d", end[0]);
    ck_ok(file_read_named(path, 100, &text, &err), err);
    ck_assert_str_eq(text.p, "words");
    close(end[0]);
    str_release(&text);
}
END_TEST

/* ---- what a keeper is told ---- */

static enum keep_kind told;

static bool keeps_all(void *arg, const char *path)
{
    (void)arg;
    (void)path;
    return true;
}

static void note_kind(void *arg, const struct keep_change *change)
{
    (void)arg;
    told = change->kind;
}

static int sync_none(void *arg, struct err *err)
{
    (void)arg;
    (void)err;
    return 0;
}

/* A file that could not be overwritten, and is there as before, must not count as removed: it would be gone on other hosts. */
START_TEST(what_is_left_is_told)
{
    static const struct keeper keeper = {keeps_all, note_kind, sync_none, NULL};
    struct err err = ERR_INIT;
    char *path = path_join(dir, "file"), *link = path_join(dir, "link");
    ck_ok(file_write_soft(path, slice_of("x"), 0600, &err), err);
    ck_assert_int_eq(symlink("file", link), 0);
    keep_with(&keeper);
    ck_assert_int_eq(file_overwrite(link, slice_of("y"), 0600, &err), -1);
    ck_assert_int_eq(told, KEEP_WRITTEN);
    err_clear(&err);
    ck_ok(file_overwrite(path, slice_of("y"), 0600, &err), err);
    ck_assert_int_eq(told, KEEP_WRITTEN);
    ck_ok(file_remove(path, &err), err);
    ck_assert_int_eq(told, KEEP_REMOVED);
    keep_with(NULL);
    free(path);
    free(link);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, write_replaces_as_a_whole);
    tcase_add_test(tc, a_temporary_file_is_always_a_new_one);
    tcase_add_test(tc, what_is_written_in_place_is_no_link);
    tcase_add_test(tc, read_takes_no_more_than_the_file);
    tcase_add_test(tc, errors_say_what_and_where);
    tcase_add_test(tc, append_cut_and_list);
    tcase_add_test(tc, append_where_the_end_fits);
    tcase_add_test(tc, overwrite_leaves_nothing_of_before);
    tcase_add_test(tc, what_is_left_is_told);
    tcase_add_test(tc, one_lock_at_a_time);
    tcase_add_loop_test(tc, pipes_and_devices_are_no_files, 0, 3);
    tcase_add_test(tc, a_line_that_is_too_long);
    tcase_add_test(tc, a_pipe_without_a_writer);
    tcase_add_test(tc, a_named_pipe_is_read);
    tcase_add_test(tc, names);
}
TEST_MAIN("base/file", cases)
