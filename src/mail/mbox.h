/* Saved mails: what is one, the mails of an mbox, and when one was written. */
#ifndef MAIL_MBOX_H
#define MAIL_MBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Has it one of the fields that every mail has, before its first empty line? */
bool mail_likely(struct slice raw);
/* Does it begin with a line "From ..."? */
bool mbox_likely(struct slice raw);
/* Cuts the next mail off an mbox, without its "From " line and the empty line after it; false at the end. A
 * "From " line counts at the beginning and after an empty line. ">From " stays as it is: nothing of ours
 * depends on it. */
bool mbox_next(struct slice *rest, struct slice *mail);
/* What its Date field says, which is its sender's word: seconds since 1970; 0 when there is none that can be
 * read. */
int64_t mail_date(struct slice raw);
/* When the last server on its way had it, by its Received field (RFC 5321 section 4.4): the word of the reader's own mail server. 0 =
 * there is none, as in a copy of a sent mail, or none that can be read. */
int64_t mail_arrival(struct slice raw);

#endif
