#include "mail/look.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"

#define PATIENCE 5 /* seconds */

/* ---- what it offers ---- */

/* "* CAPABILITY IDLE MOVE", "A2 OK [CAPABILITY IDLE MOVE] done", "250-SIZE 1000" */
static void take_offers(struct str *offers, struct slice said)
{
    struct slice line, word;
    while (slice_line(&said, &line)) {
        size_t at = slice_find(line, "CAPABILITY ");
        bool imap = at < line.len;
        if (imap)
            line = slice_sub(line, at + strlen("CAPABILITY "), line.len);
        else if (slice_starts(line, "250-") || slice_starts(line, "250 "))
            line = slice_sub(line, 4, line.len);
        else
            continue;
        while (slice_word(&line, &word)) {
            bool last = word.p[word.len - 1] == ']';
            for (size_t i = 0; i < word.len - last; i++)
                str_addc(offers,
                         word.p[i] >= 'a' && word.p[i] <= 'z' ? (char)(word.p[i] - 'a' + 'A') : word.p[i]);
            str_addc(offers, ' ');
            if (last || !imap)
                break;
        }
    }
}

bool look_offers(const struct look *look, const char *word)
{
    return word_listed(look->offers.p, word);
}

/* "Expire Date:2026-12-24 10:00:00 GMT" of the server's own certificate, which comes first. */
static int64_t expiry(CURL *curl)
{
    struct curl_certinfo *info = NULL;
    if (curl_easy_getinfo(curl, CURLINFO_CERTINFO, &info) != CURLE_OK || !info || info->num_of_certs < 1)
        return 0;
    for (const struct curl_slist *line = info->certinfo[0]; line; line = line->next) {
        struct tm tm = {.tm_year = 0};
        if (strncasecmp(line->data, "Expire Date:", 12) == 0 &&
            strptime(line->data + 12, "%Y-%m-%d %H:%M:%S", &tm))
            return timegm(&tm);
    }
    return 0;
}

int look_at(enum dial_protocol protocol, const struct server *server, struct look *look, struct err *err)
{
    struct dial dial;
    struct str said = STR_INIT;
    *look = (struct look){.greeting = STR_INIT, .offers = STR_INIT};
    if (dial_begin(&dial, protocol, server, err))
        return -1;
    dial.offers = &said;
    int rc = 0;
    if (curl_easy_setopt(dial.curl, CURLOPT_CERTINFO, 1L) != CURLE_OK)
        rc = err_set(err, ERR_CONFIG, "this libcurl does not show certificates");
    if (rc == 0)
        rc = dial_connect(&dial, err);
    if (rc == 0)
        look->expires = expiry(dial.curl);
    struct slice rest = slice_str(&said), first;
    if (slice_line(&rest, &first))
        utf8_safe(&look->greeting, first, false);
    take_offers(&look->offers, slice_str(&said));
    dial_end(&dial);
    str_release(&said);
    return rc;
}

void look_release(struct look *look)
{
    str_release(&look->greeting);
    str_release(&look->offers);
}

/* ---- TLS, at once or not ---- */

/* -1, or a socket that is connected. */
static int connect_one(const struct addrinfo *to)
{
    int fd = socket(to->ai_family, to->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, to->ai_protocol);
    struct pollfd wait = {.fd = fd, .events = POLLOUT};
    int fault = 0;
    socklen_t len = sizeof fault;
    if (fd < 0)
        return -1;
    if ((connect(fd, to->ai_addr, to->ai_addrlen) == 0 || errno == EINPROGRESS) &&
        poll(&wait, 1, PATIENCE * 1000) == 1 && getsockopt(fd, SOL_SOCKET, SO_ERROR, &fault, &len) == 0 &&
        !fault)
        return fd;
    (void)close(fd);
    return -1;
}

static int connect_any(const struct server *server)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *all = NULL;
    char port[16];
    int fd = -1;
    (void)snprintf(port, sizeof port, "%d", server->port);
    if (getaddrinfo(server->host, port, &hints, &all) != 0)
        return -1;
    for (const struct addrinfo *one = all; one && fd < 0; one = one->ai_next)
        fd = connect_one(one);
    freeaddrinfo(all);
    return fd;
}

enum greeting { GREETS_NOT, GREETS_PLAIN, GREETS_SILENT };

/* Who waits for TLS says nothing first. */
static enum greeting greeting(enum dial_protocol protocol, const struct server *server)
{
    char text[4] = "";
    int fd = connect_any(server);
    if (fd < 0)
        return GREETS_NOT;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    enum greeting how = poll(&wait, 1, PATIENCE * 1000) == 0 ? GREETS_SILENT : GREETS_NOT;
    if (how == GREETS_NOT && recv(fd, text, sizeof text, 0) > 0 &&
        memcmp(text, protocol == DIAL_IMAP ? "* " : "220", protocol == DIAL_IMAP ? 2 : 3) == 0)
        how = GREETS_PLAIN;
    (void)close(fd);
    return how;
}

/* Nobody logs in, so that no password goes where it was not meant to. */
static bool takes_tls(enum dial_protocol protocol, const struct server *server)
{
    struct server other = *server;
    struct dial dial;
    struct err err = ERR_INIT;
    other.tls = TLS_IMPLICIT;
    other.user = other.password = other.token = NULL;
    other.timeout = PATIENCE;
    if (dial_begin(&dial, protocol, &other, &err))
        return false;
    /* Also where the certificate is not to be trusted: it has one. */
    bool takes = dial_connect(&dial, &err) == 0 || err.code == ERR_CONFIG;
    dial_end(&dial);
    return takes;
}

bool look_is_mixed_up(enum dial_protocol protocol, const struct server *server)
{
    enum greeting how = greeting(protocol, server);
    return server->tls == TLS_IMPLICIT ? how == GREETS_PLAIN
                                       : how == GREETS_SILENT && takes_tls(protocol, server);
}
