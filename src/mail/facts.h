/* What the fields of a header block say: addresses, ids, and whether a robot sent the mail. Private to mail/.
 */
#ifndef MAIL_FACTS_H
#define MAIL_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "mail/header.h"
#include "mail/message.h"

/* Fills from, from_name, to, written_to, subject, message_id, references and kind (all but MAIL_BOUNCE) of an initialised
 * message. */
void facts_read(struct message *msg, const struct header *top, const struct message_identity *identity);

/* Whether a person, a list, a machine or we ourselves sent it; msg->from is known already. (kind.c) */
enum message_kind facts_kind(const struct message *msg, const struct header *top,
                             const struct message_identity *identity);
/* Is the text nothing but what a mail program writes for a reaction, and a quote? (kind.c) */
bool facts_reacts(struct slice text);
/* True for one of our addresses, also with "+something" after the local part. */
bool facts_is_own(const struct message_identity *identity, const char *address);
/* True when the envelope sender was "<>". (kind.c) */
bool facts_null_return(const struct header *top);
/* Replaces `out` by the network that the mail came from, if its Received fields name one: "192.0.2.7", or
 * "2001:db8:1:2::/64". A sender can add such fields above their own, so this is a hint and not proof.
 * (origin.c) */
void facts_origin(struct str *out, const struct header *top);
/* Appends the sane id of the first Message-ID field without its <>; nothing when there is none. */
void facts_message_id(struct str *out, const struct header *header);
/* Appends `text` as an address with its domain in lower case, when it is one; false otherwise. */
bool facts_address(struct str *out, struct slice text);

#endif
