/* Takes the numbers out of an answer to SEARCH while it arrives. libetpan would keep the whole line, and some
 * 100 bytes for each number: 30 MiB for a mailbox of 300,000 mails. RFC 9051 section 7.3.4 (RFC 3501, 7.2.5).
 */
#ifndef MAIL_IMAP_SIEVE_H
#define MAIL_IMAP_SIEVE_H

#include "mail/imap_text.h"

/* Where we are within the answer. Zeroed but for `into` at the beginning. A text within a literal that looks
 * like such a response is taken for one: no legitimate answer to SEARCH has literals, and a server that sends
 * some only adds numbers that it could have sent anyway. */
struct imap_sieve {
    struct uids *into; /* NULL = everything passes */
    enum { SIEVE_START, SIEVE_PASS, SIEVE_NUMBERS } state;
    size_t matched; /* of "* SEARCH" at the start of this line */
    uint64_t number;
};

/* Adds the numbers in bytes[0..*len) to sieve->into and closes the gaps: what is left, "* SEARCH" without
 * numbers and all other responses, is bytes[0..*len). False when it is no answer to SEARCH. */
bool imap_sieve(struct imap_sieve *sieve, char *bytes, size_t *len) __attribute__((warn_unused_result));

#endif
