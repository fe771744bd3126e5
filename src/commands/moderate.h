/* What moderators do by mail, done by the operator: the same texts, without a mail and a signature. */
#ifndef COMMANDS_MODERATE_H
#define COMMANDS_MODERATE_H

#include "batch/batch.h"

/* Adds a line of a text, whatever line ends the value has. */
void moderate_line(struct str *text, const char *front, const char *value);
/* Does what the text asks, in the operator's name, as part of the batch. ERR_INPUT, with why, when it is refused. */
int moderate_hear(struct batch *batch, struct slice text, struct err *err)
    __attribute__((warn_unused_result));

#endif
