/* What the servers on its way have written on top of a mail, for `doctor --probe`. */
#ifndef MAIL_RECEIVED_H
#define MAIL_RECEIVED_H

#include "base/str.h"

struct received {
    struct str authserv;    /* who wrote the first Authentication-Results (RFC 8601), "" = nobody */
    struct str results;     /* "spf=pass, dkim=pass, dmarc=fail" of it */
    struct str return_path; /* the envelope sender, as the last server noted it; "" = it did not, or null */
};
/* Safe text, all of it. received_release in every case. */
void received_read(struct received *got, struct slice raw);
void received_release(struct received *got);

#endif
