/* One mailbox in a field such as From (RFC 5322 section 3.4), for those who act on it: what two programs could
 * read differently is none. */
#ifndef TRUST_MAILBOX_H
#define TRUST_MAILBOX_H

#include <stdbool.h>

#include "base/str.h"

#define MAILBOX_LOCAL  65  /* RFC 5321: 64 bytes, and one for the end */
#define MAILBOX_DOMAIN 254 /* RFC 1035: 253 */

struct mailbox {
    char local[MAILBOX_LOCAL];
    char domain[MAILBOX_DOMAIN]; /* lower case */
};

/* The field's value, folds and all, is `a@b`, `words <a@b>` or `a@b <a@b>`, with comments around them. False for more
 * than one mailbox, groups, routes, quoted local parts, address literals, and any other words with an '@' outside of
 * quotes. */
bool mailbox_parse(struct slice value, struct mailbox *mailbox) __attribute__((warn_unused_result));
/* The domain whatever its case, the rest exactly. */
bool mailbox_equal(const struct mailbox *a, const struct mailbox *b);

/* Copies a host name of letters, digits and hyphens (and, where `wide`, underscores) in lower case; false, and
 * empty, for anything else. */
bool domain_copy(char out[MAILBOX_DOMAIN], struct slice text, bool wide);

#endif
