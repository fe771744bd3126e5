/* A short text by value, for what is said (rules/event.h, orders/verbs.h): it can be made where it is an argument,
 *
 *     return no(why, "not_here shipment=%s", brief("S%d", number).p);
 *
 * and lasts until that call is over. */
#ifndef RULES_BRIEF_H
#define RULES_BRIEF_H

#include "base/str.h"

#define BRIEF_SIZE 512

struct brief {
    char p[BRIEF_SIZE];
};
struct brief brief(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* What is longer is cut: only for what is quoted, and cut shorter anyway (struct refusal). */
struct brief brief_cut(struct slice text);
/* The same of what always fits; the string is released. */
struct brief brief_str(struct str *text);

#endif
