/* One mailbox after the other, on a real Dovecot, or on a server of fake.py where one has to misbehave. */
#ifndef TESTS_SERVERS_MAILBOX_H
#define TESTS_SERVERS_MAILBOX_H

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "mail/source.h"
#include "servers/servers.h"

static struct servers servers;
static struct source *source;
static struct fake fakes; /* all scenarios */

static inline void start(void)
{
    servers_start(&servers, "u1 u2 u3 u4 u5 u6 u7 u8 u9 u10 u11 u12");
    fake_start(&fakes, &servers, "imap");
}

static inline void stop(void)
{
    fake_stop(&fakes);
    servers_stop(&servers);
}

static inline int try_open(const struct server *server, struct err *err)
{
    return source_open_imap(server, &(struct folders){"INBOX", {"Processed", "Rejected", "Failed"}}, 100000,
                            &source, err);
}

/* Opens a user's mailbox on Dovecot. */
static inline void open_as(const char *user)
{
    struct err err = ERR_INIT;
    struct server server = servers_login(&servers, servers.imaps, TLS_IMPLICIT, user);
    ck_ok(try_open(&server, &err), err);
}

static inline void ck_open_fails(const struct server *server, enum err_code code, const char *words)
{
    struct err err = ERR_INIT;
    ck_assert_int_eq(try_open(server, &err), -1);
    ck_assert_msg(err.code == code && strstr(err.text, words), "code %d: %s", (int)err.code, err.text);
}

/* Opens the polite part of a misbehaving server. */
static inline void open_fake(const char *scenario, int timeout)
{
    struct err err = ERR_INIT;
    struct server server = servers_login(&servers, fake_port(&fakes, scenario), TLS_IMPLICIT, "orders");
    server.timeout = timeout;
    ck_ok(try_open(&server, &err), err);
}

static inline size_t fetch(struct incoming *mails, size_t max)
{
    struct err err = ERR_INIT;
    size_t count = 77;
    ck_ok(source_fetch(source, mails, max, &count, &err), err);
    return count;
}

static inline void dispose(struct incoming *mails, size_t count, enum disposition disposition)
{
    struct err err = ERR_INIT;
    enum disposition *how = mem_array(count, sizeof *how);
    for (size_t i = 0; i < count; i++)
        how[i] = disposition;
    ck_ok(source_dispose(source, mails, how, count, &err), err);
    free(how);
    for (size_t i = 0; i < count; i++)
        incoming_release(&mails[i]);
}

/* Puts a mail into a Dovecot Maildir by hand: many at once, with a time of arrival. */
static inline void drop(const char *user, int number, const char *text, int64_t arrived)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    const struct timespec times[2] = {{.tv_sec = (time_t)arrived}, {.tv_sec = (time_t)arrived}};
    str_addf(&path, "%s/mail/%s/Maildir/new/%lld.M%dP1.test", servers.dir, user,
             (long long)(1700000000 + number), number);
    ck_ok(file_create(path.p, slice_of(text), 0666, &err), err);
    ck_assert_int_eq(utimensat(AT_FDCWD, path.p, times, 0), 0);
    str_release(&path);
}

static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#endif
