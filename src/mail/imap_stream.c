#include "mail/imap_stream.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "base/str.h"
#include "mail/dial.h"
#include "mail/imap_sieve.h"
#include "mail/nap.h"
#include "base/clock.h"

#define BUFFER_SIZE  16384 /* one TLS record */
#define SLOWEST_LINE 8192  /* bytes a second */
#define DEEPEST      200   /* brackets within brackets; what we ask for needs three */
#define TOO_LONG     "its answer is longer than it may be"
#define NOT_IMAP     "its answer is not IMAP"
#define NUMBER_MOST  (SIZE_MAX / 16)
#define GREETING     "* PREAUTH ready\r\n"

/* What the bytes so far look like, only as far as needed to protect libetpan's parser, which reads a
 * literal's size before the literal and allocates it, and which descends into brackets by recursion (RFC 9051
 * section 4.3). */
struct guard {
    size_t literal;                       /* bytes of a literal still to come */
    size_t depth;                         /* open brackets of this response */
    enum { PLAIN, NUMBER, CLOSED } state; /* within {123} CR LF */
    size_t number;
    char start[24]; /* the beginning of this response: "* 4294967295 FETCH" */
    size_t started;
    char tagged[24]; /* the beginning of the last one that was neither "*" nor "+" */
    size_t tagged_len;
};

struct imap_stream {
    struct dial dial;
    curl_socket_t fd;
    int timeout; /* seconds */
    struct guard guard;
    struct imap_sieve sieve;
    struct str ahead;   /* bytes waiting to be read: the greeting, or what imap_stream_wait found */
    size_t budget;      /* bytes that the current answer may still have */
    int64_t silence_ms; /* longest pause */
    int64_t deadline;   /* monotonic milliseconds for the whole answer */
    int64_t progress;   /* the same, extended by a millisecond for each byte so far */
    char reason[256];   /* "" while it works */
};

void imap_stream_break(struct imap_stream *stream, const char *why)
{
    if (!stream->reason[0])
        (void)snprintf(stream->reason, sizeof stream->reason, "%s", why);
}

bool imap_stream_broken(const struct imap_stream *stream)
{
    return stream->reason[0] != '\0';
}

const char *imap_stream_reason(const struct imap_stream *stream)
{
    return stream->reason;
}

void imap_stream_sieve(struct imap_stream *stream, struct uids *into)
{
    stream->sieve = (struct imap_sieve){.into = into};
}

struct slice imap_stream_tagged(const struct imap_stream *stream)
{
    return (struct slice){stream->guard.tagged, stream->guard.tagged_len};
}

void imap_stream_expect(struct imap_stream *stream, size_t bytes)
{
    stream->budget = bytes;
    stream->silence_ms = (int64_t)stream->timeout * 1000;
    stream->progress = clock_milliseconds() + stream->silence_ms;
    stream->deadline = stream->progress + (int64_t)(bytes / SLOWEST_LINE) * 1000;
}

void imap_stream_expect_soon(struct imap_stream *stream, size_t bytes, int ms)
{
    stream->budget = bytes;
    stream->silence_ms = ms;
    stream->progress = stream->deadline = clock_milliseconds() + ms;
}

/* A server that sends a byte now and then must not get the time that a full answer may take. */
static int64_t end_of_answer(const struct imap_stream *stream)
{
    return stream->progress < stream->deadline ? stream->progress : stream->deadline;
}

/* Waits for the socket until the answer's time is over; false then. */
static bool await(struct imap_stream *stream, short events, int64_t silent_since)
{
    for (;;) {
        int64_t now = clock_milliseconds();
        int64_t left = end_of_answer(stream) - now;
        if (silent_since + stream->silence_ms - now < left)
            left = silent_since + stream->silence_ms - now;
        if (left <= 0)
            return false;
        struct pollfd p = {.fd = stream->fd, .events = events};
        int n = poll(&p, 1, left > 60000 ? 60000 : (int)left);
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
    }
}

/* Follows "{123}" CR LF, as loosely as libetpan does: spaces anywhere, LF alone. True at its end, with the
 * number, or one that is too large for anything, in g->number. */
static bool guard_literal(struct guard *g, char c)
{
    bool end = g->state == CLOSED && c == '\n';
    if (c == '{') {
        g->state = NUMBER;
        g->number = 0;
    } else if (g->state == NUMBER && c >= '0' && c <= '9') {
        g->number = g->number < NUMBER_MOST ? g->number * 10 + (size_t)(c - '0') : NUMBER_MOST;
    } else if (g->state == NUMBER && c == '}') {
        g->state = CLOSED;
    } else if ((c != ' ' && c != '\t' && c != '\r') || end) {
        g->state = PLAIN;
    }
    return end;
}

/* Responses that have literals in them. In all others, a text may end like the head of a literal: we would
 * then skip as a literal what libetpan reads as responses, and miss how deep they are. */
static bool takes_literals(const struct guard *g)
{
    static const char *const kinds[] = {"LIST", "LSUB", "STATUS"};
    struct slice rest = {g->start, g->started};
    struct slice word;
    if (!slice_word(&rest, &word) || !slice_eq(word, "*") || !slice_word(&rest, &word))
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (slice_caseeq(word, kinds[i]))
            return true;
    for (size_t i = 0; i < word.len; i++)
        if (word.p[i] < '0' || word.p[i] > '9')
            return false;
    return slice_word(&rest, &word) && slice_caseeq(word, "FETCH");
}

static void guard_line_end(struct guard *g)
{
    if (g->started && g->start[0] != '*' && g->start[0] != '+') {
        memcpy(g->tagged, g->start, g->started);
        g->tagged_len = g->started;
    }
    g->depth = g->started = 0;
}

/* Returns NULL or what is wrong with the bytes. */
static const char *guard_bytes(struct guard *g, struct slice bytes, size_t budget)
{
    while (bytes.len) {
        size_t used = g->literal ? (g->literal < bytes.len ? g->literal : bytes.len) : 1;
        if (g->literal) {
            g->literal -= used;
        } else if (guard_literal(g, *bytes.p)) {
            if (!takes_literals(g))
                return NOT_IMAP;
            if (g->number > budget)
                return TOO_LONG;
            g->literal = g->number;
        } else if (*bytes.p == '\n') {
            guard_line_end(g);
        } else {
            if (g->started < sizeof g->start)
                g->start[g->started++] = *bytes.p;
            g->depth += *bytes.p == '(';
            g->depth -= *bytes.p == ')' && g->depth;
        }
        if (g->depth > DEEPEST)
            return NOT_IMAP;
        bytes = slice_sub(bytes, used, bytes.len);
    }
    return NULL;
}

/* 1 and bytes, 0 nothing there now, -1 broken. */
static int try_receive(struct imap_stream *stream, void *buf, size_t size, size_t *got)
{
    *got = 0;
    CURLcode code = curl_easy_recv(stream->dial.curl, buf, size, got);
    if (code == CURLE_AGAIN)
        return 0;
    if (code == CURLE_OK && *got > 0) {
        struct slice bytes = {buf, *got};
        const char *wrong =
            *got > stream->budget ? TOO_LONG : guard_bytes(&stream->guard, bytes, stream->budget);
        if (!wrong) {
            stream->budget -= *got;
            stream->progress += (int64_t)*got;
            return 1;
        }
        imap_stream_break(stream, wrong);
        return -1;
    }
    imap_stream_break(stream, code == CURLE_OK ? "it closed the connection" : curl_easy_strerror(code));
    return -1;
}

static ssize_t take_ahead(struct imap_stream *stream, void *buf, size_t size)
{
    struct str *ahead = &stream->ahead;
    size_t n = ahead->len < size ? ahead->len : size;
    memcpy(buf, ahead->p, n);
    memmove(ahead->p, ahead->p + n, ahead->len - n);
    str_cut(ahead, ahead->len - n);
    return (ssize_t)n;
}

/* libetpan takes 0 for "try again at once" and would spin: the end of the connection is -1. */
static ssize_t low_read(mailstream_low *low, void *buf, size_t size)
{
    struct imap_stream *stream = low->data;
    int64_t since = clock_milliseconds();
    if (stream->ahead.len && size)
        return take_ahead(stream, buf, size);
    if (imap_stream_broken(stream) || size == 0)
        return -1;
    for (;;) {
        size_t got;
        int rc = try_receive(stream, buf, size, &got);
        if (rc < 0)
            return -1;
        /* A line that trickles in byte by byte must not outlive the deadline of the whole answer. */
        if (rc > 0 ? clock_milliseconds() >= end_of_answer(stream) : !await(stream, POLLIN, since)) {
            imap_stream_break(stream, "it did not answer in time");
            return -1;
        }
        if (rc > 0 && !imap_sieve(&stream->sieve, buf, &got)) {
            imap_stream_break(stream, NOT_IMAP);
            return -1;
        }
        if (rc > 0 && got > 0)
            return (ssize_t)got;
        if (rc > 0)
            since = clock_milliseconds();
    }
}

static ssize_t low_write(mailstream_low *low, const void *buf, size_t size)
{
    struct imap_stream *stream = low->data;
    int64_t since = clock_milliseconds();
    while (!imap_stream_broken(stream)) {
        size_t sent = 0;
        CURLcode code = curl_easy_send(stream->dial.curl, buf, size, &sent);
        if (code == CURLE_OK && sent > 0)
            return (ssize_t)sent;
        if (code != CURLE_OK && code != CURLE_AGAIN)
            imap_stream_break(stream, curl_easy_strerror(code));
        else if (!await(stream, POLLOUT, since))
            imap_stream_break(stream, "it does not take our commands");
    }
    return -1;
}

static int low_close(mailstream_low *low)
{
    (void)low;
    return 0;
}

static int low_fd(mailstream_low *low)
{
    const struct imap_stream *stream = low->data;
    return stream->fd;
}

static void low_free(mailstream_low *low)
{
    free(low);
}

static void low_cancel(mailstream_low *low)
{
    (void)low;
}

static struct mailstream_cancel *low_no_cancel(mailstream_low *low)
{
    (void)low;
    return NULL;
}

static carray *low_no_chain(mailstream_low *low)
{
    (void)low;
    return NULL;
}

static int low_no_idle(mailstream_low *low)
{
    (void)low;
    return -1;
}

static mailstream_low_driver driver = {
    .mailstream_read = low_read,
    .mailstream_write = low_write,
    .mailstream_close = low_close,
    .mailstream_get_fd = low_fd,
    .mailstream_free = low_free,
    .mailstream_cancel = low_cancel,
    .mailstream_get_cancel = low_no_cancel,
    .mailstream_get_certificate_chain = low_no_chain,
    .mailstream_setup_idle = low_no_idle,
    .mailstream_unsetup_idle = low_no_idle,
    .mailstream_interrupt_idle = low_no_idle,
};

int imap_stream_open(const struct server *server, struct imap_stream **out, struct err *err)
{
    struct imap_stream *stream = mem_alloc(sizeof *stream);
    str_init(&stream->ahead);
    stream->timeout = server->timeout > 0 ? server->timeout : 60;
    stream->fd = CURL_SOCKET_BAD;
    if (dial_begin(&stream->dial, DIAL_IMAP, server, err) || dial_connect(&stream->dial, err))
        goto fail;
    if (curl_easy_getinfo(stream->dial.curl, CURLINFO_ACTIVESOCKET, &stream->fd) != CURLE_OK ||
        stream->fd == CURL_SOCKET_BAD) {
        err_set(err, ERR_TEMP, "%s:%d closed the connection after the login", server->host, server->port);
        goto fail;
    }
    *out = stream;
    return 0;
fail:
    imap_stream_close(stream);
    return -1;
}

mailstream *imap_stream_mail(struct imap_stream *stream)
{
    str_adds(&stream->ahead, GREETING);
    mailstream_low *low = mailstream_low_new(stream, &driver);
    mailstream *mail = low ? mailstream_new(low, BUFFER_SIZE) : NULL;
    if (!mail)
        exit(EXIT_NO_MEMORY);
    return mail;
}

int imap_stream_wait(struct imap_stream *stream, int ms)
{
    if (stream->ahead.len || imap_stream_broken(stream))
        return 1;
    struct pollfd p = {.fd = stream->fd, .events = POLLIN};
    for (bool polled = false;; polled = true) {
        /* TLS may hold bytes that the socket no longer shows: ask it first. */
        char buf[4096];
        size_t got;
        int rc = try_receive(stream, buf, sizeof buf, &got);
        if (rc > 0)
            str_add(&stream->ahead, buf, got);
        if (rc != 0)
            return 1;
        if (polled)
            return 0;
        int n = poll(&p, 1, ms);
        if (n <= 0)
            return n < 0 && errno == EINTR ? -1 : 0;
    }
}

void imap_stream_close(struct imap_stream *stream)
{
    if (!stream)
        return;
    /* Not even libcurl's own LOGOUT may be tried: the server may have stopped reading. */
    if (stream->fd != CURL_SOCKET_BAD)
        (void)shutdown(stream->fd, SHUT_RDWR);
    dial_end(&stream->dial);
    str_release(&stream->ahead);
    free(stream);
}
