/* The catalog of a league that several hosts share (cluster/cluster.h). Each host has its own; what is in no journal
 * (journal/catalog.h) is shared as a copy, which is a catalog with these tables alone, and a file of changes since:
 * changesets of SQLite's session extension, each with its length in front of it (4 bytes, most significant first).
 * The table `state` has no key, so it is not in it: registry/rounds has what matters of it. */
#ifndef JOURNAL_CATALOG_CHANGES_H
#define JOURNAL_CATALOG_CHANGES_H

#include "journal/catalog.h"

#define CATALOG_COPY_FILE    "store/catalog.kept" /* of the league; cluster/kept.c has these, too */
#define CATALOG_CHANGES_FILE "store/catalog.changes"

/* All three find both in the league's folder `dir`. */

/* From now on each commit of this catalog appends its changes there. Makes the copy, if there is none. */
int catalog_share(struct catalog *catalog, const char *dir, struct err *err)
    __attribute__((warn_unused_result));
/* Makes a copy of a catalog that is not shared yet; none, if there is no catalog. */
int catalog_export(const char *path, const char *dir, struct err *err) __attribute__((warn_unused_result));
/* A catalog in place of any that is there, from these two; either may be missing. */
int catalog_build(const char *path, const char *dir, struct err *err) __attribute__((warn_unused_result));

/* Makes a new copy, and removes the changes, when these are long. Nothing when it is not shared. */
int catalog_compact(struct catalog *catalog, struct err *err) __attribute__((warn_unused_result));

#endif
