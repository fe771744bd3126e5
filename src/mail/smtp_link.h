/* One SMTP connection and the mails that go over it (RFC 5321). libcurl connects, greets, starts TLS and
 * authenticates (dial.h); the commands of a mail are spoken here, those before the text all at once where the
 * server has PIPELINING (RFC 2920). */
#ifndef MAIL_SMTP_LINK_H
#define MAIL_SMTP_LINK_H

#include "mail/dial.h"
#include "mail/spool.h"

struct smtp_link {
    struct dial dial;
    struct str ahead; /* what came after the last answer */
    int64_t deadline; /* of the present mail, by clock_milliseconds */
    int64_t patience; /* of the present answer */
    bool open;        /* connected and authenticated */
    bool used;        /* a mail has already gone over this connection */
    bool reset;       /* the previous mail ended early: the server must be told (RSET) */
};

/* The outcome of one mail; the server's words are in dial.words, and what went wrong with the connection in
 * dial.reason. */
enum smtp_result {
    SMTP_SENT,    /* 250 to the text */
    SMTP_ANSWER,  /* refused, for now (4xx) or for good (5xx): dial.answer */
    SMTP_LOST,    /* the connection broke */
    SMTP_SILENT,  /* no answer in time */
    SMTP_NOWHERE, /* no connection could be made: the mail was not tried; `err` says why */
};

/* `server` is borrowed. ERR_CONFIG as dial_begin. The link must stay where it is until smtp_link_end. */
int smtp_link_begin(struct smtp_link *link, const struct server *server, struct err *err)
    __attribute__((warn_unused_result));
/* Sends one mail, connecting first if need be, and once more if the server has hung up since the last mail.
 */
enum smtp_result smtp_link_send(struct smtp_link *link, const struct outgoing *mail, struct err *err);
/* Says goodbye without waiting for the answer. Safe on a zeroed struct. */
void smtp_link_end(struct smtp_link *link);

#endif
