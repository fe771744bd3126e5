/* Members of what views, forms and stakes are made of, by formats as in base/reason.h, without a code:
 *
 *     put(object, "slot=%s distant?=%d metal=%d wasted+=%d", name, distant, metal, wasted);
 *
 * where "?" is a flag, and "+" a number or text that is false when it is 0 or empty, so that a template's lookup does not find an
 * outer one. Reading a format takes its time: what a view has dozens of, planets and technologies, is put together member by
 * member (base/value.h). */
#ifndef RULES_PUT_H
#define RULES_PUT_H

#include "base/value.h"
#include "rules/brief.h"

void put(struct value *object, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds a line of a view's "form", an order that makes sense now, {"line","why"}: the code and parameters of a note on
 * what it would do, whose words are in templates/<ruleset>/notes.txt. */
void suggest(struct value *form, const char *line, const char *why, ...)
    __attribute__((format(printf, 3, 4)));
/* Of the last suggestion: "gone", it is not shown, as it cannot be done any more, or something else does it better; "poor", it comes
 * last. */
void suggest_mark(struct value *form, const char *mark);

#endif
