/* Commands of league.ini, run by the parent for a process that may not run any (base/sandbox.h).
 *
 * The two talk over a socket pair. A request names what is wanted, never a command: the helper has its own
 * copy of league.ini, read before any mail was. A request may be a lie, so the helper checks all of it. */
#ifndef LEAGUE_HELPER_H
#define LEAGUE_HELPER_H

#include "base/err.h"
#include "league/league.h"

/* As league_secret, from the helper at `fd`; ERR_TEMP when it is gone. One thread at a time. */
int helper_secret(int fd, enum league_side side, char **secret, struct err *err)
    __attribute__((warn_unused_result));
/* As sendmail_run; the helper is sink->run_arg. */
int helper_sendmail(const struct sink *sink, const struct sendmail_mail *mail, struct sendmail_end *end,
                    struct err *err) __attribute__((warn_unused_result));

/* The helper's side: one request, with the league's options (no keys needed). 0; 1 at the end; -1 for
 * nonsense, after which no more requests may be accepted. */
int helper_serve(int fd, const struct league *league, struct err *err) __attribute__((warn_unused_result));

#endif
