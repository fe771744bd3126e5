/* A logged-in IMAP connection as libetpan's mailstream: libcurl below, with a deadline and a byte budget for
 * each answer.
 *
 * libcurl itself speaks the greeting, STARTTLS and the authentication: with CURLOPT_CONNECT_ONLY and an imap:
 * address it stops right after them and leaves the connection to us. So there is one TLS code for all of
 * mail/, and the upgrade by STARTTLS has libcurl's guard against text injected after the plain "OK" (it gives
 * up), and against a PREAUTH greeting that would skip the encryption. libetpan's own network
 * code verifies no certificate. */
#ifndef MAIL_IMAP_STREAM_H
#define MAIL_IMAP_STREAM_H

#include <libetpan/libetpan.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "mail/imap_text.h"
#include "mail/source.h" /* struct server */

struct imap_stream;

/* Connects and authenticates. The errors are those of dial_fail. */
int imap_stream_open(const struct server *server, struct imap_stream **out, struct err *err)
    __attribute__((warn_unused_result));
/* A mailstream for mailimap_connect, which then owns and closes it; it must be closed before
 * imap_stream_close. Its first line is a PREAUTH greeting of our own making, since libcurl took the server's.
 */
mailstream *imap_stream_mail(struct imap_stream *stream);

/* To be called before each command: its whole answer may have at most `bytes` and may pause for at most the
 * server's timeout at a time; a slow line gets a second more for every 8 KiB of the budget. */
void imap_stream_expect(struct imap_stream *stream, size_t bytes);
/* As imap_stream_expect with a time limit of its own, in milliseconds. */
void imap_stream_expect_soon(struct imap_stream *stream, size_t bytes, int ms);

/* Waits for bytes from the server, without reading them out of turn: 1 there are some (or the end of the
 * connection), 0 the time is over, -1 a signal came. */
int imap_stream_wait(struct imap_stream *stream, int ms);

/* From now on the numbers of SEARCH responses are added to `into` and seen by nothing else; NULL ends it.
 */
void imap_stream_sieve(struct imap_stream *stream, struct uids *into);
/* The beginning of the last tagged response: "12 BAD Unknown com". */
struct slice imap_stream_tagged(const struct imap_stream *stream);

/* After a failure nothing more is sent or received. */
void imap_stream_break(struct imap_stream *stream, const char *why);
bool imap_stream_broken(const struct imap_stream *stream);
/* Why it broke: "it closed the connection"; "" when it did not. */
const char *imap_stream_reason(const struct imap_stream *stream);

/* Closes at once, whatever the server does. NULL is allowed. */
void imap_stream_close(struct imap_stream *stream);

#endif
