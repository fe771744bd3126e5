/* Addresses of people who are no players and want no mail from the league, not even answers to mails that name them as
 * their sender: they said "stop" (petitions/stop.h). Kept in the registry as documents tokens/s... whose names are
 * keyed hashes of the addresses, so that nobody learns from the files who it is.
 * {"what":"stop","expires":"..."} */
#ifndef BATCH_STOPPED_H
#define BATCH_STOPPED_H

#include "batch/batch.h"
#include "league/token.h"

#define STOPPED_SECONDS ((int64_t)100 * 366 * 86400) /* until it expires: documents in tokens/ have an end */

/* The name of the document for an address; case does not matter. */
void stopped_name(const struct league *league, const char *address, char name[TOKEN_NAME]);
/* Do they want no mail? */
int stopped_is(const struct batch *batch, const char *address, bool *is, struct err *err)
    __attribute__((warn_unused_result));
#endif
