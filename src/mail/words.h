/* Encoded words in header fields (RFC 2047), as they come. Private to mail/.
 *
 * Thunderbird and Outlook pad each of the words of a long subject, which some libraries read as one text that ends at the first
 * padding. The labels of charsets are those of text.h. */
#ifndef MAIL_WORDS_H
#define MAIL_WORDS_H

#include "base/str.h"

/* Appends the value as UTF-8. Neighbouring words of one charset are joined before they are converted, because
 * some mail programs split characters; bytes outside of words are UTF-8 if valid, else windows-1252. Anything
 * that is not a proper word stays as it is. */
void words_decode(struct str *out, struct slice value);

/* How long the encoded word is with which the text begins; 0: it does not begin with one. */
size_t words_at(struct slice text);

#endif
