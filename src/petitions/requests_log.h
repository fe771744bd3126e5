/* What of the league's log can be asked for by mail: LOG [number], PROOF <size>. For leagues without a site, and for who does not trust one. */
#ifndef PETITIONS_REQUESTS_LOG_H
#define PETITIONS_REQUESTS_LOG_H

#include "petitions/requests.h"

#define LOG_ASKED 100 /* entries in one answer */

/* Entries from that number on (1: the first), no more than LOG_ASKED, and the newest checkpoint. */
int request_log(struct batch *batch, struct slice what, struct request *request, struct err *err)
    __attribute__((warn_unused_result));
/* That the log of today goes on from what it was with so many entries: the body of add-checkpoint (tlog/witness.h). */
int request_proof(struct batch *batch, struct slice what, struct request *request, struct err *err)
    __attribute__((warn_unused_result));

#endif
