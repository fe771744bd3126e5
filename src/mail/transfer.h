/* Content transfer encodings (RFC 2045 section 6). Private to mail/. No library's encoders: they leave lines
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

/* Decoders for incoming mail; all append, and the rules for what RFC 2045 does not allow are ours, as verdicts follow from them
 * (README). */

/* Bytes that are no base64 are passed over, and the last group may lack its padding. Padding ends the text, unless what follows it
 * are further lines, or the rest of one, of whole groups: some programs encode a text in pieces. */
void transfer_from_base64(struct str *out, struct slice text);
/* Where "=" is followed by no two digits and no line end, it is itself. Spaces between a "=" and the line end are not there. */
void transfer_from_quoted(struct str *out, struct slice text);
/* The "Q" encoding of words (RFC 2047 section 4.2). */
void transfer_from_word(struct str *out, struct slice text);

#endif
