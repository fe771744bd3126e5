/* "stop" as the subject or the first line, unsigned: what mail programs send when somebody wants no more mails
 * of a list (List-Unsubscribe, RFC 2369). It changes nothing in a seat. Where the sender's mail domain vouches for it
 * (letters/vouching.h), and has signed that it goes to us, it has its effect at once, else when the word has come back that is mailed to the address:
 * a player gets no more mails that need not be (struct player, quiet), and who is no player gets none at all
 * (batch/stopped.h). */
#ifndef PETITIONS_STOP_H
#define PETITIONS_STOP_H

#include "letters/vouching.h"
#include "petitions/requests.h"

/* All borrowed. */
struct stop_mail {
    const struct message *msg;
    const struct player *sender;     /* the player whose address it names, or NULL */
    const struct vouching *vouching; /* of the mail, or NULL */
};

/* *found: it is such a mail, and `request` has the answer ("ask_stop"); the facts are the caller's. */
int stop_read(struct batch *batch, const struct stop_mail *mail, bool *found, struct request *request,
              struct err *err) __attribute__((warn_unused_result));

#endif
