/* Saved mails: what is one, and the mails of an mbox. */
#ifndef MAIL_MBOX_H
#define MAIL_MBOX_H

#include <stdbool.h>

#include "base/str.h"

/* Has it one of the fields that every mail has, before its first empty line? */
bool mail_likely(struct slice raw);
/* Does it begin with a line "From ..."? */
bool mbox_likely(struct slice raw);
/* Cuts the next mail off an mbox, without its "From " line and the empty line behind it; false at the end. A
 * "From " line counts at the beginning and behind an empty line. ">From " stays as it is: nothing of ours
 * depends on it. */
bool mbox_next(struct slice *rest, struct slice *mail);

#endif
