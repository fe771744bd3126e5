/* Does this program know everything in the registry's journal? The table of
 * src/journal/PRIVATE.md, as code. What a newer Turnpost has written there may mean anything for players and keys, which
 * concern the whole league: so only that Turnpost works on such a league.
 *
 * Records are checked when they are read. Those whose files are written are not read again, so registry/known
 * keeps a digest of the table that they were checked with: a program with another table reads the whole
 * journal once. */
#ifndef LEAGUE_REGISTRY_KNOWN_H
#define LEAGUE_REGISTRY_KNOWN_H

#include "league/registry_log.h"

/* ERR_NEWER names what is not known of the record. */
int registry_known(const struct record *record, struct err *err) __attribute__((warn_unused_result));
/* The same of a document in tokens/, by its name and members. */
int registry_known_token(const char *name, const json_t *document, struct err *err)
    __attribute__((warn_unused_result));
/* Puts in front of an error which line of the journal has it, and what to do. Always returns -1. */
int registry_line_damaged(int64_t number, struct err *err);
/* Checks the whole committed journal, unless that was done by a program that knew the same. */
int registry_known_all(const struct registry_log *log, struct err *err) __attribute__((warn_unused_result));
/* May a record write this file? */
bool registry_keeps(const char *path);

#endif
