/* Real mail servers in a suite: see servers.sh. Start and stop them in an unchecked fixture, once for all
 * tests:
 *
 *     static struct servers servers;
 *     static void start(void) { servers_start(&servers, "dora emil"); }
 *     static void stop(void) { servers_stop(&servers); }
 *     tcase_add_unchecked_fixture(tc, start, stop);
 */
#ifndef TESTS_SERVERS_H
#define TESTS_SERVERS_H

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "mail/source.h" /* struct server */
#include "scratch.h"
#include "suite.h"

struct servers {
    char dir[SCRATCH_PATH];
    char ca[96];
    int imap, imaps, lmtp;
    int smtp, submission, smtps; /* 0 when we are not root */
};

static inline void run_shell(const char *command)
{
    ck_assert_msg(system(command) == 0, "failed: %s", command); /* NOLINT(cert-env33-c) */
}

static inline int servers_port(const char *text, const char *name)
{
    struct slice rest = slice_of(text);
    struct slice line;
    while (slice_line(&rest, &line))
        if (slice_starts(line, name) && line.p[strlen(name)] == '=')
            return (int)strtol(line.p + strlen(name) + 1, NULL, 10);
    return 0;
}

/* `users`: names with spaces between. `extra`: further lines for Dovecot's configuration, or NULL. */
static inline void servers_start_with(struct servers *servers, const char *users, const char *extra)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    scratch_make(servers->dir, "servers");
    (void)snprintf(servers->ca, sizeof servers->ca, "%s/ca.pem", servers->dir);
    if (extra) {
        str_addf(&text, "%s/extra.conf", servers->dir);
        ck_ok(file_create(text.p, slice_of(extra), 0644, &err), err);
        str_clear(&text);
        str_addf(&text, "EXTRA=%s/extra.conf ", servers->dir);
    }
    str_addf(&text, "WATCH=%ld bash tests/servers/servers.sh start %s %s", (long)getpid(), servers->dir,
             users);
    run_shell(text.p);
    str_clear(&text);
    str_addf(&text, "%s/ports", servers->dir);
    char *path = str_detach(&text);
    ck_ok(file_read(path, 4096, &text, &err), err);
    servers->imap = servers_port(text.p, "IMAP");
    servers->imaps = servers_port(text.p, "IMAPS");
    servers->lmtp = servers_port(text.p, "LMTP");
    servers->smtp = servers_port(text.p, "SMTP");
    servers->submission = servers_port(text.p, "SUBMISSION");
    servers->smtps = servers_port(text.p, "SMTPS");
    free(path);
    str_release(&text);
}

static inline void servers_start(struct servers *servers, const char *users)
{
    servers_start_with(servers, users, NULL);
}

static inline void servers_stop(struct servers *servers)
{
    struct str command = STR_INIT;
    str_addf(&command, "bash tests/servers/servers.sh stop %s", servers->dir);
    run_shell(command.p);
    str_release(&command);
}

/* Settings for one of the ports. */
static inline struct server servers_login(const struct servers *servers, int port, enum tls_mode tls,
                                          const char *user)
{
    return (struct server){.host = "localhost",
                           .port = port,
                           .tls = tls,
                           .ca_file = servers->ca,
                           .user = user,
                           .password = "secret",
                           .timeout = 10};
}

static inline void lmtp_line(FILE *in, FILE *out, const char *line, char code)
{
    char answer[512];
    if (line)
        ck_assert_int_gt(fprintf(out, "%s\r\n", line), 0);
    ck_assert_int_eq(fflush(out), 0);
    do
        ck_assert_msg(fgets(answer, sizeof answer, in) != NULL, "LMTP: no answer to %s", line);
    while (answer[3] == '-');
    ck_assert_msg(answer[0] == code, "LMTP: %s: %s", line, answer);
}

/* Delivers one mail (LF or CRLF line ends; no line of a single dot) past Postfix into a mailbox, by LMTP. */
static inline void servers_deliver(const struct servers *servers, const char *to, const char *mail)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)servers->lmtp)};
    struct str line = STR_INIT;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    FILE *in = fdopen(fd, "r");
    FILE *out = fdopen(dup(fd), "w");
    ck_assert(in && out);
    lmtp_line(in, out, NULL, '2');
    lmtp_line(in, out, "LHLO tests", '2');
    lmtp_line(in, out, "MAIL FROM:<tests@players.test>", '2');
    str_addf(&line, "RCPT TO:<%s>", to);
    lmtp_line(in, out, line.p, '2');
    lmtp_line(in, out, "DATA", '3');
    ck_assert_int_ge(fprintf(out, "%s\r\n", mail), 0);
    lmtp_line(in, out, ".", '2');
    (void)fclose(in);
    (void)fclose(out);
    str_release(&line);
}

/* Servers of our own that misbehave: scenarios of fake.py, with the certificate of `servers`. */
struct fake {
    FILE *out; /* its standard output */
    pid_t pid;
    struct str ports; /* lines SCENARIO=PORT */
    int port;         /* of the last one */
};

/* `scenario`: one, or "imap" or "smtp" for all of a kind. */
static inline void fake_start(struct fake *fake, const struct servers *servers, const char *scenario)
{
    int fds[2];
    char line[64];
    ck_assert_int_eq(pipe(fds), 0);
    fake->pid = fork();
    if (fake->pid == 0) {
        (void)dup2(fds[1], STDOUT_FILENO);
        execlp("python3", "python3", "tests/servers/fake.py", servers->dir, scenario, (char *)NULL);
        _exit(127);
    }
    close(fds[1]);
    fake->out = fdopen(fds[0], "r");
    ck_assert_ptr_nonnull(fake->out);
    str_init(&fake->ports);
    for (;;) {
        ck_assert_msg(fgets(line, sizeof line, fake->out) != NULL, "fake.py %s did not start", scenario);
        if (strcmp(line, "ready\n") == 0)
            break;
        str_adds(&fake->ports, line);
        fake->port = (int)strtol(strchr(line, '=') + 1, NULL, 10);
    }
}

static inline int fake_port(const struct fake *fake, const char *scenario)
{
    int port = servers_port(fake->ports.p, scenario);
    ck_assert_msg(port != 0, "no scenario %s", scenario);
    return port;
}

static inline void fake_stop(struct fake *fake)
{
    (void)kill(fake->pid, SIGKILL);
    (void)waitpid(fake->pid, NULL, 0);
    (void)fclose(fake->out);
    str_release(&fake->ports);
}

#endif
