/* Small IMAP syntax: mailbox names, sets of UIDs, dates. RFC 9051 (IMAP4rev2), RFC 3501 section 5.1.3. */
#ifndef MAIL_IMAP_TEXT_H
#define MAIL_IMAP_TEXT_H

#include <libetpan/libetpan.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Appends a mailbox name (UTF-8) in modified UTF-7. */
void imap_encode_name(struct str *out, const char *name);
/* The same as a quoted string. */
void imap_quote_name(struct str *out, const char *name);

/* A set of UIDs. Zeroed = empty; end with uids_free. What was added out of order waits after the sorted ones
 * until the set is read: a server may send them in any order, and as many as it likes. */
struct uids {
    uint32_t *uid;
    size_t count;
    size_t cap;
    size_t sorted; /* the first ones: sorted, each once */
};
void uids_add(struct uids *set, uint32_t uid);
void uids_settle(struct uids *set); /* all are sorted now, each once */
void uids_remove(struct uids *set, uint32_t uid);
bool uids_has(struct uids *set, uint32_t uid);
void uids_clear(struct uids *set); /* keeps the memory */
void uids_free(struct uids *set);

/* Appends the UIDs from set[*from] on as ranges ("3:7,9"), as many as fit into a command of less than 8 kB,
 * and moves *from past them. False, and nothing appended, at the end of the set. */
bool uids_ranges(struct str *out, struct uids *set, size_t *from);

/* Seconds since 1970 of an INTERNALDATE; 0 when it is no date. */
int64_t imap_time(const struct mailimap_date_time *date);

#endif
