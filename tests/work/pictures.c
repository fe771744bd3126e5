/* Pictures of boards in the reports of a league, from the turn to the mails that leave. */
#include <dirent.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "work/work.h"
#include "base/clock.h"
#include "house/house.h"
#include "painting.h"
#include "mail/illustrate.h"
#include "picture/pictures.h"
#include "work/showing.h"

#define DAY ((int64_t)86400)

static struct house house;
static struct painter painter;
static const char *const table[] = {"anna", "bob", "carol"};

static void read_pages(const char *name)
{
    ck_assert_int_eq(house_signed(&house, name, name, "#turnpost prefs\nhtml: yes\n#end\n"),
                     INTAKE_PROCESSED);
}

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[outgoing]", "pictures = yes");
    house_restart(&house);
    for (int i = 0; i < 3; i++) {
        house_player(&house, table[i]);
        read_pages(table[i]);
    }
    house_empty_spool(&house);
    painting_begin(&painter);
    house.league.painter = painter.fd;
    house_game(&house, "gc-1", "galaxy-command", DAY, 3, table);
}

static void end(void)
{
    painter_end(&painter);
    house_close(&house);
}

static struct work_sum send_all(const volatile bool *stop)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    ck_ok(work_send(&house.batch, stop, &sum, &err), err);
    return sum;
}

/* The deadline of another day: a turn is played. */
static void play_turn(void)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    house.batch.now += DAY + 1;
    house.now = house.batch.now;
    ck_ok(work_clock(&house.batch, &sum, &err), err);
    ck_assert_uint_ge(sum.turns, 1);
}

static size_t waiting(void)
{
    struct err err = ERR_INIT;
    struct undecided_list list;
    ck_ok(undecided_read(house.batch.spool, &list, &err), err);
    size_t count = list.count;
    undecided_free(&list);
    return count;
}

/* All mails that went to somebody, and away with them. */
static size_t sent_to(const char *name, struct str *mails)
{
    struct err err = ERR_INIT;
    struct file_names names;
    struct str dir = STR_INIT;
    str_addf(&dir, "%s/mail/out/%s@example.net/new", house.dir, name);
    str_clear(mails);
    ck_ok(file_list(dir.p, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        char *path = path_join(dir.p, names.name[i]);
        ck_ok(file_read(path, 1 << 20, mails, &err), err);
        ck_ok(file_remove(path, &err), err);
        free(path);
    }
    size_t count = names.count;
    file_names_free(&names);
    str_release(&dir);
    return count;
}

static size_t occurrences(const struct str *text, const char *what)
{
    size_t count = 0;
    for (const char *at = strstr(text->p, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

/* So many mails went to them, so many of these with a picture. */
static void got(const char *name, size_t count, size_t pictures)
{
    struct str mails = STR_INIT;
    ck_assert_msg(sent_to(name, &mails) == count, "%s got other mails than %zu", name, count);
    ck_assert_msg(occurrences(&mails, "Content-Type: image/png") == pictures &&
                      occurrences(&mails, "src=\"cid:") + occurrences(&mails, "src=3D\"cid:") == pictures,
                  "%s got other pictures than %zu:\n%s", name, pictures, mails.p);
    str_release(&mails);
}

static size_t pictures_kept(const char *ending)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *dir = house_path(&house, PICTURES_FOLDER);
    size_t count = 0;
    ck_ok(file_list(dir, &names, &err), err);
    for (size_t i = 0; i < names.count; i++)
        count += str_ends(names.name[i], ending);
    file_names_free(&names);
    free(dir);
    return count;
}

START_TEST(reports_show_the_board)
{
    struct work_sum sum = send_all(NULL); /* the first reports */
    ck_assert_uint_eq(sum.sent, 3);
    ck_assert_uint_eq(sum.held, 0);
    for (int i = 0; i < 3; i++)
        got(table[i], 1, 1);
    ck_assert_uint_eq(pictures_kept(".png"), 3); /* of this game each player sees their own */
    ck_assert_uint_eq(pictures_kept(".json"), 0);
    play_turn();
    ck_assert_uint_eq(pictures_kept(".json"), 3);
    ck_assert_uint_ge(send_all(NULL).sent, 3);
    ck_assert_uint_eq(pictures_kept(".png"), 6);
    for (int i = 0; i < 3; i++)
        got(table[i], 1, 1);
    house_same(&house, "gc-1");
}
END_TEST

/* Texts, those who want none, and digests are as ever; receipts and answers have none. */
START_TEST(who_has_none)
{
    struct str mails = STR_INIT;
    (void)send_all(NULL);
    for (int i = 0; i < 3; i++)
        (void)sent_to(table[i], &mails);
    ck_assert_int_eq(house_signed(&house, "anna", "anna", "#turnpost prefs\nhtml: no\n#end\n"),
                     INTAKE_PROCESSED);
    ck_assert_int_eq(house_signed(&house, "bob", "bob", "#turnpost prefs\npictures: no\n#end\n"),
                     INTAKE_PROCESSED);
    ck_assert_int_eq(house_signed(&house, "carol", "carol", "#turnpost prefs\ndigest: 13\n#end\n"),
                     INTAKE_PROCESSED);
    (void)send_all(NULL);
    ck_assert_uint_eq(sent_to("bob", &mails), 1);
    ck_assert_ptr_nonnull(strstr(mails.p, "pictures"));
    (void)sent_to("anna", &mails);
    (void)sent_to("carol", &mails);
    play_turn();
    ck_assert_uint_eq(pictures_kept(".json"), 0); /* nobody wants it */
    ck_assert_uint_eq(waiting(), 0);
    house.batch.now += 2 * 3600; /* the hour of digests */
    (void)send_all(NULL);
    for (int i = 0; i < 3; i++)
        got(table[i], 1, 0);
    ck_assert_int_eq(house_signed(&house, "bob", "bob", "#turnpost prefs\npictures: yes\n#end\n"),
                     INTAKE_PROCESSED);
    (void)send_all(NULL);
    got("bob", 1, 0);
    play_turn();
    (void)send_all(NULL);
    got("bob", 1, 1);
    str_release(&mails);
}
END_TEST

static void all_leave_without(int64_t most)
{
    int64_t began = clock_milliseconds();
    ck_assert_uint_eq(send_all(NULL).sent, 3);
    ck_assert_int_lt(clock_milliseconds() - began, most);
    for (int i = 0; i < 3; i++)
        got(table[i], 1, 0);
    ck_assert_uint_eq(waiting(), 0);
}

START_TEST(no_painter)
{
    house.league.painter = -1;
    all_leave_without(5000);
}
END_TEST

START_TEST(a_painter_that_is_killed)
{
    ck_assert_int_eq(kill(painter.pid, SIGKILL), 0);
    all_leave_without(5000);
    ck_assert_int_eq(house.league.painter, -1);
    play_turn(); /* it is not asked again */
    all_leave_without(5000);
}
END_TEST

START_TEST(a_painter_that_hangs)
{
    const struct timeval most = {1, 0};
    ck_assert_int_eq(setsockopt(painter.fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most), 0);
    ck_assert_int_eq(kill(painter.pid, SIGSTOP), 0);
    all_leave_without(8000);
    ck_assert_int_eq(kill(painter.pid, SIGKILL), 0);
}
END_TEST

/* The time is over while it is painted: the others are not waited for. */
START_TEST(a_picture_that_is_late)
{
    struct err err = ERR_INIT;
    struct showing showing;
    bool stop = false;
    ck_assert_int_eq(kill(painter.pid, SIGSTOP), 0);
    ck_ok(showing_begin(&showing, &house.batch, &stop, &err), err);
    ck_assert_uint_eq(showing.undecided.count, 3);
    ck_ok(showing_decide(&showing, &err), err);
    ck_assert_uint_eq(showing.undecided.count, 3);
    showing.end = clock_milliseconds() + 300;
    ck_assert(showing_wait(&showing));
    ck_ok(showing_decide(&showing, &err), err);
    ck_assert_uint_eq(showing.undecided.count, 0);
    ck_assert(!showing_wait(&showing));
    stop = true; /* so that its end does not wait for the one in hand */
    showing_end(&showing);
    all_leave_without(5000);
    ck_assert_int_eq(kill(painter.pid, SIGKILL), 0);
}
END_TEST

/* SIGTERM: what waits is left to the next start, and leaves with its picture then. */
START_TEST(to_stop_loses_nothing)
{
    struct str mails = STR_INIT;
    const volatile bool stop = true;
    ck_assert_int_eq(kill(painter.pid, SIGSTOP), 0);
    int64_t began = clock_milliseconds();
    ck_assert_uint_eq(send_all(&stop).sent, 0);
    ck_assert_int_lt(clock_milliseconds() - began, 3000);
    ck_assert_uint_eq(waiting(), 3);
    ck_assert_int_eq(kill(painter.pid, SIGKILL), 0);
    painter_end(&painter);
    house_restart(&house);
    ck_assert_uint_eq(waiting(), 3);
    painting_begin(&painter);
    house.league.painter = painter.fd;
    ck_assert_uint_eq(send_all(NULL).sent, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(sent_to(table[i], &mails), 1);
        ck_assert_uint_eq(occurrences(&mails, "image/png"), 1);
        ck_assert_uint_eq(occurrences(&mails, "Message-ID: <gc-1."), 1);
    }
    str_release(&mails);
}
END_TEST

/* The folder may be removed at any time; a league that no longer sends pictures still sends its mails. */
START_TEST(what_is_lost_meanwhile)
{
    house_remove(&house, PICTURES_FOLDER);
    house_restart(&house);
    house.league.config.outgoing.pictures = !_i;
    house.league.painter = painter.fd;
    all_leave_without(5000);
    play_turn();
    (void)send_all(NULL);
    for (int i = 0; i < 3; i++)
        got(table[i], 1, _i ? 0 : 1);
}
END_TEST

/* The folder cannot be written: mails are no worse for it. */
START_TEST(a_folder_that_is_none)
{
    struct err err = ERR_INIT;
    (void)send_all(NULL);
    for (int i = 0; i < 3; i++)
        got(table[i], 1, 1);
    house_remove(&house, PICTURES_FOLDER);
    char *path = house_path(&house, PICTURES_FOLDER);
    ck_ok(file_create(path, slice_of("x"), 0600, &err), err);
    free(path);
    play_turn();
    all_leave_without(5000);
}
END_TEST

/* Its own template of a report, without a line for pictures. */
START_TEST(a_template_without_a_place)
{
    struct err err = ERR_INIT;
    char *folder = house_path(&house, "templates/common"), *path = path_join(folder, "report.html");
    (void)send_all(NULL);
    for (int i = 0; i < 3; i++)
        got(table[i], 1, 1);
    ck_ok(file_mkdirs(folder, 0700, &err), err);
    ck_ok(file_create(path, slice_of("<html><body><p>{{game}}</p></body></html>\n"), 0600, &err), err);
    free(folder);
    free(path);
    house_restart(&house);
    house.league.painter = painter.fd;
    play_turn();
    all_leave_without(5000);
}
END_TEST

/* Reports that were asked for again, and those of who only watches, have none. */
START_TEST(reports_again)
{
    struct str mails = STR_INIT;
    (void)send_all(NULL);
    for (int i = 0; i < 3; i++)
        (void)sent_to(table[i], &mails);
    ck_assert_int_eq(house_signed(&house, "anna", "anna", "#turnpost resend\ngame: gc-1\n#end\n"),
                     INTAKE_PROCESSED);
    ck_assert_uint_eq(send_all(NULL).sent, 1);
    ck_assert_uint_eq(sent_to("anna", &mails), 1);
    ck_assert_uint_eq(occurrences(&mails, "image/png"), 0);
    ck_assert_uint_eq(occurrences(&mails, ILLUSTRATE_HERE), 0);
    str_release(&mails);
}
END_TEST

/* Without the option nothing is different: no folder, no line in the page, no member in the envelope. */
START_TEST(a_league_without_pictures)
{
    struct str mails = STR_INIT;
    (void)send_all(NULL);
    for (int i = 0; i < 3; i++)
        (void)sent_to(table[i], &mails);
    house.league.config.outgoing.pictures = 0;
    house_remove(&house, PICTURES_FOLDER);
    play_turn();
    ck_assert_uint_eq(waiting(), 0);
    (void)send_all(NULL);
    ck_assert_uint_eq(sent_to("anna", &mails), 1);
    ck_assert(!strstr(mails.p, ILLUSTRATE_HERE) && !strstr(mails.p, "cid:"));
    char *folder = house_path(&house, PICTURES_FOLDER);
    ck_assert(!file_exists(folder));
    free(folder);
    str_release(&mails);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, reports_show_the_board);
    tcase_add_test(tc, who_has_none);
    tcase_add_test(tc, no_painter);
    tcase_add_test(tc, a_painter_that_is_killed);
    tcase_add_test(tc, a_painter_that_hangs);
    tcase_add_test(tc, a_picture_that_is_late);
    tcase_add_test(tc, to_stop_loses_nothing);
    tcase_add_loop_test(tc, what_is_lost_meanwhile, 0, 2);
    tcase_add_test(tc, a_folder_that_is_none);
    tcase_add_test(tc, a_template_without_a_place);
    tcase_add_test(tc, reports_again);
    tcase_add_test(tc, a_league_without_pictures);
}
TEST_MAIN("work/pictures", cases)
