/* The log of a league that is made again from an older copy (`turnpost restore`). The copy's log ends where the copy was made,
 * and players hold proofs of what came after that: if it went on from there, the league would show two histories of one log.
 *
 * So it goes on from the log of the league that was lost, where that is still there; its copy on a site may lack what came last. Or a new
 * log begins: its first entry names the old one (`log`, tlog/entry.h), and the policy has both, so that older proofs still prove. */
#ifndef LEAGUE_LOG_COPY_H
#define LEAGUE_LOG_COPY_H

#include "league/league.h"

/* Was there a log at all? */
bool log_copy_has(const struct league *league);
/* Is nothing lost, by the log that a site shows in `folder`? ERR_INPUT: it has more than the copy. */
int log_copy_compare(const struct league *league, const char *folder, struct err *err)
    __attribute__((warn_unused_result));
/* Takes the entries in `folder`, the log/ of the lost league, in place of the copy's, which have to be their beginning, and signs all of
 * them. *more: how many come after the copy's. ERR_INPUT: it is another log, an older one, or a site's. */
int log_copy_take(const struct league *league, const char *folder, int64_t *more, struct err *err)
    __attribute__((warn_unused_result));
/* Begins a new one. `losses`, {"gc-17": 12}: from which record on each name of the log may have lost some. */
int log_copy_begin(const struct league *league, json_t *losses, int64_t now, struct err *err)
    __attribute__((warn_unused_result));

/* Nobody works. Says that in the log as it is. */
int log_copy_lost(const struct league *league, json_t *losses, int64_t now, struct err *err)
    __attribute__((warn_unused_result));

#endif
