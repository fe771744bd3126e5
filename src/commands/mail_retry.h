/* `turnpost mail retry WHAT`: mails of ours that were given up, or wait for their next try, are tried with the next
 * run. */
#ifndef COMMANDS_MAIL_RETRY_H
#define COMMANDS_MAIL_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* Which mails: all, those to one address, or those whose last try was since then. */
struct mail_retry {
    const char *address; /* borrowed from the word; NULL = to whomever */
    int64_t ago;         /* seconds before now, or */
    int64_t since;       /* a time; both 0 = whenever */
};
/* "all", "anna@example.org", "2d", "2026-11-28T12:00:00Z". ERR_INPUT. */
int mail_retry_read(const char *word, struct mail_retry *what, struct err *err)
    __attribute__((warn_unused_result));
/* The command, of which the words after "mail" are "retry WHAT"; its exit code. */
int mail_retry(int argc, char **argv);

#endif
