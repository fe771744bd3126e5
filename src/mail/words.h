/* Encoded words in header fields (RFC 2047), as they come. Private to mail/.
 *
 * Why not GMime's: 3.2.13 loses every "B" word that follows a padded one (its issue 133), which is how
 * Thunderbird and Outlook write long subjects; and it hands any charset label to iconv. Here the labels are
 * those of text.h. */
#ifndef MAIL_WORDS_H
#define MAIL_WORDS_H

#include "base/str.h"

/* Appends the value as UTF-8. Neighbouring words of one charset are joined before they are converted, because
 * some mail programs split characters; bytes outside of words are UTF-8 if valid, else windows-1252. Anything
 * that is not a proper word stays as it is. */
void words_decode(struct str *out, struct slice value);

/* Before and after GMime parses a field: makes "=?" unreadable to it, and readable again. */
void words_hide(struct str *value);
void words_unhide(struct str *value);

#endif
