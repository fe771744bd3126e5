/* Enhanced mail system status codes, "5.4.5" (RFC 3463; the list of them: RFC 5248). Private to mail/. */
#ifndef MAIL_STATUS_H
#define MAIL_STATUS_H

#include "base/str.h"

struct mail_status {
    int class; /* 2 done, 4 not now, 5 refused */
    int subject; /* what it is about: 1 address, 2 mailbox, 3 mail system, 4 network, 5 protocol, 6 text, 7 policy */
    int detail;
};

/* The code that the text begins with, and its bytes; 0 when it begins with none, which leaves `status` as it is. */
size_t status_read(struct slice text, struct mail_status *status);

#endif
