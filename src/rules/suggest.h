/* The lines of a view's "form": orders that make sense now, each with a note on what it would do. The words
 * of notes are in templates/<ruleset>/notes.txt; the view has a code and parameters for them, as "why". */
#ifndef RULES_SUGGEST_H
#define RULES_SUGGEST_H

#include "base/value.h"

/* Adds {"line","why"}: code and parameters as in base/reason.h. */
void suggest(struct value *form, const char *line, const char *why, ...)
    __attribute__((format(printf, 3, 4)));

#endif
