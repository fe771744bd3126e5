/* Commands of league.ini, run for a process that may run none (base/sandbox.h) by the one that began it.
 *
 * The two talk over a socket pair. A request names what is wanted, never a command: the helper has league.ini
 * of its own, read before any mail was. What it is asked may be a lie: it checks all of it. */
#ifndef LEAGUE_HELPER_H
#define LEAGUE_HELPER_H

#include "base/err.h"
#include "league/league.h"

/* As league_secret, of the helper at `fd`; ERR_TEMP when it is gone. One thread at a time. */
int helper_secret(int fd, enum league_side side, char **secret, struct err *err)
    __attribute__((warn_unused_result));
/* As sendmail_run; the helper is sink->run_arg. */
int helper_sendmail(const struct sink *sink, const struct sendmail_mail *mail, struct sendmail_end *end,
                    struct err *err) __attribute__((warn_unused_result));

/* The helper's side: one request, with the league's options (no keys needed). 0; 1 at the end; -1 for
 * nonsense, after which nothing more may be heard. */
int helper_serve(int fd, const struct league *league, struct err *err) __attribute__((warn_unused_result));

#endif
