/* What is to be said to people, above all why something was refused: a code, whose words are in a template,
 * and what those words name. It is kept in the form in which templates read it, an object whose only member
 * is named by the code and holds the parameters: {"no_seat": {"game": "gc-17"}}. So no sentence is made here,
 * and a language is added by files.
 *
 * Code and parameters are written as one format, so that the compiler checks what is given:
 *
 *     reason_set(&reason, "closed turn=%d game=%s", game->turn, game->id);
 *
 * The code comes first; then names, each with "=" and one of %s, %d, %zu and %lld, separated by one space. A
 * sign after the name, which templates do not have, says what a number is: "?" a flag, true or false; "@" a time,
 * and "~" a duration in seconds (base/moment.h). In what the rules say (rules/event.h, rules/put.h), which has no times,
 * "+" is what only counts when there is some of it, else false. */
#ifndef BASE_REASON_H
#define BASE_REASON_H

#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

#define REASON_TEXT 480 /* bytes of a text; what is longer is cut */

/* New reference. Texts that are not UTF-8 are made safe. */
json_t *reason_make(const char *fmt, ...) __attribute__((format(printf, 1, 2), warn_unused_result));
json_t *reason_vmake(const char *fmt, va_list args) __attribute__((format(printf, 1, 0), warn_unused_result));

/* Sets the reason unless one is set already, as err_set does: the first one wins. *reason is NULL at first,
 * and a new reference afterwards. */
void reason_set(json_t **reason, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same with an error, as the code "said". */
void reason_err(json_t **reason, const struct err *err);
void reason_clear(json_t **reason);

/* ---- errors that players are told of, too ---- */

/* err_set with ERR_INPUT, the sentence for the command line and the log, and with a code for templates, whose words
 * are in templates/common/errors.txt; in English they are the sentence (make words). Both are of the same
 * arguments. */
int reason_fail(struct err *err, const char *why, const char *sentence, ...)
    __attribute__((format(printf, 2, 4), format(printf, 3, 4)));
/* What a template inserts for it: {"errors": {"no_key": {}}} (report/mustache.h); of another error, whose words are in
 * no template, the sentence. New reference. */
json_t *reason_said(const struct err *err);

/* ---- for other forms than JSON ---- */

#define REASON_NAME 40 /* of a code or a parameter, with a byte for its end */
struct reason_param {
    struct slice name; /* a part of the format, without its sign */
    char sign;         /* '?', '@', '~', '+', or '\0': none */
    const char *text;  /* NULL: `number` */
    int64_t number;
};
/* The code at the beginning of a format, and then one parameter after another, or parameters alone; false after the last.
 * *fmt moves on. */
struct slice reason_code(const char **fmt);
bool reason_param(const char **fmt, va_list *args, struct reason_param *param);

#endif
