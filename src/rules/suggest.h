/* The lines of a view's "form": orders that make sense now, each with a note on what it would do. The words
 * of notes are in templates/<ruleset>/notes.txt; the view has a code and parameters for them, as "why". */
#ifndef RULES_SUGGEST_H
#define RULES_SUGGEST_H

#include <stdbool.h>

#include "base/value.h"

/* Adds {"line","note"}. The reports of all games are sealed over what the view says, and so over this note:
 * the sentence is not for people, and must never change while the ruleset's `views` does not. The entry. */
struct value *suggest(struct value *form, const char *line, const char *sealed, ...)
    __attribute__((format(printf, 3, 4)));
/* What people are shown instead: code and parameters as in base/reason.h. Not sealed. */
void suggest_note(struct value *entry, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The line would be refused, by what the seat can know: the entry stays in the view, which is sealed, and no
 * form shows it. */
void suggest_hide(struct value *entry);
bool suggest_hidden(const struct value *entry);

#endif
