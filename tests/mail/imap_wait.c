/* A mailbox on an IMAP server: waiting for mail, with IDLE and without. */
#include <pthread.h>
#include <sys/time.h>

#include "servers/mailbox.h"

static volatile bool stop_flag;

static void *act_later(void *arg)
{
    const struct timespec pause = {.tv_nsec = 200000000};
    nanosleep(&pause, NULL);
    if (arg)
        servers_deliver(&servers, arg, "Subject: fresh\n\nx");
    else
        stop_flag = true;
    return NULL;
}

START_TEST(idle_wakes_for_a_mail)
{
    struct err err = ERR_INIT;
    struct incoming mails[1];
    pthread_t thread;
    char user[] = "u6@players.test";
    open_as("u6");
    ck_assert_uint_eq(fetch(mails, 1), 0);
    for (int i = 0; i < 2; i++) {
        double from = seconds();
        ck_assert_int_eq(pthread_create(&thread, NULL, act_later, user), 0);
        ck_ok(source_wait(source, 60, NULL, &err), err);
        ck_assert(seconds() - from < 2.4);
        ck_assert(seconds() - from > 0.1);
        pthread_join(thread, NULL);
        ck_assert_uint_eq(fetch(mails, 1), 1);
        dispose(mails, 1, MAIL_PROCESSED);
        ck_assert_uint_eq(fetch(mails, 1), 0);
    }
    source_close(source);
}
END_TEST

static void on_alarm(int number)
{
    (void)number;
}

START_TEST(idle_ends_in_time)
{
    struct err err = ERR_INIT;
    struct incoming mails[1];
    pthread_t thread;
    open_as("u7");
    ck_assert_uint_eq(fetch(mails, 1), 0);
    double from = seconds();
    ck_ok(source_wait(source, 1, NULL, &err), err);
    ck_assert(seconds() - from > 0.9 && seconds() - from < 1.5);
    from = seconds();
    ck_assert_int_eq(pthread_create(&thread, NULL, act_later, NULL), 0);
    ck_ok(source_wait(source, 60, &stop_flag, &err), err);
    ck_assert(seconds() - from < 1.4);
    pthread_join(thread, NULL);
    stop_flag = false;
    const struct sigaction action = {.sa_handler = on_alarm};
    ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
    from = seconds();
    const struct itimerval timer = {.it_value = {.tv_usec = 200000}};
    ck_assert_int_eq(setitimer(ITIMER_REAL, &timer, NULL), 0);
    ck_ok(source_wait(source, 60, NULL, &err), err);
    ck_assert(seconds() - from < 1);
    /* The connection is still good. */
    servers_deliver(&servers, "u7@players.test", "Subject: x\n\nx");
    ck_assert_uint_eq(fetch(mails, 1), 1);
    incoming_release(&mails[0]);
    source_close(source);
}
END_TEST

/* Without IDLE a look is worth it after server.poll seconds. */
START_TEST(polling_has_its_own_pause)
{
    struct err err = ERR_INIT;
    struct server server = servers_login(&servers, fake_port(&fakes, "imap_no_idle"), TLS_IMPLICIT, "orders");
    struct incoming mails[4];
    server.poll = 1;
    ck_ok(try_open(&server, &err), err);
    ck_assert_uint_eq(fetch(mails, 4), 3);
    ck_assert_uint_eq(fetch(mails + 3, 1), 0);
    for (int i = 0; i < 3; i++)
        incoming_release(&mails[i]);
    double from = seconds();
    ck_ok(source_wait(source, 50, NULL, &err), err);
    ck_assert(seconds() - from > 0.9 && seconds() - from < 40);
    source_close(source);
}
END_TEST

static void ck_wakes_at_once(const char *scenario)
{
    struct err err = ERR_INIT;
    struct incoming mails[1];
    open_fake(scenario, 5);
    ck_assert_uint_eq(fetch(mails, 1), 0);
    double from = seconds();
    ck_ok(source_wait(source, 10, NULL, &err), err);
    ck_assert(seconds() - from < 1.0);
    source_close(source);
}

START_TEST(no_news_are_lost_around_idle)
{
    ck_wakes_at_once("imap_early_exists");
    ck_wakes_at_once("imap_late_exists");
}
END_TEST

START_TEST(a_server_may_end_in_idle)
{
    struct err err = ERR_INIT;
    struct incoming mails[1];
    pthread_t thread;
    open_fake("imap_idle_bye", 5);
    ck_assert_uint_eq(fetch(mails, 1), 0);
    ck_assert_int_eq(source_wait(source, 10, NULL, &err), -1);
    ck_assert_msg(err.code == ERR_TEMP && strstr(err.text, "goodbye"), "%s", err.text);
    source_close(source);
    err_clear(&err);
    open_fake("imap_idle_stuck", 1);
    ck_assert_uint_eq(fetch(mails, 1), 0);
    double from = seconds();
    ck_assert_int_eq(pthread_create(&thread, NULL, act_later, NULL), 0);
    ck_ok(source_wait(source, 10, &stop_flag, &err), err);
    ck_assert(seconds() - from < 1.4);
    pthread_join(thread, NULL);
    stop_flag = false;
    source_close(source);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, start, stop);
    tcase_add_test(tc, idle_wakes_for_a_mail);
    tcase_add_test(tc, idle_ends_in_time);
    tcase_add_test(tc, polling_has_its_own_pause);
    tcase_add_test(tc, no_news_are_lost_around_idle);
    tcase_add_test(tc, a_server_may_end_in_idle);
}
TEST_MAIN("mail/imap_wait", cases)
