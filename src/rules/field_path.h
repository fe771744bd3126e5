/* One value of a state by its path, in the state's document (rules/field.h): "player[1].metal". Lists count
 * from 0, as JSON does, so player[0] is seat 1. */
#ifndef RULES_FIELD_PATH_H
#define RULES_FIELD_PATH_H

#include <jansson.h>

#include "base/err.h"
#include "base/str.h"

/* The value, borrowed; NULL with ERR_INPUT: the error names the members that exist there, but no values. */
json_t *field_path_get(json_t *document, struct slice path, struct err *err);
/* Replaces a value that is there; `value` is borrowed. */
int field_path_set(json_t *document, struct slice path, json_t *value, struct err *err)
    __attribute__((warn_unused_result));

#endif
