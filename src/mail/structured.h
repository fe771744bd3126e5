/* Structured fields: address lists and dates (RFC 5322 sections 3.3, 3.4, 4.3, 4.4), parameters (RFC 2045 section 5.1, RFC 2231).
 * Private to mail/.
 *
 * By rules of our own, which are in the README: who wrote a mail, where its parts end, what charset they have and when it was
 * written decide what counts, and that may not change with the version of a library. Linear in the value, which has at most
 * FIELD_MAX bytes; nothing nests but comments, which are counted. */
#ifndef MAIL_STRUCTURED_H
#define MAIL_STRUCTURED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Replaces `out` by a parameter of "text/plain; charset=utf-8; name*=utf-8''Z%C3%BCge": the first of that name, and all pieces
 * of one that is in pieces. RFC 2231 is undone, RFC 2047 (wrong there, and common) not. False, and empty: there is none. */
bool structured_param(struct slice value, const char *name, struct str *out);

/* An entry of an address list. Encoded words in `name` are as they came; `address` is what stands there, perhaps none. */
struct mailbox {
    struct str address, name;
    bool group; /* "friends: bob@example.org;", which is not looked into */
};
/* Cuts the next entry off the list; false at its end. `mailbox` is initialised, and released by the caller. */
bool structured_mailbox(struct slice *list, struct mailbox *mailbox);
void mailbox_release(struct mailbox *mailbox);

/* "Fri, 20 Nov 2026 12:00:00 +0100 (CET)": seconds since 1970. Names of zones are those of RFC 5322 section 4.3, all others and none
 * are UTC. False for anything else, and for a day or a time that does not exist. */
bool structured_date(struct slice value, int64_t *time) __attribute__((warn_unused_result));

#endif
