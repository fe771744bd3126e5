/* Content transfer encodings (RFC 2045 section 6). Private to mail/. Not GMime's encoders: they leave lines
 * that begin with "From " or are a dot to gateways that change them (README). */
#ifndef MAIL_TRANSFER_H
#define MAIL_TRANSFER_H

#include <stdbool.h>

#include "base/str.h"

/* True for printable ASCII, tabs and LF, in lines of at most 78 bytes. */
bool transfer_is_7bit(struct slice text);
/* True when no gateway has a reason to change it: no spaces at line ends, no line that begins with "From ".
 */
bool transfer_is_robust(struct slice text);

void transfer_crlf(struct str *out, struct slice text);    /* LF becomes CRLF */
void transfer_quoted(struct str *out, struct slice text);  /* quoted-printable; LF becomes CRLF */
void transfer_base64(struct str *out, struct slice bytes); /* lines of 76, each with CRLF */

/* Decoders for incoming mail: invalid bytes are skipped, missing padding is accepted, base64
 * ends at the first padding. Both append. */
void transfer_from_base64(struct str *out, struct slice text);
void transfer_from_quoted(struct str *out, struct slice text);

#endif
