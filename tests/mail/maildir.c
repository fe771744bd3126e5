#include "mail/source.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>

#include "mail/maildir.h"
#include "servers/servers.h"

static char dir[SCRATCH_PATH];
static struct source *source;

static void setup(void)
{
    struct err err = ERR_INIT;
    scratch_make(dir, "maildir");
    ck_ok(maildir_create(dir, &err), err);
    ck_ok(source_open_maildir(dir, 1000, &source, &err), err);
}

static void teardown(void)
{
    source_close(source);
    scratch_remove(dir);
}

static void put(const char *name, const char *text, int64_t mtime)
{
    struct err err = ERR_INIT;
    char *path = path_join(dir, name);
    const struct timespec times[2] = {{.tv_sec = (time_t)mtime}, {.tv_sec = (time_t)mtime}};
    ck_ok(file_create(path, slice_of(text), 0600, &err), err);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    free(path);
}

static bool exists(const char *name)
{
    char *path = path_join(dir, name);
    bool yes = file_exists(path);
    free(path);
    return yes;
}

static size_t fetch(struct incoming *mails, size_t max)
{
    struct err err = ERR_INIT;
    size_t count;
    ck_ok(source_fetch(source, mails, max, &count, &err), err);
    return count;
}

static void dispose(struct incoming *mails, size_t count, enum disposition disposition)
{
    struct err err = ERR_INIT;
    enum disposition how[16] = {MAIL_PROCESSED};
    for (size_t i = 0; i < count; i++)
        how[i] = disposition;
    ck_ok(source_dispose(source, mails, how, count, &err), err);
    for (size_t i = 0; i < count; i++)
        incoming_release(&mails[i]);
}

START_TEST(oldest_first)
{
    struct incoming mails[10];
    put("new/b", "B", 2000);
    put("cur/a:2,S", "A", 3000);
    put("new/d", "D", 1000);
    put("new/c", "C", 2000);
    ck_assert_uint_eq(fetch(mails, 3), 3);
    ck_assert_str_eq(mails[0].raw.p, "D");
    ck_assert_str_eq(mails[1].raw.p, "B");
    ck_assert_str_eq(mails[2].raw.p, "C");
    ck_assert_int_eq(mails[0].arrived, 1000);
    ck_assert_uint_eq(mails[0].size, 1);
    ck_assert(!mails[0].oversize);
    dispose(mails, 3, MAIL_PROCESSED);
    ck_assert_uint_eq(fetch(mails, 3), 1);
    ck_assert_str_eq(mails[0].raw.p, "A");
    dispose(mails, 1, MAIL_REJECTED);
    ck_assert_uint_eq(fetch(mails, 3), 0);
    ck_assert(exists(".Processed/cur/b:2,") && exists(".Processed/cur/c:2,") &&
              exists(".Processed/cur/d:2,"));
    ck_assert(exists(".Rejected/cur/a:2,S"));
    ck_assert(!exists("new/b") && !exists("cur/a:2,S"));
}
END_TEST

START_TEST(what_is_not_disposed_of_is_not_fetched_again)
{
    struct incoming mails[10];
    struct incoming more[10];
    struct err err = ERR_INIT;
    put("new/a", "A", 1000);
    ck_assert_uint_eq(fetch(mails, 10), 1);
    put("new/b", "B", 500);
    ck_assert_uint_eq(fetch(more, 10), 1);
    ck_assert_str_eq(more[0].raw.p, "B");
    ck_assert_uint_eq(fetch(more + 1, 9), 0);
    /* A fresh source sees what was left. */
    source_close(source);
    ck_ok(source_open_maildir(dir, 1000, &source, &err), err);
    ck_assert_str_ne(source_describe(source), "");
    incoming_release(&mails[0]);
    incoming_release(&more[0]);
    ck_assert_uint_eq(fetch(mails, 10), 2);
    dispose(mails, 2, MAIL_PROCESSED);
}
END_TEST

START_TEST(left_mails_come_again_and_failed_ones_when_they_are_taken_back)
{
    struct incoming mails[10];
    struct err err = ERR_INIT;
    size_t count;
    put("new/a", "A", 1000);
    put("cur/b:2,S", "B", 2000);
    ck_assert_uint_eq(fetch(mails, 10), 2);
    for (int i = 0; i < 2; i++)
        incoming_release(&mails[i]);
    source_again(source, NULL, NULL);
    ck_assert_uint_eq(fetch(mails, 10), 2);
    dispose(mails, 2, MAIL_FAILED);
    ck_assert(exists(".Failed/cur/a:2,") && exists(".Failed/cur/b:2,S"));
    source_again(source, NULL, NULL);
    ck_assert_uint_eq(fetch(mails, 10), 0);
    ck_ok(maildir_take_back(dir, &(struct take_back){MAIL_FAILED, 0}, &count, &err), err);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(fetch(mails, 10), 2);
    ck_assert_str_eq(mails[0].raw.p, "A");
    dispose(mails, 2, MAIL_PROCESSED);
    /* of those that were processed, the later one */
    ck_ok(maildir_take_back(dir, &(struct take_back){MAIL_PROCESSED, 1500}, &count, &err), err);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(fetch(mails, 10), 1);
    ck_assert_str_eq(mails[0].raw.p, "B");
    ck_assert_int_eq(mails[0].arrived, 2000);
    dispose(mails, 1, MAIL_PROCESSED);
}
END_TEST

START_TEST(oversize_gives_the_header_only)
{
    struct incoming mails[10];
    struct str big = STR_INIT;
    str_adds(&big, "From: a\nSubject: b\n\n");
    while (big.len <= (_i ? 100000 : 1000))
        str_adds(&big, "0123456789\n");
    put("new/big", big.p, 1000);
    ck_assert_uint_eq(fetch(mails, 10), 1);
    ck_assert(mails[0].oversize);
    ck_assert_uint_eq(mails[0].size, big.len);
    ck_assert_str_eq(mails[0].raw.p, "From: a\nSubject: b\n\n");
    dispose(mails, 1, MAIL_REJECTED);
    ck_assert(exists(".Rejected/cur/big:2,"));
    str_release(&big);
}
END_TEST

/* Of a larger one than is to be fetched only its size is handed out, until source_again. */
START_TEST(large_ones_are_spared)
{
    struct incoming mails[10];
    put("new/small", "A", 1000);
    put("new/large", "0123456789", 999);
    source_spare(source, 9);
    ck_assert_uint_eq(fetch(mails, 10), 2);
    ck_assert(mails[0].spared && !mails[0].oversize && !mails[0].raw.len && mails[0].size == 10);
    ck_assert(!mails[1].spared && mails[1].raw.len == 1);
    ck_assert_uint_eq(fetch(mails + 2, 1), 0);
    dispose(mails + 1, 1, MAIL_PROCESSED);
    incoming_release(mails);
    source_again(source, NULL, NULL);
    ck_assert_uint_eq(fetch(mails, 10), 1);
    ck_assert(!mails[0].spared && mails[0].raw.len == 10);
    dispose(mails, 1, MAIL_PROCESSED);
}
END_TEST

START_TEST(a_mail_program_may_move_and_remove)
{
    struct incoming mails[10];
    put("new/a", "A", 1000);
    put("new/b", "B", 1001);
    ck_assert_uint_eq(fetch(mails, 10), 2);
    char *from = path_join(dir, "new/a");
    char *to = path_join(dir, "cur/a:2,FS");
    char *gone = path_join(dir, "new/b");
    ck_assert_int_eq(rename(from, to), 0);
    ck_assert_int_eq(unlink(gone), 0);
    struct incoming more[1];
    ck_assert_uint_eq(fetch(more, 1), 0); /* the moved one is known */
    dispose(mails, 2, MAIL_PROCESSED);
    ck_assert(exists(".Processed/cur/a:2,FS"));
    ck_assert(!exists("cur/a:2,FS"));
    free(from);
    free(to);
    free(gone);
}
END_TEST

START_TEST(nothing_is_overwritten)
{
    struct incoming mails[10];
    for (int i = 0; i < 3; i++) {
        put("new/same", i == 0 ? "first" : i == 1 ? "second" : "third", 1000);
        ck_assert_uint_eq(fetch(mails, 10), 1);
        dispose(mails, 1, MAIL_PROCESSED);
    }
    ck_assert(exists(".Processed/cur/same:2,") && exists(".Processed/cur/same.1:2,") &&
              exists(".Processed/cur/same.2:2,"));
}
END_TEST

START_TEST(only_plain_files_are_mail)
{
    struct incoming mails[10];
    char *fifo = path_join(dir, "new/fifo");
    char *link = path_join(dir, "new/link");
    char *sub = path_join(dir, "new/sub");
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    ck_assert_int_eq(symlink("/etc/passwd", link), 0);
    ck_assert_int_eq(mkdir(sub, 0700), 0);
    put("new/.hidden", "x", 1000);
    put("new/mail", "x", 1000);
    ck_assert_uint_eq(fetch(mails, 10), 1);
    ck_assert_str_eq(mails[0].id, "new/mail");
    dispose(mails, 1, MAIL_PROCESSED);
    free(fifo);
    free(link);
    free(sub);
}
END_TEST

START_TEST(batches_are_bounded)
{
    struct err err = ERR_INIT;
    struct incoming mails[10];
    struct str big = STR_INIT;
    str_reserve(&big, 3000001);
    for (int i = 0; i < 3000000; i++)
        str_addc(&big, 'x');
    source_close(source);
    ck_ok(source_open_maildir(dir, 4000000, &source, &err), err);
    put("new/a", big.p, 1000);
    put("new/b", big.p, 1001);
    put("new/c", big.p, 1002);
    ck_assert_uint_eq(fetch(mails, 10), 2);
    dispose(mails, 2, MAIL_PROCESSED);
    ck_assert_uint_eq(fetch(mails, 10), 1);
    dispose(mails, 1, MAIL_PROCESSED);
    str_release(&big);
}
END_TEST

START_TEST(another_folder_is_a_mistake)
{
    struct err err = ERR_INIT;
    struct source *none = NULL;
    char *path = path_join(dir, "new");
    ck_assert_int_eq(source_open_maildir(path, 1000, &none, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    free(path);
}
END_TEST

static volatile bool stop_flag;

static void *act_later(void *arg)
{
    (void)arg;
    const struct timespec pause = {.tv_nsec = 100000000};
    nanosleep(&pause, NULL);
    if (arg)
        put(arg, "x", 1000);
    else
        stop_flag = true;
    return NULL;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

START_TEST(waiting_ends_with_a_mail_or_stop)
{
    struct err err = ERR_INIT;
    struct incoming mails[1];
    pthread_t thread;
    char name[] = "new/fresh";
    double start = seconds();
    ck_assert_int_eq(pthread_create(&thread, NULL, act_later, name), 0);
    ck_ok(source_wait(source, 30, &stop_flag, &err), err);
    ck_assert(seconds() - start < 2.0);
    pthread_join(thread, NULL);
    ck_assert_uint_eq(fetch(mails, 1), 1);
    incoming_release(&mails[0]);
    start = seconds();
    ck_assert_int_eq(pthread_create(&thread, NULL, act_later, NULL), 0);
    ck_ok(source_wait(source, 30, &stop_flag, &err), err);
    ck_assert(stop_flag);
    ck_assert(seconds() - start < 1.3);
    pthread_join(thread, NULL);
    stop_flag = false;
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, oldest_first);
    tcase_add_test(tc, what_is_not_disposed_of_is_not_fetched_again);
    tcase_add_test(tc, left_mails_come_again_and_failed_ones_when_they_are_taken_back);
    tcase_add_loop_test(tc, oversize_gives_the_header_only, 0, 2);
    tcase_add_test(tc, large_ones_are_spared);
    tcase_add_test(tc, a_mail_program_may_move_and_remove);
    tcase_add_test(tc, nothing_is_overwritten);
    tcase_add_test(tc, only_plain_files_are_mail);
    tcase_add_test(tc, batches_are_bounded);
    tcase_add_test(tc, another_folder_is_a_mistake);
    tcase_add_test(tc, waiting_ends_with_a_mail_or_stop);
}
TEST_MAIN("mail/maildir", cases)
