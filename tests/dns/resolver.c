/* Asking name servers: real ones on loopback (tests/servers/names.py), with domains that are signed from the root
 * down, unsigned, badly signed and out of order; and one that never answers. */
#include "dns/resolver.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scratch.h"
#include "suite.h"

#include "base/file.h"
#include "base/sandbox.h"

#define KEY "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
#define NOW 1000000

static char dir[SCRATCH_PATH];
static struct str server; /* "127.0.0.1@PORT" */
static char anchor[SCRATCH_PATH + 20];

static void start(void)
{
    struct err err = ERR_INIT;
    struct str command = STR_INIT, port = STR_INIT;
    char path[SCRATCH_PATH + 20];
    scratch_make(dir, "dns");
    str_addf(&command, "python3 tests/servers/names.py start %s", dir);
    ck_assert_int_eq(system(command.p), 0); // NOLINT(cert-env33-c)
    (void)snprintf(path, sizeof path, "%s/port", dir);
    (void)snprintf(anchor, sizeof anchor, "%s/root.key", dir);
    ck_ok(file_read(path, 100, &port, &err), err);
    str_trim(&port);
    str_init(&server);
    str_addf(&server, "127.0.0.1@%s", port.p);
    str_release(&command);
    str_release(&port);
}

static void stop(void)
{
    struct str command = STR_INIT;
    str_addf(&command, "python3 tests/servers/names.py stop %s", dir);
    ck_assert_int_eq(system(command.p), 0); // NOLINT(cert-env33-c)
    str_release(&command);
    str_release(&server);
    scratch_remove(dir);
}

static struct resolver *open_one(const char *address, const char *key, int seconds)
{
    struct resolver *resolver;
    struct err err = ERR_INIT;
    ck_ok(resolver_open(&(struct dns_way){address, key, seconds}, &resolver, &err), err);
    return resolver;
}

static const struct row {
    const char *name;
    enum dns_found found;
    bool secure;
    const char *text, *why;
} rows[] = {
    {"mail._domainkey.signed.test", DNS_FOUND, true, KEY, ""},
    {"alias.signed.test", DNS_FOUND, true, KEY, ""},
    {"mail._domainkey.unsigned.test", DNS_FOUND, false, KEY, ""},
    {"out.signed.test", DNS_FOUND, false, KEY, ""}, /* leads to a domain that is not signed */
    {"none.signed.test", DNS_NONE, true, "", ""},
    {"other.signed.test", DNS_NONE, true, "", ""}, /* has no such record */
    {"none.unsigned.test", DNS_NONE, false, "", ""},
    {"none.test", DNS_NONE, true, "", ""},
    {"two.signed.test", DNS_SEVERAL, true, "", ""},
    {"long.signed.test", DNS_SEVERAL, true, "", ""},
    {"mail._domainkey.bogus.test", DNS_FORGED, false, "", "validation failure"},
    {"none.bogus.test", DNS_FORGED, false, "", "validation failure"},
    {"mail._domainkey.broken.test", DNS_LATER, false, "", "fail"},
    {"loop.signed.test", DNS_LATER, false, "", "fail"},
};

START_TEST(each_kind_of_answer)
{
    const struct row *row = &rows[_i];
    struct resolver *resolver = open_one(server.p, anchor, 5);
    struct dns_answer answer = DNS_ANSWER_INIT;
    resolver_text(resolver, row->name, row->name, NOW, &answer);
    ck_assert_msg(answer.found == row->found && answer.secure == row->secure, "%s: %d, %d: %s", row->name,
                  answer.found, answer.secure, answer.why);
    ck_assert_str_eq(answer.text.p, row->text);
    ck_assert_msg(strstr(answer.why, row->why) && !*answer.why == !*row->why, "%s: \"%s\"", row->name,
                  answer.why);
    dns_answer_release(&answer);
    resolver_close(resolver);
}
END_TEST

/* Without the root's key nothing is proved, whatever the server says. */
START_TEST(without_the_roots_key)
{
    struct resolver *resolver = open_one(server.p, "", 5);
    struct dns_answer answer = DNS_ANSWER_INIT;
    resolver_text(resolver, "mail._domainkey.signed.test", "signed.test", NOW, &answer);
    ck_assert_int_eq(answer.found, DNS_FOUND);
    ck_assert(!answer.secure);
    dns_answer_release(&answer);
    resolver_close(resolver);
}
END_TEST

/* With the key of another root everything is forged. */
START_TEST(with_another_root)
{
    char other[SCRATCH_PATH + 20];
    struct err err = ERR_INIT;
    struct dns_answer answer = DNS_ANSWER_INIT;
    (void)snprintf(other, sizeof other, "%s/other.key", dir);
    ck_ok(file_write_soft(other,
                          slice_of(". DS 20326 8 2 "
                                   "E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D\n"),
                          0600, &err),
          err);
    struct resolver *resolver = open_one(server.p, other, 5);
    resolver_text(resolver, "mail._domainkey.signed.test", "signed.test", NOW, &answer);
    ck_assert_int_eq(answer.found, DNS_FORGED);
    ck_assert_uint_eq(answer.text.len, 0);
    dns_answer_release(&answer);
    resolver_close(resolver);
}
END_TEST

START_TEST(bad_ways_are_named)
{
    struct resolver *resolver;
    struct err err = ERR_INIT;
    ck_assert_int_eq(resolver_open(&(struct dns_way){"nowhere", "", 5}, &resolver, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.text, "nowhere"));
    err_clear(&err);
    ck_assert_int_eq(resolver_open(&(struct dns_way){"", "/nowhere/root.key", 5}, &resolver, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "dns-root-data"));
    resolver_close(NULL);
}
END_TEST

/* A server that hangs costs its seconds once a minute, not for each mail. */
START_TEST(silence_ends)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    char address[40];
    struct dns_answer answer = DNS_ANSWER_INIT;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ck_assert(fd >= 0 && bind(fd, (struct sockaddr *)&at, len) == 0 &&
              getsockname(fd, (struct sockaddr *)&at, &len) == 0);
    (void)snprintf(address, sizeof address, "127.0.0.1@%d", ntohs(at.sin_port));
    struct resolver *resolver = open_one(address, anchor, 1);
    time_t began = time(NULL);
    for (int i = 0; i < 5; i++) {
        resolver_text(resolver, "mail._domainkey.signed.test", "signed.test", NOW + i, &answer);
        ck_assert_int_eq(answer.found, DNS_LATER);
        ck_assert_str_eq(answer.why, "no answer in time");
    }
    ck_assert_int_lt(time(NULL) - began, 4);
    dns_answer_release(&answer);
    resolver_close(resolver);
    close(fd);
}
END_TEST

/* Says nothing of "x.silent.test", and of all else that there is no such name. */
static void *serve(void *arg)
{
    const int *fd = arg;
    unsigned char packet[1500];
    struct sockaddr_in from;
    for (;;) {
        socklen_t size = sizeof from;
        ssize_t len = recvfrom(*fd, packet, sizeof packet, 0, (struct sockaddr *)&from, &size);
        if (len < 12)
            return NULL; /* the socket is shut */
        size_t end = 12;
        while (end + 5 < (size_t)len && packet[end])
            end += packet[end] + 1U;
        if (memmem(packet, (size_t)len, "silent", 6))
            continue;
        packet[2] = 0x81; /* an answer, recursion desired */
        packet[3] = 0x83; /* and available; NXDOMAIN */
        memset(packet + 6, 0, 6);
        (void)sendto(*fd, packet, end + 5, 0, (struct sockaddr *)&from, size);
    }
}

/* Names whose servers are silent do not make the server that we ask look dead: all others are answered as before. It takes
 * half a minute of silence, so `make many` tries it. */
START_TEST(silence_spoils_no_other_name)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    char address[40], name[40];
    pthread_t thread;
    struct dns_answer answer = DNS_ANSWER_INIT;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ck_assert(fd >= 0 && bind(fd, (struct sockaddr *)&at, len) == 0 &&
              getsockname(fd, (struct sockaddr *)&at, &len) == 0);
    (void)snprintf(address, sizeof address, "127.0.0.1@%d", ntohs(at.sin_port));
    ck_assert_int_eq(pthread_create(&thread, NULL, serve, &fd), 0);
    struct resolver *resolver = open_one(address, "", FEW ? 1 : 10);
    for (int i = 0; i < 3; i++) {
        (void)snprintf(name, sizeof name, "n%d.silent.test", i);
        resolver_text(resolver, name, NULL, NOW, &answer);
        ck_assert_int_eq(answer.found, DNS_LATER);
    }
    resolver_text(resolver, "players.test", "players.test", NOW, &answer);
    ck_assert_int_eq(answer.found, DNS_NONE);
    dns_answer_release(&answer);
    resolver_close(resolver);
    (void)shutdown(fd, SHUT_RDWR);
    (void)pthread_join(thread, NULL);
    close(fd);
}
END_TEST

/* What was answered is not asked again, until the domain's time for it is over. */
START_TEST(answers_are_remembered)
{
    struct resolver *resolver = open_one(server.p, anchor, 30);
    struct dns_answer answer = DNS_ANSWER_INIT;
    for (int i = 0; i < 2 * DNS_DOMAIN; i++) {
        resolver_text(resolver, "mail._domainkey.signed.test", "signed.test", NOW + 59, &answer);
        ck_assert_int_eq(answer.found, DNS_FOUND);
        ck_assert(answer.secure);
    }
    ck_assert_int_eq(answer.until, NOW + 59 + 60);
    for (int i = 0; i < DNS_DOMAIN; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "n%d.signed.test", i);
        resolver_text(resolver, name, "signed.test", NOW + 60, &answer);
        ck_assert_int_eq(answer.found, i < DNS_DOMAIN - 1 ? DNS_NONE : DNS_LATER);
    }
    ck_assert_str_eq(answer.why, "too many questions");
    resolver_text(resolver, "mail._domainkey.signed.test", "signed.test", NOW + 60, &answer);
    ck_assert_int_eq(answer.found, DNS_FOUND);
    resolver_text(resolver, "mail._domainkey.unsigned.test", "unsigned.test", NOW + 60, &answer);
    ck_assert_int_eq(answer.found, DNS_FOUND);
    dns_answer_release(&answer);
    resolver_close(resolver);
}
END_TEST

/* A stranger who names selectors that nobody has shuts out no player of that domain. */
START_TEST(what_was_found_is_asked_again)
{
    static const char *const players[] = {"Signed.test"};
    struct resolver *resolver = open_one(server.p, anchor, 5);
    struct dns_answer answer = DNS_ANSWER_INIT;
    resolver_welcome(resolver, players, 1);
    resolver_text(resolver, "mail._domainkey.signed.test", "signed.test", NOW, &answer);
    ck_assert_int_eq(answer.found, DNS_FOUND);
    for (int i = 0; i < DNS_PLAYERS; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "n%d.signed.test", i);
        resolver_text(resolver, name, "signed.test", NOW + 60, &answer);
    }
    ck_assert_str_eq(answer.why, "too many questions");
    resolver_text(resolver, "mail._domainkey.signed.test", "signed.test", NOW + 60, &answer);
    ck_assert_int_eq(answer.found, DNS_FOUND);
    ck_assert_int_eq(answer.until, NOW + 120); /* it was asked, not remembered */
    dns_answer_release(&answer);
    resolver_close(resolver);
}
END_TEST

/* 0, or what went wrong. */
static int ask_in_the_sandbox(void)
{
    const struct sandbox_path paths[] = {{anchor, false}};
    struct resolver *resolver;
    unsigned got = 0;
    struct err err = ERR_INIT;
    struct dns_answer answer = DNS_ANSWER_INIT;
    if (sandbox_enter(paths, 1, &got, &err) || got != sandbox_kernel())
        return 1;
    if (resolver_open(&(struct dns_way){server.p, anchor, 5}, &resolver, &err))
        return 2;
    resolver_text(resolver, "mail._domainkey.signed.test", "signed.test", NOW, &answer);
    return answer.found == DNS_FOUND && answer.secure ? 0 : 3;
}

/* The processes that read mail have given up rights before they ask. */
START_TEST(in_the_sandbox)
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(ask_in_the_sandbox());
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, start, stop);
    tcase_add_loop_test(tc, each_kind_of_answer, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tc, without_the_roots_key);
    tcase_add_test(tc, with_another_root);
    tcase_add_test(tc, bad_ways_are_named);
    tcase_add_test(tc, in_the_sandbox);
    tcase_add_test(tc, silence_ends);
    tcase_add_test(tc, silence_spoils_no_other_name);
    tcase_add_test(tc, answers_are_remembered);
    tcase_add_test(tc, what_was_found_is_asked_again);
}
TEST_MAIN("dns/resolver", cases)
