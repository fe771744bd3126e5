/* "stop" as the subject or the first line, unsigned: what mail programs send when somebody wants no more mails
 * of a list (List-Unsubscribe, RFC 2369). It changes nothing in a seat, and nothing at all before the word
 * has come back that is mailed to the player's address: then they get no more mails that need not be (struct
 * player, quiet). */
#ifndef PETITIONS_STOP_H
#define PETITIONS_STOP_H

#include "petitions/requests.h"

/* *found: it is such a mail, and `request` has the answer ("ask_stop"); the facts are the caller's. */
int stop_read(struct batch *batch, const struct message *msg, const struct player *sender, bool *found,
              struct request *request, struct err *err) __attribute__((warn_unused_result));

#endif
