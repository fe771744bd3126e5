/* Reading members of the card file. `what` names the object in errors ("card 12"); all return 0 or -1 with
 * ERR_BROKEN. */
#ifndef GALAXY_COMMAND_CARDS_READ_H
#define GALAXY_COMMAND_CARDS_READ_H

#include <jansson.h>

#include "base/err.h"
#include "rules/galaxy_command/cards.h"

int gc_need_int(const json_t *object, const char *key, int min, int max, int *out, const char *what,
                struct err *err) __attribute__((warn_unused_result));
/* An amount from 0 that may be left out (0). */
int gc_may_int(const json_t *object, const char *key, int max, int *out, const char *what, struct err *err)
    __attribute__((warn_unused_result));
/* 1 to GC_NAME-1 bytes that are safe to show. */
int gc_need_name(const json_t *object, const char *key, char out[GC_NAME], const char *what, struct err *err)
    __attribute__((warn_unused_result));
int gc_need_object(const json_t *object, const char *key, const json_t **out, const char *what,
                   struct err *err) __attribute__((warn_unused_result));
/* "source" must be there: one mark, or an object of marks by field (its "note" is free text). */
int gc_need_source(const json_t *object, const char *what, struct err *err)
    __attribute__((warn_unused_result));

#endif
