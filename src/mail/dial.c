#include "mail/dial.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mail/status.h"

static pthread_once_t started = PTHREAD_ONCE_INIT;

static void start_curl(void)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        _exit(EXIT_NO_MEMORY);
}

void dial_start(void)
{
    pthread_once(&started, start_curl);
}

void dial_heard(struct dial *dial, struct slice line)
{
    struct str safe = STR_INIT;
    utf8_safe(&safe, line, false);
    (void)snprintf(dial->words, sizeof dial->words, "%s", safe.p);
    str_release(&safe);
    dial->answer = 0;
    for (size_t i = 0; i < 3 && i < line.len && line.p[i] >= '0' && line.p[i] <= '9'; i++)
        dial->answer = dial->answer * 10 + (line.p[i] - '0');
}

/* A line of the answer to EHLO: "250-PIPELINING". */
static void note_extension(struct dial *dial, struct slice line)
{
    struct slice word;
    if (dial->answer != 250 || line.len < 5)
        return;
    line = slice_sub(line, 4, line.len);
    if (!slice_word(&line, &word))
        return;
    dial->has_pipelining |= slice_caseeq(word, "PIPELINING");
    dial->has_size |= slice_caseeq(word, "SIZE");
}

/* libcurl's commentary: the only place that shows which command an answer belongs to. Commands may hold
 * secrets, so nothing of them is kept. */
static int watch(CURL *curl, curl_infotype type, char *data, size_t size, void *arg)
{
    (void)curl;
    struct dial *dial = arg;
    struct slice line = slice_trim((struct slice){data, size});
    if (type == CURLINFO_HEADER_IN && line.len && dial->offers) {
        str_addslice(dial->offers, line);
        str_addc(dial->offers, '\n');
    }
    if (type == CURLINFO_HEADER_IN && line.len && !dial->leaving) {
        dial_heard(dial, line);
        note_extension(dial, line);
    }
    if (type != CURLINFO_HEADER_OUT)
        return 0;
    if (slice_starts(line, "EHLO ")) /* what was said before STARTTLS does not count */
        dial->has_pipelining = dial->has_size = false;
    else if (slice_eq(line, "QUIT") || slice_find(line, " LOGOUT") < 8)
        dial->leaving = true;
    else if (dial->stage == DIAL_CONNECT &&
             (slice_starts(line, "AUTH ") || slice_find(line, " AUTHENTICATE ") < 8 ||
              slice_find(line, " LOGIN ") < 8))
        dial->stage = DIAL_AUTH;
    return 0;
}

/* Remembers the first option that libcurl refused. */
static void set_text(CURL *curl, CURLoption option, const char *value, CURLcode *code)
{
    if (*code == CURLE_OK)
        *code = curl_easy_setopt(curl, option, value);
}

static void set_number(CURL *curl, CURLoption option, long value, CURLcode *code)
{
    if (*code == CURLE_OK)
        *code = curl_easy_setopt(curl, option, value);
}

static int set_address(struct dial *dial, enum dial_protocol protocol, struct err *err)
{
    const struct server *server = dial->server;
    bool implicit = server->tls == TLS_IMPLICIT;
    const char *scheme =
        protocol == DIAL_IMAP ? (implicit ? "imaps" : "imap") : (implicit ? "smtps" : "smtp");
    char port[16];
    (void)snprintf(port, sizeof port, "%d", server->port);
    CURLU *url = curl_url();
    if (!url)
        _exit(EXIT_NO_MEMORY);
    int rc = 0;
    /* The URL is built from parts, so that a strange host name cannot become a path, a user or another
     * scheme. */
    if (!server->host || server->port < 1 || server->port > 65535 ||
        curl_url_set(url, CURLUPART_SCHEME, scheme, 0) ||
        curl_url_set(url, CURLUPART_HOST, server->host, 0) || curl_url_set(url, CURLUPART_PORT, port, 0)) {
        rc = err_set(err, ERR_CONFIG,
                     "\"%s\" with port %d is not a mail server's address: give a host name such as %s",
                     server->host ? server->host : "", server->port,
                     protocol == DIAL_IMAP ? "imap.example.org" : "smtp.example.org");
    } else {
        char *text = NULL;
        if (curl_url_get(url, CURLUPART_URL, &text, 0) != CURLUE_OK ||
            curl_easy_setopt(dial->curl, CURLOPT_URL, text) != CURLE_OK)
            _exit(EXIT_NO_MEMORY);
        curl_free(text);
    }
    curl_url_cleanup(url);
    return rc;
}

static int set_trust(struct dial *dial, CURLcode *code, struct err *err)
{
    CURL *curl = dial->curl;
    const char *ca = dial->server->ca_file ? dial->server->ca_file : SYSTEM_CA_FILE;
    if (access(ca, R_OK) != 0)
        return err_sys(err, ERR_CONFIG, "cannot read the trusted certificates in %s (%s)", ca,
                       dial->server->ca_file ? "correct ca_file"
                                             : "install the package ca-certificates or set ca_file");
    set_number(curl, CURLOPT_USE_SSL, CURLUSESSL_ALL, code);
    set_number(curl, CURLOPT_SSL_VERIFYPEER, 1, code);
    set_number(curl, CURLOPT_SSL_VERIFYHOST, 2, code);
    set_number(curl, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2, code);
    set_text(curl, CURLOPT_CAINFO, ca, code);
    /* The system's certificate folder costs 23 ms per connection, and would allow more than `ca_file` does.
     */
    set_text(curl, CURLOPT_CAPATH, NULL, code);
    return 0;
}

/* Passwords go by PLAIN or LOGIN only: the line is encrypted, and otherwise libcurl would try Kerberos or
 * NTLM first. */
static void set_login(struct dial *dial, CURLcode *code)
{
    const struct server *server = dial->server;
    if (!server->user)
        return;
    set_text(dial->curl, CURLOPT_USERNAME, server->user, code);
    if (server->token) {
        set_text(dial->curl, CURLOPT_XOAUTH2_BEARER, server->token, code);
        set_text(dial->curl, CURLOPT_LOGIN_OPTIONS, "AUTH=XOAUTH2", code);
    } else {
        set_text(dial->curl, CURLOPT_PASSWORD, server->password ? server->password : "", code);
        set_text(dial->curl, CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN", code);
    }
}

int dial_begin(struct dial *dial, enum dial_protocol protocol, const struct server *server, struct err *err)
{
    dial_start();
    *dial = (struct dial){.curl = curl_easy_init(), .server = server};
    if (!dial->curl)
        _exit(EXIT_NO_MEMORY);
    CURL *curl = dial->curl;
    CURLcode code = CURLE_OK;
    long timeout = server->timeout > 0 ? server->timeout : 60;
    if (set_address(dial, protocol, err) || set_trust(dial, &code, err))
        goto fail;
    set_text(curl, CURLOPT_PROTOCOLS_STR, protocol == DIAL_IMAP ? "imap,imaps" : "smtp,smtps", &code);
    set_text(curl, CURLOPT_PROXY, "", &code);
    set_number(curl, CURLOPT_NETRC, CURL_NETRC_IGNORED, &code);
    set_number(curl, CURLOPT_NOSIGNAL, 1, &code);
    set_number(curl, CURLOPT_CONNECTTIMEOUT, timeout, &code);
    set_number(curl, CURLOPT_SERVER_RESPONSE_TIMEOUT, timeout, &code);
    set_number(curl, CURLOPT_TIMEOUT, 4 * timeout, &code);
    set_number(curl, CURLOPT_TCP_KEEPALIVE, 1, &code);
    set_number(curl, CURLOPT_VERBOSE, 1, &code);
    set_login(dial, &code);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, watch);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_DEBUGDATA, dial);
    if (code == CURLE_OK)
        code = curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, dial->reason);
    if (code == CURLE_OK)
        return 0;
    err_set(err, ERR_CONFIG, "this libcurl cannot be used for mail: %s", curl_easy_strerror(code));
fail:
    dial_end(dial);
    return -1;
}

void dial_reset(struct dial *dial)
{
    dial->reason[0] = '\0';
    dial->words[0] = '\0';
    dial->answer = 0;
    dial->stage = DIAL_CONNECT;
    dial->leaving = false;
}

int dial_connect(struct dial *dial, struct err *err)
{
    CURLcode code = CURLE_OK;
    dial_reset(dial);
    set_number(dial->curl, CURLOPT_CONNECT_ONLY, 1, &code);
    if (code == CURLE_OK)
        code = curl_easy_perform(dial->curl);
    /* No mechanism in common, and so nothing was tried: an IMAP server may still know the plain LOGIN
     * command. */
    if (code == CURLE_LOGIN_DENIED && dial->stage == DIAL_CONNECT && !dial->server->token) {
        code = CURLE_OK;
        set_text(dial->curl, CURLOPT_LOGIN_OPTIONS, NULL, &code);
        if (code == CURLE_OK)
            code = curl_easy_perform(dial->curl);
    }
    return code == CURLE_OK ? 0 : dial_fail(dial, code, err);
}

/* A refusal that says "not now" must not send the operator looking for a wrong password (RFC 5530 section 3).
 */
static bool busy_words(const struct dial *dial)
{
    struct mail_status status = {0};
    if (dial->answer >= 500 && strlen(dial->words) > 4)
        (void)status_read(slice_of(dial->words + 4), &status);
    return (dial->answer >= 400 && dial->answer < 500) ||
           (status.subject == 4 && status.detail == 5) || /* the limit */
           strstr(dial->words, "[UNAVAILABLE]") || strstr(dial->words, "[INUSE]") ||
           strstr(dial->words, "[LIMIT]") || strstr(dial->words, "[SERVERBUG]") ||
           strstr(dial->words, "* BYE");
}

static int fail_login(const struct dial *dial, struct err *err)
{
    const struct server *server = dial->server;
    if (busy_words(dial))
        return err_set(err, ERR_TEMP, "%s:%d lets nobody in now: %s", server->host, server->port,
                       dial->words);
    if (dial->stage == DIAL_CONNECT)
        return err_set(err, ERR_CONFIG, "%s:%d offers no way of authentication that we know (%s)",
                       server->host, server->port, server->token ? "XOAUTH2" : "PLAIN, LOGIN");
    return err_set(err, ERR_CONFIG, "%s:%d refused the user \"%s\": check the name and the %s (%s)",
                   server->host, server->port, server->user, server->token ? "token" : "password",
                   dial->words);
}

int dial_fail(const struct dial *dial, CURLcode code, struct err *err)
{
    const char *host = dial->server->host;
    int port = dial->server->port;
    const char *reason = dial->reason[0] ? dial->reason : curl_easy_strerror(code);
    int answer = dial->answer;
    if (code == CURLE_LOGIN_DENIED || answer == 530 || answer == 535 || answer == 538)
        return fail_login(dial, err);
    if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_ISSUER_ERROR)
        return err_set(err, ERR_CONFIG,
                       "the certificate of %s:%d is not to be trusted (%s): set ca_file to the certificate "
                       "of the authority that signed it, or correct the host name",
                       host, port, reason);
    if (code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_CRL_BADFILE)
        return err_set(err, ERR_CONFIG, "ca_file holds no certificates (%s): it must be a PEM file", reason);
    if (code == CURLE_USE_SSL_FAILED)
        return err_set(err, ERR_CONFIG,
                       "%s:%d does not offer STARTTLS, and nothing is sent in plain text: use the port for "
                       "TLS with tls = implicit",
                       host, port);
    if (code == CURLE_SSL_CONNECT_ERROR && strstr(reason, "unexpected TLS packet"))
        return err_set(err, ERR_CONFIG,
                       "%s:%d does not speak TLS at once: use tls = starttls, or another port", host, port);
    if (dial->words[0])
        return err_set(err, ERR_TEMP, "no use of %s:%d now: %s; it said: %s", host, port, reason,
                       dial->words);
    return err_set(err, ERR_TEMP, "cannot reach %s:%d: %s", host, port, reason);
}

void dial_end(struct dial *dial)
{
    curl_socket_t fd = CURL_SOCKET_BAD;
    if (!dial->curl)
        return;
    /* libcurl sends QUIT and would wait up to two minutes for the answer: make it time out at once. */
    if (curl_easy_getinfo(dial->curl, CURLINFO_ACTIVESOCKET, &fd) == CURLE_OK && fd != CURL_SOCKET_BAD)
        (void)shutdown(fd, SHUT_RD);
    curl_easy_cleanup(dial->curl);
    dial->curl = NULL;
}
