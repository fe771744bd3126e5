/* Plain requests about competitions (requests.h): COMPETITIONS, and TABLE <competition>. */
#ifndef PETITIONS_REQUESTS_COMPETE_H
#define PETITIONS_REQUESTS_COMPETE_H

#include "petitions/requests.h"

/* What there is: those that take entries, those that run, the last ones that are over. */
int request_competitions(struct batch *batch, struct slice what, struct request *request, struct err *err)
    __attribute__((warn_unused_result));
/* The table of one, who is in, and who plays whom now. */
int request_table(struct batch *batch, struct slice what, struct request *request, struct err *err)
    __attribute__((warn_unused_result));
/* Adds those that take entries to an answer about something else. */
int request_add_open(struct batch *batch, json_t *facts, struct err *err) __attribute__((warn_unused_result));

#endif
