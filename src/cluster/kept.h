/* Which files of a league's folder all of its hosts share. What is in none of these folders is each host's own:
 * league.ini, secret keys, the catalog, caches, the queue of commands. */
#ifndef CLUSTER_KEPT_H
#define CLUSTER_KEPT_H

#include <stdbool.h>

/* The part of `path` that comes after `dir` and a slash; "" for `dir` itself, NULL for what is not in it. */
const char *kept_name(const char *dir, const char *path);
/* Is it shared? `name` as kept_name gives it; also true for the folders themselves, and for "". */
bool kept_file(const char *name);
/* Is it the name of a file that may be written here on a database's word: shared, and nowhere else than it says? */
bool kept_safe(const char *name);

#endif
