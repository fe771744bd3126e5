/* What a mail says that vouches for orders or another text (struct audit's `says`): the typed lines are cut out of it as
 * they were when it came (mail/reply.h), read by the game's language (orders/typed.h), and compared with the orders of
 * the record, or with the message; what was asked back and agreed to is not in the mail.
 * Pure. An auditor knows neither the nonce of the mail that was answered nor the suggestions that it showed. */
#ifndef PUBLISH_REPLY_SAYS_H
#define PUBLISH_REPLY_SAYS_H

#include "audit/audit.h"

enum audit_says reply_says(const struct audit_mail *mail);

#endif
