/* The registry's memory of mails and texts that were obeyed, so that none is obeyed twice: the members "mail",
 * "text" and "request" of its records, and the "text" of what "asked" names, the first of two mails. An index in the
 * catalog holds those of the last 70 days, and comes with the commit of their records; those of the batch are
 * in memory. So a look-up costs the same however long the journal is. Older texts are refused by their date
 * (petitions/bound.h).
 *
 * The index is rebuilt from the journal when it does not match it: a new catalog, a crash between the two, a
 * clock that had been ahead and was put back. */
#ifndef LEAGUE_REGISTRY_MARKS_H
#define LEAGUE_REGISTRY_MARKS_H

#include "league/registry_log.h"
#include "journal/catalog.h"

#define BOUND_DAYS  60 /* a dated text is valid until the end of the 60th day after its day (UTC) */
#define BOUND_AHEAD 2  /* days by which it may be ahead of us: zones, clocks */

/* Binds the log to the index, which the catalog (borrowed, as long as the log) keeps, and makes them
 * match. */
int registry_marks_open(struct registry_log *log, struct catalog *catalog, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* A new round of work: does the index reach back far enough? Not within a transaction of the catalog. */
int registry_marks_check(struct registry_log *log, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* A record was made; `fields` are its members. */
void registry_marks_add(struct registry_log *log, const json_t *fields, int64_t time);
/* Stores the marks of committed records, within the catalog's transaction. */
int registry_marks_commit(struct registry_log *log, struct err *err) __attribute__((warn_unused_result));
/* Once a day: forgets what is too old. */
int registry_marks_tidy(struct registry_log *log, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* Has this signed text been obeyed, or this very mail? Texts that it does not know may have been, more than
 * 70 days ago. */
enum registry_seen { REGISTRY_NEW, REGISTRY_SEEN_TEXT, REGISTRY_SEEN_MAIL };
int registry_log_seen(const struct registry_log *log, const unsigned char text[32],
                      const unsigned char mail[32], enum registry_seen *seen, struct err *err)
    __attribute__((warn_unused_result));

#endif
