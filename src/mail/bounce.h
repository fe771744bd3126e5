/* Delivery status notifications. Private to mail/. RFC 3462, 3464. */
#ifndef MAIL_BOUNCE_H
#define MAIL_BOUNCE_H

#include "base/str.h"
#include "mail/header.h"
#include "mail/message.h"

/* Reads a decoded message/delivery-status: the first recipient that failed, else the first of whom it does not say
 * what became, else the first at all. */
void bounce_read_status(struct message_bounce *bounce, struct slice status);
/* Takes the Message-ID from the header of the mail that came back, unless one is known already. */
void bounce_read_returned(struct message_bounce *bounce, const struct header *header);
/* The same from a decoded text/rfc822-headers part. */
void bounce_read_headers(struct message_bounce *bounce, struct slice text);

void bounce_init(struct message_bounce *bounce);
void bounce_release(struct message_bounce *bounce);

#endif
