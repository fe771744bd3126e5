/* Bytes in the body of a mail, so that they survive it:
 *
 *     -----BEGIN TURNPOST PROOF-----
 *     base64, 64 a line
 *     -----END TURNPOST PROOF-----
 *
 * Found by the words of these two lines alone; between them all that is not of base64's alphabet is dropped. So quoting (also
 * "> > >"), other line lengths and line ends, typographic dashes, no-break spaces, empty lines, and everything on one
 * line do no harm. */
#ifndef TLOG_ARMOR_H
#define TLOG_ARMOR_H

#include "base/err.h"
#include "base/str.h"

/* `what` is one word in capitals: PROOF, REQUEST, ANSWER. */
void armored_write(struct str *out, const char *what, struct slice bytes);

enum armored {
    ARMORED_NONE, /* no more of them; *rest is empty */
    ARMORED_GOOD, /* `out`: its bytes; *rest goes on after it */
    ARMORED_DAMAGED /* there is one, which has no end or is no base64 (`err` says which); *rest goes on after it */
};
/* The next one in a body (decoded, as text). Replaces what is in `out`. */
enum armored armored_next(struct slice *rest, const char *what, struct str *out, struct err *err)
    __attribute__((warn_unused_result));

#endif
