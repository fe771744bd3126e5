/* A look at a mail server, for `doctor`: how it speaks TLS, what it offers, how long its certificate is valid. */
#ifndef MAIL_LOOK_H
#define MAIL_LOOK_H

#include <stdint.h>

#include "mail/dial.h"

struct look {
    int64_t expires;     /* when the certificate ends; 0 = it is not known */
    struct str greeting; /* its first line, safe text */
    struct str offers;   /* IMAP: capabilities; SMTP: extensions; in capitals, each between blanks */
};
/* Connects and authenticates as dial_connect does, says goodbye, and fills `look`, which look_release frees in
 * every case. */
int look_at(enum dial_protocol protocol, const struct server *server, struct look *look, struct err *err)
    __attribute__((warn_unused_result));
void look_release(struct look *look);
/* "IDLE", "SIZE" */
bool look_offers(const struct look *look, const char *word);

/* Does this port speak TLS the other way than `server` says: at once where STARTTLS is expected, or the other
 * way round? Found out without logging in, within ten seconds. False also when nothing can be reached. */
bool look_is_mixed_up(enum dial_protocol protocol, const struct server *server);

#endif
