/* When a mail has arrived: the server's word, the writer's, and the league's clock, of which each may be wrong. */
#include "mail/source.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "mail/maildir.h"
#include "mail/message.h"
#include "scratch.h"
#include "suite.h"

#define HOUR    3600
#define DAY     86400
#define NOW     1795176000 /* Fri, 20 Nov 2026 12:00:00 +0000 */
#define IN_2040 2208988800

START_TEST(whose_word_counts)
{
    static const struct {
        const char *what;
        int64_t said, date, is;
    } rows[] = {
        {"as it should be", NOW - 60, NOW - 90, NOW - 60},
        {"it waited for the league for a year", NOW - 365 * DAY, NOW - 365 * DAY - 5, NOW - 365 * DAY},
        {"a server on its way kept it for days", NOW - 60, NOW - 4 * DAY, NOW - 60},
        {"the server lost the time", 0, NOW - 90, NOW - 90},
        {"the server is ahead by years", IN_2040, NOW - 90, NOW - 90},
        {"and the mail has no date", IN_2040, 0, NOW},
        {"nobody knows", 0, 0, NOW},
        {"no date, and nothing wrong", NOW - 3 * DAY, 0, NOW - 3 * DAY},
        {"the server is a little ahead", NOW + 40, NOW - 6 * HOUR, NOW},
        {"the server is a little behind", NOW - 3 * HOUR, NOW - 60, NOW - 3 * HOUR},
        {"the server is days behind", NOW - 3 * DAY, NOW - 60, NOW - 60},
        {"the writer is ahead by hours", NOW - 60, NOW + 2 * HOUR, NOW - 60},
        {"the writer is ahead by years", NOW - 60, IN_2040, NOW - 60},
        {"the writer is in 1970", NOW - 60, 5, NOW - 60},
        {"both are ahead by years", IN_2040, IN_2040, NOW},
        {"the server is in 1970, the writer in 2040", 0, IN_2040, NOW},
        {"the league's own clock is behind", NOW + 5 * DAY, NOW + 5 * DAY - 30, NOW},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(source_arrival(rows[i].said, rows[i].date, NOW) == rows[i].is, "%s: %lld", rows[i].what,
                      (long long)(source_arrival(rows[i].said, rows[i].date, NOW) - NOW));
}
END_TEST

/* One mail with this time on its file, as a source gives it. */
static int64_t arrives(int64_t mtime, bool knows_the_time)
{
    char dir[SCRATCH_PATH];
    struct err err = ERR_INIT;
    struct source *source;
    struct incoming mail;
    size_t count = 0;
    const struct timespec times[2] = {{.tv_sec = (time_t)mtime}, {.tv_sec = (time_t)mtime}};
    scratch_make(dir, "source");
    ck_ok(maildir_create(dir, &err), err);
    char *path = path_join(dir, "new/one");
    ck_ok(file_create(path, slice_of("From: a@b\r\nDate: Fri, 20 Nov 2026 11:58:30 +0000\r\n\r\nx\r\n"), 0600,
                      &err),
          err);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    ck_ok(source_open_maildir(dir, 1000, &source, &err), err);
    if (knows_the_time)
        source_time(source, NOW);
    ck_ok(source_fetch(source, &mail, 1, &count, &err), err);
    ck_assert_uint_eq(count, 1);
    int64_t arrived = mail.arrived;
    incoming_release(&mail);
    source_close(source);
    free(path);
    scratch_remove(dir);
    return arrived;
}

START_TEST(a_source_that_knows_the_time_judges)
{
    ck_assert_int_eq(arrives(NOW - 60, true), NOW - 60);
    ck_assert_int_eq(arrives(0, true), NOW - 90);
    ck_assert_int_eq(arrives(IN_2040, true), NOW - 90);
    ck_assert_int_eq(arrives(IN_2040, false), IN_2040); /* `doctor` compares the clocks */
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, mail_begin, NULL);
    tcase_add_test(tc, whose_word_counts);
    tcase_add_test(tc, a_source_that_knows_the_time_judges);
}
TEST_MAIN_TOGETHER("mail/source", cases)
