/* What IMAP and SMTP share: one libcurl handle set up for one server, and what a failed connection means.
 *
 * libcurl does TCP, TLS and authentication for both protocols. Every handle made here verifies the
 * certificate and the host name, refuses to go on in plain text, uses no proxy, and reads no .netrc; there is
 * no setting against that. */
#ifndef MAIL_DIAL_H
#define MAIL_DIAL_H

#include <curl/curl.h>
#include <stdbool.h>

#include "base/err.h"
#include "mail/source.h" /* struct server */

#define DIAL_WORDS     400
#define SYSTEM_CA_FILE "/etc/ssl/certs/ca-certificates.crt"

/* Before the first use of libcurl, from any thread; what comes after it does nothing. */
void dial_start(void);

/* How far a connection or a mail got. */
enum dial_stage { DIAL_CONNECT, DIAL_AUTH, DIAL_MAIL, DIAL_RCPT, DIAL_DATA, DIAL_TEXT };

struct dial {
    CURL *curl;
    const struct server *server;  /* borrowed */
    char reason[CURL_ERROR_SIZE]; /* libcurl's words for the last failure */
    char words
        [DIAL_WORDS]; /* the server's last line, without line end, or SMTP's last answer, whose first line
                                      has all codes; "" when it said nothing */
    int answer;       /* SMTP: the three digits of that line, 0 when there was none */
    enum dial_stage stage;         /* the last command sent that matters here */
    bool leaving;                  /* QUIT or LOGOUT was sent: the answer to that is not kept */
    bool has_pipelining, has_size; /* SMTP: what the last answer to EHLO offers */
    struct str *offers; /* where all that the server offers is noted, a line each; NULL: nowhere. Borrowed */
};

enum dial_protocol { DIAL_IMAP, DIAL_SMTP };

/* Makes the handle. `dial` must stay where it is until dial_end. ERR_CONFIG for an impossible host, port or
 * CA file. */
int dial_begin(struct dial *dial, enum dial_protocol protocol, const struct server *server, struct err *err)
    __attribute__((warn_unused_result));
/* Keeps a line of the server: `words` and `answer`. */
void dial_heard(struct dial *dial, struct slice line);
/* Forgets the words and the stage of the previous mail. */
void dial_reset(struct dial *dial);
/* Connects, verifies, authenticates, and leaves the connection open. 0 or -1 with an error as dial_fail makes
 * it. */
int dial_connect(struct dial *dial, struct err *err) __attribute__((warn_unused_result));
/* Sets the error for a connection that failed or was refused as a whole, and returns -1.
 * ERR_CONFIG for certificates, refused authentication and missing STARTTLS; else ERR_TEMP. */
int dial_fail(const struct dial *dial, CURLcode code, struct err *err);
/* Says goodbye to the server without waiting for its answer, closes and frees. Safe on a zeroed struct. */
void dial_end(struct dial *dial);

#endif
