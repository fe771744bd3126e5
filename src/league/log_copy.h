/* The log of a league that is made again from an older copy (`turnpost restore`). The copy's log ends where the copy was made,
 * and players hold proofs of what came after that: if it went on from there, the league would show two histories of one log.
 *
 * So it goes on from a log that has all, which the site shows, or another disk; or a new log begins. Its first entry
 * names the old one (`log`, tlog/entry.h), and the policy has both, so that older proofs still prove. */
#ifndef LEAGUE_LOG_COPY_H
#define LEAGUE_LOG_COPY_H

#include "league/league.h"

/* Was there a log at all? */
bool log_copy_has(const struct league *league);
/* Takes the log that `folder` shows (tiles and checkpoint) in place of the copy's, which has to be its beginning. *more: how many
 * entries it has after that. ERR_INPUT: it is another log, or an older one. */
int log_copy_take(const struct league *league, const char *folder, int64_t *more, struct err *err)
    __attribute__((warn_unused_result));
/* Begins a new one. */
int log_copy_begin(const struct league *league, int64_t now, struct err *err)
    __attribute__((warn_unused_result));

#endif
