/* Short lists of names as text, separated by single spaces, in the order in which they were added: "anna
 * bob". Names hold no spaces (base/file.h, name_valid). */
#ifndef LEAGUE_NAME_LIST_H
#define LEAGUE_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

bool names_hold(const char *list, const char *name);
size_t names_count(const char *list);
void names_add(struct str *list, const char *name); /* at the end, unless it is there */
void names_drop(struct str *list, const char *name);

#endif
